"""The files of a built site, and which of them a URL leads to.

Nothing outside the site's folder is read: links that lead out of it are ignored.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path
from typing import Final
from urllib.parse import unquote

from docs_sitemap.limits import MAX_LOC
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
        self.pages: list[str] = []
        self._has_linked_folders = False
        self._resolver = Resolver(self.root)
        self._walk()
        self.pages.sort()

    def _walk(self) -> None:
        folders = [""]
        while folders:
            prefix = folders.pop()
            try:
                with os.scandir(os.path.join(self.root, prefix)) as entries:
                    for entry in entries:
                        if entry.is_dir(follow_symlinks=False):
                            if entry.name != ".git":
                                folders.append(f"{prefix}{entry.name}/")
                        else:
                            self._add(entry, prefix + entry.name)
            except OSError:
                continue  # an unreadable folder is not published either

    def _add(self, entry: os.DirEntry[str], name: str) -> None:
        if entry.is_file(follow_symlinks=False):
            self.files.add(name)
            if name.lower().endswith(PAGE_ENDINGS):
                self.pages.append(name)
        elif entry.is_symlink():
            target = Path(os.path.realpath(entry.path))
            if target.is_relative_to(self.root):
                self._has_linked_folders |= target.is_dir()
                if target.is_file():
                    self.files.add(name)

    def file_at(self, path: str) -> str | None:
        """Return the file that a static host serves for a URL path relative to the site's, or ``None``.

        ``a/`` is its index; ``a`` is the file of that name, otherwise ``a.html``, otherwise the folder's
        index. A path that is too long for the protocol has no file.
        """
        if len(path) > MAX_LOC:
            return None
        path = unquote(path, errors="surrogateescape")
        for candidate in _candidates(path):
            if candidate in self.files:
                return candidate
        if self._has_linked_folders and "\0" not in path:
            return next(filter(None, map(self._behind_links, _candidates(path))), None)
        return None

    def _behind_links(self, name: str) -> str | None:
        real = self._resolver.file(name)
        found = Path(real).relative_to(self.root).as_posix() if real else ""
        return found if found in self.files else None

    def real(self, name: str) -> str:
        """Return the real path of one of the files, with links resolved."""
        return self._resolver.file(name) or os.path.join(self.root, name)

    def read(self, name: str, limit: int) -> bytes | None:
        """Return up to ``limit`` bytes of one of the files, or ``None`` if it cannot be read."""
        try:
            return read_start(self.root / name, limit, below=self.root)
        except OSError:
            return None

    def modified(self, name: str) -> float | None:
        """Return when a file was written, in POSIX seconds."""
        try:
            return os.stat(self.root / name).st_mtime
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
