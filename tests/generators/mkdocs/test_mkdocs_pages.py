"""Real builds: which pages are listed, whoever brings them and however they say no."""

from __future__ import annotations

import gzip
import os
import tempfile
import time
from datetime import date
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("mkdocs")

from tests.support.mkdocssite import BASE, Docs

KEPT = {"", "one/", "two/"}


@pytest.fixture
def docs(tmp_path: Path) -> Docs:
    site = Docs(tmp_path)
    site.conf()
    site.pages("one.md", "two.md")
    return site


SAYS_NO: list[dict[str, Any]] = [
    {"robots": "noindex"},
    {"robots": "none"},
    {"robots": "NOINDEX, follow"},
    {"robots": ["noindex", "nofollow"]},
    {"sitemap": False},
    {"sitemap": {"exclude": True}},
    {"draft": True},
]
SAYS_YES: list[dict[str, Any]] = [
    {"robots": "index, nofollow"},
    {"robots": None},
    {"sitemap": True},
    {"sitemap": None},
    {"sitemap": {}},
    {"draft": False},
    {"draft": "of the second edition"},
    {"title": "noindex"},
]


REFRESH = '<meta http-equiv="refresh" content="0; url=../one/">'
TEMPLATES = {
    "print": '{% extends "base.html" %}{% block extrahead %}'
    '<meta name="robots" content="noindex">{% endblock %}',
    "nothing": " ",
    "moved": f"<html><head>{REFRESH}",
    "copy": f'<html><head><link rel="canonical" href="{BASE}one/">',
}


def test_what_a_page_says_decides(docs: Docs) -> None:
    """Its own robots, sitemap and draft, its template, and a refresh; nothing that only looks so.

    A ``--dirty`` build, which reads no page, lists the same.
    """
    for number, front_matter in enumerate(SAYS_NO):
        docs.page(f"no-{number}.md", **front_matter)
    for number, front_matter in enumerate(SAYS_YES):
        docs.page(f"yes-{number}.md", **front_matter)
    # MkDocs takes lines without delimiters, too; their values are text
    docs.repo.write("docs/out.md", "sitemap: false\ntitle: Out\n\n# Out\n")
    for name, text in TEMPLATES.items():
        docs.repo.write(f"theme/{name}.html", text)
        docs.page(f"{name}-page.md", template=f"{name}.html")
    # in Markdown, a refresh comes into the body; one that is shown as code is text
    docs.page("moved.md", REFRESH)
    docs.page("how.md", f"```html\n{REFRESH}\n```\n\nOr `{REFRESH}`.")
    # at the root only: an API reference may describe the status 404
    docs.pages("404.md", "status/404.md")
    links = [{"Elsewhere": "https://example.com/"}, {"Twice": "one.md"}, {"Rooted": "/one/"}]
    docs.conf(nav=["index.md", "one.md", *links], theme={"name": "mkdocs", "custom_dir": "theme"})
    built = docs.build(strict=True).passed()
    assert REFRESH.encode() in built.read("moved/index.html")
    listed = KEPT | {f"yes-{number}/" for number in range(len(SAYS_YES))} | {"how/", "status/404/"}
    assert set(built.sitemap) == listed
    assert set(docs.build(dirty=True).sitemap) == listed


def test_a_404_page_in_a_site_without_folders(docs: Docs) -> None:
    docs.pages("404.md", "status/404.md")
    docs.conf(use_directory_urls=False)
    assert [url for url in docs.build().sitemap if "404" in url] == ["status/404.html"]


def test_settings_of_a_page(docs: Docs) -> None:
    docs.save_page("set.md", sitemap={"lastmod": "2024-02-29", "changefreq": "weekly", "priority": 0.9})
    docs.conf({"priority": 0.4})
    built = docs.build(strict=True).passed()
    assert built.sitemap["set/"] == "2024-02-29"
    assert built.read("sitemap.xml").count(b"<priority>0.4</priority>") == 3
    assert built.read("sitemap.xml").count(b"<priority>0.9</priority>") == 1
    assert built.read("sitemap.xml").count(b"<changefreq>weekly</changefreq>") == 1
    assert docs.build(dirty=True).files == built.files


@pytest.mark.parametrize(
    ("setting", "message"),
    [
        ({"priority": 2}, "sub/bad.md: sitemap: priority: expected a number from 0.0 to 1.0, got 2."),
        ({"prio": 1}, "sub/bad.md: sitemap: prio: there is no such setting"),
        (
            {"lastmod": str(date.max)},
            "sub/bad.md: sitemap: lastmod: expected git, none, or a date that is not in the fut",
        ),
        ("never", "sub/bad.md: sitemap: expected false, or a mapping"),
    ],
    ids=str,
)
def test_a_wrong_setting_costs_one_warning(docs: Docs, setting: object, message: str) -> None:
    """It names page and setting; the page stays listed, and --strict stops."""
    docs.page("sub/bad.md", sitemap=setting)
    built = docs.build().passed()
    assert len(built.warnings) == 1
    assert built.warnings[0].startswith(f"WARNING docs-sitemap: {message}")
    assert "sub/bad/" in built.sitemap
    strict = docs.run("--strict")
    assert strict.failed
    assert "Aborted with 1 warnings in strict mode!" in strict.log


