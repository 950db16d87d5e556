"""The rest of the protocol through real Sphinx builds: feeds, images, languages, rules, parts."""

from __future__ import annotations

import pytest
from lxml import etree

pytest.importorskip("sphinx")

from tests.support.sphinxsite import BASE, PNG, Docs

ATOM = "{http://www.w3.org/2005/Atom}"
IMAGE = "{http://www.google.com/schemas/sitemap-image/1.1}"
XHTML = "{http://www.w3.org/1999/xhtml}"


def test_feeds_have_titles_and_dates_and_each_page_links_them(docs: Docs) -> None:
    docs.conf(docs_sitemap_formats=["xml", "atom", "rss"], html_title="Our & site")
    built = docs.build("dirhtml", strict=True)
    feed = etree.fromstring(built.read("atom.xml"))
    assert feed.findtext(f"{ATOM}title") == "Our & site"
    assert [entry.findtext(f"{ATOM}title") for entry in feed.findall(f"{ATOM}entry")] == ["Title"] * 3
    assert feed.findtext(f"{ATOM}updated") == docs.date("sub/two.rst")
    pages = list(built.outdir.rglob("*.html"))
    assert len(pages) >= 5  # search and index link it too
    for page in pages:
        html = page.read_text(encoding="utf-8")
        for name in ("atom.xml", "rss.xml"):
            assert html.count(f'href="{BASE}{name}"') == 1, page


def test_images_are_those_of_the_page_also_when_nothing_changed(docs: Docs) -> None:
    (docs.srcdir / "x.png").write_bytes(PNG)
    docs.page("sub/two.rst", ".. image:: /x.png\n\n.. image:: https://badges.example.net/b.svg\n")
    docs.conf(docs_sitemap_images=True)
    for _ in range(2):
        root = etree.fromstring(docs.build("dirhtml").read("sitemap.xml"))
        assert [found.text for found in root.iter(f"{IMAGE}loc")] == [f"{BASE}_images/x.png"]


def test_rules_and_the_page_itself(docs: Docs) -> None:
    docs.page("sub/own.rst", fields=":sitemap-priority: 0.9")
    docs.page("sub/back.rst", fields=":sitemap: true")
    docs.conf(
        docs_sitemap_exclude=["sub/"],
        docs_sitemap_rules=[
            {"match": "sub/own*", "exclude": False, "priority": 0.2, "lastmod": "2020-01-02"},
            {"match": "one.rst", "lastmod": "none"},
        ],
    )
    built = docs.build(strict=True)
    assert built.sitemap == {
        "index.html": docs.date("index.rst"),
        "one.html": None,
        "sub/own.html": "2020-01-02",
        "sub/back.html": None,
    }
    assert built.read("sitemap.xml").count(b"<priority>0.9</priority>") == 1


def test_no_page_links_a_feed_that_is_not_written(docs: Docs) -> None:
    docs.conf(docs_sitemap_formats=["xml", "atom"], docs_sitemap_lastmod="none")
    built = docs.build(strict=True)
    assert built.notices("No feed is written")
    assert b"atom+xml" not in built.read("one.html")


def test_descriptions_of_the_metadata_are_in_the_feed(docs: Docs) -> None:
    docs.save_page("sub/two.rst", fields=":description: What it is.")
    docs.conf(docs_sitemap_formats=["atom"])
    assert b'<summary type="text">What it is.</summary>' in docs.build().read("atom.xml")
