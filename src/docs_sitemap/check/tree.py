"""The files of a built site, and which of them a URL leads to.

Nothing outside the site's folder is read: links that lead out of it are ignored.
"""

from __future__ import annotations

import os
import posixpath
import re
import stat
from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path
from typing import Final, TypeAlias, cast

from docs_sitemap.check.kept_names import KeptNames
from docs_sitemap.limits import MAX_BEHIND_LINKS, MAX_DEPTH, MAX_LOC
from docs_sitemap.untrusted import Resolver, read_start
from docs_sitemap.urls import decoded, has_address

PAGE_ENDINGS: Final = (".html", ".htm", ".xhtml")
_INDEXES: Final = ("index.html", "index.htm")

_MOST_DECODED: Final = 1_000
"""Folders of URLs that are kept decoded, and parts of their paths."""

_PARTS: Final = re.compile(r".{1,256}[^/]*/?", re.DOTALL)
"""Parts of a path, of whole folders: each of 60 short ones alone takes longer than all together."""

_USUAL: Final = 10
"""Folders on the way to a file that do not count."""

_Links: TypeAlias = "dict[str, _Links | str]"
"""Linked folders by the names of the folders on the way to them; each is the name of its real folder."""


class Tree:
    """A site's folder. Names are relative, with ``/``; ``files`` has all, ``pages`` the HTML files, sorted.

    A link to a file inside the folder is a file, but not a page. Linked folders, such as mike's aliases, are
    not walked: their pages are already included. Nor are folders in one that no address can have.
    """

    def __init__(self, root: Path) -> None:
        self.root = Path(os.path.realpath(root))
        self.files = KeptNames()
        self.pages = KeptNames(self.files)
        self._linked_files: dict[str, str] = {}  # and their files
        self._linked_folders: _Links = {}
        self._looked_for = 0
        self._processes = 1
        self._targets: dict[str, tuple[int, str]] = {}  # types and names of real paths, which links may share
        self._walk(Resolver(self.root))
        self._targets.clear()
        self.pages.sort()

    def _walk(self, resolver: Resolver) -> None:
        folders = [""]
        while folders:
            prefix = folders.pop()
            try:
                with os.scandir(os.path.join(self.root, prefix)) as entries:
                    for entry in entries:
                        if entry.is_dir(follow_symlinks=False):
                            if entry.name != ".git" and has_address(prefix):
                                folders.append(f"{prefix}{entry.name}/")
                        else:
                            self._add(entry, prefix, resolver)
            except OSError:
                continue  # an unreadable folder is not published either

    def _add(self, entry: os.DirEntry[str], prefix: str, resolver: Resolver) -> None:
        name = prefix + entry.name
        if entry.is_file(follow_symlinks=False):
            self.files.add(name)
            if name.lower().endswith(PAGE_ENDINGS):
                self.pages.add(name)
        elif entry.is_symlink():
            real = resolver.below(os.path.dirname(entry.path), entry.name)
            kind, target = self._target(real) if real else (0, "")
            if stat.S_ISREG(kind):
                self.files.add(name)
                self._linked_files[name] = target
            elif stat.S_ISDIR(kind):
                place = self._linked_folders
                for folder in prefix.split("/")[:-1]:
                    # a folder is no link
                    place = cast(_Links, place.setdefault(folder, {}))
                place[entry.name] = target

    def _target(self, real: str) -> tuple[int, str]:
        """Return the mode of a real path, 0 if nothing is there, and its name."""
        if real not in self._targets:
            name = os.path.relpath(real, self.root).replace(os.sep, "/") if real != str(self.root) else ""
            try:
                self._targets[real] = os.lstat(real).st_mode, name
            except OSError:
                return 0, ""
        return self._targets[real]

    def file_at(self, path: str) -> str | None:
        """Return the file that a static host serves for a URL path relative to the site's, or ``None``.

        ``a/`` is its index; ``a`` is the file of that name, otherwise ``a.html``, otherwise the folder's
        index. A path that is too long for the protocol has no file, nor one below too many folders.
        """
        if len(path) > MAX_LOC or path.count("/") > MAX_DEPTH + 1:
            return None
        folder, slash, name = path.rpartition("/")
        path = _decoded(folder) + slash + decoded(name, "surrogateescape")
        for candidate in _candidates(path):
            if candidate in self.files:
                return candidate
        if self._linked_folders and "\0" not in path:
            return next(filter(None, map(self._behind_links, _candidates(path))), None)
        return None

    def share(self, processes: int) -> None:
        """Let so many processes look up files behind links."""
        self._processes = processes

    def _behind_links(self, path: str) -> str | None:
        """Return the file that a path leads to behind linked folders, without asking the disk."""
        if "/../" in f"/{path}/":
            return None
        path = posixpath.normpath(path.lstrip("/"))
        left = _USUAL
        for _ in range(41):
            place: _Links | str | None = self._linked_folders
            rest = path
            while isinstance(place, dict) and rest:
                name, _, rest = rest.partition("/")
                place = place.get(name)
                left -= 1
            if left < 0:
                self._looked_for -= left
                left = 0
                if self._looked_for > MAX_BEHIND_LINKS // self._processes:
                    return None
            if not isinstance(place, str):
                found = self._linked_files.get(path, path)
                return found if found in self.files else None
            path = f"{place}/{rest}".lstrip("/")
        return None

    def real(self, name: str) -> str:
        """Return the real path of one of the files, with links resolved."""
        return os.path.join(self.root, self._linked_files.get(name, name))

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


@lru_cache(_MOST_DECODED)
def _decoded(folder: str) -> str:
    """Decode a folder once: a page in it may have hundreds of thousands of links."""
    return "".join(map(_part_of, _PARTS.findall(folder))) if "%" in folder else folder


@lru_cache(_MOST_DECODED)
def _part_of(folder: str) -> str:
    """Decode a part of a path once: thousands of folders may have long names above them."""
    return decoded(folder, "surrogateescape")


def _candidates(path: str) -> Iterable[str]:
    if path == "" or path.endswith("/"):
        return [path + index for index in _INDEXES]
    return [path, f"{path}.html", *(f"{path}/{index}" for index in _INDEXES)]


def url_path(name: str) -> str:
    """Return the URL path of a page, not encoded; for an index page, that of its folder."""
    folder, slash, file = name.rpartition("/")
    return folder + slash if file in _INDEXES else name
