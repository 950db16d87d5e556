"""Real builds: which pages are listed, and under which address."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import quote

import pytest

pytest.importorskip("sphinx")

import sphinx

from tests.support.sitemaps import canonical
from tests.support.sphinxsite import BASE, OWN_BUILDER, Docs

pytestmark = pytest.mark.versions

SPECIAL = (
    "a b.rst",
    "ü/ñ.rst",
    "q&a.rst",
    "it's.rst",
    "100%/20%25.rst",
    "100%/index.rst",
    "a+b,c;d=e@f~g.rst",
)


@pytest.fixture
def docs(tmp_path: Path) -> Docs:
    site = Docs(tmp_path)
    site.conf()
    site.page("index.rst", ".. toctree::\n   :glob:\n\n   **\n")
    site.page("plain.rst")
    return site


def locs(docs: Docs, builder: str = "html") -> list[str]:
    built = docs.build(builder)
    assert built.warnings == ""
    return sorted(built.sitemap)


def test_loc_is_the_page_s_canonical(docs: Docs) -> None:
    """html: byte for byte what the page itself says, whatever characters its name has."""
    for name in SPECIAL:
        docs.page(name)
    built = docs.build(strict=True).passed()
    assert set(built.sitemap) == {"index.html", "plain.html", *(quote(n[:-4]) + ".html" for n in SPECIAL)}
    if sphinx.version_info >= (8, 1):  # before, Sphinx does not encode its canonical links
        pages = {path for path in built.outdir.rglob("*.html") if path.stem not in ("search", "genindex")}
        assert {canonical(path) for path in pages} == {BASE + url for url in built.sitemap}


def test_loc_under_dirhtml_is_the_canonical_encoded_once(docs: Docs) -> None:
    """dirhtml leaves its own links raw: there a ``%`` is a character of the name."""
    for name in SPECIAL:
        docs.page(name)
    built = docs.build("dirhtml", strict=True).passed()
    raw = ["", "plain/", "a b/", "ü/ñ/", "q&a/", "it's/", "100%/20%25/", "100%/", "a+b,c;d=e@f~g/"]
    assert set(built.sitemap) == {quote(url, safe="/&'+,;=@~") for url in raw}
    if sphinx.version_info >= (8, 1):
        found = {canonical(built.outdir / url / "index.html") for url in raw}
        assert found == {BASE + url for url in raw}


def test_a_subclass_of_dirhtml_has_its_own_addresses(docs: Docs) -> None:
    docs.conf(code=OWN_BUILDER.replace("BASE", "DirectoryHTMLBuilder"))
    assert locs(docs, "ours") == ["", "plain/"]


@pytest.mark.parametrize(
    ("values", "end"),
    [
        ({"html_link_suffix": ""}, ""),
        ({"html_link_suffix": "/"}, "/"),
        ({"html_file_suffix": ".htm"}, ".htm"),
        ({"html_baseurl": BASE.rstrip("/"), "language": "de", "version": "1.0", "release": "1.0.1"}, ".html"),
    ],
)
def test_the_suffixes_of_files_and_links_are_obeyed_and_nothing_is_added(
    docs: Docs, values: dict[str, object], end: str
) -> None:
    """A base URL is a folder; language and version are in it, or nowhere."""
    docs.conf(**values)
    docs.page("hidden.rst", ".. meta::\n   :robots: noindex")
    assert locs(docs) == [f"index{end}", f"plain{end}"]


OUT = {
    "meta": ("", ".. meta::\n   :robots: noindex"),
    "none": ("", ".. meta::\n   :robots: NOFOLLOW, None"),
    "googlebot": ("", ".. meta::\n   :googlebot: noindex"),
    "named": ("", ".. meta::\n   :name=Robots: NOINDEX"),
    "field": (":robots: noindex, follow", ""),
    "field-none": (":robots: none", ""),
    "false": (":sitemap: false", ""),
    "no": (":sitemap: No", ""),
    "exclude": (":sitemap-exclude: true", ""),
    "refresh": ("", ".. meta::\n   :http-equiv=refresh: 0; url=plain.html"),
}
"""By page: the fields and the text by which it takes itself out."""

IN = {"follow": ":robots: index, follow", "true": ":sitemap: true", "orphan": ":orphan:"}


def test_a_page_can_take_itself_out_and_other_metadata_takes_no_page_out(docs: Docs) -> None:
    for name, (fields, body) in OUT.items():
        docs.page(f"{name}.rst", body, fields)
    for name, fields in IN.items():
        docs.page(f"{name}.rst", fields=fields)
    for _ in range(2):  # the second time nothing is read again
        built = docs.build(strict=True).passed()
        assert built.sitemap.keys() == {f"{name}.html" for name in ("index", "plain", *IN)}


def test_settings_of_single_pages(docs: Docs) -> None:
    docs.conf(docs_sitemap_formats=["xml"])
    fields = ":sitemap-priority: 0.8\n:sitemap-changefreq: weekly\n:sitemap-lastmod: 2020-02-03"
    docs.page("one.rst", fields=fields)
    docs.page("two.rst", fields=":sitemap: true\n:sitemap-priority: 0.3")
    built = docs.build(strict=True).passed()
    text = built.read("sitemap.xml").decode()
    assert "<lastmod>2020-02-03</lastmod>\n    <changefreq>weekly</changefreq>\n    <priority>0.8<" in text
    assert "<priority>0.3<" in text
    assert text.count("<priority>") == 2


def test_a_mistake_on_a_page_costs_that_setting_and_one_warning(docs: Docs) -> None:
    docs.page("one.rst", fields=":sitemap-priority: 8\n:sitemap-changefreq: weekly")
    built = docs.build()
    assert built.warnings.count("WARNING") == 1
    assert "one.rst: sitemap-priority: expected a number from 0.0 to 1.0, got '8'" in built.warnings
    assert b"<changefreq>weekly" in built.read("sitemap.xml")
    docs.conf(suppress_warnings=["docs_sitemap.page"])
    assert docs.build().warnings == ""


def test_myst_front_matter(docs: Docs) -> None:
    """Front matter arrives as text: ``'False'``, and a mapping as JSON."""
    pytest.importorskip("myst_parser")
    docs.conf(extensions=["docs_sitemap", "myst_parser"], docs_sitemap_formats=["xml"])
    for name, front in {
        "out1": "sitemap: false",
        "out2": "sitemap:\n  exclude: true",
        "out3": "robots: noindex",
        "out4": "myst:\n  html_meta:\n    robots: noindex",
        "out5": 'myst:\n  html_meta:\n    "name=robots": noindex',
        "shown": "myst:\n  html_meta:\n    robots: all\n    description: noindex",
        "in": "sitemap:\n  priority: 0.7\n  lastmod: '2020-02-03'\n  sources: [data.csv]",
        "flat": "sitemap-priority: 0.6",
    }.items():
        docs.repo.write(f"docs/{name}.md", f"---\n{front}\n---\n\n# Title\n")
    docs.repo.write("docs/data.csv")
    built = docs.build(strict=True).passed()
    assert sorted(built.sitemap) == ["flat.html", "in.html", "index.html", "plain.html", "shown.html"]
    assert built.sitemap["in.html"] == "2020-02-03"
    assert b"<priority>0.7<" in built.read("sitemap.xml")
    assert b"<priority>0.6<" in built.read("sitemap.xml")


DOMAIN = """
from sphinx.domains import Domain, Index, IndexEntry

