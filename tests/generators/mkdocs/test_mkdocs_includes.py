"""Real builds: what a page includes counts for its date, whoever includes it, and nothing else does."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

import pytest

pytest.importorskip("mkdocs")

from tests.support.mkdocssite import Built, Docs

WORDS = "Seven wise owls count stars."

START = """
import os
from pathlib import Path
ROOT = Path(__file__).parent
DATA = ROOT / "data/NAME.txt"
"""


class Case(NamedTuple):
    """A hook, and what it includes: each case has a hook, pages and a newer file of data of its own.

    ``pages`` has texts by name, in which ``NAME`` is the case's; a page has the date of the data if it is
    among ``including``, else that of its source.
    """

    code: str = ""
    pages: Mapping[str, str] = {"a": "Here: {{NAME}}", "b": "There: {{NAME}}"}
    including: tuple[str, ...] = ()


FRESH = """
def on_page_markdown(markdown, **_):
    return markdown.replace("{{NAME}}", DATA.read_text()) if "{{NAME}}" in markdown else markdown
"""
IN_HTML = FRESH.replace("on_page_markdown(markdown", "on_page_content(markdown").replace("markdown", "html")
LOW_LEVEL = """
import os
def on_page_markdown(markdown, **_):
    if "{{NAME}}" not in markdown:
        return markdown
    file = os.open(DATA, os.O_RDONLY)
    try:
        return markdown.replace("{{NAME}}", os.read(file, 100).decode())
    finally:
        os.close(file)
"""
FOR_ONE = """
def on_page_markdown(markdown, page, **_):
    return markdown + DATA.read_text().split()[2] if page.file.src_uri == "NAME-b.md" else markdown
"""
CACHED = """
import functools
@functools.cache
def read():
    return DATA.read_text()
def on_page_markdown(markdown, **_):
    return markdown.replace("{{NAME}}", read())
"""
AT_START = """
def on_config(config):
    config.extra["data"] = DATA.read_text()
def on_page_markdown(markdown, config, **_):
    return markdown.replace("{{NAME}}", config.extra["data"])
"""
ON_FILES = AT_START.replace("def on_config(config):", "def on_files(files, config):")
AT_IMPORT = """
TEXT = DATA.read_text()
def on_page_markdown(markdown, **_):
    return markdown.replace("{{NAME}}", TEXT)
"""
EVERY = "def on_page_markdown(markdown, **_):\n    return markdown.replace('{{NAME}}', DATA.read_text())\n"
WRITES = "def on_page_markdown(markdown, **_):\n    DATA.write_text('x' if '{{NAME}}' in markdown else 'y')\n"
IN_CONTEXT = (
    "def on_page_context(context, page, **_):\n    page.meta['x'] = 'NAME-a' in page.url and DATA.read_text()"
)
SYNTAX = (
    '--8<-- "data/NAME.txt"',
    '--8<-- "data/NAME.txt:1:2"',
    "{! data/NAME.txt !}",
    "{!> data/NAME.txt !}",
    "{* ../data/NAME.txt hl[1] *}",
    "{% include 'data/NAME.txt' %}",
    '{% include-markdown "../data/NAME.txt" %}',
)
SHOWN = (
    '{% raw %}{% include "data/NAME.txt" %}{% endraw %}',
    "Write `{! data/NAME.txt !}` for it.",
    "<!-- {* data/NAME.txt *} -->",
    '\\{% include "data/NAME.txt" %}',
    ';--8<-- "data/NAME.txt"',
    '``` {.text path="data/NAME.txt"}\nOther text\n```',
    "The file owls.txt has what you see.",
    "[owls](https://example.org/data/NAME.txt)",
    '``` title="data/NAME.txt"\n```',
)
LAZY = """
import functools
@functools.cache
def read():
    return DATA.read_text()
class Data:
    @functools.cached_property
    def text(self):
        return DATA.read_text()
DATA_ONCE = Data()
def on_page_markdown(markdown, page, **_):
    return markdown if page.is_homepage else markdown.replace("{{NAME}}", READ)
