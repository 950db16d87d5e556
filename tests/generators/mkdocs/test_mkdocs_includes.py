"""Real builds: what a page includes counts for its date, whoever includes it, and nothing else does."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

pytest.importorskip("mkdocs")

from tests.support.mkdocssite import Built, Docs

WORDS = "Seven wise owls count stars."


@pytest.fixture
def docs(tmp_path: Path) -> Docs:
    """Three pages, of which ``a`` and ``b`` ask for what a hook puts in; then a newer file of data."""
    docs = Docs(tmp_path)
    docs.page("index.md")
    docs.page("a.md", "Here: {{data}}")
    docs.page("b.md", "There: {{data}}")
    docs.repo.commit()
    docs.repo.write("data/owls.txt", WORDS)
    docs.repo.commit()
    return docs


def hooked(docs: Docs, code: str, **options: object) -> Built:
    """A strict build with a hook; DATA is the name of the file."""
    start = f"from pathlib import Path\nDATA = Path({str(docs.repo.root)!r}, 'data/owls.txt')\n"
    docs.conf(options, hooks=[docs.hook(start + code)])
    built = docs.build(strict=True)
    assert not built.failed, built.log
    return built


def check(docs: Docs, built: Built, *including: str) -> None:
    """Those pages have the date of the data, the others that of their source."""
    dates = {"": docs.date("index.md"), "a/": docs.date("a.md"), "b/": docs.date("b.md")}
    owls = docs.date("../data/owls.txt")
    assert all(owls > dates[page] for page in including)
    assert built.sitemap == dates | dict.fromkeys(including, owls)


FRESH = """
def on_page_markdown(markdown, **_):
    return markdown.replace("{{data}}", DATA.read_text()) if "{{data}}" in markdown else markdown
"""
IN_HTML = FRESH.replace("on_page_markdown(markdown", "on_page_content(markdown").replace("markdown", "html")
LOW_LEVEL = """
import os
def on_page_markdown(markdown, **_):
    if "{{data}}" not in markdown:
        return markdown
    file = os.open(DATA, os.O_RDONLY)
    try:
        return markdown.replace("{{data}}", os.read(file, 100).decode())
    finally:
        os.close(file)
"""
FOR_ONE = """
def on_page_markdown(markdown, page, **_):
    return markdown + DATA.read_text().split()[2] if page.file.src_uri == "b.md" else markdown
"""
READS = {"markdown": FRESH, "html": IN_HTML, "os.open": LOW_LEVEL}


@pytest.mark.parametrize("code", READS.values(), ids=READS)
def test_what_is_read_while_a_page_is_made_counts_for_it(docs: Docs, code: str) -> None:
    """However it is read; two pages may have the same file."""
    check(docs, hooked(docs, code), "a/", "b/")


def test_a_word_is_enough_where_the_file_is_read_for_one_page(docs: Docs) -> None:
    docs.repo.write("data/owls.txt", "One data page\n")
    docs.page("a.md", "This page is about data.")
    docs.repo.commit()
    check(docs, hooked(docs, FOR_ONE), "b/")


CACHED = """
import functools
@functools.cache
def read():
    return DATA.read_text()
def on_page_markdown(markdown, **_):
    return markdown.replace("{{data}}", read())
"""
AT_START = """
def on_config(config):
    config.extra["data"] = DATA.read_text()
def on_page_markdown(markdown, config, **_):
    return markdown.replace("{{data}}", config.extra["data"])
"""
ON_FILES = AT_START.replace("def on_config(config):", "def on_files(files, config):")
AT_IMPORT = """
TEXT = DATA.read_text()
def on_page_markdown(markdown, **_):
    return markdown.replace("{{data}}", TEXT)
