"""Resolves the links of paths anywhere: each folder and link on their way is looked at once."""

from __future__ import annotations

import os
from typing import Final

_MAX_KNOWN: Final = 32 << 20
"""Characters of paths whose answers are kept."""

_MAX_FOLLOWED: Final = 40
"""Links on the way of a path that Linux follows; other systems follow fewer."""


class RealPaths:
    """``os.path.realpath`` of many paths; each folder and link on their way is looked at once.

    A link may lead through thousands of folders, and thousands of links through the same ones.
    """

    def __init__(self) -> None:
        self._known: dict[tuple[str, str], str] = {}
        self._size = 0

    def of(self, path: str | os.PathLike[str]) -> str:
        """Return a path without links; what is missing, or a link to itself, counts as a file.

        A path with too many links to open it is returned as it is.
        """
        if self._size > _MAX_KNOWN:
            self._known.clear()
            self._size = 0
        if os.name == "nt":  # drives and junctions
            return self._asked(os.fspath(path))
        here = os.sep
        left: list[str | tuple[str, str]] = [os.path.join(os.getcwd(), path)]
        followed = set()
        while left:
            name = left.pop()
            if isinstance(name, tuple):  # the end of a link, or of a folder's path
                self._known[name] = here
                self._size += len(name[1])
                continue
            key = here, name
            if name in ("", os.curdir):
                continue
            if key in self._known:
                here = self._known[key]
            elif os.sep in name:
                folder, _, last = name.rpartition(os.sep)
                left += [last, (here, folder), *reversed(folder.split(os.sep))]
            elif key not in followed and (target := _target(*key)):
                followed.add(key)
                left += [key, target]
                here = os.sep if os.path.isabs(target) else here
                if len(followed) > _MAX_FOLLOWED:
                    return os.path.abspath(path)
            else:
                here = os.path.dirname(here) if name == os.pardir else os.path.join(*key)
                self._known[key] = here
                self._size += len(here) + 100
        return here

    def _asked(self, path: str) -> str:
        if ("", path) not in self._known:
            self._known["", path] = os.path.realpath(path)
            self._size += len(path) + 100
        return self._known["", path]


def _target(folder: str, name: str) -> str:
    """Return what a link leads to; nothing if it is none."""
    try:
        return os.readlink(os.path.join(folder, name))
    except (OSError, ValueError):  # ValueError for a name that no file can have
        return ""
