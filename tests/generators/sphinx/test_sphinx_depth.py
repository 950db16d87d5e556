"""Real builds of the Sphinx sites that exist: every builder, and pages that no document makes."""

from __future__ import annotations

from datetime import date
from pathlib import Path
from urllib.parse import quote

import pytest

pytest.importorskip("sphinx")


from tests.support.sitemaps import canonical
from tests.support.sphinxsite import BASE, OWN_BUILDER, PNG, Built, Docs

PAGES = {"index.html", "one.html", "sub/two.html"}


def listed(docs: Docs, builder: str = "html") -> set[str]:
    """The addresses of a build that must pass without a warning."""
    built = docs.build(builder, strict=True).passed()
    return set(built.sitemap)


@pytest.mark.versions
def test_html_files_that_are_copied_are_listed_where_a_rule_asks(docs: Docs) -> None:
    """From a folder, a folder in it, or by their own name; whatever characters they have."""
    for name in ("a b.html", "100%.html", "c#.HTM", "sub/deep.html", "sub/data.txt"):
        docs.repo.save(f"docs/extra/{name}", "<title>Copied</title>\n")
    docs.repo.save("docs/single.html", "<title>Copied</title>\n")
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


@pytest.mark.versions
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


def test_redirect_stubs_of_reredirects_are_left_out(docs: Docs) -> None:
    """One in the place of a document, and one for a name that no document has any more."""
    pytest.importorskip("sphinx_reredirects")
    redirects = {"one": "sub/two.html", "old": "sub/two.html"}
    docs.conf(extensions=["docs_sitemap", "sphinx_reredirects"], redirects=redirects)
    for _ in range(2):
        built = docs.build(strict=True).passed()
        assert built.has("old.html")
        assert set(built.sitemap) == {"index.html", "sub/two.html"}
        assert built.notices("1 redirect")


def test_redirect_stubs_of_rediraffe_are_left_out(docs: Docs) -> None:
    """Also where a rule asks for everything, and where the page came back as a file that is copied."""
    pytest.importorskip("sphinxext.rediraffe")
    docs.conf(
        extensions=["docs_sitemap", "sphinxext.rediraffe"], rediraffe_redirects={"old.rst": "sub/two.rst"}
    )
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


@pytest.mark.versions
def test_pages_that_extensions_make_are_always_listed(docs: Docs, monkeypatch: pytest.MonkeyPatch) -> None:
    """In a full build, where nothing changed, where one page did, and until the extension is gone.

    No document makes them, so they have no date.
    """
    made = {"made/a%20b/", "made/c/"}
    docs.repo.write("docs/maker.py", MAKER.replace("NAMES", "('made/a b', 'made/c')"))
    monkeypatch.syspath_prepend(docs.srcdir)
    docs.conf(extensions=["docs_sitemap", "maker"])
    found = docs.build("dirhtml", strict=True).sitemap
    assert set(found) == {"", "one/", "sub/two/"} | made
    assert {found[url] for url in made} == {None}
    assert docs.build("dirhtml").sitemap == found
    docs.page("one.rst", "Edited.")
    assert docs.build("dirhtml").sitemap == found
    docs.conf()
    gone = docs.build("dirhtml")
    assert gone.has("made/c/index.html")
    assert set(gone.sitemap) == {"", "one/", "sub/two/"}


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
    pages = [path for path in before if path.stem in ("index", "one")]
    assert len(pages) == 2
    assert [path.stat().st_mtime_ns for path in pages] == [before[path] for path in pages]


@pytest.mark.versions
def test_source_code_is_listed_where_a_rule_asks_also_when_it_is_not_written_anew(
    docs: Docs, monkeypatch: pytest.MonkeyPatch
) -> None:
    """viewcode skips pages that are newer than their module: that makes them no less published."""
    docs.repo.write("docs/shelf_code.py", '"""Shelve."""\n\ndef put():\n    """Put."""\n')
    docs.page("api.rst", ".. automodule:: shelf_code\n   :members:\n")
    monkeypatch.syspath_prepend(docs.srcdir)
    extensions = ["docs_sitemap", "sphinx.ext.autodoc", "sphinx.ext.viewcode"]
    docs.conf(extensions=extensions)
    assert listed(docs) == PAGES | {"api.html"}
    docs.conf(extensions=extensions, docs_sitemap_rules=[{"match": "_modules/", "exclude": False}])
    code = {"_modules/index.html", "_modules/shelf_code.html"}
    for _ in range(2):
        assert listed(docs) == PAGES | {"api.html"} | code
    docs.page("one.rst", "Edited.")
    assert listed(docs) == PAGES | {"api.html"} | code
    docs.page("api.rst", "No longer about the module.")
    assert listed(docs) == PAGES | {"api.html"}


