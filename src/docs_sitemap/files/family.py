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

from docs_sitemap.files.formats.feed import MEDIA_TYPES
from docs_sitemap.files.formats.stylesheet import SIGNATURE as CSS_SIGNATURE
from docs_sitemap.files.formats.xml import SIGNATURE, key_mark, names_key, names_text
from docs_sitemap.options import INDEXNOW_KEY
from docs_sitemap.urls import decoded, file_name

HEAD = 4096
"""Bytes of a file, possibly gzipped, that are enough to recognize it."""


class Family:
    """The names that belong to one ``filename``; relative to the build output, with ``/``.

    ``feeds`` maps the Atom and RSS names in ``formats`` to file names. If ``index_apart``, no index has the
    name of the unsplit sitemap.
    """

    def __init__(self, filename: str, *, index_apart: bool = False) -> None:
        folder, slash, name = filename.rpartition("/")
        self.folder = folder
        self.sitemap = filename
        self._index_apart = index_apart
        self._stem = folder + slash + name[: -len(".xml")]
        self.stylesheet = self._stem + ".css"
        self.feeds = {name: f"{folder}{slash}{name}.xml" for name in MEDIA_TYPES}
        self._pattern = re.compile(
            re.escape(self._stem) + r"((-[0-9]+)?\.(xml|txt)|-index-[0-9]+\.xml)(\.gz)?"
        )

    def has(self, name: str) -> bool:
        """Tell whether a file has a name of ours, apart from a key file."""
        return bool(self._pattern.fullmatch(name)) or name in (self.stylesheet, *self.feeds.values())

    def part(self, number: int) -> str:
        """Return the name of a part of the split sitemap, from 1."""
        return f"{self._stem}-{number}.xml"

    def index(self, number: int) -> str:
        """Return the name of an index; usually, the first has the name of the unsplit sitemap."""
        is_first = number == 1 and not self._index_apart
        return self.sitemap if is_first else f"{self._stem}-index-{number}.xml"

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
        members = [name for name in names if name in fixed or self._pattern.fullmatch(name)]
        plain = {name: name.removesuffix(".gz") for name in members if _is_text(name)}
        wanted = {*plain.values()}
        texts = {*named}
        signed: set[str] = set()
        marks: set[str] = set()
        for name in members:
            head = _plain(read(name))
            if name not in plain and _is_signed(head):
                signed.add(name)
                marks.add(names_key(head))
                texts |= wanted & {self.path(names_text(head))}
        keys = self._key_files(names, read, marks - {""})
        return sorted(signed | keys | {name for name, text in plain.items() if text in texts})

    def _key_files(self, names: list[str], read: Callable[[str], bytes], marks: set[str]) -> set[str]:
        """Return the names of the key files whose keys have one of these marks."""
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
    # not at a fixed position: the style sheet, which may have a long name, can come first
    return SIGNATURE in head or CSS_SIGNATURE in head


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
    if "\0" in name:
        return set()  # not a valid file name: a user wrote it into a line like ours
    name = re.sub(r"\.txt$", ".xml", name.removesuffix(".gz"))
    return {name, re.sub(r"(-index)?-[0-9]+\.xml$", ".xml", name)}
