"""Where a page of another version leads: the URL of the same page in the current version."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final
from urllib.parse import unquote, urlsplit

from docs_sitemap import urls
from docs_sitemap.limits import MAX_LOC
from docs_sitemap.untrusted import read_start
from docs_sitemap.versions.marks import Head, unmarked

HEAD: Final = 1 << 16
"""Bytes of a page that nearly always have its head."""

_HOPS: Final = 10
ENDINGS: Final = (".html", ".htm", ".xhtml")


def page_names(root: Path, folder: str, leftovers: set[str] | None = None) -> Iterator[str]:
    """Yield the HTML files in a folder and below, as paths from the root. Links are not followed.

    ``leftovers`` gets the folders that have temporary files.
    """
    folders = [folder]
    while folders:
        place = folders.pop()
        try:
            with os.scandir(os.path.join(root, place)) as entries:
                for entry in entries:
                    name = f"{place}/{entry.name}" if place else entry.name
                    if entry.is_dir(follow_symlinks=False):
                        if entry.name != ".git":
                            folders.append(name)
                    elif entry.name.lower().endswith(ENDINGS) and entry.is_file(follow_symlinks=False):
                        yield name
                    elif leftovers is not None and entry.name.endswith(".tmp"):
                        leftovers.add(place)
        except OSError:
            continue  # an unreadable folder is not published either


class Targets:
    """The pages of the current version, in the folder ``real``; it is served at ``address``.

    ``moved`` maps old paths in a version to new ones.
    """

    def __init__(self, root: Path, real: str, address: str, moved: Mapping[str, str]) -> None:
        self._root = root / real
        self._address = address
        self._moved = moved
        start = len(real) + 1 if real else 0
        self._names = {name[start:] for name in page_names(root, real)}
        self._known: dict[str, str | None] = {}

    def of(self, name: str) -> str | None:
        """Return the absolute URL for a page, given its path in its version; ``None`` if there is none."""
        if name not in self._known:
            self._known[name] = self._find(name)
        return self._known[name]

    def _find(self, name: str) -> str | None:
        wanted = self._moved.get(name, name)
        found = next((each for each in forms(wanted) if each in self._names), None)
        return self._follow(found) if found else None

    def _follow(self, name: str) -> str | None:
        """Return the URL of a page, or of the one to which its redirects lead, unless it is excluded."""
        for _ in range(_HOPS):
            head = self._head(name)
            if not head.refresh:
                break
            target = self._name(urls.absolute(self._url(name), head.refresh) or "")
            if target is None:
                return None
            name = target
        else:
            return None
        if head.noindex:
            return None
        url = self._url(name)
        if len(head.canonicals) == 1 and (written := head.canonicals[0][1]) != url:
            url = urls.absolute(url, written) or url
        return url if len(url) <= MAX_LOC else None

    def _head(self, name: str) -> Head:
        try:
            data = read_start(os.path.join(self._root, name), HEAD)
        except OSError:
            return Head()
        return unmarked(data, is_whole=len(data) < HEAD)[1]  # it may have been an old version

    def _url(self, name: str) -> str:
        folder, slash, file = name.rpartition("/")
        path = folder + slash if file == "index.html" else name
        return urls.join_file(self._address, path) if path else self._address

    def _name(self, url: str) -> str | None:
        """Return the page of a URL in the current version."""
        if not url.startswith(self._address):
            return None
        path = unquote(urlsplit(url.removeprefix(self._address)).path)
        forms = (f"{path}index.html",) if path == "" or path.endswith("/") else (path, f"{path}/index.html")
        return next((each for each in (*forms, f"{path}.html") if each in self._names), None)


def forms(path: str) -> tuple[str, ...]:
    """Return the file of a page, and that of the same page from the builder that makes folders, or not.

    >>> forms("guide/install.html")
    ('guide/install.html', 'guide/install/index.html')
    """
    if path.endswith("/"):
        path += "index.html"
    if path.endswith("/index.html"):
        return path, path.removesuffix("/index.html") + ".html"
    return path, path.removesuffix(".html") + "/index.html"
