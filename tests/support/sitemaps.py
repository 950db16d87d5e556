"""Reading back what was written, with a parser that is not ours."""

from __future__ import annotations

import gzip
from html.parser import HTMLParser
from pathlib import Path

from lxml import etree

NS = {"s": "http://www.sitemaps.org/schemas/sitemap/0.9"}


def read(file: Path) -> dict[str, str | None]:
    """Return ``{loc: lastmod}`` of a sitemap; a repeated loc is an error."""
    data = file.read_bytes()
    root = etree.fromstring(gzip.decompress(data) if file.suffix == ".gz" else data)
    assert root.tag == f"{{{NS['s']}}}urlset"
    found: dict[str, str | None] = {}
    for url in root.findall("s:url", NS):
        loc = url.findtext("s:loc", namespaces=NS)
        assert loc
        assert loc not in found
        found[loc] = url.findtext("s:lastmod", namespaces=NS)
    return found


def assert_valid(file: Path, schemas: Path) -> None:
    """Check a sitemap against the official schema."""
    etree.XMLSchema(etree.parse(schemas / "sitemap.xsd")).assertValid(etree.parse(file))


class _Canonical(HTMLParser):
    found: str | None = None

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "link" and dict(attrs).get("rel") == "canonical":
            self.found = dict(attrs)["href"]


def canonical(file: Path) -> str | None:
    """The canonical link of a built page."""
    parser = _Canonical()
    parser.feed(file.read_text(encoding="utf-8"))
    return parser.found
