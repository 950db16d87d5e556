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
    """MyST flattens addresses and numbers those that are taken; VitePress can rewrite them; Docusaurus has
    slugs, numbers, versions and languages, and its scripts the data of each page."""
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


DATA = {
    "docs/02-guide/01-start.md": "/base/docs/next/guide/start",
    "versioned_docs/version-1.0/01-intro.md": "/base/docs/intro",
    "i18n/fr/docusaurus-plugin-content-docs/current/01-intro.md": "/base/fr/docs/next/intro",
    "docs/Caf\\xe9.md": "/base/fr/docs/next/Caf%C3%A9",
}


def test_docusaurus_names_the_source_of_each_page(tmp_path: Path) -> None:
    data = [
        f'{{"id":"a","source":"@site/{source}","sourceDirName":"x","slug":"/x","permalink":"{at}","draft":false}}'
        for source, at in DATA.items()
    ]
    data.append(
        '{"permalink":"/base/blog/2024/03/04/post","source":"@site/blog/2024-03-04-post.md","title":""}'
    )
    pages = {
        "docs/next/guide/start.html": "docs/02-guide/01-start.md",
        "docs/intro/index.html": "versioned_docs/version-1.0/01-intro.md",
        "fr/docs/next/intro.html": "i18n/fr/docusaurus-plugin-content-docs/current/01-intro.md",
        "fr/docs/next/Café.html": "docs/Café.md",
        "blog/2024/03/04/post.html": "blog/2024-03-04-post.md",
        "index.html": "src/pages/index.js",
        "plain.html": "static/plain.html",
    }
    files = {
        "docusaurus.config.ts": "",
        "node_modules/a/src/pages/else.js": "",
        **dict.fromkeys(pages.values(), ""),
        "docs/_part.mdx": "",
        "docs/02-guide/01-start.md": "import Part from '../_part.mdx'\nimport Tabs from '@theme/Tabs'\n",
        **{f"build/{page}": "" for page in pages},
        "build/index.html": '<meta name="generator" content="Docusaurus v3.10.2">',
        "build/assets/js/main.js": "".join(data),
    }
    write_files(tmp_path, files)
    for folder in (tmp_path, tmp_path / "docs"):
        sources = Sources(folder, tmp_path / "build")
        below = {page: path for page, path in pages.items() if (tmp_path / path).is_relative_to(folder)}
        found = {page: sources.find(page) for page in below}
        assert found == {page: tmp_path / path for page, path in below.items()}
    assert [*sources.parts(tmp_path / "docs/02-guide/01-start.md")] == [tmp_path / "docs/_part.mdx"]
    copy = tmp_path / "docs/Café.md"
    assert sources.is_copy("fr/docs/next/Café.html", tmp_path / "build/fr/docs/next/Café.html", copy)
    assert not sources.is_copy("docs/next/guide/start.html", tmp_path, tmp_path / "docs/02-guide/01-start.md")
