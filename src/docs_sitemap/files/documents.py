"""The files of a site, in order, and their bytes, one file at a time; large sites are split into parts.

Pages keep their part when others are added: it depends only on the URL, by consistent hashing, so that a new
part takes an equal share from each of the others, and nothing else moves (Lamping and Veach, "A fast, minimal
memory, consistent hash algorithm", 2014). Pages beyond a part's limit go to the next part with room. So a new
page usually moves no other page, and at most a few if a part is full; only a new part moves a share of them.
"""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Final
from zlib import crc32

from docs_sitemap import urls
from docs_sitemap.files.family import Family
from docs_sitemap.files.urlset import (
    Sitemap,
    compress,
    key_mark,
    make_prolog,
    render_index,
    render_text,
    render_url,
    render_urlset,
)
from docs_sitemap.limits import MAX_BYTES
from docs_sitemap.options.declarations import Options
from docs_sitemap.pages.entries import Url
from docs_sitemap.pages.page import NO_HOST, Host
from docs_sitemap.timestamps import newest_date

_STYLESHEET: Final = Path(__file__).with_name("sitemap.css")
"""Shows a sitemap as a table: the same bytes for every site, in ASCII. CSS: browsers are removing XSLT.

Rows are plain blocks, and a negative margin moves the date next to the last line of the URL: 50,000 rows
load in Chromium in 2.5 s and scroll at the full frame rate, which no table, grid, ``position`` or
``content-visibility`` does. Phones lay out XML at 980 px and scale it to the screen, hence device-width and
vw. Type selectors match in all namespaces: ``link`` and ``image`` are from the extensions.
"""

_SLOTS: Final = 1 << 16
"""Pages are hashed into slots, and slots into parts, to avoid an expensive hash per page."""


