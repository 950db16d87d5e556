"""What one page says of itself, and where its links lead; read once, in whichever process.

Fast, because a site has tens of thousands of pages: only the tags that matter reach a parser, and
no expression here takes more than linear time.
"""

from __future__ import annotations

import re
from html import unescape
from html.parser import HTMLParser
from typing import Final, NamedTuple

from docs_sitemap.published import Head, feed, parse_head

HEAD_BYTES: Final = 1 << 18
"""Bytes read of a page whose links are not asked for: some themes inline a whole style sheet."""

HEAD_START: Final = 1 << 14
"""Bytes in which most heads end."""

PAGE_BYTES: Final = 1 << 25
"""Bytes read of any page."""

_LONGEST_TAG: Final = 1 << 14

# Each alternative ends at the end of the text at the latest, so that no start of one is tried twice.
_SCAN: Final = re.compile(
    rb"<!--.*?(?:-->|\Z)"
    rb"|<(script|style)\b.*?(?:</\1\s*>|\Z)"
    rb"|<(?:link|meta|base)\b[^>]*(?:>|\Z)"
    rb"|</?noscript\b"
    rb"|</head\b|<body\b",
    re.IGNORECASE | re.DOTALL,
)
_TELLING: Final = re.compile(rb"robots|googlebot|bingbot|canonical|refresh|hreflang|<base", re.IGNORECASE)
_SEARCH: Final = (b"searchtools.js", b"search-results", b"searchindex.js", b"search_index.js")
"""What the search pages of Sphinx and MkDocs have, and a page about searching has not."""


class Facts(NamedTuple):
    """What a page says of itself.

    ``canonical`` is as written, ``alternates`` are pairs of hreflang and href as written.
    ``complete`` is false for a piece of HTML that is no document; ``searches`` is true for a search page.
    """

    noindex: bool = False
    refresh: bool = False
    canonical: str | None = None
    alternates: tuple[tuple[str, str], ...] = ()
    complete: bool = True
    searches: bool = False


class Scanned(NamedTuple):
    """A page after one look: ``end`` is where its head ends, ``base`` what a base tag says."""

    facts: Facts
    end: int
    base: str


def scan(data: bytes, name: str, expected_canonical: str | None) -> Scanned:
    """Return what a page says; ``expected_canonical`` is what most pages say, and is found fastest."""
    if quick := _scan_plain(data, name, expected_canonical):
        return quick
    tags, end = _telling_tags(data)
    head = Head()
    alternates: tuple[tuple[str, str], ...] = ()
    base = ""
    if tags:
        joined = b"".join(tags)
        head = parse_head(joined, expected_canonical)
        if any(b"hreflang" in tag or b"<base" in tag.lower() for tag in tags):
            parser = _LinkParser()
            feed(parser, joined.decode("utf-8", "replace"))
            alternates, base = tuple(parser.alternates), parser.base
    start = data[:2048].lower()
    complete = b"<html" in start or b"<!doctype html" in start
    searches = "search" in name and any(mark in data for mark in _SEARCH)
    facts = Facts(head.noindex, head.refresh, head.canonical, alternates, complete, searches)
    return Scanned(facts, end, base)


_WORDS: Final = (b"robots", b"googlebot", b"bingbot", b"refresh", b"hreflang", b"<base")


def _scan_plain(data: bytes, name: str, expected: str | None) -> Scanned | None:
    """Return what a page says whose head has none of the words in question but the expected canonical.

    ``None`` for any other page. It takes a tenth of the time, and most pages are such.
    """
    start = data[:HEAD_START].lower()
    end = start.find(b"</head>")
    if end < 0 or not start[end + 7 : end + 64].lstrip().startswith(b"<body") or "search" in name:
        return None
    if any(start.find(word, 0, end) >= 0 for word in _WORDS) or start.find(b"<html", 0, 2048) < 0:
        return None
    canonicals = start.count(b"canonical", 0, end)
    if not canonicals:
        return Scanned(Facts(), end, "")
    at = start.find(b"canonical")
    tag = data[start.rfind(b"<", 0, at) : start.find(b">", at)]
    if canonicals > 1 or expected is None or tag[:5].lower() != b"<link":
        return None
    if f' href="{expected}"'.encode(errors="surrogateescape") not in tag:
        return None
    return Scanned(Facts(canonical=expected), end, "")


def _telling_tags(data: bytes) -> tuple[list[bytes], int]:
    """Return the tags of the head that say something, and where the head ends."""
    tags = []
    for match in _SCAN.finditer(data, 0, HEAD_BYTES):
        tag = match[0]
        second = tag[1:3].lower()
        if second in (b"li", b"me", b"ba"):
            if len(tag) <= _LONGEST_TAG and _TELLING.search(tag):
                tags.append(tag)
        elif second == b"no" or tag[2:3] in b"nN":
            tags.append(tag + b">")  # without attributes, which mean nothing here
        elif second in (b"bo", b"/h"):
            return tags, match.start()
    return tags, 0


class _LinkParser(HTMLParser):
    """Collects the alternates of a head, and its base."""

    def __init__(self) -> None:
        super().__init__()
        self.alternates: list[tuple[str, str]] = []
        self.base = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = {name: value or "" for name, value in attrs}
        if tag == "base":
            self.base = self.base or values.get("href", "").strip()
        elif tag == "link" and "alternate" in values.get("rel", "").lower().split():
            code, href = values.get("hreflang", "").strip(), values.get("href", "").strip()
            if code and href:
                self.alternates.append((code, href))


# Without fragment and query. An `href` that is no link, as in a script, only keeps C2 silent.
_HREF: Final = re.compile(rb"""href\s*=\s*("[^"#?\r\n]+|'[^'#?\r\n]+|[^"'#?\s>]+)""")
_ANY_HREF: Final = re.compile(_HREF.pattern, re.IGNORECASE)  # takes several times as long
_SCHEME: Final = re.compile(r"[a-z][a-z0-9+.-]*:", re.IGNORECASE)


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
        links = _from_root(_links(data), folder)
        links -= self._known
        if folder != self._folder:
            self._folder, self._near = folder, set()
        links -= self._near
        own = own_paths(name)
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


_ROOT: Final = "\0"
"""Stands before a path from the site's root; no page can have one in a link."""

_FIXED: Final = (b"\0", b"/")


def _links(data: bytes) -> set[bytes]:
    return set((_ANY_HREF if b"HREF" in data else _HREF).findall(data))


def _from_root(links: set[bytes], folder: str) -> set[bytes]:
    """Return the links of a page without their quotes, and with the ``../`` at their starts written out."""
    if not links:
        return links
    folders = folder.encode("utf-8", "surrogateescape").split(b"/") if folder else []
    text = b"\n" + b"\n".join(links)  # no link has a line end in it
    text = text.replace(b'\n"', b"\n").replace(b"\n'", b"\n")
    for up in range(len(folders), 0, -1):
        above = b"".join(name + b"/" for name in folders[: len(folders) - up])
        text = text.replace(b"\n" + b"../" * up, b"\n\0" + above)
    return set(text[1:].split(b"\n"))


def own_paths(name: str) -> tuple[str, ...]:
    """Return the URL paths, not encoded, that lead to a page."""
    folder, slash, file = name.rpartition("/")
    if file.startswith("index."):
        return (name, folder + slash, folder)
    return (name, name.rpartition(".")[0])


def _text(link: bytes) -> str:
    text = link.decode("utf-8", "surrogateescape").strip()
    return unescape(text) if "&" in text else text


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
