"""Real builds: the sitemap is complete, its dates are git's, and its bytes are always the same."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

pytest.importorskip("mkdocs")

from tests.support.gitrepo import without_git
from tests.support.mkdocssite import BASE, FILES, Docs
from tests.support.sitemaps import canonical

NAMES = ("about.md", "guide/index.md", "guide/install.md", "guide/use.md", "reference/api.md", "z.md")
FOLDERS = {
    "index.md": "",
    "about.md": "about/",
    "guide/index.md": "guide/",
    "guide/install.md": "guide/install/",
    "guide/use.md": "guide/use/",
    "reference/api.md": "reference/api/",
    "z.md": "z/",
}
PLAIN = {name: name.replace(".md", ".html") for name in FOLDERS}


@pytest.fixture
def docs(tmp_path: Path) -> Docs:
    site = Docs(tmp_path)
    site.conf()
    site.pages(*NAMES)
    return site


@pytest.mark.parametrize(("directory_urls", "urls"), [(True, FOLDERS), (False, PLAIN)])
def test_every_build_has_every_page(docs: Docs, directory_urls: bool, urls: dict[str, str]) -> None:
    """Full, unchanged, --dirty, one page touched, one page edited: one complete URL set, the same bytes."""
    docs.conf(use_directory_urls=directory_urls)
    full = docs.build(strict=True).passed()
    # MkDocs gives the home page as index.html where addresses are files
    assert set(full.sitemap) == set(urls.values())
    before = full.files
    assert docs.build().files == before
    assert docs.build(dirty=True).files == before
    later = os.stat(full.outdir / "index.html").st_mtime + 60
    os.utime(docs.docs_dir / "guide/use.md", (later, later))
    assert docs.build(dirty=True).files == before
    docs.page("guide/use.md", "Not committed yet.")
    assert docs.build(dirty=True).files == before
    assert docs.build().files == before


@pytest.mark.parametrize(("directory_urls", "urls"), [(True, FOLDERS), (False, PLAIN)])
def test_dates_are_what_git_log_says(docs: Docs, directory_urls: bool, urls: dict[str, str]) -> None:
    docs.conf(use_directory_urls=directory_urls)
    built = docs.build()
    assert built.sitemap == {url: docs.date(name) for name, url in urls.items()}
    assert len(set(built.sitemap.values())) == len(urls)


def test_a_new_process_does_what_the_warm_one_does(docs: Docs) -> None:
    """The other tests run MkDocs in a process that has its libraries already: ``tests/support/warm.py``."""
    docs.page("bad.md", "[Nowhere](nowhere.md)")
    warm = docs.run()
    new = docs.run(out="site-new", env={"PYTHONHASHSEED": "1"})
    assert new.files == warm.files
    assert {line.replace("site-new", "site-run") for line in new.warnings} == set(warm.warnings)
    assert new.notices("nowhere.md")
    assert docs.run("--strict").failed
    assert docs.run("--no-such-option").failed


def test_a_page_deleted_or_added_between_dirty_builds(docs: Docs) -> None:
    """--dirty leaves the HTML of a deleted page in the output; the sitemap does not have it."""
    docs.build()
    (docs.docs_dir / "about.md").unlink()
    docs.page("new.md")
    built = docs.build(dirty=True)
    assert built.has("about/index.html")
    assert set(built.sitemap) == set(FOLDERS.values()) - {"about/"} | {"new/"}
    assert built.sitemap["new/"] is None


@pytest.mark.parametrize("directory_urls", [True, False])
def test_any_machine_gives_the_same_bytes(docs: Docs, directory_urls: bool) -> None:
    """Another time zone, language and umask change no byte, and the files obey the umask."""
    docs.conf(use_directory_urls=directory_urls)
    here = docs.build()
    env = {"TZ": "Pacific/Apia", "LANG": "de_DE.UTF-8", "LC_ALL": "C"}
    there = docs.run("--strict", env=env, umask=0o027).passed()
    assert there.files == here.files
    if os.name != "nt":  # which has no umask
        assert {stat.S_IMODE((there.outdir / name).stat().st_mode) for name in FILES} == {0o640}


def test_switching_the_plugin_on_changes_no_page(docs: Docs) -> None:
    with_us = _tree(docs.build(out="with").outdir)
    docs.conf(plugins=[])
    without = _tree(docs.build(out="without").outdir)
    assert with_us.keys() - without.keys() == {"robots.txt", "sitemap.css"}
    changed = {name for name in without if without[name] != with_us[name]}
    assert changed == {"sitemap.xml", "sitemap.xml.gz"}


def _tree(root: Path) -> dict[str, str]:
    # the home page of MkDocs's own themes ends in a comment with the build's time
    files = [path for path in root.rglob("*") if path.is_file()]
    return {
        path.relative_to(root).as_posix(): path.read_bytes().partition(b"\n<!--\nMkDocs version")[0].hex()
        for path in files
    }


def test_dates_of_merges(docs: Docs) -> None:
    """A merge dates no page that it did not change, and each page that it did."""
    docs.repo.git("checkout", "--quiet", "-b", "side")
    docs.repo.commit("docs/about.md")
    docs.repo.git("checkout", "--quiet", "main")
    docs.repo.commit("docs/z.md")
    docs.repo.merge("side")
    docs.page("guide/use.md", "Only in the merge.")
    merge = docs.repo.commit()
    built = docs.build()
    assert docs.repo.log_commit("docs/guide/use.md") == merge
    assert built.sitemap == {url: docs.date(name) for name, url in FOLDERS.items()}
    assert list(built.sitemap.values()).count(docs.date("guide/use.md")) == 1


def test_sources_of_a_page_count(docs: Docs) -> None:
    """``sources`` names more files, below the documentation folder or beside it."""
    docs.page("table.md", sitemap={"sources": ["data/a b.csv", "../tool.py"]})
    docs.repo.commit("docs/data/a b.csv", "docs/other.txt")
    docs.repo.commit("tool.py")
    assert docs.build().sitemap["table/"] == docs.date("../tool.py")
    docs.repo.commit("docs/data/a b.csv")
    assert docs.build().sitemap["table/"] == docs.date("data/a b.csv")


def test_a_linked_page_has_the_date_of_what_it_shows(docs: Docs) -> None:
    """A symbolic link's own date, and the checkout's, say nothing about the text."""
    docs.repo.commit("CHANGELOG.md")
    (docs.docs_dir / "changes.md").symlink_to("../CHANGELOG.md")
    docs.repo.commit()
    assert docs.date("changes.md") > docs.date("../CHANGELOG.md")
    assert docs.build().sitemap["changes/"] == docs.date("../CHANGELOG.md")
    docs.repo.commit("CHANGELOG.md")
    assert docs.build().sitemap["changes/"] == docs.date("../CHANGELOG.md")


def test_no_author_date(docs: Docs) -> None:
    """The committer's clock counts, unless asked otherwise."""
    committer = docs.build().sitemap["z/"]
    docs.conf({"clock": "author"})
    author = docs.build().sitemap["z/"]
    assert committer == docs.date("z.md")
    assert author
    assert author < committer


