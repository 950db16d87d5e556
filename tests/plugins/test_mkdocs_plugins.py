"""Real builds beside the plugins that people use: what they publish is listed, and nothing else.

Ours is first in ``plugins``, or last; many plugins at once are built with both, for no event depends on it.
"""

from __future__ import annotations

import gc
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("mkdocs")

from tests.support import sitemaps
from tests.support.gitrepo import Repo
from tests.support.installing import Project
from tests.support.mkdocssite import BASE, Built, Docs
from tests.support.sitemaps import canonical

# What other plugins use that is deprecated is not ours to mend
pytestmark = pytest.mark.filterwarnings("ignore")

THEME = (
    "<html><head>{% block head %}<title>{{ page.title }}</title>"
    '<link rel="canonical" href="{{ page.canonical_url }}">{% endblock %}</head>'
    "<body>{{ page.content }}</body></html>"
)
PLAIN: Mapping[str, object] = {"name": None, "custom_dir": "theme"}

Entry = str | dict[str, Any]
Sources = Mapping[str, tuple[str, ...]]


@pytest.fixture(autouse=True, scope="module")
def their_garbage() -> Iterator[None]:
    """What other plugins leave open is collected here, and is no later test's fault."""
    yield
    gc.collect()


@pytest.fixture
def place() -> str:
    """Where ours stands in ``plugins``."""
    return "first"


@pytest.fixture
def docs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Docs:
    site = Docs(tmp_path)
    site.repo.write("theme/main.html", THEME)
    site.pages("one.md", "two.md")
    monkeypatch.chdir(site.repo.root)  # some plugins start from there, as the command does
    monkeypatch.setenv("DISABLE_MKDOCS_2_WARNING", "true")
    return site


def configure(
    docs: Docs,
    place: str,
    plugins: Sequence[Entry],
    options: Mapping[str, object] | None = None,
    **values: object,
) -> None:
    """Write a mkdocs.yml with the plugins, and ours before or after them."""
    ours: Entry = {"docs-sitemap": dict(options)} if options else "docs-sitemap"
    both = [ours, *plugins] if place == "first" else [*plugins, ours]
    docs.conf(**{"theme": PLAIN, **values, "plugins": both})


def material(**values: object) -> dict[str, object]:
    return {"name": "material", "font": False, **values}


class _Head(HTMLParser):
    """Whether a page is one for search engines: neither a redirect nor kept out."""

    is_page = True

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        said = {name: (value or "").lower() for name, value in attrs}
        if tag == "meta" and (said.get("http-equiv") == "refresh" or "noindex" in said.get("content", "")):
            self.is_page = False


def published(outdir: Path) -> list[str]:
    """The canonical link of each page in the output, below the base URL."""
    found = []
    for file in outdir.rglob("*.html"):
        head = _Head()
        head.feed(file.read_text(encoding="utf-8"))
        link = canonical(file)
        if head.is_page and link and file.name != "404.html":
            found.append(link.removeprefix(BASE))
    return found


def assert_honest(docs: Docs, built: Built, sources: Sources) -> None:
    """Each page once, as it calls itself, with git's date of its sources, or none without them."""
    assert not built.failed, built.log
    assert [line for line in built.warnings if "docs-sitemap" in line] == []
    assert sorted(built.sitemap) == sorted(published(built.outdir)) == sorted(sources)
    assert built.sitemap == {url: docs.date(*names) if names else None for url, names in sources.items()}


KEPT_NAV = ["index.md", "one.md", "two.md"]
KEPT: Sources = {"": ("index.md",), "one/": ("one.md",), "two/": ("two.md",)}


# Material's own plugins


POSTS = {"old": "2023-01-01", "mid": "2023-06-01", "new": "2024-02-01"}


def write_blog(docs: Docs) -> Sources:
    """Write a blog of three posts, each with a category, and return what is published."""
    docs.save_page("blog/index.md")
    sources: dict[str, tuple[str, ...]] = {**KEPT, "blog/": ()}  # shows excerpts of posts
    for name, day in POSTS.items():
        text = (
            f"---\ndate: {day}\ncategories: [News]\n---\n# Post {name}\n\nStart.\n\n<!-- more -->\n\nEnd.\n"
        )
        docs.repo.save(f"docs/blog/posts/{name}.md", text)
        sources[f"blog/{day.replace('-', '/')}/post-{name}/"] = (f"blog/posts/{name}.md",)
    docs.repo.save("docs/blog/posts/draft.md", "---\ndate: 2024-03-01\ndraft: true\n---\n# Draft\n")
    views = ["archive/2023/", "archive/2024/", "category/news/", "page/2/", "page/3/"]
    views += ["archive/2023/page/2/", "category/news/page/2/", "category/news/page/3/"]
    return {**sources, **{f"blog/{view}": () for view in views}}


