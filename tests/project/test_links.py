"""A path through links is resolved once, whoever asks about files below it.

Forty links of a thousand folders each take the system three milliseconds for each question, and a small
repository may lead to thousands of questions. So whatever looks for files here asks no such path itself.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from docs_sitemap import read_options
from docs_sitemap.dates.evidence.abbreviations import Appended
from docs_sitemap.dates.evidence.work_trees import WorkTrees
from docs_sitemap.dates.installed import Installed
from docs_sitemap.explain.notes import state_of
from docs_sitemap.files import OutputFolder
from docs_sitemap.files.emission import _leftovers
from docs_sitemap.generators.zensical.notes import PageNote, PageNotes
from docs_sitemap.history import repository
from docs_sitemap.history.repository import RepositoryFinder
from docs_sitemap.marks import builds
from docs_sitemap.options import read_metadata
from docs_sitemap.pages import utility_pages
from docs_sitemap.untrusted import RealPaths
from tests.support.lookups import count_lookups

NUMBER = 20
"""Files or names, each of which was asked about through the link."""


@pytest.fixture
def link(tmp_path: Path) -> Path:
    """A link to a folder of files and folders."""
    (tmp_path / "there").mkdir()
    for number in range(NUMBER):
        (tmp_path / f"there/{number}.md").write_text(f"{number}")
        (tmp_path / f"there/{number}").mkdir()
    (tmp_path / "link").symlink_to("there")
    return tmp_path / "link"


@pytest.fixture
def asked(link: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The paths for which the system follows a link, and links that are looked at again."""
    found: list[str] = []
    read: set[Path] = set()
    readlink = os.readlink

    def is_link(path: Path) -> bool:
        try:
            return bool(readlink(path))
        except (OSError, ValueError):
            return False

    def counted(name: str, ask: Callable[..., Any]) -> Callable[..., Any]:
        def answer(path: Any, *args: Any, **more: Any) -> Any:
            if not isinstance(path, int):
                place = Path(os.path.abspath(os.fsdecode(path)))
                is_followed = name in ("stat", "open", "scandir") and more.get("follow_symlinks", True)
                is_again = name == "readlink" and place in read
                names = (place, *place.parents) if is_followed or is_again else place.parents
                if any(each.is_relative_to(link.parent) and is_link(each) for each in names):
                    found.append(str(place))
                if name == "readlink":
                    read.add(place)
            return ask(path, *args, **more)

        return answer

    for name in ("stat", "lstat", "readlink", "open", "scandir"):
        monkeypatch.setattr(os, name, counted(name, getattr(os, name)))
    return found


def test_the_system_itself_is_seen_to_be_asked(link: Path, asked: list[str]) -> None:
    assert [os.path.isfile(link / f"{number}.md") for number in range(NUMBER)] == [True] * NUMBER
    assert len(asked) == NUMBER
    assert os.path.realpath(link / "1") != os.path.realpath(link / "2")
    assert len(asked) > NUMBER


def test_files_that_are_appended(link: Path, asked: list[str]) -> None:
    names = [f"{number}.md" for number in range(NUMBER)]
    appended = Appended(names, [str(link)])
    assert len(appended.files) == NUMBER
    appended.explained('<abbr title="a">b</abbr>', appended.files)
    assert not asked


