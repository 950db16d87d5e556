"""A build by ``mkdocs`` or ``sphinx-build`` as it is, and what some plugins take of it.

Sphinx imports this module by its name, so that it cannot be the main module: see ``START``.
"""

from __future__ import annotations

import functools
import json
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sphinx.application import Sphinx

START = "import sys; from benchmarks.build_child import main; sys.exit(main(sys.argv[1:]))"

_seconds: dict[str, float] = {}
_open: list[str] = []


@contextmanager
def _clocked(prefix: str) -> Iterator[None]:
    if _open:  # an event within an event counts once, for the outer one
        yield
        return
    start = time.perf_counter()
    _open.append(prefix)
    try:
        yield
    finally:
        _open.pop()
        _seconds[prefix] += time.perf_counter() - start


def _timed(handler: Callable[..., Any]) -> Callable[..., Any]:
    """Return a handler that is timed, if it is one of those that are asked for."""
    module = getattr(handler, "__module__", None) or type(handler).__module__
    prefix = next((prefix for prefix in _seconds if module.startswith(prefix)), None)
    if prefix is None:
        return handler

    @functools.wraps(handler)
    def run(*args: Any, **values: Any) -> Any:
        with _clocked(prefix):
            return handler(*args, **values)

    return run


def setup(app: Sphinx) -> dict[str, Any]:
    """Time the handlers of the Sphinx extensions that come after this one."""
    connect = app.events.connect
    app.events.connect = lambda name, callback, *rest, **more: connect(  # type: ignore[method-assign]
        name, _timed(callback), *rest, **more
    )
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def _time_mkdocs() -> None:
    """Time the handlers of MkDocs's plugins, as each is registered."""
    from mkdocs.plugins import PluginCollection

    register = PluginCollection._register_event

    def timed(self: Any, event_name: str, method: Any, plugin_name: str | None = None) -> None:
        register(self, event_name, _timed(method), plugin_name)

    PluginCollection._register_event = timed  # type: ignore[method-assign]


def main(arguments: list[str]) -> int:
    """Build by FILE PREFIX COMMAND...; the exit code is the build's.

    The wall-clock seconds that event handlers took go into FILE as JSON, for each prefix of the
    name of the module that they come from.
    """
    file, prefixes, command, *rest = arguments
    _seconds.update(dict.fromkeys(prefixes.split(","), 0.0))
    try:
        return int(_run(command, rest) or 0)
    finally:
        Path(file).write_text(json.dumps(_seconds), "utf-8")


def _run(command: str, arguments: list[str]) -> Any:
    if command == "mkdocs":
        from mkdocs.__main__ import cli

        _time_mkdocs()
        return cli.main(arguments, standalone_mode=False)
    from sphinx.cmd.build import main as build

    return build(arguments)
