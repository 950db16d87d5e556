"""Real builds: whatever makes a page dates it, and pages show the dates that the sitemap has."""

from __future__ import annotations

import json
import os
import re
from datetime import UTC, date, datetime
from pathlib import Path

import pytest

pytest.importorskip("sphinx")

from tests.support.gitrepo import Repo
from tests.support.sphinxsite import BASE, PNG, Built, Docs


@pytest.fixture
def docs(tmp_path: Path) -> Docs:
    site = Docs(tmp_path)
    site.conf()
    site.pages("one.rst", "two.rst")
    return site


TEXT = {
    "included": (".. include:: files/a.txt", "files/a.txt"),
    "literal": (".. literalinclude:: files/b.py", "files/b.py"),
    "table": (".. csv-table:: T\n   :file: files/c.csv", "files/c.csv"),
    "raw": (".. raw:: html\n   :file: files/d.html", "files/d.html"),
    "above": (".. include:: ../shared.txt", "../shared.txt"),
}
"""By page: what shows a file's text, and the file."""

MEDIA = {
    "downloaded": (":download:`this <files/e.zip>`", "files/e.zip"),
    "pictured": (".. image:: files/f.png", "files/f.png"),
    "figured": (".. figure:: files/g.png\n\n   Shown.", "files/g.png"),
}


@pytest.mark.parametrize("mode", [False, "text", "all", None])
def test_which_files_count(docs: Docs, mode: object) -> None:
    """``text``, the default: whose words a page shows; ``all``: images and downloads as well."""
    for page, (body, name) in (TEXT | MEDIA).items():
        docs.page(f"{page}.rst", body)
        docs.repo.write(f"docs/{name}")
    for number in (b"f", b"g"):
        (docs.srcdir / f"files/{number.decode()}.png").write_bytes(PNG + number)
    docs.repo.commit()
    for _, name in (TEXT | MEDIA).values():
        with (docs.srcdir / name).open("ab") as stream:
            stream.write(b" \n")
        docs.repo.commit()
    counted = {False: {}, "all": TEXT | MEDIA}.get(mode, TEXT)
    expected = {
        f"{page}.html": docs.date(name if page in counted else f"{page}.rst")
        for page, (_, name) in (TEXT | MEDIA).items()
    }
    docs.conf(docs_sitemap_dependencies=mode)
    for _ in range(2):  # the second time nothing is read again
        built = docs.build(strict=True).passed()
        assert {url: built.sitemap[url] for url in expected} == expected


def test_a_module_that_is_only_imported_from_does_not_count(
    docs: Docs, monkeypatch: pytest.MonkeyPatch
) -> None:
    """autodoc notes the module of each member that it looks at, also of those that it leaves out."""
    docs.repo.write("src/dated_pack/__init__.py", '"""Pack."""\n')
    docs.repo.write(
        "src/dated_pack/a.py",
        '"""A."""\nfrom dated_pack.b import Base, helper\nclass A(Base):\n    """An A."""\n',
    )
    docs.repo.write(
        "src/dated_pack/b.py",
        '"""B."""\ndef helper(): "Help."\nclass Base:\n    def inherited(self): "From B."\n',
    )
    docs.page("plain.rst", ".. automodule:: dated_pack.a\n   :members:\n")
    docs.save_page(
        "inherited.rst", ".. automodule:: dated_pack.a\n   :members:\n   :inherited-members:\n   :no-index:\n"
    )
    with (docs.repo.root / "src/dated_pack/b.py").open("a") as file:
        file.write("# More.\n")
    docs.repo.commit()
    monkeypatch.syspath_prepend(docs.repo.root / "src")
    docs.conf(extensions=["docs_sitemap", "sphinx.ext.autodoc"])
    built = docs.build()
    assert b"helper" not in built.read("plain.html")
    assert b"From B." in built.read("inherited.html")
    assert built.sitemap["plain.html"] == docs.date("plain.rst")
    assert built.sitemap["inherited.html"] == docs.date("../src/dated_pack/b.py")


def test_what_a_pattern_takes_for_a_picture_is_text_where_it_is_quoted(docs: Docs) -> None:
    """``image:: order.*`` takes order.py for a picture as well."""
    docs.page("shown.rst", ".. literalinclude:: order.py\n\n.. image:: order.*\n")
    docs.page("pictured.rst", ".. image:: order.*\n")
    docs.repo.save("docs/order.svg", '<svg xmlns="http://www.w3.org/2000/svg"/>')
    docs.repo.save("docs/order.py", "print()\n")
    docs.conf()
    found = docs.build().sitemap
    assert found["shown.html"] == docs.date("order.py")
    assert found["pictured.html"] == docs.date("pictured.rst")


