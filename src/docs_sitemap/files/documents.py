"""The files of a site, in order, and their bytes, one file at a time; large sites are split into parts. Pure.

Pages keep their part when others are added: it depends only on the URL, by consistent hashing, so that a new
part takes an equal share from each of the others, and nothing else moves (Lamping and Veach, "A fast, minimal
memory, consistent hash algorithm", 2014). Pages beyond a part's limit go to the next part with room. So a new
page usually moves no other page, and at most a few if a part is full; only a new part moves a share of them.
"""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Final
from zlib import crc32

from docs_sitemap import urls
from docs_sitemap.files.family import Family
from docs_sitemap.files.formats.stylesheet import render_stylesheet
from docs_sitemap.files.formats.xml import (
    Prolog,
    Sitemap,
    compress,
    key_mark,
    may_exceed,
    render_index,
    render_sitemap,
    render_text,
    render_url,
    render_urlset,
    room_for_entries,
    room_for_sitemaps,
)
from docs_sitemap.limits import MAX_SITEMAPS
from docs_sitemap.options import Options
from docs_sitemap.pages import NO_HOST, Host, Own, Url
from docs_sitemap.timestamps import newest_date

_SLOTS: Final = 1 << 16
"""Pages are hashed into slots, and slots into parts, to avoid an expensive hash per page."""


