"""Pages, as builds and ``check`` read them."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

from docs_sitemap.untrusted import html

_FOLDER = TemporaryDirectory()
_PAGE = Path(_FOLDER.name, "page.html")
_BASE = "https://a.org/"

SEEDS = [
    b'<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>A &amp; B</title>'
    b'<link rel="canonical" href="https://a.org/"><meta name="robots" content="noindex, follow"></head>'
    b'<body><h1>A<a class="headerlink" href="#a">#</a></h1><a href="b/">b</a></body></html>',
    b'<html><head><meta http-equiv="refresh" content="0; url=a/"><noscript><base href="/"></noscript></head>',
    b'<html><head><link rel="alternate" hreflang="de" href="/de/"><!-- <meta> --></head><body>',
    b"<html><head><script>if (a < b) '</head>'</script><style>a > b {}</style></head><body class=a>",
    b"<html><body><template><meta http-equiv=refresh content='0;url=a'></template><![if IE]><textarea>",
    b"<html><body><main role=main><img src='../a.png'><nav><img src=b></nav><a href='&#x2e;&amp;b'></main>",
    b"<html><body><div id=search-results></div><input type=search name=q><h1><!-- b --><script>c</script>",
    b"<svg><title>a</title></svg><!--[if a]><![endif]--><meta name=description content='a'>",
]


def read(data: bytes) -> None:
    """Read an input with and without an address that it is expected to have."""
    _PAGE.write_bytes(data)
    for expected in (None, _BASE):
        html.read_head(_PAGE, expected)
        html.head_of(data, expected)
    html.read_heading(_PAGE)
    html.read_images(_PAGE, _BASE)
    html.search_forms(data)
    for link in html.hrefs(data):
        html.unescape(link.decode("utf-8", "replace"))
    for address in html.embedded(data):
        html.unescape(address)
