"""Real builds: whatever makes a page dates it, and pages show the dates that the sitemap has."""

from __future__ import annotations

import re
from datetime import date
from pathlib import Path

import pytest

pytest.importorskip("sphinx")

from tests.sphinxsite import PNG, Built, Docs


@pytest.fixture
def docs(tmp_path: Path) -> Docs:
    site = Docs(tmp_path)
    site.conf()
    site.pages("one.rst", "two.rst")
    return site


TEXT = {
    "included": (".. include:: files/a.txt", "files/a.txt"),
    "literal": (".. literalinclude:: files/b.py", "files/b.py"),
    "table": (".. csv-table:: T\n   :file: files/c.csv", "files/c.csv"),
    "raw": (".. raw:: html\n   :file: files/d.html", "files/d.html"),
    "above": (".. include:: ../shared.txt", "../shared.txt"),
}
"""By page: what shows a file's text, and the file."""

MEDIA = {
    "downloaded": (":download:`this <files/e.zip>`", "files/e.zip"),
    "pictured": (".. image:: files/f.png", "files/f.png"),
    "figured": (".. figure:: files/g.png\n\n   Shown.", "files/g.png"),
}


@pytest.mark.parametrize("mode", [False, "text", "all", None])
def test_which_files_count(docs: Docs, mode: object) -> None:
    """``text``, the default: whose words a page shows; ``all``: images and downloads as well."""
    for page, (body, name) in (TEXT | MEDIA).items():
        docs.page(f"{page}.rst", body)
        docs.repo.write(f"docs/{name}")
    for number in (b"f", b"g"):
        (docs.srcdir / f"files/{number.decode()}.png").write_bytes(PNG + number)
    docs.repo.commit()
    for _, name in (TEXT | MEDIA).values():
        with (docs.srcdir / name).open("ab") as stream:
            stream.write(b" \n")
        docs.repo.commit()
    counted = {False: {}, "all": TEXT | MEDIA}.get(mode, TEXT)
    expected = {
        f"{page}.html": docs.date(name if page in counted else f"{page}.rst")
        for page, (_, name) in (TEXT | MEDIA).items()
    }
    docs.conf(docs_sitemap_dependencies=mode)
    for builder in ("html", "html"):  # the second time nothing is read again
        built = docs.build(builder, strict=True)
        assert not built.failed, built.warnings
        assert {url: built.sitemap[url] for url in expected} == expected


@pytest.mark.parametrize(
    "body",
    [
        ".. include:: ../shared/x.txt",
        ".. literalinclude:: ../shared/x.txt",
        ".. csv-table:: T\n   :file: ../shared/x.txt",
        ".. raw:: html\n   :file: ../shared/x.txt",
    ],
)
def test_a_file_that_is_shown_and_offered_for_download_is_text(docs: Docs, body: str) -> None:
    docs.page("shown.rst", f"{body}\n\n:download:`the file <../shared/x.txt>`\n")
    docs.page("offered.rst", ":download:`the file <../shared/x.txt>`\n")
    docs.repo.commit("shared/x.txt")
    docs.repo.commit("shared/x.txt")
    found = docs.build(strict=True).sitemap
    assert found["shown.html"] == docs.date("../shared/x.txt")
    assert found["offered.html"] == docs.date("offered.rst")
    assert docs.build().sitemap == found


DATED = {
    "docs_sitemap_page_dates": True,
    "html_last_updated_fmt": "%Y-%m-%d %H:%M:%S %Z",
    "html_theme": "basic",
}


def shown(built: Built, name: str) -> tuple[str | None, str | None]:
    """What a page shows: in its footer, and as ``article:modified_time`` in its head."""
    html = built.read(name).decode()
    footer = re.search(r"Last updated on\s+(.+?)\.\s", html)
    head = re.findall(
        r'<meta property="article:modified_time" content="(.+?)" />', html.partition("</head>")[0]
    )
    assert len(head) < 2
    return footer[1] if footer else None, head[0] if head else None


def assert_shown(built: Built, *names: str) -> None:
    """The named pages show the dates that the sitemap has."""
    for name in names:
        date = built.sitemap[name]
        assert date
        assert shown(built, name) == (date[:19].replace("T", " ") + " UTC", date)


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_pages_show_the_sitemap_s_dates_in_every_zone(docs: Docs, jobs: str) -> None:
    """The same bytes on every machine; -j writes most pages in other processes."""
    docs.conf(**DATED)
    for number in range(9):
        docs.page(f"page{number}.rst")
        docs.repo.commit()
    built = docs.build(strict=True)
    assert_shown(built, "index.html", "one.html", "two.html", "page7.html")
    there = docs.run("-W", "-j", jobs, env={"TZ": "Pacific/Apia", "LC_ALL": "C"})
    assert not there.failed, there.warnings
    pages = [path.relative_to(built.outdir) for path in built.outdir.rglob("*.html")]
    assert len(pages) == 14
    assert [there.read(str(page)) for page in pages] == [built.read(str(page)) for page in pages]