"""


THREAD = """
from threading import Thread
def on_page_markdown(markdown, page, **_):
    if page.url == "NAME-a/":
        thread = Thread(target=lambda: DATA.read_text())
        thread.start()
        thread.join()
"""
READ = "DATA.read_text().split()[2]"
IMPORTS = """
import sys
def on_page_markdown(markdown, page, **_):
    if page.url == "NAME-a/":
        sys.path.insert(0, str(ROOT / "lib"))
        import read_at_import
"""
READS_A_PAGE = "def on_page_markdown(markdown, **_):\n    (ROOT / 'docs/NAME-b.md').read_text()\n"
IN_TEMPLATE = "def on_page_context(context, **_):\n    (ROOT / 'theme/part.html').read_text()\n"
NAMING = {f"named{number}": text for number, text in enumerate(SYNTAX)} | {
    f"shown{number}": text for number, text in enumerate(SHOWN)
}
NAMED = tuple(name for name in NAMING if name.startswith("named"))
BOTH = ("a", "b")


def reads(place: str) -> Case:
    """A hook that reads another file of the project for one page."""
    return Case(FOR_ONE.replace(READ, f"(ROOT / {place!r}).read_bytes().decode('latin-1')[:0]"))


CASES = {
    # read while a page is made, however; two pages may have the same file
    "markdown": Case(FRESH, including=BOTH),
    "html": Case(IN_HTML, including=BOTH),
    "low": Case(LOW_LEVEL, including=BOTH),
    "one": Case(FOR_ONE, including=("b",)),
    "first": Case(FRESH, {"a": "Here: {{NAME}}", "b": "Nothing."}, ("a",)),
    # read for all pages, or at another time: the first page shows nothing of what a plugin keeps
    "cached": Case(CACHED),
    "config": Case(AT_START),
    "files": Case(ON_FILES),
    "import": Case(AT_IMPORT),
    "every": Case(EVERY),
    "written": Case(WRITES),
    "context": Case(IN_CONTEXT),
    "function": Case(LAZY.replace("READ", "read()"), {"a": "Nothing.", "b": "{{NAME}}"}),
    "property": Case(LAZY.replace("READ", "DATA_ONCE.text"), {"a": "Nothing.", "b": "{{NAME}}"}),
    "thread": Case(THREAD),  # it may read ahead
    "module": Case(IMPORTS),  # such as its version, which changes with each release
    # named in a syntax that includes files, and read at any time; a file may name others
    "named-cached": Case(CACHED, NAMING, NAMED),
    "named-config": Case(AT_START, NAMING, NAMED),
    "fence": Case(EVERY, {"a": "x", "b": '``` {.text file="data/NAME.txt"}\n```'}, ("b",)),
    "unread": Case("", {"a": "x", "b": "{! data/NAME.txt !}"}),  # it may show how to include a file
    "outer": Case(
        AT_START.replace("DATA.read_text()", "DATA.read_text() + (ROOT / 'data/names.txt').read_text()"),
        {"a": "x", "b": "{! data/names.txt !}"},
        ("b",),
    ),
    # no text of a page
    "nav": reads("docs/.nav.yml"),
    "summary": reads("docs/SUMMARY.md"),
    "pages": reads("docs/.pages"),
    "picture": reads("docs/map.png"),
    "configuration": reads("mkdocs.yml"),
    "page": Case(READS_A_PAGE),  # for its title
    "link": reads("README.md"),  # which is a page, by a link
    "template": Case(IN_TEMPLATE),
    # taken out by a rule, or by the page
    "removed": Case(FRESH, {"a": "{{NAME}}", "b": "{{NAME}}", "c": "{{NAME}}"}, ("c",)),
    "ignored": Case(FRESH),  # no commit has it
}


class Garden(NamedTuple):
    """The site of all cases, built once."""

    docs: Docs
    built: Built


@pytest.fixture(scope="module")
def garden(tmp_path_factory: pytest.TempPathFactory) -> Garden:
    docs = Docs(tmp_path_factory.mktemp("garden"))
    repo = docs.repo
    docs.page("index.md", "Here: {{first}}")
    for name, case in CASES.items():
        docs.hook((START + case.code).replace("NAME", name), f"hook_{name.replace('-', '_')}.py")
        for page, text in case.pages.items():
            values: dict[str, Any] = {}
            if (name, page) == ("removed", "b"):
                values = {"sitemap": {"not_sources": ["../data/removed.txt"]}}
            docs.page(f"{name}-{page}.md", text.replace("NAME", name), **values)
    docs.page("SUMMARY.md")
    (docs.docs_dir / "link.md").symlink_to(repo.root / "README.md")
    repo.write(".gitignore", "data/ignored.txt\n")
    repo.save("data/names.txt", "{! outer.txt !}\n")
    repo.write("lib/read_at_import.py", "from pathlib import Path\nPath('data/module.txt').read_text()\n")
    for name in ("docs/.nav.yml", "docs/.pages", "docs/map.png", "docs/data.json", "README.md"):
        repo.write(name, "nav: []\n")
    repo.write("theme/part.html", WORDS)
    block = "{% block footer %}{% include 'part.html' %}{% endblock %}"
    repo.write("theme/main.html", f"{{% extends 'base.html' %}}{block}")
    for name in CASES:
        repo.write(f"data/{name}.txt", WORDS)
    docs.conf(
        {"rules": [{"match": "removed-a.md", "not_sources": ["../data/removed.txt"]}]},
        hooks=[f"hook_{name.replace('-', '_')}.py" for name in CASES],
        theme={"name": "mkdocs", "custom_dir": "theme"},
    )
    repo.commit()
    built = docs.run("--strict", "-f", "mkdocs.yml").passed()
    return Garden(docs, built)


@pytest.mark.parametrize("name", CASES)
def test_what_counts_for_a_page(garden: Garden, name: str) -> None:
    """What is read while it is made, or what it names and a plugin has read; nothing else."""
    docs, case = garden.docs, CASES[name]
    for page in case.pages:
        source = f"{name}-{page}.md"
        expected = docs.date(f"../data/{name}.txt" if page in case.including else source)
        assert garden.built.sitemap[f"{name}-{page}/"] == expected, page
    assert not case.including or docs.date(f"../data/{name}.txt") > docs.date("index.md")


def test_the_first_page_and_one_that_is_a_link(garden: Garden) -> None:
    """What is read for the first page and others, but not for all, counts for it."""
    docs, built = garden
    assert built.sitemap[""] == docs.date("../data/first.txt")
    assert built.sitemap["link/"] == docs.date("../README.md")
    assert WORDS.encode() in built.read("unread-a/index.html")  # by the theme


@pytest.fixture
def docs(tmp_path: Path) -> Docs:
    """Three pages, of which ``a`` and ``b`` ask for what a hook puts in; then a newer file of data."""
    docs = Docs(tmp_path)
    docs.page("index.md")
    docs.page("a.md", "Here: {{owls}}")
    docs.save_page("b.md", "There: {{owls}}")
    docs.repo.save("data/owls.txt", WORDS)
    return docs


def hooked(docs: Docs, code: str, **options: object) -> Built:
    """A strict build with a hook."""
    docs.conf(options, hooks=[docs.hook((START + code).replace("NAME", "owls"))])
    return docs.build(strict=True).passed()


def check(docs: Docs, built: Built, *including: str) -> None:
    """Those pages have the date of the data, the others that of their source."""
    dates = {"": docs.date("index.md"), "a/": docs.date("a.md"), "b/": docs.date("b.md")}
    owls = docs.date("../data/owls.txt")
    assert all(owls > dates[page] for page in including)
    assert built.sitemap == dates | dict.fromkeys(including, owls)


def test_dependencies_can_be_switched_off(docs: Docs) -> None:
    """Then nobody listens, either."""
    code = """