def test_a_file_s_repository(link: Path, asked: list[str], tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    assert all(map(WorkTrees().have, (os.path.join(link, str(number)) for number in range(NUMBER))))
    assert not asked


def test_installed_files(link: Path, asked: list[str], tmp_path: Path) -> None:
    installed = Installed(tmp_path)
    assert [installed.original(link / f"{number}/a.py") for number in range(NUMBER)] == [None] * NUMBER
    assert not asked


def test_the_state_of_a_page_s_files(link: Path, asked: list[str]) -> None:
    real = RealPaths()
    states = {state_of(real, link / f"{number}.md", link / "absent") for number in range(NUMBER)}
    assert len(states) == NUMBER
    assert not asked


def test_what_a_page_of_zensical_includes(link: Path, asked: list[str], tmp_path: Path) -> None:
    names = [f"link/{number}{suffix}" for number in range(NUMBER) for suffix in (".md", ".absent")]
    notes = PageNotes(tmp_path, tmp_path / "docs")
    note = PageNote("a.md", included=dict.fromkeys(names, "told"), digests=dict.fromkeys(names, "d"))
    assert notes.includes([note]) == {"a.md": None}
    good = PageNote("a.md", {}, dict.fromkeys(names, "told"), dict.fromkeys([*names, "docs/a.md"], ""))
    assert notes.includes([good]) == {"a.md": None}
    assert not asked


def test_what_is_below_a_folder_that_is_missing(
    link: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Front matter of 64 kB may name as sources 78 files, each below 390 folders that do not exist."""
    read = count_lookups(monkeypatch, "readlink")
    files = RealPaths()
    for number in range(NUMBER):
        assert not files.is_file(tmp_path / f"absent{number}" / "/".join("a" * 300) / "b.md")
        assert not files.is_file(tmp_path / f"link/{number}.md" / "/".join("a" * 300) / "b.md")
    assert len(read) < 3 * NUMBER + 2 * len(tmp_path.parts)
    del read[:]
    away = "/".join(f"absent-{number}/.." for number in range(150))
    (tmp_path / "away").symlink_to(f"{away}/there")
    assert files.of(tmp_path / "away/1.md") == str(tmp_path / "away/1.md")  # it is unknown where that leads
    assert not files.is_file(tmp_path / "away/1.md")
    assert files.of(tmp_path / "a/b/../c/d/e") == str(tmp_path / "a/c/d/e")
    assert len(read) < 30
    # what has been found missing for one question is a name like others for another one
    there = tmp_path / "absent1/../link/../there/1.md"
    assert not files.is_file(there)
    assert files.of(there) == os.path.realpath(there)
    assert files.is_file(tmp_path / "link/../there/1.md")
    (tmp_path / "absent1").mkdir()
    assert files.is_file(there)
    (tmp_path / "dangling").symlink_to("absent/folder")
    assert not files.is_file(tmp_path / "dangling/a.md")
    assert not files.is_file(tmp_path / "dangling/b.md")
    assert files.of(tmp_path / "dangling/b.md") == os.path.realpath(tmp_path / "absent/folder/b.md")


@pytest.mark.parametrize("way", ["", "there/../" * 250], ids=["near", "too far"])
def test_notes_of_zensical_behind_a_link(way: str, link: Path, asked: list[str], tmp_path: Path) -> None:
    (tmp_path / ".cache").symlink_to(f"{way}link")
    notes = PageNotes(tmp_path, tmp_path / "docs")
    assert [notes.read(f"{number}.md") for number in range(NUMBER)] == [None] * NUMBER
    assert not asked


def test_other_files_and_their_sources(link: Path, asked: list[str], tmp_path: Path) -> None:
    html = pytest.importorskip("docs_sitemap.generators.html")
    (tmp_path / "site").mkdir()
    for number in range(NUMBER):
        (tmp_path / f"site/{number}.md").touch()
    sources = html.Sources(link)  # a few steps, not one for each folder
    assert len(asked) < NUMBER
    del asked[:]
    files = [*html.Tree(tmp_path / "site", None, sources).other_files(lambda name: False)]
    assert [file.source for file in files] == sorted(link / f"{number}.md" for number in range(NUMBER))
    assert len(asked) <= 1


def test_the_folder_of_the_parts_of_an_index(link: Path, asked: list[str]) -> None:
    reading = pytest.importorskip("docs_sitemap.submit.reading")
    start = '<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">'
    parts = [f"<sitemap><loc>https://example.org/{number}.xml</loc></sitemap>" for number in range(NUMBER)]
    (link / "sitemap.xml").write_text(f"{start}{''.join(parts)}</sitemapindex>")
    for number in range(NUMBER):
        (link / f"{number}.xml").write_text('<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"/>')
    del asked[:]
    assert reading.read_file(link / "sitemap.xml") == {}
    assert len(asked) < NUMBER


@pytest.mark.parametrize(
    ("start", "kind"), [("genindex-", utility_pages.INDEX), ("_modules/", utility_pages.SOURCE_CODE)]
)
def test_what_makes_a_folder_a_site_s_root(
    start: str, kind: str, link: Path, asked: list[str], tmp_path: Path
) -> None:
    """Files beside utility pages may be such links, and are looked for with each of these pages."""
    page = '<h1>Index</h1><div class="highlight"><pre><div class="genindex-jumpbox">'
    links = RealPaths()
    for folder, target in (("a/", "absent"), ("b/", "1.md")):
        for mark in (*utility_pages._ROOT_FILES, utility_pages._SPHINX_FILE):
            (tmp_path / folder / mark).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / folder / mark).symlink_to(link / target)
        (tmp_path / folder / "_modules").mkdir()
        names = [f"{folder}{start}{number}.html" for number in range(NUMBER)]
        for name in names:
            (tmp_path / name).write_text(page)
        found = [utility_pages.machine_page(tmp_path, name, links) for name in names]
        assert found == ([""] if target == "absent" else [kind]) * NUMBER
    assert not asked


def test_what_git_names_a_folder_s_repository(
    link: Path, asked: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """git follows the same links with the system: so do we, of as many as there may be repositories."""
    (link / "whole/refs").mkdir(parents=True)
    (link / "whole/objects").mkdir()
    (link / "whole/HEAD").write_text("ref: refs/heads/main")
    (link / "part").mkdir()
    (link / "part/commondir").write_text("../whole")
    (link / "part/HEAD").write_text("ref: refs/heads/main")
    del asked[:]
    for number, place in enumerate(("absent", "0", "part", "whole") * NUMBER):
        (tmp_path / f"{number}").mkdir()
        (tmp_path / f"{number}/.git").write_text(f"gitdir: {link}/{place}")
    for number in range(NUMBER):
        (tmp_path / f"link-{number}").mkdir()
        (tmp_path / f"link-{number}/.git").symlink_to(link / "absent")
    finder = RepositoryFinder()
    for number, is_there in enumerate((False, False, True, True) * NUMBER):
        assert (finder.repository_of(str(tmp_path / f"{number}")) is not None) == is_there
    assert not any(finder.repository_of(str(tmp_path / f"link-{number}")) for number in range(NUMBER))
    del asked[:]
    monkeypatch.setattr(repository, "MAX_REPOSITORIES", 8)
    finder = RepositoryFinder()
    for number in range(8, NUMBER * 4):
        finder.repository_of(str(tmp_path / f"{number}"))
    assert 8 < len(asked) <= 8 * 6
    last = finder.repository_of(str(tmp_path / f"{number}"))
    assert last
    assert "more than 8 links or files in place of .git" in last.fault


def test_when_linked_files_of_a_site_were_written(link: Path, asked: list[str], tmp_path: Path) -> None:
    for number in range(NUMBER):
        os.utime(tmp_path / f"there/{number}.md", (number, number))
        (tmp_path / f"{number}.html").symlink_to(f"link/{number}.md")
    tree = pytest.importorskip("docs_sitemap.check.tree").Tree(tmp_path)
    assert [tree.modified(f"{number}.html") for number in range(NUMBER)] == [*range(NUMBER)]
    assert not asked


def test_files_whose_last_change_is_asked_for(
    link: Path, asked: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A shell may have listed them."""
    lastmod = pytest.importorskip("docs_sitemap.cli.lastmod")
    names = [os.path.join(link, f"{number}.md") for number in range(NUMBER)]
    for folder in ("refs", "objects"):
        (tmp_path / ".git" / folder).mkdir(parents=True)
    (tmp_path / ".git/HEAD").write_text("ref: refs/heads/main")
    monkeypatch.chdir(tmp_path)
    links = RealPaths()
    repository = lastmod._repository_of(names, links)
    below = [lastmod._below(repository, name, links) for name in names]
    assert below == [b"there/%d.md" % number for number in range(NUMBER)]
    assert not asked


def test_files_of_a_site_that_are_links(link: Path, asked: list[str], tmp_path: Path) -> None:
    """The system is asked once for each: to write a file and flush it to the disk takes as long."""
    for number in range(NUMBER):
        (tmp_path / f"{number}.xml").symlink_to(link / f"{number}.md")
    with OutputFolder(tmp_path).changes() as changes:
        for number in range(NUMBER):
            changes.write(f"{number}.xml", b"%d" % number)
            changes.write(f"link/{number}.xml", b"")
        assert len(changes.commit()) == NUMBER
    assert len(asked) <= NUMBER + 1  # the link is one, and looked at for files and for folders


def test_a_site_whose_folder_is_a_link(link: Path, asked: list[str]) -> None:
    build = pytest.importorskip("docs_sitemap.cli.build")
    for number in range(NUMBER):
        (link / f"{number}.html").write_text(f"<title>{number}</title>")
    del asked[:]
    options = read_options({"base_url": "https://example.org/"})
    assert len(build._emit(link, None, None, options, str).urls) == NUMBER
    assert len(asked) < NUMBER / 2


def test_sources_of_a_site_behind_a_link(link: Path, asked: list[str], tmp_path: Path) -> None:
    build = pytest.importorskip("docs_sitemap.cli.build")
    (tmp_path / "site").mkdir()
    for number in range(NUMBER):
        (tmp_path / f"site/{number}.html").write_text(f"<title>{number}</title>")
        (link / f"{number}.md").write_text("+++\nsitemap = {exclude = true}\n+++\n")
    del asked[:]
    options = read_options({"base_url": "https://example.org/"})
    assert not build._emit(tmp_path / "site", link, None, options, str).urls
    assert len(asked) < NUMBER / 2


def test_sources_that_pages_name(link: Path, asked: list[str], tmp_path: Path) -> None:
    links = RealPaths()
    for number in range(NUMBER):
        metadata = {"sitemap": {"sources": [f"link/{number}.md"], "not_sources": [f"link/{number}.md"]}}
        assert read_metadata(metadata, "a.md", tmp_path, links)[1] == (link / f"{number}.md",)
    assert len(asked) <= 1


def test_links_of_a_site_to_one_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Below 1,900 folders, each of 100,000 links took half a millisecond and 4 kB."""
    tree = pytest.importorskip("docs_sitemap.check.tree")
    (tmp_path / "deep").mkdir()
    (tmp_path / "deep/file").touch()
    for number in range(NUMBER):
        (tmp_path / f"{number}").symlink_to("deep/file")
    found: list[str] = []
    lstat = os.lstat

    def counted(path: str) -> os.stat_result:
        found.append(path)
        return lstat(path)

    monkeypatch.setattr(os, "lstat", counted)
    site = tree.Tree(tmp_path)
    assert len(site.files) == NUMBER + 1
    assert len({id(name) for name in site._linked_files.values()}) == 1
    assert found.count(str(tmp_path / "deep/file")) <= 2


def test_versions_that_are_links(link: Path, asked: list[str], tmp_path: Path) -> None:
    policy = pytest.importorskip("docs_sitemap.versions.policy")
    (tmp_path / "there/index.html").write_text("<title>1.0</title>")
    for number in range(NUMBER):
        (tmp_path / f"site-{number}").mkdir()
        (tmp_path / f"site-{number}/1.0").symlink_to("../link")
    tree = policy.Tree(tmp_path, {})
    del asked[:]
    for number in range(NUMBER):
        assert not policy._last_version(tree, f"site-{number}", ["1.0"], policy.is_marked)
    assert not asked


def test_builds_in_folders_of_a_build(link: Path, asked: list[str], tmp_path: Path) -> None:
    names = [f"{number}/index.html" for number in range(NUMBER)]
    for number, name in enumerate(names):
        (tmp_path / f"site/{number}").mkdir(parents=True)
        (tmp_path / "site" / name).touch()
        (tmp_path / f"site/{number}/sitemap.xml").symlink_to("../../link/absent")
    (tmp_path / "site/0/objects.inv").symlink_to("../../link/0.md")
    own = builds._own_names(tmp_path / "site", dict.fromkeys(names, ""), set())
    assert sorted(own) == sorted(names[1:])
    assert not asked


def test_files_that_includes_of_sphinx_name(link: Path, asked: list[str], tmp_path: Path) -> None:
    configured = pytest.importorskip("docs_sitemap.generators.sphinx.configured")
    documents = type(
        "Environment", (), {"srcdir": str(tmp_path), "doc2path": lambda _, name: f"{tmp_path}/{name}"}
    )
    app = type(
        "App",
        (),
        {
            "confdir": str(tmp_path),
            "config": type("Config", (), {"rst_prolog": ".. include:: a.txt", "rst_epilog": None}),
        },
    )
    (tmp_path / "a.rst").write_text("".join(f".. include:: link/{number}.md\n" for number in range(NUMBER)))
    (tmp_path / "a.txt").write_text("")
    configured.Configured(app, documents()).files("a.rst")
    assert not asked


def test_catalogs(link: Path, asked: list[str]) -> None:
    catalogs = pytest.importorskip("docs_sitemap.generators.sphinx.catalogs").Catalogs(fuzzy=False)
    assert not any(catalogs.translates(link / f"{number}.md") for number in range(NUMBER))
    assert not asked


def test_languages_whose_folders_are_links(link: Path, asked: list[str], tmp_path: Path) -> None:
    translations = pytest.importorskip("docs_sitemap.generators.sphinx.translations")
    (tmp_path / "there/LC_MESSAGES").mkdir()
    (tmp_path / "locale").mkdir()
    languages = ["aa", "ab", "af", "ak", "am", "ar", "as", "av", "ay", "az"]
    for language in languages:
        (tmp_path / "locale" / language).symlink_to("../link")
    values = {"language": "en", "locale_dirs": ["locale"], "gettext_compact": False, "overrides": {}}
    config = SimpleNamespace(**values, gettext_allow_fuzzy_translations=False)
    env = SimpleNamespace(found_docs=[])
    found = translations.Translations(SimpleNamespace(config=config, srcdir=tmp_path, env=env), env)
    assert found._names() == {language: language for language in languages}
    assert not asked


def test_catalogs_of_the_language_that_is_built(link: Path, asked: list[str], tmp_path: Path) -> None:
    translations = pytest.importorskip("docs_sitemap.generators.sphinx.translations")
    folder = tmp_path / "there/de/LC_MESSAGES"
    folder.mkdir(parents=True)
    for number in range(NUMBER):
        (folder / f"{number}.po").write_text("")
        (folder / f"{number}.mo").write_bytes(b"\xde\x12\x04\x95" + bytes(4) + b"\2\0\0\0")
    values = {"language": "de", "locale_dirs": ["link"], "gettext_compact": False, "overrides": {}}
    config = SimpleNamespace(**values, gettext_allow_fuzzy_translations=False)
    names = [str(number) for number in range(2 * NUMBER)]  # half of them have no catalog
    env = SimpleNamespace(found_docs=names)
    found = translations.Translations(SimpleNamespace(config=config, srcdir=tmp_path, env=env), env)
    for _ in range(3):
        catalogs = [catalog for name in names for catalog in found.catalogs(name)]
    assert catalogs == [link / f"de/LC_MESSAGES/{number}.po" for number in range(NUMBER)]
    assert [found.is_untranslated(name) for name in names] == [False] * NUMBER + [True] * NUMBER
    assert len(asked) <= 2  # the folder itself, and the link on the way


def test_files_of_an_earlier_build_in_a_deep_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each folder on the way to 1,000 files was looked at 1,000 times."""
    deep = "d/" * 40
    (tmp_path / deep).mkdir(parents=True)
    for number in range(NUMBER):
        (tmp_path / f"{deep}sitemap-{number}.xml").touch()
    looked = count_lookups(monkeypatch, "readlink")
    assert not _leftovers(OutputFolder(tmp_path), f"{deep}sitemap.xml", [])
    assert len(looked) < 2 * NUMBER + 200
