"""Which source a page is made from, as each known generator documents it and was seen to do it."""

from __future__ import annotations

from pathlib import Path

import pytest

from docs_sitemap.generators.html import Sources
from tests.support.projects import PROJECTS, write_files


@pytest.mark.parametrize("name", PROJECTS)
def test_pages_have_the_sources_that_the_generator_documents(name: str, tmp_path: Path) -> None:
    files, folder, pages = PROJECTS[name]
    write_files(tmp_path, files)
    sources = Sources(tmp_path / folder)
    assert sources.generator.name in name or name == "another one"
    found = {page: sources.find(page) for page in pages}
    assert {
        page: path.relative_to(tmp_path).as_posix() if path else "" for page, path in found.items()
    } == pages


def test_what_the_built_site_says_of_its_sources_is_better(tmp_path: Path) -> None:
    """MyST flattens addresses and numbers those that are taken; VitePress can rewrite them."""
    files = {
        "book/myst.yml": "",
        "book/guide/start.md": "```{include} ../parts/a.md\n```\n",
        "book/other/start.md": "",
        "book/parts/a.md": "",
        "site/index.html": '<meta name="generator" content="mystmd">',
        "site/myst.xref.json": '{"references": [{"kind": "page", "data": "/start-1.json", "url": "/start-1"},'
        '{"kind": "page", "data": "/start.json", "url": "/start"}, {"kind": "heading", "url": "/start"}]}',
        "site/start-1.json": '{"location": "/other/start.md"}',
        "site/start.json": '{"location": "/guide/start.md"}',
        "press/.vitepress/config.ts": "",
        "press/old-name.md": "",
        "press/items/[id].md": "",
        "press/items/[id].paths.js": "",
        "built/index.html": '<meta name="generator" content="VitePress v1.6.4">',
        "built/assets/new.md.a.lean.js": 'const a=\'{"relativePath":"new.md","filePath":"old-name.md"}\'',
        "built/assets/b.md.a.lean.js": 'const a=\'{"relativePath":"items/b.md","filePath":"items/[id].md"}\'',
    }
    write_files(tmp_path, files)
    book = Sources(tmp_path / "book", tmp_path / "site")
    start = tmp_path / "book/guide/start.md"
    assert book.find("start-1/index.html") == tmp_path / "book/other/start.md"
    assert book.find("start/index.html") == start
    assert [*book.parts(start)] == [tmp_path / "book/parts/a.md"]
    press = Sources(tmp_path / "press", tmp_path / "built")
    assert press.find("new.html") == tmp_path / "press/old-name.md"
    item = press.find("items/b.html")
    assert item == tmp_path / "press/items/[id].md"
    assert [*press.parts(item)] == [tmp_path / "press/items/[id].paths.js"]