from docs_sitemap.dates.evidence import reads
def on_pre_build(config):
    assert reads.Reads.recording is None
"""
    check(docs, hooked(docs, FRESH + code, dependencies=False))


def test_images_and_downloads_count_where_that_is_asked_for(docs: Docs) -> None:
    """Those that a page leads to itself, whatever their names; not the theme's, and no other pages."""
    docs.page("a.md", "![A picture](img/ä%20b.png?x#y)")
    docs.save_page("b.md", '<a href="../img/sheet.csv">Download</a> or [see](a.md)')
    for name in ("img/ä b.png", "img/sheet.csv"):
        docs.repo.save(f"docs/{name}", "1,2")
    docs.conf()
    dates = {page: docs.date(source) for page, source in {"": "index.md", "a/": "a.md", "b/": "b.md"}.items()}
    assert docs.build(strict=True).sitemap == dates
    docs.conf({"dependencies": "all"})
    dates |= {"a/": docs.date("img/ä b.png"), "b/": docs.date("img/sheet.csv")}
    assert docs.build(strict=True).sitemap == dates
    assert docs.build(dirty=True).sitemap == dates


TEMPLATES = {
    "home.html": '{% extends "main.html" %}{% block content %}{% include "own.html" %}'
    '{% include "part.html" %}{% include "toc.html" %}{# {% include "shown.html" %} #}{% endblock %}',
    "own.html": WORDS,
    "plain.html": "<html>Plain.</html>",
    "main.html": '{% extends "base.html" %}{% block footer %}{% include "part.html" %}{% endblock %}',
    "part.html": WORDS,
    "toc.html": '{% include "shown.html" %}',
    "shown.html": WORDS,
}
"""Templates of a site, in the order of their dates; toc.html replaces that of the theme."""


