"""Small projects of generators, in the form that each documents and was seen to build."""

from __future__ import annotations

from pathlib import Path

# a project's files, the folder of the sources, and of which file each page is made ("" if nobody can tell)
PROJECTS: dict[str, tuple[dict[str, str], str, dict[str, str]]] = {
    "Hugo": (
        {
            "hugo.toml": "",
            "content/_index.md": "",
            "content/docs/My Page.md": "",
            "content/docs/slugged.md": "---\nslug: other\n---\n",
            "content/docs/moved.md": '+++\nurl = "/else/where/"\n+++\n',
            "content/docs/bundle/index.md": "",
            "content/docs/named/index.md": "---\nslug: nom\n---\n",
            "content/docs/page.md": "",
            "content/docs/page.fr.md": "",
            "content/docs/01-intro.md": "",
        },
        "content",
        {
            "index.html": "content/_index.md",
            "docs/my-page/index.html": "content/docs/My Page.md",
            "docs/other/index.html": "content/docs/slugged.md",
            "docs/slugged/index.html": "",
            "else/where/index.html": "content/docs/moved.md",
            "docs/bundle/index.html": "content/docs/bundle/index.md",
            "docs/nom/index.html": "content/docs/named/index.md",
            "docs/page/index.html": "content/docs/page.md",
            "fr/docs/page/index.html": "content/docs/page.fr.md",
            "docs/01-intro/index.html": "content/docs/01-intro.md",
            "docs/intro/index.html": "",
        },
    ),
    "VitePress": (
        {
            "docs/.vitepress/config.mts": "",
            "docs/index.md": "",
            "docs/guide/README.md": "",
            "docs/01-a.md": "",
        },
        "docs",
        {"index.html": "docs/index.md", "guide/README.html": "docs/guide/README.md", "a.html": ""},
    ),
    "Astro, Starlight": (
        {
            "astro.config.mjs": "",
            "src/content/docs/index.mdx": "",
            "src/content/docs/guide/v1.2 Notes.md": "",
            "src/content/docs/fr/a.md": "",
            "src/content/docs/b.md": "---\nslug: else/b\n---\n",
            "src/pages/plain.astro": "",
        },
        ".",
        {
            "index.html": "src/content/docs/index.mdx",
            "guide/v12-notes/index.html": "src/content/docs/guide/v1.2 Notes.md",
            "fr/a/index.html": "src/content/docs/fr/a.md",
            "else/b/index.html": "src/content/docs/b.md",
            "plain/index.html": "src/pages/plain.astro",
        },
    ),
    "Jekyll": (
        {
            "_config.yml": "permalink: pretty\ncollections: {guides: {permalink: '/:collection/:title/'}}\n",
            "index.md": "",
            "about.md": "---\npermalink: /about-us/\n---\n",
            "docs/page.md": "",
            "_posts/2024-01-02-news.md": "---\ncategories: one two\n---\n",
            "_posts/2024-01-03-more.md": "---\ncategory: 2024\n---\n",
            "_guides/start.md": "",
            "_drafts/later.md": "",
        },
        ".",
        {
            "index.html": "index.md",
            "about-us/index.html": "about.md",
            "docs/page.html": "docs/page.md",
            "one/two/2024/01/02/news/index.html": "_posts/2024-01-02-news.md",
            "2024/2024/01/03/more/index.html": "_posts/2024-01-03-more.md",
            "guides/start/index.html": "_guides/start.md",
            "drafts/later/index.html": "",
        },
    ),
    "mdBook": (
        {"book.toml": "", "src/SUMMARY.md": "", "src/README.md": "", "src/a/README.md": "", "src/a/b.md": ""},
        "src",
        {"index.html": "src/README.md", "a/index.html": "src/a/README.md", "a/b.html": "src/a/b.md"},
    ),
    "Quarto": (
        {"_quarto.yml": "", "index.qmd": "", "posts/a.ipynb": "", "posts/_part.qmd": ""},
        ".",
        {"index.html": "index.qmd", "posts/a.html": "posts/a.ipynb", "posts/_part.html": ""},
    ),
    "Pelican": (
        {
            "pelicanconf.py": "",
            "content/a.md": "Title: My First Article\nDate: 2024-01-02\n\nText.\n",
            "content/b.rst": "About Owls\n##########\n\n:slug: owls\n:date: 2024-01-02\n",
            "content/pages/c.md": "Title: Contact\n",
            "content/d.md": "Title: D\nSave_as: else/d.html\n",
        },
        "content",
        {
            "my-first-article.html": "content/a.md",
            "owls.html": "content/b.rst",
            "pages/contact.html": "content/pages/c.md",
            "else/d.html": "content/d.md",
            "a.html": "",
        },
    ),
    "another one": (
        {
            "docs/01-intro.md": "",
            "docs/2024-01-02-post.md": "",
            "docs/page.pt.md": "",
            "docs/x.typ": "",
            "docs/y.Rmd": "",
            "docs/named.md": "---\npermalink: /else/\n---\n",
            "docs/else.md": "",
            "docs/02-two.md": "",
            "docs/03-two.md": "",
        },
        "docs",
        {
            "intro.html": "docs/01-intro.md",
            "01-intro.html": "docs/01-intro.md",
            "post.html": "docs/2024-01-02-post.md",
            "2024/01/02/post/index.html": "docs/2024-01-02-post.md",
            "pt/page/index.html": "docs/page.pt.md",
            "x.html": "docs/x.typ",
            "y.html": "docs/y.Rmd",
            "else.html": "",  # by its name, or by what the other one says
            "two.html": "",
        },
    ),
}


