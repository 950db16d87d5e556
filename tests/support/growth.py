"""How the time of a reader grows with its input, without a word on how long it takes.

A reader gets two inputs of one shape, the second four times as long. Linear work takes four times as much
time for it, quadratic work sixteen times: the line is drawn in the middle, at eight. Processor time is what
counts, of this thread alone, so that regular expressions and C code are seen and other programs are not,
and the least of several rounds: only who is too slow in each of them is too slow. Where memory no longer
fits in the processor's caches, linear work takes a step up, once: who is too slow over one step of four is
measured over two, and the growth is their mean.
"""

from __future__ import annotations

import gc
import math
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from types import FrameType

FACTOR = 4
WORST = 8.0
"""Twice linear, and half of quadratic."""

NOTHING = 0.01
"""Seconds: whoever reads the longest input in less has no growth that matters, or can be measured."""

ROUNDS = 6
"""Before a growth is believed."""

HANG = 60
"""Seconds of processor time in one reading, after which it is given up: exponential work never ends."""


@dataclass(frozen=True)
class Shape:
    """A short piece between a start and an end, as often as it takes to be so long.

    ``{}`` in the piece is a number, another one each time.
    """

    piece: str
    start: str = ""
    end: str = ""

    def __call__(self, size: int) -> bytes:
        pieces: Iterator[str] | list[str]
        if "{}" in self.piece:
            pieces = (self.piece.replace("{}", str(n)) for n in range(size // (len(self.piece) + 3)))
        else:
            pieces = [self.piece * (size // len(self.piece))]
        return f"{self.start}{''.join(pieces)}{self.end}".encode("utf-8", "surrogateescape")


class HangError(Exception):
    """A reading takes so long that nobody waits for its end."""


def growth(read: Callable[[bytes], object], shape: Callable[[int], bytes], size: int) -> float:
    """Return how many times as long the reading of ``size`` bytes takes as that of a quarter of them.

    It is ``FACTOR`` where even the longer one is read in next to no time. Raises ``HangError``.
    """
    small, large = shape(size // FACTOR), shape(size)
    times: tuple[list[float], list[float]] = ([], [])
    with _no_hang():
        for _ in range(ROUNDS):
            times[1].append(_seconds(read, large))
            if times[1][-1] < NOTHING:
                break
            times[0].extend(_seconds(read, small) for _ in range(2))
            if min(times[1]) < WORST * min(times[0]):
                return min(times[1]) / min(times[0])
        else:
            tiny, least = shape(size // FACTOR**2), math.inf
            for _ in range(ROUNDS):
                least = min(least, *(_seconds(read, tiny) for _ in range(4)))
                times[0].append(_seconds(read, small))
                times[1].append(_seconds(read, large))
            return min(min(times[1]) / min(times[0]), math.sqrt(min(times[1]) / least))
    return float(FACTOR)


def _seconds(read: Callable[[bytes], object], data: bytes) -> float:
    gc.disable()  # its time grows with all that the other tests have left behind
    try:
        start = time.thread_time()
        read(data)
        return time.thread_time() - start
    finally:
        gc.enable()


@contextmanager
def _no_hang() -> Iterator[None]:
    def stop(number: int, frame: FrameType | None) -> None:
        raise HangError(f"more than {HANG} seconds")

    before = signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, HANG)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)