def test_a_blog(docs: Docs, place: str) -> None:
    """Posts have their source's date, not the day on which they say that they were written.

    Archives, categories and further pages of lists are made of many posts and have none.
    """
    pytest.importorskip("material")
    sources = write_blog(docs)
    configure(docs, place, [{"material/blog": {"pagination_per_page": 1}}], theme=material())
    assert_honest(docs, docs.build(), sources)


def test_tags(docs: Docs, place: str) -> None:
    pytest.importorskip("material")
    docs.page("one.md", tags=["Red", "Blue"])
    docs.save_page("tags.md", "<!-- material/tags -->")
    configure(docs, place, ["material/tags"], theme=material())
    built = docs.build()
    assert b"Red" in built.read("tags/index.html")
    assert_honest(docs, built, {**KEPT, "tags/": ()})


def test_offline(docs: Docs, place: str) -> None:
    """It switches ``use_directory_urls`` off after the configuration was read."""
    pytest.importorskip("material")
    configure(docs, place, ["material/offline"], theme=material())
    sources = {"index.html": ("index.md",), "one.html": ("one.md",), "two.html": ("two.md",)}
    assert_honest(docs, docs.build(), sources)


def test_social(docs: Docs, place: str) -> None:
    """It works in threads, and through ``on_shutdown``, so it runs as a command."""
    for name in ("material", "PIL", "cairosvg"):
        pytest.importorskip(name, exc_type=ImportError)
    fonts = next(Path("/usr/share/fonts").rglob("*.ttf"), None)
    if fonts is None:
        pytest.skip("a font is needed, which it would otherwise download")
    cached = docs.repo.root / ".cache/plugin/social/fonts/Roboto"
    cached.mkdir(parents=True)
    shutil.copy(fonts, cached / "Regular.ttf")
    configure(docs, place, ["material/social"], theme=material())
    built = docs.run()
    assert built.has("assets/images/social/one.png")
    assert_honest(docs, built, KEPT)


def test_meta(docs: Docs, place: str) -> None:
    """A folder's ``.meta.yml`` is front matter of each page in it."""
    pytest.importorskip("material")
    docs.pages("out/a.md", "out/b.md", "in/c.md")
    docs.repo.write("docs/out/.meta.yml", "sitemap: false\n")
    configure(docs, place, ["material/meta"], theme=material())
    built = docs.build()
    assert set(built.sitemap) == {*KEPT, "in/c/"}
    assert docs.build(dirty=True).files == built.files


# Pages that plugins make, move or add


SCRIPT = """
import mkdocs_gen_files

with mkdocs_gen_files.open("made/page.md", "w") as file:
    print("# Made", file=file)
with mkdocs_gen_files.open("made/sourced.md", "w") as file:
    print("---\\nsitemap: {sources: [../script.py]}\\n---\\n# Sourced", file=file)
with mkdocs_gen_files.open("made/out.md", "w") as file:
    print("---\\nsitemap: false\\n---\\n# Out", file=file)
with mkdocs_gen_files.open("two.md", "a") as file:
    print("More.", file=file)
"""


def test_generated_files(docs: Docs, place: str) -> None:
    """A page that a script makes, or changes, is not as old or as new as any one file."""
    pytest.importorskip("mkdocs_gen_files")
    docs.repo.save("script.py", SCRIPT)
    configure(docs, place, [{"gen-files": {"scripts": ["script.py"]}}])
    built = docs.build()
    assert "made/out/" not in built.sitemap
    (built.outdir / "made/out/index.html").unlink()
    sources = {**KEPT, "two/": (), "made/page/": (), "made/sourced/": ("../script.py",)}
    assert_honest(docs, built, sources)
    [said] = built.notices("no date")
    assert "made from no known file" in said
    assert "To fix it" not in said


def test_generated_navigation(docs: Docs, place: str) -> None:
    """The usual recipe: gen-files writes pages and their SUMMARY.md, section-index merges sections."""
    for name in ("mkdocs_gen_files", "mkdocs_literate_nav", "mkdocs_section_index"):
        pytest.importorskip(name)
    script = """
import mkdocs_gen_files

with mkdocs_gen_files.open("api/index.md", "w") as file:
    print("# API", file=file)
with mkdocs_gen_files.open("api/part.md", "w") as file:
    print("# Part", file=file)
with mkdocs_gen_files.open("api/SUMMARY.md", "w") as file:
    print("* [API](index.md)\\n* [Part](part.md)", file=file)
"""
    docs.repo.write("script.py", script)
    nav = [{"Home": "index.md"}, {"Numbers": ["one.md", "two.md"]}, {"API": "api/"}]
    plugins: list[Entry] = [{"gen-files": {"scripts": ["script.py"]}}, "literate-nav", "section-index"]
    configure(docs, place, plugins, nav=nav)
    made = {f"api/{name}": () for name in ("", "part/", "SUMMARY/")}
    assert_honest(docs, docs.build(), {**KEPT, **made})


