"""Where the links of pages lead.

Fast, because a site has tens of thousands of pages with hundreds of links each: no link is looked at
twice that means the same. An ``href`` that is no link, as in a script, only keeps C2 silent.
"""

from __future__ import annotations

import re
from typing import Final

from docs_sitemap.untrusted.html import hrefs, unescape

_SCHEME: Final = re.compile(r"[a-z][a-z0-9+.-]*:", re.IGNORECASE)

_ROOT: Final = "\0"
"""Stands before a path from the site's root; no page can have one in a link."""

_DEEPEST: Final = 64
"""How many ``../`` are written out for all links of a page at once; each takes a look at all of them."""

_FIXED: Final = (b"\0", b"/")
"""With which links begin that mean the same on all pages."""


class Links:
    """Turns the links of page after page into URL paths below the site's address.

    ``bases`` are the addresses under which the site is known, each ending in ``/``. Each path is
    given once: pages of one site link to the same pages over and over. So links with dots are written
    out from the site's root, all of a page at once: then they are the same bytes on all pages, and what
    is known already is taken out without a look at each.
    """

    def __init__(self, bases: tuple[str, ...]) -> None:
        self._bases = bases
        self._paths = tuple(dict.fromkeys("/" + base.split("/", 3)[3] for base in bases)) or ("/",)
        self._given: set[str] = set()
        self._known: set[bytes] = set()  # links that mean the same on all pages
        self._folder = ""
        self._near: set[bytes] = set()  # links from pages of that folder

    def new(self, data: bytes, name: str, base: str = "") -> list[str]:
        """Return the paths that a page links to, itself not among them, that were not returned before."""
        folder = name.rpartition("/")[0]
        if base:
            place = self._resolve(folder, base)
            folder = folder if place is None else place.rpartition("/")[0]
        links = _from_root(hrefs(data), folder)
        links -= self._known
        if folder != self._folder:
            self._folder, self._near = folder, set()
        links -= self._near
        own = _own_paths(name)
        found = []
        for link in links:
            path = self._resolve(folder, _text(link))
            if path is not None and path in own:
                continue  # from another page it counts
            (self._known if link[:1] in _FIXED else self._near).add(link)
            if path is not None and path not in self._given:
                self._given.add(path)
                found.append(path)
        return found

    def _resolve(self, folder: str, link: str) -> str | None:
        """Return the path below the site's address; ``None`` for what is not below it."""
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
        return _clean(f"{folder}/{link}" if folder else link)

    def _rooted(self, link: str) -> str | None:
        if link.startswith("//"):
            bases = [base.partition(":")[2] for base in self._bases]
            return next((_clean(link.removeprefix(base)) for base in bases if link.startswith(base)), None)
        return next((_clean(link.removeprefix(path)) for path in self._paths if link.startswith(path)), None)


def _from_root(links: set[bytes], folder: str) -> set[bytes]:
    """Return the links of a page without their quotes, and with the ``../`` at their starts written out."""
    if not links:
        return links
    folders = folder.encode("utf-8", "surrogateescape").split(b"/") if folder else []
    text = b"\n" + b"\n".join(links)  # no link has a line end in it
    text = text.replace(b'\n"', b"\n").replace(b"\n'", b"\n")
    for up in range(min(len(folders), _DEEPEST), 0, -1):
        above = b"".join(name + b"/" for name in folders[: len(folders) - up])
        text = text.replace(b"\n" + b"../" * up, b"\n\0" + above)
    return set(text[1:].split(b"\n"))


def _own_paths(name: str) -> tuple[str, ...]:
    """Return the URL paths, not encoded, that lead to a page."""
    folder, slash, file = name.rpartition("/")
    if file.startswith("index."):
        return (name, folder + slash, folder)
    return (name, name.rpartition(".")[0])


def _text(link: bytes) -> str:
    text = link.decode("utf-8", "surrogateescape").strip()
    return unescape(text)


def _clean(path: str) -> str:
    """Return a path without dots in it; ``%`` stays as it is."""
    if "./" not in path and not path.endswith("."):
        return path
    kept: list[str] = []
    *segments, last = path.split("/")
    for segment in segments:
        if segment == "..":
            del kept[-1:]
        elif segment != ".":
            kept.append(segment)
    if last in (".", ".."):
        if last == "..":
            del kept[-1:]
        last = ""
    return "/".join([*kept, last])