def test_the_name_of_a_page_moves_no_cursor(docs: Docs) -> None:
    name = "n\x1b[31m\x1b]0;T\x07\nevil.md"
    docs.repo.write(f"docs/{name}", "---\nsitemap: {priority: 5}\n---\n\n# Title\n")
    [warning] = docs.build().warnings
    assert f"{name!a}: sitemap: " in warning


@pytest.mark.parametrize("zone", ["", " +2"])
def test_a_time_by_hand_is_the_same_in_a_dirty_build(docs: Docs, zone: str) -> None:
    """YAML has a type for it, and the notes of a build have none."""
    text = f"---\nsitemap: {{lastmod: 2024-05-01 10:11:12{zone}}}\n---\n# Title\n"
    docs.repo.write("docs/day.md", text)
    for dirty in (False, True):
        expected = f"2024-05-01T10:11:12+{'02' if zone else '00'}:00"
        assert docs.build(dirty=dirty).sitemap["day/"] == expected


@pytest.mark.parametrize("end", ["[[[", "!!python/name:os.system x"])
def test_front_matter_that_cannot_be_read_stops_no_dirty_build(docs: Docs, end: str) -> None:
    """MkDocs reads the page only to build it."""
    docs.conf({"formats": ["xml", "atom"], "dependencies": False})
    before = docs.build()
    file = docs.repo.write("docs/one.md", f"---\ntitle: Told\nx: {end}\n---\n# Text\n")
    os.utime(file, (1, 1))
    built = docs.build(dirty=True).passed()
    assert not built.notices("WARNING docs-sitemap: ")
    assert set(built.sitemap) == set(before.sitemap)
    assert b"Told" not in built.read("atom.xml")


@pytest.mark.parametrize("directory_urls", [True, False])
def test_excluding_a_page_excludes_no_other(docs: Docs, directory_urls: bool) -> None:
    """``a.md`` is neither ``aa.md`` nor ``b/aa.md``, and both files of the sitemap agree."""
    docs.pages("a.md", "aa.md", "b/a.md", "b/aa.md")
    docs.conf({"exclude": ["/a.md", "two*"]}, use_directory_urls=directory_urls)
    built = docs.build(strict=True)
    end, index = ("/", "") if directory_urls else (".html", "index.html")
    assert set(built.sitemap) == {index, f"one{end}", f"aa{end}", f"b/a{end}", f"b/aa{end}"}
    assert gzip.decompress(built.read("sitemap.xml.gz")) == built.read("sitemap.xml")


ADDING_FILES = """
import pathlib, tempfile
from mkdocs.structure.files import File

def on_files(files, config):
    files.append(File.generated(config, "made/early.md", content="# Early"))
    files.remove(files.get_file_from_path("one.md"))
    files.append(File.generated(config, "one.md", content="# Made"))
    folder = tempfile.mkdtemp()
    pathlib.Path(folder, "temporary.md").write_text("# Made")
    files.append(File("temporary.md", folder, config.site_dir, config.use_directory_urls))
    text = "---\\nsitemap: {sources: [../make.py]}\\n---\\n# Sourced"
    files.append(File.generated(config, "sourced.md", content=text))
    return files
"""

ADDING_LATE = """
from mkdocs.plugins import event_priority
from mkdocs.structure.files import File
from mkdocs.structure.pages import Page

@event_priority(-100)
def on_nav(nav, config, files):
    file = File.generated(config, "blog/archive/2024.md", content="# 2024")
    files.append(file)
    Page("2024", file, config)
    return nav
"""


def test_pages_of_other_plugins_are_listed_without_a_date(docs: Docs) -> None:
    """Whether they come with the files or later; a generated page is not new at each build.

    Nor does it have the date of the file that it replaces. Some plugins write pages into the temporary folder
    and do not mark them as generated.
    """
    docs.repo.commit("make.py")
    docs.conf(hooks=[docs.hook(ADDING_FILES), docs.hook(ADDING_LATE, "late.py")])
    built = docs.build(strict=True).passed()
    assert built.sitemap == {
        "": docs.date("index.md"),
        "two/": docs.date("two.md"),
        "sourced/": docs.date("../make.py"),
        **dict.fromkeys(("one/", "made/early/", "temporary/", "blog/archive/2024/")),
    }
    [said] = built.notices("no date")
    # there is no fix
    assert said.endswith("4 pages have no date: made from no known file (/docs/made/early/).")


