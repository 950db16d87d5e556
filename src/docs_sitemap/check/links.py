"""Find where the links of pages lead.

A site can have tens of thousands of pages with hundreds of links each, so links with the same target are
resolved only once. An ``href`` that is not a link, as in a script, at worst hides a finding of C2.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from docs_sitemap.limits import MAX_LOC
from docs_sitemap.untrusted.html import hrefs, unescape

_SCHEME: Final = re.compile(r"[a-z][a-z0-9+.-]*:", re.IGNORECASE)

_ROOT: Final = "\0"
"""Marks a path from the site's root; links in pages cannot contain it."""

_DEEPEST: Final = 64
"""How many leading ``../`` are resolved in one pass over a page's links; each level costs a pass."""

_LONGEST: Final = 255
"""Characters of a folder for which that is done: each link then has as many more."""

_PIECE: Final = 1 << 17
"""Bytes of a page whose links are found at a time: a link of ten bytes takes a hundred bytes of memory."""

_MOST_KNOWN: Final = 1 << 24
"""Bytes of links, and of the sets that hold them, that are known; then they are forgotten."""

_OVERHEAD: Final = 100
"""Bytes that a link in a set takes besides its own."""

_FIXED: Final = (b"\0", b"/")
"""The first bytes of links that have the same target on all pages."""


class Links:
    """Turns the links of many pages into URL paths relative to the site's base URL.

    ``bases`` are the base URLs of the site, each ending in ``/``. Leading ``../`` are resolved for all links
    of a page at once: the links then have the same bytes on all pages, and known links are removed with one
    set operation. So most paths are returned once, and memory is bounded.
    """

    def __init__(self, bases: tuple[str, ...]) -> None:
        self._bases = bases
        self._paths = tuple(dict.fromkeys("/" + base.split("/", 3)[3] for base in bases)) or ("/",)
        self._known: set[bytes] = set()  # links that have the same target on all pages
        self._folder = ""
        self._near: set[bytes] = set()  # links on pages in that folder
        self._size = 0  # of the links in both, in bytes

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
        for piece in _pieces(data):
            if self._size > _MOST_KNOWN:
                self._known, self._near, self._size = set(), set(), 0
            links = _from_root(hrefs(piece), folder)
            links -= self._known
            links -= self._near
            for link in links:
                path = self._resolve(folder, _text(link))
                if path is not None and path in own:
                    continue  # not added to the known links: a link from another page counts
                (self._known if link[:1] in _FIXED else self._near).add(link)
                self._size += len(link) + _OVERHEAD
                if path is not None and len(path) <= MAX_LOC:
                    yield path

    def _resolve(self, folder: str, link: str) -> str | None:
        """Return the path relative to the site's base URL; ``None`` if the link is outside it."""
        if not link:
            return None
        if link[0] == _ROOT:
            return _clean(link[1:])
        if link[0] == "/":
            return self._rooted(link)
        if ":" in link and _SCHEME.match(link):
            return next(
                (_clean(link.removeprefix(base)) for base in self._bases if link.startswith(base)), None
            )
        return _clean(link, folder)

    def _rooted(self, link: str) -> str | None:
        if link.startswith("//"):
            bases = [base.partition(":")[2] for base in self._bases]
            return next((_clean(link.removeprefix(base)) for base in bases if link.startswith(base)), None)
        return next((_clean(link.removeprefix(path)) for path in self._paths if link.startswith(path)), None)


def _pieces(data: bytes) -> Iterator[bytes]:
    """Yield a page in pieces that end where a tag begins, if there are any tags."""
    at = 0
    while len(data) - at > _PIECE:
        end = data.rfind(b"<", at + 1, at + _PIECE)
        end = end if end > at else at + _PIECE
        yield data[at:end]
        at = end
    yield data[at:]


def _from_root(links: set[bytes], folder: str) -> set[bytes]:
    """Return the links of a page without quotes, with the leading ``../`` resolved."""
    if not links:
        return links
    is_short = 0 < len(folder) <= _LONGEST
    folders = folder.encode("utf-8", "surrogateescape").split(b"/") if is_short else []
    text = b"\n" + b"\n".join(links)  # links contain no line ends
    text = text.replace(b'\n"', b"\n").replace(b"\n'", b"\n")
    for up in range(min(len(folders), _DEEPEST), 0, -1):
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
    text = link.decode("utf-8", "surrogateescape").strip()
    return unescape(text)


def _clean(path: str, folder: str = "") -> str:
    """Return a path in a folder with its dot segments resolved; ``%`` is not decoded.

    The folder has no dot segments. It is not split, because it may be much longer than each of many paths.
    """
    if "./" in path or path.endswith("."):
        kept: list[str] = []
        *segments, last = path.split("/")
        if last in (".", ".."):
            segments.append(last)
            last = ""
        for segment in segments:
            if segment == ".." and not kept:
                folder = folder.rpartition("/")[0]
            elif segment == "..":
                del kept[-1]
            elif segment != ".":
                kept.append(segment)
        path = "/".join([*kept, last])
    return f"{folder}/{path}" if folder else path
