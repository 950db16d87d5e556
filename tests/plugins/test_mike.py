"""An index over what mike deploys."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("mike")
pytest.importorskip("lxml")

from tests.plugins.test_mkdocs_plugins import deploy, deployed
from tests.support.mkdocssite import Docs
from tests.versions.test_index import BASE, index, robots, run


def test_what_mike_deploys(tmp_path: Path) -> None:
    docs = Docs(tmp_path)
    docs.repo.write("theme/main.html", "<html></html>")  # mike may run ProperDocs, which has no theme
    docs.conf(plugins=["docs-sitemap", "mike"], theme={"name": None, "custom_dir": "theme"})
    docs.repo.write(".gitignore", "/site/\n")
    docs.pages("one.md")
    deploy(docs, "1.0")
    docs.pages("two.md")
    deploy(docs, "2.0", "latest")
    root = deployed(docs, tmp_path / "pages")
    done = run(root, "--base-url", BASE)
    assert done.exit_code == 0, done.stderr
    assert robots(root) == [f"{BASE}2.0/sitemap.xml"]
    assert index(root, "--versions", "all") == ["1.0/sitemap.xml", "2.0/sitemap.xml"]