"""
EVERY = "def on_page_markdown(markdown, **_):\n    return markdown.replace('{{data}}', DATA.read_text())\n"
WRITES = "def on_page_markdown(markdown, **_):\n    DATA.write_text('x' if '{{data}}' in markdown else 'y')\n"
IN_CONTEXT = (
    "def on_page_context(context, page, **_):\n    page.meta['x'] = 'a' in page.url and DATA.read_text()"
)
FOR_ALL = {
    "cached": CACHED,
    "config": AT_START,
    "files": ON_FILES,
    "import": AT_IMPORT,
    "every page": EVERY,
    "written": WRITES,
    "template": IN_CONTEXT,
}


@pytest.mark.parametrize("code", FOR_ALL.values(), ids=FOR_ALL)
def test_what_is_read_for_all_pages_or_at_another_time_counts_for_none(docs: Docs, code: str) -> None:
    """A plugin that keeps what it reads has read it for the first page, which shows nothing of it."""
    docs.page("index.md", f"{WORDS} {WORDS}")
    docs.repo.commit()
    docs.repo.write("data/owls.txt", f"{WORDS}\n\n{WORDS}\n")
    docs.repo.commit()
    check(docs, hooked(docs, code))


def test_what_is_read_for_the_first_page_and_others_but_not_for_all_counts(docs: Docs) -> None:
    docs.page("index.md", "Here: {{data}}")
    docs.page("b.md", "Nothing.")
    docs.repo.commit()
    docs.repo.write("data/owls.txt", "Other words.")
    docs.repo.commit()
    check(docs, hooked(docs, FRESH), "", "a/")


SYNTAX = (
    '--8<-- "data/owls.txt"',
    '--8<-- "data/owls.txt:1:2"',
    "{! data/owls.txt !}",
    "{!> data/owls.txt !}",
    "{* ../data/owls.txt hl[1] *}",
    "{% include 'data/owls.txt' %}",
    '{% include-markdown "../data/owls.txt" %}',
)
SHOWN = (
    '{% raw %}{% include "data/owls.txt" %}{% endraw %}',
    "Write `{! data/owls.txt !}` for it.",
    "<!-- {* data/owls.txt *} -->",
    '\\{% include "data/owls.txt" %}',
    ';--8<-- "data/owls.txt"',
    '``` {.text path="data/owls.txt"}\nOther text\n```',
    "The file owls.txt has what you see.",
    "[owls](https://example.org/data/owls.txt)",
    '``` title="data/owls.txt"\n```',
)
FENCE = '``` {.text file="data/owls.txt"}\n```'
ANYTIME = {"cached": CACHED, "config": AT_START}


def test_what_a_fence_names_counts_if_it_was_read_for_the_page(docs: Docs) -> None:
    docs.page("b.md", FENCE)
    docs.repo.commit()
    docs.repo.write("data/owls.txt", "Other words.")
    docs.repo.commit()
    check(docs, hooked(docs, EVERY), "b/")


@pytest.mark.parametrize("code", ANYTIME.values(), ids=ANYTIME)
def test_what_a_page_names_in_a_syntax_that_includes_counts_if_it_was_read(docs: Docs, code: str) -> None:
    """And what it only shows does not, nor what it only mentions."""
    texts = {f"named{number}": text for number, text in enumerate(SYNTAX)}
    texts |= {f"shown{number}": text for number, text in enumerate(SHOWN)}
    for name, text in texts.items():
        docs.page(f"{name}.md", text)
    docs.repo.commit()
    docs.repo.write("data/owls.txt", "Other words.")
    docs.repo.commit()
    built = hooked(docs, code)
    owls, source = docs.date("../data/owls.txt"), docs.date("shown0.md")
    expected = {f"{name}/": owls if name.startswith("named") else source for name in texts}
    assert {page: built.sitemap[page] for page in expected} == expected


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
    return markdown if page.is_homepage else markdown.replace("{{shown}}", READ)
"""


@pytest.mark.parametrize("call", ["read()", "DATA_ONCE.text"])
def test_what_a_function_keeps_is_not_of_the_first_page_that_asks_for_it(docs: Docs, call: str) -> None:
    docs.page("a.md", "Nothing.")
    docs.page("b.md", "{{shown}}")
    docs.repo.commit()
    docs.repo.write("data/owls.txt", "Other words.")
    docs.repo.commit()
    check(docs, hooked(docs, LAZY.replace("READ", call)))