def test_a_template_that_front_matter_names_counts_with_what_it_alone_loads(docs: Docs) -> None:
    """Not what other pages show, nor one of the theme's, nor one that a plugin names."""
    named = {"index": "home.html", "a": "plain.html", "c": "main.html", "d": "404.html", "e": "toc.html"}
    for name, template in named.items():
        docs.page(f"{name}.md", template=template)
    for name, text in TEMPLATES.items():
        docs.repo.save(f"theme/{name}", text)
    hook = docs.hook(
        "def on_page_markdown(m, page, **_):\n    page.meta.setdefault('template', 'plain.html')\n"
    )
    theme = {"name": "mkdocs", "custom_dir": "theme"}
    docs.conf(theme=theme, hooks=[hook])
    expected = {f"{name}/": docs.date(f"{name}.md") for name in "bcde"}
    expected |= {"": docs.date("../theme/own.html"), "a/": docs.date("../theme/plain.html")}
    for dirty in (False, True):
        assert docs.build(dirty=dirty).sitemap == expected
    docs.conf({"dependencies": False}, theme=theme, hooks=[hook])
    assert docs.build().sitemap[""] == docs.date("index.md")


def test_a_rule_names_what_cannot_be_seen(docs: Docs) -> None:
    """For all pages that match it, unless a page names its own; a file that is not there is one warning."""
    rules = [{"match": ["a.md", "b.md"], "sources": ["../data/owls.txt"]}]
    check(docs, hooked(docs, "", rules=rules), "a/", "b/")
    docs.save_page("b.md", sitemap={"sources": ["index.md"]})
    docs.repo.save("data/owls.txt", "More owls.")
    check(docs, hooked(docs, "", rules=rules), "a/")
    docs.conf({"rules": [{"match": "a.md", "sources": "owls.txt"}]})
    built = docs.build()
    expected = "plugins: docs-sitemap: rules: rule 1, sources: no such file in docs: 'owls.txt'"
    assert len(built.notices(expected)) == len(built.warnings) == 1
    check(docs, built)


