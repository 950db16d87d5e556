"""Addresses: each character encoded once, no path that leads out, nothing that is no address."""

from __future__ import annotations

import re
from pathlib import Path
from urllib.parse import unquote_to_bytes, urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docs_sitemap import urls
from docs_sitemap.pages.page import Page
from tests.files.test_emit import BASE, run
from tests.support import sitemaps

pytestmark = pytest.mark.core

DOCS = "https://example.org/docs/"
LEADS_OUT = "an address that leads out of the site"

ALLOWED = re.compile(r"(?:[A-Za-z0-9\-._~!$&'()*+,;=:@/]|%[0-9A-Fa-f]{2})*")
"""A path of RFC 3986, 3.3."""

TEXT = st.text(st.one_of(st.characters(codec="utf-8"), st.sampled_from("/.%2eEfF?# &'\"<>\udce9")))


@pytest.mark.parametrize(
    ("path", "encoded"),
    [
        ("a/b.html", "a/b.html"),
        ("a b/ü.html", "a%20b/%C3%BC.html"),
        ("a%20b/%C3%BC.html", "a%20b/%C3%BC.html"),
        ("100%", "100%25"),
        ("100%zz", "100%25zz"),
        ("%%41%4", "%25%41%254"),
        ("%ＡＢ", "%25%EF%BC%A1%EF%BC%A2"),
        ('x"<>`{}|\\^y', "x%22%3C%3E%60%7B%7D%7C%5C%5Ey"),
        ("[a]", "%5Ba%5D"),
        ("a\tb\nc\x00\x7f", "a%09b%0Ac%00%7F"),
        ("it's&(ok)!", "it's&(ok)!"),
        ("caf\udce9", "caf%E9"),
        ("\u202ertl😀", "%E2%80%AErtl%F0%9F%98%80"),
    ],
)
def test_what_is_not_encoded_is_encoded_and_nothing_twice(path: str, encoded: str) -> None:
    assert urls.encode_path(path) == encoded


@given(TEXT)
def test_encoding_keeps_each_byte_and_does_nothing_twice(path: str) -> None:
    """A `%` that begins no escape stands for itself, which is also how it is decoded."""
    once = urls.encode_path(path)
    assert ALLOWED.fullmatch(once)
    assert urls.encode_path(once) == once
    assert unquote_to_bytes(once) == unquote_to_bytes(path.encode("utf-8", "surrogateescape"))


@pytest.mark.parametrize(
    ("path", "normal"),
    [
        ("", ""),
        ("/", ""),
        (".", ""),
        ("./", ""),
        ("//", ""),
        ("a/..", ""),
        ("a/../", ""),
        ("/a", "a"),
        ("//a//b//", "a/b/"),
        ("./a/./b", "a/b"),
        ("a/b/.", "a/b/"),
        ("a/b/..", "a/"),
        ("a/../b", "b"),
        ("a/b/../../c", "c"),
        ("a/%2e/b", "a/b"),
        ("a/%2E%2e/b", "b"),
        ("a/.%2E/b", "b"),
        ("%2e", ""),
        ("a/...", "a/..."),
        ("a/..b/.c/d.", "a/..b/.c/d."),
        ("%252e%252e/a", "%252e%252e/a"),
        ("a%2F..%2Fb", "a%2F..%2Fb"),
        ("http://x", "http:/x"),
    ],
)
def test_a_path_has_no_dots_and_no_empty_segments(path: str, normal: str) -> None:
    assert urls.normalise_path(path) == normal


@pytest.mark.parametrize(
    "path", ["..", "../", "../a", "/..", "a/../..", "a/../../a", "%2e%2e/a", ".%2E/a", "a/%2E./%2e%2E"]
)
def test_a_path_that_leads_out_is_refused(path: str) -> None:
    with pytest.raises(ValueError, match=LEADS_OUT):
        urls.normalise_path(path)
    with pytest.raises(ValueError, match=LEADS_OUT):
        urls.join(DOCS, path)


def test_a_page_joins_its_base() -> None:
    assert urls.join("https://example.org/docs/", "") == "https://example.org/docs/"
    assert urls.join("https://example.org/docs/", "a b/") == "https://example.org/docs/a%20b/"
    assert urls.join(DOCS, "//a/../b//ü%20/.") == DOCS + "b/%C3%BC%20/"
    assert urls.join(DOCS, "https://evil.example/") == DOCS + "https:/evil.example/"
    assert urls.join(DOCS, "a%3Fb%23c") == DOCS + "a%3Fb%23c"


