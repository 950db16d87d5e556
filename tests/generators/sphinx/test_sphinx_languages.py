"""A site that Sphinx builds once for each language: which pages have which alternates."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from lxml import etree

pytest.importorskip("sphinx")

from docs_sitemap.generators.sphinx.translations import has_messages, translates
from tests.support import sitemaps
from tests.support.sphinxsite import Docs

XHTML = "{http://www.w3.org/1999/xhtml}"
S = "{http://www.sitemaps.org/schemas/sitemap/0.9}"
ROOT = "https://example.org/"
CODES = ("de", "en", "fr", "pt-BR", "uk")
LANGUAGES = {code: f"{ROOT}{code}/" for code in CODES}


def write_catalog(docs: Docs, name: str, language: str, *, done: bool = True) -> None:
    """Write the catalog of a document whose title is translated, or is to be."""
    text = "Titel" if done else ""
    head = 'msgid ""\nmsgstr ""\n"Content-Type: text/plain; charset=UTF-8\\n"\n'
    body = f'{head}\nmsgid "Title"\nmsgstr "{text}"\n'
    docs.repo.write(f"docs/locales/{language}/LC_MESSAGES/{name}.po", body)


@pytest.fixture
def docs(tmp_path: Path) -> Docs:
    """Pages in English; of German two are translated, of Brazilian Portuguese one, and of French none."""
    docs = Docs(tmp_path)
    for name in ("index", "one", "two", "three"):
        docs.page(f"{name}.rst", fields=":orphan:")
    for name in ("index", "one"):
        write_catalog(docs, name, "de")
    write_catalog(docs, "two", "de", done=False)
    write_catalog(docs, "index", "pt_BR")
    for name in ("index", "one", "two", "three"):
        write_catalog(docs, name, "fr", done=False)
    docs.repo.save(".gitignore", "*.mo\n")
    return docs


def alternates(docs: Docs, code: str, **values: object) -> dict[str, dict[str, str]]:
    """The alternates of each page of one language's build, which is strict, by their paths."""
    docs.conf(
        language=code.replace("-", "_"),
        html_baseurl=LANGUAGES[code],
        docs_sitemap_languages=LANGUAGES,
        exclude_patterns=["locales"],
        **values,
    )
    built = docs.build(strict=True, out=code).passed()
    found = {}
    for entry in etree.parse(built.outdir / "sitemap.xml").getroot():
        links = {str(link.get("hreflang")): str(link.get("href")) for link in entry.findall(f"{XHTML}link")}
        found[str(entry.findtext(f"{S}loc")).removeprefix(LANGUAGES[code])] = links
    return found


def addresses(page: str, *codes: str) -> dict[str, str]:
    return {code: LANGUAGES[code] + page for code in codes}


def test_a_page_has_alternates_only_where_it_is_listed(docs: Docs) -> None:
    """French has nothing but empty catalogs, and so lists all; of Ukrainian nothing is known here."""
    assert alternates(docs, "en") == {
        "index.html": addresses("index.html", *CODES),
        "one.html": addresses("one.html", "de", "en", "fr", "uk"),
        "two.html": addresses("two.html", "en", "fr", "uk"),
        "three.html": addresses("three.html", "en", "fr", "uk"),
    }


def test_the_languages_agree(docs: Docs) -> None:
    found = {code: alternates(docs, code) for code in CODES if code != "uk"}
    assert found["de"].keys() == {"index.html", "one.html"}
    assert found["pt-BR"].keys() == {"index.html"}
    for pages in found.values():
        for page, links in pages.items():
            for code in links.keys() - {"uk"}:
                assert found[code][page] == links


def test_what_a_setting_lists_everywhere_has_alternates_everywhere(docs: Docs) -> None:
    rules = [{"match": "three.html", "exclude": False}]
    docs.page("two.rst", fields=":orphan:\n:sitemap: true")
    found = alternates(docs, "en", docs_sitemap_rules=rules)
    for page in ("two.html", "three.html"):
        assert found[page].keys() == set(CODES)
        assert alternates(docs, "de", docs_sitemap_rules=rules)[page] == found[page]