def test_a_dirty_build_knows_what_the_last_one_noted(docs: Docs) -> None:
    """Pages that it does not make anew go on to include what they did; dates are asked of git as ever.

    What a file includes that has changed since, nobody knows: the page is to be made anew.
    """
    clean = hooked(docs, FRESH)
    assert docs.build(dirty=True).files == clean.files
    docs.save_page("a.md", "Nothing.")
    built = docs.build(dirty=True)
    check(docs, built, "b/")
    assert docs.build(dirty=True).files == built.files
    docs.repo.save("data/owls.txt", "Eight wise owls count stars.")
    built = docs.build(dirty=True)
    assert built.sitemap == {"": docs.date("index.md"), "a/": docs.date("a.md"), "b/": None}
    assert built.notices("1 page has no date: not built by this --dirty build")
    check(docs, docs.build(), "b/")


def test_a_dirty_build_dates_the_first_page_that_it_makes_as_the_whole_build_does(docs: Docs) -> None:
    """Which files are read for every page, and which for this one, the notes of the whole build know."""
    both = FRESH + EVERY.replace("DATA.read_text()", "DATA.with_name('all.txt').read_text()").replace(
        "on_page_markdown(markdown", "on_page_content(html"
    ).replace("markdown", "html")
    docs.repo.save("data/all.txt", "For all pages.")
    hooked(docs, both)
    docs.save_page("a.md", "Here: {{owls}} and more.")
    docs.repo.save("data/owls.txt", "Eight wise owls.")
    docs.repo.save("data/all.txt", "For all of the pages.")
    dirty = docs.build(dirty=True)
    whole = docs.build()
    check(docs, whole, "a/", "b/")
    assert dirty.sitemap == {**whole.sitemap, "b/": None}


def test_a_dirty_build_knows_so_where_a_hook_has_read_the_page(docs: Docs) -> None:
    """For its title in the navigation; that makes no page of it."""
    code = FRESH + (
        "def on_nav(nav, config, files, **_):\n    for page in nav.pages:\n        page.read_source(config)\n"
    )
    clean = hooked(docs, code)
    for _ in range(2):
        assert docs.build(dirty=True).files == clean.files


def test_a_dirty_build_dates_no_page_of_which_nothing_is_noted(docs: Docs) -> None:
    """Made before the plugin was there, or of another text: it may include anything."""
    docs.conf(plugins=[])
    assert not docs.build().failed
    docs.conf()
    built = docs.build(dirty=True)
    assert built.sitemap == dict.fromkeys(("", "a/", "b/"))
    (said,) = built.notices("To fix it: build once without --dirty.")
    assert said.startswith("INFO")
    assert "3 pages have no date" in said
    assert not docs.build().notices("--dirty")
    docs.conf({"lastmod": "none"})
    assert not docs.build(dirty=True).notices("--dirty")
    docs.conf()
    docs.build()
    docs.save_page("a.md", "Other text.")
    docs.conf(plugins=[])
    docs.build(dirty=True)
    docs.conf()
    built = docs.build(dirty=True)
    assert built.sitemap == {"": docs.date("index.md"), "a/": None, "b/": docs.date("b.md")}
    assert len(built.notices("1 page has no date: not built by this --dirty build")) == 1
    docs.page("a.md", "Other text.", sitemap={"lastmod": "2020-01-02"})
    built = docs.build(dirty=True)
    assert built.sitemap["a/"] == "2020-01-02"
    assert not built.notices("no date")