def test_a_file_that_is_shown_and_offered_for_download_is_text(docs: Docs) -> None:
    for page, (body, _) in TEXT.items():
        shown = re.sub(r"\S+$", "../shared/x.txt", body)
        docs.page(f"{page}.rst", f"{shown}\n\n:download:`the file <../shared/x.txt>`\n")
    docs.page("offered.rst", ":download:`the file <../shared/x.txt>`\n")
    docs.repo.commit("shared/x.txt")
    docs.repo.commit("shared/x.txt")
    found = docs.build(strict=True).sitemap
    for page in TEXT:
        assert found[f"{page}.html"] == docs.date("../shared/x.txt")
    assert found["offered.html"] == docs.date("offered.rst")
    assert docs.build().sitemap == found


DATED = {
    "docs_sitemap_page_dates": True,
    "html_last_updated_fmt": "%Y-%m-%d %H:%M:%S %Z",
    "html_theme": "basic",
}


def shown(built: Built, name: str) -> tuple[str | None, str | None]:
    """What a page shows: in its footer, and as ``article:modified_time`` in its head."""
    html = built.read(name).decode()
    footer = re.search(r"Last updated on\s+(.+?)\.\s", html)
    head = re.findall(
        r'<meta property="article:modified_time" content="(.+?)"(?: /)?>', html.partition("</head>")[0]
    )
    assert len(head) < 2
    return footer[1] if footer else None, head[0] if head else None


def assert_shown(built: Built, *names: str) -> None:
    """The named pages show the dates that the sitemap has."""
    for name in names:
        date = built.sitemap[name]
        assert date
        assert shown(built, name) == (date[:19].replace("T", " ") + " UTC", date)


def test_pages_show_the_sitemap_s_dates_in_every_zone(docs: Docs) -> None:
    """The same bytes on every machine; -j writes most pages in other processes."""
    docs.conf(**DATED)
    for number in range(9):
        docs.save_page(f"page{number}.rst")
    built = docs.build(strict=True)
    assert_shown(built, "index.html", "one.html", "two.html", "page7.html")
    there = docs.run("-W", "-j", "2", env={"TZ": "Pacific/Apia", "LC_ALL": "C"}).passed()
    pages = [path.relative_to(built.outdir) for path in built.outdir.rglob("*.html")]
    assert len(pages) == 14
    assert [there.read(str(page)) for page in pages] == [built.read(str(page)) for page in pages]


def test_a_page_without_a_date_shows_no_build_day(docs: Docs) -> None:
    """Sphinx's own footer has the day of the build, which is true of no page."""
    docs.page("new.rst")
    docs.conf(html_last_updated_fmt="%Y", html_theme="basic")
    assert shown(docs.build(), "new.html")[0] == str(date.today().year)
    docs.conf(**DATED)
    built = docs.build()
    for name in ("new.html", "genindex.html", "search.html"):
        assert shown(built, name) == (None, None)


def test_without_a_format_the_date_is_in_sphinx_s_own(docs: Docs) -> None:
    docs.conf(docs_sitemap_page_dates=True, html_theme="basic")
    built = docs.build()
    assert shown(built, "one.html") == ("Nov 15, 2023", built.sitemap["one.html"])
    assert not built.notices("the theme shows no dates")
    docs.conf(docs_sitemap_page_dates=True)  # with alabaster
    [line] = docs.build().notices("the theme shows no dates")
    assert line.startswith("docs_sitemap_page_dates: ")
    docs.conf(docs_sitemap_page_dates=True, html_last_updated_fmt="", language="de", html_theme="basic")
    assert re.search(rb"Zuletzt aktualisiert am\s+\d\d?\. ?\w+ ?\.? ?\d{4}", docs.build().read("one.html"))


def test_a_commit_without_a_change_of_text_writes_that_page_alone(docs: Docs) -> None:
    docs.conf(**DATED)
    docs.page("one.rst", "An edit.")
    before = docs.build()
    dates = before.sitemap
    times = {path: path.stat().st_mtime_ns for path in before.outdir.glob("*.html")}
    assert shown(before, "one.html")[1] == docs.date("one.rst")
    docs.repo.commit()
    after = docs.build(strict=True)
    assert after.sitemap["one.html"] == docs.date("one.rst") != dates["one.html"]
    assert_shown(after, "index.html", "one.html", "two.html")
    names = {path.name for path, time in times.items() if path.stat().st_mtime_ns != time}
    # with the page that has it in its toctree: Sphinx writes that one for every page that it writes
    assert names - {"genindex.html", "search.html"} == {"one.html", "index.html"}