def test_pages_from_beside_the_documentation_have_their_date(docs: Docs, tmp_path: Path) -> None:
    code = """
import os
from mkdocs.structure.files import File

def on_files(files, config):
    root = os.path.dirname(config.config_file_path)
    files.append(File("CHANGES.md", root, config.site_dir, config.use_directory_urls))
"""
    docs.repo.commit("CHANGES.md")
    docs.conf(hooks=[docs.hook(code)])
    # also where the whole project lies in the temporary folder, as the repository of a test does
    (tmp_path / "tmp").mkdir()
    for folder in (tmp_path / "tmp", tempfile.gettempdir()):
        built = docs.run("--strict", env={"TMPDIR": str(folder)}).passed()
        assert built.sitemap["CHANGES/"] == docs.date("../CHANGES.md")


def test_builds_inside_a_build_add_up(docs: Docs) -> None:
    """As mkdocs-static-i18n builds each further language, into the same folder, in on_post_build."""
    code = """
from mkdocs import utils
from mkdocs.commands.build import build
from mkdocs.plugins import event_priority

language = "en"

def on_files(files, config):
    for file in list(files.documentation_pages()):
        if language == "fr":
            file.dest_uri = "fr/" + file.dest_uri

@event_priority(-100)
def on_post_build(config):
    global language
    if language == "en":
        language = "fr"
        clean, utils.clean_directory = utils.clean_directory, lambda folder: None
        build(config)
        utils.clean_directory = clean
        language = "en"
"""
    docs.conf(hooks=[docs.hook(code)])
    built = docs.build(strict=True).passed()
    assert set(built.sitemap) == KEPT | {f"fr/{url}" for url in KEPT}
    assert built.sitemap["fr/one/"] == docs.date("one.md")
    assert len(built.notices("docs-sitemap: sitemap.xml: 6 pages")) == 1


HTML = "<!DOCTYPE html>\n<html><head><title>{0}</title></head><body><h1>{0}</h1></body></html>\n"


def copies(docs: Docs, *names: str) -> None:
    """Commit HTML files each on its own."""
    for name in names:
        docs.repo.save(f"docs/{name}", HTML.format(name))


@pytest.mark.parametrize("directory_urls", [True, False])
def test_html_files_that_the_navigation_names_are_listed(docs: Docs, directory_urls: bool) -> None:
    """By their path (gpustack), or by a link of any form, also of a page; with the dates of the files."""
    names = ("api/index.html", "by link.html", "rooted/index.html", "whole.html", "on page.html")
    docs.repo.save("docs/one.md", "[Page](on%20page.html#a) <iframe src='../extra/a.html'></iframe>\n")
    copies(docs, *names, "extra/a.html", "extra/index.html", "404.html")
    end = "" if directory_urls else "index.html"
    nav = [
        {"Home": "index.md"},
        {"More": [{"API": "api/index.html"}, {"Link": "./by%20link.html#a"}]},
        {"Rooted": f"/docs/rooted/{end}"},
        {"Whole": f"{BASE}whole.html"},
        {"Elsewhere": "https://example.com/extra/a.html"},
    ]
    docs.conf(nav=nav, use_directory_urls=directory_urls)
    for built in (docs.build(), docs.build(dirty=True)):
        expected = {
            "" if directory_urls else "index.html": "index.md",
            f"api/{end}": names[0],
            "by%20link.html": names[1],
            f"rooted/{end}": names[2],
            "whole.html": names[3],
            "on%20page.html": names[4],
        }
        dates = {url: docs.date(name) for url, name in expected.items()}
        assert dates.items() <= built.sitemap.items()
        assert len(built.sitemap) == len(dates) + 2
        assert built.notices("2 HTML of docs_dir")


def test_other_html_files_are_listed_by_a_rule(docs: Docs) -> None:
    """An excluded one is not, nor one that MkDocs writes a page or template over."""
    copies(docs, "extra/a.html", "extra/b.html", "frame.html", "one/index.html", "extra/404.html")
    docs.repo.write("docs/extra/stub.html", '<html><body><meta http-equiv="refresh" content="0; url=a.html">')
    rules = [{"match": "extra/*.html", "exclude": False}, {"match": "extra/b.html", "exclude": True}]
    docs.conf({"rules": rules})
    built = docs.build(strict=True).passed()
    assert set(built.sitemap) == KEPT | {"extra/a.html", "extra/404.html"}
    assert built.sitemap["extra/a.html"] == docs.date("extra/a.html")
    assert built.sitemap["one/"] == docs.date("one.md")


