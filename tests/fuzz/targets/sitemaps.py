"""Sitemaps of any form, as ``check``, ``submit`` and ``index`` read them."""

from __future__ import annotations

import gzip
from contextlib import suppress

from docs_sitemap.check.parsing import read_document
from docs_sitemap.submit import reading
from docs_sitemap.submit.failure import SubmitError
from docs_sitemap.untrusted.sitemaps import SitemapError, parse_entries, unpack

_START = b'<?xml version="1.0" encoding="UTF-8"?>\n'
_NS = b'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"'

SEEDS = [
    _START
    + b"<urlset "
    + _NS
    + b">\n<url><loc>https://a.org/</loc><lastmod>2026-01-02</lastmod></url>\n</urlset>\n",
    _START + b"<sitemapindex " + _NS + b"><sitemap><loc>https://a.org/s.xml</loc></sitemap></sitemapindex>",
    b"<urlset " + _NS + b' xmlns:x="http://www.w3.org/1999/xhtml"><url><loc>https://a.org/</loc>'
    b'<x:link rel="alternate" hreflang="de" href="https://a.org/de/"/><priority>0.5</priority></url></urlset>',
    b"<urlset "
    + _NS
    + b' xmlns:i="http://www.google.com/schemas/sitemap-image/1.1"><url><loc>https://a.org/</loc>'
    b"<i:image><i:loc>https://a.org/a.png</i:loc><i:title>a &amp; b</i:title></i:image></url></urlset>",
    b'<?xml-stylesheet type="text/xsl" href="a.xsl"?><!-- a --><urlset/>',
    b'<!DOCTYPE a [<!ENTITY b "bbbb"><!ENTITY c "&b;&b;">]><urlset>&c;</urlset>',
    b'<rss version="2.0"><channel><title>a</title><item><link>https://a.org/</link></item></channel></rss>',
    b'<feed xmlns="http://www.w3.org/2005/Atom"><entry><link href="https://a.org/"/></entry></feed>',
    b"\xef\xbb\xbfhttps://a.org/\r\nhttps://a.org/b/\n",
    gzip.compress(b"https://a.org/\n", mtime=0),
]


def read(data: bytes) -> None:
    """Read an input as XML and as text, whatever it is."""
    for name in ("sitemap.xml", "sitemap.txt", "sitemap.xml.gz"):
        read_document(name, data)
    with suppress(SitemapError):
        plain = unpack(data, "a")
        list(parse_entries(plain, "a"))
    with suppress(SitemapError, SubmitError):
        reading._parse(data, "a")
