"""Real builds: options and their mistakes, builders, failed builds, and a user's own files."""

from __future__ import annotations

import shutil
from datetime import date
from pathlib import Path

import pytest

pytest.importorskip("sphinx")

from docs_sitemap.options.declarations import OPTIONS
from tests.support.sphinxsite import BASE, OWN_BUILDER, Docs

OURS = ("sitemap.xml", "sitemap.xml.gz", "robots.txt")
PAGES = {"index.html", "one.html", "sub/two.html"}


def wrote_nothing(outdir: Path) -> bool:
    return not any((outdir / name).exists() for name in OURS)


@pytest.fixture(scope="module")
def wrong(tmp_path_factory: pytest.TempPathFactory) -> Docs:
    """A site of one page whose options are always wrong, so that all tests use one output."""
    site = Docs(tmp_path_factory.mktemp("wrong"))
    site.page("index.rst")
    return site


@pytest.mark.parametrize("option", [option.name for option in OPTIONS])
def test_a_wrong_value_gets_one_warning_and_no_sitemap(wrong: Docs, option: str) -> None:
    """The one message names the option as conf.py has it."""
    wrong.conf(**{f"docs_sitemap_{option}": {"bad": 1}})
    built = wrong.build()
    assert built.warnings.count("WARNING") == 1
    assert f"docs_sitemap_{option}: expected " in built.warnings
    is_secret = option in ("base_url", "indexnow_key")
    assert f"got {'a value of type dict that is not shown' if is_secret else {'bad': 1}}." in built.warnings
    assert wrote_nothing(built.outdir)


MISTAKES: dict[str, dict[str, object]] = {
    "docs_sitemap_excludes: there is no such option; did you mean docs_sitemap_exclude?": {
        "docs_sitemap_excludes": ["a"]
    },
    "docs_sitemap_exclude: expected a list of gitignore-style patterns": {
        "docs_sitemap_exclude": "one.html,two.html"
    },
    "expected an absolute URL such as \"https://example.org/docs/\", got 'docs/'": {"html_baseurl": "docs/"},
    "expected an absolute URL such as \"https://example.org/docs/\", got 'ftp://example.org/'": {
        "html_baseurl": "ftp://example.org/"
    },
    "docs_sitemap_ignore_revs: expected a file of full commit names, got 'none.txt': it cannot be read": {
        "docs_sitemap_ignore_revs": "none.txt"
    },
    "got '../secrets.txt': line 1: expected the full name of a commit.": {
        "docs_sitemap_ignore_revs": "../secrets.txt"
    },
}


@pytest.mark.parametrize("message", MISTAKES)
def test_a_mistake_gets_one_warning_and_no_sitemap(wrong: Docs, message: str) -> None:
    """Nothing of a file that is named by mistake is shown."""
    wrong.repo.write("secrets.txt", "machine example.org password sesame\n")
    wrong.conf(**MISTAKES[message])
    built = wrong.build()
    assert built.warnings.count("WARNING") == 1
    assert message in built.warnings
    assert "sesame" not in built.warnings
    assert wrote_nothing(built.outdir)


def test_a_wrong_option_fails_a_strict_build_and_can_be_silenced(wrong: Docs) -> None:
    wrong.conf(docs_sitemap_clock="wall")
    assert wrong.build(strict=True).failed
    wrong.conf(docs_sitemap_clock="wall", suppress_warnings=["docs_sitemap.option"])
    assert wrong.build().warnings == ""


@pytest.mark.parametrize("value", [..., "/"])
def test_a_missing_base_url_gets_one_line_and_no_warning(wrong: Docs, value: object) -> None:
    """Read the Docs tells its users to read it from a variable, which a local build does not have."""
    wrong.conf(html_baseurl=value)
    built = wrong.build()
    assert built.warnings == ""
    assert built.status.count("set html_baseurl to it") == 1
    assert wrote_nothing(built.outdir)


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
    ).passed()
    assert built.sitemap.keys() == {"index.html"}
    assert [built.has(name) for name in OURS] == [True, False, False]
    assert b"<priority>0.4</priority>" in built.read("sitemap.xml")


def test_options_reach_the_sitemap(docs: Docs) -> None:
    docs.conf(
        docs_sitemap_filename="pages.xml",
        docs_sitemap_formats=["gz"],
        docs_sitemap_base_url="https://example.org",
        html_baseurl=...,
    )
    built = docs.build(strict=True).passed()
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
def test_other_builders_hear_nothing(wrong: Docs, builder: str) -> None:
    """No file, no word and no warning: not of a missing base URL, and not of a wrong option.

    Nor do subclasses of them, or one that makes a PDF from HTML, as sphinx-simplepdf does.
    """
    code = ""
    if builder in OWN:
        code = OWN_BUILDER.replace("BASE", OWN[builder]).replace("Ours", builder)
    wrong.conf(
        html_baseurl=...,
        docs_sitemap_clock="wall",
        version="1",
        epub_copyright="2020",
        applehelp_bundle_id="org.example",
        applehelp_disable_external_tools=True,
        code=code,
    )
    built = wrong.build("ours" if code else builder, out=f"out-other-{builder}").passed()
    assert "sitemap" not in built.warnings + built.status.replace(str(wrong.srcdir), "")
    assert not list(built.outdir.rglob("sitemap.xml*"))
    assert not list(built.outdir.rglob("robots.txt"))


