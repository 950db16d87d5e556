"""Runs what asks servers, so that Ctrl+C ends it and never leaves asyncio in pieces."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Coroutine
from typing import Any, TypeVar

Result = TypeVar("Result")


def run(start: Callable[[], Coroutine[Any, Any, Result]]) -> Result:
    """Run a coroutine in a loop of its own, like ``asyncio.run``.

    An interrupt cancels the coroutine, and while the loop is made or ended, it waits: Python told with
    tracebacks of loops that were not complete. Raises ``KeyboardInterrupt`` unless the coroutine ends well
    all the same.
    """
    import asyncio  # takes a tenth of a second

    is_ours = signal.getsignal(signal.SIGINT) is signal.default_int_handler
    if not is_ours or threading.current_thread() is not threading.main_thread():
        return asyncio.run(start())
    task: asyncio.Task[Any] | None = None
    is_waiting = is_told = False

    def interrupt(_signal: int, _frame: object) -> None:
        nonlocal is_waiting, is_told
        if task is None:
            is_waiting = True
        elif is_told:
            raise KeyboardInterrupt
        else:
            is_told = True
            task.get_loop().call_soon_threadsafe(task.cancel)

    async def work() -> Result:
        nonlocal task, is_waiting, is_told
        own = task = asyncio.current_task()
        if is_waiting and own:
            is_waiting, is_told = False, True
            own.cancel()
        try:
            return await start()
        finally:
            task = None
            # it may have ended before it was cancelled
            is_waiting = is_waiting or (is_told and own is not None and not own.cancelling())

    signal.signal(signal.SIGINT, interrupt)
    try:
        with asyncio.Runner() as runner:
            try:
                result = runner.run(work())
            except asyncio.CancelledError:
                raise KeyboardInterrupt from None
    except Exception:
        if not is_waiting:
            raise
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    if is_waiting:
        raise KeyboardInterrupt
    return result
