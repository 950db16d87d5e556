"""``<urlset>`` and ``<sitemapindex>`` as bytes (sitemaps.org 0.9), with the extensions of engines."""

from __future__ import annotations

import gzip
import hashlib
import io
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from operator import attrgetter
from urllib.parse import unquote

from docs_sitemap.formats.escaping import escape_attribute, escape_text
from docs_sitemap.limits import MAX_BYTES
from docs_sitemap.timestamps import newest_date
from docs_sitemap.urls import escape_name
from docs_sitemap.urlset import Url, alternates_of

NAMESPACE = "http://www.sitemaps.org/schemas/sitemap/0.9"  # http, exactly
_XHTML = ' xmlns:xhtml="http://www.w3.org/1999/xhtml"'  # for alternates (Google, "localized versions")
_IMAGE = ' xmlns:image="http://www.google.com/schemas/sitemap-image/1.1"'

SIGNATURE = b"<!-- Written by docs-sitemap -->"
"""Stands in each of our files, so that a later build removes what it no longer writes and nothing else."""

_TEXT = re.compile(rb"<!-- The same as text: ([^\n]*) -->")
_KEY = re.compile(rb"<!-- With the key file of IndexNow: ([0-9a-f]{8}) -->")


@dataclass(frozen=True, slots=True)
class Head:
    """What stands above the entries of a file.

    ``stylesheet`` is the address of a CSS file from there, or empty; ``text`` the name of the text
    sitemap that was written beside it, which can carry no signature itself, or empty; and ``key`` the
    ``key_mark`` of the IndexNow key whose file was, or empty.
    """

    stylesheet: str = ""
    text: str = ""
    key: str = ""


@dataclass(frozen=True, slots=True)
class Sitemap:
    """One ``<sitemap>`` of an index. ``loc`` is absolute and encoded; ``lastmod`` as that of a ``Url``."""

    loc: str
    lastmod: str | None = None


class Urlset:
    """A ``<urlset>`` that grows by and by; it keeps its entries as bytes only."""

    def __init__(self) -> None:
        self.newest: str | None = None
        """The newest lastmod of its entries, as it is written there."""
        self._entries = bytearray()
        self._namespaces: set[str] = set()

    def add(self, urls: Sequence[Url]) -> None:
        """Add entries behind those that are there."""
        self._entries += "".join(map(render_url, urls)).encode("ascii")
        self.newest = newest_date([self.newest, *map(attrgetter("lastmod"), urls)])
        self._namespaces |= _extensions(urls)

    def render(self, head: Head) -> bytes:
        """Return the document as UTF-8 without BOM; a namespace is declared only where it is used."""
        return b"".join([_urlset_start(head, self._namespaces), self._entries, _URLSET_END])


_URLSET_END = b"</urlset>\n"


def _urlset_start(head: Head, extensions: Iterable[str]) -> bytes:
    namespaces = "".join([f' xmlns="{NAMESPACE}"', *sorted(extensions)])
    return "".join([*_head(head), f"<urlset{namespaces}>\n"]).encode("ascii")


def _extensions(urls: Sequence[Url]) -> set[str]:
    """Return the namespaces that entries need beside the protocol's own."""
    found = {_XHTML} if any(map(alternates_of, urls)) else set()
    return found | {_IMAGE} if any(map(attrgetter("images"), urls)) else found


def render_urlset(urls: Sequence[Url], head: Head = Head()) -> bytes:
    """Return the document of these entries; the XSD fixes the order of the elements in each."""
    urlset = Urlset()
    urlset.add(urls)
    return urlset.render(head)


def render_url(url: Url) -> str:
    """Return one entry. Its addresses are in ASCII, so its length in characters is that in bytes."""
    loc = _escape(url.loc)
    more = ""
    if url.changefreq is not None or url.priority is not None or url.alternates or url.images:
        more = "".join(_details(url))
    if url.lastmod is None:
        return f"  <url>\n    <loc>{loc}</loc>\n{more}  </url>\n"
    return f"  <url>\n    <loc>{loc}</loc>\n    <lastmod>{url.lastmod}</lastmod>\n{more}  </url>\n"


