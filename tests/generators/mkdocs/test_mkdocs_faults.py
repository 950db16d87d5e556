"""Real builds: what other plugins and MkDocs's own sitemap get wrong, where no other file has it."""

from __future__ import annotations

import gzip
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("mkdocs")


from tests.support.mkdocssite import Built, Docs

CUSTOM = {"name": "mkdocs", "custom_dir": "theme"}


@pytest.fixture
def docs(tmp_path: Path) -> Docs:
    site = Docs(tmp_path)
    site.conf()
    site.pages("one.md", "two.md")
    return site


def succeeded(built: Built) -> Built:
    assert not built.failed, built.log
    assert built.warnings == []
    return built


# A page's date for the theme: in time, and never what MkDocs crashes on


OWN_SITEMAP = (
    "{% for file in pages %}{{ file.page.url }}|{{ file.page.update_date }}|"
    "{{ file.page.meta.docs_sitemap_lastmod }}\n{% endfor %}"
)


def test_a_theme_s_own_sitemap_shows_the_true_dates(docs: Docs) -> None:
    """MkDocs renders it before each page's own template, and compresses it by the newest date.

    A page without a date keeps the day that MkDocs gives it, for it can compare days alone.
    """
    docs.page("new.md")  # not committed
    docs.repo.write("theme/sitemap.xml", OWN_SITEMAP)
    docs.conf({"page_dates": True}, theme=CUSTOM)
    built = succeeded(docs.build(strict=True))
    found = {}
    for line in built.read("sitemap.xml").decode().splitlines():
        url, day, date = line.split("|")
        found[url] = (day, date)
    assert gzip.decompress(built.read("sitemap.xml.gz")) == built.read("sitemap.xml")
    assert found.pop("new/")[1] == ""
    dates = {"": docs.date("index.md"), "one/": docs.date("one.md"), "two/": docs.date("two.md")}
    assert found == {url: (date[:10], date) for url, date in dates.items()}


SEES_DATES = """
def on_env(env, config, files):
    config.extra["seen"] = {file.src_uri: file.page.meta.get("docs_sitemap_lastmod") for file in files
                            if file.page is not None}

def on_page_context(context, page, config, nav):
    assert config.extra["seen"][page.file.src_uri] == page.meta["docs_sitemap_lastmod"]
"""


def test_other_plugins_have_the_dates_before_any_page_is_written(docs: Docs) -> None:
    docs.conf({"page_dates": True}, hooks=[docs.hook(SEES_DATES)])
    succeeded(docs.build(strict=True))


@pytest.mark.parametrize(("value", "page_dates"), [("None", True), ("datetime.date(2024, 2, 29)", False)])
def test_no_date_of_another_plugin_ends_the_build(docs: Docs, value: str, page_dates: bool) -> None:
    """MkDocs compares them all for its own sitemap, which is not written; none of them is a lastmod."""
    code = f"""
import datetime

def on_page_content(html, page, config, files):
    if page.file.src_uri == "one.md":
        page.update_date = {value}
"""
    docs.conf({"page_dates": page_dates}, hooks=[docs.hook(code)])
    built = succeeded(docs.build(strict=True))
    assert built.sitemap == {
        "": docs.date("index.md"),
        "one/": docs.date("one.md"),
        "two/": docs.date("two.md"),
    }


def test_page_dates_without_any_date(docs: Docs, tmp_path: Path) -> None:
    """Outside a repository, with a sitemap of the theme's own, for which MkDocs compares the days."""
    docs.docs_dir.rename(tmp_path / "docs")
    docs.repo.write("theme/sitemap.xml", OWN_SITEMAP)
    docs.conf({"page_dates": True}, docs_dir=str(tmp_path / "docs"), theme=CUSTOM)
    built = succeeded(docs.build(strict=True))
    assert built.read("sitemap.xml").count(b"|\n") == 3


# MkDocs's own sitemap: neither its source nor its .gz is left, whatever ours is called


@pytest.mark.parametrize(
    ("options", "values"),
    [
        ({}, {}),
        ({"formats": ["xml"]}, {}),
        ({"formats": ["gz"]}, {}),
        ({"formats": ["txt"]}, {}),
        ({"filename": "pages.xml"}, {}),
        ({"exclude": ["*"]}, {}),
        ({}, {"site_url": ...}),
        ({}, {"theme": CUSTOM}),
        ({"formats": ["txt"]}, {"theme": "readthedocs"}),
    ],
    ids=str,
)
def test_nothing_of_mkdocs_s_own_sitemap_is_published(
    docs: Docs, options: dict[str, Any], values: dict[str, Any]
) -> None:
    docs.repo.write("theme/other.html", "Other.")
    docs.conf(options, **values)
    for dirty in (False, True):
        built = docs.build(dirty=dirty).passed()
        found = {path.relative_to(built.outdir).as_posix() for path in built.outdir.rglob("*.xml*")}
        for name in found:
            text = built.read(name)
            text = gzip.decompress(text) if name.endswith(".gz") else text
            assert b"{%" not in text
            assert b"Written by docs-sitemap" in text
        formats = options.get("formats", ["xml", "gz"])
        name = options.get("filename", "sitemap.xml")
        ends = {"xml": "", "gz": ".gz"}
        is_written = "exclude" not in options and "site_url" not in values
        assert found == ({name + ends[end] for end in formats if end in ends} if is_written else set())


# Plugins that replace a page's text


@pytest.mark.parametrize(
    "options", [{"page_dates": True}, {"formats": ["xml", "atom"]}, {"images": True}], ids=str
)
def test_replaced_text_does_no_harm_to_any_option(docs: Docs, options: dict[str, Any]) -> None:
    """``content_string`` takes the path of the source away (``abs_src_path``)."""
    code = """
def on_files(files, config):
    for file in files.documentation_pages():
        file.content_string = file.content_string.replace("Text", "Words")
        assert file.abs_src_path is None
"""
    docs.conf(options, hooks=[docs.hook(code)])
    built = succeeded(docs.build(strict=True))
    assert b"Words" in built.read("one/index.html")
    dates = {"": docs.date("index.md"), "one/": docs.date("one.md"), "two/": docs.date("two.md")}
    assert built.sitemap == dates
    dirty = docs.build(dirty=True).passed()
    assert dirty.read("sitemap.xml") == built.read("sitemap.xml")


# What a page takes out, also where --dirty has not read it


@pytest.mark.parametrize("event", ["on_page_markdown(markdown", "on_page_content(html"])
def test_settings_that_a_plugin_gives_count_in_a_dirty_build(docs: Docs, event: str) -> None:
    code = f"""
def {event}, page, config, files):
    if page.file.src_uri == "one.md":
        page.meta["sitemap"] = False
    elif page.file.src_uri == "two.md":
        page.meta["sitemap"] = {{"lastmod": "2024-02-29"}}
"""
    docs.conf(hooks=[docs.hook(code)])
    clean = succeeded(docs.build(strict=True))
    assert clean.sitemap == {"": docs.date("index.md"), "two/": "2024-02-29"}
    assert docs.build(dirty=True).files == clean.files
