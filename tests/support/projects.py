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
            "_guides/start.md": "",
            "_drafts/later.md": "",
        },
        ".",
        {
            "index.html": "index.md",
            "about-us/index.html": "about.md",
            "docs/page.html": "docs/page.md",
            "one/two/2024/01/02/news/index.html": "_posts/2024-01-02-news.md",
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


def write_files(folder: Path, files: dict[str, str]) -> None:
    for path, text in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text, "utf-8")
