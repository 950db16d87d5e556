"""Real builds: the sitemap is complete, its dates are git's, and its bytes are always the same."""

from __future__ import annotations

import os
import stat
import warnings
from pathlib import Path

import pytest

pytest.importorskip("sphinx")

from tests.support.gitrepo import without_git
from tests.support.sphinxsite import BASE, Docs

pytestmark = pytest.mark.versions

NAMES = ("about.rst", "guide/index.rst", "guide/install.rst", "guide/use.rst", "reference/api.rst", "z.rst")
HTML = {"index.html", *(name.replace(".rst", ".html") for name in NAMES)}
DIRHTML = {"", "about/", "guide/", "guide/install/", "guide/use/", "reference/api/", "z/"}
FILES = ("sitemap.xml", "sitemap.xml.gz", "robots.txt")


@pytest.fixture
def docs(tmp_path: Path) -> Docs:
    site = Docs(tmp_path)
    site.conf()
    site.pages(*NAMES)
    return site


@pytest.mark.parametrize(("builder", "urls"), [("html", HTML), ("dirhtml", DIRHTML)])
def test_every_build_has_every_page(docs: Docs, builder: str, urls: set[str]) -> None:
    """Full, unchanged, one page touched, one page edited: one complete URL set, and the same bytes."""
    full = docs.build(builder, strict=True)
    assert not full.failed, full.warnings
    assert set(full.sitemap) == urls
    before = [full.read(name) for name in FILES]
    assert [docs.build(builder).read(name) for name in FILES] == before
    os.utime(docs.srcdir / "guide/use.rst")
    assert [docs.build(builder).read(name) for name in FILES] == before
    docs.page("guide/use.rst", "Not committed yet.")
    assert [docs.build(builder).read(name) for name in FILES] == before


def test_dates_are_what_git_log_says(docs: Docs) -> None:
    built = docs.build()
    for name in ("index.rst", *NAMES):
        assert built.sitemap[name.replace(".rst", ".html")] == docs.date(name)


def test_a_page_deleted_or_added_between_builds(docs: Docs) -> None:
    """Sphinx leaves the HTML of a deleted page in the output; the sitemap does not have it."""
    docs.build()
    (docs.srcdir / "about.rst").unlink()
    docs.page("new.rst")
    built = docs.build()
    assert built.has("about.html")
    assert set(built.sitemap) == HTML - {"about.html"} | {"new.html"}
    assert built.sitemap["new.html"] is None


@pytest.mark.parametrize("builder", ["html", "dirhtml"])
def test_any_machine_gives_the_same_bytes(docs: Docs, builder: str) -> None:
    """-j 2, another time zone, language and umask change no byte, and the files obey the umask."""
    here = docs.build(builder)
    env = {"TZ": "Pacific/Apia", "LANG": "de_DE.UTF-8", "LC_ALL": "C"}
    there = docs.run("-j", "2", "-W", builder=builder, env=env, umask=0o027)
    assert not there.failed, there.warnings
    for name in FILES:
        assert there.read(name) == here.read(name)
        if os.name != "nt":  # which has no umask
            assert stat.S_IMODE((there.outdir / name).stat().st_mode) == 0o640


def test_a_new_process_does_what_the_warm_one_does(docs: Docs) -> None:
    """The other tests run Sphinx in a process that has its libraries already: ``tests/support/warm.py``."""
    docs.page("bad.rst", ":ref:`nowhere`")
    warm = docs.run("-v")
    new = docs.run("-v", out="out-new", env={"PYTHONHASHSEED": "1"})
    assert [new.read(name) for name in FILES] == [warm.read(name) for name in FILES]
    assert _tree(new.outdir).keys() == _tree(warm.outdir).keys()
    assert "nowhere" in new.warnings
    assert new.warnings == warm.warnings
    assert docs.run("-b", "none").failed


def test_switching_the_extension_on_changes_no_page(docs: Docs) -> None:
    with_us = docs.build(out="with")
    docs.conf(extensions=[])
    without = docs.build(out="without")
    ours = {"sitemap.css", "sitemap.xml", "sitemap.xml.gz", "robots.txt"}
    assert _tree(with_us.outdir).keys() - _tree(without.outdir).keys() == ours
    assert {name: data for name, data in _tree(with_us.outdir).items() if name not in ours} == _tree(
        without.outdir
    )


