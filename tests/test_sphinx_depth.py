"""Real builds of the Sphinx sites that exist: every builder, and pages that no document makes."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

pytest.importorskip("sphinx")


from tests.sphinxsite import Docs


@pytest.fixture
def docs(tmp_path: Path) -> Docs:
    site = Docs(tmp_path)
    site.conf()
    site.pages("one.rst", "two.rst")
    return site


PAGES = {"index.html", "one.html", "two.html"}


def listed(docs: Docs, builder: str = "html") -> set[str]:
    """The addresses of a build that must pass without a warning."""
    built = docs.build(builder, strict=True)
    assert not built.failed, built.warnings
    return set(built.sitemap)


def test_html_files_that_are_copied_are_listed_where_a_rule_asks(docs: Docs) -> None:
    """From a folder, a folder in it, or by their own name; whatever characters they have."""
    for name in ("a b.html", "100%.html", "c#.HTM", "sub/deep.html", "sub/data.txt"):
        docs.repo.write(f"docs/extra/{name}", "<title>Copied</title>\n")
        docs.repo.commit()
    docs.repo.write("docs/single.html", "<title>Copied</title>\n")
    docs.repo.commit()
    paths = ["extra", "single.html"]
    docs.conf(html_extra_path=paths)
    built = docs.build(strict=True)
    assert set(built.sitemap) == PAGES
    assert built.notices("5 html_extra_path")
    rule = {"match": ["*.html", "*.HTM", "!search.html", "!genindex.html"], "exclude": False}
    docs.conf(html_extra_path=paths, docs_sitemap_rules=[rule])
    found = docs.build(strict=True).sitemap
    copied = {
        "a%20b.html": "extra/a b.html",
        "100%25.html": "extra/100%.html",
        "c%23.HTM": "extra/c#.HTM",
        "sub/deep.html": "extra/sub/deep.html",
        "single.html": "single.html",
    }
    assert found.keys() == PAGES | copied.keys()
    assert {url: found[url] for url in copied} == {url: docs.date(name) for url, name in copied.items()}
    docs.conf(html_extra_path=paths, docs_sitemap_rules=[{"match": "sub/", "exclude": False}])
    assert listed(docs) == PAGES | {"sub/deep.html"}


def test_copied_files_are_those_that_sphinx_copies(docs: Docs) -> None:
    """Whatever a version of Sphinx takes ``exclude_patterns`` for, and behind links to folders."""
    for name in ("top.html", "no/a.html", "sub/no/b.html", "sub/out.html", "sub/in.html"):
        docs.repo.write(f"docs/extra/{name}", "<title>Copied</title>\n")
    docs.repo.write("elsewhere/far.html", "<title>Copied</title>\n")
    (docs.srcdir / "extra/link").symlink_to(docs.repo.root / "elsewhere")
    docs.conf(
        html_extra_path=["extra", "extra/top.html"],
        exclude_patterns=["top.html", "no", "sub/no", "sub/out.html"],
        docs_sitemap_rules=[{"match": ["*", "!search.html"], "exclude": False}],
    )
    built = docs.build(strict=True)
    files = {path.relative_to(built.outdir).as_posix() for path in built.outdir.rglob("*.html")}
    linked = {f"link/{path.name}" for path in (built.outdir / "link").iterdir()}
    assert set(built.sitemap) == (files | linked) - {"search.html"}
    assert files >= {"top.html", "sub/in.html"}
    assert not files & {"sub/out.html", "sub/no/b.html"}


@pytest.mark.parametrize(("builder", "end"), [("html", ".html"), ("dirhtml", "/")])
def test_redirect_stubs_of_reredirects_are_left_out(docs: Docs, builder: str, end: str) -> None:
    """One in the place of a document, and one for a name that no document has any more."""
    pytest.importorskip("sphinx_reredirects")
    docs.conf(
        extensions=["docs_sitemap", "sphinx_reredirects"], redirects={"one": "two.html", "old": "two.html"}
    )
    for _ in range(2):
        built = docs.build(builder, strict=True)
        assert not built.failed, built.warnings
        assert built.has("old.html" if builder == "html" else "old/index.html")
        assert set(built.sitemap) == {"index.html" if builder == "html" else "", f"two{end}"}
        assert built.notices("1 redirect")


def test_redirect_stubs_of_rediraffe_are_left_out(docs: Docs) -> None:
    """Also where a rule asks for everything, and where the page came back as a file that is copied."""
    pytest.importorskip("sphinxext.rediraffe")
    docs.conf(extensions=["docs_sitemap", "sphinxext.rediraffe"], rediraffe_redirects={"old.rst": "two.rst"})
    stub = docs.build(strict=True)
    assert set(stub.sitemap) == PAGES
    docs.repo.write("docs/extra/old.html", stub.read("old.html").decode())
    docs.conf(html_extra_path=["extra"], docs_sitemap_rules=[{"match": "old.html", "exclude": False}])
    built = docs.build(strict=True)
    assert set(built.sitemap) == PAGES
    assert built.notices("1 redirect")


MAKER = """
def make_pages(app):
    for name in NAMES:
        yield name, {"title": name, "body": "Made."}, "page.html"

def setup(app):
    app.connect("html-collect-pages", make_pages)
