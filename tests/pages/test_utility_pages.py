"""Machine pages of real generators, and pages that only have their names: build and check agree on each."""

from __future__ import annotations

import shutil
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

pytest.importorskip("lxml")
pytest.importorskip("protego")

from docs_sitemap.check import RULES, Question, check_site
from docs_sitemap.pages.utility_pages import ERROR, INDEX, PRINT, SEARCH, SOURCE_CODE, machine_page
from docs_sitemap.readers.page_parts import search_forms
from tests.support import sitemaps
from tests.support.warm import generate

pytestmark = pytest.mark.usefixtures("each_by_itself")
BASE = "https://example.org/docs/"


@pytest.fixture
def each_by_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    """Findings are not gathered: each names its page."""
    monkeypatch.setattr("docs_sitemap.check.findings.FEW", 1_000)


def write(folder: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")


def kinds(site: Path) -> dict[str, str]:
    """The machine pages of a site, by name."""
    names = [file.relative_to(site).as_posix() for file in site.rglob("*.html")]
    return {name: kind for name in sorted(names) if (kind := machine_page(site, name))}


def build(site: Path) -> set[str]:
    """The files of the pages that the command lists."""
    for old in site.glob("sitemap*"):
        old.unlink()
    generate(sys.executable, "-m", "docs_sitemap", "build", site, "--base-url", BASE, cwd=site)
    return {
        path + "index.html" if path.endswith("/") or not path else path
        for path in (loc.removeprefix(BASE) for loc in sitemaps.read(site / "sitemap.xml"))
    }


def check(site: Path, rule: str) -> set[str | None]:
    """The files that a rule has found."""
    question = Question(site, BASE, asked=frozenset({rule}))
    return {found.file for found in check_site(question, list(RULES.values())).findings if found.id == rule}


def agree(site: Path) -> None:
    """What the build leaves out is not missed by the check, and told where a sitemap lists it."""
    listed = build(site)
    assert check(site, "C1") == check(site, "C3") == set()
    machine = kinds(site)
    assert not listed & machine.keys()
    names = [file.relative_to(site).as_posix() for file in site.rglob("*.html")]
    locs = "".join(f"<url><loc>{BASE}{name}</loc></url>" for name in names)
    (site / "sitemap.xml").write_text(f'<urlset xmlns="{sitemaps.NS["s"]}">{locs}</urlset>')
    assert check(site, "C3") == machine.keys()


SPHINX = {
    "conf.py": (
        "import os, sys\nsys.path.insert(0, os.path.dirname(__file__))\nhtml_split_index = True\n"
        "extensions = ['sphinx.ext.autodoc', 'sphinx.ext.viewcode']\n"
    ),
    "shelf.py": '"""Shelves."""\n\n\ndef board():\n    """A board."""\n',
    "index.rst": "Home\n====\n\n.. toctree::\n   :glob:\n\n   */*\n\n.. automodule:: shelf\n   :members:\n",
    "guide/search.rst": "Search results\n==============\n\nThey are shown.\n",
    "guide/genindex.rst": "Of indices\n==========\n\nText.\n",
    "_modules/about.rst": "Of modules\n==========\n\n* One\n",
}
SPHINX_MACHINE = {
    "_modules/index.html": SOURCE_CODE,
    "_modules/shelf.html": SOURCE_CODE,
    "genindex-B.html": INDEX,
    "genindex-M.html": INDEX,
    "genindex-S.html": INDEX,
    "genindex-all.html": INDEX,
    "genindex.html": INDEX,
    "py-modindex.html": INDEX,
    "search.html": SEARCH,
}


@pytest.mark.parametrize(
    ("builder", "theme"),
    [
        ("html", "alabaster"),
        ("dirhtml", "classic"),
        ("html", "pydata_sphinx_theme"),
        ("dirhtml", "sphinx_book_theme"),
    ],
)
def test_sphinx(tmp_path: Path, builder: str, theme: str) -> None:
    """Also below the root, in the folder of a version; documents with the names of such pages are pages."""
    pytest.importorskip("sphinx")
    if theme.endswith("theme"):
        pytest.importorskip(theme)
    write(tmp_path / "docs", SPHINX)
    site = tmp_path / "site"
    generate(
        sys.executable, "-m", "sphinx", "-q", "-b", builder, "-D", f"html_theme={theme}", "docs", site,
        cwd=tmp_path,
    )  # fmt: skip
    expected = SPHINX_MACHINE
    if builder == "dirhtml":
        expected = {name.replace(".html", "/index.html"): kind for name, kind in expected.items()}
        expected["_modules/index.html"] = expected.pop("_modules/index/index.html")
    assert kinds(site) == expected
    agree(site)
    shutil.copytree(site, tmp_path / "all/1.0")
    assert kinds(tmp_path / "all") == {f"1.0/{name}": kind for name, kind in expected.items()}
    agree(tmp_path / "all")


MKDOCS = {
    "docs/index.md": "# Home\n",
    "docs/search/index.md": "# Search results\n\n<div>How to search.</div>\n",
    "docs/setup/search.md": "# Setting up search\n",
    "docs/genindex.md": "# Of indices\n",
    "docs/print.md": "# How to print\n",
    "docs/status/404.md": "# 404 Not found\n",
    "docs/_modules/a.md": "# Of modules\n",
}


@pytest.mark.parametrize("theme", ["mkdocs", "readthedocs", "material"])
def test_mkdocs(tmp_path: Path, theme: str) -> None:
    """Its theme ``mkdocs`` has a place for results on every page, ``readthedocs`` a search page."""
    pytest.importorskip("mkdocs")
    if theme == "material":
        pytest.importorskip("material")
    write(tmp_path, {**MKDOCS, "mkdocs.yml": f"site_name: Test\nsite_url: {BASE}\ntheme: {theme}\n"})
    generate(sys.executable, "-m", "mkdocs", "build", "-q", cwd=tmp_path)
    site = tmp_path / "site"
    expected = {"404.html": ERROR}
    if theme == "readthedocs":
        expected["search.html"] = SEARCH
    assert kinds(site) == expected
    agree(site)


def test_zensical(tmp_path: Path) -> None:
    if find_spec("zensical") is None:
        pytest.skip("zensical is not installed")
    write(tmp_path, {**MKDOCS, "zensical.toml": f'[project]\nsite_name = "Test"\nsite_url = "{BASE}"\n'})
    generate(sys.executable, "-m", "zensical", "build", cwd=tmp_path)
    assert kinds(tmp_path / "site") == {"404.html": ERROR}
    agree(tmp_path / "site")


def test_pdoc(tmp_path: Path) -> None:
    """Every page of its has a field to search with, and that of a module called search too."""
    if find_spec("pdoc") is None:
        pytest.skip("pdoc is not installed")
    write(tmp_path, {"garden/__init__.py": '"""A garden."""', "garden/search.py": '"""Finds owls."""'})
    generate(sys.executable, "-m", "pdoc", "-o", "site", "./garden", cwd=tmp_path)
    assert (tmp_path / "site/garden/search.html").is_file()
    assert kinds(tmp_path / "site") == {}
    agree(tmp_path / "site")


def html(body: str, lang: str = "en", title: str = "Test", head: str = "") -> str:
    start = f"<!DOCTYPE html>\n<html lang={lang}><head><title>{title}</title>{head}</head>"
    return f"{start}<body>{body}</body></html>"


FIELD = '<form><input type="search" name="q"></form>'
RESULTS = '<ul id="searchResults" aria-label="results"></ul>'


@pytest.mark.parametrize(
    ("home", "page", "kind"),
    [
        ("", RESULTS, SEARCH),  # Hugo's theme PaperMod
        ("", FIELD, SEARCH),  # Docusaurus
        (FIELD, FIELD + RESULTS, SEARCH),
        (FIELD, FIELD, ""),
        (FIELD + RESULTS, FIELD + RESULTS, ""),
        ("", '<section id="search-results"><h1>Search results</h1></section>', ""),
        ("", f"<!-- {FIELD} -->", ""),
        ("", f"<script>'{RESULTS}'</script>", ""),
        ("", "Text.", ""),
    ],
)
def test_a_search_page_has_what_the_home_page_lacks(tmp_path: Path, home: str, page: str, kind: str) -> None:
    """What both have is part of the theme; ``fr`` is a language, as its pages say, and ``no`` none."""
    names = ("search.html", "fr/search/index.html", "no/search.html", "guide/search/index.html")
    write(tmp_path, {name: html(page, "fr" if "fr/" in name else "en") for name in names})
    homes = ("index.html", "fr/index.html", "no/index.html", "guide/index.html")
    write(tmp_path, {name: html(home) for name in homes})
    assert kinds(tmp_path) == ({"fr/search/index.html": kind, "search.html": kind} if kind else {})
    agree(tmp_path)


def test_a_home_page_that_leads_elsewhere_has_nothing_to_compare_with(tmp_path: Path) -> None:
    stub = html("", head='<meta http-equiv="refresh" content="0; url=guide/">')
    write(tmp_path, {"index.html": stub, "search.html": html(FIELD + RESULTS)})
    assert kinds(tmp_path) == {}


def test_search_elements_are_empty_containers_and_query_fields() -> None:
    assert search_forms(b'<input type="search"><div id="search-results"> </div>') == {"field", "results"}
    assert search_forms(b"<input name=queer><div id=search></div><div t=search-result></div>") == set()
    for text in ("<b>x</b>", "<p>", "<!-- a -->"):
        assert search_forms(f'<div id="search-results">{text}</div>'.encode()) == set()


def test_an_error_page_is_at_a_root(tmp_path: Path) -> None:
    """Hosts serve ``404.html`` for any address; a page of another name says in its title what it is."""
    write(
        tmp_path,
        {
            "404.html": html("Gone."),
            "not-found/index.html": html("", title="Page not found"),
            "not_found.html": html("", title="Lost property"),
            "fr/index.html": html("", "fr"),
            "fr/404.html": html("", "fr"),
            "cs/index.html": html("C#"),
            "cs/404.html": html("C#"),
            "status/404.html": html("", title="404 Not found"),
        },
    )
    assert kinds(tmp_path) == {"404.html": ERROR, "not-found/index.html": ERROR, "fr/404.html": ERROR}
    agree(tmp_path)


def test_pieces_of_a_doxygen_search(tmp_path: Path) -> None:
    """Doxygen 1.9 writes a document a letter, and puts the place for them into every page."""
    piece = html('<div id="SRIndex"></div>').replace("<body>", '<body class="SRPage">')
    write(
        tmp_path,
        {
            "html/search/all_0.html": piece,
            "html/search/nomatches.html": piece,
            "html/search/guide.html": html('<div class="SRPage"></div>'),
            "html/index.html": html('<div class="SRPage"></div>'),
        },
    )
    assert kinds(tmp_path) == {"html/search/all_0.html": SEARCH, "html/search/nomatches.html": SEARCH}


def test_a_print_copy(tmp_path: Path) -> None:
    """As mkdocs-print-site-plugin writes it."""
    body = '<div id="print-site-page" class="print-site-enumerate-headings">'
    write(tmp_path, {"print_page/index.html": html(body), "print.html": html("How to print.")})
    assert kinds(tmp_path) == {"print_page/index.html": PRINT}


def test_nothing_is_read_through_a_link(tmp_path: Path) -> None:
    write(tmp_path, {"out/search.html": html(FIELD), "site/index.html": html("")})
    (tmp_path / "site/search.html").symlink_to(tmp_path / "out/search.html")
    assert kinds(tmp_path / "site") == {}
