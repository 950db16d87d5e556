"""Running programs, interleaved and several times, and the figures that come of it.

Knows nothing of dates or of git.
"""

from __future__ import annotations

import multiprocessing
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Protocol, TypeVar, TypeVarTuple, cast

_MAXRSS_UNIT = 1 if sys.platform == "darwin" else 1024
"""Bytes in which the system counts ``ru_maxrss``."""

_Given = TypeVarTuple("_Given")
_Made = TypeVar("_Made")


class BenchmarkError(Exception):
    """Nothing can be measured, or what was measured means nothing."""


@dataclass(frozen=True, slots=True)
class Sample:
    """One run: wall-clock seconds, the peak of its largest process in MB, and its answers by path.

    ``own_memory`` is the peak of our Python process alone where git works in another one;
    ``baseline`` is the peak before the work began, and ``processor`` the seconds of the processors
    that the work took, where those are known.
    """

    seconds: float
    memory: float
    answers: Mapping[str, str] = field(repr=False)
    own_memory: float | None = None
    baseline: float = 0.0
    processor: float = 0.0


class Tool(Protocol):
    """One way to come by the answers. ``exact``: claims to say what ``git log -1`` says."""

    @property
    def name(self) -> str:
        """Return the name by which the tool is chosen and printed."""

    @property
    def exact(self) -> bool:
        """Tell whether the answers must agree with the other exact tools'."""

    def run(self) -> Sample:
        """Find all answers once."""


@dataclass(frozen=True, slots=True)
class Process:
    """A process that has ended: its whole time in seconds, its peak in MB, and its output."""

    seconds: float
    memory: float
    output: bytes


def run_process(arguments: Sequence[str], *, cwd: Path, env: Mapping[str, str]) -> Process:
    """Run a program to its end; raises ``BenchmarkError`` unless it exits with 0.

    The time goes from the start to the last byte and the exit. The peak is at least that of the
    process that starts it (ours, some 20 MB), because the system hands that on. What git has
    mapped of the packs counts too, as far as it was read.
    """
    start = time.perf_counter()
    with subprocess.Popen(
        arguments, cwd=cwd, env=env, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE
    ) as it:
        output = cast(IO[bytes], it.stdout).read()
        _, status, usage = os.wait4(it.pid, 0)
        it.returncode = os.waitstatus_to_exitcode(status)
    seconds = time.perf_counter() - start
    if it.returncode:
        raise BenchmarkError(f"{' '.join(arguments[:6])} ... ended with exit code {it.returncode}")
    return Process(seconds, _megabytes(usage.ru_maxrss), output)


def apart(make: Callable[[*_Given], _Made], *given: *_Given) -> _Made:
    """Call a function in a process of its own, and return what it returns.

    What it takes of memory here would count in the peak of each process that is started from here later.
    """
    with ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as pool:
        return pool.submit(make, *given).result()


def peaks() -> tuple[float, float]:
    """Return the peak in MB of this process, and that of the largest one that it has waited for."""
    import resource  # not on Windows

    own, children = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return _megabytes(own.ru_maxrss), _megabytes(children.ru_maxrss)


def processor_seconds() -> float:
    """Return what this process, and those that it has waited for, have taken of the processors so far."""
    import resource  # not on Windows

    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(usage.ru_utime + usage.ru_stime for usage in used)


def _megabytes(maxrss: int) -> float:
    """Return a ``ru_maxrss`` in MB of 10^6 bytes."""
    return maxrss * _MAXRSS_UNIT / 1e6


def interleave(
    tools: Sequence[Tool], runs: int, report: Callable[[str], None] = lambda _: None
) -> dict[str, list[Sample]]:
    """Run A B C A B C ..., so that whatever else the machine does meets all of them alike.

    One round before that is not counted: it fills the system's file cache, and its answers are
    what each tool must say again in each later round. Raises ``BenchmarkError`` where one does not.
    """
    first: dict[str, Mapping[str, str]] = {}
    samples: dict[str, list[Sample]] = {tool.name: [] for tool in tools}
    for number in range(runs + 1):
        for tool in tools:
            sample = tool.run()
            report(f"round {number or 'for warming up'}: {tool.name} {sample.seconds:.3f} s")
            if sample.answers != first.setdefault(tool.name, sample.answers):
                raise BenchmarkError(f"{tool.name} gave other answers in round {number} than before")
            if number:
                samples[tool.name].append(sample)
    return samples


def median_ratio(seconds: Sequence[float], base: Sequence[float]) -> float | None:
    """Return the median of the ratios within each round; below 1 is faster than ``base``.

    Of tools that ran in no common rounds, the ratio of the medians; ``None`` without a base.
    """
    if not base or not seconds:
        return None
    if len(seconds) == len(base):
        return statistics.median(ours / theirs for ours, theirs in zip(seconds, base, strict=True))
    return statistics.median(seconds) / statistics.median(base)


def geometric_mean(ratios: Iterable[float | None]) -> float | None:
    """Return the mean that fits ratios, or ``None`` where one of them is missing."""
    found = list(ratios)
    known = [ratio for ratio in found if ratio is not None]
    return statistics.geometric_mean(known) if known and len(known) == len(found) else None
