"""Reads sitemaps from any source, one entry at a time.

No entity is resolved, no other file is opened, and no more is unpacked than the bytes that the protocol
allows. Needs lxml, the extra ``cli``.
"""

from __future__ import annotations

import codecs
import gzip
import io
import re
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from lxml import etree

from docs_sitemap.brief import brief, shown
from docs_sitemap.errors import DocsSitemapError
from docs_sitemap.limits import MAX_BYTES, MAX_PATH
from docs_sitemap.untrusted.files import read_start

_PROLOG: Final = re.compile(
    rb"(?>\s++|<\?(?!xml-stylesheet\s).*?\?>|<!--.*?-->)*+", re.DOTALL | re.IGNORECASE
)
_STYLESHEET: Final = re.compile(rb"<\?xml-stylesheet\s(.*?)\?>", re.DOTALL | re.IGNORECASE)
DECLARED: Final = re.compile(rb"<\?xml[^>]*?encoding\s*=\s*[\"']([^\"']{0,100})")
"""The encoding that an XML declaration names, or the start of a long text in its place."""

_START: Final = re.compile(rb"[\t\n\r ]*+(?:<|\Z)")

_WIDE: Final = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
_WITH_ASCII: Final = re.compile(rb"utf-?8|us-ascii|iso-8859-\d+|latin-?1|windows-125\d", re.IGNORECASE)
"""Encodings in which a DOCTYPE is written in ASCII."""


class SitemapError(DocsSitemapError):
    """A file is not a sitemap, or not one that the protocol allows; the text has no final period."""

    def __init__(self, name: str, text: str) -> None:
        super().__init__(f"{shown(name, MAX_PATH)}: {text}.")


@dataclass(frozen=True, slots=True)
class Entry:
    """One entry: ``kind`` is ``url``, or ``sitemap`` in an index.

    ``loc`` and ``lastmod`` are as written, without surrounding white space.
    """

    kind: str
    loc: str
    lastmod: str | None


def read_bytes(file: Path, below: Path | None = None) -> bytes:
    """Return the content of a regular file, unpacked if gzipped, as ``read_start``.

    Raises ``SitemapError``.
    """
    try:
        data = read_start(file, MAX_BYTES + 1, below)
    except OSError as problem:
        raise SitemapError(str(file), f"cannot be read: {problem.strerror}") from None
    return unpack(data, str(file))


def unpack(data: bytes, name: str) -> bytes:
    """Return data, unpacked if gzipped.

    Raises ``SitemapError`` if they are broken or larger than the protocol allows.
    """
    plain = gunzip(data)
    if plain is None:
        raise SitemapError(name, "is not a valid gzip file")
    if len(plain) > MAX_BYTES:
        raise too_long(name)
    return plain


GZIP_MAGIC: Final = b"\x1f\x8b"
"""The first bytes of a gzip member (RFC 1952, 2.3.1)."""


def gunzip(data: bytes, most: int = MAX_BYTES) -> bytes | None:
    """Return data as they are, or at most ``most + 1`` unpacked bytes of gzipped data.

    ``None`` if they are broken.
    """
    if data[:2] != GZIP_MAGIC:
        return data
    try:
        with gzip.open(io.BytesIO(data)) as stream:
            return stream.read(most + 1)
    except (OSError, EOFError, zlib.error):
        return None


def too_long(name: str) -> SitemapError:
    """Return the error for a sitemap that is larger than the protocol allows."""
    return SitemapError(name, f"has more than {MAX_BYTES:,} bytes, which the protocol forbids")


def iterparse(data: bytes) -> Iterator[tuple[str, Any]]:
    """Parse XML of others: yield the starts and ends of elements as lxml does.

    No entity is resolved, nothing is loaded, and libxml2's limits for depth and length of text apply.
    Comments and processing instructions are left out.
    """
    yield from etree.iterparse(
        io.BytesIO(data),
        events=("start", "end"),
        resolve_entities=False,
        no_network=True,
        load_dtd=False,
        huge_tree=False,
        remove_comments=True,
        remove_pis=True,
    )


def starts_as_xml(data: bytes) -> bool:
    """Return whether text in UTF-8, without its byte order mark, starts as XML does.

    libxml2 takes zeros for another encoding, and removes a second mark: it would then read what is not seen
    here.
    """
    return _START.match(data) is not None and b"\0" not in data[:4]


def read_prolog(data: bytes) -> tuple[bool, bool]:
    """Tell whether there is an XSL stylesheet before the first element, and whether there is a DOCTYPE.

    The data must start as XML does: see ``starts_as_xml``.
    """
    at, has_xslt = 0, False
    while True:
        before = _PROLOG.match(data, at)
        at = before.end() if before else at
        stylesheet = _STYLESHEET.match(data, at)
        if not stylesheet:
            return has_xslt, data[at : at + 9].upper() == b"<!DOCTYPE"
        at = stylesheet.end()
        has_xslt = has_xslt or b"xsl" in stylesheet[1].lower()


def _check_start(data: bytes, name: str) -> None:
    """Raise ``SitemapError`` for a DOCTYPE before libxml2 reads it."""
    is_wide = data[:2] in _WIDE
    try:
        start = data.decode("utf-16").encode() if is_wide else data.removeprefix(codecs.BOM_UTF8)
    except UnicodeDecodeError:
        raise SitemapError(name, "is not well-formed XML: expected UTF-16") from None
    declared = DECLARED.match(start)
    is_known = is_wide or not declared or _WITH_ASCII.fullmatch(declared[1])
    if not is_known or b"\0" in start[:4]:
        raise SitemapError(name, "is not UTF-8, which the protocol requires")
    if not starts_as_xml(start):
        raise SitemapError(name, "is not well-formed XML: it does not start with <")
    if read_prolog(start)[1]:
        raise SitemapError(name, "has a DOCTYPE, which no sitemap needs; the file is ignored")


def parse_entries(data: bytes, name: str) -> Iterator[Entry]:
    """Yield the entries of a urlset or an index; frees the memory of each. Raises ``SitemapError``."""
    _check_start(data, name)
    root = None
    try:
        for event, element in iterparse(data):
            if root is None:
                root = element
                _check_root(root, name)
            elif event == "end" and element.getparent() is root:
                yield from _entry(element)
                element.clear()
                # only earlier siblings: the parser is ahead and has already added later entries
                while element.getprevious() is not None:
                    del root[0]
    except etree.LxmlError as problem:
        line = getattr(problem, "lineno", None)
        where = f" (line {line})" if line else ""
        what = f"is not well-formed XML{where}: {shown(str(getattr(problem, 'msg', problem)))}"
        raise SitemapError(name, what) from None


def _check_root(root: Any, name: str) -> None:
    first = _parts(root.tag)[1]
    if first not in ("urlset", "sitemapindex"):
        raise SitemapError(name, f"is not a sitemap; its first element is {brief(first)}")


def _entry(element: Any) -> Iterator[Entry]:
    """Yield an entry in any namespace: many sitemaps have a wrong one."""
    start, name = _parts(element.tag)
    if name in ("url", "sitemap"):
        found = dict.fromkeys(("loc", "lastmod"), "")
        for child in reversed(element):  # the first of several wins
            below, part = _parts(child.tag)
            if below == start and part in found:
                found[part] = (child.text or "").strip()
        yield Entry(name, found["loc"], found["lastmod"] or None)


def _parts(tag: str) -> tuple[str, str]:
    """Return a namespace in braces and a name; lxml's own functions refuse braces in a namespace."""
    start, brace, name = tag.rpartition("}")
    return start + brace, name