def test_what_a_module_reads_when_it_is_imported_is_no_text(
    docs: Docs, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Such as its version, which changes with each release."""
    monkeypatch.syspath_prepend(str(docs.repo.root / "lib"))
    docs.repo.write("lib/read_at_import.py", "from pathlib import Path\nPath('data/owls.txt').read_text()\n")
    monkeypatch.chdir(docs.repo.root)
    code = (
        "def on_page_markdown(markdown, page, **_):\n    if page.url == 'a/':\n        import read_at_import"
    )
    check(docs, hooked(docs, code))


THREAD = """
from threading import Thread
def on_page_markdown(markdown, page, **_):
    if page.url == "a/":
        thread = Thread(target=lambda: DATA.read_text())
        thread.start()
        thread.join()
"""


def test_what_another_thread_reads_is_of_no_page(docs: Docs) -> None:
    """It may read ahead."""
    check(docs, hooked(docs, THREAD))


def test_the_target_of_a_link_is_a_page_as_the_link_is(docs: Docs) -> None:
    """A plugin may read it for its title."""
    (docs.docs_dir / "link.md").symlink_to(docs.repo.root / "README.md")
    docs.repo.write("README.md", "# Read me")
    docs.repo.commit()
    built = hooked(
        docs,
        FOR_ONE.replace("DATA.read_text().split()[2]", "(DATA.parents[1] / 'README.md').read_text()[:0]"),
    )
    assert built.sitemap["b/"] == docs.date("b.md")
    assert built.sitemap["link/"] == docs.date("../README.md")


def test_what_a_page_names_and_nobody_reads_does_not_count(docs: Docs) -> None:
    """It may show how to include a file."""
    docs.page("b.md", "{! data/owls.txt !}")
    docs.repo.commit()
    docs.repo.write("data/owls.txt", "Other words.")
    docs.repo.commit()
    check(docs, hooked(docs, ""))


def test_what_a_named_file_names_counts_too(docs: Docs) -> None:
    docs.page("b.md", "{! data/outer.txt !}")
    docs.repo.write("data/outer.txt", "{! owls.txt !}\n")
    docs.repo.commit()
    docs.repo.write("data/owls.txt", "Other words.")
    docs.repo.commit()
    code = AT_START.replace("DATA.read_text()", "DATA.read_text() + DATA.with_name('outer.txt').read_text()")
    check(docs, hooked(docs, code), "b/")


@pytest.mark.parametrize("name", [".nav.yml", "SUMMARY.md", ".pages"])
def test_navigation_is_no_text_of_a_page(docs: Docs, name: str) -> None:
    docs.repo.write(f"docs/{name}", "nav:\n  - Title: a.md\n")
    docs.repo.commit()
    read = f"(DATA.parents[1] / 'docs/{name}').read_text()"
    check(docs, hooked(docs, FOR_ONE.replace("DATA.read_text().split()[2]", read), exclude=["SUMMARY.md"]))


def test_a_picture_whose_size_a_hook_reads_is_no_text(docs: Docs) -> None:
    """It counts with ``all``."""
    docs.repo.write("docs/map.png", "A small map")
    docs.repo.commit()
    code = FOR_ONE.replace("DATA.read_text()", "(DATA.parents[1] / 'docs/map.png').read_text()")
    check(docs, hooked(docs, code))
    built = hooked(docs, code, dependencies="all")
    assert built.sitemap["b/"] == docs.date("map.png")


def test_configuration_is_no_text_of_a_page(docs: Docs) -> None:
    docs.conf(site_name="Test")
    docs.repo.commit()
    read = "(DATA.parents[1] / 'mkdocs.yml').read_text()[:0]"
    check(docs, hooked(docs, FOR_ONE.replace("DATA.read_text().split()[2]", read)))


def test_one_file_can_be_taken_out(docs: Docs) -> None:
    """By a rule for all pages that match it, and by a page."""
    check(docs, hooked(docs, FRESH, rules=[{"match": "a.md", "not_sources": ["../data/owls.txt"]}]), "b/")
    docs.page("b.md", "There: {{data}}", sitemap={"not_sources": ["../data/owls.txt"]})
    docs.repo.commit()
    docs.repo.write("data/owls.txt", "Other words.")
    docs.repo.commit()
    check(docs, hooked(docs, FRESH), "a/")


def test_what_the_generator_itself_reads_does_not_count(docs: Docs) -> None:
    """It copies files, and reads templates; the theme's folder may be called by a short name."""
    docs.repo.write("docs/data.json", f'["{WORDS}"]')
    docs.repo.write("theme/data.html", WORDS)
    docs.repo.write(
        "theme/main.html",
        "{% extends 'base.html' %}{% block footer %}{% include 'data.html' %}{% endblock %}",
    )
    docs.repo.commit()
    docs.conf(
        theme={"name": "mkdocs", "custom_dir": "theme"},
        hooks=[
            docs.hook(
                "from pathlib import Path\ndef on_page_context(context, page, config, **_):\n"
                "    Path(config.theme.custom_dir, 'data.html').read_text()\n"
                f"def on_page_markdown(markdown, **_):\n    return markdown + {WORDS!r}\n"
            )
        ],
    )
    built = docs.run("-f", "mkdocs.yml")
    assert not built.failed
    check(docs, built)
    assert b"wise owls" in built.read("index.html")


def test_what_no_commit_has_does_not_count(docs: Docs) -> None:
    docs.repo.write(".gitignore", "data/\n")
    docs.repo.git("rm", "-q", "--cached", "data/owls.txt")
    docs.repo.commit()
    built = hooked(docs, FRESH)
    assert built.sitemap["a/"] == docs.date("a.md")


def test_dependencies_can_be_switched_off(docs: Docs) -> None:
    """Then nobody listens, either."""
    code = """
from docs_sitemap.dates.evidence import reads
def on_pre_build(config):
    assert reads.Reads.recording is None
"""
    check(docs, hooked(docs, FRESH + code, dependencies=False))


def test_pages_that_are_read_for_another_do_not_count(docs: Docs) -> None:
    """Plugins read pages for their titles, and pages share most of their words."""
    code = "def on_page_markdown(markdown, **_):\n    Path(DATA, '../../docs/b.md').resolve().read_text()\n"
    docs.page("b.md", "Here: {{data}} There. And one more.")
    docs.repo.commit()
    check(docs, hooked(docs, code))


def test_images_and_downloads_count_where_that_is_asked_for(docs: Docs) -> None:
    """Those that a page leads to itself, whatever their names; not the theme's, and no other pages."""
    docs.page("a.md", "![A picture](img/ä%20b.png?x#y)")
    docs.page("b.md", '<a href="../img/sheet.csv">Download</a> or [see](a.md)')
    docs.repo.commit()
    for name in ("img/ä b.png", "img/sheet.csv"):
        docs.repo.write(f"docs/{name}", "1,2")
        docs.repo.commit()
    docs.conf()
    dates = {page: docs.date(source) for page, source in {"": "index.md", "a/": "a.md", "b/": "b.md"}.items()}
    assert docs.build(strict=True).sitemap == dates
    docs.conf({"dependencies": "all"})
    dates |= {"a/": docs.date("img/ä b.png"), "b/": docs.date("img/sheet.csv")}
    assert docs.build(strict=True).sitemap == dates
    assert docs.build(dirty=True).sitemap == dates


def test_a_rule_names_what_cannot_be_seen(docs: Docs) -> None:
    """For all pages that match it, unless a page names its own; a file that is not there is one warning."""
    rules = [{"match": ["a.md", "b.md"], "sources": ["../data/owls.txt"]}]
    check(docs, hooked(docs, "", rules=rules), "a/", "b/")
    docs.page("b.md", sitemap={"sources": ["index.md"]})
    docs.repo.commit()
    docs.repo.write("data/owls.txt", "More owls.")
    docs.repo.commit()
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
    docs.page("a.md", "Nothing.")
    docs.repo.commit()
    built = docs.build(dirty=True)
    check(docs, built, "b/")
    assert docs.build(dirty=True).files == built.files
    docs.repo.write("data/owls.txt", "Eight wise owls count stars.")
    docs.repo.commit()
    built = docs.build(dirty=True)
    assert built.sitemap == {"": docs.date("index.md"), "a/": docs.date("a.md"), "b/": None}
    assert built.notices("1 page has no date: not built by this --dirty build")
    check(docs, docs.build(), "b/")


def test_a_dirty_build_dates_the_first_page_that_it_makes_as_the_whole_build_does(docs: Docs) -> None:
    """Which files are read for every page, and which for this one, the notes of the whole build know."""
    both = FRESH + EVERY.replace("DATA.read_text()", "DATA.with_name('all.txt').read_text()").replace(
        "on_page_markdown(markdown", "on_page_content(html"
    ).replace("markdown", "html")
    docs.repo.write("data/all.txt", "For all pages.")
    docs.repo.commit()
    hooked(docs, both)
    docs.page("a.md", "Here: {{data}} and more.")
    docs.repo.commit()
    docs.repo.write("data/owls.txt", "Eight wise owls.")
    docs.repo.commit()
    docs.repo.write("data/all.txt", "For all of the pages.")
    docs.repo.commit()
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
    docs.page("a.md", "Other text.")
    docs.repo.commit()
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
        dirty = docs.build(dirty=True)
        assert not dirty.failed
        assert dirty.sitemap == dict.fromkeys(("", "a/", "b/"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    check(docs, hooked(docs, FRESH), "a/", "b/")
    for file in (tmp_path / "docs-sitemap").iterdir():
        for damage in (
            "",
            "{",
            "[]",
            "null",
            '{"version": 1}',
            '{"version": 2}\n{"key": 3}\n[]\n',
        ):
            file.write_text(damage)
            dirty = docs.build(dirty=True)
            assert not dirty.failed
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


class TestSnippets:
    @pytest.fixture(autouse=True)
    def _needed(self) -> None:
        pytest.importorskip("pymdownx")

    def build(self, docs: Docs, **values: object) -> Built:
        root = str(docs.repo.root)
        extension = {"pymdownx.snippets": {"base_path": [root], "check_paths": True, **values}}
        docs.conf(markdown_extensions=[extension, "abbr"])
        built = docs.build(strict=True)
        assert not built.failed, built.log
        return built

    def test_a_snippet_counts(self, docs: Docs) -> None:
        docs.page("a.md", '--8<-- "data/owls.txt"')
        docs.page("b.md", '```\n--8<-- "data/owls.txt"\n```')
        docs.repo.commit()
        docs.repo.write("data/owls.txt", "Title\n")  # nothing that the page does not have itself
        docs.repo.commit()
        check(docs, self.build(docs), "a/", "b/")

    def test_a_snippet_within_a_snippet_counts(self, docs: Docs) -> None:
        docs.repo.write("data/outer.txt", '--8<-- "data/owls.txt"\n')
        docs.page("a.md", '--8<-- "data/outer.txt"')
        docs.repo.commit()
        docs.repo.write("data/owls.txt", "Fewer words.")
        docs.repo.commit()
        check(docs, self.build(docs), "a/")

    def test_what_markdown_itself_makes_is_of_no_file(self, docs: Docs) -> None:
        """Numbers of footnotes and lines, headings in a table of contents, entities."""
        docs.page("a.md", "One[^1].\n\n[^1]: A note.\n\n[TOC]\n\n## Transport security\n\ncaf&eacute;")
        docs.page("b.md", '``` {.python linenums="1"}\nprint()\n```')
        docs.repo.commit()
        glossary = "*[TLS]: Transport Layer Security 1.2\n*[XYZ]: Nothing at the caf\u00e9 1\n"
        docs.repo.write("data/owls.txt", glossary)
        docs.repo.commit()
        root = str(docs.repo.root)
        snippets = {"base_path": [root], "auto_append": ["data/owls.txt"]}
        others = ["abbr", "footnotes", "toc", "pymdownx.highlight", "pymdownx.superfences"]
        docs.conf(markdown_extensions=[{"pymdownx.snippets": snippets}, *others])
        check(docs, docs.build(strict=True))

    def test_a_glossary_for_all_pages_counts_where_it_explains_something(self, docs: Docs) -> None:
        docs.page("b.md", "Of OWL and others.")
        docs.repo.commit()
        docs.repo.write(
            "data/owls.txt", "*[OWL]: Order of wise listeners\n*[CAT]: Careless animals' treaty\n"
        )
        docs.repo.commit()
        check(docs, self.build(docs, auto_append=["data/owls.txt"]), "b/")
