"""explain says the date of the sitemap, for every page of a real build, and how each file is known."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("mkdocs")
pytest.importorskip("sphinx")

from docs_sitemap.cli.explain import NotedSites
from docs_sitemap.explain.notes import NOTHING, read_file
from tests.support import mkdocssite, sphinxsite
from tests.support.mkdocssite import BASE
from tests.support.warm import run_module

HOOK = """
from pathlib import Path
def on_page_markdown(markdown, **_):
    return markdown.replace("{{data}}", (Path(__file__).parent / "data.txt").read_text())
""".replace("    return", '    if "{{data}}" in markdown:\n        return')


@pytest.fixture
def docs(tmp_path: Path) -> mkdocssite.Docs:
    """A home page beside the repository's README, a page with data, one with settings of its own."""
    docs = mkdocssite.Docs(tmp_path)
    docs.repo.write("README.md", "# The repository\n")
    docs.page("index.md")
    docs.page("guide/a.md", "{{data}}")
    docs.page("guide/b.md", sitemap={"lastmod": "2024-02-29"})
    docs.page("c.md", "{{data}}", sitemap={"not_sources": ["../data.txt"]})
    docs.save_page("d.md", sitemap={"sources": ["../data.txt"]})
    docs.repo.save("data.txt", "Seven owls.")
    docs.conf({"rules": [{"match": "e.md", "lastmod": "none"}]}, hooks=[docs.hook(HOOK)])
    docs.save_page("e.md")
    docs.page("new.md")
    return docs


def explain(cwd: Path, *args: str) -> list[dict[str, Any]]:
    done = run_module("docs_sitemap", "explain", "--json", *args, cwd=cwd)
    assert done.returncode == 0, done.stderr
    found: list[dict[str, Any]] = json.loads(done.stdout)
    return found


def test_every_page_of_a_site_has_the_date_of_the_sitemap(docs: mkdocssite.Docs) -> None:
    built = docs.build(strict=True)
    found = explain(docs.repo.root, *(BASE + path for path in built.sitemap))
    assert {page["page"].removeprefix(BASE): page["date"] for page in found} == built.sitemap
    by_page = {page["page"].removeprefix(BASE): page for page in found}
    assert by_page[""]["path"] == "docs/index.md"
    assert by_page["guide/a/"]["path"] == "data.txt"
    assert by_page["guide/a/"]["how"] == "hooks.py reads it while the page is built"
    assert by_page["guide/a/"]["known"][0]["how"] == "the page is written in it"
    assert by_page["c/"]["files"] == ["docs/c.md"]
    assert by_page["d/"]["how"] == "the page or a rule names it as sources"
    assert by_page["e/"]["remarks"] == ["the page, a rule or the option lastmod turns off its date"]
    assert by_page["guide/b/"]["remarks"] == ["the date is set in the page or in a rule"]
    assert by_page["guide/b/"]["path"] is None  # no file decides
    assert "not committed" in by_page["new/"]["reason"]


NAMES = (
    "guide/a",
    "guide/a.md",
    "docs/guide/a.md",
    "/guide/a/",
    "guide/a.html",
    "https://x.example/docs/guide/a/",
)


def test_a_page_by_each_of_its_names_from_any_folder(docs: mkdocssite.Docs) -> None:
    built = docs.build(strict=True)
    pages = explain(docs.repo.root, *NAMES)
    assert {page["date"] for page in pages} == {built.sitemap["guide/a/"]}
    assert {page["address"] for page in pages} == {f"{BASE}guide/a/"}
    others = [page for page in pages if page["page"] != "docs/guide/a.md"]
    assert explain(docs.docs_dir / "guide", *(page["page"] for page in others)) == others


def test_the_options_of_the_build_count_unless_others_are_given(docs: mkdocssite.Docs) -> None:
    revs = docs.repo.log_commit("data.txt")
    docs.repo.write("revs.txt", f"{revs}\n")
    docs.repo.write("data.txt", "Eight owls.")
    ignored = docs.repo.commit()
    docs.repo.write("revs.txt", f"{ignored}\n")
    docs.conf({"ignore_revs": "revs.txt", "follow_renames": True}, hooks=[docs.hook(HOOK)])
    built = docs.build(strict=True)
    (page,) = explain(docs.docs_dir, "guide/a")
    assert page["date"] == built.sitemap["guide/a/"]
    assert page["commit"] == revs
    docs.repo.write("none.txt", "# none\n")
    (page,) = explain(docs.repo.root, "--ignore-revs", "none.txt", "guide/a")
    assert page["commit"] == ignored


def test_a_page_that_has_changed_since_says_so(docs: mkdocssite.Docs) -> None:
    docs.build(strict=True)
    docs.page("index.md", "More.")
    (page,) = explain(docs.repo.root, BASE)
    assert page["remarks"] == [
        "the page or a file that it includes has changed since the last build: build the site again"
    ]


def test_a_file_that_is_no_page_is_explained_alone(docs: mkdocssite.Docs) -> None:
    docs.build(strict=True)
    (page,) = explain(docs.repo.root, "data.txt")
    assert page["files"] == ["data.txt"]
    assert page["remarks"] == ["the last build has no such page: this explains only the file"]


def test_another_repository_has_notes_of_its_own(docs: mkdocssite.Docs, tmp_path: Path) -> None:
    docs.build(strict=True)
    other = mkdocssite.Docs(tmp_path / "other")
    other.pages("guide/a.md")
    (page,) = explain(other.repo.root, "guide/a")
    assert page["address"] is None
    assert page["date"] == other.date("guide/a.md")


