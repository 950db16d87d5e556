"""Files that are no pages: listed where a rule includes them, with their dates."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("sphinx")

from tests.support.sphinxsite import Docs

pytestmark = pytest.mark.versions


def test_a_rule_lists_files_with_their_dates(tmp_path: Path) -> None:
    docs = Docs(tmp_path)
    docs.page("index.rst", ".. toctree::\n\n   one\n")
    names = ("extra/paper.pdf", "downloads/plan.pdf", "_static/logo.pdf", "_static/other.csv")
    for name in names:
        docs.repo.save(f"docs/{name}", "%PDF-1.7")
    # Sphinx copies nothing of this folder; with two such links, it would have no end
    docs.repo.write("docs/_static/.hidden/a.pdf", "%PDF-1.7")
    (docs.srcdir / "_static/.hidden/a").symlink_to(".")
    docs.save_page("one.rst", ":download:`the plan <downloads/plan.pdf>`\n")
    sources = {"html_extra_path": ["extra"], "html_static_path": ["_static"]}
    docs.conf(**sources)
    assert not [url for url in docs.build(strict=True).sitemap if url.endswith(".pdf")]
    docs.conf(**sources, docs_sitemap_rules=[{"match": "*.pdf", "include": True}])
    for _ in range(2):
        built = docs.build(strict=True)
        found = {url: date for url, date in built.sitemap.items() if not url.endswith(".html")}
        [plan] = [url for url in found if url.startswith("_downloads/")]
        assert found == {
            "paper.pdf": docs.date("extra/paper.pdf"),
            "_static/logo.pdf": docs.date("_static/logo.pdf"),
            plan: docs.date("downloads/plan.pdf"),
        }
        assert all((built.outdir / url).is_file() for url in found)