class Options(Index):
    name, localname, shortname = "options", "Options", "options"

    def generate(self, docnames=None):
        return [("a", [IndexEntry("alpha", 0, "index", "", "", "", "An option")])], False

class Conf(Domain):
    name, label, indices = "conf", "Conf", [Options]

def setup(app):
    app.add_domain(Conf)
"""
"""A domain whose index has the name of a document that is in the table of contents, as in LXD's."""


def test_machine_pages_are_left_out(docs: Docs) -> None:
    """Search, indices, source listings, 404; even if documents have the names, but for domains."""
    docs.repo.write("docs/shelf.py", '"""Shelve."""\n\ndef put():\n    """Put."""\n')
    docs.conf(
        extensions=["docs_sitemap", "sphinx.ext.viewcode", "sphinx.ext.autodoc"],
        code="import sys, pathlib\nsys.path.insert(0, str(pathlib.Path(__file__).parent))" + DOMAIN,
    )
    docs.page("api.rst", ".. automodule:: shelf\n   :members:\n")
    docs.page("404.rst", fields=":orphan:")
    for placeholder in ("search", "genindex", "conf-options"):
        docs.page(f"{placeholder}.rst", fields=":orphan:")
    docs.page("status/404.rst")
    built = docs.run("-W").passed()
    made = {path.relative_to(built.outdir).as_posix() for path in built.outdir.rglob("*.html")}
    for name in ("search", "genindex", "py-modindex", "404", "_modules/shelf"):
        assert f"{name}.html" in made
    listed = {"index.html", "plain.html", "api.html", "status/404.html", "conf-options.html"}
    assert built.sitemap.keys() == listed