def test_documents_in_a_folder_named_as_viewcode_s_are_pages(docs: Docs) -> None:
    docs.page("_modules/shelf.rst")
    assert listed(docs) == PAGES | {"_modules/shelf.html"}


@pytest.mark.versions
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
    has_noindex = b'content="noindex"' in built.read("search.html")  # from Sphinx 7.3 on
    assert ("search.html" in built.sitemap) != has_noindex


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
        built = docs.run().passed()
        assert built.has("news/drafts.html")
        assert built.has("posts/later.html")
        assert set(built.sitemap) == PAGES | BLOG | {
            "posts/out.html",
            "posts/today.html",
            f"news/{date.today().year}.html",
        }
        assert built.notices("3 draft")


def test_the_404_page_of_an_extension_is_left_out(docs: Docs) -> None:
    """Under its own name, too; a page that happens to have the usual one is then a page like others."""
    pytest.importorskip("notfound")
    extensions = ["docs_sitemap", "notfound.extension"]
    for name in ("404", "errors/lost"):
        docs.conf(extensions=extensions, notfound_pagename=name)
        built = docs.run("-W").passed()
        assert set(built.sitemap) == PAGES
        assert built.has(f"{name}.html")
        assert built.notices("1 404")


def _one_page(docs: Docs, root: str = "index") -> None:
    """Documents in two levels below the root, and one that no toctree leads to."""
    docs.page(f"{root}.rst", ".. toctree::\n\n   guide/index\n")
    docs.save_page("guide/index.rst", ".. toctree::\n   :hidden:\n\n   deep\n")
    for name in ("guide/deep.rst", "guide/part.txt", "orphan.rst"):
        docs.save_page(name, fields=":orphan:" if name == "orphan.rst" else "")


@pytest.mark.parametrize(
    ("kind", "root", "suffix"), [("singlehtml", "index", None), ("ours", "read me", ".htm")]
)
@pytest.mark.versions
def test_singlehtml_is_one_page(tmp_path: Path, kind: str, root: str, suffix: str | None) -> None:
    """At the address of the file, and as new as the newest document in it; also by a subclass."""
    docs = Docs(tmp_path)
    values = {"root_doc": root, "html_file_suffix": suffix}
    docs.conf(code=OWN_BUILDER.replace("BASE", "SingleFileHTMLBuilder"), **values)
    _one_page(docs, root)
    url, file = quote(root) + (suffix or ".html"), root + (suffix or ".html")
    newest = docs.date("guide/deep.rst")
    built = docs.build(kind, strict=True).passed()
    assert built.sitemap == {url: newest}
    assert docs.date("orphan.rst") > newest > docs.date(f"{root}.rst")
    assert [path.name for path in built.outdir.rglob("*.htm*")] == [file]
    told = canonical(built.outdir / file)
    assert told
    assert told.partition("#")[0] in (BASE, BASE + file)  # Sphinx knows no address of its own for it
    before = built.read("sitemap.xml")
    assert docs.build(kind).read("sitemap.xml") == before
    docs.page("guide/deep.rst", "Not committed.")
    assert docs.build(kind).read("sitemap.xml") == before
    docs.repo.commit()
    assert docs.build(kind).sitemap == {url: docs.date("guide/deep.rst")}
    docs.page("guide/index.rst", "No longer with the deep one.")
    docs.repo.commit("docs/guide/deep.rst")
    assert docs.date("guide/deep.rst") == docs.date("guide/index.rst")
    docs.repo.commit("docs/guide/deep.rst")
    assert docs.build(kind).sitemap == {url: docs.date("guide/index.rst")}


def test_singlehtml_has_the_included_files_of_all_its_documents(tmp_path: Path) -> None:
    docs = Docs(tmp_path)
    docs.conf()
    _one_page(docs)
    docs.save_page("guide/deep.rst", ".. literalinclude:: part.txt")
    docs.repo.commit("docs/guide/part.txt")
    assert docs.build("singlehtml").sitemap == {"index.html": docs.date("guide/part.txt")}
    docs.conf(docs_sitemap_dependencies=False)
    assert docs.build("singlehtml").sitemap == {"index.html": docs.date("guide/deep.rst")}


def test_the_root_document_speaks_for_the_one_page(tmp_path: Path) -> None:
    docs = Docs(tmp_path)
    docs.conf()
    _one_page(docs)
    docs.page("guide/deep.rst", fields=":robots: noindex")
    assert set(docs.build("singlehtml").sitemap) == {"index.html"}
    docs.page("index.rst", ".. toctree::\n\n   guide/index\n", fields=":robots: noindex")
    assert not docs.build("singlehtml").has("sitemap.xml")


