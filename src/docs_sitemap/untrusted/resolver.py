"""Finds what a path leads to below a folder, with links resolved."""

from __future__ import annotations

import os
from pathlib import Path


class Resolver:
    """What paths below a folder lead to; each link is resolved once.

    A path may contain dozens of links, each with a target of thousands of folders, and a site may have
    thousands of such paths.
    """

    def __init__(self, root: Path) -> None:
        self._root = os.path.realpath(root)
        self._known: dict[tuple[str, str], str] = {}

    def file(self, path: str) -> str | None:
        """Return the real path of a file; ``None`` if there is none, or if a link leads out of the folder.

        ``path`` is relative, with ``/``. One with ``..`` leads to nothing.
        """
        here = self._root
        for name in path.split("/"):
            if name == "..":
                return None
            if name not in ("", "."):
                here = self._below(here, name)
                if not here:
                    return None
        return here if os.path.isfile(here) else None

    def _below(self, folder: str, name: str) -> str:
        """Return what a real folder contains under a name; what is missing is not remembered."""
        key = (folder, name)
        if key not in self._known:
            path = os.path.join(folder, name)
            try:
                if not os.path.lexists(path):
                    return ""
                real = os.path.realpath(path, strict=True)
            except (OSError, ValueError):  # a link to itself, or NUL
                real = ""
            self._known[key] = real if Path(real).is_relative_to(self._root) else ""
        return self._known[key]