"""
"""Code for conf.py, or for an extension, that makes the pages that stand for NAMES."""


@pytest.mark.parametrize(("builder", "end"), [("html", ".html"), ("dirhtml", "/")])
def test_pages_that_extensions_make_are_always_listed(
    docs: Docs, monkeypatch: pytest.MonkeyPatch, builder: str, end: str
) -> None:
    """In a full build, where nothing changed, where one page did, and until the extension is gone.

    No document makes them, so they have no date.
    """
    documents = {"index.html" if builder == "html" else "", f"one{end}", f"two{end}"}
    made = {f"made/a%20b{end}", f"made/c{end}"}
    docs.repo.write(f"docs/maker_{builder}.py", MAKER.replace("NAMES", "('made/a b', 'made/c')"))
    monkeypatch.syspath_prepend(docs.srcdir)
    docs.conf(extensions=["docs_sitemap", f"maker_{builder}"])
    full = docs.build(builder, strict=True)
    assert set(full.sitemap) == documents | made
    assert {full.sitemap[url] for url in made} == {None}
    assert docs.build(builder).sitemap == full.sitemap
    docs.page("one.rst", "Edited.")
    assert docs.build(builder).sitemap == full.sitemap
    docs.conf()
    gone = docs.build(builder)
    assert gone.has("made/c.html" if builder == "html" else "made/c/index.html")
    assert set(gone.sitemap) == documents


def test_pages_that_conf_py_makes_are_listed_and_go_with_it(docs: Docs) -> None:
    """No document is read or written anew for such a change; up to Sphinx 8.1 no page at all."""
    docs.build()
    docs.conf(code=MAKER.replace("NAMES", "('made',)"))
    assert set(docs.build().sitemap) == PAGES | {"made.html"}
    assert set(docs.build().sitemap) == PAGES | {"made.html"}
    docs.conf()
    assert set(docs.build().sitemap) == PAGES


def test_an_unchanged_build_writes_no_page(docs: Docs) -> None:
    docs.build()
    before = {path: path.stat().st_mtime_ns for path in docs.outdir.with_name("out-html").glob("*.html")}
    docs.build()
    assert {name: before[name] for name in before if name.stem in ("index", "one", "two")} == {
        path: path.stat().st_mtime_ns for path in before if path.stem in ("index", "one", "two")
    }


@pytest.mark.parametrize(("builder", "end"), [("html", ".html"), ("dirhtml", "/")])
def test_source_code_is_listed_where_a_rule_asks_also_when_it_is_not_written_anew(
    docs: Docs, monkeypatch: pytest.MonkeyPatch, builder: str, end: str
) -> None:
    """viewcode skips pages that are newer than their module: that makes them no less published."""
    docs.repo.write(f"docs/shelf_{builder}.py", '"""Shelve."""\n\ndef put():\n    """Put."""\n')
    docs.page("api.rst", f".. automodule:: shelf_{builder}\n   :members:\n")
    monkeypatch.syspath_prepend(docs.srcdir)
    extensions = ["docs_sitemap", "sphinx.ext.autodoc", "sphinx.ext.viewcode"]
    docs.conf(extensions=extensions)
    documents = {"index.html" if builder == "html" else ""} | {
        f"{name}{end}" for name in ("one", "two", "api")
    }
    assert listed(docs, builder) == documents
    docs.conf(extensions=extensions, docs_sitemap_rules=[{"match": "_modules/", "exclude": False}])
    code = {"_modules/index.html" if builder == "html" else "_modules/", f"_modules/shelf_{builder}{end}"}
    for _ in range(2):
        assert listed(docs, builder) == documents | code
    docs.page("one.rst", "Edited.")
    assert listed(docs, builder) == documents | code
    docs.page("api.rst", "No longer about the module.")
    assert listed(docs, builder) == documents


def test_documents_in_a_folder_named_as_viewcode_s_are_pages(docs: Docs) -> None:
    docs.page("_modules/shelf.rst")
    assert listed(docs) == PAGES | {"_modules/shelf.html"}


def test_indices_are_listed_where_a_rule_asks(docs: Docs) -> None:
    docs.page("api.rst", ".. py:module:: shelf")
    assert listed(docs) == PAGES | {"api.html"}
    indices = ["genindex*", "py-modindex*", "search*"]
    docs.conf(docs_sitemap_rules=[{"match": indices, "exclude": False}], html_split_index=True)
    docs.page("one.rst", ".. index:: word")
    built = docs.build(strict=True)
    found = {"genindex.html", "genindex-all.html", "py-modindex.html"}
    found |= {"genindex-M.html", "genindex-S.html", "genindex-W.html"}
    assert set(built.sitemap) - {"search.html"} == PAGES | {"api.html"} | found
    says_noindex = b'content="noindex"' in built.read("search.html")  # from Sphinx 7.3 on
    assert ("search.html" in built.sitemap) != says_noindex


def _blog(docs: Docs) -> None:
    pytest.importorskip("ablog")
    posts = {
        "out": "Jan 02, 2020",
        "later": "Jan 02, 2999",
        "never": "",
        "today": f"{date.today():%b %d, %Y} 23:59",
    }
    for name, day in posts.items():
        docs.page(f"posts/{name}.rst", f".. post:: {day}\n   :tags: kept, {name}\n")
    docs.repo.commit()
    settings = {"post_date_format": "%b %d, %Y", "html_theme": "alabaster", "blog_path": "news"}
    docs.conf(extensions=["docs_sitemap", "ablog"], **settings)


BLOG = {
    f"news{page}.html" for page in ("", "/2020", "/archive", "/tag", "/tag/kept", "/tag/out", "/tag/today")
}


def test_a_blog_s_posts_and_archives_are_listed_and_its_drafts_are_not(docs: Docs) -> None:
    """Drafts are posts without a date, or with one after today; ablog publishes a list of them as well."""
    _blog(docs)
    for _ in range(2):
        built = docs.run()
        assert not built.failed, built.warnings
        assert built.has("news/drafts.html")
        assert built.has("posts/later.html")
        assert set(built.sitemap) == PAGES | BLOG | {
            "posts/out.html",
            "posts/today.html",
            f"news/{date.today().year}.html",
        }
        assert built.notices("3 draft")
