"""Tells which folders are in a work tree of git."""

from __future__ import annotations

import os
from typing import Final

from docs_sitemap.limits import MAX_DEPTH
from docs_sitemap.untrusted import RealPaths, status_of

_MAX_KNOWN: Final = 100_000
"""Folders of which the answer is kept."""


class WorkTrees:
    """Tells of many folders whether git has them; each is looked at once, and none below a work tree.

    A page may include hundreds of files, each below a hundred folders of its own.
    """

    def __init__(self) -> None:
        self._links = RealPaths()
        # by the number of the folder above and the name: paths of a hundred folders are long
        self._known: dict[tuple[int, str], tuple[int, bool]] = {}
        self._last = "\0"  # the work tree that was found last, with a slash: most files are below it

    def have(self, folder: str) -> bool:
        """Return whether a folder, given as an absolute path, is in a work tree, and not in ``.git``.

        Below more than ``MAX_DEPTH`` folders no file has a date.
        """
        if folder.count(os.sep) > MAX_DEPTH:
            return False
        if folder.startswith(self._last) and ".git" not in folder[len(self._last) :]:
            return True
        if len(self._known) > _MAX_KNOWN:
            self._known.clear()
        names = folder.split(os.sep)
        number, is_inside = 0, False
        for depth, name in enumerate(names[1:], 2):
            key = number, name
            if key not in self._known:
                self._known[key] = len(self._known) + 1, self._is_inside(names[:depth], is_inside)
            number, is_found = self._known[key]
            if is_found and not is_inside:
                self._last = os.sep.join((*names[:depth], ""))
            is_inside = is_found
        return is_inside

    def _is_inside(self, names: list[str], is_above: bool) -> bool:
        """Return whether a folder is in a work tree, given its names, and whether the one above it is."""
        if names[-1] == ".git":
            return False
        return is_above or status_of(os.path.join(os.sep.join(names), ".git")) is not None