@pytest.mark.parametrize("depth", [1, 3, None])
def test_a_date_of_a_clone_is_right_or_absent(docs: Docs, tmp_path: Path, depth: int | None) -> None:
    """Whatever the depth, --strict passes, and one notice says what is missing and how to cure it."""
    docs.repo.commit()  # mkdocs.yml
    args = ["--depth", str(depth)] if depth else []
    clone = Docs(tmp_path / "shallow", repo=docs.repo.clone(tmp_path / f"clone{depth}", *args))
    built = clone.build(strict=True).passed()
    assert set(built.sitemap) == set(FOLDERS.values())
    known = {url: date for url, date in built.sitemap.items() if date}
    assert known == {url: docs.date(name) for name, url in FOLDERS.items() if url in known}
    # the boundary commit itself has no parent to compare with, and the newest commit is no page's
    assert len(known) == (max(0, depth - 2) if depth else len(FOLDERS))
    assert built.warnings == []
    assert len(built.notices("no date")) == (1 if depth else 0)
    assert len(built.notices("fetch-depth: 0")) == (1 if depth else 0)


def test_missing_dates_stop_a_strict_build_if_that_is_asked_for(docs: Docs) -> None:
    """What can be fixed is a warning then; what cannot never is."""
    made = docs.hook(
        "from mkdocs.structure.files import File\n"
        "def on_files(files, config):\n"
        "    files.append(File.generated(config, 'made.md', content='# Made'))\n"
    )
    docs.conf({"missing_dates": "warning"}, hooks=[made])
    docs.repo.commit()
    before = docs.build(strict=True).passed()
    assert before.notices("1 page has no date: made from no known file (/docs/made/).")
    docs.page("new.md")
    built = docs.build(strict=True)
    assert built.failed
    assert [line for line in built.warnings if "1 page has no date: not committed (" in line]
    assert not built.has("sitemap.xml")  # MkDocs has removed the last one


def test_a_build_without_git_goes_on(docs: Docs, tmp_path: Path) -> None:
    """No git program: no dates, one notice, --strict passes."""
    built = docs.run("--strict", env=without_git(tmp_path / "bin")).passed()
    assert built.sitemap == dict.fromkeys(FOLDERS.values())
    assert len(built.notices("no git program")) == 1


def test_a_build_outside_a_repository_goes_on(docs: Docs, tmp_path: Path) -> None:
    docs.docs_dir.rename(tmp_path / "docs")
    docs.conf(docs_dir=str(tmp_path / "docs"))
    built = docs.build(strict=True).passed()
    assert built.sitemap == dict.fromkeys(FOLDERS.values())
    assert len(built.notices("not in a git repository")) == 1


def test_the_users_git_configuration_changes_nothing(docs: Docs) -> None:
    before = docs.build().sitemap
    config = "[log]\n\tshowRoot = false\n\tdiffMerges = off\n\tfollow = true\n[core]\n\tquotePath = true\n"
    Path(os.environ["HOME"], ".gitconfig").write_text(config, encoding="utf-8")
    assert docs.build().sitemap == before


ODD = ("a b.md", "ü.md", "r&d.md", "it's.md", "100%.md", "50%20off.md", "c++ (x)/index.md", ":(exclude)d.md")


@pytest.mark.parametrize("directory_urls", [True, False])
def test_loc_is_each_page_s_own_canonical(docs: Docs, directory_urls: bool) -> None:
    """Byte for byte, for every name that has to be escaped somewhere; and each has its own date."""
    docs.pages(*ODD)
    docs.conf(use_directory_urls=directory_urls)
    built = docs.build(strict=True).passed()
    canonicals = {canonical(file) for file in built.outdir.rglob("*.html") if file.name != "404.html"}
    assert {BASE + url for url in built.sitemap} == canonicals
    assert len(canonicals) == len(FOLDERS) + len(ODD)
    assert built.sitemap["%C3%BC/" if directory_urls else "%C3%BC.html"] == docs.date("ü.md")
    assert list(built.sitemap.values()).count(docs.date("ü.md")) == 1
