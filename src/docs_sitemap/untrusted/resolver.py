"""Finds what a path leads to below a folder, with links resolved."""

from __future__ import annotations

import os
import stat
import sys
from pathlib import Path
from typing import Final

from docs_sitemap.limits import MAX_LOOKED_UP, MAX_REMEMBERED

_MOST_LINKS: Final = 40
"""Links that lead to each other, which Linux follows; Python would exceed its recursion limit."""

_KNOWN: Final = 20
"""Characters for which a lookup counts that needs no disk, by its time."""


class Resolver:
    """What paths below a folder lead to; each link is resolved once.

    A path may contain dozens of links, each with a target of thousands of folders, and a site may have
    thousands of such paths. ``os.path.realpath`` asks for each folder of each.
    """

    def __init__(self, root: Path) -> None:
        self._root = os.path.realpath(root)
        self._start = os.path.join(self._root, "")
        self._known: dict[tuple[str, str], str] = {}
        self._remembered = self._looked_up = 0

    def file(self, path: str) -> str | None:
        """Return the real path of a file; ``None`` if there is none, or if a link leads out of the folder.

        ``path`` is relative, with ``/``. One with ``..`` leads to nothing.
        """
        real = self.real(path)
        return real if real and os.path.isfile(real) else None

    def real(self, path: str) -> str | None:
        """Return the real path of a file or folder; see ``file``."""
        here: str | None = self._root
        for name in path.split("/"):
            if name == "..":
                return None
            if here and name not in ("", "."):
                here = self.below(here, name)
        return here

    def below(self, folder: str, name: str) -> str | None:
        """Return what a real folder contains under a name; ``None`` as in ``file``."""
        real = self._below(folder, name, 0)
        return real if real == self._root or real.startswith(self._start) else None

    def _below(self, folder: str, name: str, links: int) -> str:
        """Return what a real folder contains under a name; what is missing is not remembered."""
        key = (folder, name)
        real = self._known.get(key)
        if links:
            self._looked_up += len(folder) if real is None else _KNOWN
            if self._looked_up > MAX_LOOKED_UP:
                return ""
        if real is None:
            try:
                real = self._look_up(folder, name, links)
            except (OSError, ValueError):  # nothing there, a link to itself, or NUL
                return ""
            if links or self._remembered < MAX_REMEMBERED:
                self._known[key] = real
                self._remembered += len(folder)
        return real

    def _look_up(self, folder: str, name: str, links: int) -> str:
        path = os.path.join(folder, name)
        if sys.platform == "win32":  # where a link is no text of names
            return os.path.realpath(path, strict=True)
        if not stat.S_ISLNK(os.lstat(path).st_mode):
            return path
        target = os.readlink(path)
        self._known[folder, name] = ""  # for a link that leads to itself
        if links >= _MOST_LINKS:
            return ""
        here = os.sep if target.startswith(os.sep) else folder
        for part in target.split(os.sep):
            if part == "..":
                here = os.path.dirname(here)
            elif part not in ("", "."):
                here = self._below(here, part, links + 1)
                if not here:
                    break
        return here
