"""Documentation that is copied before a build has the dates of its originals."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path

import pytest

from tests.generators.html.test_build import BASE, build, dates, run
from tests.support import sitemaps
from tests.support.gitrepo import Repo

ORIGINALS = ("packages/a/docs/x.md", "packages/a/docs/b/old.md", "packages/b/docs/y.md", "README.md")
COPIES = {"packages/a/docs": "docs/a", "packages/b/docs": "docs/a/b", "README.md": "docs/index.md"}
MAP = {copy: original for original, copy in COPIES.items()}
LINE = [word for pair in MAP.items() for word in ("--source-map", "=".join(pair))]
PAGES = {"a/x/": "packages/a/docs/x.md", "a/b/y/": "packages/b/docs/y.md", "": "README.md"}


def publish(root: Path) -> None:
    """Write a page for each source below ``docs``, as a generator does."""
    for source in (root / "docs").rglob("*.md"):
        name = source.relative_to(root / "docs").with_suffix("")
        page = root / "site" / (name if name.name == "index" else name / "index").with_suffix(".html")
        page.parent.mkdir(parents=True, exist_ok=True)
        page.write_text("<title>Page</title>")


def copy(root: Path) -> None:
    for original, place in COPIES.items():
        if (root / original).is_dir():
            shutil.copytree(root / original, root / place, dirs_exist_ok=True)
        else:
            shutil.copy(root / original, root / place)


@pytest.fixture
def monorepo(repo: Repo) -> Repo:
    """A site whose whole documentation is copied into a folder that git ignores."""
    repo.write(".gitignore", "/docs/\n/site/\n")
    for name in ORIGINALS:
        repo.commit(name)
    copy(repo.root)
    (repo.root / "docs/a/b/old.md").unlink()
    publish(repo.root)
    return repo


@pytest.mark.parametrize("place", ["line", "docs-sitemap.toml", "pyproject.toml"])
def test_a_copy_has_the_date_of_its_original(monorepo: Repo, place: str) -> None:
    """Of nested folders, the nearest counts; a file can be named too."""
    site, root, line = monorepo.root / "site", monorepo.root, LINE if place == "line" else []
    if not line:
        table = "".join(f"{json.dumps(copy)} = {json.dumps(original)}\n" for copy, original in MAP.items())
        name = "[source_map]" if place.startswith("docs") else "[tool.docs-sitemap.source_map]"
        monorepo.write(place, f"{name}\n{table}")
    assert build(site, "--source-dir", "docs", *line, cwd=root) == dates(monorepo, PAGES)


def test_without_the_option_a_copy_has_no_date(monorepo: Repo) -> None:
    found = build(monorepo.root / "site", "--source-dir", "docs", cwd=monorepo.root)
    assert found == dict.fromkeys(PAGES)


def test_the_map_wins_over_a_commit_of_the_copy(monorepo: Repo) -> None:
    """A changed copy counts as its original all the same: a step before the build may have changed links."""
    monorepo.write(".gitignore", "/site/\n")
    monorepo.write("docs/a/x.md", "With other links.\n")
    monorepo.commit()
    found = build(monorepo.root / "site", "--source-dir", "docs", *LINE, cwd=monorepo.root)
    assert found == dates(monorepo, PAGES)


def test_a_copy_without_an_original_has_no_date(monorepo: Repo) -> None:
    """Also if the copy is committed."""
    monorepo.write(".gitignore", "/site/\n")
    monorepo.write("docs/a/made.md")
    monorepo.commit()
    publish(monorepo.root)
    site, line = monorepo.root / "site", ("--source-dir", "docs", *LINE)
    assert build(site, *line, cwd=monorepo.root) == {**dates(monorepo, PAGES), "a/made/": None}
    said = run(site, "--base-url", BASE, *line, cwd=monorepo.root).stderr
    why = "1 page has no date: copied, by source_map, from a file that is not there"
    assert f"{why} ({monorepo.root / 'packages/a/docs/made.md'}). To fix it: correct `source_map`" in said
    assert said.count("no date") == 1


def test_an_original_may_be_in_another_repository_or_in_none(monorepo: Repo, tmp_path: Path) -> None:
    other = Repo(tmp_path / "other")
    other.commit("docs/z.md", when=1_650_000_000)
    (tmp_path / "none").mkdir()
    (tmp_path / "none/n.md").write_text("None")
    for name in ("other/docs", "none"):
        shutil.copytree(tmp_path / name, monorepo.root / "docs" / name)
    publish(monorepo.root)
    args = ["--source-dir", "docs", *LINE, "--source-map", f"docs/none={tmp_path / 'none'}"]
    args += ["--source-map", f"docs/other/docs={os.path.relpath(tmp_path / 'other/docs', monorepo.root)}"]
    found = build(monorepo.root / "site", *args, cwd=monorepo.root)
    theirs = dates(other, {"other/docs/z/": "docs/z.md"})
    assert found == {**dates(monorepo, PAGES), **theirs, "none/n/": None}
    said = run(monorepo.root / "site", "--base-url", BASE, *args, cwd=monorepo.root).stderr
    assert f"no date: not in a git repository ({tmp_path / 'none/n.md'})" in said


NAMED = {
    "a/data.csv": "packages/a/docs/data.csv",
    "../packages/a/docs/data.csv": "packages/a/docs/data.csv",
    "a/in.csv": "packages/a/docs/data.csv",
    "a/out.csv": "own.csv",
}


@pytest.mark.parametrize("name", NAMED)
def test_what_a_rule_names_is_a_copy_too(monorepo: Repo, name: str) -> None:
    """Or the original, or a link: that counts as what it leads to, in the copied folder or elsewhere."""
    monorepo.commit("packages/a/docs/data.csv")
    monorepo.commit("own.csv")
    shutil.copy(monorepo.root / "packages/a/docs/data.csv", monorepo.root / "docs/a")
    os.symlink("data.csv", monorepo.root / "docs/a/in.csv")
    os.symlink("../../own.csv", monorepo.root / "docs/a/out.csv")
    monorepo.write("docs-sitemap.toml", f"[[rules]]\nmatch = 'y.md'\nsources = ['{name}']\n")
    found = build(monorepo.root / "site", "--source-dir", "docs", *LINE, cwd=monorepo.root)
    assert found == dates(monorepo, {**PAGES, "a/b/y/": NAMED[name]})


NOTEBOOKS = {"": "docs/index.md", "a/": "docs/a.md", "n/x/": "docs/n/x.ipynb", "n/b/y/": "docs/n/b/y.ipynb"}


@pytest.mark.parametrize("command", [(), ("site", "--base-url", BASE, "--source-dir", "docs")])
@pytest.mark.parametrize("kind", ["*", "x", "n"])
def test_a_copy_may_have_another_ending(repo: Repo, command: tuple[str, ...], kind: str) -> None:
    """Only what has an original is a copy; without the entry, a line of the build names it."""
    if not command:
        pytest.importorskip("yaml", reason="the configuration is in YAML")
    for name in (*NOTEBOOKS.values(), "docs/a.ipynb"):
        repo.commit(name)
    repo.git("rm", "-q", "docs/a.ipynb")
    repo.write(".gitignore", "/docs/n/**/*.md\n/site/\n")
    repo.write("mkdocs.yml", f"site_url: {BASE}\n")
    repo.commit()
    for name in ("x", "b/y"):
        repo.write(f"docs/n/{name}.md", "Made from it.\n")
    publish(repo.root)
    said = run(*command, cwd=repo.root).stderr
    assert "2 pages have no date: " in said
    assert "add --source-map 'docs/n/*.md=docs/n/*.ipynb'" in said.replace("docs/n/b/*", "docs/n/*")
    pairs = {
        "*": ["docs/*.md=docs/*.ipynb"],
        "x": [f"docs/n/{name}.md=docs/n/{name}.ipynb" for name in ("x", "b/y")],
        "n": ["docs/n/*.md=docs/n/*.ipynb"],
    }[kind]
    line = [word for pair in pairs for word in ("--source-map", pair)]
    done = run(*command, *line, cwd=repo.root)
    assert "no date" not in done.stderr
    found = sitemaps.read(repo.root / "site/sitemap.xml")
    assert {loc.removeprefix(BASE): date for loc, date in found.items()} == dates(repo, NOTEBOOKS)


def test_projects_that_zmerge_puts_together(repo: Repo, tmp_path: Path) -> None:
    """The form that zmerge 0.3 leaves: sources in a hidden folder, fetched ones with a shallow history."""
    repo.write(".gitignore", "/.zmerge/\n/site/\n")
    repo.commit("docs/index.md")
    repo.commit("packages/lev/docs/x.md")
    other = Repo(tmp_path / "other")
    other.commit("docs/old.md")
    other.commit("docs/new.md")
    fetched = repo.root / ".zmerge/repos/other"
    repo.git("clone", "--quiet", "--depth=1", other.root.as_uri(), str(fetched))
    staged = {"docs": "docs", "docs/lev": "packages/lev/docs", "docs/other": ".zmerge/repos/other/docs"}
    for place, original in staged.items():
        shutil.copytree(repo.root / original, repo.root / ".zmerge" / place)
    publish(repo.root / ".zmerge")
    table = "".join(f'".zmerge/{place}" = "{original}"\n' for place, original in staged.items())
    repo.write("docs-sitemap.toml", f"[source-map]\n{table}")
    found = build(repo.root / ".zmerge/site", "--source-dir", ".zmerge/docs", cwd=repo.root)
    own = dates(repo, {"": "docs/index.md", "lev/x/": "packages/lev/docs/x.md"})
    assert found == {**own, "other/old/": None, "other/new/": None}


FORM = 'expected BUILD/DIR=SOURCE/DIR, or a mapping such as {"docs/a": "packages/a/docs"}'
WRONG = {
    "docs/a": f"{FORM}, got ['docs/a'].",
    "docs/a=": f"{FORM}, got ['docs/a='].",
    "docs/a=pack/a": "expected a path that exists in ROOT, got 'docs/a=pack/a'.",
}


@pytest.mark.parametrize("value", WRONG)
def test_a_mistake_is_one_message(monorepo: Repo, value: str) -> None:
    args = ("--base-url", BASE, "--source-map", value)
    done = run(monorepo.root / "site", *args, cwd=monorepo.root)
    assert done.returncode == 2
    message = WRONG[value].replace("ROOT", str(monorepo.root))
    assert f"Error: --source-map: {message}\n" in done.stderr
    assert not (monorepo.root / "site/sitemap.xml").exists()
