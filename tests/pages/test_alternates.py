"""Language versions: each page lists all versions, itself included, and each of them lists it in return."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from docs_sitemap.options.declarations import read_options
from docs_sitemap.pages.page import Page
from tests.files.test_emit import BASE, run, said, spell
from tests.files.test_roundtrip import read_site

pytestmark = pytest.mark.core

Alternates = dict[str, str]


def alternates(out: Path) -> dict[str, Alternates]:
    """The alternates of each page that has some, by its path below the base URL."""
    found = read_site(out, BASE)
    return {
        loc.removeprefix(BASE): dict(entry.alternates) for loc, entry in found.items() if entry.alternates
    }


def page(url: str, **versions: str) -> Page:
    """A page whose generator knows its versions; `_` stands for `-`."""
    known = tuple((code.replace("_", "-"), href) for code, href in versions.items())
    return Page(url=url, source_path=f"{url}.md", alternates=known)


LANGUAGES = {
    "de": BASE,
    "en": BASE + "en/",
    "pt-BR": "https://exemplo.example/documentação",
    "x-default": BASE + "en/",
}


def test_builds_of_all_languages_agree_on_each_page(tmp_path: Path) -> None:
    """Each is a build of its own with the same option, and none knows the others' pages."""
    sites: dict[str, dict[str, Alternates]] = {}
    for code, site in LANGUAGES.items():
        out = tmp_path / code
        run([Page(url=url) for url in ("", "a/", "ü b/c.html")], out, site=site, languages=LANGUAGES)
        base = read_options({"base_url": site}, spell).base_url
        assert base
        sites[code] = {loc: dict(entry.alternates) for loc, entry in read_site(out, base).items()}
    assert sites["pt-BR"].keys() == {
        f"https://exemplo.example/documenta%C3%A7%C3%A3o/{path}" for path in ("", "a/", "%C3%BC%20b/c.html")
    }
    for pages in sites.values():
        for loc, versions in pages.items():
            assert versions.keys() == LANGUAGES.keys()
            assert loc in versions.values()
            for code, href in versions.items():
                assert sites[code][href] == versions


@pytest.mark.parametrize("number", [1, 3])
def test_without_the_site_itself_among_them_one_warning_and_no_alternates(
    tmp_path: Path, number: int
) -> None:
    languages = {"en": BASE + "en/", "fr": "https://other.example/"}
    report = run([Page(url=f"{n}/") for n in range(number)], tmp_path, languages=languages)
    assert said(report, "warning") == ["languages"]
    (notice,) = [notice for notice in report.notices if notice.subtype == "languages"]
    assert notice.text == (
        f"opt_languages: expected all languages, including this site's URL {BASE}, got "
        f"en: {BASE}en/, fr: https://other.example/. No alternates are written."
    )
    assert len(report.urls) == number
    assert alternates(tmp_path) == {}


@pytest.mark.parametrize("own", [BASE, "https://example.org", "https://EXAMPLE.org/./x/.."])
def test_the_site_itself_may_be_written_in_any_way(tmp_path: Path, own: str) -> None:
    site = own if "EXAMPLE" in own else BASE
    report = run([Page(url="a/")], tmp_path, site=site, languages={"en": own, "de": BASE + "de/"})
    assert said(report, "warning") == []
    assert b"hreflang" in (tmp_path / "sitemap.xml").read_bytes()


def test_one_language_alone_is_no_group(tmp_path: Path) -> None:
    report = run([Page(url="a/")], tmp_path, languages={"en": BASE})
    assert alternates(tmp_path) == {}
    assert said(report, "warning") == []
    assert b"xhtml" not in (tmp_path / "sitemap.xml").read_bytes()


def test_a_version_whose_address_is_too_long_is_not_named(tmp_path: Path) -> None:
    long = "https://example.com/" + "b" * 400 + "/"
    url = "a" * (2047 - len(long) + 1)
    run([Page(url=url), Page(url=url[1:])], tmp_path, languages={"en": BASE, "de": long, "fr": BASE + "fr/"})
    found = alternates(tmp_path)
    assert found[url].keys() == {"en", "fr"}
    assert found[url[1:]].keys() == {"de", "en", "fr"}


EN, DE, FR = BASE + "a/", BASE + "de/a/", BASE + "fr/a/"


def test_what_the_generator_knows_is_written_with_codes_as_engines_know_them(tmp_path: Path) -> None:
    versions = (("en_US", EN), ("DE", DE), ("X-Default", EN), ("zh_hans_cn", "https://other.example/a/"))
    run([Page(url="a/", alternates=versions), Page(url="de/a/", alternates=versions[::-1])], tmp_path)
    group = {"de": DE, "en-US": EN, "zh-Hans-CN": "https://other.example/a/", "x-default": EN}
    assert alternates(tmp_path) == {"a/": group, "de/a/": group}