def test_page_dates_go_and_come_without_a_clean_build(docs: Docs) -> None:
    """Switched on, pages have them though none was edited; switched off, not a byte of them is left."""
    docs.conf(html_theme="basic")
    without = {path.name: path.read_bytes() for path in docs.build().outdir.glob("*.html")}
    docs.conf(html_theme="basic", docs_sitemap_page_dates=True)
    built = docs.build()
    assert shown(built, "one.html") == ("Nov 15, 2023", built.sitemap["one.html"])
    docs.conf(html_theme="basic")
    off = docs.build()
    assert {path.name: path.read_bytes() for path in off.outdir.glob("*.html")} == without


def test_links_to_feeds_go_and_come_without_a_clean_build(docs: Docs) -> None:
    docs.build()
    docs.conf(docs_sitemap_formats=["xml", "atom"])
    assert b'rel="alternate" type="application/atom+xml"' in docs.build().read("one.html")
    docs.conf(docs_sitemap_formats=["xml", "rss"], docs_sitemap_filename="maps/s.xml")
    assert b"maps/rss.xml" in docs.build().read("one.html")
    docs.conf()
    assert b'rel="alternate"' not in docs.build().read("one.html")


def test_templates_made_into_pages_show_the_dates_of_the_templates(docs: Docs) -> None:
    for template in ("more", "home"):
        docs.repo.save(f"docs/_templates/{template}.html", '{% extends "layout.html" %}')
    templates = {"more": "more.html", "index": "home.html"}
    docs.conf(**DATED, templates_path=["_templates"], html_additional_pages=templates)
    assert_shown(docs.build(), "more.html", "index.html", "one.html")
    docs.repo.write("docs/_templates/more.html", '{% extends "layout.html" %} {# edited #}')
    docs.build()
    docs.repo.commit()
    assert_shown(docs.build(), "more.html", "index.html", "one.html")


def test_the_one_page_of_singlehtml_shows_the_newest_date(docs: Docs) -> None:
    docs.conf(**DATED)
    assert docs.date("two.rst") > docs.date("index.rst")
    assert_shown(docs.build("singlehtml", strict=True), "index.html")


def test_the_head_has_all_that_is_asked_for(docs: Docs) -> None:
    """Dates that pages give themselves, the day when a page was added, and JSON-LD."""
    docs.page("three.rst", fields=":sitemap-lastmod: 2020-02-03")
    docs.save_page("one.rst", "Edited.")
    rules = [{"match": "two.rst", "lastmod": "none"}]
    docs.conf(**DATED, docs_sitemap_json_ld=True, docs_sitemap_creation_dates=True, docs_sitemap_rules=rules)
    built = docs.build(strict=True)
    assert shown(built, "three.html") == ("2020-02-03 00:00:00 UTC", "2020-02-03")
    assert shown(built, "two.html") == (None, None)
    head = built.read("one.html").decode().partition("</head>")[0]
    (text,) = re.findall(r'<script type="application/ld\+json">(.*?)</script>', head)
    data = json.loads(text)
    assert (data["url"], data["dateModified"]) == (BASE + "one.html", built.sitemap["one.html"])
    assert b"ld+json" not in built.read("search.html")
    when = docs.repo.git("log", "--diff-filter=A", "-1", "--format=%ct", "--", "docs/one.rst")
    added = datetime.fromtimestamp(int(when), UTC).isoformat()
    assert added != built.sitemap["one.html"]
    assert f'<meta property="article:published_time" content="{added}">' in head


def test_our_dates_stand_where_another_extension_sets_its_own(docs: Docs) -> None:
    """In the footer; a head that has a date gets no second one."""
    code = """
def page_context(app, pagename, templatename, context, doctree):
    context["last_updated"] = "the day of the build"
    if pagename == "two":
        context["metatags"] += '<meta property="article:modified_time" content="theirs" />'

def setup(app):
    app.connect("html-page-context", page_context)
"""
    docs.conf(**DATED, code=code)
    built = docs.build()
    assert_shown(built, "one.html")
    assert shown(built, "two.html")[1] == "theirs"


