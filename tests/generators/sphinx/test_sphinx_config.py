"""Real builds: options and their mistakes, builders, failed builds, and a user's own files."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

pytest.importorskip("sphinx")

from docs_sitemap.options.declarations import OPTIONS
from tests.support.sphinxsite import BASE, OWN_BUILDER, Docs

OURS = ("sitemap.xml", "sitemap.xml.gz", "robots.txt")
PAGES = {"index.html", "one.html", "two.html"}


@pytest.fixture
def docs(tmp_path: Path) -> Docs:
    site = Docs(tmp_path)
    site.conf()
    site.pages("one.rst", "two.rst")
    return site


def wrote_nothing(outdir: Path) -> bool:
    return not any((outdir / name).exists() for name in OURS)


@pytest.mark.parametrize("option", [option.name for option in OPTIONS])
def test_a_wrong_value_gets_one_warning_and_no_sitemap(docs: Docs, option: str) -> None:
    """The one message names the option as conf.py has it."""
    docs.conf(**{f"docs_sitemap_{option}": {"bad": 1}})
    built = docs.build()
    assert built.warnings.count("WARNING") == 1
    assert f"docs_sitemap_{option}: expected " in built.warnings
    is_secret = option in ("base_url", "indexnow_key")
    assert f"got {'a value of type dict that is not shown' if is_secret else {'bad': 1}}." in built.warnings
    assert wrote_nothing(built.outdir)


def test_an_unknown_option_gets_one_warning_and_no_sitemap(docs: Docs) -> None:
    """It stops a strict build, and can be silenced."""
    docs.conf(docs_sitemap_excludes=["a"])
    built = docs.build()
    assert built.warnings.count("WARNING") == 1
    assert (
        "docs_sitemap_excludes: there is no such option; did you mean docs_sitemap_exclude?" in built.warnings
    )
    assert wrote_nothing(built.outdir)
    assert docs.build(strict=True).failed
    docs.conf(docs_sitemap_clock="wall", suppress_warnings=["docs_sitemap.option"])
    assert docs.build().warnings == ""


def test_functions_and_modules_under_our_prefix_are_no_options(docs: Docs) -> None:
    docs.conf(code="def docs_sitemap_helper(): pass\nimport json as docs_sitemap_json")
    assert docs.build(strict=True).sitemap.keys() == PAGES


@pytest.mark.versions
def test_options_on_the_command_line(docs: Docs) -> None:
    """Lists are split at commas, switches are 0 and 1, as for Sphinx's own options."""
    built = docs.run(
        "-W",
        *("-D", "docs_sitemap_exclude=one.html,two.*"),
        *("-D", "docs_sitemap_robots=0"),
        *("-D", "docs_sitemap_formats=xml"),
        *("-D", "docs_sitemap_priority=0.4"),
    )
    assert not built.failed, built.warnings
    assert built.sitemap.keys() == {"index.html"}
    assert [built.has(name) for name in OURS] == [True, False, False]
    assert b"<priority>0.4</priority>" in built.read("sitemap.xml")


def test_text_for_a_list_in_conf_py_is_a_mistake(docs: Docs) -> None:
    docs.conf(docs_sitemap_exclude="one.html,two.html")
    assert "docs_sitemap_exclude: expected a list of gitignore-style patterns" in docs.build().warnings


def test_options_reach_the_sitemap(docs: Docs) -> None:
    docs.conf(
        docs_sitemap_filename="pages.xml",
        docs_sitemap_formats=["gz"],
        docs_sitemap_base_url="https://example.org",
        html_baseurl=...,
    )
    built = docs.build(strict=True)
    assert not built.failed, built.warnings
    assert built.has("pages.xml.gz")
    assert not built.has("pages.xml")
    docs.conf(docs_sitemap_lastmod_format="date", docs_sitemap_clock="author")
    built = docs.build()
    day = int(docs.repo.git("log", "-1", "--format=%at", "--", "docs/one.rst")) // 86400
    assert built.sitemap["one.html"] == date.fromordinal(date(1970, 1, 1).toordinal() + day).isoformat()


# fmt: off
SILENT = [
    "epub", "htmlhelp", "qthelp", "devhelp", "applehelp", "json", "pickle", "xml", "pseudoxml",
    "text", "gettext", "latex", "man", "texinfo", "changes", "linkcheck", "dummy",
]
# fmt: on


OWN = {"Epub": "Epub3Builder", "JSON": "JSONHTMLBuilder", "SimplePdfBuilder": "SingleFileHTMLBuilder"}
"""Builders of extensions, by what their names have, and what they derive from."""


