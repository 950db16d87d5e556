"""Render ``<urlset>`` and ``<sitemapindex>`` (sitemaps.org 0.9), with the extensions of engines."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from operator import attrgetter

from docs_sitemap.files.formats.escaping import escape_text
from docs_sitemap.files.formats.prolog import BARE, Prolog
from docs_sitemap.limits import MAX_BYTES
from docs_sitemap.pages import Url, alternates_of

NAMESPACE = "http://www.sitemaps.org/schemas/sitemap/0.9"  # http, exactly
_XHTML = ' xmlns:xhtml="http://www.w3.org/1999/xhtml"'  # for alternates (Google, "localized versions")
_IMAGE = ' xmlns:image="http://www.google.com/schemas/sitemap-image/1.1"'


@dataclass(frozen=True, slots=True)
class Sitemap:
    """A ``<sitemap>`` in an index. ``loc`` is absolute and encoded; ``lastmod`` is like that of ``Url``."""

    loc: str
    lastmod: str | None = None


_URLSET_END = b"</urlset>\n"


def _urlset_start(prolog: Prolog, extensions: Iterable[str]) -> bytes:
    namespaces = "".join([f' xmlns="{NAMESPACE}"', *sorted(extensions)])
    return "".join([*prolog.lines(), f"<urlset{namespaces}>\n"]).encode("ascii")


def _extensions(urls: Sequence[Url]) -> set[str]:
    found = {_XHTML} if any(map(alternates_of, urls)) else set()
    return found | {_IMAGE} if any(map(attrgetter("images"), urls)) else found


def render_urlset(urls: Sequence[Url], prolog: Prolog = BARE) -> bytes:
    """Return the document as UTF-8 without BOM; declares only the namespaces in use."""
    entries = "".join(map(render_url, urls)).encode("ascii")
    return b"".join([_urlset_start(prolog, _extensions(urls)), entries, _URLSET_END])


def render_url(url: Url) -> str:
    """Return one entry, with its elements in the order of the XSD.

    It is ASCII, so its length in characters is its length in bytes.
    """
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
    """Escape an encoded URL for an element or an attribute; only ``&`` and ``'`` need it."""
    return escape_text(address) if "&" in address or "'" in address else address


def render_index(sitemaps: Iterable[Sitemap], prolog: Prolog = BARE) -> bytes:
    """Return the index of the parts of a split sitemap, as UTF-8 without BOM."""
    entries = map(render_sitemap, sitemaps)
    start = f'<sitemapindex xmlns="{NAMESPACE}">\n'
    return "".join([*prolog.lines(), start, *entries, "</sitemapindex>\n"]).encode("ascii")


def render_sitemap(sitemap: Sitemap) -> str:
    """Return one entry of an index."""
    lastmod = f"    <lastmod>{sitemap.lastmod}</lastmod>\n" if sitemap.lastmod else ""
    return f"  <sitemap>\n    <loc>{escape_text(sitemap.loc)}</loc>\n{lastmod}  </sitemap>\n"


def room_for_entries(urls: Sequence[Url], prolog: Prolog) -> int:
    """Return how many bytes of a file its entries may fill, whichever URLs they are."""
    return MAX_BYTES - len(_urlset_start(prolog, _extensions(urls)) + _URLSET_END)


def room_for_sitemaps(prolog: Prolog) -> int:
    """Return how many bytes of an index its entries may fill."""
    return MAX_BYTES - len(render_index((), prolog))


def may_exceed(urls: Sequence[Url], number: int, room: int) -> bool:
    """Tell whether ``number`` of the URLs may need more than ``room`` bytes; only ``False`` is certain."""
    if any(map(attrgetter("alternates"), urls)) or any(map(attrgetter("images"), urls)):
        return True
    longest = max(map(len, map(attrgetter("loc"), urls)), default=0)
    # an apostrophe takes the most bytes, and dates set by authors may have a fraction of any length
    most = max((len(url.lastmod) for url in urls if url.lastmod), default=0)
    return number * len(render_url(Url("'" * longest, "9" * most, "monthly", 0.123456))) > room


def format_priority(priority: float) -> str:
    """Format a priority as a plain decimal, ``0.5``: the XSD's decimal has no exponent.

    >>> format_priority(1), format_priority(0.00001)
    ('1.0', '0.00001')
    """
    text = f"{priority:.6f}".rstrip("0")
    return text + "0" if text.endswith(".") else text
