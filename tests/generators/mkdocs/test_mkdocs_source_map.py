"""Pages and included files that are copied into docs_dir before the build have their originals' dates."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("mkdocs")

from tests.support.mkdocssite import BASE, Docs
from tests.support.warm import run_module

HOOK = """
from pathlib import Path
def on_page_markdown(markdown, **_):
    if "{{data}}" in markdown:
        return markdown.replace("{{data}}", (Path(__file__).parent / "docs/a/data.txt").read_text())
"""


@pytest.fixture
def docs(tmp_path: Path) -> Docs:
    """A page that is copied, one that is copied with a file that it includes, and two that are not."""
    docs = Docs(tmp_path)
    docs.pages("one.md")
    docs.repo.write(".gitignore", "/docs/a/\n")
    docs.repo.commit("packages/a/docs/plain.md")
    docs.repo.save("packages/a/docs/shows.md", "# Shows\n\n{{data}}\n")
    docs.repo.commit("packages/a/docs/data.txt")
    shutil.copytree(docs.repo.root / "packages/a/docs", docs.docs_dir / "a")
    docs.repo.commit("packages/a/docs/made.ipynb")
    docs.page("a/made.md")
    docs.conf({"source_map": {"docs/a": "packages/a/docs"}, "page_dates": True}, hooks=[docs.hook(HOOK)])
    return docs


def explain(docs: Docs, page: str) -> dict[str, Any]:
    done = run_module("docs_sitemap", "explain", "--json", page, cwd=docs.repo.root)
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)[0]
    return found


def test_the_sitemap_the_pages_and_explain_say_the_date_of_the_original(docs: Docs) -> None:
    built = docs.build(strict=True)
    plain, data = docs.date("../packages/a/docs/plain.md"), docs.date("../packages/a/docs/data.txt")
    own = {"": docs.date("index.md"), "one/": docs.date("one.md")}
    assert built.sitemap == {**own, "a/plain/": plain, "a/shows/": data, "a/made/": None}
    line = '{"docs/a/*.md": "packages/a/docs/*.ipynb"} to plugins: docs-sitemap: source_map.'
    assert f"To fix it: if made.ipynb is what makes it, add {line}" in "".join(built.log)
    assert plain.encode() in built.read("a/plain/index.html")
    copy = docs.docs_dir / "a/plain.md"
    for name in (f"{BASE}a/plain/", "docs/a/plain.md", "packages/a/docs/plain.md"):
        found = explain(docs, name)
        assert (found["path"], found["date"]) == ("packages/a/docs/plain.md", plain)
        assert found["how"] == f"{copy} is a copy of it (source_map)"
    reason = explain(docs, "docs/a/made.md")["reason"]
    assert reason.startswith("copied, by source_map, from a file that is not there")
    found = explain(docs, f"{BASE}a/shows/")
    assert (found["path"], found["date"]) == ("packages/a/docs/data.txt", data)
    copy = docs.docs_dir / "a/data.txt"
    assert found["how"] == f"hooks.py reads it while the page is built, copied to {copy} (source_map)"


@pytest.mark.parametrize("name", ["a/data.txt", "../packages/a/docs/data.txt"])
def test_the_copy_or_the_original_can_be_excluded(docs: Docs, name: str) -> None:
    options = {"source_map": {"docs/a": "packages/a/docs"}, "rules": [{"match": "*", "not_sources": [name]}]}
    docs.conf(options, hooks=["hooks.py"])
    page = docs.date("../packages/a/docs/shows.md")
    assert docs.build(strict=True).sitemap["a/shows/"] == page
    assert explain(docs, f"{BASE}a/shows/")["date"] == page


def test_an_original_that_is_not_there_stops_the_build(docs: Docs) -> None:
    docs.conf({"source_map": {"docs/a": "packages/b"}})
    built = docs.build()
    assert built.failed
    message = f"expected a path that exists in {docs.repo.root}, got 'docs/a=packages/b'."
    assert f"plugins: docs-sitemap: source_map: {message}" in "".join(built.log)