def test_a_page_without_a_date_shows_no_build_day(docs: Docs) -> None:
    """Sphinx's own footer has the day of the build, which is true of no page."""
    docs.page("new.rst")
    docs.conf(html_last_updated_fmt="%Y", html_theme="basic")
    assert shown(docs.build(), "new.html")[0] == str(date.today().year)
    docs.conf(**DATED)
    built = docs.build()
    for name in ("new.html", "genindex.html", "search.html"):
        assert shown(built, name) == (None, None)


def test_without_a_format_only_the_head_has_the_date(docs: Docs) -> None:
    docs.conf(docs_sitemap_page_dates=True, html_theme="basic")
    built = docs.build()
    assert shown(built, "one.html") == (None, built.sitemap["one.html"])
    docs.conf(docs_sitemap_page_dates=True, html_last_updated_fmt="", language="de", html_theme="basic")
    assert re.search(rb"Zuletzt aktualisiert am\s+\d\d?\. ?\w+ ?\.? ?\d{4}", docs.build().read("one.html"))


def test_a_commit_without_a_change_of_text_writes_that_page_alone(docs: Docs) -> None:
    docs.conf(**DATED)
    docs.page("one.rst", "An edit.")
    before = docs.build()
    dates = before.sitemap
    times = {path: path.stat().st_mtime_ns for path in before.outdir.glob("*.html")}
    assert shown(before, "one.html")[1] == docs.date("one.rst")
    docs.repo.commit()
    after = docs.build(strict=True)
    assert after.sitemap["one.html"] == docs.date("one.rst") != dates["one.html"]
    assert_shown(after, "index.html", "one.html", "two.html")
    names = {path.name for path, time in times.items() if path.stat().st_mtime_ns != time}
    # with the page that has it in its toctree: Sphinx writes that one for every page that it writes
    assert names - {"genindex.html", "search.html"} == {"one.html", "index.html"}


def test_page_dates_go_and_come_without_a_clean_build(docs: Docs) -> None:
    """Switched on, pages have them though none was edited; switched off, not a byte of them is left."""
    docs.conf(html_theme="basic")
    without = {path.name: path.read_bytes() for path in docs.build().outdir.glob("*.html")}
    docs.conf(html_theme="basic", docs_sitemap_page_dates=True)
    built = docs.build()
    assert shown(built, "one.html") == (None, built.sitemap["one.html"])
    docs.conf(html_theme="basic")
    off = docs.build()
    assert {path.name: path.read_bytes() for path in off.outdir.glob("*.html")} == without


def test_links_to_feeds_go_and_come_without_a_clean_build(docs: Docs) -> None:
    docs.build()
    docs.conf(docs_sitemap_formats=["xml", "atom"])
    assert b'rel="alternate" type="application/atom+xml"' in docs.build().read("one.html")
    docs.conf(docs_sitemap_formats=["xml", "rss"], docs_sitemap_filename="maps/s.xml")
    assert b"maps/rss.xml" in docs.build().read("one.html")
    docs.conf()
    assert b'rel="alternate"' not in docs.build().read("one.html")


def test_templates_made_into_pages_show_the_dates_of_the_templates(docs: Docs) -> None:
    for template in ("more", "home"):
        docs.repo.write(f"docs/_templates/{template}.html", '{% extends "layout.html" %}')
        docs.repo.commit()
    templates = {"more": "more.html", "index": "home.html"}
    docs.conf(**DATED, templates_path=["_templates"], html_additional_pages=templates)
    assert_shown(docs.build(), "more.html", "index.html", "one.html")
    docs.repo.write("docs/_templates/more.html", '{% extends "layout.html" %} {# edited #}')
    docs.build()
    docs.repo.commit()
    assert_shown(docs.build(), "more.html", "index.html", "one.html")


def test_the_one_page_of_singlehtml_shows_the_newest_date(docs: Docs) -> None:
    docs.conf(**DATED)
    assert docs.date("two.rst") > docs.date("index.rst")
    assert_shown(docs.build("singlehtml", strict=True), "index.html")


def test_dates_that_pages_give_themselves_are_shown(docs: Docs) -> None:
    docs.conf(**DATED, docs_sitemap_rules=[{"match": "two.rst", "lastmod": "none"}])
    docs.page("one.rst", fields=":sitemap-lastmod: 2020-02-03")
    built = docs.build(strict=True)
    assert shown(built, "one.html") == ("2020-02-03 00:00:00 UTC", "2020-02-03")
    assert shown(built, "two.html") == (None, None)


def test_our_dates_stand_where_another_extension_sets_its_own(docs: Docs) -> None:
    code = """
def page_context(app, pagename, templatename, context, doctree):
    context["last_updated"] = "the day of the build"

def setup(app):
    app.connect("html-page-context", page_context)
"""
    docs.conf(**DATED, code=code)
    assert_shown(docs.build(), "one.html")