def test_beside_sphinx_last_updated_by_git_all_dates_of_a_page_are_ours(docs: Docs) -> None:
    """Its own are by the author's clock, a day before in these tests."""
    pytest.importorskip("sphinx_last_updated_by_git")
    docs.conf(**DATED, docs_sitemap_json_ld=True, extensions=["docs_sitemap", "sphinx_last_updated_by_git"])
    built = docs.build(strict=True)
    assert_shown(built, "one.html")
    assert f'"dateModified": "{built.sitemap["one.html"]}"'.encode() in built.read("one.html")
    assert built.read("one.html").count(b"article:modified_time") == 1


def test_alabaster_shows_a_date_with_the_documented_template(docs: Docs) -> None:
    """Sphinx's default theme shows none of its own."""
    text = (Path(__file__).resolve().parents[3] / "docs/page-settings.md").read_text("utf-8")
    (template,) = (block for block in re.findall(r"```html\n(.*?)```", text, re.DOTALL) if "last_up" in block)
    values = {**DATED, "html_theme": "alabaster", "templates_path": ["_templates"]}
    docs.conf(**values)
    assert b"Last updated" not in docs.build().read("one.html")
    docs.repo.write("docs/_templates/layout.html", template)
    built = docs.build(strict=True)
    assert f"Last updated on {built.sitemap['one.html']:.10}".encode() in built.read("one.html")


def test_documented_modules_count(docs: Docs, monkeypatch: pytest.MonkeyPatch) -> None:
    """autodoc's, and those of stubs that autosummary writes in each build, which no commit has."""
    for name in ("autodoc", "stub"):
        docs.repo.save(f"src/dated_{name}.py", f'"""Module {name}."""\n')
    docs.repo.write(".gitignore", "generated\n")
    docs.page("own.rst", ".. automodule:: dated_autodoc\n")
    docs.save_page("api.rst", ".. autosummary::\n   :toctree: generated\n\n   dated_stub\n")
    for name in ("stub", "autodoc"):
        docs.repo.save(f"src/dated_{name}.py", '"""Edited."""\n')
    monkeypatch.syspath_prepend(docs.repo.root / "src")
    extensions = ["docs_sitemap", "sphinx.ext.autodoc", "sphinx.ext.autosummary"]
    docs.conf(extensions=extensions)
    found = docs.build().sitemap
    assert found["own.html"] == docs.date("../src/dated_autodoc.py")
    assert found["generated/dated_stub.html"] == docs.date("../src/dated_stub.py")
    assert docs.build().sitemap == found
    docs.conf(extensions=extensions, docs_sitemap_dependencies=False)
    without = docs.build().sitemap
    assert without["own.html"] == docs.date("own.rst")
    assert without["generated/dated_stub.html"] is None


def test_a_file_in_a_submodule_has_the_date_of_its_own_history(docs: Docs, tmp_path: Path) -> None:
    other = Repo(tmp_path / "other")
    other.write("text.txt", "First.\n")
    other.commit(when=1_710_000_000)
    docs.repo.git("-c", "protocol.file.allow=always", "submodule", "add", str(other.root), "docs/sub")
    docs.page("one.rst", ".. include:: sub/text.txt\n")
    docs.repo.commit(when=1_705_000_000)
    assert docs.build(strict=True).sitemap["one.html"] == "2024-03-09T16:00:00+00:00"
    docs.page("one.rst", ".. include:: sub/text.txt\n\nNewer.\n")
    docs.repo.commit(when=1_715_000_000)
    assert docs.build().sitemap["one.html"] == docs.date("one.rst") > "2024-05"


def test_a_linked_source_has_the_date_of_what_it_shows(docs: Docs) -> None:
    """A file beside the documentation, and a folder of them."""
    docs.page("../README.rst")
    docs.save_page("../notes/deep.rst")
    (docs.srcdir / "readme.rst").symlink_to("../README.rst")
    (docs.srcdir / "notes").symlink_to("../notes")
    docs.repo.commit()
    docs.repo.commit("notes/deep.rst")
    found = docs.build().sitemap
    assert found["readme.html"] == docs.date("../README.rst")
    assert found["notes/deep.html"] == docs.date("../notes/deep.rst")


def test_a_file_that_no_repository_has_neither_dates_a_page_nor_takes_its_date(
    docs: Docs, tmp_path: Path
) -> None:
    outside = tmp_path / "outside.txt"
    outside.write_text("Not in the repository.\n", encoding="utf-8")
    docs.save_page("one.rst", ".. include:: ../../outside.txt\n")
    built = docs.build(strict=True)
    assert built.sitemap["one.html"] == docs.date("one.rst")
    assert not built.notices("no date")


