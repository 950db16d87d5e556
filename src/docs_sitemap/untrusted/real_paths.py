"""Follows links: where a path really is, and whether that is below a folder.

What is asked for again and again is remembered: a site's pages lie in few folders.
"""

from __future__ import annotations

import os
from pathlib import Path


def status_of(path: str | os.PathLike[str]) -> os.stat_result | None:
    """Return what ``os.stat`` does, or ``None`` if there is nothing, or a link to itself."""
    try:
        return os.stat(path)
    except (OSError, ValueError):
        return None


class RealPaths:
    """``os.path.realpath`` of many paths; each folder is asked for once."""

    def __init__(self) -> None:
        self._folders: dict[str, str] = {}

    def of(self, path: str | os.PathLike[str]) -> str:
        """Return a path without links; what is missing, or a link to itself, counts as a file."""
        path = os.path.join(os.getcwd(), path) if not os.path.isabs(path) else os.fspath(path)
        folder, name = os.path.split(path)
        try:
            if name in ("", os.curdir, os.pardir):
                return os.path.realpath(path)
            real = self._folders.get(folder)
            if real is None:
                real = os.path.realpath(folder)
                if os.path.isdir(real):  # a missing one may be made before the next question
                    self._folders[folder] = real
            real = os.path.join(real, name)
            return os.path.realpath(real) if os.path.islink(real) else real
        except ValueError:  # a name that no file can have
            return os.path.abspath(path)

    def below(self, path: str | os.PathLike[str], folder: str | os.PathLike[str]) -> str:
        """Return a path without links if it is a folder's or below it, otherwise nothing."""
        real, root = self.of(path), self.of(folder)
        return real if real == root or real.startswith(os.path.join(root, "")) else ""


class Resolver:
    """What paths below a folder lead to: ``None`` for what is missing, or behind a link that leads out."""

    def __init__(self, root: Path) -> None:
        self._root = os.path.realpath(root)
        self._real = RealPaths()

    def file(self, path: str) -> str | None:
        """Return the real path of a file.

        ``path`` is relative to the folder, with ``/``. One with ``..`` leads to nothing.
        """
        real = self.real(path)
        return real if real and os.path.isfile(real) else None

    def real(self, path: str) -> str | None:
        """Return the real path of a file or folder; see ``file``."""
        names = path.split("/")
        if ".." in names:
            return None
        return self.below(self._root, "/".join(name for name in names if name not in ("", ".")))

    def below(self, folder: str, name: str) -> str | None:
        """Return what a real folder contains under a name."""
        real = self._real.below(os.path.join(folder, name) if name else folder, self._root)
        return real if real and os.path.lexists(real) and not os.path.islink(real) else None