def _tree(root: Path) -> dict[str, bytes]:
    files = [path for path in root.rglob("*") if path.is_file()]
    # the environment's pickle lies elsewhere; .buildinfo has a checksum of conf.py's extensions
    return {
        path.relative_to(root).as_posix(): path.read_bytes() for path in files if path.name != ".buildinfo"
    }


def test_merges_do_not_move_dates(docs: Docs) -> None:
    """A merge that touches nothing dates nothing; what is edited in the merge itself has the merge's date."""
    docs.repo.git("switch", "--quiet", "-c", "side")
    docs.page("z.rst", "On the branch.")
    docs.repo.commit()
    docs.repo.git("switch", "--quiet", "main")
    docs.page("about.rst", "On main.")
    docs.repo.commit()
    docs.repo.merge("side")
    docs.page("guide/use.rst", "Only in the merge.")
    merge = docs.repo.commit()
    built = docs.build()
    assert docs.repo.log_commit("docs/guide/use.rst") == merge
    dates = {name: built.sitemap[name.replace(".rst", ".html")] for name in NAMES}
    assert dates == {name: docs.date(name) for name in NAMES}
    assert list(dates.values()).count(dates["guide/use.rst"]) == 1


def test_includes_count(docs: Docs, tmp_path: Path) -> None:
    """A page is as new as the newest file that it includes, also from outside the source folder."""
    docs.repo.write("examples/run.py", "print()\n")
    docs.repo.write("docs/_parts/note.txt", "A note.\n")
    docs.page("code.rst", ".. literalinclude:: ../examples/run.py\n")
    docs.page("sub/note.rst", ".. include:: ../_parts/note.txt\n")
    docs.page("both.rst", ".. include:: _parts/note.txt\n\n.. literalinclude:: ../examples/run.py\n")
    docs.repo.commit()
    for name in ("examples/run.py", "docs/_parts/note.txt"):
        docs.repo.commit(name)
    built = docs.build(strict=True)
    assert not built.failed, built.warnings
    found = built.sitemap
    for page, files in {
        "code": ["code.rst", "../examples/run.py"],
        "sub/note": ["sub/note.rst", "_parts/note.txt"],
        "both": ["_parts/note.txt"],
    }.items():
        assert found[f"{page}.html"] == docs.date(*files)
    assert docs.date("_parts/note.txt") > docs.date("../examples/run.py") > docs.date("code.rst")
    # from the environment of the build before, which no file is read for again
    assert docs.build().sitemap == found


def test_an_untracked_include_takes_no_date_away(docs: Docs) -> None:
    docs.page("log.rst", ".. literalinclude:: generated.txt\n")
    docs.repo.commit()
    docs.repo.write("docs/generated.txt")
    assert docs.build().sitemap["log.html"] == docs.date("log.rst")


def test_sources_of_a_page_count(docs: Docs) -> None:
    """``:sitemap-sources:`` names more files, below the documentation folder or beside it."""
    docs.page("table.rst", fields=":sitemap-sources: data/a b.csv, ../tool.py")
    docs.repo.commit("docs/data/a b.csv", "docs/other.txt")
    docs.repo.commit("tool.py")
    assert docs.build().sitemap["table.html"] == docs.date("../tool.py")
    docs.repo.commit("docs/data/a b.csv")
    assert docs.build().sitemap["table.html"] == docs.date("data/a b.csv")


def test_autodoc_stubs_are_dated_by_their_module(docs: Docs, monkeypatch: pytest.MonkeyPatch) -> None:
    """A stub that autosummary generates in the build has the date of the module that makes it."""
    docs.repo.write("widgets_for_test.py", '"""Make widgets."""\n')
    docs.repo.commit()
    docs.conf(
        extensions=["docs_sitemap", "sphinx.ext.autosummary", "sphinx.ext.autodoc"],
        code="import sys, pathlib\nsys.path.insert(0, str(pathlib.Path(__file__).parents[1]))",
    )
    docs.page("api.rst", ".. autosummary::\n   :toctree: generated\n\n   widgets_for_test\n")
    built = docs.run("-W", out="stubs")
    assert not built.failed, built.warnings
    assert built.sitemap["generated/widgets_for_test.html"] == docs.date("../widgets_for_test.py")
    assert built.sitemap["api.html"] is None


