"""Real builds with sphinx-sitemap's configuration: what its users wrote goes on to count."""

from __future__ import annotations

import fnmatch

import pytest
from lxml import etree

pytest.importorskip("sphinx")

from docs_sitemap.generators.sphinx.options import _patterns
from docs_sitemap.pages.selection import Patterns
from tests.support import sitemaps
from tests.support.sphinxsite import BASE, Built, Docs

XHTML = "{http://www.w3.org/1999/xhtml}"
SITE = "https://example.org/"
PAGES = {"index.html", "one.html", "sub/two.html"}


def infos(built: Built) -> list[str]:
    """The lines that name a value of sphinx-sitemap's; none of them may be a warning."""
    assert built.warnings == ""
    return built.notices("is an option of sphinx-sitemap")


REPLACED = {
    "site_url": (BASE.rstrip("/"), "html_baseurl"),
    "sitemap_filename": ("pages.xml", "docs_sitemap_filename"),
    "sitemap_excludes": (["one.html"], "docs_sitemap_exclude"),
    "sitemap_show_lastmod": (False, "docs_sitemap_lastmod"),
}
"""By name: a value, and the option that it is read as."""

NOTHING = {
    "site_url": BASE,
    "sitemap_url_scheme": "{link}",
    "sitemap_locales": [None],
    "sitemap_excludes": [],
    "sitemap_indent": 2,
}
"""Values that change nothing beside an ``html_baseurl``."""


def test_each_value_is_read_and_named_once(docs: Docs) -> None:
    """In a line that has its successor; nothing is a warning."""
    docs.conf(html_baseurl=..., **{name: value for name, (value, _) in REPLACED.items()})
    built = docs.build(strict=True).passed()
    for line, (name, (_, successor)) in zip(infos(built), REPLACED.items(), strict=True):
        assert line.startswith(f"{name} is an option of sphinx-sitemap, read as {successor} = ")
    found = sitemaps.read(built.outdir / "pages.xml")
    assert found == dict.fromkeys(BASE + page for page in PAGES - {"one.html"})


def test_a_value_that_changes_nothing_is_to_be_removed(docs: Docs) -> None:
    docs.conf(**NOTHING)
    built = docs.build(strict=True)
    assert built.sitemap.keys() == PAGES
    assert [line.partition(" ")[0] for line in infos(built)] == [*NOTHING]
    assert all(line.lower().endswith("remove it.") for line in infos(built))
    docs.conf(sitemap_locales=["de"], sitemap_show_lastmod=True)
    built = docs.build(strict=True)
    assert all(built.sitemap.values())
    assert len(infos(built)) == 2


LEFT_OUT = ["/404/", "search.html", "genindex.html", "genindex-*", "py-modindex/", "_modules/*"]


def test_patterns_for_pages_that_are_left_out_anyway_are_not_advised(docs: Docs) -> None:
    """Alone, the option is to be removed; the name of a document is no such page."""
    docs.conf(sitemap_excludes=LEFT_OUT)
    text = "is an option of sphinx-sitemap; remove sitemap_excludes: these pages are left out anyway."
    assert [line.endswith(f"sitemap_excludes {text}") for line in infos(docs.build(strict=True))] == [True]
    docs.conf(sitemap_excludes=[*LEFT_OUT, "search/*", "one.html"])
    (line,) = infos(docs.build(strict=True))
    assert "read as docs_sitemap_exclude = ['/search/*', " in line
    assert line.endswith("'/one.html']: set that instead.")
    assert "genindex" not in line
    for name in ("genindex.rst", "py-modindex.rst", "_modules/own.rst"):
        docs.page(name, fields=":orphan:")
    docs.conf(sitemap_excludes=LEFT_OUT, html_use_index=False)
    built = docs.build(strict=True)
    (line,) = infos(built)
    for kept in ("genindex.html", "py-modindex/", "_modules/*"):
        assert f"'/{kept}'" in line
    assert "search" not in line
    assert built.sitemap.keys() == {*PAGES, "py-modindex.html"}  # its pattern is that of another builder


def test_a_value_that_says_the_default_is_to_be_removed(docs: Docs) -> None:
    docs.conf(sitemap_filename="sitemap.xml", sitemap_show_lastmod=True)
    name, lastmod = infos(docs.build(strict=True))
    assert name.endswith("and only says the default of docs_sitemap_filename; remove it.")
    assert lastmod.endswith("and only says the default of docs_sitemap_lastmod; remove it.")


def test_without_its_values_and_with_an_empty_address_nothing_is_said(docs: Docs) -> None:
    """That comes from a variable that only the service sets: to remove it would be a mistake there."""
    assert infos(docs.build(strict=True)) == []
    docs.conf(site_url="", html_baseurl=...)
    assert infos(docs.build(strict=True)) == []


