"""One process that reads inputs of one target, each within a limit of time and all within one of memory.

``python -m tests.fuzz.worker TARGET CURRENT SEED COUNT SECONDS`` mutates, and ``... TARGET FILE`` reads one
file. The input at work stands in ``CURRENT``, so that it is there when the process is not.
"""

from __future__ import annotations

import gzip
import os
import random
import resource
import signal
import sys
import time
from importlib import import_module
from pathlib import Path
from types import FrameType
from typing import Any, Final

from tests.fuzz.mutation import mutate

SECONDS: Final = int(os.environ.get("FUZZ_SECONDS", "10"))
"""Of processor time for one input of 200,000 bytes at most: linear work takes less than one."""

MEMORY: Final = 1 << 30
"""Bytes of address space; the libraries take some 200 MB."""


class TooLongError(BaseException):
    """An input takes too long; no reader may catch this."""


def _stop(number: int, frame: FrameType | None) -> None:
    raise TooLongError(f"more than {SECONDS} seconds")


def limit() -> None:
    """Set the limits of this process."""
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    signal.signal(signal.SIGPROF, _stop)


def read_one(target: Any, data: bytes) -> None:
    """Read one input within the limit of time; C code that cannot be stopped is killed a little later."""
    used = sum(resource.getrusage(resource.RUSAGE_SELF)[:2])
    resource.setrlimit(resource.RLIMIT_CPU, (int(used) + 3 * SECONDS, resource.RLIM_INFINITY))
    signal.setitimer(signal.ITIMER_PROF, SECONDS)
    try:
        target.read(data)
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)


def load(file: Path) -> bytes:
    """Return the input that a file keeps, packed or as it is."""
    data = file.read_bytes()
    return gzip.decompress(data) if file.suffix == ".gz" else data


def main(name: str, file: str, *rest: str) -> None:
    target = import_module(name if "." in name else f"tests.fuzz.targets.{name}")
    limit()
    if not rest:
        read_one(target, load(Path(file)))
        return
    seed, count, seconds = map(int, rest)
    end = time.monotonic() + seconds
    chance = random.Random(seed)  # noqa: S311 - the same inputs for the same seed
    with open(file, "wb", buffering=0) as current:
        for number in range(count):
            if time.monotonic() > end:
                break
            print(number + 1, flush=True)
            data = mutate(chance, target.SEEDS)
            current.seek(0)
            current.write(data)
            current.truncate()
            read_one(target, data)


if __name__ == "__main__":
    main(*sys.argv[1:])
