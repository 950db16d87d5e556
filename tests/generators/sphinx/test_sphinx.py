"""Real builds: the sitemap is complete, its dates are git's, and its bytes are always the same."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

pytest.importorskip("sphinx")

from tests.support.gitrepo import without_git
from tests.support.sphinxsite import Docs

pytestmark = pytest.mark.versions

NAMES = ("about.rst", "guide/index.rst", "guide/install.rst", "guide/use.rst", "reference/api.rst", "z.rst")
HTML = {"index.html", *(name.replace(".rst", ".html") for name in NAMES)}
FILES = ("sitemap.xml", "sitemap.xml.gz", "robots.txt")


@pytest.fixture
def docs(tmp_path: Path) -> Docs:
    site = Docs(tmp_path)
    site.conf()
    site.pages(*NAMES)
    return site


def test_every_build_has_every_page_with_the_date_of_git_log(docs: Docs) -> None:
    """Full, unchanged, one page touched, one page edited: one complete URL set, and the same bytes."""
    full = docs.build(strict=True).passed()
    names = ("index.rst", *NAMES)
    assert full.sitemap == {name.replace(".rst", ".html"): docs.date(name) for name in names}
    before = [full.read(name) for name in FILES]
    assert [docs.build().read(name) for name in FILES] == before
    os.utime(docs.srcdir / "guide/use.rst")
    assert [docs.build().read(name) for name in FILES] == before
    docs.page("guide/use.rst", "Not committed yet.")
    assert [docs.build().read(name) for name in FILES] == before


def test_a_page_deleted_or_added_between_builds(docs: Docs) -> None:
    """Sphinx leaves the HTML of a deleted page in the output; the sitemap does not have it."""
    docs.build()
    (docs.srcdir / "about.rst").unlink()
    docs.page("new.rst")
    built = docs.build()
    assert built.has("about.html")
    assert set(built.sitemap) == HTML - {"about.html"} | {"new.html"}
    assert built.sitemap["new.html"] is None


def test_any_machine_gives_the_same_bytes(docs: Docs) -> None:
    """-j 2, another time zone, language and umask change no byte, and the files obey the umask."""
    here = docs.build()
    env = {"TZ": "Pacific/Apia", "LANG": "de_DE.UTF-8", "LC_ALL": "C"}
    there = docs.run("-j", "2", "-W", env=env, umask=0o027).passed()
    for name in FILES:
        assert there.read(name) == here.read(name)
        if os.name != "nt":  # which has no umask
            assert stat.S_IMODE((there.outdir / name).stat().st_mode) == 0o640


def test_sources_of_a_page_count(docs: Docs) -> None:
    """``:sitemap-sources:`` names more files, below the documentation folder or beside it."""
    docs.page("table.rst", fields=":sitemap-sources: data/a b.csv, ../tool.py")
    docs.repo.commit("docs/data/a b.csv", "docs/other.txt")
    docs.repo.commit("tool.py")
    assert docs.build().sitemap["table.html"] == docs.date("../tool.py")
    docs.repo.commit("docs/data/a b.csv")
    assert docs.build().sitemap["table.html"] == docs.date("data/a b.csv")


def test_a_date_of_a_clone_is_right_or_absent(docs: Docs, tmp_path: Path) -> None:
    """-W passes, one notice says what is missing and how to cure it, and then all is there."""
    clone = Docs(tmp_path / "shallow", repo=docs.repo.clone(tmp_path / "clone", "--depth", "3"))
    built = clone.build(strict=True).passed()
    assert set(built.sitemap) == HTML
    known = {url: date for url, date in built.sitemap.items() if date}
    assert known == {url: docs.date(url.replace(".html", ".rst")) for url in known}
    # the boundary commit itself has no parent to compare with
    assert len(known) == 2
    assert built.warnings == ""
    assert len(built.notices("no date")) == 1
    assert len(built.notices("fetch-depth: 0")) == 1
    clone.repo.git("fetch", "--quiet", "--unshallow")
    assert clone.build().sitemap == docs.build(out="full").sitemap


def test_a_build_without_git_goes_on(docs: Docs, tmp_path: Path) -> None:
    """No git program: no dates, one notice, -W passes."""
    built = docs.run("-W", env=without_git(tmp_path / "bin")).passed()
    assert built.sitemap == dict.fromkeys(HTML)
    assert len(built.notices("no git program")) == 1
    docs.conf(docs_sitemap_missing_dates="warning")
    built = docs.run("-W", env=without_git(tmp_path / "bin2"))
    assert built.failed  # if that is asked for
    assert "7 pages have no date: no git program is on the PATH (" in built.warnings


def test_a_build_outside_a_repository_goes_on(docs: Docs, tmp_path: Path) -> None:
    docs.srcdir.rename(tmp_path / "docs")
    docs.srcdir = tmp_path / "docs"
    built = docs.build(strict=True).passed()
    assert built.sitemap == dict.fromkeys(HTML)
    assert len(built.notices("not in a git repository")) == 1


def test_one_url_of_two_documents_is_listed_once(tmp_path: Path) -> None:
    docs = Docs(tmp_path)
    docs.conf()
    docs.pages("guide.rst", "guide/index.rst")
    built = docs.build("dirhtml")  # reading it asserts that no loc comes twice
    assert set(built.sitemap) == {"", "guide/"}
    assert built.sitemap["guide/"] == docs.date("guide/index.rst")