def test_codes_that_no_engine_knows_are_dropped(tmp_path: Path) -> None:
    pages = [
        page(url, en=EN, de=DE, jp=BASE + "jp/a/", original=FR) for url in ("a/", "de/a/", "fr/a/", "jp/a/")
    ]
    run(pages, tmp_path)
    assert alternates(tmp_path) == {"a/": {"de": DE, "en": EN}, "de/a/": {"de": DE, "en": EN}}


ALONE: list[dict[str, Any]] = [
    {"en": EN},
    {"en": EN, "x_default": EN},
    {"en": EN, "de": DE},
    {"de": DE, "fr": FR},
    {"en": EN, "klingon": BASE + "k/"},
    {"en": EN, "de": "mailto:a@example.org"},
    {"en": EN, "de": "https://a b/"},
    {"en": EN, "de": BASE + "d" * 2048},
    {},
]


@pytest.mark.parametrize("versions", ALONE)
def test_a_page_that_is_left_alone_has_none(tmp_path: Path, versions: dict[str, str]) -> None:
    """Its versions are not listed, or it does not name itself."""
    run([page("a/", **versions), Page(url="b/")], tmp_path)
    assert alternates(tmp_path) == {}
    assert b"xhtml" not in (tmp_path / "sitemap.xml").read_bytes()


def test_versions_that_are_not_listed_are_not_named(tmp_path: Path) -> None:
    pages = [
        page("a/", en=EN, de=DE, fr=FR, it="https://it.example/a/"),
        page("de/a/", en=EN, de=DE, fr=FR),
        page("fr/a/", en=EN, de=DE, fr=FR),
    ]
    run(pages, tmp_path, exclude=["/fr/"])
    assert alternates(tmp_path) == {
        "a/": {"de": DE, "en": EN, "it": "https://it.example/a/"},  # of other sites nothing is known
        "de/a/": {"de": DE, "en": EN},
    }


def test_versions_that_do_not_name_the_page_in_return_are_not_named(tmp_path: Path) -> None:
    pages = [page("a/", en=EN, de=DE, fr=FR), page("de/a/", de=DE, fr=FR), page("fr/a/", en=EN, de=DE, fr=FR)]
    for order in (pages, pages[::-1]):
        run(order, tmp_path)
        assert alternates(tmp_path) == {
            "a/": {"en": EN, "fr": FR},
            "de/a/": {"de": DE, "fr": FR},
            "fr/a/": {"de": DE, "en": EN, "fr": FR},
        }


def test_the_order_of_pages_of_one_address_does_not_matter(tmp_path: Path) -> None:
    """Only one of them is published, and with it its alternates."""
    pages = [
        Page(url="a/", source_path="1.md", alternates=(("en", EN), ("de", DE))),
        Page(url="a/", source_path="2.md", alternates=(("en", EN), ("fr", FR))),
        Page(url="a/", source_path="3.md"),
        page("de/a/", en=EN, de=DE),
        page("fr/a/", en=EN, fr=FR),
    ]
    for number, order in enumerate((pages, pages[::-1], pages[2:] + pages[:2])):
        out = tmp_path / str(number)
        run(list(order), out, formats=["xml"], stylesheet=False)
        assert alternates(out) == {"a/": {"de": DE, "en": EN}, "de/a/": {"de": DE, "en": EN}}


def test_addresses_are_compared_encoded(tmp_path: Path) -> None:
    versions = (("en", "/ü b/"), ("de", BASE + "de/%C3%BC%20b/#top"))
    run([Page(url="ü b/", alternates=versions), Page(url="de/ü%20b/", alternates=versions)], tmp_path)
    group = {"de": BASE + "de/%C3%BC%20b/", "en": BASE + "%C3%BC%20b/"}
    assert alternates(tmp_path) == {"%C3%BC%20b/": group, "de/%C3%BC%20b/": group}


def test_what_the_generator_knows_goes_before_the_option(tmp_path: Path) -> None:
    pages = [page("a/", en=EN, de=BASE + "de/anders/"), Page(url="b/")]
    run(pages, tmp_path, languages={"en": BASE, "de": BASE + "de/"})
    assert alternates(tmp_path) == {
        "a/": {"de": BASE + "de/anders/", "en": EN},
        "b/": {"de": BASE + "de/b/", "en": BASE + "b/"},
    }
