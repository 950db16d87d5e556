"""Parse bytes into a ``Document``: a sitemap, an index, text or a feed, gzipped or not, from any generator.

Never reads more than the protocol allows, expands entities or opens another file.
"""

from __future__ import annotations

import codecs
import re
from typing import Final

from lxml import etree

from docs_sitemap.check.document import Document, Entry, Problem
from docs_sitemap.check.elements import XmlReader
from docs_sitemap.files.formats import FOR_THEME, SIGNATURE
from docs_sitemap.limits import MAX_BYTES, MAX_LINES, MAX_SITE, MAX_SITEMAPS, MAX_URLS
from docs_sitemap.untrusted.sitemaps import DECLARED, gunzip, lines_of, read_prolog, starts_as_xml, text_of

_BOM: Final = b"\xef\xbb\xbf"
_PIECE: Final = 1 << 20


def read_document(name: str, data: bytes, most: int = MAX_SITE) -> Document:
    """Parse a file's bytes, up to a weight of ``most``; a caller may cut them after ``MAX_BYTES + 1``."""
    document = Document(name, most=most)
    plain, document.size = gunzip(data)
    if plain is None:
        document.refuse("F6", "the gzip file is broken: it cannot be decompressed to its end")
        return document
    if name.endswith(".gz") and plain is data:
        document.problems.append(Problem("F6", "the name ends with .gz, but the file is not gzipped"))
    if len(plain) > MAX_BYTES:
        document.refuse("F3", f"more than {MAX_BYTES:,} bytes uncompressed: split it and add an index")
        return document
    text = _as_utf8(document, plain)
    if text is not None:
        document.signed = SIGNATURE in text[:4096]
        document.for_theme = FOR_THEME in text[:4096]
        if re.search(r"\.txt(\.gz)?\Z", name):
            _read_text(document, text)
        else:
            _read_xml(document, text)
    _check_counts(document)
    return document


def _as_utf8(document: Document, data: bytes) -> bytes | None:
    """Return the text without a byte order mark, or ``None`` if it is not UTF-8."""
    if data.startswith(_BOM):
        data = data[len(_BOM) :]
        document.problems.append(Problem("F4", "starts with a byte order mark", level="warning"))
    at = _invalid(data)
    if at is not None:
        line = data.count(b"\n", 0, at) + 1
        document.refuse("F4", f"is not UTF-8: byte 0x{data[at]:02x}", line)
        return None
    return data


def _invalid(data: bytes) -> int | None:
    """Return the offset of the first byte that is not UTF-8."""
    at = 0  # in pieces: one character may make the whole text take four times its bytes
    while at < len(data):
        piece = data[at : at + _PIECE]
        try:
            at += codecs.utf_8_decode(piece, "strict", at + _PIECE >= len(data))[1]
        except UnicodeDecodeError as problem:
            return at + problem.start
    return None


def _read_text(document: Document, data: bytes) -> None:
    document.kind = "text"
    for number, line in lines_of(data):
        if number > MAX_LINES:
            document.refuse("F2", f"more than {MAX_LINES:,} lines: the rest is not read")
            break
        if loc := text_of(line):
            document.add([Entry(loc, line=number)])
        if document.is_full:
            break


def _check_counts(document: Document) -> None:
    what, most = ("sitemaps", MAX_SITEMAPS) if document.kind == "index" else ("URLs", MAX_URLS)
    if document.kind in ("urlset", "index", "text") and document.is_full:
        document.problems.append(Problem("F2", f"more than {most:,} {what}: the rest is not read"))
    if document.kind and document.whole and not document.entries:
        document.problems.append(
            Problem("F5", f"no entries: write no file rather than an empty {document.kind}")
        )


def _read_xml(document: Document, data: bytes) -> None:
    if not starts_as_xml(data):
        document.refuse("F1", "is not well-formed XML: it does not start with < in UTF-8")
        return
    document.xslt, has_doctype = read_prolog(data)
    if has_doctype:
        document.refuse(
            "F4", "has a DOCTYPE, which sitemaps do not need and parsers refuse: the rest is not read"
        )
        return
    declared = DECLARED.match(data)
    if declared and declared[1].lower() not in (b"utf-8", b"utf8", b"us-ascii"):
        encoding = declared[1].decode("ascii", "replace")
        document.refuse("F4", f"declares the encoding {encoding}, but must be UTF-8")
        return
    try:
        XmlReader(document).read(data)
    except etree.LxmlSyntaxError as problem:
        document.refuse("F1", f"is not well-formed XML: {problem.msg}", problem.lineno or None)
