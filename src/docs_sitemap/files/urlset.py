"""Render sitemaps and their indexes (sitemaps.org 0.9), with the extensions of engines; and as text. Pure.

The prolog, which is XML's term for all before the root element (XML 1.0, 2.8), has comments that record which
files were written together, because text and key files cannot contain comments themselves.
"""

from __future__ import annotations

import gzip
import hashlib
import io
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final
from urllib.parse import unquote

from docs_sitemap.pages.entries import Url
from docs_sitemap.urls import escape_name

# XML 1.0 (fifth edition), production 2, "Char": a document must not contain any other character, not even
# as a reference. These are those that it excludes: a set of all others takes 9 ms to compile in each build.
_NO_CHAR = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")

# `>` because "]]>" is not allowed in text (2.4); `\r` because it would be read back as `\n` (2.11)
_IN_TEXT = str.maketrans(
    {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&apos;", "\r": "&#13;"}
)

# unescaped white space in an attribute would be read back as a space (3.3.3)
_IN_ATTRIBUTE = _IN_TEXT | str.maketrans({"\t": "&#9;", "\n": "&#10;"})


def escape_text(text: str) -> str:
    """Escape a text for an element; characters that XML does not allow become U+FFFD.

    >>> escape_text("a < b")
    'a &lt; b'
    """
    return _NO_CHAR.sub("\ufffd", text).translate(_IN_TEXT)


def escape_attribute(text: str) -> str:
    """Escape a text for an attribute, in quotes of either kind; otherwise like ``escape_text``."""
    return _NO_CHAR.sub("\ufffd", text).translate(_IN_ATTRIBUTE)


DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>'

SIGNATURE: Final = b"<!-- Written by docs-sitemap -->"
"""Marks our files, so that a later build removes only files that an earlier build wrote."""

FOR_THEME: Final = b"<!-- For the theme, which reads URLs in the browser; not for search engines -->"
"""Marks a sitemap that lists pages without dates, beside the one for search engines."""

TAKEN: Final = b"<!-- With what another tool's sitemap said here -->"
"""Marks our files in which something is from a sitemap that was there before."""

UNDATED: Final = b"<!-- Dates are switched off: lastmod is none -->"
"""Marks a sitemap that has no dates on purpose, for ``check``."""

_TEXT = re.compile(rb"<!-- The same as text: ([^\n]*) -->")
_KEY = re.compile(rb"<!-- With the key file of IndexNow: ([0-9a-f]{8}) -->")


def make_prolog(
    stylesheet: str = "",
    text: str = "",
    key: str = "",
    *,
    for_theme: bool = False,
    taken: bool = False,
    undated: bool = False,
) -> str:
    """Return all before the root element, in ASCII.

    ``stylesheet`` is the relative URL of a CSS file; ``text`` the name of the text sitemap written with
    this file, which cannot have a signature; ``key`` the ``key_mark`` of the IndexNow key whose file was
    written with this file. ``for_theme`` adds ``FOR_THEME``, ``taken`` ``TAKEN``, ``undated`` ``UNDATED``.
    """
    marks = ((for_theme, FOR_THEME), (taken, TAKEN), (undated, UNDATED))
    lines = [DECLARATION, SIGNATURE.decode(), *(mark.decode() for is_true, mark in marks if is_true)]
    if key:
        lines.append(f"<!-- With the key file of IndexNow: {key} -->")
    if stylesheet:
        lines.append(f'<?xml-stylesheet type="text/css" href="{escape_attribute(stylesheet)}"?>')
    if text:
        # a comment must not contain two hyphens (XML 1.0, 2.5)
        lines.append(f"<!-- The same as text: {escape_name(text).replace('-', '%2D')} -->")
    return "\n".join([*lines, ""])


BARE: Final = make_prolog()
"""The prolog of a file that is written alone."""


def names_text(head: bytes) -> str:
    """Return the name of the text sitemap that was written with one of our files, or ``""``."""
    found = _TEXT.search(head)
    return unquote(found[1].decode("ascii", "replace")) if found else ""


def key_mark(key: str) -> str:
    """Return a mark that distinguishes a key from others, but does not reveal it.

    32 bits of a hash: millions of keys share each mark.
    """
    return hashlib.sha256(key.encode("ascii")).hexdigest()[:8]


def names_key(head: bytes) -> str:
    """Return the ``key_mark`` of the key whose file was written with one of our files, or ``""``."""
    found = _KEY.search(head)
    return found[1].decode("ascii") if found else ""


def compress(data: bytes) -> bytes:
    """Gzip data without name and time, so that the same zlib gives the same bytes."""
    target = io.BytesIO()
    # GzipFile writes its own header; gzip.compress uses that of zlib, which differs by platform
    with gzip.GzipFile(filename="", mode="wb", compresslevel=9, fileobj=target, mtime=0) as stream:
        stream.write(data)
    return target.getvalue()


def render_text(urls: Iterable[Url]) -> bytes:
    """Return the URLs as UTF-8, each with a line end; the format has no dates or comments."""
    return "".join(f"{url.loc}\n" for url in urls).encode("utf-8")


NAMESPACE: Final = "http://www.sitemaps.org/schemas/sitemap/0.9"  # http, exactly
_XHTML = ' xmlns:xhtml="http://www.w3.org/1999/xhtml"'  # for alternates (Google, "localized versions")
_IMAGE = ' xmlns:image="http://www.google.com/schemas/sitemap-image/1.1"'


@dataclass(frozen=True, slots=True)
class Sitemap:
    """A ``<sitemap>`` in an index. ``loc`` is absolute and encoded; ``lastmod`` is like that of ``Url``."""

    loc: str
    lastmod: str | None = None


def render_urlset(entries: Iterable[str], prolog: str = BARE) -> bytes:
    """Return the document with these entries of ``render_url``; declares only the namespaces in use."""
    text = "".join(entries)
    namespaces = f' xmlns="{NAMESPACE}"'
    namespaces += _IMAGE if "<image:image>" in text else ""
    namespaces += _XHTML if "<xhtml:link " in text else ""
    return f"{prolog}<urlset{namespaces}>\n{text}</urlset>\n".encode("ascii")


def render_url(url: Url) -> str:
    """Return one entry in ASCII, with its elements in the order of the XSD."""
    lastmod = f"    <lastmod>{url.lastmod}</lastmod>\n" if url.lastmod is not None else ""
    return f"  <url>\n    <loc>{_escape(url.loc)}</loc>\n{lastmod}{''.join(_details(url))}  </url>\n"


def _details(url: Url) -> Iterator[str]:
    if url.changefreq is not None:
        yield f"    <changefreq>{url.changefreq}</changefreq>\n"
    if url.priority is not None:
        yield f"    <priority>{format_priority(url.priority)}</priority>\n"
    for alternate in url.alternates:
        href = _escape(alternate.href)
        yield f'    <xhtml:link rel="alternate" hreflang="{alternate.hreflang}" href="{href}"/>\n'
    for image in url.images:
        yield f"    <image:image>\n      <image:loc>{_escape(image)}</image:loc>\n    </image:image>\n"


def _escape(address: str) -> str:
    """Escape an encoded URL for an element or an attribute; only ``&`` and ``'`` need it."""
    return escape_text(address) if "&" in address or "'" in address else address


def render_index(sitemaps: Iterable[Sitemap], prolog: str = BARE) -> bytes:
    """Return the index of several sitemaps, as UTF-8 without BOM."""
    text = f'{prolog}<sitemapindex xmlns="{NAMESPACE}">\n'
    for sitemap in sitemaps:
        lastmod = f"    <lastmod>{sitemap.lastmod}</lastmod>\n" if sitemap.lastmod else ""
        text += f"  <sitemap>\n    <loc>{escape_text(sitemap.loc)}</loc>\n{lastmod}  </sitemap>\n"
    return f"{text}</sitemapindex>\n".encode("ascii")


def format_priority(priority: float) -> str:
    """Format a priority as a plain decimal, ``0.5``: the XSD's decimal has no exponent.

    >>> format_priority(1), format_priority(0.00001)
    ('1.0', '0.00001')
    """
    text = f"{priority:.6f}".rstrip("0")
    return text + "0" if text.endswith(".") else text
