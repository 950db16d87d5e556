"""Spread work over processes, in order, safe in an untrusted working folder."""

from __future__ import annotations

import multiprocessing
import os
import sys
import threading
from collections.abc import Callable, Iterator, Sequence, Set
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from functools import partial
from typing import Any, Final, TypeVar

from docs_sitemap.budget import Budget, Spent, add, enter_shared, share
from docs_sitemap.shared_budget import SharedBudget

Shared = TypeVar("Shared")
Part = TypeVar("Part")
Result = TypeVar("Result")

_SAFE_PATH: Final = "PYTHONSAFEPATH"

_PATIENCE: Final = 0.1
"""Seconds between looks at the pool's thread, while no part is done."""

_work: list[tuple[Callable[[Any, Any], Any], Any, Budget | None]] = []
"""The function, the shared data and the budget of this process, if it was started for a part of the work."""


def spread(
    function: Callable[[Shared, Part], Result], shared: Shared, parts: Sequence[Part], jobs: int
) -> Iterator[Result]:
    """Yield ``function(shared, part)`` for each part, in order; ``shared`` is sent once to each process.

    With one job, one part, or on a system that does not let it start processes, this process does all the
    work, and what is left of it when another one was killed. The processes share what is left of this one's
    budget.
    """
    with _safe_path():
        done = 0
        for result in _in_processes(function, shared, parts, min(jobs, len(parts))):
            done += 1
            yield result
        yield from map(partial(function, shared), parts[done:])


@contextmanager
def _safe_path() -> Iterator[None]:
    """Prevent new processes from importing from the working folder, which may be an untrusted checkout.

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


def _start(function: Callable[[Any, Any], Any], shared: object, budget: SharedBudget | None) -> None:
    _work.append((function, shared, enter_shared(budget) if budget else None))


def _do(part: object) -> tuple[Any, Spent | None]:
    """Return the result for a part, and what it took."""
    function, shared, budget = _work[0]
    if budget is None:
        return function(shared, part), None
    before = budget.spent
    with budget:
        result = function(shared, part)
    return result, budget.spent.since(before)


def _pool(jobs: int, function: Callable[[Any, Any], Any], shared: object) -> ProcessPoolExecutor | None:
    """Return a process pool, or ``None`` if the system has no semaphores or no memory that is shared."""
    # fork starts fastest; on macOS it is not safe, on Windows not available
    context = multiprocessing.get_context("fork" if sys.platform == "linux" else "spawn")
    try:
        return ProcessPoolExecutor(jobs, context, _start, (function, shared, share(context, jobs)))
    except (OSError, ImportError):
        return None


def _in_processes(
    function: Callable[[Any, Any], Any], shared: object, parts: Sequence[object], jobs: int
) -> Iterator[Any]:
    """Yield the results of all parts, or of none if not all processes and threads could be started.

    Or of some, in order, if a process was killed.

    What limits processes limits threads too: ``ulimit -u`` (setrlimit(2), ``RLIMIT_NPROC``), and the pids of
    a container.
    """
    pool = _pool(jobs, function, shared) if jobs > 1 else None
    if pool is None:
        return
    processes, threads = {*multiprocessing.active_children()}, {*threading.enumerate()}
    is_begun = False
    futures: list[Future[Any]] = []
    try:
        try:
            with _silent_but(threads):
                futures = [pool.submit(_do, part) for part in parts]
                is_begun = _has_begun(futures, {*threading.enumerate()} - threads)
        except (OSError, RuntimeError):
            return
        for future in futures if is_begun else ():
            try:
                result, spent = future.result()
            except BrokenProcessPool:  # a process was killed, perhaps because memory ran out
                return
            if spent is not None:
                add(spent)
            yield result
    finally:
        if not is_begun:
            for process in {*multiprocessing.active_children()} - processes:
                process.kill()  # it waits for parts that nobody sends
                process.join()
        elif all(future.done() for future in futures):
            for process in {*multiprocessing.active_children()} - processes:
                process.kill()  # it may wait for ever for a lock of one that was killed by others
        pool.shutdown(wait=is_begun, cancel_futures=True)


def _has_begun(futures: Sequence[Future[Any]], managers: Set[threading.Thread]) -> bool:
    """Wait until a part is done; return ``False`` if the pool's own thread has ended before.

    It ends with an error if it cannot start another one, which is told to nobody.
    """
    while not wait(futures, _PATIENCE, FIRST_COMPLETED).done:
        if not any(thread.is_alive() for thread in managers):
            return False
    return True


@contextmanager
def _silent_but(threads: Set[threading.Thread]) -> Iterator[None]:
    """Print no traceback for the errors of other threads."""
    hook = threading.excepthook

    def tell(error: threading.ExceptHookArgs) -> None:
        if error.thread in threads:
            hook(error)

    threading.excepthook = tell
    try:
        yield
    finally:
        threading.excepthook = hook