@pytest.mark.filterwarnings("ignore::PendingDeprecationWarning")  # the builders' own, about Sphinx 11
@pytest.mark.filterwarnings("ignore:The default value for 'linkcheck_:DeprecationWarning")  # in 7.4
@pytest.mark.parametrize("builder", [*SILENT, *OWN])
@pytest.mark.versions
def test_other_builders_hear_nothing(docs: Docs, builder: str) -> None:
    """No file, no word and no warning: not of a missing base URL, and not of a wrong option.

    Nor do subclasses of them, or one that makes a PDF from HTML, as sphinx-simplepdf does.
    """
    code = ""
    if builder in OWN:
        code = OWN_BUILDER.replace("BASE", OWN[builder]).replace("Ours", builder)
    docs.conf(
        html_baseurl=...,
        docs_sitemap_clock="wall",
        version="1",
        epub_copyright="2020",
        applehelp_bundle_id="org.example",
        applehelp_disable_external_tools=True,
        code=code,
    )
    built = docs.build("ours" if code else builder)
    assert not built.failed, built.warnings
    assert "sitemap" not in built.warnings + built.status.replace(str(docs.srcdir), "")
    assert not list(built.outdir.rglob("sitemap.xml*"))
    assert not list(built.outdir.rglob("robots.txt"))


def test_a_missing_base_url_gets_one_line_and_no_warning(docs: Docs) -> None:
    """Read the Docs tells its users to read it from a variable, which a local build does not have."""
    for value in (..., "/"):
        docs.conf(html_baseurl=value)
        built = docs.build()
        assert built.warnings == ""
        assert built.status.count("set html_baseurl to it") == 1
        assert wrote_nothing(built.outdir)


def test_a_base_url_that_is_none_gets_one_warning(docs: Docs) -> None:
    for value in ("docs/", "ftp://example.org/"):
        docs.conf(html_baseurl=value)
        built = docs.build()
        assert built.warnings.count("WARNING") == 1
        assert "html_baseurl: expected an absolute URL" in built.warnings
        assert wrote_nothing(built.outdir)


def test_a_base_url_beside_the_host_s_own_wins_with_one_warning(docs: Docs) -> None:
    docs.conf(html_baseurl="https://example.com/", docs_sitemap_base_url=BASE)
    built = docs.build()
    assert built.sitemap.keys() == PAGES
    assert built.warnings.count("WARNING") == 1
    assert f"docs_sitemap_base_url is {BASE}, but html_baseurl is https://example.com/" in built.warnings


@pytest.mark.versions
def test_a_failed_build_leaves_the_last_files_alone(docs: Docs) -> None:
    before = [docs.build().read(name) for name in OURS]
    docs.page("three.rst")
    docs.conf(
        code="""
def fail(app):
    raise RuntimeError("on purpose, when every page has been written")

def setup(app):
    app.connect("html-collect-pages", fail)
"""
    )
    built = docs.build()
    assert built.failed
    assert built.has("three.html")
    assert [built.read(name) for name in OURS] == before
    docs.conf()
    assert docs.build().sitemap.keys() == PAGES | {"three.html"}


@pytest.mark.parametrize("keep_going", [(), ("--keep-going",)])
@pytest.mark.versions
def test_a_build_that_fails_by_its_warnings_leaves_the_last_files_alone(
    docs: Docs, keep_going: tuple[str, ...]
) -> None:
    """-W: from Sphinx 8.1 on, and before with --keep-going, such a build runs to its end."""
    before = [docs.run().read(name) for name in OURS]
    docs.page("three.rst", ":doc:`missing`")
    built = docs.run("-W", *keep_going)
    assert built.failed
    assert [built.read(name) for name in OURS] == before
    assert docs.run().sitemap.keys() == PAGES | {"three.html"}


@pytest.mark.versions
def test_our_own_warning_fails_a_strict_build_before_anything_is_written(docs: Docs) -> None:
    before = [docs.build().read(name) for name in OURS]
    docs.conf(docs_sitemap_base_url="https://other.example/")
    built = docs.build(strict=True)
    assert built.failed
    assert "canonical links" in built.warnings
    assert [built.read(name) for name in OURS] == before


def test_an_output_that_cannot_be_written_is_one_warning(docs: Docs) -> None:
    docs.repo.write("docs/extra/sitemap.xml/a.txt")  # a folder in the place of the file
    docs.conf(html_extra_path=["extra"])
    built = docs.build()
    assert built.failed
    assert built.warnings.count("WARNING") == 1
    assert "sitemap.xml is a folder" in built.warnings
    assert not built.has("robots.txt")
    docs.conf(html_extra_path=["extra"], suppress_warnings=["docs_sitemap.output"])
    assert docs.build().warnings == ""


def test_the_user_s_own_robots_txt_is_completed_once(docs: Docs) -> None:
    """Full, unchanged and further builds: their bytes, then our line; no copy is refused."""
    own = "# Ours\nUser-agent: *\nDisallow: /private/\n"
    docs.repo.write("docs/extra/robots.txt", own)
    docs.conf(html_extra_path=["extra"], exclude_patterns=["extra"])
    first = docs.build(strict=True)
    assert not first.failed, first.warnings
    text = first.read("robots.txt")
    assert text.startswith(own.encode())
    assert text.count(f"Sitemap: {BASE}sitemap.xml".encode()) == 1
    assert docs.build(strict=True).read("robots.txt") == text
    docs.page("three.rst")
    again = docs.build(strict=True)
    assert not again.failed, again.warnings
    assert again.read("robots.txt") == text


