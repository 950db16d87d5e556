"""What a page's front matter says of the sitemap means the same in every host."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from docs_sitemap import generators
from tests.support import sitemaps
from tests.support.gitrepo import Repo
from tests.support.projects import write_files
from tests.support.warm import generate, run_module

pytest.importorskip("yaml")
BASE = "https://example.org/"
HIDING = {
    "one": "robots: noindex, follow",
    "two": "draft: true",
    "three": "sitemap: false",
    "four": "sitemap: {exclude: true}",
    "five": "sitemap-exclude: true",
}
SHOWN = {"shown": "draft: false\nrobots: index", "index": "title: Home\nsitemap-lastmod: 2020-01-02"}
CONFIGURATION = f"site_name: x\nsite_url: {BASE}\ntheme: {{name: mkdocs}}\nplugins: [docs-sitemap]\n"
CONF = f"extensions = ['docs_sitemap', 'myst_parser']\nhtml_baseurl = '{BASE}'\n"


def by_mkdocs(root: Path) -> str:
    write_files(root, {"mkdocs.yml": CONFIGURATION})
    return run_module("mkdocs", "build", cwd=root).stderr


def by_zensical(root: Path) -> str:
    write_files(root, {"zensical.toml": f'[project]\nsite_name = "x"\nsite_url = "{BASE}"\n'})
    generate(sys.executable, "-m", "zensical", "build", cwd=root)
    return run_module("docs_sitemap", "build", cwd=root).stderr


def by_sphinx(root: Path) -> str:
    pytest.importorskip("myst_parser")
    write_files(root, {"docs/conf.py": CONF})
    return run_module("sphinx", "docs", "site", cwd=root).stdout


def by_build(root: Path) -> str:
    write_files(root, {f"site/{name}.html": "<title>x</title>" for name in {**HIDING, **SHOWN}})
    command = ("build", "site", "--source-dir", "docs", "--base-url", BASE)
    return run_module("docs_sitemap", *command, cwd=root).stderr


HOSTS: dict[str, Callable[[Path], str]] = {
    "html": by_build,
    "mkdocs": by_mkdocs,
    "sphinx": by_sphinx,
    "zensical": by_zensical,
}


def test_each_host_is_here() -> None:
    [folder] = generators.__path__
    assert {path.name for path in Path(folder).iterdir() if (path / "__init__.py").exists()} == {*HOSTS}


@pytest.mark.parametrize("host", HOSTS)
def test_front_matter_hides_a_page_in_every_host(host: str, repo: Repo) -> None:
    """And a noindex that no theme writes is told: its author believes that the page is hidden."""
    if host != "html":
        pytest.importorskip(host)
    pages = {f"docs/{name}.md": f"---\n{head}\n---\n# {name}\n" for name, head in {**HIDING, **SHOWN}.items()}
    write_files(repo.root, pages)
    repo.commit()
    said = HOSTS[host](repo.root)
    found = sitemaps.read(repo.root / "site/sitemap.xml")
    names = {loc.removeprefix(BASE).removesuffix(".html").strip("/") or "index": loc for loc in found}
    assert {*names} == {*SHOWN}
    assert found[names["index"]] == "2020-01-02"
    assert said.count("has the setting robots: noindex") == 1
    assert "can show it: one.md. To fix it: " in said
