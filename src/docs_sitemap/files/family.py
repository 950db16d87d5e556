"""The names of our files in the build output, and which files there are ours. Pure.

All names follow from ``filename``: ``maps/sitemap.xml`` has its parts, its text form, its style
sheet and its feeds beside it.
"""

from __future__ import annotations

import gzip
import io
import re
import zlib
from collections.abc import Callable, Iterable
from urllib.parse import unquote

from docs_sitemap.files.formats.feed import MEDIA_TYPES
from docs_sitemap.files.formats.prolog import SIGNATURE, key_mark, names_key, names_text
from docs_sitemap.files.formats.stylesheet import SIGNATURE as CSS_SIGNATURE
from docs_sitemap.options import INDEXNOW_KEY
from docs_sitemap.urls import file_name

HEAD = 4096
"""Bytes of a file, perhaps gzipped, that show whose it is."""


class Family:
    """The names that belong to one ``filename``; relative to the build output, with ``/``.

    ``feeds`` has those of Atom and RSS by their names among ``formats``.
    """

    def __init__(self, filename: str) -> None:
        folder, slash, name = filename.rpartition("/")
        self.folder = folder
        self.sitemap = filename
        self._stem = folder + slash + name[: -len(".xml")]
        self.stylesheet = self._stem + ".css"
        self.feeds = {name: f"{folder}{slash}{name}.xml" for name in MEDIA_TYPES}
        self._pattern = re.compile(
            re.escape(self._stem) + r"((-[0-9]+)?\.(xml|txt)|-index-[0-9]+\.xml)(\.gz)?"
        )

    def part(self, number: int) -> str:
        """Return the name of a part of the split sitemap, from 1."""
        return f"{self._stem}-{number}.xml"

    def index(self, number: int) -> str:
        """Return the name of an index; the first is where the sitemap itself would be."""
        return self.sitemap if number == 1 else f"{self._stem}-index-{number}.xml"

    def text(self, number: int = 0) -> str:
        """Return the name of the text sitemap, or of a part of it, from 1."""
        return f"{self._stem}-{number}.txt" if number else f"{self._stem}.txt"

    def key_file(self, key: str) -> str:
        """Return the name of the key file of IndexNow, which proves addresses in its folder and below."""
        return self.path(f"{key}.txt")

    def path(self, name: str) -> str:
        """Return the name in the output of a file in the sitemap's own folder."""
        return f"{self.folder}/{name}" if self.folder else name

    def ours(self, names: Iterable[str], read: Callable[[str], bytes], named: Iterable[str]) -> list[str]:
        """Return those of the names in the output that an earlier build of ours wrote.

        Each of our files has a comment that says so, but for text sitemaps, which can have none:
        those are ours where one of the others, or a line of ours in robots.txt, names them. Nor can
        the key file of IndexNow: it is ours where its content is its own name, and one of the others has
        the mark of that key. Its name and content alone would be those of a user's own key file too, which
        a generator copied there.

        ``named`` are the names of the files in such lines; ``read`` gives a file's first bytes.
        """
        fixed = {self.sitemap, self.sitemap + ".gz", self.stylesheet, *self.feeds.values()}
        names = list(names)
        members = {name: read(name) for name in names if name in fixed or self._pattern.fullmatch(name)}
        heads = {name: _plain(data) for name, data in members.items()}
        signed = {name for name, head in heads.items() if not _is_text(name) and _is_signed(head)}
        texts = {*named, *(self.path(text) for name in signed if (text := names_text(heads[name])))}
        keys = self._key_files(names, read, {names_key(heads[name]) for name in signed} - {""})
        return sorted(
            signed | keys | {name for name in members if _is_text(name) and name.removesuffix(".gz") in texts}
        )

    def _key_files(self, names: list[str], read: Callable[[str], bytes], marks: set[str]) -> set[str]:
        """Return the names of the key files that have one of these marks."""
        found = set[str]()
        for name in names if marks else ():
            key = name.rpartition("/")[2].removesuffix(".txt")
            is_one = INDEXNOW_KEY.fullmatch(key) and name == self.key_file(key) and key_mark(key) in marks
            if is_one and read(name) == key.encode("ascii"):
                found.add(name)
        return found


def _is_text(name: str) -> bool:
    return name.removesuffix(".gz").endswith(".txt")


def _is_signed(head: bytes) -> bool:
    # not right at the start: above it a sitemap names its style sheet, which may have a long name
    return SIGNATURE in head or CSS_SIGNATURE in head


def _plain(data: bytes) -> bytes:
    """Return the start of a file, perhaps gzipped and cut off."""
    if data[:2] != b"\x1f\x8b":
        return data
    try:
        return gzip.GzipFile(fileobj=io.BytesIO(data)).read1(HEAD)
    except (OSError, EOFError, zlib.error):
        return b""


def name_of(address: str, base_url: str) -> str:
    """Return the name in the output of a file of ours that robots.txt names.

    Below another base URL than the present one, for how much of the address that was nobody knows
    any more: then the file is looked for in the output's root.
    """
    if base_url and address.startswith(base_url):
        return unquote(address.removeprefix(base_url))
    return file_name(address)


def filenames_of(name: str) -> set[str]:
    """Return each ``filename`` whose family a file may be from.

    ``map-2.xml`` is a part of ``map.xml``, or a sitemap of that name.

    >>> sorted(filenames_of("map-2.xml.gz"))
    ['map-2.xml', 'map.xml']
    """
    if "\0" in name:
        return set()  # no file's name, so nobody's but a user's who wrote it into a line like ours
    name = re.sub(r"\.txt$", ".xml", name.removesuffix(".gz"))
    return {name, re.sub(r"(-index)?-[0-9]+\.xml$", ".xml", name)}
