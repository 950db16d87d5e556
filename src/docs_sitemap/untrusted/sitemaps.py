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
from typing import Any

from lxml import etree

from docs_sitemap.errors import DocsSitemapError
from docs_sitemap.limits import MAX_BYTES, MAX_ENTRIES, MAX_EVENTS, MAX_URLS
from docs_sitemap.untrusted.files import read_start


class SitemapError(DocsSitemapError):
    """A file is no sitemap, or not one that the protocol allows."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One entry: ``kind`` is ``url``, or ``sitemap`` in an index.

    Address and date are as they are written, without the white space around them.
    """

    kind: str
    loc: str
    lastmod: str | None


def read_bytes(file: Path, below: Path) -> bytes:
    """Return what a regular file in a folder has in it, without gzip. Raises ``SitemapError``."""
    try:
        data = read_start(file, MAX_BYTES + 1, below)
    except OSError as problem:
        raise SitemapError(f"{file}: cannot be read: {problem.strerror}.") from None
    return unpack(data, str(file))


def unpack(data: bytes, name: str) -> bytes:
    """Return data without gzip, as far as the protocol lets a sitemap go. Raises ``SitemapError``."""
    plain = gunzip(data)
    if plain is None:
        raise SitemapError(f"{name}: its gzip is broken.")
    if len(plain) > MAX_BYTES:
        raise too_long(name)
    return plain


def gunzip(data: bytes) -> bytes | None:
    """Return data as they are, or unpacked where they are gzipped, up to ``MAX_BYTES`` and one byte.

    ``None`` where they are broken.
    """
    if data[:2] != b"\x1f\x8b":
        return data
    try:
        with gzip.GzipFile(fileobj=io.BytesIO(data)) as stream:
            return stream.read(MAX_BYTES + 1)
    except (OSError, EOFError, zlib.error):
        return None


def too_long(name: str) -> SitemapError:
    """Return the error for a sitemap that is larger than the protocol allows."""
    return SitemapError(f"{name}: has more than {MAX_BYTES:,} bytes, which the protocol forbids.")


def iterparse(data: bytes) -> Any:
    """Return lxml's parser over XML that may be hostile: an iterator over starts and ends of elements.

    No entity is resolved, nothing is loaded, and depth and length of text have libxml2's limits.
    Comments and processing instructions are left out: a file may have nothing else.
    """
    return etree.iterparse(
        io.BytesIO(data),
        events=("start", "end"),
        resolve_entities=False,
        no_network=True,
        load_dtd=False,
        huge_tree=False,
        remove_comments=True,
        remove_pis=True,
    )


def parse_entries(data: bytes, name: str) -> Iterator[Entry]:
    """Yield the entries of a urlset or an index; memory is freed behind each. Raises ``SitemapError``."""
    root = None
    size = entries = 0
    try:
        for event, element in iterparse(data):
            size += 1
            if size > MAX_EVENTS:
                raise SitemapError(f"{name}: has an entry with too many elements.")
            if root is None:
                root = element
                _check_root(root, name)
            elif event == "end" and element.getparent() is root:
                entries += 1
                if entries > MAX_ENTRIES:
                    text = f"has more than {MAX_ENTRIES:,} entries; the protocol allows {MAX_URLS:,}"
                    raise SitemapError(f"{name}: {text}.")
                yield from _entry(element)
                element.clear()
                # only what lies behind: the parser is ahead, and has later entries there already
                while element.getprevious() is not None:
                    del root[0]
                size = 0
    except etree.LxmlError as problem:
        line = getattr(problem, "lineno", None)
        where = f" (line {line})" if line else ""
        raise SitemapError(f"{name}: is not well-formed XML{where}.") from None


def _check_root(root: Any, name: str) -> None:
    if root.getroottree().docinfo.internalDTD:
        raise SitemapError(f"{name}: has a DOCTYPE, which no sitemap needs; it is not read.")
    first = _parts(root.tag)[1]
    if first not in ("urlset", "sitemapindex"):
        raise SitemapError(f"{name}: is no sitemap; its first element is {first!a}.")


def _entry(element: Any) -> Iterator[Entry]:
    """Yield an entry whose namespace may be any: many sitemaps have a wrong one."""
    start, name = _parts(element.tag)
    if name in ("url", "sitemap"):
        found = dict.fromkeys(("loc", "lastmod"), "")
        for child in reversed(element):  # of several, the first counts
            below, part = _parts(child.tag)
            if below == start and part in found:
                found[part] = (child.text or "").strip()
        yield Entry(name, found["loc"], found["lastmod"] or None)


def _parts(tag: str) -> tuple[str, str]:
    """Return a namespace in braces, and a name; lxml's own functions refuse a namespace with braces."""
    start, brace, name = tag.rpartition("}")
    return start + brace, name
