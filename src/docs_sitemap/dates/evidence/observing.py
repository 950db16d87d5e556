"""Observes the results of other plugins' functions, to learn what they have read."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from functools import wraps
from typing import Any

from docs_sitemap.boundary import Boundary

See = Callable[..., object]
"""Called with the result of a function and its arguments."""

Tell = Callable[[str, str], None]
"""Called with a file's path, and how it is known to be part of the current page."""


class Observer:
    """Watches functions until ``close``, without changing what they return or raise.

    What it takes counts for our part of the build.
    """

    def __init__(self, boundary: Boundary) -> None:
        self._boundary = boundary
        self._undo: list[Callable[[], None]] = []
        self._watched: set[tuple[int, str]] = set()

    def watch(self, owner: Any, name: str, see: See) -> None:
        """Call ``see`` after each call of a module's or object's function; watching twice has no effect."""
        if owner is None or (id(owner), name) in self._watched:
            return
        function = getattr(owner, name, None)
        if not callable(function):
            return  # a version of the plugin that lacks it

        @wraps(function)
        def observed(*args: Any, **kwargs: Any) -> Any:
            result = function(*args, **kwargs)
            self._boundary.call(_see, (see, result, *args), {})
            return result

        is_own = name in getattr(owner, "__dict__", {})
        with suppress(AttributeError, TypeError):  # objects with slots or compiled ones
            setattr(owner, name, observed)
            self._watched.add((id(owner), name))
            self._undo.append(lambda: setattr(owner, name, function) if is_own else delattr(owner, name))

    def close(self) -> None:
        """Restore all functions."""
        while self._undo:
            self._undo.pop()()
        self._watched.clear()


def _see(see: See, *args: object) -> None:
    """Ignore an error in observing another plugin, whose objects may be of any kind."""
    with suppress(Exception):
        see(*args)