def test_the_default_language_goes_with_its_own(docs: Docs, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(LANGUAGES, "x-default", LANGUAGES["de"])
    found = alternates(docs, "en")
    assert "x-default" in found["one.html"]
    assert "x-default" not in found["two.html"]


def test_one_catalog_for_all_documents_tells_nothing_of_one(docs: Docs) -> None:
    write_catalog(docs, "all", "de")
    assert alternates(docs, "en", gettext_compact="all")["three.html"].keys() >= {"de"}


def test_scripts_that_gettext_names_by_countries(docs: Docs, monkeypatch: pytest.MonkeyPatch) -> None:
    write_catalog(docs, "one", "zh_CN")
    write_catalog(docs, "two", "zh_TW")
    for code in ("zh-Hans", "zh-TW"):
        monkeypatch.setitem(LANGUAGES, code, f"{ROOT}{code}/")
    found = alternates(docs, "en")
    assert {page: {code for code in links if "zh" in code} for page, links in found.items()} == {
        "index.html": set(),
        "one.html": {"zh-Hans"},
        "two.html": {"zh-TW"},
        "three.html": set(),
    }


def test_catalogs_of_the_original_language_take_no_page_away(docs: Docs) -> None:
    """Translation services fill them, and editors mend words there; asked for, English is a translation."""
    for language in ("en", "en_GB"):
        write_catalog(docs, "one", language)
    for language in ("en", "en_GB"):
        docs.conf(language=language, exclude_patterns=["locales"], html_baseurl=ROOT)
        found = sitemaps.read(docs.build(strict=True, out=language).outdir / "sitemap.xml")
        assert len(found) == 4
        asked = docs.build(strict=True, out=f"{language}-asked", overrides={"language": language})
        assert sitemaps.read(asked.outdir / "sitemap.xml").keys() == {f"{ROOT}one.html"}
    for name in ("two", "three"):
        write_catalog(docs, name, "en")
    docs.conf(language="en", exclude_patterns=["locales"], html_baseurl=ROOT)
    assert len(sitemaps.read(docs.build(out="most").outdir / "sitemap.xml")) == 3


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no named pipes here")
def test_a_catalog_that_is_no_file_translates_nothing(tmp_path: Path) -> None:
    """Reading does not wait for a pipe, and does not begin on a device."""
    os.mkfifo(tmp_path / "pipe.po")
    os.mkfifo(tmp_path / "pipe.mo")
    (tmp_path / "zero.po").symlink_to("/dev/zero")
    files = [tmp_path / f"{name}.po" for name in ("pipe", "zero", "none")]
    assert not any(translates(file, fuzzy=False) or has_messages(file) for file in files)


@pytest.mark.parametrize(
    ("url", "language", "told"),
    [
        (ROOT, "de", 1),
        (ROOT, "en", 0),
        (ROOT, "", 0),
        (f"{ROOT}de/", "de", 0),
        ("https://de.example.org/", "de", 0),
        (ROOT, "sv", 0),  # without catalogs
    ],
)
def test_a_build_says_that_a_translation_has_the_address_of_the_original(
    docs: Docs, url: str, language: str, told: int
) -> None:
    docs.conf(html_baseurl=url, exclude_patterns=["locales"])
    built = docs.build(strict=True, overrides={"language": language} if language else {}).passed()
    assert len(built.notices(f"{url}, is also that of this build in {language}")) == told


@pytest.mark.parametrize("code", ["language = 'de'", "html_baseurl = 'https://example.org/' + ''"])
def test_what_conf_py_computes_or_says_itself_is_not_judged(docs: Docs, code: str) -> None:
    docs.conf(html_baseurl=ROOT if "language" in code else ..., exclude_patterns=["locales"], code=code)
    built = docs.build(overrides={"language": "de"})
    assert not built.notices("is also that of this build")