def test_a_cache_folder_that_cannot_be_written_or_read_costs_dates_alone(
    docs: Docs, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("")
    for place in (tmp_path / "file", Path("/proc")):
        monkeypatch.setenv("XDG_CACHE_HOME", str(place))
        check(docs, hooked(docs, FRESH), "a/", "b/")
        dirty = docs.build(dirty=True).passed()
        assert dirty.sitemap == dict.fromkeys(("", "a/", "b/"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    check(docs, hooked(docs, FRESH), "a/", "b/")
    for file in (tmp_path / "docs-sitemap").iterdir():
        for damage in ("", "{", "[]", "null", '{"version": 1}', '{"version": 2}\n{"key": 3}\n[]\n'):
            file.write_text(damage)
            dirty = docs.build(dirty=True).passed()
            file.write_text(damage)
            assert dirty.sitemap == dict.fromkeys(("", "a/", "b/"))


def test_notes_hold_names_and_no_dates(docs: Docs, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """So that none is ever older than the history; nothing lies in the site or the project."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    built = hooked(docs, FRESH)
    (file,) = (tmp_path / "cache/docs-sitemap").iterdir()
    _, *lines = [json.loads(line) for line in file.read_text().splitlines()]
    found = {line["key"]: line for line in lines}
    pages = ("a", "b")
    assert found.keys() == {"index.md -> index.html", *(f"{page}.md -> {page}/index.html" for page in pages)}
    state = (docs.docs_dir / "a.md").stat()
    page = found["a.md -> a/index.html"]
    assert page["loc"] == "https://example.org/docs/a/"
    data = (docs.repo.root / "data/owls.txt").stat()
    states = [number for found in (state, data) for number in (found.st_mtime_ns, found.st_size)]
    assert (page["state"], page["extra"]) == (states, {"meta": {}})
    assert page["included"] == {
        str(docs.repo.root / "data/owls.txt"): "hooks.py reads it while the page is built"
    }
    assert docs.date("../data/owls.txt")[:10] not in file.read_text()
    assert not list(built.outdir.rglob("docs-sitemap*"))
    new = docs.repo.git("status", "--porcelain").splitlines()
    assert {*new} - {"?? __pycache__/"} == {"?? hooks.py", "?? mkdocs.yml"}


def test_page_dates_have_them_too(docs: Docs) -> None:
    code = FRESH + "def on_page_context(context, page, **_):\n    print(page.url, page.update_date)\n"
    docs.conf({"page_dates": True}, theme={"name": "mkdocs"}, hooks=[])
    built = hooked(docs, code + "    page.title = page.meta['docs_sitemap_lastmod']\n", page_dates=True)
    for page in ("a/", "b/", ""):
        date = built.sitemap[page]
        assert date is not None
        assert date in built.read(f"{page}index.html").decode()


SNIPPETS: dict[str, tuple[str, str]] = {
    "plain": ('--8<-- "data/inner.txt"', "inner"),
    "fenced": ('```\n--8<-- "data/inner.txt"\n```', "inner"),
    "nested": ('--8<-- "data/outer.txt"', "inner"),
    "glossary": ("Of OWL and others.", "glossary"),
    "none": ("Of owls.", ""),
    # what Markdown itself makes is of no file
    "markdown": ("One[^1].\n\n[^1]: A note.\n\n[TOC]\n\n## Transport security\n\ncaf&eacute;", ""),
    "code": ('``` {.python linenums="1"}\nprint()\n```', ""),
}
"""The texts of pages, and the file of data that each includes, however deep."""

GLOSSARY = (
    "*[OWL]: Order of wise listeners\n*[CAT]: Careless animals' treaty\n"
    "*[TLS]: Transport Layer Security 1.2\n*[XYZ]: Nothing at the caf\u00e9 1\n"
)


def test_snippets(tmp_path: Path) -> None:
    """A glossary that is appended to all pages counts where it explains something."""
    pytest.importorskip("pymdownx")
    docs = Docs(tmp_path)
    docs.page("index.md")
    for name, (text, _) in SNIPPETS.items():
        docs.page(f"{name}.md", text)
    docs.repo.save("data/outer.txt", '--8<-- "data/inner.txt"\n')
    docs.repo.save("data/inner.txt", "Title\n")  # nothing that the page does not have itself
    docs.repo.save("data/glossary.txt", GLOSSARY)
    snippets = {"base_path": [str(docs.repo.root)], "check_paths": True, "auto_append": ["data/glossary.txt"]}
    others = ["abbr", "footnotes", "toc", "pymdownx.highlight", "pymdownx.superfences"]
    docs.conf(markdown_extensions=[{"pymdownx.snippets": snippets}, *others])
    built = docs.build(strict=True).passed()
    for name, (_, included) in SNIPPETS.items():
        expected = docs.date(f"../data/{included}.txt" if included else f"{name}.md")
        assert built.sitemap[f"{name}/"] == expected, name