def test_a_navigation_in_markdown(docs: Docs, place: str) -> None:
    """What literate-nav reads is published as a page too, unless it is excluded, and says so itself."""
    pytest.importorskip("mkdocs_literate_nav")
    docs.repo.save("docs/SUMMARY.md", "* [Home](index.md)\n* [One](one.md)\n")
    configure(docs, place, ["literate-nav"], exclude_docs="SUMMARY.md")
    assert_honest(docs, docs.build(), KEPT)
    configure(docs, place, ["literate-nav"])
    assert_honest(docs, docs.build(), {**KEPT, "SUMMARY/": ("SUMMARY.md",)})


def test_awesome_navigation(docs: Docs, place: str) -> None:
    pytest.importorskip("mkdocs_awesome_nav")
    docs.pages("numbers/three.md", "numbers/four.md")
    docs.repo.write("docs/.nav.yml", "nav:\n  - index.md\n  - numbers\n  - Elsewhere: https://example.com/\n")
    docs.repo.save("docs/numbers/.nav.yml", "title: Numbers\nnav:\n  - four.md\nignore: three.md\n")
    configure(docs, place, ["awesome-nav"])
    sources = {**KEPT, **{f"numbers/{name}/": (f"numbers/{name}.md",) for name in ("three", "four")}}
    assert_honest(docs, docs.build(), sources)


def test_redirects(docs: Docs, place: str) -> None:
    """What redirects writes is no page, also where it takes the place of one."""
    pytest.importorskip("mkdocs_redirects")
    docs.pages("moved.md")
    moved = {"old.md": "one.md", "far/old.md": "https://example.com/", "moved.md": "two.md"}
    configure(docs, place, [{"redirects": {"redirect_maps": moved}}])
    built = docs.build()
    assert all(built.has(f"{name}/index.html") for name in ("old", "far/old", "moved"))
    assert_honest(docs, built, KEPT)


def write_monorepo(docs: Docs) -> list[object]:
    """Write a second project into the repository, and return the nav of both."""
    docs.repo.write("part/mkdocs.yml", "site_name: part\nnav:\n  - Home: index.md\n  - Three: three.md\n")
    docs.repo.commit("part/docs/index.md")
    docs.repo.commit("part/docs/three.md")
    return [
        {"Home": "index.md"},
        {"One": "one.md"},
        {"Two": "two.md"},
        {"Part": "!include ./part/mkdocs.yml"},
    ]


def test_the_dates_of_a_monorepo(docs: Docs, place: str, tmp_path: Path) -> None:
    pytest.importorskip("mkdocs_monorepo_plugin")
    # the repository of a test lies in the temporary folder, which a page's source must not
    (tmp_path / "tmp").mkdir()
    configure(docs, place, ["monorepo"], nav=write_monorepo(docs))
    part = {"part/": ("../part/docs/index.md",), "part/three/": ("../part/docs/three.md",)}
    assert_honest(docs, docs.run(env={"TMPDIR": str(tmp_path / "tmp")}), {**KEPT, **part})


@pytest.mark.parametrize("cleanup", [True, False])
def test_pages_of_other_repositories(docs: Docs, place: str, tmp_path: Path, cleanup: bool) -> None:
    """They are imported without their history, and removed before the sitemap is made: no file gives a date.

    With a checkout of that repository, ``source_map`` does.
    """
    pytest.importorskip("mkdocs_multirepo_plugin")
    other = Docs(tmp_path, repo=Repo(tmp_path / "other"))
    other.conf(nav=["index.md", "shows.md"])
    other.repo.write("docs/shows.md", '# Shows\n\n--8<-- "part.md"\n')
    other.repo.commit("docs/index.md")
    write_part(docs)
    nav = [*KEPT_NAV, {"Other": f"!import {other.repo.root.as_uri()}?branch=main"}]
    snippets = ["pymdownx.snippets"]
    values: dict[str, Any] = {
        "nav": nav,
        "repo_url": BASE,
        "edit_uri": "edit",
        "markdown_extensions": snippets,
    }
    configure(docs, place, [{"multirepo": {"cleanup": cleanup}}], **values)
    built = docs.build()
    assert_honest(docs, built, {**KEPT, "other/": (), "other/shows/": ()})
    why = (
        "2 pages have no date: imported by mkdocs-multirepo without its history (other/index.md). To fix it:"
    )
    assert len(built.notices("no date")) == len(built.notices(why)) == 1
    options = {"source_map": {"temp_dir/other": "../other/docs"}}
    configure(docs, place, [{"multirepo": {"cleanup": cleanup}}], options, **values)
    own = {url: docs.date(*names) for url, names in KEPT.items()}
    theirs = {"other/": other.date("index.md"), "other/shows/": docs.date("../part.md")}
    assert docs.build().sitemap == own | theirs