def test_templates_of_the_theme_in_docs_dir_are_no_pages(docs: Docs) -> None:
    """Nor its other files, but HTML that a rule asks for is listed."""
    for name in ("main.html", "partials/index.html", "shown.html", "a.pdf"):
        docs.repo.write(f"docs/theme/{name}", '{% extends "base.html" %}')
    rules = [{"match": "theme/*.html", "include": True}, {"match": "*.pdf", "include": True}]
    theme = {"name": "mkdocs", "custom_dir": "docs/theme"}
    docs.conf(theme=theme)
    built = docs.build(strict=True)
    assert built.read("theme/main.html").startswith(b"{% extends")
    assert set(built.sitemap) == KEPT
    assert built.notices("3 HTML of docs_dir")
    docs.conf({"rules": rules}, theme=theme)
    assert set(docs.build().sitemap) == {*KEPT, "theme/main.html", "theme/shown.html"}


def test_a_home_page_in_html_is_one(docs: Docs) -> None:
    (docs.docs_dir / "index.md").unlink()
    copies(docs, "index.html")
    assert docs.build().sitemap[""] == docs.date("index.html")


def test_html_files_are_counted_once_in_builds_inside_a_build(docs: Docs) -> None:
    pytest.importorskip("mkdocs_static_i18n")
    copies(docs, "extra/a.html", "api/index.html")
    languages = [{"locale": "en", "name": "English", "default": True}, {"locale": "fr", "name": "French"}]
    nav = [{"Home": "index.md"}, {"API": "api/index.html"}]
    docs.conf(nav=nav, plugins=[{"i18n": {"languages": languages}}, "docs-sitemap"])
    built = docs.build()
    assert built.sitemap["api/"] == docs.date("api/index.html")
    assert built.notices("1 HTML of docs_dir")


REVERSED = """
def on_files(files, config):
    for file in sorted(files.documentation_pages(), key=lambda file: file.src_uri, reverse=True):
        files.remove(file)
        files.append(file)
"""


@pytest.mark.parametrize(("is_reversed", "newer"), [(False, "guide.md"), (True, "guide/index.md")])
def test_of_two_sources_of_one_address_the_published_one_counts(
    docs: Docs, is_reversed: bool, newer: str
) -> None:
    """MkDocs builds both; the last that it writes is what readers get."""
    names = ["guide.md", "guide/index.md"]
    for name in sorted(names, key=lambda name: name == newer):
        docs.save_page(
            name, f"From {name}.", title=f"T {name}", sitemap={"priority": 0.2 + 0.5 * (name == newer)}
        )
    docs.conf({"formats": ["xml", "gz", "atom"]}, hooks=[docs.hook(REVERSED)] if is_reversed else [])
    built = docs.build()
    last = "guide.md" if is_reversed else "guide/index.md"
    assert f"From {last}." in built.read("guide/index.html").decode()
    assert built.sitemap["guide/"] == docs.date(last)
    assert f"<title>T {last}</title>" in built.read("atom.xml").decode()
    assert (b"<priority>0.7" in built.read("sitemap.xml")) is (last == newer)


@pytest.mark.parametrize("dependencies", ["text", False])
def test_a_dirty_build_dates_the_source_that_was_written_last(docs: Docs, dependencies: object) -> None:
    """Of an earlier build only its notes tell, which are those of ``dependencies``; else nobody knows."""
    docs.conf({"dependencies": dependencies})
    docs.pages("guide.md", "guide/index.md")
    later = time.time()
    for name in ("guide/index.md", "guide.md"):
        built = docs.build(dirty=name == "guide.md")
        later += 60
        assert name.encode() in built.read("guide/index.html")
        assert built.sitemap["guide/"] == docs.date(name)
        os.utime(docs.outdir / "guide/index.html", (later, later))
        again = docs.build(dirty=True)
        assert again.sitemap["guide/"] == (docs.date(name) if dependencies else None)
        notices = again.notices("1 page has no date: several sources have its URL (guide/). To fix it: build")
        assert len(notices) == (0 if dependencies else 1)
        os.utime(docs.docs_dir / "guide.md", (later + 30, later + 30))


HEAD = "<!doctype html><html><head><title>T</title></head><body>"


def test_a_page_whose_own_text_is_a_refresh_is_a_redirect(docs: Docs) -> None:
    """However long the theme makes it; a page that shows one as text, or has much text, is none."""
    refresh = '<meta http-equiv="refresh" content="0; url=two/">'
    docs.page("one.md", refresh)
    docs.page("two.md", f"    {refresh}")
    docs.repo.save("theme/main.html", HEAD + "{{ page.content }}" + "<p>Much text.</p>" * 2000)
    docs.conf(theme={"name": None, "custom_dir": "theme"})
    built = docs.build()
    assert "one/" not in built.sitemap
    assert "two/" in built.sitemap
    assert built.notices("1 redirect")
