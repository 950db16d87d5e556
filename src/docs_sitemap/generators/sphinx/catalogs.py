"""Tell whether a message catalog, compiled (``.mo``) or not, translates anything."""

from __future__ import annotations

import io
import os
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Final

from docs_sitemap.limits import MAX_CATALOG, MAX_CATALOGS
from docs_sitemap.untrusted import RealPaths, open_plain, read_start

_BLOCK: Final = 1 << 16

_LINE: Final = 32
"""Bytes that a line counts for, besides its length: it takes time."""


def has_messages(catalog: Path, real: RealPaths) -> bool:
    """Tell whether the compiled catalog, which Sphinx reads, translates any message.

    ``real`` resolves the links to all of them.
    """
    try:
        head = read_start(real.of(catalog.with_suffix(".mo")), 12)
    except OSError:
        return False
    # GNU gettext, "MO file format": the number of messages, in the byte order of the magic number
    number = head[8:12] if head[:4] == b"\x95\x04\x12\xde" else head[11:7:-1]
    return int.from_bytes(number, "big") > 1  # the first is the header


class Catalogs:
    """Uncompiled catalogs; ``fuzzy`` says whether fuzzy messages count.

    Each file is read once, whatever links lead to it, and all together up to a limit.
    """

    def __init__(self, fuzzy: bool) -> None:
        self._fuzzy = fuzzy
        self._real = RealPaths()
        self._known: dict[str, bool] = {}
        self._left = MAX_CATALOGS

    def translates(self, catalog: str | os.PathLike[str]) -> bool:
        """Tell whether a catalog, which may be missing, translates any message.

        Only the build of the catalog's language compiles it. Reading stops at the first translated message:
        reading all catalogs of many languages would take longer than the build.
        """
        if not os.path.isfile(catalog):  # most are not: a language has a catalog for each document
            return False
        path = self._real.of(catalog)
        if path not in self._known:
            self._known[path] = False
            with suppress(OSError), open_plain(path) as stream:
                self._known[path] = self._translates(stream)
        return self._known[path]

    def _translates(self, stream: io.FileIO) -> bool:
        is_text = is_message = is_doubtful = False
        for line in self._lines(stream):
            if is_text and not line.startswith((b'"', b"msgstr")):
                is_text = is_message = is_doubtful = False  # the entry has ended
            if line.startswith(b"#,"):
                is_doubtful |= b"fuzzy" in line
            is_text |= line.startswith(b"msgstr")
            if not _has_words(line):
                continue
            if is_text and is_message and (self._fuzzy or not is_doubtful):
                return True
            is_message |= not is_text
        return False

    def _lines(self, stream: io.FileIO) -> Iterator[bytes]:
        """Yield the lines of a catalog that are not empty, up to the limits; split very long lines."""
        left, rest = MAX_CATALOG, b""
        while self._left > 0 and (data := stream.read(min(_BLOCK, left))):
            left -= len(data)
            *lines, rest = (rest + data).split(b"\n")
            for line in filter(None, map(bytes.strip, lines)):
                self._left -= _LINE
                yield line
            self._left -= len(data)  # not where a translation is found, as in most
            if len(rest) > _BLOCK:
                yield rest.strip()
                rest = b""
        yield rest.strip()


def _has_words(line: bytes) -> bool:
    """Tell whether a line has a non-empty string, and is not a comment."""
    return line.endswith(b'"') and line != b'""' and not line.endswith(b' ""') and not line.startswith(b"#")