@pytest.mark.parametrize("path", ["a?b", "a#b", "?", "#", "\ud800", "a/\udfff", "\udcff/\udbff"])
def test_what_is_no_path_below_the_base_is_refused(path: str) -> None:
    wrong = "with a query or fragment" if path.isascii() else "that is not valid text"
    with pytest.raises(ValueError, match=wrong):
        urls.join(DOCS, path)


@given(st.text(st.one_of(st.characters(), st.sampled_from("/.%2e"))))
def test_a_joined_address_lies_below_its_base_or_is_refused(path: str) -> None:
    try:
        loc = urls.join(DOCS, path)
    except ValueError:
        return  # what it says, the tests above see
    assert loc.startswith(DOCS)
    assert ALLOWED.fullmatch(loc.removeprefix(DOCS))
    assert urls.join(DOCS, loc.removeprefix(DOCS)) == loc


@pytest.mark.parametrize(
    ("written", "encoded"),
    [
        ("https://example.org/", "https://example.org/"),
        ("https://example.org", "https://example.org/"),
        ("https://bücher.example:8080/ü b/", "https://xn--bcher-kva.example:8080/%C3%BC%20b/"),
        ("https://faß.example/", "https://xn--fa-hia.example/"),
        ("https://例え.テスト/%E3%81%82/", "https://xn--r8jz45g.xn--zckzah/%E3%81%82/"),
        ("http://[2001:db8::1]:81/é/", "http://[2001:db8::1]:81/%C3%A9/"),
        ("https://example.org//a/./b//", "https://example.org/a/b/"),
        ("https://example.org/../a/", "https://example.org/a/"),
        ("https://example.org/a/%2e%2e/../b/", "https://example.org/b/"),
    ],
)
def test_a_base_is_in_ascii_with_its_host_in_punycode(written: str, encoded: str) -> None:
    assert urls.encode_base(written) == encoded
    assert urls.encode_base(encoded) == encoded


@pytest.mark.parametrize(
    ("reference", "url"),
    [
        ("img/a b.png", DOCS + "img/a%20b.png"),
        ("/img/ü.png#part", "https://example.org/img/%C3%BC.png"),
        ("../../../x.png", "https://example.org/x.png"),
        ("%2e%2e/%2E%2e/../x.png", "https://example.org/x.png"),
        (" x.png\n", DOCS + "x.png"),
        ("?v=1", DOCS + "?v=1"),
        ("x.png?v=ü&w=100%&a=b?c#d", DOCS + "x.png?v=%C3%BC&w=100%25&a=b?c"),
        ("x.png?v=%C3%BC", DOCS + "x.png?v=%C3%BC"),
        ("//cdn.example/x.png", "https://cdn.example/x.png"),
        ("HTTP://cdn.example:81/a/../x.png", "http://cdn.example:81/x.png"),
        ("https://bücher.example/ü.png", "https://xn--bcher-kva.example/%C3%BC.png"),
        ("data:image/png;base64,AA==", None),
        ("mailto:a@example.org", None),
        ("javascript:alert(1)", None),
        ("ftp://example.org/x.png", None),
        ("http://", None),
        ("http:///x.png", None),
        ("https://user@example.org/x.png", None),
        ("https://:secret@example.org/x.png", None),
        ("https://[::1/x.png", None),
        ("x.png?\ud800", None),
        ("\ud800.png", None),
        ("https://\ud800.example/x.png", None),
        ("https://a\0b/x.png", None),
        ("https://a b/x.png", None),
        ("https://a<b/x.png", None),
        ("https://\ufdfa.example/x.png", None),
        ("https://x:８０/x.png", None),
        ("https://x:99999/x.png", None),
        ("https://x:y/x.png", None),
        ("https://[fe80::1%é]/x.png", None),
        ("https://[2001:db8::1]:81/x.png", "https://[2001:db8::1]:81/x.png"),
        ("https://a_b.example/x.png", "https://a_b.example/x.png"),
        (f"https://{'é' * 60}.example/x.png", None),
        ("x" * 2_048, None),
    ],
)
def test_a_reference_is_an_address_of_the_web_or_none(reference: str, url: str | None) -> None:
    assert urls.absolute(DOCS, reference) == url