def place(urls: Sequence[Url], max_urls: int, max_bytes: int, sizes: Sequence[int] = ()) -> list[int]:
    """Return the part of each URL, numbered from 0; no part is empty, and none exceeds a limit.

    The result depends only on the set of URLs. ``sizes`` are their bytes in the file, which can hold
    ``max_bytes``; none are needed if the limit in bytes cannot be reached. A URL that is larger than a
    part is alone in its own.

    >>> site = [Url(f"https://example.org/{number}") for number in range(6)]
    >>> before, after = place(site[:5], 3, 1000), place(site, 3, 1000)
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
    for slot, size in zip(slots, sizes):  # noqa: B905  # there may be no sizes
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
        part = next((part for part in following if take(part, 1, sizes[at] if sizes else 0)), None)
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
    """The files of one site. ``render`` renders them on demand.

    ``entries`` are sorted by URL; ``base_url`` is encoded and ends in ``/``; ``max_sitemaps`` is the limit of
    parts per index. ``parts`` is the number of parts: 1 if the sitemap is not split, 0 if no page is listed.
    """

    def __init__(
        self,
        entries: Sequence[Url],
        base_url: str,
        options: Options,
        host: Host = NO_HOST,
        *,
        max_sitemaps: int = MAX_SITEMAPS,
    ) -> None:
        self._base_url = base_url
        self._options = options
        # the suffixes of the files that are written: gz applies to XML and text; by itself, to XML
        xml, text, gz = (name in options.formats for name in ("xml", "txt", "gz"))
        self._xml_suffixes = _suffixes(xml, gz and (xml or not text))
        self._text_suffixes = _suffixes(text, gz and text)
        self._family = Family(options.filename, index_apart=options.filename == host.reads_urls)
        stylesheet = self._family.stylesheet if options.stylesheet and xml else ""
        self._stylesheet = urls.escape_name(stylesheet.rpartition("/")[2])
        key = options.indexnow_key
        self.key_file = self._family.key_file(key) if key else ""
        self._key_mark = key_mark(key) if key else ""
        self._host = host
        self._max_sitemaps = max_sitemaps
        room = room_for_entries(entries, self._prolog(len(entries)))
        is_large = may_exceed(entries, options.max_urls, room)
        sizes = [len(render_url(url)) for url in entries] if is_large else []
        self._entries = entries
        placed = place(entries, options.max_urls, room, sizes)
        self.parts = max(placed, default=-1) + 1
        self._groups: list[list[Url]] = [[] for _ in range(self.parts)]
        for url, part in zip(entries, placed, strict=True):
            self._groups[part].append(url)
        self._indexed = self._split_index() if self.parts > 1 else []
        is_read = xml and not self._indexed and options.filename == host.reads_urls
        self._for_theme = "" if is_read else host.reads_urls
        self._newest: list[Url] = []
        if self._family.feeds.keys() & options.formats:
            from docs_sitemap.files.formats.feed import newest

            self._newest = newest(entries, options.feed_entries)

    def _prolog(self, number: int = 0) -> Prolog:
        """Return the prolog of a part, or of the unsplit sitemap; it names the text form, if any."""
        text = self._family.text(number) if self._text_suffixes else ""
        return Prolog(self._stylesheet, text.rpartition("/")[2], self._key_mark)

    def _index_prolog(self) -> Prolog:
        return Prolog(self._stylesheet, key=self._key_mark)

    def names(self) -> list[str]:
        """Return the names of all files, relative to the build output."""
        if not self.parts:
            return []
        names = [self.key_file] if self.key_file else []
        names += [self._family.stylesheet] if self._stylesheet else []
        names += self._xml_names()
        names += [name + suffix for suffix in self._text_suffixes for name in self._text_names()]
        names += [self._for_theme] if self._for_theme else []
        return names + self._feed_names()

    def clashing(self, own: Own) -> str:
        """Return the name of the site's own file in place of one of our sitemaps, or ``""``."""
        names = self._xml_names() if self._xml_suffixes else self._names_without_xml()
        return next((name for name in names if self.parts and own(name)), "")

    @property
    def sitemap_name(self) -> str:
        """The name, without folder, of the first sitemap that robots.txt names."""
        return urls.file_name(self.sitemaps()[0]) if self.parts and self.sitemaps() else self._family.sitemap

    def sitemaps(self) -> list[str]:
        """Return the URLs for robots.txt: with XML, no text or feed, so that each page is listed once."""
        if not self.parts:
            return []
        names = self._names_without_xml()
        if self._xml_suffixes:
            names = [name + self._xml_suffixes[0] for name in self._index_names() or [self._family.sitemap]]
        return [urls.join_file(self._base_url, name) for name in names]

    def render(self) -> Iterator[tuple[str, bytes]]:
        """Yield the name and bytes of each file; a file comes after the files that it names."""
        if not self.parts:
            return
        if self.key_file:  # first, so that a text sitemap with the same name replaces it
            yield self.key_file, (self._options.indexnow_key or "").encode("ascii")
        if self._stylesheet:
            yield self._family.stylesheet, render_stylesheet()
        sitemaps = []
        for number, group in enumerate(self._groups, 1):
            part = number if self._indexed else 0
            if self._text_suffixes:
                yield from _forms(self._family.text(part), render_text(group), self._text_suffixes)
            if self._xml_suffixes:
                name = self._family.part(part) if part else self._family.sitemap
                yield from _forms(name, render_urlset(group, self._prolog(part)), self._xml_suffixes)
            sitemaps.append(Sitemap(self._loc(number), newest_date(url.lastmod for url in group)))
        for name in self._feed_names():
            yield name, self._render_feed(name)
        if self._for_theme:
            # the URLs of all pages, in one file whatever their number
            plain = [Url(url.loc) for url in self._entries]
            yield self._for_theme, render_urlset(plain, Prolog(for_theme=True))
        for number, count in enumerate(self._indexed, 1):
            index = render_index(sitemaps[:count], self._index_prolog())
            yield from _forms(self._family.index(number), index, self._xml_suffixes)
            del sitemaps[:count]

    def _loc(self, number: int) -> str:
        suffix = self._xml_suffixes[0] if self._xml_suffixes else ""
        return urls.join_file(self._base_url, self._family.part(number) + suffix)

    def _xml_names(self) -> list[str]:
        plain = [*self._part_names(), *self._index_names()] or [self._family.sitemap]
        return [name + suffix for suffix in self._xml_suffixes for name in plain]

    def _names_without_xml(self) -> list[str]:
        return self._text_names() if self._text_suffixes else self._feed_names()[:1]

    def _part_names(self) -> list[str]:
        return [self._family.part(number) for number in range(1, self.parts + 1)] if self._indexed else []

    def _index_names(self) -> list[str]:
        return [self._family.index(number) for number in range(1, len(self._indexed) + 1)]

    def _text_names(self) -> list[str]:
        numbers = range(1, self.parts + 1) if self._indexed else (0,)
        return [self._family.text(number) for number in numbers]

    def _split_index(self) -> list[int]:
        """Return how many parts each index names; nearly all sites need only one index."""
        # dates set by authors may have a fraction of any length
        longest = "9" * max((len(url.lastmod) for url in self._entries if url.lastmod), default=0)
        parts = (Sitemap(self._loc(number), longest) for number in range(1, self.parts + 1))
        return split_index(parts, self._index_prolog(), self._max_sitemaps)

    def _feed_names(self) -> list[str]:
        """Return the names of the feeds; none if no page has a date."""
        feeds = self._family.feeds.items() if self._newest else ()
        return [name for kind, name in feeds if kind in self._options.formats]

    def _render_feed(self, name: str) -> bytes:
        from docs_sitemap.files.formats.feed import Feed, render_atom, render_rss
        from docs_sitemap.options.languages import code_or_none

        address = urls.join_file(self._base_url, name)
        language = code_or_none(self._host.language)
        feed = Feed(self._host.title, self._base_url, address, self._newest, language)
        return render_atom(feed) if name == self._family.feeds["atom"] else render_rss(feed)


def split_index(sitemaps: Iterable[Sitemap], prolog: Prolog, most: int = MAX_SITEMAPS) -> list[int]:
    """Return how many of the sitemaps, in order, each index names within the protocol's limits."""
    counts = [0]
    left = room = room_for_sitemaps(prolog)
    for sitemap in sitemaps:
        size = len(render_sitemap(sitemap))
        if counts[-1] and (size > left or counts[-1] == most):
            counts.append(0)
            left = room
        counts[-1] += 1
        left -= size
    return counts


def _suffixes(plain: bool, gz: bool) -> list[str]:
    return [suffix for suffix, is_written in (("", plain), (".gz", gz)) if is_written]


def _forms(name: str, data: bytes, suffixes: Sequence[str]) -> Iterator[tuple[str, bytes]]:
    for suffix in suffixes:
        yield name + suffix, compress(data) if suffix else data
