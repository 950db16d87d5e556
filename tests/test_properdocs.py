"""ProperDocs, which continues MkDocs 1, loads the same plugin, with MkDocs beside it or without."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import pytest

from tests.mkdocssite import Docs

if importlib.util.find_spec("properdocs") is None:
    pytest.skip("properdocs is not installed", allow_module_level=True)

THEME = '<html><head><link rel="canonical" href="{{ page.canonical_url }}"></head>{{ page.content }}</html>'


def test_properdocs_builds_the_same_sitemap(tmp_path: Path) -> None:
    docs = Docs(tmp_path)
    docs.repo.write("theme/main.html", THEME)
    docs.conf(theme={"name": None, "custom_dir": "theme"})
    docs.pages("one.md")
    docs.page("out.md", robots="noindex")
    built = docs.run("--strict", "-f", "mkdocs.yml", program="properdocs")
    assert not built.failed, built.log
    assert built.sitemap == {"": docs.date("index.md"), "one/": docs.date("one.md")}
    assert len(built.notices("docs-sitemap: sitemap.xml: 2 pages, 2 with lastmod")) == 1


def test_properdocs_counts_our_warnings(tmp_path: Path) -> None:
    docs = Docs(tmp_path)
    docs.repo.write("theme/main.html", THEME)
    docs.conf({"clock": "wall"}, theme={"name": None, "custom_dir": "theme"})
    docs.pages("one.md")
    built = docs.run("-f", "mkdocs.yml", program="properdocs")
    assert built.failed
    assert len(built.notices("Plugin 'docs-sitemap' option 'clock': expected one of committer, author")) == 1
    docs.conf(theme={"name": None, "custom_dir": "theme"}, site_url=...)
    assert not docs.run("-f", "mkdocs.yml", program="properdocs").failed
    assert docs.run("--strict", "-f", "mkdocs.yml", program="properdocs").failed
