"""A build by ``mkdocs`` or ``sphinx-build`` as it is, and the time that a plugin takes of it.

Sphinx imports this module by its name, so that it cannot be the main module: see ``START``.
"""

from __future__ import annotations

import functools
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sphinx.application import Sphinx

START = "import sys; from benchmarks.build_child import main; sys.exit(main(sys.argv[1:]))"


class _Clock:
    """Adds up the wall-clock seconds of the event handlers whose module's name begins with ``prefix``."""

    def __init__(self) -> None:
        self.prefix = ""
        self.seconds = 0.0
        self._is_running = False

    def timed(self, handler: Callable[..., Any]) -> Callable[..., Any]:
        """Return a handler that is timed, if it is one of those."""
        module = getattr(handler, "__module__", None) or type(handler).__module__
        if not module.startswith(self.prefix):
            return handler

        @functools.wraps(handler)
        def run(*args: Any, **values: Any) -> Any:
            if self._is_running:  # an event within an event counts once
                return handler(*args, **values)
            self._is_running = True
            start = time.perf_counter()
            try:
                return handler(*args, **values)
            finally:
                self.seconds += time.perf_counter() - start
                self._is_running = False

        return run


_CLOCK = _Clock()


def setup(app: Sphinx) -> dict[str, Any]:
    """Time the handlers of the Sphinx extensions that come after this one."""
    connect = app.events.connect
    app.events.connect = lambda name, callback, *rest, **more: connect(  # type: ignore[method-assign]
        name, _CLOCK.timed(callback), *rest, **more
    )
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def main(arguments: list[str]) -> int:
    """Build by FILE PREFIX COMMAND...; the seconds go into FILE, and the exit code is the build's."""
    file, _CLOCK.prefix, host, *rest = arguments
    try:
        return int((_run_mkdocs if host == "mkdocs" else _run_sphinx)(rest) or 0)
    finally:
        Path(file).write_text(str(_CLOCK.seconds), "ascii")


def _run_mkdocs(arguments: list[str]) -> Any:
    from mkdocs.__main__ import cli
    from mkdocs.plugins import PluginCollection

    register = PluginCollection._register_event
    PluginCollection._register_event = lambda self, event, method, *rest, **more: register(  # type: ignore[method-assign]
        self, event, _CLOCK.timed(method), *rest, **more
    )
    return cli.main(arguments, standalone_mode=False)


def _run_sphinx(arguments: list[str]) -> Any:
    from sphinx.cmd.build import main as build

    return build(arguments)