SCHEMES = [
    ("", "{lang}{version}{link}", "en/1.2/"),
    ("", "{version}{lang}{link}", "1.2/en/"),
    ("", "/stable/{link}", "stable/"),
    ("", "/{lang}/{version}/{link}", "en/1.2/"),
    ("", "{lang}latest{link}", "en/latest/"),
    ("docs", "//{link}", ""),
    ("stable/", "/stable/{link}", ""),
    ("en/1.2", "{lang}{version}{link}", ""),
]
"""The address below the host, the scheme, and the address that the pages have; empty if it is the same."""


@pytest.mark.parametrize(("below", "scheme", "expected"), SCHEMES)
def test_a_scheme_puts_its_folders_once_into_every_address(
    docs: Docs, below: str, scheme: str, expected: str
) -> None:
    """Where it is set, not by default; a strict build passes, and is told what to write instead."""
    docs.conf(html_baseurl=SITE + below, sitemap_url_scheme=scheme, version="1.2")
    built = docs.build(strict=True).passed()
    address = SITE + (expected or f"{below.rstrip('/')}/")
    assert sitemaps.read(built.outdir / "sitemap.xml").keys() == {address + page for page in PAGES}
    advice = f"read as html_baseurl = '{address}': set that instead" if expected else "remove it."
    assert [advice in line for line in infos(built)] == [True]


def test_a_scheme_begins_at_the_old_address_and_has_the_language(docs: Docs) -> None:
    values = {"html_baseurl": f"{SITE}pt_BR/1.2/", "language": "pt_BR", "version": "1.2"}
    docs.conf(sitemap_url_scheme="{lang}{version}{link}", site_url=SITE, **values)
    told = docs.build(strict=True).passed()
    assert set(sitemaps.read(told.outdir / "sitemap.xml")) == {f"{SITE}pt_BR/1.2/{page}" for page in PAGES}


@pytest.mark.parametrize("moved", [{"site_url": SITE}, {}])
def test_locales_are_languages_where_the_scheme_has_them(docs: Docs, moved: dict[str, object]) -> None:
    """This site's own among them, as the protocol wants it."""
    values = {"sitemap_url_scheme": "{lang}{link}", "sitemap_locales": ["de", "pt_BR"], **moved}
    docs.conf(html_baseurl=f"{SITE}en/", **values)
    built = docs.build(strict=True).passed()
    root = etree.fromstring(built.read("sitemap.xml"))
    links = [(link.get("hreflang"), link.get("href")) for link in root[1].iter(f"{XHTML}link")]
    assert links == [
        ("de", f"{SITE}de/one.html"),
        ("en", f"{SITE}en/one.html"),
        ("pt-BR", f"{SITE}pt_BR/one.html"),
    ]
    assert len(infos(built)) == len(values)


@pytest.mark.parametrize(
    "values",
    [
        {name: value for name, (value, _) in REPLACED.items()} | {"sitemap_excludes": ["sub/*", "one.html"]},
        {"sitemap_excludes": ["/404/", "search.html", "one.html"], "sitemap_filename": "sitemap.xml"},
        {"html_baseurl": SITE, "sitemap_url_scheme": "{lang}{version}{link}", "version": "1.2"},
        {"sitemap_url_scheme": "{lang}{link}", "sitemap_locales": ["de", "pt_BR"], "site_url": SITE},
    ],
)
def test_who_follows_the_advice_has_the_same_sitemap(docs: Docs, values: dict[str, object]) -> None:
    """And hears no more of it."""
    docs.conf(**values)
    before = docs.build(strict=True, out="before").passed()
    advice = [line.partition(", read as ")[2] for line in infos(before)]
    lines = [line.rpartition(": set that instead")[0] for line in advice]
    kept = {name: value for name, value in values.items() if "site" not in name and name != "html_baseurl"}
    address = {} if any(line.startswith("html_baseurl") for line in lines) else {"html_baseurl": BASE}
    docs.conf(**{"html_baseurl": ..., **kept, **address, "code": "\n".join(lines)})
    after = docs.build(strict=True, out="after").passed()
    assert infos(after) == []
    name = str(values.get("sitemap_filename", "sitemap.xml"))
    assert after.read(name) == before.read(name)


def test_ours_win_where_both_are_set(docs: Docs) -> None:
    docs.conf(
        sitemap_filename="theirs.xml",
        docs_sitemap_filename="ours.xml",
        sitemap_excludes=["one.html"],
        docs_sitemap_exclude=["sub/"],
        sitemap_show_lastmod=False,
        docs_sitemap_lastmod="git",
        site_url="https://theirs.example/",
        docs_sitemap_base_url=BASE,
    )
    built = docs.build(strict=True).passed()
    assert sitemaps.read(built.outdir / "ours.xml") == {
        BASE + "index.html": docs.date("index.rst"),
        BASE + "one.html": docs.date("one.rst"),
    }
    assert not built.has("theirs.xml")
    assert len(infos(built)) == 4
    assert all("changes nothing" in line for line in infos(built))


