"""Real Sphinx builds that know which version is current."""

from __future__ import annotations

import pytest

pytest.importorskip("sphinx")

from tests.support.other_versions import VERSIONS, check, enter, said
from tests.support.sphinxsite import Docs

PAGES = {"index.html": "index.html", "guide/install.html": "guide/install.html"}
FOLDERS = {"index.html": "", "guide/install/index.html": "guide/install/"}
OLD = VERSIONS["an old one"]


@pytest.fixture(scope="module")
def docs(tmp_path_factory: pytest.TempPathFactory) -> Docs:
    site = Docs(tmp_path_factory.mktemp("versions"))
    site.pages("guide/install.rst")
    return site


@pytest.mark.parametrize("name", VERSIONS)
def test_a_version(docs: Docs, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    """All builds go into one folder, so that each removes the marks of the one before."""
    version = VERSIONS[name]
    enter(version, monkeypatch)
    docs.conf(html_baseurl=version.url, docs_sitemap_current_version=version.named)
    built = docs.build("dirhtml", strict=True).passed()
    check(version, built.outdir, FOLDERS, built.status + built.warnings)


def test_files_keep_their_names(docs: Docs) -> None:
    docs.conf(html_baseurl=OLD.url, docs_sitemap_current_version="stable")
    built = docs.build()
    check(OLD, built.outdir, PAGES, built.status)


def test_pages_that_are_not_built_again_lose_their_marks(docs: Docs, monkeypatch: pytest.MonkeyPatch) -> None:
    """The URL may come from the environment, which Sphinx does not compare."""
    docs.conf(html_baseurl="", docs_sitemap_current_version="stable")
    for name in ("an old one", "a development version", "the current one"):
        version = VERSIONS[name]
        enter(version, monkeypatch)
        monkeypatch.setenv("READTHEDOCS", "True")
        monkeypatch.setenv("READTHEDOCS_CANONICAL_URL", version.url)
        built = docs.build(out="out-again")
        expected = [] if version.current is None else [version.current + "guide/install.html"]
        if version.current == "":
            expected = ["noindex, follow"]
        assert said(built.outdir / "guide/install.html") == expected
        assert built.has("sitemap.xml") == (version.current is None)


def test_without_the_option_nothing_is_left_of_it(docs: Docs) -> None:
    for options in ({"docs_sitemap_current_version": "stable"}, {}):
        docs.conf(html_baseurl=OLD.url, **options)
        built = docs.build(out="out-removed")
    assert said(built.outdir / "guide/install.html") == [f"{OLD.url}guide/install.html"]


def test_a_tool_for_versions_is_told_to_index_them(docs: Docs, monkeypatch: pytest.MonkeyPatch) -> None:
    """Not to add each version's line to robots.txt."""
    monkeypatch.setenv("POLYVERSION_DATA", "{}")
    docs.conf()
    built = docs.build(out="beside")
    assert built.notices("sphinx-polyversion publishes this version beside others")
    assert not built.notices("Sitemap: ")


def test_a_build_that_fails_changes_no_page(docs: Docs) -> None:
    fails = "def setup(app):\n    app.connect('build-finished', lambda app, problem: 1 / 0)\n"
    docs.conf(html_baseurl=OLD.url, docs_sitemap_current_version="stable", code=fails)
    built = docs.build(out="out-failed")
    assert built.failed
    assert said(built.outdir / "index.html") == [f"{OLD.url}index.html"]


def test_a_url_of_a_third_version_is_said(docs: Docs, monkeypatch: pytest.MonkeyPatch) -> None:
    """A fixed ``html_baseurl``: all canonical links lead to a version that is noindex."""
    enter(VERSIONS["a branch of releases"], monkeypatch)
    docs.conf(html_baseurl="https://docs.example.org/en/latest/", docs_sitemap_current_version="stable")
    built = docs.build(out="out-third")
    assert "is that of version latest, and docs_sitemap_current_version is stable" in built.warnings


def test_an_author_s_link_to_the_current_version_stays(docs: Docs) -> None:
    link = '<link rel="canonical" href="https://docs.example.org/en/stable/new.html">'
    docs.repo.write("docs/extra/old.html", f"<html><head><title>x</title>{link}</head><body>x</body></html>")
    docs.repo.write("docs/extra/google1234.html", "google-site-verification: google1234.html")
    docs.conf(html_baseurl=OLD.url, docs_sitemap_current_version="stable", html_extra_path=["extra"])
    built = docs.build(out="out-author")
    assert link.encode() in built.read("old.html")
    assert built.read("google1234.html") == b"google-site-verification: google1234.html"
