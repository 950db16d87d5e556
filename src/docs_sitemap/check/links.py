"""Find where the links of pages lead.

A site can have tens of thousands of pages with hundreds of links each, so links with the same target are
resolved only once. An ``href`` that is not a link, as in a script, at worst hides a finding of C2.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from docs_sitemap.untrusted.html import hrefs, unescape

_SCHEME: Final = re.compile(r"[a-z][a-z0-9+.-]*:", re.IGNORECASE)

_ROOT: Final = "\0"
"""Marks a path from the site's root; links in pages cannot contain it."""

_FIXED: Final = (b"\0", b"/")
"""The first bytes of links that have the same target on all pages."""


class Links:
    """Turns the links of many pages into URL paths relative to the site's base URL.

    ``bases`` are the base URLs of the site, each ending in ``/``. Leading ``../`` are resolved for all links
    of a page at once: the links then have the same bytes on all pages, and known links are removed with one
    set operation. So most paths are returned once.
    """

    def __init__(self, bases: tuple[str, ...]) -> None:
        self._bases = bases
        self._hosts = [base.partition(":")[2] for base in bases]
        self._paths = ["/" + base.split("/", 3)[3] for base in bases] or ["/"]
        self._known: set[bytes] = set()  # links that have the same target on all pages
        self._folder = ""
        self._near: set[bytes] = set()  # links on pages in that folder

    def new(self, data: bytes, name: str, base: str = "") -> Iterator[str]:
        """Yield the paths that a page links to, except itself, and except most that were yielded before."""
        name = name.replace("%", "%25")  # as in a path, which whoever looks for its file decodes
        folder = name.rpartition("/")[0]
        if base:
            place = self._resolve(folder, base)
            folder = folder if place is None else place.rpartition("/")[0]
        if folder != self._folder:
            self._folder, self._near = folder, set()
        own = _own_paths(name)
        for link in _from_root(hrefs(data), folder) - self._known - self._near:
            path = self._resolve(folder, _text(link))
            if path is not None and path in own:
                continue  # not added to the known links: a link from another page counts
            (self._known if link[:1] in _FIXED else self._near).add(link)
            if path is not None:
                yield path

    def _resolve(self, folder: str, link: str) -> str | None:
        """Return the path relative to the site's base URL; ``None`` if the link is outside it."""
        if not link:
            return None
        if link[0] == _ROOT:
            return _clean(link[1:])
        if link[0] == "/" or (":" in link and _SCHEME.match(link)):
            starts = self._hosts if link.startswith("//") else self._paths if link[0] == "/" else self._bases
            start = next((start for start in starts if link.startswith(start)), None)
            return None if start is None else _clean(link.removeprefix(start))
        return _clean(f"{folder}/{link}" if folder else link)


def _from_root(links: set[bytes], folder: str) -> set[bytes]:
    """Return the links of a page without quotes, with the leading ``../`` resolved."""
    if not links:
        return links
    folders = folder.encode("utf-8", "surrogateescape").split(b"/") if folder else []
    text = b"\n" + b"\n".join(links)  # links contain no line ends
    text = text.replace(b'\n"', b"\n").replace(b"\n'", b"\n")
    for up in range(len(folders), 0, -1):
        above = b"".join(name + b"/" for name in folders[: len(folders) - up])
        text = text.replace(b"\n" + b"../" * up, b"\n\0" + above)
    return set(text[1:].split(b"\n"))


def _own_paths(name: str) -> tuple[str, ...]:
    """Return the URL paths of a page, not encoded."""
    folder, slash, file = name.rpartition("/")
    if file.startswith("index."):
        return (name, folder + slash, folder)
    return (name, name.rpartition(".")[0])


def _text(link: bytes) -> str:
    return unescape(link.decode("utf-8", "surrogateescape").strip())


def _clean(path: str) -> str:
    """Return a path with its dot segments resolved; ``%`` is not decoded."""
    if "./" not in path and not path.endswith("."):
        return path
    kept: list[str] = []
    *segments, last = path.split("/")
    if last in (".", ".."):
        segments.append(last)
        last = ""
    for segment in segments:
        if segment == "..":
            del kept[-1:]
        elif segment != ".":
            kept.append(segment)
    return "/".join([*kept, last])