@given(st.text(max_size=30), st.sampled_from(["", "https://", "http://x:", "//[", "https://é.example/", "?"]))
def test_whatever_a_page_refers_to_is_in_ascii_or_none(text: str, start: str) -> None:
    url = urls.absolute(DOCS, start + text)
    if url is not None:
        assert re.fullmatch(r"https?://[\w.:\[\]-]+/[!$%&'()*+,\-./:;=?@~\w]*", url, re.ASCII)
        assert urls.absolute("http://elsewhere.example/", url) == url


def test_an_image_on_a_host_that_is_none_is_not_listed(tmp_path: Path) -> None:
    images = ("https://a\0b/x.png", "https://x:８０/x.png", "x.png")
    run([Page(url="a", images=images)], tmp_path, images=True)
    assert (tmp_path / "sitemap.xml").read_text().count("<image:loc>") == 1


def test_a_base_that_leads_above_its_host_is_read_as_browsers_read_it(tmp_path: Path) -> None:
    run([Page(url="a")], tmp_path, site="https://example.org/../%2e%2e/docs/")
    assert list(sitemaps.read(tmp_path / "sitemap.xml")) == [DOCS + "a"]
    run([Page(url="b")], tmp_path, base_url="https://example.org/x/../../docs")
    assert list(sitemaps.read(tmp_path / "sitemap.xml")) == [DOCS + "b"]


LONGEST = 2047


def test_the_longest_address_is_listed_and_longer_ones_are_named_in_one_warning(
    tmp_path: Path, schemas: Path
) -> None:
    def named(length: int, letter: str) -> str:
        return letter * (length - len(BASE))

    pages = [Page(url=named(LONGEST, "a"), source_path="fits.md")]
    pages += [Page(url=named(length, "b"), source_path=f"{length}.md") for length in (2048, 2049, 10_000)]
    # what counts is the encoded address
    pages.append(Page(url="ü" * 400, source_path="encoded.md"))
    report = run(pages, tmp_path)
    assert list(sitemaps.read(tmp_path / "sitemap.xml")) == [BASE + named(LONGEST, "a")]
    sitemaps.assert_valid(tmp_path / "sitemap.xml", schemas)
    (notice,) = [notice for notice in report.notices if notice.level == "warning"]
    assert notice.subtype == "address"
    assert notice.text == (
        "4 pages are left out, because they have an address of 2,048 or more characters: "
        "10000.md, 2048.md, 2049.md and 1 more."
    )
    assert report.left_out == {"impossible address": 4}


def test_each_cause_is_one_warning_that_names_its_pages(tmp_path: Path) -> None:
    refused = ["../a", "b/../../c", "q?x", "h#y", "\ud800", "\ud801\n"]
    report = run([Page(url=url) for url in ["fine", *refused]], tmp_path)
    assert [notice.text for notice in report.notices if notice.level == "warning"] == [
        "2 pages are left out, because they have an address that is not valid text: '\\ud800', '\\ud801\\n'.",
        f"2 pages are left out, because they have {LEADS_OUT}: ../a, b/../../c.",
        "2 pages are left out, because they have an address with a query or fragment: h#y, q?x.",
    ]
    assert list(sitemaps.read(tmp_path / "sitemap.xml")) == [BASE + "fine"]


def test_an_excluded_page_may_have_any_address(tmp_path: Path) -> None:
    pages = [Page(url="fine"), Page(url="x?y", source_path="drafts/x.md"), Page(url="../y", unlisted="draft")]
    report = run(pages, tmp_path, exclude=["drafts/"])
    assert report.left_out == {"excluded": 1, "draft": 1}
    assert {notice.level for notice in report.notices} == {"info"}


@given(st.text(st.characters(codec="utf-8"), min_size=1, max_size=20))
def test_the_name_of_a_file_has_no_query_no_fragment_and_no_escape_of_its_own(name: str) -> None:
    if "/" in name or set(name) == {"."}:
        return
    parts = urlsplit(urls.join_file(DOCS, name))
    assert not parts.query
    assert not parts.fragment
    assert unquote_to_bytes(parts.path) == b"/docs/" + name.encode()
