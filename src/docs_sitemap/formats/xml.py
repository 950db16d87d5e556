"""``<urlset>`` as bytes (sitemaps.org 0.9)."""

from __future__ import annotations

import gzip
import io
from collections.abc import Iterable
from xml.sax.saxutils import escape

from docs_sitemap.urlset import Url

NAMESPACE = "http://www.sitemaps.org/schemas/sitemap/0.9"  # http, exactly

SIGNATURE = b"<!-- Written by docs-sitemap -->"
"""Stands in each of our files, so that a later build removes what it no longer writes and nothing else."""

_ENTITIES = {'"': "&quot;", "'": "&apos;"}  # sitemaps.org, "Entity escaping": these two as well


def render_urlset(entries: Iterable[Url]) -> bytes:
    """Return the document as UTF-8 without BOM; the XSD fixes the order of the elements."""
    lines = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        SIGNATURE.decode(),
        f'<urlset xmlns="{NAMESPACE}">',
    ]
    for url in entries:
        lines.append("  <url>")
        lines.append(f"    <loc>{escape(url.loc, _ENTITIES)}</loc>")
        if url.lastmod is not None:
            lines.append(f"    <lastmod>{escape(url.lastmod)}</lastmod>")
        if url.changefreq is not None:
            lines.append(f"    <changefreq>{url.changefreq}</changefreq>")
        if url.priority is not None:
            lines.append(f"    <priority>{format_priority(url.priority)}</priority>")
        lines.append("  </url>")
    lines.append("</urlset>\n")
    return "\n".join(lines).encode("utf-8")


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


def is_ours(data: bytes) -> bool:
    """Tell whether the start of a file, perhaps gzipped, carries our signature."""
    if data[:2] == b"\x1f\x8b":
        try:
            data = gzip.GzipFile(fileobj=io.BytesIO(data)).read(512)
        except (OSError, EOFError):
            return False
    return SIGNATURE in data[:512]