def place(urls: Sequence[Url], sizes: Sequence[int], max_urls: int, max_bytes: int) -> list[int]:
    """Return the part of each URL, numbered from 0; no part is empty, and none exceeds a limit.

    The result depends only on the set of URLs. ``sizes`` are their bytes in the file, which can hold
    ``max_bytes``. A URL that is larger than a part is alone in its own.

    >>> site = [Url(f"https://example.org/{number}") for number in range(6)]
    >>> before, after = place(site[:5], [1] * 5, 3, 1000), place(site, [1] * 6, 3, 1000)
    >>> sorted(before), after[:5] == before  # a new page moves no other
    ([0, 0, 1, 1, 1], True)
    """
    sizes = [min(size, max_bytes) for size in sizes]
    total = sum(sizes)
    if len(urls) <= max_urls and total <= max_bytes:
        return [0] * len(urls)
    parts = max(-(-len(urls) // max_urls), -(-total // max_bytes))
    while (placed := _place(urls, sizes, parts, (max_urls, max_bytes))) is None:
        parts += 1
    used = sorted(set(placed))  # all parts, unless the limit in bytes led to an extra part
    number = {part: at for at, part in enumerate(used)}
    return [number[part] for part in placed]


def _place(
    urls: Sequence[Url], sizes: Sequence[int], parts: int, limits: tuple[int, int]
) -> list[int] | None:
    """Return the part of each URL, or ``None`` if some do not fit into any part."""
    hashes = array("L", [crc32(url.loc.encode("ascii")) for url in urls])
    slots = array("H", [number % _SLOTS for number in hashes])
    numbers = Counter(slots)
    weights = Counter[int]()
    for slot, size in zip(slots, sizes, strict=True):
        weights[slot] += size
    free = [limits] * parts

    def take(part: int, number: int, size: int) -> bool:
        """Take room in a part, and return whether there was enough."""
        left = free[part][0] - number, free[part][1] - size
        if min(left) < 0:
            return False
        free[part] = left
        return True

    of_slot = {slot: _jump(slot, parts) for slot in sorted(numbers)}
    overflowing = {slot for slot, part in of_slot.items() if not take(part, numbers[slot], weights[slot])}
    placed = [of_slot[slot] for slot in slots]
    # in order of hash, not of URL: the pages that move must not depend on the alphabet
    moving = [at for at, slot in enumerate(slots) if slot in overflowing]
    for at in sorted(moving, key=lambda at: (hashes[at], urls[at].loc)):
        following = (part % parts for part in range(placed[at], placed[at] + parts))
        part = next((part for part in following if take(part, 1, sizes[at])), None)
        if part is None:
            return None
        placed[at] = part
    return placed


def _jump(key: int, parts: int) -> int:
    """Return the part of a key; with one more part, keys move only to the new part.

    >>> moved = [key for key in range(1000) if _jump(key, 3) != _jump(key, 4)]
    >>> {_jump(key, 4) for key in moved}, len(moved)  # about a quarter, all to the new part
    ({3}, 249)
    """
    state = (key + 1) * 0x9E3779B97F4A7C15 & 0xFFFFFFFFFFFFFFFF
    part, following = -1, 0
    while following < parts:
        part = following
        state = (state * 2862933555777941757 + 1) & 0xFFFFFFFFFFFFFFFF
        following = int((part + 1) * ((1 << 31) / ((state >> 33) + 1)))
    return part


class Documents:
    """The files of one site, by name, relative to the build output; ``render`` renders them on demand.

    ``entries`` are sorted by URL; ``base_url`` is encoded and ends in ``/``. ``parts`` is how many there are:
    1 if the sitemap is not split, 0 if no page is listed. ``sitemaps`` are the names of the files that list
    the pages, without an index. ``named`` are those for robots.txt: with XML, no text or feed, so that each
    page is listed once.
    """

    def __init__(self, entries: Sequence[Url], base_url: str, options: Options, host: Host = NO_HOST) -> None:
        self._base_url = base_url
        self._options = options
        self._is_taken = any(url.is_taken for url in entries)
        self._host = host
        is_index_apart = options.filename == host.reads_urls
        self._family = Family(options.filename, index_apart=is_index_apart)
        # the suffixes of the files that are written: gz applies to XML and text; by itself, to XML
        xml, text, gz = (name in options.formats for name in ("xml", "txt", "gz"))
        self._xml = _suffixes(xml, gz and (xml or not text))
        self._text = _suffixes(text, gz and text)
        self._css = self._family.stylesheet if options.stylesheet and xml else ""
        key = options.indexnow_key or ""
        self.key_file = self._family.key_file(key) if key else ""
        self._key_mark = key_mark(key) if key else ""
        self._groups = self._split(entries)
        self.parts = len(self._groups)
        self._files: dict[str, Callable[[], bytes]] = {}
        self.sitemaps: list[str] = []
        self.named: list[str] = []
        if self.parts:
            if key:  # first, so that a text sitemap with the same name replaces it
                self._add(self.key_file, lambda: key.encode("ascii"))
            if self._css:
                self._add(self._css, _STYLESHEET.read_bytes)
            index = self._add_parts()
            feeds = self._add_feeds(entries)
            if host.reads_urls and not (xml and not index and is_index_apart):
                self._add_for_theme(entries)
            if index:
                self._add(self._family.index, lambda: render_index(index, self._prolog()), self._xml)
                self.sitemaps += [self._family.index + suffix for suffix in self._xml]
            if self._xml:
                self.named = [(self._family.index if index else options.filename) + self._xml[0]]
            elif not self._text:
                self.sitemaps = self.named = feeds[:1]

    def _split(self, entries: Sequence[Url]) -> list[list[tuple[Url, str]]]:
        """Return the pages of each part, with their entries in XML."""
        rendered = [render_url(url) for url in entries]
        sizes = list(map(len, rendered))
        frame = len(render_urlset(rendered, self._prolog(len(entries)))) - sum(sizes)
        placed = place(entries, sizes, self._options.max_urls, MAX_BYTES - frame)
        groups: list[list[tuple[Url, str]]] = [[] for _ in range(max(placed, default=-1) + 1)]
        for pair, part in zip(zip(entries, rendered, strict=True), placed, strict=True):
            groups[part].append(pair)
        return groups

    def _prolog(self, number: int | None = None) -> str:
        """Return the prolog of a part, or of the unsplit sitemap, 0; it names the text form, if any."""
        text = self._family.text(number) if self._text and number is not None else ""
        css = urls.escape_name(self._css.rpartition("/")[2])
        marks = {"taken": self._is_taken, "undated": self._options.lastmod == "none"}
        return make_prolog(css, text.rpartition("/")[2], self._key_mark, **marks)

    def _add(self, name: str, render: Callable[[], bytes], suffixes: Sequence[str] = ("",)) -> None:
        for suffix in suffixes:
            self._files[name + suffix] = (lambda: compress(render())) if suffix else render

    def _add_parts(self) -> list[Sitemap]:
        """Add the sitemap or its parts; return what an index says of these."""
        index = []
        for number, group in enumerate(self._groups, 1):
            part = number if self.parts > 1 else 0
            text, name = self._family.text(part), self._family.part(part)
            self._add(text, partial(render_text, [url for url, _ in group]), self._text)
            self._add(
                name, partial(render_urlset, [entry for _, entry in group], self._prolog(part)), self._xml
            )
            if self._xml:
                self.sitemaps += [name + suffix for suffix in self._xml]
                loc = urls.join_file(self._base_url, name + self._xml[0])
                index.append(Sitemap(loc, newest_date(url.lastmod for url, _ in group)))
            elif self._text:
                self.sitemaps.append(text)
                self.named.append(text)
        return index if self.parts > 1 else []

    def _add_feeds(self, entries: Sequence[Url]) -> list[str]:
        """Add the feeds, if a page has a date; return their names."""
        wanted = {kind: name for kind, name in self._family.feeds.items() if kind in self._options.formats}
        if not wanted:
            return []
        from docs_sitemap.files.feed import Feed, newest, render_atom, render_rss
        from docs_sitemap.options.languages import code_or_none

        latest = newest(entries, self._options.feed_entries)
        for kind, name in wanted.items() if latest else ():
            address, language = urls.join_file(self._base_url, name), code_or_none(self._host.language)
            feed = Feed(self._host.title, self._base_url, address, latest, language)
            self._add(name, partial(render_atom if kind == "atom" else render_rss, feed))
        return list(wanted.values()) if latest else []

    def _add_for_theme(self, entries: Sequence[Url]) -> None:
        """Add the URLs of all pages, in one file whatever their number."""
        plain = (render_url(Url(url.loc)) for url in entries)
        self._add(self._host.reads_urls, lambda: render_urlset(plain, make_prolog(for_theme=True)))

    def names(self) -> list[str]:
        """Return the names of all files."""
        return list(self._files)

    def urls(self) -> list[str]:
        """Return the URLs for robots.txt."""
        return [urls.join_file(self._base_url, name) for name in self.named]

    def render(self) -> Iterator[tuple[str, bytes]]:
        """Yield the name and bytes of each file; a file comes after the files that it names."""
        for name, render in self._files.items():
            yield name, render()


def _suffixes(plain: bool, gz: bool) -> list[str]:
    return [suffix for suffix, is_written in (("", plain), (".gz", gz)) if is_written]