def test_without_robots_the_user_s_own_file_is_left_alone(docs: Docs) -> None:
    docs.repo.write("docs/extra/robots.txt", "User-agent: *\nAllow: /\n")
    docs.conf(html_extra_path=["extra/robots.txt"], docs_sitemap_robots=False)
    assert docs.build().read("robots.txt") == b"User-agent: *\nAllow: /\n"


@pytest.mark.parametrize("entry", ["extra", "extra/sitemap.xml"])
@pytest.mark.versions
def test_the_user_s_own_sitemap_wins(docs: Docs, entry: str) -> None:
    """What an earlier build of ours wrote goes, theirs stays, and one info line says so."""
    assert docs.build().has("sitemap.xml.gz")
    docs.repo.write("docs/extra/sitemap.xml", "<urlset>their own</urlset>\n")
    docs.conf(html_extra_path=[entry])
    docs.page("three.rst")
    for _ in range(2):
        built = docs.build(strict=True)
        assert not built.failed, built.warnings
        assert built.read("sitemap.xml") == b"<urlset>their own</urlset>\n"
        assert not built.has("sitemap.xml.gz")
        assert not built.has("robots.txt")
        assert len(built.notices("html_extra_path contains the site's own sitemap.xml")) == 1
    docs.conf(html_extra_path=[entry], docs_sitemap_filename="pages.xml")
    built = docs.build()
    assert built.read("sitemap.xml") == b"<urlset>their own</urlset>\n"
    assert built.has("pages.xml")


def test_an_extra_file_that_sphinx_excludes_is_not_there(docs: Docs) -> None:
    docs.repo.write("docs/extra/sitemap.xml", "<urlset>never published</urlset>\n")
    # as 8.2 and later ask for files at the top, too
    docs.conf(html_extra_path=["extra"], exclude_patterns=["sitemap.xml", "./sitemap.xml"])
    assert docs.build(strict=True).sitemap.keys() == PAGES


def test_a_changed_filename_leaves_no_old_sitemap_behind(docs: Docs) -> None:
    assert docs.build().has("sitemap.xml")
    docs.conf(docs_sitemap_filename="pages.xml")
    built = docs.build()
    assert built.has("pages.xml")
    assert not built.has("sitemap.xml")
    assert not built.has("sitemap.xml.gz")


def test_the_user_s_own_sitemap_may_be_a_copy_of_ours(docs: Docs) -> None:
    copy = docs.build().read("sitemap.xml")
    docs.repo.write("docs/extra/sitemap.xml", copy.decode())
    docs.conf(html_extra_path=["extra"])
    assert docs.build().read("sitemap.xml") == copy


def test_a_file_of_ignored_commits(docs: Docs) -> None:
    """Relative to conf.py; one that is not there is a wrong option."""
    before = docs.build().sitemap["one.html"]
    reformatted = docs.repo.commit("docs/one.rst")
    docs.repo.write("docs/ignored.txt", f"# reformatting\n{reformatted}\n")
    assert docs.build().sitemap["one.html"] != before
    docs.conf(docs_sitemap_ignore_revs="ignored.txt")
    assert docs.build().sitemap["one.html"] == before
    docs.conf(docs_sitemap_ignore_revs="none.txt")
    built = docs.build()
    assert built.warnings.count("docs_sitemap_ignore_revs") == 1
    assert (
        "docs_sitemap_ignore_revs: expected a file of full commit names, got 'none.txt': it cannot be read"
        in built.warnings
    )
    docs.repo.write("secrets.txt", "machine example.org password sesame\n")
    docs.conf(docs_sitemap_ignore_revs="../secrets.txt")
    warnings = docs.build().warnings
    assert "got '../secrets.txt': line 1: expected the full name of a commit." in warnings
    assert "sesame" not in warnings
    docs.conf(docs_sitemap_ignore_revs=False)
    docs.repo.write(".git-blame-ignore-revs", reformatted)
    assert docs.build().sitemap["one.html"] != before
    docs.conf()
    assert docs.build().sitemap["one.html"] == before


def test_an_empty_value_on_the_command_line_takes_back_what_conf_py_says(docs: Docs) -> None:
    docs.conf(docs_sitemap_base_url="https://other.example/", docs_sitemap_changefreq="daily")
    overrides = {"docs_sitemap_base_url": "", "docs_sitemap_changefreq": ""}
    built = docs.build(strict=True, overrides=overrides)
    assert not built.failed, built.warnings
    assert built.sitemap
    assert b"changefreq" not in built.read("sitemap.xml")
