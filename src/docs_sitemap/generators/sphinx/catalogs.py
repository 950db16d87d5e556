"""Tell whether a message catalog, compiled (``.mo``) or not, translates anything."""

from __future__ import annotations

import io
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import IO, Final

from docs_sitemap.limits import MAX_CATALOG
from docs_sitemap.untrusted import open_plain, read_start

_LONGEST: Final = 1 << 16


def has_messages(catalog: Path) -> bool:
    """Tell whether the compiled catalog, which Sphinx reads, translates any message."""
    try:
        head = read_start(catalog.with_suffix(".mo"), 12)
    except OSError:
        return False
    # GNU gettext, "MO file format": the number of messages, in the byte order of the magic number
    number = head[8:12] if head[:4] == b"\x95\x04\x12\xde" else head[11:7:-1]
    return int.from_bytes(number, "big") > 1  # the first is the header


def translates(catalog: Path, fuzzy: bool) -> bool:
    """Tell whether an uncompiled catalog translates any message; ``fuzzy`` says whether fuzzy ones count.

    Only the build of the catalog's language compiles it. Reading stops at the first translated message:
    reading all catalogs of many languages would take longer than the build.
    """
    is_text = is_message = is_doubtful = False
    with suppress(OSError), open_plain(catalog) as plain, io.BufferedReader(plain) as stream:
        for line in map(bytes.strip, _lines(stream)):
            if is_text and not line.startswith((b'"', b"msgstr")):
                is_text = is_message = is_doubtful = False  # the entry has ended
            if line.startswith(b"#,"):
                is_doubtful |= b"fuzzy" in line
            is_text |= line.startswith(b"msgstr")
            if not _has_words(line):
                continue
            if is_text and is_message and (fuzzy or not is_doubtful):
                return True
            is_message |= not is_text
    return False


def _lines(stream: IO[bytes]) -> Iterator[bytes]:
    """Yield the lines of a catalog, up to the limit; split lines longer than ``_LONGEST``."""
    left = MAX_CATALOG
    while left > 0 and (line := stream.readline(min(_LONGEST, left))):
        left -= len(line)
        yield line


def _has_words(line: bytes) -> bool:
    """Tell whether a line has a non-empty string, and is not a comment."""
    return line.endswith(b'"') and line != b'""' and not line.endswith(b' ""') and not line.startswith(b"#")