def test_singlehtml_beside_templates_made_into_pages(tmp_path: Path) -> None:
    """They are pages there as well; one in the place of the one page takes it."""
    docs = Docs(tmp_path)
    _one_page(docs)
    for template in ("more", "home"):
        docs.repo.save(f"docs/_templates/{template}.html", '{% extends "layout.html" %}')
    docs.conf(templates_path=["_templates"], html_additional_pages={"more": "more.html"})
    more = docs.date("_templates/more.html")
    assert docs.build("singlehtml", strict=True).sitemap == {
        "index.html": docs.date("guide/deep.rst"),
        "more.html": more,
    }
    docs.conf(
        templates_path=["_templates"], html_additional_pages={"more": "more.html", "index": "home.html"}
    )
    built = docs.build("singlehtml", strict=True).passed()
    assert built.sitemap == {"index.html": docs.date("_templates/home.html"), "more.html": more}


def _everything(docs: Docs, **values: object) -> None:
    """A configuration that uses all that the sitemap can have."""
    docs.conf(
        templates_path=["_templates"],
        html_additional_pages={"more": "more.html"},
        html_extra_path=["extra"],
        docs_sitemap_images=True,
        docs_sitemap_page_dates=True,
        docs_sitemap_formats=["xml", "gz", "txt", "atom", "rss"],
        docs_sitemap_rules=[{"match": ["copied.html", "genindex*"], "exclude": False}],
        html_last_updated_fmt="%Y",
        code=MAKER.replace("NAMES", "('made',)"),
        **values,
    )


@pytest.fixture
def rich(docs: Docs) -> Docs:
    docs.repo.write("docs/_templates/more.html", '{% extends "layout.html" %}')
    docs.repo.write("docs/extra/copied.html", "<title>Copied</title>\n")
    docs.repo.write("shared/part.txt", "A part.\n")
    (docs.srcdir / "x.png").write_bytes(PNG)
    docs.save_page("sub/index.rst", ".. include:: ../../shared/part.txt\n\n.. image:: ../x.png\n")
    docs.save_page("sub/other.rst", ".. include:: ../../shared/part.txt\n")
    _everything(docs)
    return docs


def _edit(docs: Docs) -> None:
    docs.save_page("one.rst", f"Edited after {docs.date('one.rst')}.")


def _delete(docs: Docs) -> None:
    (docs.srcdir / "sub/two.rst").unlink()


def _rename(docs: Docs) -> None:
    (docs.srcdir / "sub/other.rst").rename(docs.srcdir / "sub/renamed.rst")
    docs.repo.commit()


def _change_include(docs: Docs) -> None:
    docs.repo.save("shared/part.txt", "Another part.\n")


def _change_option(docs: Docs) -> None:
    _everything(docs, docs_sitemap_exclude=["sub/index.*"], docs_sitemap_priority=0.4)


def _change_nothing(docs: Docs) -> None:
    """The sources are as they were."""


CHANGES = {
    "unchanged": (_change_nothing, ()),
    "edited": (_edit, ()),
    "deleted": (_delete, ()),
    "renamed": (_rename, ()),
    "include": (_change_include, ()),
    "option": (_change_option, ()),
    "-E": (_edit, ("-E",)),
    "-a": (_edit, ("-a",)),
    "-j auto": (_edit, ("-j", "auto")),
}


def _files(built: Built) -> dict[str, bytes]:
    """All that is ours of what a build left."""
    names = ("sitemap.", "robots.", "atom.", "rss.")
    return {path.name: path.read_bytes() for path in built.outdir.iterdir() if path.name.startswith(names)}


@pytest.mark.versions
def test_any_rebuild_is_the_same_as_a_clean_build(rich: Docs) -> None:
    """Whatever changed since the build before, and however Sphinx is called."""
    builder = "dirhtml"
    before = _files(rich.build(builder, strict=True))
    assert len(before) == 8
    for name, (change, args) in CHANGES.items():
        change(rich)
        again = rich.run(*args, builder=builder, out=f"out-{builder}") if args else rich.build(builder)
        assert not again.failed, again.warnings
        clean = rich.build(builder, out=f"clean {name}")
        assert _files(again) == _files(clean), name
        assert (_files(again) == before) == (name == "unchanged"), name
        before = _files(again)


def test_nothing_deprecated_is_used(rich: Docs) -> None:
    """With every feature in use: Python's -W error stops at any warning, Sphinx's -W at any of its own."""
    flags = "error::DeprecationWarning,error::PendingDeprecationWarning,error::FutureWarning"
    built = rich.run("-W", env={"PYTHONWARNINGS": flags}).passed()
    assert built.has("sitemap.xml")
    assert built.warnings == ""