def test_documents_named_like_machine_pages_that_are_switched_off_are_pages(docs: Docs) -> None:
    docs.conf(html_use_index=False, html_domain_indices=False)
    docs.page("genindex.rst", fields=":orphan:")  # no toctree takes it for a document
    docs.page("py-modindex.rst")
    assert locs(docs) == ["genindex.html", "index.html", "plain.html", "py-modindex.html"]


def test_excluded_pages(docs: Docs) -> None:
    """Patterns match the source path and the address; what Sphinx excludes is no page at all."""
    docs.conf(docs_sitemap_exclude=["drafts/", "old-*.html"], exclude_patterns=["unbuilt.rst"])
    for name in ("drafts/a.rst", "old-1.rst", "older.rst", "unbuilt.rst"):
        docs.page(name)
    docs.repo.commit()
    built = docs.build(strict=True).passed()
    assert sorted(built.sitemap) == ["index.html", "older.html", "plain.html"]


def test_the_published_page_decides(docs: Docs) -> None:
    """What a template or another extension writes into the head counts: noindex, a canonical elsewhere."""
    docs.repo.write(
        "docs/_templates/layout.html",
        '{% extends "!layout.html" %}{% block extrahead %}'
        '{% if pagename == "hidden" %}<meta name="robots" content="noindex">{% endif %}{% endblock %}',
    )
    docs.conf(
        templates_path=["_templates"],
        exclude_patterns=["_templates"],
        code="""
def page_context(app, pagename, templatename, context, doctree):
    if pagename == "copy":
        context["pageurl"] = "https://example.org/docs/plain.html"

def setup(app):
    app.connect("html-page-context", page_context)
""",
    )
    docs.page("hidden.rst")
    docs.page("copy.rst")
    assert locs(docs) == ["index.html", "plain.html"]
    assert locs(docs) == ["index.html", "plain.html"]


def test_what_other_extensions_do_at_the_end_of_a_build_counts(docs: Docs) -> None:
    docs.conf(
        code="""
def at_the_end(app, exception):
    (app.outdir / "plain.html").write_text('<head><meta name="robots" content="noindex"></head>')
    (app.outdir / "robots.txt").write_text("User-agent: *\\nDisallow: /x/\\n")

def setup(app):
    app.connect("build-finished", at_the_end)
"""
    )
    built = docs.build(strict=True)
    assert sorted(built.sitemap) == ["index.html"]
    assert built.read("robots.txt").startswith(b"User-agent: *\nDisallow: /x/\n")
    assert built.read("robots.txt").endswith(f"Sitemap: {BASE}sitemap.xml\n".encode())


def test_templates_made_into_pages(docs: Docs) -> None:
    """They are pages, dated by their template; one in the place of a document is listed once."""
    docs.conf(
        templates_path=["_templates"],
        html_additional_pages={
            "index": "home.html",
            "sub/extra": "extra.html",
            "404": "home.html",
            "own": "page.html",
        },
    )
    for template in ("home", "extra"):
        docs.repo.save(f"docs/_templates/{template}.html", '{% extends "layout.html" %}')
    docs.save_page("index.rst", "Newer than the template that is published in its place.")
    built = docs.build()
    assert built.sitemap == {
        "index.html": docs.date("_templates/home.html"),
        "plain.html": docs.date("plain.rst"),
        "own.html": None,
        "sub/extra.html": docs.date("_templates/extra.html"),
    }
    assert docs.date("_templates/home.html") != docs.date("_templates/extra.html")
    docs.conf(docs_sitemap_exclude=["/_templates/extra.html"], **_templates(docs))
    assert "sub/extra.html" not in docs.build().sitemap


def _templates(docs: Docs) -> dict[str, object]:
    return {"templates_path": ["_templates"], "html_additional_pages": {"sub/extra": "extra.html"}}
