"""The rest of the protocol through real MkDocs builds: feeds, images, languages, rules, parts."""

from __future__ import annotations

from pathlib import Path

import pytest
from lxml import etree

pytest.importorskip("mkdocs")

from tests.support.mkdocssite import BASE, Docs

ATOM = "{http://www.w3.org/2005/Atom}"
IMAGE = "{http://www.google.com/schemas/sitemap-image/1.1}"
XHTML = "{http://www.w3.org/1999/xhtml}"


@pytest.fixture
def docs(tmp_path: Path) -> Docs:
    docs = Docs(tmp_path)
    docs.conf()
    docs.pages("a.md", "sub/b.md")
    return docs


def test_feeds_have_titles_descriptions_and_dates_and_each_page_links_them(docs: Docs) -> None:
    docs.save_page("c.md", title="R&D <now>", description="What changed.")
    docs.conf({"formats": ["xml", "atom", "rss"]}, site_name="Our & site")
    built = docs.build(strict=True)
    feed = etree.fromstring(built.read("atom.xml"))
    assert feed.findtext(f"{ATOM}title") == "Our & site"
    first = feed.find(f"{ATOM}entry")
    assert first is not None
    assert first.findtext(f"{ATOM}title") == "R&D <now>"
    assert first.findtext(f"{ATOM}summary") == "What changed."
    assert first.findtext(f"{ATOM}updated") == docs.date("c.md")
    assert len(feed.findall(f"{ATOM}entry")) == 4
    for page in ("index.html", "sub/b/index.html"):
        html = built.read(page).decode()
        for name, kind in (("atom.xml", "atom"), ("rss.xml", "rss")):
            link = f'type="application/{kind}+xml" title="Our &amp; site" href="{BASE}{name}">'
            assert html.count(link) == 1
            assert html.index(link) < html.index("</head>")


def test_dirty_builds_keep_the_feeds_and_their_titles(docs: Docs) -> None:
    docs.page("c.md", title="From the front matter")
    docs.page("d.md", "# Second `code` & <b>more</b>\n")
    docs.conf({"formats": ["xml", "atom"]}, markdown_extensions=[{"toc": {"permalink": True}}])
    docs.repo.commit()
    clean = docs.build().read("atom.xml")
    assert docs.build(dirty=True).read("atom.xml") == clean


def test_images_are_those_of_the_page_and_not_of_the_theme(docs: Docs) -> None:
    (docs.docs_dir / "img").mkdir()
    (docs.docs_dir / "img/x y.png").write_bytes(b"png")
    docs.page("sub/b.md", "![x](<../img/x y.png>) ![badge](https://badges.example.net/b.svg)")
    docs.conf({"images": True})
    for dirty in (False, True):
        root = etree.fromstring(docs.build(dirty=dirty).read("sitemap.xml"))
        assert [found.text for found in root.iter(f"{IMAGE}loc")] == [f"{BASE}img/x%20y.png"]


def test_rules_and_the_page_itself(docs: Docs) -> None:
    docs.page("sub/own.md", sitemap={"priority": 0.9})
    docs.page("sub/back.md", sitemap=True)
    docs.conf(
        {
            "exclude": ["sub/"],
            "rules": [
                {"match": "sub/own*", "exclude": False, "priority": 0.2, "lastmod": "2020-01-02"},
                {"match": "a.md", "changefreq": "monthly", "lastmod": "none"},
            ],
        }
    )
    built = docs.build(strict=True)
    assert built.sitemap == {
        "": docs.date("index.md"),
        "a/": None,
        "sub/own/": "2020-01-02",
        "sub/back/": None,
    }
    text = built.read("sitemap.xml").decode()
    assert text.count("<priority>0.9</priority>") == text.count("<priority>") == 1
    assert text.count("<changefreq>monthly</changefreq>") == 1


def test_files_of_the_authors_own_stand(docs: Docs) -> None:
    names = ("sitemap.css", "atom.xml", "sitemap.txt")
    for name in names:
        docs.repo.write(f"docs/{name}", "theirs")
    docs.conf({"formats": ["xml", "txt", "atom"]})
    built = docs.build(strict=True)
    for name in names:
        assert built.read(name) == b"theirs"
        assert built.notices(f"docs_dir contains the site's own {name}")
    assert len(built.sitemap) == 3
    docs.repo.write("docs/sitemap-1.xml", "theirs")
    docs.conf({"max_urls": 1})
    built = docs.build(strict=True)
    assert built.read("sitemap-1.xml") == b"theirs"
    assert built.notices("docs_dir contains the site's own sitemap-1.xml: it is kept, and none is generated")


def test_themes_get_the_true_dates_where_that_is_asked_for(docs: Docs) -> None:
    docs.page("new.md")  # not committed
    docs.repo.write(
        "theme/main.html",
        "{% extends 'base.html' %}{% block content %}"
        "[{{ page.meta.docs_sitemap_lastmod }}|{{ page.update_date }}]{% endblock %}",
    )
    docs.conf({"page_dates": True}, theme={"name": "mkdocs", "custom_dir": "theme"})
    built = docs.build(strict=True)
    date = docs.date("a.md")
    assert f"[{date}|{date[:10]}]" in built.read("a/index.html").decode()
    assert "[|2" in built.read("new/index.html").decode()  # the day that MkDocs gives by itself
    docs.conf({}, theme={"name": "mkdocs", "custom_dir": "theme"})
    assert "[|2" in docs.build().read("a/index.html").decode()


def test_a_heading_is_text_in_a_feed_also_in_a_dirty_build(docs: Docs) -> None:
    docs.repo.write("docs/h.md", '# Tips & `tricks` "q" *em*\n')
    docs.repo.save("docs/f.md", "---\ntitle: R&amp;D as written\n---\n# Other\n")
    docs.conf({"formats": ["xml", "atom"]})
    for dirty in (False, True):
        feed = etree.fromstring(docs.build(dirty=dirty).read("atom.xml"))
        titles = {entry.findtext(f"{ATOM}title") for entry in feed.findall(f"{ATOM}entry")}
        assert {'Tips & tricks "q" em', "R&amp;D as written"} <= titles


def test_no_page_links_a_feed_that_is_not_written(docs: Docs) -> None:
    docs.conf({"formats": ["xml", "atom"], "lastmod": "none"})
    built = docs.build(strict=True)
    assert built.notices("No feed is written")
    assert b"atom+xml" not in built.read("a/index.html")