def test_a_mistake_in_its_values_is_named_as_one_in_ours(docs: Docs) -> None:
    docs.conf(sitemap_filename=5, sitemap_excludes=7, sitemap_locales="de")
    built = docs.build()
    assert built.warnings.count("WARNING") == 1
    assert "docs_sitemap_filename: expected " in built.warnings


NAMES = [
    *("", "index.html", "search.html", "search/", "guide/", "guide/install/", "guide/index.html", "xguide/"),
    *("a/draft-x.html", "draft.html", "x/y/draft/z.html", "_modules/a/b.html", "_modules/index.html"),
    *("ab.html", "a/b.html", "guide.html", "a b.html", "!x.html", "#y.html", "[z].html"),
]


@pytest.mark.parametrize(
    "pattern",
    [
        *(
            "search.html",
            "search/",
            "guide/",
            "guide/*",
            "*draft*",
            "_modules/*",
            "*/draft*",
            "a*b.html",
            "a*",
        ),
        *("*.html", "guide*", "[a-g]*", "[!a-g]*", "!x.html", "#y.html", "a b.html", "**/x.html", "*guide/"),
        *("*/*.html", "a*b*h*"),
    ],
)
def test_patterns_mean_what_they_meant(pattern: str) -> None:
    """fnmatch's ``*`` goes over ``/`` and its ``guide/`` is one page; gitignore's are otherwise."""
    ours = Patterns(_patterns(pattern))
    assert [name for name in NAMES if ours.match([name])] == [
        name for name in NAMES if fnmatch.fnmatch(name, pattern)
    ]


def test_the_same_conf_py_gives_the_same_addresses(docs: Docs) -> None:
    """As sphinx-sitemap itself wrote them, but for the pages that no sitemap should have."""
    pytest.importorskip("sphinx_sitemap")
    values: dict[str, object] = {
        "html_baseurl": SITE,
        "sitemap_url_scheme": "{lang}stable/{version}{link}",
        "sitemap_excludes": ["sub/*", "search/"],
        "sitemap_filename": "map.xml",
        "version": "1.2",
    }
    docs.page("sub/deep/three.rst")
    docs.page("four.rst")
    docs.conf(extensions=["sphinx_sitemap"], **values)
    theirs = docs.run(builder="dirhtml", out="theirs").passed()
    docs.conf(**values)
    ours = docs.run(builder="dirhtml", out="ours")
    found = sitemaps.read(ours.outdir / "map.xml").keys()
    assert found == sitemaps.read(theirs.outdir / "map.xml").keys() - {f"{SITE}en/stable/1.2/genindex/"}
    assert len(found) == 3


def test_beside_each_other_ours_stands_with_one_warning(docs: Docs) -> None:
    """In a full and in an unchanged build, of which theirs would list next to nothing."""
    pytest.importorskip("sphinx_sitemap")
    extensions = ["docs_sitemap", "sphinx_sitemap"]
    docs.conf(extensions=extensions, sitemap_filename="sitemap.xml")
    for _ in range(2):
        built = docs.run().passed()
        assert built.sitemap.keys() == PAGES
        lines = [line for line in built.warnings.splitlines() if "docs_sitemap" in line]
        assert len(lines) == 1
        assert "sphinx_sitemap is also loaded" in lines[0]
        assert lines[0].endswith("[docs_sitemap.both]")
    docs.conf(extensions=extensions, suppress_warnings=["docs_sitemap.both"])
    assert "docs_sitemap" not in docs.run().warnings


@pytest.mark.parametrize("name", ["brand", ""])
def test_an_extension_that_loads_it_is_named_and_breaks_no_strict_build(docs: Docs, name: str) -> None:
    """Its user did not list sphinx_sitemap, and cannot remove it; conf.py can load it, too."""
    pytest.importorskip("sphinx_sitemap")
    loads = 'def setup(app):\n    app.setup_extension("sphinx_sitemap")\n    return {}\n'
    docs.repo.write("docs/brand.py", loads)
    docs.repo.write("docs/other.py", "def setup(app):\n    app.setup_extension('brand')\n    return {}\n")
    code = "import os, sys\nsys.path.insert(0, os.path.abspath('.'))\n" + (
        "" if name else loads.replace("    return {}\n", "")
    )
    docs.conf(extensions=["docs_sitemap", *(["other"] if name else [])], code=code)
    built = docs.run("-W").passed()
    assert built.sitemap.keys() == PAGES
    by = name or "another extension, or setup() in conf.py"
    assert built.notices("sphinx_sitemap is also loaded")[0].startswith(
        f"sphinx_sitemap is also loaded, by {by}, and its sitemap is replaced."
    )


def test_its_values_on_the_command_line_count_where_it_is_loaded(docs: Docs) -> None:
    pytest.importorskip("sphinx_sitemap")
    docs.conf(extensions=["docs_sitemap", "sphinx_sitemap"])
    options = ("-D", "sitemap_excludes=one.html,sub/*", "-D", "sitemap_show_lastmod=0")
    assert docs.run(*options).sitemap == {"index.html": None}
