"""Spread work over processes, in order."""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from typing import Any, Final, TypeVar

Shared = TypeVar("Shared")
Part = TypeVar("Part")
Result = TypeVar("Result")

_SAFE_PATH: Final = "PYTHONSAFEPATH"

_work: list[Any] = []
"""The function and the shared value of a process that works for another one."""


def spread(
    function: Callable[[Shared, Part], Result], shared: Shared, parts: Sequence[Part], jobs: int
) -> Iterator[Result]:
    """Yield ``function(shared, part)`` for each part, in order; ``shared`` is sent once to each process.

    With one job, one part, or on a system that does not let it start processes, this process does all the
    work; and what is left of it when another one was killed.
    """
    done = 0
    if min(jobs, len(parts)) > 1:
        try:
            with _safe_path():
                for result in _in_processes(function, shared, parts, min(jobs, len(parts))):
                    done += 1
                    yield result
        # no more processes or files, no shared memory, or a process was killed, perhaps for want of memory
        except (BrokenProcessPool, OSError, ImportError):
            pass
    for part in parts[done:]:
        yield function(shared, part)


def _in_processes(
    function: Callable[[Any, Any], Any], shared: object, parts: Sequence[object], jobs: int
) -> Iterator[Any]:
    # fork starts fastest; on macOS it is not safe, on Windows not available
    context = multiprocessing.get_context("fork" if sys.platform == "linux" else "spawn")
    pool = ProcessPoolExecutor(jobs, context, _begin, (function, shared))
    try:
        yield from pool.map(_do, parts)
    finally:
        pool.shutdown(cancel_futures=True)


def _begin(function: Callable[[Any, Any], Any], shared: object) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl+C ends the main process, and that ends this one
    _work[:] = function, shared


def _do(part: object) -> Any:
    function, shared = _work
    return function(shared, part)


@contextmanager
def _safe_path() -> Iterator[None]:
    """Prevent new processes from importing from the working folder, which may be a stranger's checkout.

    A spawned process starts with ``python -c``, which would do so (Python, ``PYTHONSAFEPATH``).
    """
    before = os.environ.get(_SAFE_PATH)
    os.environ[_SAFE_PATH] = "1"
    try:
        yield
    finally:
        del os.environ[_SAFE_PATH]
        if before is not None:
            os.environ[_SAFE_PATH] = before
