"""Sitemaps as anyone may have written them, read an entry at a time.

The files may be hostile: no entity is resolved, no other file is opened, and none is unpacked beyond
the bytes that the protocol allows. Needs lxml, the extra ``cli``.
"""

from __future__ import annotations

import gzip
import io
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from lxml import etree

from docs_sitemap.errors import DocsSitemapError
from docs_sitemap.limits import MAX_BYTES

_MAX_EVENTS: Final = 50_000
"""Starts and ends of elements in one entry: a page with 1,000 images has some 5,000."""


class SitemapError(DocsSitemapError):
    """A file is no sitemap, or not one that the protocol allows."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One ``<url>``, or ``<sitemap>`` of an index: the address and the date as they are written."""

    kind: str
    loc: str
    lastmod: str | None


def read_entries(file: Path) -> Iterator[Entry]:
    """Yield the entries of a file, perhaps gzipped. Raises ``SitemapError``."""
    try:
        with open(file, "rb") as stream:
            data = stream.read(MAX_BYTES + 1)
    except OSError as problem:
        raise SitemapError(f"{file}: cannot be read: {problem.strerror}.") from None
    yield from parse_entries(unpack(data, str(file)), str(file))


def unpack(data: bytes, name: str) -> bytes:
    """Return data without gzip, as far as the protocol lets a sitemap go."""
    if data[:2] == b"\x1f\x8b":
        try:
            data = gzip.GzipFile(fileobj=io.BytesIO(data)).read(MAX_BYTES + 1)
        except (OSError, EOFError, zlib.error):
            raise SitemapError(f"{name}: its gzip is broken.") from None
    if len(data) > MAX_BYTES:
        raise SitemapError(f"{name}: has more than {MAX_BYTES:,} bytes, which the protocol forbids.")
    return data


def parse_entries(data: bytes, name: str) -> Iterator[Entry]:
    """Yield the entries of a urlset or an index; memory is freed behind each."""
    context = etree.iterparse(
        io.BytesIO(data),
        events=("start", "end"),
        resolve_entities=False,
        no_network=True,
        load_dtd=False,
        huge_tree=False,
        remove_comments=True,
        remove_pis=True,
    )
    root = None
    size = 0
    try:
        for event, element in context:
            tag = etree.QName(element)
            size += 1
            if size > _MAX_EVENTS:
                raise SitemapError(f"{name}: has an entry with too many elements.")
            if root is None:
                root = element
                if root.getroottree().docinfo.internalDTD:
                    raise SitemapError(f"{name}: has a DOCTYPE, which no sitemap needs; it is not read.")
                if tag.localname not in ("urlset", "sitemapindex"):
                    raise SitemapError(f"{name}: is no sitemap; its first element is {tag.localname!a}.")
            elif event == "end" and element.getparent() is root:
                if tag.localname in ("url", "sitemap"):
                    below = f"{{{tag.namespace}}}" if tag.namespace else ""
                    loc = (element.findtext(f"{below}loc") or "").strip()
                    lastmod = (element.findtext(f"{below}lastmod") or "").strip()
                    yield Entry(tag.localname, loc, lastmod or None)
                element.clear()
                # only what lies behind: the parser is ahead, and has later entries there already
                while element.getprevious() is not None:
                    del root[0]
                size = 0
    except etree.LxmlError as problem:
        line = getattr(problem, "lineno", None)
        where = f" (line {line})" if line else ""
        raise SitemapError(f"{name}: is not well-formed XML{where}.") from None