def test_a_file_that_is_copied_over_a_page_leaves_it_without_a_date(docs: Docs) -> None:
    """Sphinx publishes the one or the other, from build to build."""
    docs.repo.save("docs/extra/one.html", "<html><body>Ours</body></html>")
    docs.conf(html_extra_path=["extra"], exclude_patterns=["extra"])
    for _ in range(3):
        assert docs.build().sitemap == {
            "index.html": docs.date("index.rst"),
            "one.html": None,
            "two.html": docs.date("two.rst"),
        }


def test_two_outputs_of_the_same_doctrees_both_show_new_dates(docs: Docs) -> None:
    docs.conf(docs_sitemap_page_dates=True, html_last_updated_fmt="%Y-%m-%dT%H:%M:%S")
    doctrees = str(docs.outdir.with_name("shared"))
    for out in ("one", "two"):
        docs.run("-d", doctrees, out=out)
    docs.repo.git(
        "commit", "--quiet", "--amend", "--no-edit", when=docs.repo.log_date("docs/two.rst") + 86_400
    )
    for out in ("one", "two"):
        built = docs.run("-d", doctrees, out=out)
        assert built.sitemap["two.html"] == docs.date("two.rst")
        assert docs.date("two.rst").removesuffix("+00:00") in built.read("two.html").decode()


def catalog(
    docs: Docs, domain: str, *messages: tuple[str, str], language: str = "de", flags: str = ""
) -> None:
    """Write a message catalog; a message with an empty text is not translated."""
    entries = [f'{flags}msgid "{message}"\nmsgstr "{text}"\n' for message, text in messages]
    head = 'msgid ""\nmsgstr "Content-Type: text/plain; charset=UTF-8\\n"\n'
    docs.repo.write(f"docs/locales/{language}/LC_MESSAGES/{domain}.po", "\n".join([head, *entries]))


DONE = (("Title", "Titel"), ("Text.", "Ein Text."))
PART = (("Title", "Titel"), ("Text.", ""))
NONE = (("Title", ""), ("Text.", ""))


@pytest.fixture
def german(docs: Docs) -> Docs:
    """Seven documents: translated, partly, not at all, only doubtfully; at the top and in a folder."""
    for name in ("done", "part", "none", "doubtful", "sub/done", "sub/none", "other/lost"):
        docs.page(f"{name}.rst")
    docs.repo.save(".gitignore", "*.mo\n")
    for domain in ("index", "one", "two", "done"):
        catalog(docs, domain, *DONE)
        docs.repo.commit()
    catalog(docs, "part", *PART)
    catalog(docs, "none", *NONE)
    catalog(docs, "doubtful", *DONE, flags="#, fuzzy\n")
    docs.repo.commit()
    return docs


def po(name: str) -> str:
    return f"locales/de/LC_MESSAGES/{name}.po"


TRANSLATED = {"index.html", "one.html", "two.html", "done.html", "part.html", "sub/done.html"}
UNTRANSLATED = {"none.html", "doubtful.html", "sub/none.html", "other/lost.html"}


@pytest.mark.parametrize("compact", [True, False, "all"])
def test_a_translation_lists_what_is_translated_dated_by_its_catalogs(german: Docs, compact: object) -> None:
    """Whatever catalogs hold: a document each, a folder each, or all of them; in any build the same."""
    name = {True: "sub", False: "sub/done", "all": "all"}[compact]
    if compact == "all":
        catalog(german, "all", ("Of 'done.rst'.", "Von"), ("Of 'sub/done.rst'.", "Von"))
    else:
        catalog(german, name, ("Of 'sub/done.rst'.", "Von"))
    german.repo.commit()
    german.conf(language="de", gettext_compact=compact, exclude_patterns=["locales"])
    clean = german.build(strict=True).passed()
    found = clean.sitemap
    newest = german.date(po(name))
    if compact == "all":
        assert found == {"done.html": newest, "sub/done.html": newest}
    else:
        assert found.keys() == TRANSLATED
        assert found["done.html"] == german.date(po("done")) > german.date("done.rst")
        assert found["sub/done.html"] == newest
        assert clean.notices(f"{len(UNTRANSLATED)} untranslated")
    german.page("one.rst", "Text.\n\nAnd more.")
    assert german.build().sitemap == found
    catalog(german, name, ("Of 'sub/done.rst'.", "Aus"), ("Of 'done.rst'.", "Aus"))
    german.repo.commit()
    changed = german.build()
    assert changed.sitemap["sub/done.html"] == german.date(po(name)) > newest
    assert german.build(out="clean").sitemap == changed.sitemap


