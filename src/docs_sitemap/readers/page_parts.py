"""Reads headings, links, images, search elements, and the dates that pages state."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

from docs_sitemap import urls
from docs_sitemap.limits import MAX_IMAGES, MAX_LOC, MAX_PAGE
from docs_sitemap.readers.files import read_any
from docs_sitemap.readers.html import Outside, Tag, one_line, tags, unescape

# Without fragment and query. Reading tags would take ten times as long; the result may include text that is
# not a link, such as in a script. Linear: no two parts of the expression match the same byte.
_HREF: Final = re.compile(
    rb"""href[\t\n\f\r ]*+=[\t\n\f\r ]*+("[^"#?\r\n]++|'[^'#?\r\n]++|[^"'#?\t\n\f\r >]++)"""
)
_ANY_HREF: Final = re.compile(_HREF.pattern, re.IGNORECASE)  # takes several times as long
_EMBEDDED: Final = ("src", "href", "data", "poster")


def hrefs(data: bytes) -> set[bytes]:
    """Return the links of a page as written, with the quote before them, without fragment and query."""
    return set((_ANY_HREF if b"HREF" in data else _HREF).findall(data))


def embedded(data: bytes) -> Iterator[str]:
    """Yield the URLs that a page shows, plays or links to, without fragment and query."""
    for tag in tags(data):
        if not tag.is_end and tag.rest:
            values = tag.attributes(*_EMBEDDED)
            found = (values[name] for name in _EMBEDDED if name in values)
            yield from (re.split(r"[?#]", address, maxsplit=1)[0] for address in found)


def read_heading(file: Path) -> str:
    """Return the text of the first ``h1`` of an HTML file, without the permalink that themes add."""
    data = read_any(file, MAX_PAGE)
    found = tags(data)
    heading = next((tag for tag in found if tag.name == b"h1" and not tag.is_end), None)
    if heading is None:
        return ""
    text: list[bytes] = []
    since, hidden_by = heading.end, b""
    for tag in found:
        if not hidden_by:
            text.append(data[since : tag.start])
        if tag.name == b"h1" and tag.is_end:
            break
        since = tag.end
        if not hidden_by:
            hidden_by = tag.name if _is_hidden(tag) else b""
        elif tag.is_end and tag.name == hidden_by:
            hidden_by = b""
    return one_line(unescape(b"".join(text).decode("utf-8", "replace")))


def _is_hidden(tag: Tag) -> bool:
    """Return whether an element is not part of a heading's text: scripts, styles, the permalink."""
    if tag.is_end:
        return False
    if tag.name == b"a":
        return "headerlink" in tag.attributes("class").get("class", "").split()
    return tag.name in (b"script", b"style")


_AROUND: Final = (b"aside", b"footer", b"nav", b"noscript", b"template")
"""Elements around a page's own text (HTML, "sections"), and elements that are not shown.

``header`` counts too, but not within the main part, where it contains the title and perhaps an image.
"""


def read_images(file: Path, loc: str) -> tuple[str, ...]:
    """Return the absolute URLs of the images that an HTML file shows, in order, without duplicates.

    ``loc`` is the page's own URL. Images from other hosts, mostly badges, are ignored. Empty if the file
    cannot be read.
    """
    data = read_any(file, MAX_PAGE)
    if b"<img" not in data.lower():
        return ()
    images = _Images()
    for tag in tags(data):
        images.add(tag)
    base = urls.absolute(loc, images.base) or loc
    host = urlsplit(loc).hostname
    found = (urls.absolute(base, source) for source in dict.fromkeys(images.sources()))
    own = dict.fromkeys(url for url in found if url and urlsplit(url).hostname == host)
    return tuple(own)[: MAX_IMAGES + 1]  # one more says that there are too many


class _Images:
    """Collects the images of ``main`` or ``role="main"``, or of the whole body if there is neither."""

    def __init__(self) -> None:
        self.base = ""
        self._main = b""
        self._depth = 0
        self._around = Counter[bytes]()
        self._in_main: list[str] = []
        self._in_body: list[str] = []

    def sources(self) -> list[str]:
        """Return the sources as written."""
        return self._in_main if self._main else self._in_body

    def add(self, tag: Tag) -> None:
        """Process the next tag of the page."""
        name, step = tag.name, -1 if tag.is_end else 1
        if name == b"img":
            self._add_image(tag)
        elif name == b"base":
            self.base = self.base or tag.attributes("href").get("href", "")
        elif name in _AROUND or (name == b"header" and not self._depth):
            self._around[name] = max(0, self._around[name] + step)
        elif not self._main:
            if not tag.is_end and (name == b"main" or tag.attributes("role").get("role") == "main"):
                self._main, self._depth = name, 1
        elif name == self._main and self._depth:
            self._depth += step

    def _add_image(self, tag: Tag) -> None:
        source = "" if tag.is_end or self._around.total() else tag.attributes("src").get("src", "").strip()
        if 0 < len(source) <= MAX_LOC:
            self._in_body.append(source)
            if self._depth:
                self._in_main.append(source)


_CONTAINERS: Final = (b"div", b"ul", b"ol", b"dl", b"main", b"output")
_RESULTS: Final = re.compile(r"search[-_]?results?", re.IGNORECASE)


def search_forms(data: bytes) -> set[str]:
    """Return a page's search elements: ``results`` for an empty container, ``field`` for a query field."""
    found = set()
    container: Tag | None = None
    for tag in tags(data):
        if container and tag.is_end and b"<" not in data[container.end : tag.start]:
            marks = container.attributes("id", "class")
            if any(map(_RESULTS.search, marks.values())):
                found.add("results")
        container = tag if tag.name in _CONTAINERS and not tag.is_end else None
        if tag.name == b"input":
            values = tag.attributes("type", "name")
            if values.get("type", "").lower() == "search" or values.get("name", "").lower() in ("q", "query"):
                found.add("field")
    return found


_DATE_WORDS: Final = re.compile(rb"article:(?:modified|published)_time|\"date(?:Modified|Published)\"", re.I)
_DATE_KEYS: Final = re.compile(rb'"(date(?:Modified|Published))"[\t\n\r ]*+:')


def dates_in(head: bytes) -> frozenset[str]:
    """Return the names of the dates that a head states, up to its end or to the end of the data.

    These are the names of Open Graph's elements (``article:modified_time``), in lower case, and the keys of
    JSON-LD (``dateModified``).

    >>> sorted(dates_in(b'<title>dateModified</title><meta property="article:published_time" content="x">'))
    ['article:published_time']
    """
    if not _DATE_WORDS.search(head):
        return frozenset()  # nearly all pages
    found: set[str] = set()
    is_outside = Outside()
    for tag, following in pairwise(tags(head + b"<br>")):  # each has a tag after it
        if not is_outside(tag) or tag.is_end:
            continue
        values = tag.attributes("property", "name", "type")
        if tag.name == b"meta":
            found |= {values.get(name, "").strip().lower() for name in ("property", "name")}
        elif tag.name == b"script" and values.get("type", "").strip().lower() == "application/ld+json":
            found |= {key.decode() for key in _DATE_KEYS.findall(head, tag.end, following.start)}
    return frozenset(found - {""})