def _details(url: Url) -> Iterator[str]:
    if url.changefreq is not None:
        yield f"    <changefreq>{url.changefreq}</changefreq>\n"
    if url.priority is not None:
        yield f"    <priority>{format_priority(url.priority)}</priority>\n"
    for alternate in alternates_of(url):
        href = _escape(alternate.href)
        yield f'    <xhtml:link rel="alternate" hreflang="{alternate.hreflang}" href="{href}"/>\n'
    for image in url.images:
        yield f"    <image:image>\n      <image:loc>{_escape(image)}</image:loc>\n    </image:image>\n"


def _escape(address: str) -> str:
    """Escape an encoded address, for an element or an attribute: that is all that can stand in it."""
    return escape_text(address) if "&" in address or "'" in address else address


def render_index(sitemaps: Iterable[Sitemap], head: Head = Head()) -> bytes:
    """Return the index of the parts of a split sitemap, as UTF-8 without BOM."""
    entries = map(render_sitemap, sitemaps)
    start = f'<sitemapindex xmlns="{NAMESPACE}">\n'
    return "".join([*_head(head), start, *entries, "</sitemapindex>\n"]).encode("ascii")


def render_sitemap(sitemap: Sitemap) -> str:
    """Return one entry of an index."""
    lastmod = f"    <lastmod>{sitemap.lastmod}</lastmod>\n" if sitemap.lastmod else ""
    return f"  <sitemap>\n    <loc>{escape_text(sitemap.loc)}</loc>\n{lastmod}  </sitemap>\n"


def room_for_entries(urls: Sequence[Url], head: Head) -> int:
    """Return the bytes of a file that its entries may fill, of whichever of the URLs they are."""
    return MAX_BYTES - len(_urlset_start(head, _extensions(urls)) + _URLSET_END)


def room_for_sitemaps(head: Head) -> int:
    """Return the bytes of an index that its entries may fill."""
    return MAX_BYTES - len(render_index((), head))


def may_exceed(urls: Sequence[Url], number: int, room: int) -> bool:
    """Tell whether any so many of the URLs may need more bytes than that; cheap, and sure only for no."""
    if any(map(attrgetter("alternates"), urls)) or any(map(attrgetter("images"), urls)):
        return True
    longest = max(map(len, map(attrgetter("loc"), urls)), default=0)
    # an apostrophe takes the most bytes, and dates by hand may have a fraction of any length
    most = max((len(url.lastmod) for url in urls if url.lastmod), default=0)
    return number * len(render_url(Url("'" * longest, "9" * most, "monthly", 0.123456))) > room


def _head(head: Head) -> Iterator[str]:
    yield '<?xml version="1.0" encoding="UTF-8"?>\n'
    yield SIGNATURE.decode() + "\n"
    if head.key:
        yield f"<!-- With the key file of IndexNow: {head.key} -->\n"
    if head.stylesheet:
        yield f'<?xml-stylesheet type="text/css" href="{escape_attribute(head.stylesheet)}"?>\n'
    if head.text:
        # two hyphens may not stand in a comment (XML 1.0, 2.5)
        yield f"<!-- The same as text: {escape_name(head.text).replace('-', '%2D')} -->\n"


def names_text(head: bytes) -> str:
    """Return the name of the text sitemap that a file of ours says was written beside it, or ``""``."""
    found = _TEXT.search(head)
    return unquote(found[1].decode("ascii", "replace")) if found else ""


def key_mark(key: str) -> str:
    """Return what tells a key from any other that may lie in its place, and not what the key is.

    32 bits of a hash: millions of keys have the same.
    """
    return hashlib.sha256(key.encode("ascii")).hexdigest()[:8]


def names_key(head: bytes) -> str:
    """Return the ``key_mark`` of the key whose file was written beside a file of ours, or ``""``."""
    found = _KEY.search(head)
    return found[1].decode("ascii") if found else ""


def format_priority(priority: float) -> str:
    """Return a priority in plain decimals, ``0.5``: the XSD's decimal knows no exponent."""
    text = f"{priority:.6f}".rstrip("0")
    return text + "0" if text.endswith(".") else text


def compress(data: bytes) -> bytes:
    """Return the data gzipped, without name and time: the same bytes for the same zlib."""
    target = io.BytesIO()
    # GzipFile writes its header itself; gzip.compress leaves that to zlib, which differs by platform
    with gzip.GzipFile(filename="", mode="wb", compresslevel=9, fileobj=target, mtime=0) as stream:
        stream.write(data)
    return target.getvalue()
