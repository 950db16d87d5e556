"""Spread work over processes, in order, safe in an untrusted working folder.

Not by the pools of Python 3.11 to 3.14: their thread waits for ever for the rest of a result if its writer
was killed, or for the lock of one that was.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from typing import Any, Final, NamedTuple, TypeVar

from docs_sitemap.budget import Budget, ExhaustedError, SharedBudget, Spent, add, enter_shared, share

Shared = TypeVar("Shared")
Part = TypeVar("Part")
Result = TypeVar("Result")

_SAFE_PATH: Final = "PYTHONSAFEPATH"

_PATIENCE: Final = 1.0
"""Seconds in which processes may end what they do, should the work be stopped, before they are killed."""


def spread(
    function: Callable[[Shared, Part], Result], shared: Shared, parts: Sequence[Part], jobs: int
) -> Iterator[Result]:
    """Yield ``function(shared, part)`` for each part, in order; ``shared`` is sent once to each process.

    With one job, one part, or on a system that does not let it start processes, this process does all the
    work; and what is left of it when another one was killed, or had an error, which thus is raised here. The
    processes share what is left of this one's budget.
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


class _Work(NamedTuple):
    """What all processes do."""

    function: Callable[[Any, Any], Any]
    shared: object
    budget: SharedBudget | None


def _in_processes(
    function: Callable[[Any, Any], Any], shared: object, parts: Sequence[object], jobs: int
) -> Iterator[Any]:
    """Yield the results of all parts, or of the first ones if a process ended, or of none without any."""
    if jobs <= 1:
        return
    workers: dict[Connection, BaseProcess] = {}
    is_done = False
    try:
        with _no_interrupt():
            _start(workers, function, shared, jobs)
        yield from _results([*workers], parts)
        is_done = True
    # no more processes or files, no memory to share, or a process was killed, perhaps because memory ran out
    except (EOFError, OSError, ImportError):
        return
    finally:
        with _no_interrupt():
            _end(workers, 0.0 if is_done else _PATIENCE)


@contextmanager
def _no_interrupt() -> Iterator[None]:
    """Let an interrupt wait, also in processes that are started: Python loses one in the middle of a fork."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _start(
    workers: dict[Connection, BaseProcess], function: Callable[[Any, Any], Any], shared: object, jobs: int
) -> None:
    """Start processes; raises ``OSError`` when the system allows no more.

    As with ``ulimit -u`` (setrlimit(2), ``RLIMIT_NPROC``), and the pids of a container.
    """
    # fork starts fastest; on macOS it is not safe, on Windows not available
    context: Any = multiprocessing.get_context("fork" if sys.platform == "linux" else "spawn")
    work = _Work(function, shared, share(context, jobs))
    for place in range(jobs):
        ours, theirs = context.Pipe()
        # what a copy of this process has of other connections would keep them open
        copies = [*workers, ours] if sys.platform == "linux" else []
        process = context.Process(target=_do, args=(theirs, copies, work, place), daemon=True)
        try:
            process.start()
        except OSError:
            ours.close()
            raise
        finally:
            theirs.close()
        workers[ours] = process


def _do(connection: Connection, copies: Sequence[Connection], work: _Work, place: int) -> None:
    """Do one part after the other, until no more are sent or one has an error."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the main process gets it too, and ends this one
    for copy in copies:
        copy.close()
    budget = enter_shared(work.budget, place) if work.budget else None
    with suppress(Exception):  # the main process does that part again, and tells
        while True:
            connection.send(_done(work, budget, connection.recv()))


def _done(work: _Work, budget: Budget | None, part: object) -> tuple[Any, Spent | ExhaustedError | None]:
    """Return the result for a part and what it took, or the error of the budget."""
    if budget is None:
        return work.function(work.shared, part), None
    before = budget.spent
    try:
        with budget:
            result = work.function(work.shared, part)
    except ExhaustedError as problem:
        return None, problem
    return result, budget.spent.since(before)


def _results(idle: list[Connection], parts: Sequence[object]) -> Iterator[Any]:
    """Yield the results in the order of the parts; each process gets one part at a time.

    A process reads all of a part before it writes a result, and so neither waits for the other.
    """
    working: dict[Connection, int] = {}
    found: dict[int, Any] = {}
    waiting = iter(enumerate(parts))
    for number in range(len(parts)):
        while number not in found:
            for connection, (other, part) in zip(idle, waiting, strict=False):
                connection.send(part)
                working[connection] = other
            idle = []
            ready = wait([*working])
            for connection in [each for each in working if each in ready]:
                found[working.pop(connection)], spent = connection.recv()
                if isinstance(spent, ExhaustedError):
                    raise spent
                if spent is not None:
                    add(spent)
                idle.append(connection)
        yield found.pop(number)


def _end(workers: dict[Connection, BaseProcess], patience: float) -> None:
    """End the processes: they end on their own, without new parts, or are killed."""
    end = time.monotonic() + patience
    for connection in workers:
        connection.close()
    for process in workers.values():
        process.join(max(0.0, end - time.monotonic()))
        process.kill()
        process.join()
        process.close()
