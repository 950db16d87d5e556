"""Ctrl+C ends what is asked of a server, and never leaves asyncio in pieces."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from collections.abc import Callable
from typing import Any

import pytest

from docs_sitemap.interrupts import run

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="signals are sent otherwise")


@pytest.mark.parametrize("part", ["new_event_loop", "shutdown_asyncgens"])
def test_an_interrupt_waits_until_the_loop_is_made_and_ended(
    part: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One of forty printed a traceback: the loop lacked what it was to close."""
    steps: list[str] = []

    def interrupted(make: Callable[..., Any]) -> Callable[..., Any]:
        def call(*args: Any) -> Any:
            os.kill(os.getpid(), signal.SIGINT)
            steps.append("goes on")
            return make(*args)

        return call

    async def work() -> None:
        steps.append("started")
        await asyncio.sleep(0)
        await asyncio.sleep(30 if part == "new_event_loop" else 0)
        steps.append("done")

    place = asyncio.events if part == "new_event_loop" else asyncio.BaseEventLoop
    monkeypatch.setattr(place, part, interrupted(getattr(place, part)))
    with pytest.raises(KeyboardInterrupt):
        run(work)
    monkeypatch.undo()
    assert steps in (["goes on"], ["goes on", "started"], ["started", "done", "goes on"])
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_without_an_interrupt_it_is_what_the_coroutine_returns() -> None:
    async def answer(number: int) -> int:
        await asyncio.sleep(0)
        if number < 0:
            raise ValueError("negative")
        return number

    assert run(lambda: answer(3)) == 3
    with pytest.raises(ValueError, match="negative"):
        run(lambda: answer(-1))
