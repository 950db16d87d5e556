"""Spread work over processes, in order, safe in an untrusted working folder."""

from __future__ import annotations

import multiprocessing
import os
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from functools import partial
from typing import Any, Final, TypeVar

from docs_sitemap.budget import Budget, Spent, add, enter_shared, share
from docs_sitemap.shared_budget import SharedBudget

Shared = TypeVar("Shared")
Part = TypeVar("Part")
Result = TypeVar("Result")

_SAFE_PATH: Final = "PYTHONSAFEPATH"

_THREADS: Final = 4
"""Threads of a pool, and a helper process where it has one; rather too many."""

_work: list[tuple[Callable[[Any, Any], Any], Any, Budget | None]] = []
"""The function, the shared data and the budget of this process, if it was started for a part of the work."""


def spread(
    function: Callable[[Shared, Part], Result], shared: Shared, parts: Sequence[Part], jobs: int
) -> Iterator[Result]:
    """Yield ``function(shared, part)`` for each part, in order; ``shared`` is sent once to each process.

    With one job, one part, or on a system that does not let it start processes, this process does all the
    work. The processes share what is left of this one's budget.
    """
    with _safe_path():
        jobs = min(jobs, len(parts))
        pool = _pool(jobs, function, shared) if jobs > 1 and _may_start(jobs + _THREADS) else None
        results = _started(pool, parts) if pool else None
        if pool is None or results is None:
            yield from map(partial(function, shared), parts)
        else:
            with pool:
                for result, spent in results:
                    if spent is not None:
                        add(spent)
                    yield result


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


def _may_start(number: int) -> bool:
    """Tell whether so many more processes and threads may run at once, by starting threads.

    What limits processes counts threads too: ``ulimit -u`` (setrlimit(2), ``RLIMIT_NPROC``), and the pids of
    a container. A pool whose last thread does not start waits for ever.
    """
    end = threading.Event()
    started: list[threading.Thread] = []
    try:
        for _ in range(number):
            thread = threading.Thread(target=end.wait)
            thread.start()
            started.append(thread)
    except RuntimeError:
        return False
    finally:
        end.set()
        for thread in started:
            thread.join()
    return True


def _started(pool: ProcessPoolExecutor, parts: Sequence[object]) -> Iterator[tuple[Any, Spent | None]] | None:
    """Start the processes and return the results to come; ``None`` if not all could be started."""
    others = {*multiprocessing.active_children()}
    try:
        return pool.map(_do, parts)
    except (OSError, RuntimeError):
        for process in {*multiprocessing.active_children()} - others:
            process.kill()  # it waits for parts
            process.join()
        pool.shutdown(wait=False)
        return None
