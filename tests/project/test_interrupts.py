"""Ctrl+C ends what is asked of a server, and never leaves asyncio in pieces."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from collections.abc import Callable
from typing import Any

import pytest

from docs_sitemap.boundary import Boundary
from docs_sitemap.interrupts import run
from docs_sitemap.notices import Notice

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


class Attribute:
    """Is interrupted where a class is made that has it: before Python 3.12, that is a RuntimeError."""

    def __set_name__(self, owner: type, name: str) -> None:
        raise KeyboardInterrupt


def make_class() -> None:
    type("Made", (), {"one": Attribute()})


def test_an_interrupt_while_a_module_is_loaded_is_one(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Once in 833 times, it was an unexpected error."""
    told: list[Notice] = []
    monkeypatch.delenv("DOCS_SITEMAP_DEBUG", raising=False)
    with pytest.raises(KeyboardInterrupt):
        Boundary(told.append).around(make_class)()
    assert told == []
    cli, click = pytest.importorskip("docs_sitemap.cli"), pytest.importorskip("click")
    with pytest.raises(click.exceptions.Exit) as problem, cli._one_line():
        make_class()
    assert problem.value.exit_code == 130
    assert capsys.readouterr().err == "Stopped.\n"
