"""Whether a message catalog translates anything: one that is compiled (``.mo``), and one that is not."""

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
    """Tell from the compiled catalog, the one that Sphinx reads, whether any message is translated."""
    try:
        head = read_start(catalog.with_suffix(".mo"), 12)
    except OSError:
        return False
    # GNU gettext, "MO file format": the number, in the byte order of the magic one
    number = head[8:12] if head[:4] == b"\x95\x04\x12\xde" else head[11:7:-1]
    return int.from_bytes(number, "big") > 1  # the first is the header


def translates(catalog: Path, fuzzy: bool) -> bool:
    """Tell from the catalog itself whether it translates any message; ``fuzzy`` ones count where asked.

    Only the build of its own language compiles it. Reading ends at the first such message: whole
    catalogs of many languages would take longer than the build.
    """
    is_text = is_message = is_doubtful = False
    with suppress(OSError), open_plain(catalog) as plain, io.BufferedReader(plain) as stream:
        for line in map(bytes.strip, _lines(stream)):
            if is_text and not line.startswith((b'"', b"msgstr")):
                is_text = is_message = is_doubtful = False  # the entry is at its end
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
    """Yield the lines of a catalog, up to the limit; one that is larger in pieces of that size."""
    left = MAX_CATALOG
    while left > 0 and (line := stream.readline(min(_LONGEST, left))):
        left -= len(line)
        yield line


def _has_words(line: bytes) -> bool:
    """Tell whether a line has a text that is not empty; those of comments are none."""
    return line.endswith(b'"') and line != b'""' and not line.endswith(b' ""') and not line.startswith(b"#")
