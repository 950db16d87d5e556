"""The files of a built site, and which of them a URL leads to.

Nothing outside the site's folder is read: links that lead out of it are ignored.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path
from typing import Final
from urllib.parse import unquote

from docs_sitemap.untrusted import Resolver, read_start

PAGE_ENDINGS: Final = (".html", ".htm", ".xhtml")
_INDEXES: Final = ("index.html", "index.htm")


class Tree:
    """A site's folder. Names are relative, with ``/``; ``files`` has all, ``pages`` the HTML files, sorted.

    A link to a file inside the folder is a file, but not a page. Linked folders, such as mike's aliases, are
    not walked: their pages are already included.
    """

    def __init__(self, root: Path) -> None:
        self.root = Path(os.path.realpath(root))
        self.files: set[str] = set()
        self._links: dict[str, str] = {}  # to files, with their real paths
        self._has_linked_folders = False
        self._resolver = Resolver(self.root)
        self._walk()
        self.pages = sorted(
            name for name in self.files - self._links.keys() if name.lower().endswith(PAGE_ENDINGS)
        )

    def _walk(self) -> None:
        folders = [""]
        while folders:
            prefix = folders.pop()
            try:
                with os.scandir(os.path.join(self.root, prefix)) as entries:
                    for entry in entries:
                        if entry.is_symlink():
                            self._add_link(prefix + entry.name)
                        elif entry.is_file():
                            self.files.add(prefix + entry.name)
                        elif entry.is_dir() and entry.name != ".git":
                            folders.append(f"{prefix}{entry.name}/")
            except OSError:
                continue  # an unreadable folder is not published either

    def _add_link(self, name: str) -> None:
        real = self._resolver.real(name)
        if real and os.path.isfile(real):
            self.files.add(name)
            self._links[name] = real
        elif real and os.path.isdir(real):
            self._has_linked_folders = True

    def file_at(self, path: str) -> str | None:
        """Return the file that a static host serves for a URL path relative to the site's, or ``None``.

        ``a/`` is its index; ``a`` is the file of that name, otherwise ``a.html``, otherwise the folder's
        index.
        """
        path = unquote(path, errors="surrogateescape")
        for name in _candidates(path):
            if name in self.files:
                return name
        if self._has_linked_folders:
            return next(filter(None, map(self._behind_links, _candidates(path))), None)
        return None

    def _behind_links(self, path: str) -> str | None:
        """Return the file that a path leads to through linked folders."""
        real = self._resolver.file(path)
        name = os.path.relpath(real, self.root).replace(os.sep, "/") if real else ""
        return name if name in self.files else None

    def real(self, name: str) -> str:
        """Return the real path of one of the files, with links resolved."""
        return self._links.get(name) or os.path.join(self.root, name)

    def read(self, name: str, limit: int) -> bytes | None:
        """Return up to ``limit`` bytes of one of the files, or ``None`` if it cannot be read."""
        try:
            return read_start(self.real(name), limit)
        except OSError:
            return None

    def modified(self, name: str) -> float | None:
        """Return when a file was written, in POSIX seconds."""
        try:
            return os.stat(self.real(name)).st_mtime
        except OSError:
            return None


def _candidates(path: str) -> Iterable[str]:
    if path == "" or path.endswith("/"):
        return [path + index for index in _INDEXES]
    return [path, f"{path}.html", *(f"{path}/{index}" for index in _INDEXES)]


def url_path(name: str) -> str:
    """Return the URL path of a page, not encoded; for an index page, that of its folder."""
    folder, slash, file = name.rpartition("/")
    return folder + slash if file in _INDEXES else name