@pytest.mark.parametrize("depth", [1, 3, None])
def test_a_date_of_a_clone_is_right_or_absent(docs: Docs, tmp_path: Path, depth: int | None) -> None:
    """Whatever the depth, -W passes, and one notice says what is missing and how to cure it."""
    args = ["--depth", str(depth)] if depth else []
    clone = Docs(tmp_path / "shallow", repo=docs.repo.clone(tmp_path / f"clone{depth}", *args))
    built = clone.build(strict=True)
    assert not built.failed, built.warnings
    assert set(built.sitemap) == HTML
    known = {url: date for url, date in built.sitemap.items() if date}
    assert known == {url: docs.date(url.replace(".html", ".rst")) for url in known}
    # the boundary commit itself has no parent to compare with
    assert len(known) == (depth - 1 if depth else len(HTML))
    assert built.warnings == ""
    assert len(built.notices("without a date")) == (1 if depth else 0)
    assert len(built.notices("fetch-depth: 0")) == (1 if depth else 0)


def test_unshallow_brings_the_dates_without_a_clean_build(docs: Docs, tmp_path: Path) -> None:
    """Dates are not kept in the environment."""
    clone = Docs(tmp_path / "shallow", repo=docs.repo.clone(tmp_path / "clone", "--depth", "1"))
    assert not any(clone.build().sitemap.values())
    clone.repo.git("fetch", "--quiet", "--unshallow")
    assert clone.build().sitemap == docs.build().sitemap


def test_a_build_without_git_goes_on(docs: Docs, tmp_path: Path) -> None:
    """No git program: no dates, one notice, -W passes."""
    built = docs.run("-W", env=without_git(tmp_path / "bin"))
    assert not built.failed, built.warnings
    assert built.sitemap == dict.fromkeys(HTML)
    assert len(built.notices("no git program")) == 1


def test_a_build_outside_a_repository_goes_on(docs: Docs, tmp_path: Path) -> None:
    docs.srcdir.rename(tmp_path / "docs")
    docs.srcdir = tmp_path / "docs"
    built = docs.build(strict=True)
    assert not built.failed, built.warnings
    assert built.sitemap == dict.fromkeys(HTML)
    assert len(built.notices("no git repository")) == 1


def test_the_users_git_configuration_changes_nothing(docs: Docs) -> None:
    before = docs.build().sitemap
    config = "[log]\n\tshowRoot = false\n\tdiffMerges = off\n\tfollow = true\n[core]\n\tquotePath = true\n"
    Path(os.environ["HOME"], ".gitconfig").write_text(config, encoding="utf-8")
    assert docs.build().sitemap == before


def test_names_that_look_like_pathspecs_are_names(docs: Docs) -> None:
    docs.page(":(exclude)d.rst")
    docs.page("[ab]*.rst")
    docs.repo.commit()
    docs.page("a.rst")
    docs.repo.commit()
    built = docs.build(strict=True)
    assert not built.failed, built.warnings
    assert built.sitemap["%3A%28exclude%29d.html"] == docs.date(":(exclude)d.rst")
    assert built.sitemap["%5Bab%5D%2A.html"] == docs.date("[ab]*.rst")
    assert built.sitemap["about.html"] == docs.date("about.rst")


def test_one_url_of_two_documents_is_listed_once(tmp_path: Path) -> None:
    docs = Docs(tmp_path)
    docs.conf()
    docs.pages("guide.rst", "guide/index.rst")
    built = docs.build("dirhtml")  # reading it asserts that no loc comes twice
    assert set(built.sitemap) == {"", "guide/"}
    assert built.sitemap["guide/"] == docs.date("guide/index.rst")


def test_no_deprecated_part_of_sphinx_is_used(docs: Docs) -> None:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        docs.build()
    assert [str(warning.message) for warning in caught if "sitemap" in warning.filename] == []
    assert [str(w.message) for w in caught if w.category.__name__.startswith("RemovedIn")] == []


def test_files_below_the_sitemap_name_s_folder(docs: Docs) -> None:
    """A sitemap in a sub-folder may list only what lies there: the protocol's rule."""
    docs.conf(docs_sitemap_filename="guide/s.xml")
    built = docs.build(strict=True)
    assert not built.failed, built.warnings
    assert not built.has("sitemap.xml")
    assert f"Sitemap: {BASE}guide/s.xml\n".encode() in built.read("robots.txt")
    assert built.read("guide/s.xml").count(b"<url>") == 3
    assert built.has("guide/s.xml.gz")
