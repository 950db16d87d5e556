"""Sites of any size: the limits of the protocol to the entry and to the byte."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from lxml import etree

from docs_sitemap.files.documents import Documents
from docs_sitemap.files.emission import emit
from docs_sitemap.files.urlset import render_url, render_urlset
from docs_sitemap.limits import MAX_BYTES, MAX_IMAGES
from docs_sitemap.options.declarations import Options, read_options
from docs_sitemap.options.page_settings import PageSettings
from docs_sitemap.pages.entries import Url
from docs_sitemap.pages.page import Host, Page

pytestmark = pytest.mark.slow

BASE = "https://example.org/"
S = "{http://www.sitemaps.org/schemas/sitemap/0.9}"
PLAIN = Options(formats=("xml",), stylesheet=False)


def pages(number: int) -> Iterator[Page]:
    for at in range(number):
        day = f"2020-{at % 12 + 1:02}-{at % 28 + 1:02}"
        yield Page(url=f"{at % 997}/page-{at}/", settings=PageSettings(lastmod=day))


def publish(number: int, outdir: Path, *formats: str) -> list[str]:
    options = read_options({"formats": list(formats)}, str)
    return emit(pages(number), outdir, options, Host(BASE, "site_url", str), environ={}).written


def locs(file: Path) -> list[bytes]:
    """The addresses of a file, as fast as can be; the small files are read by a parser elsewhere."""
    data = file.read_bytes()
    assert len(data) <= MAX_BYTES
    return re.findall(rb"<loc>([^<]+)</loc>", data)


def expected(number: int) -> set[bytes]:
    return {f"{BASE}{at % 997}/page-{at}/".encode() for at in range(number)}


def test_50_000_pages_are_one_file(tmp_path: Path) -> None:
    written = publish(50_000, tmp_path, "xml")
    assert written == ["sitemap.css", "sitemap.xml", "robots.txt"]
    assert etree.parse(tmp_path / "sitemap.xml").getroot().tag == f"{S}urlset"
    found = locs(tmp_path / "sitemap.xml")
    assert len(found) == 50_000
    assert set(found) == expected(50_000)


def test_one_page_more_makes_an_index_of_two(tmp_path: Path) -> None:
    written = publish(50_001, tmp_path, "xml")
    assert written == ["sitemap.css", "sitemap-1.xml", "sitemap-2.xml", "sitemap.xml", "robots.txt"]
    index = etree.parse(tmp_path / "sitemap.xml").getroot()
    assert index.tag == f"{S}sitemapindex"
    assert [entry.findtext(f"{S}loc") for entry in index] == [f"{BASE}sitemap-{n}.xml" for n in (1, 2)]
    for entry, name in zip(index, ("sitemap-1.xml", "sitemap-2.xml"), strict=True):
        part = etree.parse(tmp_path / name).getroot()
        assert entry.findtext(f"{S}lastmod") == max(url.findtext(f"{S}lastmod") or "" for url in part)
    found = locs(tmp_path / "sitemap-1.xml") + locs(tmp_path / "sitemap-2.xml")
    assert len(found) == 50_001
    assert set(found) == expected(50_001)


def test_a_file_of_exactly_the_limit_is_one_and_a_byte_more_makes_two() -> None:
    room = MAX_BYTES - len(render_urlset([]))
    entries = [Url(f"https://example.org/{at:06}/" + "x" * 1900) for at in range(room // 2000)]
    used = sum(len(render_url(url)) for url in entries)
    full = [*entries[:-1], Url(entries[-1].loc + "y" * (room - used))]
    ((name, data),) = Documents(full, BASE, PLAIN).render()
    assert name == "sitemap.xml"
    assert len(data) == MAX_BYTES
    longer = [*full[:-1], Url(full[-1].loc + "y")]
    files = dict(Documents(longer, BASE, PLAIN).render())
    assert list(files) == ["sitemap-1.xml", "sitemap-2.xml", "sitemap.xml"]
    assert max(map(len, files.values())) <= MAX_BYTES


def test_where_bytes_are_what_limits_no_file_exceeds_them() -> None:
    entries = [
        Url(f"{BASE}{at}/", images=tuple(f"{BASE}{at}/{n}.png" for n in range(MAX_IMAGES)))
        for at in range(1_000)
    ]
    files = dict(Documents(entries, BASE, PLAIN).render())
    assert len(files) > 2
    assert max(map(len, files.values())) <= MAX_BYTES
    parts = [data for name, data in files.items() if name != "sitemap.xml"]
    found = [loc for data in parts for loc in re.findall(rb"<loc>([^<]+)</loc>", data)]
    assert sorted(found) == sorted(url.loc.encode() for url in entries)
