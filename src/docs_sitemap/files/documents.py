"""The files of a site, in order, and their bytes, one file at a time; large sites are split into parts."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Final

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


def place(sizes: Iterable[int], max_urls: int, max_bytes: int) -> list[int]:
    """Return the part of each URL, numbered from 0: parts are filled in order, and none exceeds a limit.

    ``sizes`` are the bytes of the URLs in a file, which can hold ``max_bytes``. A URL that is larger is alone
    in its part.

    >>> place([1, 1, 1, 9, 2, 2], max_urls=2, max_bytes=4)
    [0, 0, 1, 2, 3, 3]
    """
    placed: list[int] = []
    part = urls = used = 0
    for size in sizes:
        if urls == max_urls or (urls and used + size > max_bytes):
            part, urls, used = part + 1, 0, 0
        urls, used = urls + 1, used + size
        placed.append(part)
    return placed


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
        placed = place(sizes, self._options.max_urls, MAX_BYTES - frame)
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
