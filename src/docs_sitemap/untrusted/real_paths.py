"""Resolves the links of paths anywhere: each folder and link on their way is looked at once."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable
from typing import Final

from docs_sitemap.limits import MAX_DEPTH
from docs_sitemap.urls import packed, unpacked

_MAX_KNOWN: Final = 32 << 20
"""Bytes of paths whose answers are kept."""

MAX_FOLLOWED: Final = 40
"""Links on the way of a path that Linux follows; other systems follow fewer."""

_MAX_MISSING: Final = 3
"""Missing folders on the way of a path, each with a ``..`` behind it: no system opens one with any."""

_TOO_FAR: Final = -1
"""In place of a folder's number: too many links or folders are on the way there."""


_Place = tuple[int, bytes]
"""The number of a folder, and a name or path in it, packed."""


class RealPaths:
    """``os.path.realpath`` of many paths; each folder and link on their way is looked at once.

    A link may lead through thousands of folders, and thousands of links through the same ones.
    """

    def __init__(self) -> None:
        self._forget()

    def is_file(self, path: str | os.PathLike[str]) -> bool:
        """Tell whether a path leads to a regular file, like ``os.path.isfile``."""
        status = self.status(path)
        return status is not None and stat.S_ISREG(status.st_mode)

    def is_dir(self, path: str | os.PathLike[str]) -> bool:
        """Tell whether a path leads to a folder, like ``os.path.isdir``."""
        status = self.status(path)
        return status is not None and stat.S_ISDIR(status.st_mode)

    def is_link(self, path: str | os.PathLike[str]) -> bool:
        """Tell whether a path itself is a link, like ``os.path.islink``; not behind too many links."""
        folder, name = os.path.split(_absolute(path))
        real = self._followed(folder) if os.name != "nt" else folder
        return bool(real) and os.path.islink(os.path.join(real, name))

    def status(self, path: str | os.PathLike[str]) -> os.stat_result | None:
        """Return what ``os.stat`` does, or ``None`` if there is nothing, or a path with too many links.

        The system would follow each link on the way each time: dozens of them, of thousands of folders each,
        take it a fortieth of a second.
        """
        folder, name = os.path.split(_absolute(path))
        if self._size > _MAX_KNOWN:
            self._forget()
        try:
            real = os.path.join(self._folder(folder) if os.name != "nt" else folder, name)
            status = os.lstat(real) if os.path.isabs(real) else None
            if status is not None and stat.S_ISLNK(status.st_mode):
                real = self._followed(real, must_exist=True) if os.name != "nt" else self._asked(real)
                status = os.lstat(real) if real else None
        except (OSError, ValueError):
            return None
        return status if status is None or not stat.S_ISLNK(status.st_mode) else None

    def _folder(self, folder: str) -> str:
        """Return a folder without links, or nothing if it does not exist; most files are in a known one."""
        real = self._folders.get(folder)
        if real is None:
            real = self._followed(folder, must_exist=True)
            if real:
                self._folders[folder] = real
                self._size += len(folder) + len(real) + 100
        return real

    def _forget(self) -> None:
        # by the number of a folder and a name or path in it: whole paths, of a folder below thousands, would
        # be most of the memory
        self._known: dict[_Place, int] = {}
        self._places: list[_Place] = [(0, b"")]
        self._shown = 0, os.sep  # most paths are below the one before them
        self._real: dict[str, str] = {}
        self._folders: dict[str, str] = {}
        self._size = 0

    def of(self, path: str | os.PathLike[str]) -> str:
        """Return a path without links; what is missing, or a link to itself, counts as a file.

        A path with too many links to open it, or more than ``MAX_DEPTH`` folders, is returned as it is.
        """
        if self._size > _MAX_KNOWN:
            self._forget()
        if os.name == "nt":  # drives and junctions
            return self._asked(os.fspath(path))
        return self._followed(_absolute(path)) or os.path.abspath(path)

    def below(self, path: str | os.PathLike[str], folder: str | os.PathLike[str]) -> str:
        """Return a path without links if it is a folder's or below it, otherwise nothing.

        Nothing also for one with too many links or folders: it is unknown where that leads.
        """
        find = self._asked if os.name == "nt" else self._followed
        real, root = (find(_absolute(each)) for each in (path, folder))
        return real if real and root and (real == root or real.startswith(os.path.join(root, ""))) else ""

    def _followed(self, path: str, *, must_exist: bool = False) -> str:
        """Return a path without links, or nothing if it has too many, or too many folders.

        Nothing also for one that ``must_exist`` and does not. Below a folder that is missing, hundreds of
        others need no look.
        """
        here, text = 0, os.sep
        left: list[str | _Place] = [path]
        followed: dict[_Place, None] = {}
        steps = missing = 0
        is_missing = False
        while left:
            is_long = steps + len(left) > MAX_DEPTH or missing > _MAX_MISSING
            if here == _TOO_FAR or len(followed) > MAX_FOLLOWED or is_long:
                return self._give_up(left, followed)
            name = left.pop()
            steps += 1
            if isinstance(name, tuple):  # the end of a link, or of a folder's path
                self._known[name] = here
                self._size += len(name[1])
                continue
            key = here, packed(name)
            if name in ("", os.curdir):
                continue
            if key in self._known:
                here, text = self._known[key], ""
            elif os.sep in name:
                nearest, more = self._nearest(here, name)
                here, text = nearest, text if nearest == here else ""
                left += more
            elif name == os.pardir:
                here, text, is_missing = self._parent(here), "", False
            else:
                text = text or self._path(here)
                target = "" if is_missing or key in followed else _target(text, name)
                missing += target is None
                is_missing = is_missing or target is None
                if is_missing and must_exist and not followed:
                    return ""  # not recorded: it may be written before the next question
                if target:
                    followed[key] = None
                    left += [key, target]
                    here, text = (0, os.sep) if os.path.isabs(target) else (here, text)
                else:
                    # the folders below one that is missing are one name: there may be hundreds
                    below = _plain_names(left) if is_missing else []
                    steps += len(below)
                    name = os.sep.join([name, *below])
                    here, text = self._add((here, packed(name))), os.path.join(text, name)
        return "" if here == _TOO_FAR else text or self._path(here)

    def _nearest(self, place: int, path: str) -> tuple[int, list[str | _Place]]:
        """Return a known folder on the way of a path, and what is left from there, the first at the end.

        The folder of most files is that of the file before, or below it.
        """
        folder, _, last = path.rpartition(os.sep)
        if folder.count(os.sep) > MAX_DEPTH:
            return _TOO_FAR, [last]
        key = place, packed(folder)
        if key in self._known:
            return self._known[key], [last]
        above, _, own = folder.rpartition(os.sep)
        known = self._known.get((place, packed(above)))
        if known is not None:
            return known, [last, key, own]
        parts = [part for part in folder.split(os.sep) if part not in ("", os.curdir)]
        return place, [last, key, *reversed(parts)]

    def _give_up(self, left: list[str | _Place], followed: Iterable[_Place]) -> str:
        """Record that the first link leads too far, if it does: a link before it may have taken the steps."""
        first = next(iter(followed), None)
        if first in left:
            self._known[first] = _TOO_FAR
            self._size += len(first[1]) + 100
        return ""

    def _add(self, key: _Place) -> int:
        """Record a name that is no link, or one that leads to itself, and return its number."""
        if key in self._known:
            return self._known[key]
        number = self._known[key] = len(self._places)
        self._places.append(key)
        self._size += len(key[1]) + 100
        return number

    def _parent(self, place: int) -> int:
        parent, name = self._places[place]
        folder = name.rpartition(os.fsencode(os.sep))[0]
        if not folder:
            return parent
        return self._add((parent, folder))

    def _path(self, place: int) -> str:
        known, text = self._shown
        names, here = [], place
        while here and here != known:
            here, name = self._places[here]
            names.append(unpacked(name))
        text = text if here else ""
        text = os.sep.join([text, *reversed(names)]) if names else text or os.sep
        self._shown = place, text
        return text

    def _asked(self, path: str) -> str:
        if path not in self._real:
            self._real[path] = os.path.realpath(path)
            self._size += len(path) + 100
        return self._real[path]


def _absolute(path: str | os.PathLike[str]) -> str:
    return os.fspath(path) if os.path.isabs(path) else os.path.join(os.getcwd(), path)


def _plain_names(left: list[str | _Place]) -> list[str]:
    """Take names from the end of a list as far as they only lead down, and return them in that order."""
    names: list[str] = []
    while left and isinstance(name := left[-1], str) and name != os.pardir and os.sep not in name:
        left.pop()
        if name not in ("", os.curdir):
            names.append(name)
    return names


def _target(folder: str, name: str) -> str | None:
    """Return what a link leads to; an empty text if it is none, and ``None`` if there is nothing."""
    try:
        return os.readlink(os.path.join(folder, name))
    except (FileNotFoundError, NotADirectoryError):
        return None
    except (OSError, ValueError):  # ValueError for a name that no file can have
        return ""
