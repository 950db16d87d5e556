"""Runs what asks servers, so that Ctrl+C ends it and never leaves asyncio in pieces."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Coroutine
from typing import TYPE_CHECKING, Any, Generic, TypeVar

if TYPE_CHECKING:
    import asyncio

Result = TypeVar("Result")


def run(start: Callable[[], Coroutine[Any, Any, Result]]) -> Result:
    """Run a coroutine in a loop of its own, like ``asyncio.run``.

    An interrupt cancels the coroutine, and while the loop is made or ended, it waits: Python told with
    tracebacks of loops that were not complete. Raises ``KeyboardInterrupt`` unless the coroutine ends well
    all the same.
    """
    import asyncio  # takes a tenth of a second

    is_default = signal.getsignal(signal.SIGINT) is signal.default_int_handler
    if not is_default or threading.current_thread() is not threading.main_thread():
        return asyncio.run(start())
    work = _Work(start)
    signal.signal(signal.SIGINT, work.interrupt)
    try:
        with asyncio.Runner() as runner:
            result = runner.run(work.run())
    except asyncio.CancelledError:
        raise KeyboardInterrupt from None
    except Exception:
        if work.is_waiting:
            raise KeyboardInterrupt from None
        raise
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    if work.is_waiting:
        raise KeyboardInterrupt
    return result


class _Work(Generic[Result]):
    """A coroutine that an interrupt cancels; ``is_waiting`` tells whether one came at another time."""

    def __init__(self, start: Callable[[], Coroutine[Any, Any, Result]]) -> None:
        self._start = start
        self._task: asyncio.Task[Any] | None = None
        self._is_told = False
        self.is_waiting = False

    def interrupt(self, _signal: int, _frame: object) -> None:
        """Cancel the coroutine; the second time, as without us."""
        if self._task is None:
            self.is_waiting = True
        elif self._is_told:
            raise KeyboardInterrupt
        else:
            self._is_told = True
            self._task.get_loop().call_soon_threadsafe(self._task.cancel)

    async def run(self) -> Result:
        """Run the coroutine."""
        import asyncio

        own = self._task = asyncio.current_task()
        if self.is_waiting and own:
            self.is_waiting, self._is_told = False, True
            own.cancel()
        try:
            return await self._start()
        finally:
            self._task = None
            # it may have ended before it was cancelled
            is_lost = self._is_told and own is not None and not own.cancelling()
            self.is_waiting = self.is_waiting or is_lost