MYST = {
    "myst.yml": "",
    "guide/start.md": "```{include} ../parts/a.md\n```\n",
    "other/start.md": "",
    "parts/a.md": "",
}
MYST_PAGES = {"start/index.html": "parts/a.md", "start-1/index.html": "other/start.md"}
MYST_SITE = {
    "_build/html/start/index.html": '<meta name="generator" content="mystmd">',
    "_build/html/start-1/index.html": '<meta name="generator" content="mystmd">',
    "_build/html/myst.xref.json": '{"references": [{"kind": "page", "data": "/start-1.json", '
    '"url": "/start-1"}, {"kind": "page", "data": "/start.json", "url": "/start"}, '
    '{"kind": "heading", "url": "/start"}]}',
    "_build/html/start-1.json": '{"location": "/other/start.md"}',
    "_build/html/start.json": '{"location": "/guide/start.md"}',
}

DOCUSAURUS_PAGES = {
    "docs/next/guide/start.html": "docs/02-guide/01-start.md",
    "docs/intro/index.html": "versioned_docs/version-1.0/01-intro.md",
    "fr/docs/next/intro.html": "i18n/fr/docusaurus-plugin-content-docs/current/01-intro.md",
    "fr/docs/next/Café.html": "docs/Café.md",
    "blog/2024/03/04/post.html": "blog/2024-03-04-post.md",
    "index.html": "src/pages/index.js",
    "plain.html": "static/plain.html",
}
NOT_LISTED = ("fr/docs/next/Café.html",)
"""What is a copy of another page: it is not translated."""

DOCUSAURUS = {
    "docusaurus.config.ts": "",
    "node_modules/a/src/pages/else.js": "",
    "docs/_part.mdx": "",  # before the page that shows it, which so decides
    **dict.fromkeys(DOCUSAURUS_PAGES.values(), ""),
    "docs/02-guide/01-start.md": "import Part from '../_part.mdx'\nimport Tabs from '@theme/Tabs'\n",
}
_DATA = {
    "docs/02-guide/01-start.md": "/base/docs/next/guide/start",
    "versioned_docs/version-1.0/01-intro.md": "/base/docs/intro",
    "i18n/fr/docusaurus-plugin-content-docs/current/01-intro.md": "/base/fr/docs/next/intro",
    "docs/Caf\\xe9.md": "/base/fr/docs/next/Caf%C3%A9",
}
DOCUSAURUS_SITE = {
    **{f"build/{page}": "<title>Page</title>" for page in DOCUSAURUS_PAGES},
    "build/index.html": '<meta name="generator" content="Docusaurus v3.10.2">',
    "build/assets/js/main.js": "".join(
        f'{{"source":"@site/{source}","sourceDirName":"x","slug":"/x","permalink":"{at}","draft":false}}'
        for source, at in _DATA.items()
    )
    + '{"permalink":"/base/blog/2024/03/04/post","source":"@site/blog/2024-03-04-post.md","title":""}',
}


ANTORA_PAGES = {
    "shop/latest/index.html": "shop/modules/ROOT/partials/within.adoc",
    "shop/latest/admin/sub/users.html": "shop/modules/admin/examples/code.rb",
    "2/My Page.html": "2/modules/ROOT/pages/My Page.adoc",
    "start.html": "home/modules/ROOT/pages/start.adoc",
}
ANTORA = {
    "antora-playbook.yml": "",
    "shop/antora.yml": "name: shop\nversion: '1.0'\n",
    "2/antora.yml": "name: ROOT\nversion: 2.0\n",  # a number in JavaScript
    "home/antora.yml": "name: ROOT\nversion: ~\n",
    "unknown/antora.yml": "name: ROOT\nversion: {main: ~}\n",
    "shop/modules/ROOT/pages/index.adoc": "include::{partialsdir}/note.adoc[]\n",
    "shop/modules/admin/pages/sub/users.adoc": "include::ROOT:page$index.adoc[]\n"
    "include::page$./uses.adoc[]\nifdef::never[]\ninclude::example$never.rb[]\nendif::[]\n////\ninclude::example$never.rb[]\n////\n",
    "2/modules/ROOT/pages/My Page.adoc": "",
    "home/modules/ROOT/pages/start.adoc": "",
    "unknown/modules/ROOT/pages/start.adoc": "",
    "shop/modules/ROOT/partials/note.adoc": "include::1.0@partial$within.adoc[]\n",
    "shop/modules/ROOT/partials/within.adoc": "",
    "shop/modules/admin/pages/sub/uses.adoc": "ifdef::no[text]\ninclude::shop:admin:example$code.rb[]\n",
    "shop/modules/admin/examples/code.rb": "",
    "shop/modules/admin/examples/never.rb": "",
}
ANTORA_SITE = {
    f"build/site/{page}": '<meta name="generator" content="Antora 3.1.15">' + menu
    for page in ANTORA_PAGES
    for menu in ['<div data-component="shop" data-version="1.0">' if "latest" in page else ""]
}

PDOC_PAGES = {"shelf.html": "src/shelf/__init__.py", "shelf/board.html": "src/shelf/board.py"}

BUILT = {
    "docusaurus": (DOCUSAURUS, DOCUSAURUS_PAGES, DOCUSAURUS_SITE),
    "myst": (MYST, MYST_PAGES, MYST_SITE),
    "antora": (ANTORA, ANTORA_PAGES, ANTORA_SITE),
    "pdoc": (
        dict.fromkeys(PDOC_PAGES.values(), ""),
        PDOC_PAGES,
        {f"html/{page}": '<meta name="generator" content="pdoc 16.0.0">' for page in PDOC_PAGES},
    ),
}
"""Generators that need their built sites: a project, the source of each page, the site."""


def write_files(folder: Path, files: dict[str, str]) -> None:
    for path, text in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text, "utf-8")
