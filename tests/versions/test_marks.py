"""The mark in one page: exactly one element more, and the same bytes again after it is removed."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import quote

import html5lib
import pytest
from hypothesis import given
from hypothesis import strategies as st

from docs_sitemap.versions.marks import CANONICAL, NOINDEX, Addresses, Shared, Task, edited

pytestmark = pytest.mark.core

BASE = "https://docs.acme.org/"
URL = f"{BASE}1.0/guide/index.html"
TARGET = f"{BASE}2.0/guide/?a=1&b=2"
HEAD = (
    "<!doctype html>\r\n<html lang=en>\r\n<head><meta charset=utf-8><title>a </head> b</title>%s</head>\n"
    "<body>Text."
)

PAGES = {
    "no canonical": HEAD % "",
    "its own": HEAD % f'<link rel="canonical" href="{URL}">',
    "relative, in capitals, without quotes": HEAD % "<LINK HREF=../guide/ REL='nofollow Canonical' >",
    "old": HEAD % f"\n\t<link\n\thref='{BASE}1.0/x' rel=canonical />\n",
    "in a comment": HEAD % f'<!-- <link rel="canonical" href="{URL}"> -->',
    "in a script": HEAD % f"<script>'<link rel=canonical href={URL}>'</script>",
    "in noscript": HEAD % f'<noscript><link rel="canonical" href="{URL}"></noscript>',
    "no head": "<!doctype html><title>x</title><p>Text <link rel=canonical href=https://a.org/>",
    "no tags of a head": "<title>x</title>\n  Text",
    "an element that ends the head": HEAD % f'<div></div><link rel="canonical" href="{URL}">',
    "only a head": "<title>x</title><meta name=a content=b>",
    "XHTML": '<?xml version="1.0"?><!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Strict//EN" "x.dtd">\n<html '
    f'xmlns="http://www.w3.org/1999/xhtml"><head><title>x</title><link rel="canonical" href="{URL}"/></head>'
    "<body></body></html>",
    "a byte order mark": "\ufeff" + HEAD % "",
    "after the end tag of the head": (HEAD % "").replace(
        "<body>", f'<!-- --><link rel="canonical" href="{URL}"><script></script><body>'
    ),
    "another number": HEAD % f'&#320;<link rel="canonical" href="{URL}">',
    "a blank that is none": HEAD % f'\v<link rel="canonical" href="{URL}">',
    **{
        f"</{name}>": HEAD % f'</{name}><link rel="canonical" href="{URL}">'
        for name in ("html", "body", "br", "p", "template", "noscript")
    },
    "noscript in the body": (HEAD % "").replace(
        "<body>", f'<noscript></noscript><link rel="canonical" href="{URL}">'
    ),
    "a base": HEAD % f'<link rel="canonical" href="x"><base target=_top><base href="{BASE}1.0/">',
    "an index robots tag": HEAD % '<meta name="robots" content="index, follow">',
}


def mark(data: bytes, target: str | None) -> tuple[bytes, str]:
    task = Task("1.0/guide/index.html", URL, target)
    return edited(data, task, Shared(Path(), Addresses({BASE: None}), is_dry=True))


def said(data: bytes) -> list[tuple[str, str]]:
    """What an independent reader finds in the head: canonical links, and robots tags that exclude."""
    tree = html5lib.parse(data, namespaceHTMLElements=False)
    head = tree.find("head")
    found = [
        (CANONICAL, link.get("href", ""))
        for link in head.findall("link")
        if "canonical" in link.get("rel", "").lower().split()
    ]
    return found + [
        (NOINDEX, "") for meta in head.findall("meta") if "noindex" in (meta.get("content") or "").lower()
    ]


@pytest.mark.parametrize("encoding", ["utf-8", "windows-1252", "shift_jis", "gb18030"])
@pytest.mark.parametrize("name", PAGES)
def test_a_mark_is_what_a_reader_finds_and_nothing_else_changes(name: str, encoding: str) -> None:
    if name == "a byte order mark" and encoding != "utf-8":
        pytest.skip("only UTF-8 and UTF-16 have one on the web")
    page = PAGES[name].encode(encoding, "ignore")
    for target, expected in ((TARGET, (CANONICAL, TARGET)), ("", (NOINDEX, ""))):
        new, result = mark(page, target)
        assert result == expected[0]
        assert said(new) == [expected]
        both = zip(page, new, strict=False)
        start = next((at for at, (one, other) in enumerate(both) if one != other), len(page))
        start = new.rindex(b"<", 0, start + 1)
        rest = new[new.index(b"/>", start) + 2 :]
        assert page.startswith(new[:start])
        assert page.endswith(rest)
        assert mark(new, target) == (new, result)
        assert mark(new, None) == (page, "")


def test_a_mark_changes_into_another_and_back() -> None:
    page = (HEAD % f'<link rel="canonical" href="{URL}">').encode()
    one, _ = mark(page, TARGET)
    two, _ = mark(one, "")
    three, _ = mark(two, f"{BASE}3.0/guide/")
    assert said(three) == [(CANONICAL, f"{BASE}3.0/guide/")]
    assert mark(three, TARGET)[0] == one
    assert mark(three, None)[0] == page


UNTOUCHED = {
    "its canonical link leads to another site": '<link rel="canonical" href="https://other.org/1.0/">',
    "it has several canonical links": f'<link rel=canonical href="{URL}"><link rel=canonical href="{URL}">',
    "it is a redirect": '<meta http-equiv="refresh" content="0; url=../">',
    "it is already noindex": "<meta name=ROBOTS content='none'>",
}


@pytest.mark.parametrize("why", UNTOUCHED)
def test_what_the_page_says_itself_stays(why: str) -> None:
    page = (HEAD % UNTOUCHED[why]).encode()
    assert mark(page, TARGET) == (page, why)
    if why != "it is already noindex":
        assert mark(page, "") == (page, why)
    else:
        assert mark(page, "") == (page, NOINDEX)


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-32", "iso2022_jp", "iso2022_kr", "hz"])
@pytest.mark.parametrize("declared", ["", "iso-2022-jp", "csISO2022KR", "HZ-GB-2312"])
def test_a_page_whose_tags_cannot_be_read_stays(encoding: str, declared: str) -> None:
    """Bytes of a character may be those of a quote, or of a tag."""
    if encoding == "hz" and not declared:
        pytest.skip("without a declaration, it is ASCII for browsers too")
    meta = f"<meta http-equiv='Content-Type' content='text/html; charset={declared}'>" if declared else ""
    page = (HEAD.replace("%s", f'{meta}<meta name=description content="\u5171\u8aac\u660e">')).encode(
        encoding, "replace"
    )
    assert mark(page, TARGET) == (page, "its encoding is UTF-16, ISO-2022-JP or similar")


@pytest.mark.parametrize("text", ["<p>charset=iso-2022-jp", "\x1b[31mred\x1b(B\x1b[m"])
def test_a_page_about_encodings_is_marked(text: str) -> None:
    page = (HEAD % "" + "text " * 500 + text).encode()
    assert mark(page, TARGET)[1] == CANONICAL


def test_a_page_that_says_already_what_it_should_stays() -> None:
    page = (HEAD % f'<link rel="canonical" href="{TARGET.replace("&", "&amp;")}">').encode()
    assert mark(page, TARGET) == (page, CANONICAL)


@pytest.mark.parametrize("place", ["in place of another", "beside another"])
def test_a_page_with_several_marks_stays(place: str) -> None:
    inner, _ = mark((HEAD % "").encode(), f"{BASE}3.0/")
    one = inner[inner.index(b"<link") : inner.index(b"</head>\n")]
    outer = one.replace(b'=""', b'="%b"' % quote(one).encode()) if place == "in place of another" else one * 2
    page = inner.replace(one, outer)
    for target in (TARGET, "", None):
        assert mark(page, target) == (page, "it has several marks of docs-sitemap")


def test_noindex_after_the_end_tag_of_the_head_counts() -> None:
    page = (HEAD % "").replace("<body>", '<meta name="robots" content="noindex"><body>').encode()
    assert mark(page, TARGET) == (page, "it is already noindex")


def test_what_is_in_a_template_does_not_count() -> None:
    inner = '<template><link rel="canonical" href="/"><template></template><div></head></template>'
    page = (HEAD % f'{inner}<link rel="canonical" href="{URL}">').encode()
    new, _ = mark(page, TARGET)
    assert (new.count(b"<link"), new.count(b"data-docs-sitemap"), inner.encode() in new) == (2, 1, True)


def test_a_relative_link_is_relative_to_the_base_of_the_page() -> None:
    page = (HEAD % '<base href="https://other.org/docs/"><link rel="canonical" href="guide/">').encode()
    assert mark(page, TARGET) == (page, "its canonical link leads to another site")
    page = (HEAD % '<base href="../../2.0/"><link rel="canonical" href="guide/?a=1&amp;b=2">').encode()
    assert mark(page, TARGET) == (page, CANONICAL)


NAMES = ("br", "head", "body", "html", "p", "title", "script", "style", "noscript", "template")
PIECES = st.sampled_from(
    [
        *(f"<{slash}{name}>" for name in NAMES for slash in ("", "/")),
        *("<!--", "-->", "<!doctype html>", "<meta charset=x>", "<link rel=x>", "<base href=/x/>", "<", "x"),
        *(
            f"<link rel=canonical href={URL}>",
            "<meta name=robots content=noindex>",
            "ü",
            "&amp;",
            "\0",
            "\n",
            "\v",
        ),
    ]
)


@given(st.lists(PIECES, max_size=12).map("".join), st.sampled_from([TARGET, ""]))
def test_whatever_the_page_undo_gives_it_back(text: str, target: str) -> None:
    page = text.encode()
    new, result = mark(page, target)
    assert mark(new, None)[0] == page
    if new != page:
        assert mark(new, target) == (new, result)
        assert said(new) == [(result, target)]
