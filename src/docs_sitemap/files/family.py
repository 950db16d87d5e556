"""The names of the files that we write to the build output, and how to recognize them. Pure.

All names follow from ``filename``: the parts, the text form, the style sheet and the feeds of
``maps/sitemap.xml`` are in the same folder.
"""

from __future__ import annotations

import gzip
import io
import re
import zlib
from collections.abc import Callable, Iterable
from html import escape
from typing import Final

from docs_sitemap.files.urlset import SIGNATURE, key_mark, names_key, names_text
from docs_sitemap.options.declarations import Options
from docs_sitemap.options.validation import INDEXNOW_KEY
from docs_sitemap.pages.base_url import base_url_of
from docs_sitemap.pages.page import Host
from docs_sitemap.urls import decoded, file_name, join_file

HEAD: Final = 4096
"""Bytes of a file, possibly gzipped, that are enough to recognize it."""

FEEDS: Final = {"atom": "application/atom+xml", "rss": "application/rss+xml"}
"""The media type of each feed format, by its name in ``formats``."""


_CSS_SIGNATURE: Final = b"/* Written by docs-sitemap */"
"""What ``sitemap.css`` begins with."""


class Family:
    """The names that belong to one ``filename``; relative to the build output, with ``/``.

    ``feeds`` maps the Atom and RSS names in ``formats`` to file names. ``index`` is that of the parts of a
    split sitemap; if ``index_apart``, it has not the name of the unsplit sitemap.
    """

    def __init__(self, filename: str, *, index_apart: bool = False) -> None:
        folder, slash, name = filename.rpartition("/")
        self.folder = folder
        self.sitemap = filename
        self._stem = folder + slash + name[: -len(".xml")]
        self.index = f"{self._stem}-index-1.xml" if index_apart else filename
        self.stylesheet = self._stem + ".css"
        self.feeds = {name: f"{folder}{slash}{name}.xml" for name in FEEDS}
        self._pattern = re.compile(
            re.escape(self._stem) + r"((-[0-9]+)?\.(xml|txt)|-index-[0-9]+\.xml)(\.gz)?"
        )

    def has(self, name: str) -> bool:
        """Tell whether a file has a name of ours, apart from a key file."""
        return bool(self._pattern.fullmatch(name)) or name in (self.stylesheet, *self.feeds.values())

    def part(self, number: int) -> str:
        """Return the name of a part of the split sitemap, from 1, or of the unsplit sitemap."""
        return f"{self._stem}-{number}.xml" if number else self.sitemap

    def text(self, number: int = 0) -> str:
        """Return the name of the text sitemap, or of a part of it, from 1."""
        return f"{self._stem}-{number}.txt" if number else f"{self._stem}.txt"

    def key_file(self, key: str) -> str:
        """Return the name of the IndexNow key file, which covers URLs in its folder and below."""
        return self.path(f"{key}.txt")

    def path(self, name: str) -> str:
        """Return the name, relative to the output, of a file in the sitemap's folder."""
        return f"{self.folder}/{name}" if self.folder else name

    def ours(self, names: Iterable[str], read: Callable[[str], bytes], named: Iterable[str]) -> list[str]:
        """Return the names of files in the output that an earlier build wrote.

        Our files contain a signature comment. Text sitemaps cannot have comments: they are ours if another
        of our files, or our line in robots.txt, names them. The IndexNow key file cannot have comments
        either: it is ours if its content is its own name and another of our files has the mark of that key.
        Name and content alone are not enough, because a user's own key file, copied by the generator, has
        the same.

        ``named`` are the names of the files in our lines in robots.txt; ``read`` gives a file's first bytes.
        """
        fixed = {self.sitemap, self.sitemap + ".gz", self.stylesheet, *self.feeds.values()}
        names = list(names)
        texts = {*named}
        found: set[str] = set()
        key_marks: set[str] = set()
        own = [name for name in names if name in fixed or self._pattern.fullmatch(name)]
        for name in own:
            head = b"" if _is_text(name) else _plain(read(name))
            # not at a fixed position: the style sheet, which may have a long name, can come first
            if SIGNATURE in head or _CSS_SIGNATURE in head:
                found.add(name)
                key_marks.add(names_key(head))
                texts.add(self.path(names_text(head)))
        found |= {name for name in own if _is_text(name) and name.removesuffix(".gz") in texts}
        for name in names if key_marks - {""} else ():
            key = name.rpartition("/")[2].removesuffix(".txt")
            is_key = INDEXNOW_KEY.fullmatch(key) and name == self.key_file(key)
            if is_key and key_mark(key) in key_marks and read(name) == key.encode("ascii"):
                found.add(name)
        return sorted(found)


def _is_text(name: str) -> bool:
    return name.removesuffix(".gz").endswith(".txt")


def _plain(data: bytes) -> bytes:
    """Return the start of a file, decompressed if needed; the data may be cut off."""
    if data[:2] != b"\x1f\x8b":
        return data
    try:
        return gzip.GzipFile(fileobj=io.BytesIO(data)).read1(HEAD)
    except (OSError, EOFError, zlib.error):
        return b""


def name_of(address: str, base_url: str) -> str:
    """Return the name, relative to the output, of a file that our line in robots.txt names.

    If the URL is not below the current base URL, the earlier base URL is unknown, so the file is
    expected in the root of the output.
    """
    if base_url and address.startswith(base_url):
        return decoded(address.removeprefix(base_url))
    return file_name(address)


def filenames_of(name: str) -> set[str]:
    """Return each ``filename`` whose family may contain a file.

    ``map-2.xml`` is a part of ``map.xml``, or a sitemap with that name.

    >>> sorted(filenames_of("map-2.xml.gz"))
    ['map-2.xml', 'map.xml']
    """
    name = re.sub(r"\.txt$", ".xml", name.removesuffix(".gz"))
    return {name, re.sub(r"(-index)?-[0-9]+\.xml$", ".xml", name)}


def feed_links(options: Options, host: Host) -> str:
    """Return a ``<link rel="alternate">`` for each feed in ``formats``, for a page's head.

    Empty if there is none, or if the site's base URL is unknown.
    """
    feeds = {kind: name for kind, name in Family(options.filename).feeds.items() if kind in options.formats}
    base_url = base_url_of(options, host) if feeds else None
    if base_url is None:
        return ""
    title = escape(host.title)
    links = {FEEDS[kind]: escape(join_file(base_url, name)) for kind, name in feeds.items()}
    return "".join(
        f'<link rel="alternate" type="{media_type}" title="{title}" href="{url}">\n'
        for media_type, url in links.items()
    )
