"""Finds what a path leads to below a folder, with links resolved."""

from __future__ import annotations

import os
import stat
import sys
from pathlib import Path
from typing import Final

from docs_sitemap.limits import MAX_DEPTH, MAX_LOOKED_UP, MAX_REMEMBERED
from docs_sitemap.untrusted.real_paths import MAX_FOLLOWED

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
        self._forget()

    def _forget(self) -> None:
        # by the number of a folder and a name in it: whole paths, below hundreds of folders, would be most of
        # the memory
        self._numbers: dict[tuple[int, str], int] = {}
        self._places: list[tuple[int, str]] = [(0, "")]
        self._linked: dict[int, str] = {0: self._root}
        self._size = 0

    def file(self, path: str) -> str | None:
        """Return the real path of a file; ``None`` if there is none, or if a link leads out of the folder.

        ``path`` is relative, with ``/``. One with ``..``, or with more than ``MAX_DEPTH`` folders, leads to
        nothing.
        """
        real = self.real(path) if path.count("/") <= MAX_DEPTH else None
        return real if real and os.path.isfile(real) else None

    def real(self, path: str) -> str | None:
        """Return the real path of a file or folder, with any number of folders; see ``file``."""
        names = path.split("/")
        if ".." in names:
            return None
        if self._size > MAX_REMEMBERED:
            self._forget()
        here, text = 0, self._root
        for name in names:
            if name in ("", "."):
                continue
            number = self._numbers.get((here, name))
            if number is None:
                folder = text or self._path(here)
                text = self.below(folder, name) or ""
                if not text:
                    return None
                here = self._add(here, name, "" if text == os.path.join(folder, name) else text)
            else:
                here, text = number, ""
        return text or self._path(here)

    def _add(self, folder: int, name: str, linked: str) -> int:
        """Record a name in a folder, and what it leads to if it is a link; return its number."""
        number = self._numbers[folder, name] = len(self._places)
        self._places.append((folder, name))
        if linked:
            self._linked[number] = linked
        self._size += len(name) + len(linked) + 100
        return number

    def _path(self, number: int) -> str:
        names: list[str] = []
        while number not in self._linked:
            number, name = self._places[number]
            names.append(name)
        linked = self._linked[number]
        return os.path.join(linked, os.sep.join(reversed(names))) if names else linked

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
            if links or (self._remembered < MAX_REMEMBERED and real != os.path.join(folder, name)):
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
        if links >= MAX_FOLLOWED:  # also because Python limits recursion
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
