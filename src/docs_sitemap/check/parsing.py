"""Parse bytes into a ``Document``: a sitemap, an index, text or a feed, gzipped or not, from any generator.

Never reads more than the protocol allows, expands entities or opens another file.
"""

from __future__ import annotations

import codecs
import re

from lxml import etree

from docs_sitemap.check.document import Document, Entry, Problem
from docs_sitemap.check.elements import XmlReader
from docs_sitemap.files.formats import FOR_THEME, SIGNATURE
from docs_sitemap.limits import MAX_BYTES, MAX_SITEMAPS, MAX_URLS
from docs_sitemap.untrusted.sitemaps import DECLARED, gunzip, read_prolog, starts_as_xml


def read_document(name: str, data: bytes) -> Document:
    """Parse a file's bytes, which a caller may cut after ``MAX_BYTES + 1``."""
    document = Document(name)
    plain = gunzip(data)
    if plain is None:
        document.refuse("F6", "the gzip file is broken: it cannot be decompressed to its end")
        return document
    if name.endswith(".gz") and plain is data:
        document.problems.append(Problem("F6", "the name ends with .gz, but the file is not gzipped"))
    if len(plain) > MAX_BYTES:
        document.refuse("F3", f"more than {MAX_BYTES:,} bytes uncompressed: split it and add an index")
        return document
    if plain.startswith(codecs.BOM_UTF8):
        plain = plain.removeprefix(codecs.BOM_UTF8)
        document.problems.append(Problem("F4", "starts with a byte order mark", level="warning"))
    try:
        plain.decode()
    except UnicodeDecodeError as problem:
        line = plain.count(b"\n", 0, problem.start) + 1
        document.refuse("F4", f"is not UTF-8: byte 0x{plain[problem.start]:02x}", line)
    else:
        document.signed = SIGNATURE in plain[:4096]
        document.for_theme = FOR_THEME in plain[:4096]
        if re.search(r"\.txt(\.gz)?\Z", name):
            _read_text(document, plain)
        else:
            _read_xml(document, plain)
    _check_counts(document)
    return document


def _read_text(document: Document, data: bytes) -> None:
    document.kind = "text"
    for number, line in enumerate(data.splitlines(), 1):
        if loc := line.decode().strip():
            document.entries.append(Entry(loc, line=number))
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