def test_untranslated_documents_are_listed_where_a_rule_or_the_page_asks(german: Docs) -> None:
    """And those with doubtful messages where Sphinx shows these."""
    german.page("none.rst", fields=":sitemap: true")
    rules = [{"match": "other/", "exclude": False}]
    german.conf(
        language="de",
        exclude_patterns=["locales"],
        docs_sitemap_rules=rules,
        gettext_allow_fuzzy_translations=True,
    )
    found = german.build().sitemap.keys()
    assert found & UNTRANSLATED == {"none.html", "other/lost.html", "doubtful.html"}


def test_the_original_language_lists_everything(german: Docs) -> None:
    """Also beside catalogs of its own without a single text, which tools make for every language."""
    for language in (None, "en"):
        german.conf(language=language or ..., exclude_patterns=["locales"])
        assert german.build(strict=True).sitemap.keys() >= TRANSLATED | UNTRANSLATED
    catalog(german, "none", *NONE, language="en")
    built = german.build(strict=True)
    assert built.sitemap.keys() >= TRANSLATED | UNTRANSLATED
    assert built.sitemap["done.html"] == german.date("done.rst")


def test_a_site_that_is_written_in_its_language_is_no_translation(docs: Docs) -> None:
    """Not even where it puts its own words for Sphinx's, in a catalog that is no document's."""
    catalog(docs, "sphinx", ("Search", "Finden"))
    catalog(docs, "some_theme", ("Menu", "Wohin"))
    docs.conf(language="de", exclude_patterns=["locales"])
    assert docs.build(strict=True).sitemap.keys() == {"index.html", "one.html", "two.html"}


def test_compiled_catalogs_that_are_committed_change_nothing(german: Docs) -> None:
    """Sphinx takes them for dependencies where it reads a document again, and not in a clean build."""
    german.conf(language="de", exclude_patterns=["locales"])
    german.build()
    german.repo.save(".gitignore", "\n")
    clean = german.build(out="clean").sitemap
    assert clean["done.html"] == german.date(po("done")) < german.date("locales/de/LC_MESSAGES/done.mo")
    assert german.build().sitemap == clean
    os.utime(german.srcdir / "done.rst")
    assert german.build().sitemap == clean


def test_committed_catalogs_beside_the_source_folder_change_nothing_either(docs: Docs) -> None:
    """As most projects have them: above the folder, so that Sphinx and we may write their path otherwise."""
    catalog(docs, "../../../../locale/de/LC_MESSAGES/one", *DONE)
    docs.repo.commit()
    docs.conf(language="de", locale_dirs=["../locale"])
    clean = docs.build().sitemap
    docs.repo.commit()
    assert docs.date("../locale/de/LC_MESSAGES/one.mo") > docs.date("../locale/de/LC_MESSAGES/one.po")
    assert clean == {"one.html": docs.date("../locale/de/LC_MESSAGES/one.po")}
    assert docs.build().sitemap == clean
    os.utime(docs.srcdir / "one.rst")
    assert docs.build().sitemap == clean


def test_a_regional_translation_has_the_catalogs_of_its_language(german: Docs) -> None:
    """Sphinx looks into both, but compiles only the one."""
    german.conf(language="de", exclude_patterns=["locales"])
    german.build()
    catalog(german, "none", *DONE, language="de_AT")
    german.repo.commit()
    german.conf(language="de_AT", exclude_patterns=["locales"])
    found = german.build(out="austria").sitemap
    assert found.keys() == (TRANSLATED | {"none.html"}) - {"sub/done.html"}
    assert found["none.html"] == german.date("locales/de_AT/LC_MESSAGES/none.po")
    assert found["done.html"] == german.date(po("done"))


def test_singlehtml_is_translated_where_any_of_its_documents_is(german: Docs) -> None:
    (german.srcdir / po("index")).unlink()
    german.repo.commit()
    german.conf(language="de", exclude_patterns=["locales"])
    found = german.build("singlehtml").sitemap
    assert found == {"index.html": german.date(po("part"))}
    for path in (german.srcdir / "locales/de/LC_MESSAGES").iterdir():
        path.unlink()
    catalog(german, "none", *DONE)
    german.page("none.rst", fields=":orphan:")
    german.page("index.rst", ".. toctree::\n\n   one\n   two\n")
    assert not german.build("singlehtml").has("sitemap.xml")