def test_the_most_specific_name_counts_first_in_all_sites(
    docs: mkdocssite.Docs, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    docs.page("x/g.md")
    docs.build(out="first")
    (docs.repo.root / "docs/x/g.md").rename(docs.repo.root / "docs/x/g.markdown")
    docs.build(out="second")
    sites = NotedSites()
    found = sites.find("x/g.md", sites.of(str(docs.repo.root / "docs/x/g.markdown")))
    assert found
    assert found[1].names[0] == "x/g.md"


def test_sphinx_builds_note_it_too(tmp_path: Path) -> None:
    docs = sphinxsite.Docs(tmp_path)
    docs.page("index.rst", ".. include:: part.txt\n")
    docs.save_page("guide/index.rst", "Text.")
    docs.repo.save("docs/part.txt", "A part.\n")
    docs.conf()
    built = docs.build()
    for name, path in (
        ("index", "index.html"),
        (sphinxsite.BASE, "index.html"),
        ("guide/index", "guide/index.html"),
    ):
        (page,) = explain(docs.repo.root, name)
        assert page["date"] == built.sitemap[path], name
    (page,) = explain(docs.repo.root, "index")
    assert (page["path"], page["how"]) == (
        "docs/part.txt",
        "Sphinx records it as a dependency of the document",
    )


def test_a_verbose_build_says_each_date_and_the_file_that_decided(
    docs: mkdocssite.Docs, tmp_path: Path
) -> None:
    built = docs.run("--verbose")
    (line,) = built.notices(f"{BASE}guide/a/: {docs.date('../data.txt')}, by ")
    assert line.endswith("data.txt (hooks.py reads it while the page is built)")
    assert not docs.run().notices("hooks.py reads it")
    other = sphinxsite.Docs(tmp_path / "other")
    other.save_page("index.rst")
    other.conf()
    said = other.run("-v").notices(f"{sphinxsite.BASE}index.html: {other.date('index.rst')}, by ")
    assert said[0].endswith("index.rst (the page is written in it)")


@pytest.mark.parametrize(
    "text", ["", '{"version": 1}\n{}', '{"version": 3}\n{', '{"version": 3}\n{"source": 3}']
)
def test_notes_of_another_version_or_cut_short_are_no_notes(tmp_path: Path, text: str) -> None:
    file = tmp_path / "notes.jsonl"
    file.write_text(text)
    assert read_file(file) == NOTHING


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root becomes another user")
@pytest.mark.parametrize(("home", "release"), [(None, "2.2"), ("", "installed"), (None, "installed")])
def test_a_user_without_a_home_has_no_notes_and_hears_nothing_of_it(
    docs: mkdocssite.Docs, tmp_path: Path, home: str | None, release: str
) -> None:
    """Releases of platformdirs differ: newer ones raise an error, older ones give a folder ``~``."""
    environ = {name: value for name, value in os.environ.items() if name not in ("HOME", "XDG_CACHE_HOME")}
    if home is not None:
        environ["HOME"] = home
    if release == "2.2":
        (tmp_path / "old").mkdir()
        (tmp_path / "old/platformdirs.py").write_text(PLATFORMDIRS_2_2)
        environ["PYTHONPATH"] = str(tmp_path / "old")
    before = {*docs.repo.root.iterdir()}

    def run(*command: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-m", *command],
            cwd=docs.repo.root,
            env=environ,
            preexec_fn=lambda: os.setresuid(54_321, 0, 0),  # unknown, but may read what the tests' user may
            capture_output=True,
            text=True,
            check=False,
        )

    done = run("mkdocs", "build", "--strict", "--site-dir", str(tmp_path / "site"))
    assert done.returncode == 0, done.stderr
    assert "docs-sitemap: sitemap.xml: " in done.stderr
    assert not [word for word in ("unexpected", "cache", "notes") if word in done.stderr]
    done = run("docs_sitemap", "explain", "docs/index.md")
    assert done.returncode == 0, done.stderr
    assert "the included files are unknown: build the site once with notes, which " in done.stdout
    assert {*docs.repo.root.iterdir()} - {docs.repo.root / "__pycache__"} == before


def test_notes_are_switched_off(
    docs: mkdocssite.Docs, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("DOCS_SITEMAP_NOTES", "0")
    assert docs.build(strict=True).sitemap
    assert not (tmp_path / "cache").exists()
    monkeypatch.delenv("DOCS_SITEMAP_NOTES")
    docs.build(strict=True)
    assert [*(tmp_path / "cache/docs-sitemap").iterdir()]


PLATFORMDIRS_2_2 = """
import os, pathlib
def user_cache_path(*args, **values):
    return pathlib.Path(os.environ.get("XDG_CACHE_HOME", "").strip() or os.path.expanduser("~/.cache"))
user_config_path = user_data_path = user_state_path = user_cache_path
"""


def test_notes_of_sites_that_were_built_long_ago_are_removed(
    docs: mkdocssite.Docs, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "cache/docs-sitemap"
    folder.mkdir(parents=True)
    monkeypatch.setenv("XDG_CACHE_HOME", str(folder.parent))
    for number in range(50):
        file = folder / f"{number:032}.jsonl"
        file.write_text('{"version": 3}\n')
        os.utime(file, (number, number))
    (folder / "other.txt").touch()
    docs.build(strict=True)
    left = sorted(path.name for path in folder.iterdir())
    assert len(left) == 41
    assert left[0] == f"{11:032}.jsonl"
    assert "other.txt" in left
