"""What functions of other plugins return, as they are called: a mechanism that tells what it has read."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from functools import wraps
from typing import Any

See = Callable[..., object]
"""Called with what a function has returned, and the arguments that it was given."""

Tell = Callable[[str, str], None]
"""Called with a file's path, and how it is known to be part of the page that is being made."""


class Observer:
    """Functions that are watched until ``close``. What they return, and what they raise, stays as it is."""

    def __init__(self) -> None:
        self._undo: list[Callable[[], None]] = []
        self._watched: set[tuple[int, str]] = set()

    def watch(self, owner: Any, name: str, see: See) -> None:
        """Have ``see`` called after each call of a function of a module or an object, which is known once."""
        if owner is None or (id(owner), name) in self._watched:
            return
        function = getattr(owner, name, None)
        if not callable(function):
            return  # another version of that plugin

        @wraps(function)
        def observed(*args: Any, **kwargs: Any) -> Any:
            result = function(*args, **kwargs)
            with suppress(Exception):  # another plugin's own affairs, which must not break its build
                see(result, *args)
            return result

        is_own = name in getattr(owner, "__dict__", {})
        with suppress(AttributeError, TypeError):  # what has slots or is compiled
            setattr(owner, name, observed)
            self._watched.add((id(owner), name))
            self._undo.append(lambda: setattr(owner, name, function) if is_own else delattr(owner, name))

    def close(self) -> None:
        """Put all functions back."""
        while self._undo:
            self._undo.pop()()
        self._watched.clear()