FAILS = """
def fail(app):
    raise RuntimeError("on purpose, when every page has been written")

def setup(app):
    app.connect("html-collect-pages", fail)
"""


@pytest.mark.versions
def test_a_failed_build_leaves_the_last_files_alone(docs: Docs) -> None:
    """By another extension, and strictly by our own warning, or with -W by Sphinx's.

    From Sphinx 8.1 on, and before with --keep-going, a build with -W runs to its end.
    """
    out = "out-html"
    before = [docs.build().read(name) for name in OURS]
    docs.conf(docs_sitemap_base_url="https://other.example/")
    own = docs.build(strict=True)
    assert "docs_sitemap_base_url is https://other.example/, but html_baseurl is" in own.warnings
    docs.page("three.rst", ":doc:`missing`")
    docs.conf(code=FAILS)
    failed = [own, docs.build()]
    assert failed[1].has("three.html")
    docs.conf()
    for keep_going in ((), ("--keep-going",)):
        docs.page("three.rst", f":doc:`missing{len(keep_going)}`")
        failed.append(docs.run("-W", *keep_going, out=out))
    assert all(built.failed for built in failed)
    assert [own.read(name) for name in OURS] == before
    assert docs.build().sitemap.keys() == PAGES | {"three.html"}


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
    """Full, unchanged and further builds: their bytes, then our line; without the option, only theirs."""
    own = "# Ours\nUser-agent: *\nDisallow: /private/\n"
    docs.repo.write("docs/extra/robots.txt", own)
    docs.conf(html_extra_path=["extra"], exclude_patterns=["extra"])
    for number in range(3):
        if number == 2:
            docs.page("three.rst")
        built = docs.build(strict=True).passed()
        assert (
            built.read("robots.txt").decode()
            == f"{own}\n# Added by docs-sitemap\nSitemap: {BASE}sitemap.xml\n"
        )
    docs.conf(html_extra_path=["extra/robots.txt"], docs_sitemap_robots=False)
    assert docs.build().read("robots.txt").decode() == own


@pytest.mark.versions
def test_the_user_s_own_sitemap_wins(docs: Docs) -> None:
    """What an earlier build of ours wrote goes, theirs stays, and one info line says so."""
    assert docs.build().has("sitemap.xml.gz")
    docs.repo.write("docs/extra/sitemap.xml", "<urlset>their own</urlset>\n")
    docs.conf(html_extra_path=["extra"])
    docs.page("three.rst")
    for _ in range(2):
        built = docs.build(strict=True).passed()
        assert built.read("sitemap.xml") == b"<urlset>their own</urlset>\n"
        assert not built.has("sitemap.xml.gz")
        assert not built.has("robots.txt")
        assert len(built.notices("html_extra_path contains the site's own sitemap.xml")) == 1
    docs.conf(html_extra_path=["extra"], docs_sitemap_filename="pages.xml")
    built = docs.build()
    assert built.read("sitemap.xml") == b"<urlset>their own</urlset>\n"
    assert built.has("pages.xml")


def test_a_file_of_ignored_commits(docs: Docs) -> None:
    """Relative to conf.py, or the usual one unless that is switched off."""
    before = docs.build().sitemap["one.html"]
    reformatted = docs.repo.commit("docs/one.rst")
    docs.repo.write("docs/ignored.txt", f"# reformatting\n{reformatted}\n")
    assert docs.build().sitemap["one.html"] != before
    docs.conf(docs_sitemap_ignore_revs="ignored.txt")
    assert docs.build().sitemap["one.html"] == before
    docs.conf(docs_sitemap_ignore_revs=False)
    docs.repo.write(".git-blame-ignore-revs", reformatted)
    assert docs.build().sitemap["one.html"] != before
    docs.conf()
    assert docs.build().sitemap["one.html"] == before


def test_copied_documents_have_the_dates_of_their_originals(docs: Docs) -> None:
    """So do the files that they include; paths start from the folder of conf.py."""
    docs.repo.write(".gitignore", "/docs/a/\n")
    docs.repo.write("package/docs/shows.rst", "Shows\n=====\n\n.. include:: part.txt\n")
    docs.repo.save("package/docs/plain.rst", "Plain\n=====\n")
    docs.repo.commit("package/docs/part.txt")
    shutil.copytree(docs.repo.root / "package/docs", docs.srcdir / "a")
    docs.conf(docs_sitemap_source_map={"a": "../package/docs"})
    built = docs.build(strict=True).passed()
    assert built.sitemap["a/plain.html"] == docs.date("../package/docs/plain.rst")
    assert built.sitemap["a/shows.html"] == docs.date("../package/docs/part.txt")
    docs.conf(docs_sitemap_source_map={"docs/a": "../package/docs", "a": "package"})
    message = f"docs_sitemap_source_map: expected a path that exists in {docs.srcdir}, got 'a=package'."
    assert docs.build().notices(message)


def test_an_empty_value_on_the_command_line_takes_back_what_conf_py_says(docs: Docs) -> None:
    docs.conf(docs_sitemap_base_url="https://other.example/", docs_sitemap_changefreq="daily")
    overrides = {"docs_sitemap_base_url": "", "docs_sitemap_changefreq": ""}
    built = docs.build(strict=True, overrides=overrides).passed()
    assert built.sitemap
    assert b"changefreq" not in built.read("sitemap.xml")