def notebook(text: str) -> str:
    cells = [
        {"cell_type": "markdown", "metadata": {}, "source": [text], "id": "a"},
        {"cell_type": "code", "metadata": {}, "source": ["1 + 1"], "outputs": [], "execution_count": None}
        | {"id": "b"},
    ]
    return json.dumps({"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5})


def test_notebooks(docs: Docs, place: str) -> None:
    """Each is a page with its own date, in a ``--dirty`` build too."""
    pytest.importorskip("mkdocs_jupyter")
    docs.repo.save("docs/note.ipynb", notebook("# Note"))
    docs.repo.save("docs/percent.py", '# %% [markdown]\n# # Percent\n\n# %%\nprint("here")\n')
    configure(docs, place, [{"mkdocs-jupyter": {"include_source": True, "cache": False}}], theme=material())
    sources = {**KEPT, "note/": ("note.ipynb",), "percent/": ("percent.py",)}
    built = docs.build()
    assert_honest(docs, built, sources)
    assert docs.build(dirty=True).files == built.files


# Pages that include other files


def write_part(docs: Docs) -> str:
    """Commit a file outside the documentation, later than each page, and return its path."""
    path = docs.repo.write("part.md", "Included **text**.\n")
    docs.repo.commit()
    return str(path)


def assert_included(docs: Docs, sources: Sources, *names: str) -> None:
    """The pages show the part, in a build with true dates."""
    built = docs.build()
    for name in names:
        assert b"<strong>text</strong>" in built.read(f"{name}/index.html")
    assert_honest(docs, built, sources)


INCLUDING: dict[str, tuple[str, Entry | None]] = {
    "pymdownx": ('--8<-- "part.md"', None),
    "mkdocs_include_markdown_plugin": ('{% include-markdown "../part.md" %}', "include-markdown"),
    "mkdocs_macros": ("{% include 'part.md' %}", {"macros": {"include_dir": "."}}),  # read once for all
    "markdown_include": ("{!part.md!}", None),
    "mdx_include": ("{!part.md!}", None),
}


@pytest.mark.parametrize("module", INCLUDING)
def test_pages_that_include_a_file(docs: Docs, place: str, module: str) -> None:
    """They have its date, other pages have not; a page may be newer than the file."""
    pytest.importorskip(module)
    text, plugin = INCLUDING[module]
    for name in ("one", "two"):
        docs.save_page(f"{name}.md", text)
    write_part(docs)
    extensions: dict[str, object] = {
        "pymdownx": {"pymdownx.snippets": {"base_path": [str(docs.repo.root)]}},
        "markdown_include": {"markdown_include.include": {"base_path": str(docs.repo.root)}},
        "mdx_include": {"mdx_include": {"base_path": str(docs.repo.root)}},
    }
    used = [extensions[module]] if module in extensions else []
    configure(docs, place, [plugin] if plugin else [], markdown_extensions=used)
    sources = {f"{name}/": (f"{name}.md", "../part.md") for name in ("one", "two")}
    assert_included(docs, {**KEPT, **sources}, "one", "two")
    docs.repo.commit("docs/two.md")
    assert docs.build().sitemap["two/"] == docs.date("two.md")


def mkdocstrings_of(docs: Docs) -> dict[str, Any]:
    return {"mkdocstrings": {"handlers": {"python": {"paths": [str(docs.repo.root / "src")]}}}}


DIRECTIVES = {
    "first": "## ::: package.first",
    "second": "::: package.second\n    options:\n      heading_level: 3\n",
    "third": "::: package.third",
}


def test_a_documented_module_dates_its_page_alone(docs: Docs, place: str) -> None:
    """The whole package and templates are read for one page; a module dates the pages that show it alone."""
    pytest.importorskip("mkdocstrings_handlers.python")
    for name, text in DIRECTIVES.items():
        docs.page(f"{name}.md", text)
    docs.save_page("one.md", "Of `::: package.second`.\n\n## package.second\n\n```\n::: package.second\n```")
    docs.repo.write("src/package/__init__.py", '"""The package."""\n')
    for name in (*DIRECTIVES, "unseen"):
        docs.repo.save(f"src/package/{name}.py", f'"""The {name} module."""\n')
    docs.repo.save("templates/python/material/docstring.html.jinja", "{{ 'Of ours' }}")
    plugin = mkdocstrings_of(docs)
    plugin["mkdocstrings"]["custom_templates"] = str(docs.repo.root / "templates")
    configure(docs, place, [plugin], theme=material(), markdown_extensions=["fenced_code", "toc"])
    built = docs.build()
    assert b"Of ours" in built.read("first/index.html")
    assert_honest(
        docs, built, {**KEPT, **{f"{name}/": (f"../src/package/{name}.py",) for name in DIRECTIVES}}
    )


def shown_late(docs: Docs, *plugins: Entry) -> None:
    """One page includes code by a snippet; another one has the code's words, as most pages have."""
    pytest.importorskip("material")
    docs.page("one.md", '```\n--8<-- "src/b.py"\n```\n\n![A map](map.png)')
    docs.page("two.md", "This page is about data.")
    docs.repo.save("docs/map.png", "")
    docs.repo.save("src/b.py", "data = {}\n")
    extensions = [{"pymdownx.snippets": {"base_path": [str(docs.repo.root)]}}, "attr_list"]
    configure(docs, "last", ["search", *plugins], markdown_extensions=extensions, theme=material())
    assert_honest(docs, docs.build(), {**KEPT, "one/": ("../src/b.py",)})


def test_a_plugin_that_rewrites_every_page(docs: Docs) -> None:
    pytest.importorskip("mkdocs_minify_plugin")
    pytest.importorskip("mkdocs_glightbox")
    shown_late(docs, "glightbox", {"minify": {"minify_html": True}})


def test_a_page_that_a_snippet_includes(docs: Docs) -> None:
    """It is a page of the site as well; a page that only links to it includes nothing."""
    pytest.importorskip("pymdownx")
    docs.page("one.md", '--8<-- "docs/two.md"')
    docs.save_page("index.md", "[Two](two.md)")
    docs.save_page("two.md", "A **text**.")
    code = (
        "def on_page_markdown(markdown, files, **_):\n    files.get_file_from_path('two.md').content_string\n"
    )
    extensions = [{"pymdownx.snippets": {"base_path": [str(docs.repo.root)]}}]
    configure(docs, "last", [], markdown_extensions=extensions, hooks=[docs.hook(code)])
    assert_included(docs, {**KEPT, "one/": ("two.md",)}, "one")


@pytest.mark.parametrize(
    "base", ["!relative", "[!relative , !relative $config_dir]", "!relative $docs_dir", "."]
)
def test_each_way_to_say_where_snippets_lie(docs: Docs, base: str) -> None:
    """MkDocs's own tags are no text, and one of them has no meaning before a page is made."""
    pytest.importorskip("pymdownx")
    docs.save_page("one.md", '--8<-- "part.md"')
    docs.repo.save("part.md" if base == "." else "docs/part.md", "A **text**.")
    docs.conf(exclude_docs="part.md", markdown_extensions=[{"pymdownx.snippets": {"base_path": "BASE"}}])
    docs.config_file.write_text(docs.config_file.read_text().replace('"BASE"', f" {base} "))
    part = "../part.md" if base == "." else "part.md"
    assert_included(docs, {**KEPT, "one/": (part,)}, "one")


def test_a_page_of_abbreviations_that_is_appended_to_every_page(docs: Docs) -> None:
    """It counts where one of them is explained."""
    pytest.importorskip("pymdownx")
    docs.save_page("two.md", "All about the OWL & co.")
    docs.save_page("terms.md", "*[OWL]: Order of wise listeners\n*[CAT]: Careless animals\n")
    snippets = {"base_path": [str(docs.docs_dir)], "auto_append": ["terms.md"]}
    configure(docs, "last", [], markdown_extensions=["abbr", {"pymdownx.snippets": snippets}])
    sources = {**KEPT, "two/": ("terms.md",), "terms/": ("terms.md",)}
    assert_honest(docs, docs.build(), sources)


APPENDED = {
    "section": {"base_path": ["docs"], "auto_append": ["terms.md:1:20"]},
    "file": {"base_path": ["more/terms.md"], "auto_append": ["terms.md"]},
    "nested": {"base_path": ["docs"], "auto_append": ["outer.txt"]},
}


@pytest.mark.parametrize("name", APPENDED)
def test_each_way_to_append_a_file_to_every_page(docs: Docs, name: str) -> None:
    pytest.importorskip("pymdownx")
    docs.page("two.md", "All about the OWL & co.")
    docs.repo.save("docs/outer.txt", '--8<-- "terms.md"\n')
    folder = "more" if name == "file" else "docs"
    docs.repo.save(f"{folder}/terms.md", "*[OWL]: Order of wise listeners\n")
    extensions = ["abbr", {"pymdownx.snippets": APPENDED[name]}]
    configure(docs, "last", [], markdown_extensions=extensions, exclude_docs="terms.md")
    assert_honest(docs, docs.build(), {**KEPT, "two/": (f"../{folder}/terms.md",)})


def test_data_of_macros(docs: Docs, place: str) -> None:
    """Read at the start of the build; a page that has one of its names shows it.

    A page's own front matter wins, and so does the last of two files with one name.
    """
    pytest.importorskip("mkdocs_macros")
    docs.page("one.md", "{% for one in people.owls %}{{ one }}{% endfor %}")
    docs.page("two.md", "{% include 'part.md' %} {% raw %}{{ people }}{% endraw %}")
    docs.page("own.md", "{{ people }}", people="me")
    docs.repo.save("part.md", "{{ price }}")
    docs.repo.save("data/people.yml", "owls:\n  - Hedwig\n")
    docs.repo.save("data/more.yml", "price: 42\nother: 3\n")
    docs.repo.save("data/less.yml", "price: 1\n")
    data: list[object] = [{"people": "data/people.yml"}, "data/less.yml", "data/more.yml"]
    configure(docs, place, [{"macros": {"include_dir": ".", "include_yaml": data}}])
    built = docs.build()
    assert b"Hedwig" in built.read("one/index.html")
    assert b"42" in built.read("two/index.html")
    shown = {"one/": ("../data/people.yml",), "two/": ("../data/more.yml",), "own/": ("own.md",)}
    assert_honest(docs, built, {**KEPT, **shown})


def test_tables(docs: Docs, place: str) -> None:
    """One of them is a page of the site, too."""
    pytest.importorskip("mkdocs_table_reader_plugin")
    texts = {name: f"{{{{ read_csv('docs/data-{name}.csv') }}}}" for name in ("one", "two")}
    for name, text in {**texts, "raw": "{{ read_raw('docs/table.md') }}"}.items():
        docs.save_page(f"{name}.md", text)
    for name in ("two", "one"):
        docs.repo.save(f"docs/data-{name}.csv", f"name,number\n{name},1\n")
    docs.save_page("table.md", "A | B\n--- | ---\n1 | 2\n")
    configure(docs, place, ["table-reader"], markdown_extensions=["tables"])
    built = docs.build()
    assert all(b"<td" in built.read(f"{name}/index.html") for name in ("one", "raw"))
    sources = {f"{name}/": (f"data-{name}.csv",) for name in ("one", "two")}
    assert_honest(docs, built, {**KEPT, **sources, "raw/": ("table.md",), "table/": ("table.md",)})


def test_modules_that_pip_has_installed_from_the_repository(docs: Docs, tmp_path: Path) -> None:
    """mkdocstrings finds them in site-packages. A page that shows one of another commit has no date."""
    pytest.importorskip("mkdocstrings_handlers.python")
    project = Project(docs.repo)
    docs.page("one.md", "::: tiny.one")
    docs.save_page("two.md", "::: tiny.two")
    for name in ("__init__", "one", "two"):
        project.write(f"tiny/{name}.py", f'"""Module {name}."""\n')
    folder = project.install(tmp_path / "env")
    handlers = {"python": {"paths": [str(folder)]}}
    configure(docs, "last", [{"mkdocstrings": {"handlers": handlers}}], theme=material())
    env = {"PYTHONPATH": os.pathsep.join(filter(None, [str(folder), os.environ.get("PYTHONPATH", "")]))}
    built = docs.run(env=env)
    sources = {f"{name}/": (f"../src/tiny/{name}.py",) for name in ("one", "two")}
    assert_honest(docs, built, {**KEPT, **sources})
    project.write("tiny/two.py", '"""Edited."""\n')
    built = docs.run(env=env)
    assert_honest(docs, built, {**KEPT, **sources, "two/": ()})
    [line] = built.notices("no date")
    assert "1 page has no date: an installed module differs from" in line


CLI = """
import click
from functools import wraps

class Context(click.Context):
    def names(self):
        self.command.get_help_option(self)  # click remembers it
        return list(self.command.commands)

class Group(click.Group):
    context_class = Context

    def list_commands(self, context):
        return context.names()

@click.group(cls=Group, context_settings={"help_option_names": ["-h", "--help"]})
def main():
    "All of it."
"""
SUBCOMMAND = """
import click
from cli9 import main

@main.command()
@click.pass_context
def run(context):
    "Runs."
"""
HIDDEN = """
from cli9 import main

@main.command(hidden=True)
def unseen():
    "Not shown."
"""


def test_commands_with_the_modules_of_their_subcommands(docs: Docs, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("mkdocs_click")
    docs.page("one.md", "::: mkdocs-click\n    :module: cli9.run\n    :command: main\n")
    docs.page("two.md", "# About\n\nText on mkdocs-click and cli9.")
    docs.repo.write("src/cli9/__init__.py", CLI)
    docs.repo.save("src/cli9/run.py", SUBCOMMAND)
    docs.repo.save("src/cli9/run.py", "import cli9.unseen" + SUBCOMMAND.replace("Runs", "Runs all"))
    docs.repo.save("src/cli9/unseen.py", HIDDEN)
    configure(docs, "last", [], markdown_extensions=["mkdocs-click"])
    monkeypatch.syspath_prepend(str(docs.repo.root / "src"))
    built = docs.build()
    assert b"Runs all" in built.read("one/index.html")
    assert built.read("one/index.html").count(b"-h, --help") == 2  # as without us
    assert_honest(docs, built, {**KEPT, "one/": ("../src/cli9/run.py",)})


def test_objects_that_mkautodoc_imports(docs: Docs, monkeypatch: pytest.MonkeyPatch) -> None:
    """Wherever they are defined."""
    pytest.importorskip("mkautodoc")
    board = "class Base:\n    def saw(self): pass\nclass Board(Base): pass\nBoard.__module__ = 'shelf9'\n"
    docs.repo.write("src/shelf9/__init__.py", "from shelf9._board import Board\nother = 1\n")
    docs.repo.write("src/shelf9/_board.py", board)
    docs.save_page("one.md", "::: shelf9.Board\n    :docstring:\n")
    for name in ("_board", "__init__"):
        with (docs.repo.root / f"src/shelf9/{name}.py").open("a") as file:
            file.write("# More.\n")
        docs.repo.commit()
    configure(docs, "last", [], markdown_extensions=["mkautodoc"])
    monkeypatch.syspath_prepend(str(docs.repo.root / "src"))
    assert_honest(docs, docs.build(), {**KEPT, "one/": ("../src/shelf9/_board.py",)})


IMPORTS = """
import os, sys

def on_page_markdown(markdown, page, config, files):
    sys.path.insert(0, os.path.join(os.path.dirname(__file__), "lib"))
    import numbers_of_ours
    try:
        open("missing.md")
    except OSError:
        return f"{markdown} {numbers_of_ours.VALUE}"
"""


def test_what_is_read_and_not_shown_dates_no_page(docs: Docs) -> None:
    """Modules, which are read only where no bytecode is, templates, and a page's other readers.

    A second build finds the bytecode, and says the same.
    """
    hooks = [docs.hook(IMPORTS)]
    docs.repo.write("lib/numbers_of_ours.py", "VALUE = 42\n")
    docs.repo.write("theme/part.html", "<p>part</p>")
    docs.repo.save("theme/main.html", THEME.replace("</body>", "{% include 'part.html' %}</body>"))
    configure(docs, "last", [], hooks=hooks)
    first = docs.run()
    assert b"42" in first.read("one/index.html")
    assert_honest(docs, first, KEPT)
    assert docs.run().files == first.files


# Whoever changes pages late


ADDS_NOINDEX = """
from mkdocs.plugins import event_priority

@event_priority(-100)
def on_post_page(output, page, config):
    if page.file.src_uri == "two.md":
        return output.replace("<head>", '<head><meta name="robots" content="noindex">')
"""

DELETES = """
import os
from mkdocs.plugins import event_priority

@event_priority(-100)
def on_post_build(config):
    os.remove(os.path.join(config.site_dir, "two", "index.html"))
"""


@pytest.mark.parametrize("code", [ADDS_NOINDEX, DELETES], ids=["noindex", "deleted"])
def test_a_page_that_a_hook_takes_out_late(docs: Docs, code: str) -> None:
    configure(docs, "last", [], hooks=[docs.hook(code)])
    built = docs.build()
    assert_honest(docs, built, {url: names for url, names in KEPT.items() if url != "two/"})


def test_a_page_that_a_hook_gives_another_address_late(docs: Docs) -> None:
    """A canonical elsewhere says that the page is a copy."""
    code = """
def on_post_page(output, page, config):
    if page.file.src_uri == "two.md":
        return output.replace("docs/two/", "docs/one/")
"""
    configure(docs, "last", [], hooks=[docs.hook(code)])
    assert set(docs.build().sitemap) == {"", "one/"}


# git-revision-date-localized


@pytest.mark.parametrize(("kind", "page_dates"), [("date", False), ("iso_datetime", True), ("timeago", True)])
def test_git_revision_date_localized(docs: Docs, place: str, page_dates: bool, kind: str) -> None:
    """Its dates stay as they are, and so do ours."""
    pytest.importorskip("mkdocs_git_revision_date_localized_plugin")
    shown = "{{ page.meta.git_revision_date_localized }}|{{ page.meta.docs_sitemap_lastmod }}|"
    docs.repo.write("theme/main.html", THEME.replace("</body>", f"<p>{shown}</p></body>"))
    theirs: Entry = {"git-revision-date-localized": {"type": kind, "enable_parallel_processing": False}}
    configure(docs, "last", [theirs], theme=PLAIN)
    alone = docs.build(out="alone").read("one/index.html").decode()
    configure(docs, place, [theirs], {"page_dates": page_dates})
    built = docs.build()
    assert_honest(docs, built, KEPT)
    before, date, _ = built.read("one/index.html").decode().split("|")
    added = f'<meta property="article:modified_time" content="{docs.date("one.md")}">\n'
    assert before.replace(added, "") == alone.split("|")[0]
    assert (added in before) == page_dates
    assert before.partition("<p>")[2] != ""
    assert date == (docs.date("one.md") if page_dates else "")


# mike


def deploy(docs: Docs, version: str, *args: str) -> str:
    """Deploy a version to the branch ``pages``, as ``mike`` does from the command line; return the log."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    names = {f"GIT_{who}_{what}": "a@b.c" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}
    done = subprocess.run(
        ["mike", "deploy", "--branch", "pages", version, *args],
        cwd=docs.repo.root,
        env={**os.environ, **names, "PATH": path, "NO_COLOR": "1"},
        capture_output=True,
        check=False,
        encoding="utf-8",
    )
    assert done.returncode == 0, done.stderr + done.stdout
    return done.stderr + done.stdout


def deployed(docs: Docs, folder: Path) -> Path:
    """Check the branch ``pages`` out."""
    docs.repo.git("worktree", "add", "--quiet", os.fspath(folder), "pages")
    return folder


def locs(file: Path) -> dict[str, str | None]:
    return {loc.removeprefix(BASE): date for loc, date in sitemaps.read(file).items()}


def below(folder: str, docs: Docs, sources: Sources) -> dict[str, str]:
    """The sitemap of a version."""
    return {f"{folder}/{url}": docs.date(*names) for url, names in sources.items()}


@pytest.fixture
def versioned(docs: Docs) -> Docs:
    pytest.importorskip("mike")
    docs.repo.save(".gitignore", "/site/\n")
    return docs


@pytest.mark.parametrize(("place", "alias_type"), [("first", "symlink"), ("last", "redirect")])
def test_mike(versioned: Docs, place: str, alias_type: str, tmp_path: Path) -> None:
    """Each version's sitemap has its own pages; an alias says what the version says.

    Without its plugin, mike puts itself first into a copy of the configuration. An alias of redirects has no
    sitemap: only HTML is published there.
    """
    docs = versioned
    configure(docs, place, [])
    deploy(docs, "1.0")
    old = below("1.0", docs, KEPT)
    docs.pages("three.md")
    configure(docs, place, [{"mike": {"alias_type": alias_type}}])
    deploy(docs, "2.0", "latest")
    site = deployed(docs, tmp_path / "pages")
    assert locs(site / "1.0/sitemap.xml") == old
    new = below("2.0", docs, {**KEPT, "three/": ("three.md",)})
    assert locs(site / "2.0/sitemap.xml") == new
    for version in ("1.0", "2.0"):
        links = {link for link in published(site / version) if link}
        assert links == set(locs(site / version / "sitemap.xml"))
    if alias_type == "redirect":
        assert published(site / "latest") == []
        assert not (site / "latest/sitemap.xml").exists()
    else:
        assert locs(site / "latest/sitemap.xml") == new


def test_mike_below_a_prefix(versioned: Docs, tmp_path: Path) -> None:
    """Mike leaves the folder that all versions lie in out of ``site_url``, and so out of canonical links.

    If the address has it, it must not be there twice.
    """
    mike: Entry = {"mike": {"deploy_prefix": "sub"}}
    configure(versioned, "last", [mike])
    said = deploy(versioned, "1.0")
    configure(versioned, "last", [mike], site_url=f"{BASE}sub/")
    assert "deploy_prefix" not in deploy(versioned, "2.0")
    site = deployed(versioned, tmp_path / "pages")
    for version in ("1.0", "2.0"):
        found = locs(site / "sub" / version / "sitemap.xml")
        assert found == below(f"sub/{version}", versioned, KEPT)
    assert said.count("mike publishes below 'sub' (deploy_prefix), which site_url lacks") == 1


def test_a_canonical_version_of_mike(versioned: Docs, tmp_path: Path) -> None:
    """The sitemap says what the pages say: that they are copies of the canonical version's.

    A build cannot know which version that will be, so an old version's sitemap names pages that
    may be gone; an index over all versions must leave it out.
    """
    docs = versioned
    configure(docs, "last", [{"mike": {"canonical_version": "latest", "alias_type": "copy"}}])
    deploy(docs, "1.0")
    old = below("latest", docs, KEPT)
    docs.repo.git("rm", "--quiet", "docs/two.md")
    docs.pages("three.md")
    deploy(docs, "2.0", "latest")
    site = deployed(docs, tmp_path / "pages")
    new = {"": ("index.md",), "one/": ("one.md",), "three/": ("three.md",)}
    assert locs(site / "latest/sitemap.xml") == locs(site / "2.0/sitemap.xml") == below("latest", docs, new)
    assert set(published(site / "latest")) == set(below("latest", docs, new))
    assert locs(site / "1.0/sitemap.xml") == old


# All of them


@pytest.mark.parametrize("place", ["first", "last"])
def test_many_plugins_at_once(docs: Docs, place: str) -> None:
    names = ("mkdocs_awesome_nav", "mkdocs_gen_files", "mkdocs_include_markdown_plugin", "mkdocs_macros")
    for name in ("material", *names, "mkdocs_redirects"):
        pytest.importorskip(name)
    docs.repo.write("script.py", SCRIPT)
    sources = write_blog(docs)
    docs.save_page("tags.md", "<!-- material/tags -->")
    plugins: list[Entry] = [
        {"redirects": {"redirect_maps": {"old.md": "one.md"}}},
        {"material/blog": {"pagination_per_page": 1}},
        {"gen-files": {"scripts": ["script.py"]}},
        "material/tags",
        "include-markdown",
        {"material/privacy": {"assets_fetch": False}},
        "macros",
        "awesome-nav",
        "material/search",
    ]
    made = {"two/": (), "made/page/": (), "made/sourced/": ("../script.py",), "tags/": ()}
    for ordered in (plugins, plugins[::-1]):
        configure(docs, place, ordered, theme=material())
        built = docs.build().passed()
        (built.outdir / "made/out/index.html").unlink()
        assert_honest(docs, built, {**sources, **made})
