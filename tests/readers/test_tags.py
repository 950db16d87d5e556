"""The tags of HTML pages are those that browsers find."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from docs_sitemap.limits import MAX_TITLE
from docs_sitemap.readers.html import Tag, tags, unescape
from docs_sitemap.readers.page_parts import embedded, read_heading

pytestmark = pytest.mark.core

html5lib = pytest.importorskip("html5lib")

RCDATA = ("title", "textarea")
RAWTEXT = ("style", "xmp", "iframe", "noembed", "noframes")
PIECES = [
    *("<", ">", "/", "=", "'", '"', " ", "\n", "\t", "\f", "!", "?", "-", "--", "&amp;", "é", "\x0b"),
    *(
        "<script",
        "</script ",
        "<!--",
        "-->",
        "--!>",
        "<!-->",
        "<!--->",
        "<!doctype html>",
        "<![CDATA[",
        "]]>",
    ),
    *("</", "/>", "</>"),
    *("<i role=x>", "<i a=b ", "ROLE", "<i Role", " role"),
    *("<a", "<A HREF=x>", "<a b", "<img src='x'>", '<meta name="robots" content="noindex">', "<p class=a/>"),
    *(f"<{name}>" for name in (*RCDATA, *RAWTEXT, "script", "h1", "template", "noscript")),
    *(f"</{name}>" for name in (*RCDATA, *RAWTEXT, "script", "h1", "template", "noscript")),
    *("</script", "</SCRIPT >", "</title/", "</titlex>", "text"),
    *("a=b", "a = 'b'", 'a="b', "a=>", "==x", "a=b=c"),
]


def by_the_standard(text: str) -> Iterator[tuple[str, bool, dict[str, str]]]:
    """Yield the tags that html5lib's tokenizer finds, switched as its tree builder does."""
    from html5lib._tokenizer import HTMLTokenizer
    from html5lib.constants import tokenTypes

    tokenizer: Any = HTMLTokenizer(text)
    for token in tokenizer:
        if token["type"] not in (tokenTypes["StartTag"], tokenTypes["EndTag"]):
            continue
        name, is_end = token["name"], token["type"] == tokenTypes["EndTag"]
        attributes = {} if is_end else dict(token["data"])
        yield name, is_end, attributes
        if not is_end:
            tokenizer.currentToken = {"type": tokenTypes["StartTag"], "name": name}
            if name in RCDATA:
                tokenizer.state = tokenizer.rcdataState
            elif name in RAWTEXT:
                tokenizer.state = tokenizer.rawtextState
            elif name == "script":
                tokenizer.state = tokenizer.scriptDataState


def ours(text: str) -> list[tuple[str, bool, dict[str, str]]]:
    found = [tag for tag in tags(text.encode()) if tag.name]
    return [(tag.name.decode(), tag.is_end, {} if tag.is_end else all_of(tag)) for tag in found]


def all_of(tag: Tag) -> dict[str, str]:
    """Return what a tag has of all names that it may have."""
    pieces = re.split(r"[\t\n\f\r />=]", tag.rest.decode().lower())
    names = {*pieces, *(f"={piece}" for piece in pieces)}
    found: dict[str, str] = {}
    for name in names - {""}:
        found |= tag.attributes(name)
    return found


@given(st.lists(st.sampled_from(PIECES), max_size=12).map("".join))
@example("<a b='x>y' c=\"x>y\" d=x>y>")
@example("<!-- <p> --!><p><!--><b>")
@example("<a a=1 A=2>")
@example("<title><p></title ><p>")
@example("<script><!-- '<script src=x></script>' <p>//--></script><b>")
@example("<script><!--<script></script><script/</script></script></script><b>")
@example("<script><!--<script></script> --> <!-- <script x></script></script><b>")
@example("<script><!--><script></script><b><script><!---><script></script><b></script>")
@example("<script><!--<script><!--></script><b><script><!--<scripts></script><b>")
@example("<script><!--<script>--></script><script><!-- </script -- <script>")
def test_tags_are_those_of_the_standard(text: str) -> None:
    assert ours(text) == list(by_the_standard(text))


@pytest.mark.parametrize(
    "text",
    ["&lt;&amp;&quot;", "?a=1&copy=2", "&copy 2", "&#38;&#x26;&#38", "&no;&;&#;&#x;", "&amp&amp", "&ampx"],
)
def test_references_are_replaced_as_in_attributes(text: str) -> None:
    (tag,) = tags(f'<a b="{text}">'.encode())
    ((_, _, expected),) = by_the_standard(f'<a b="{text}">')
    assert {"b": unescape(text)} == tag.attributes("b") == expected


@pytest.mark.parametrize(
    ("text", "heading"),
    [
        ("<h1>One <em>two</em>\n three</h1><h1>four</h1>", "One two three"),
        ('<h1>One<a class="x headerlink" href="#one">¶<b>!</b></a> two</h1>', "One two"),
        ("<h1>One<a href=x>two</a></h1>", "Onetwo"),
        ("<h1>One<!-- two --> &amp; &#x33;</h1>", "One & 3"),
        ("<h1>One<script>two</script> three</h1>", "One three"),
        ("<script>'<h1>no</h1>'</script><H1>One</H1>", "One"),
        ("<title><h1>no</h1></title>", ""),
        ("<h1>never closed", ""),
        ("</h1><h1>One<p>two</h1>", "Onetwo"),
        ("none", ""),
    ],
)
def test_the_heading(tmp_path: Path, text: str, heading: str) -> None:
    (tmp_path / "a.html").write_text(text, "utf-8")
    assert read_heading(tmp_path / "a.html") == heading


def test_a_heading_has_an_end(tmp_path: Path) -> None:
    (tmp_path / "a.html").write_text("<h1>" + "word " * 100_000 + "</h1>", "utf-8")
    assert len(read_heading(tmp_path / "a.html")) <= MAX_TITLE + 1
    assert read_heading(tmp_path / "none.html") == read_heading(tmp_path) == ""


def test_what_a_page_embeds() -> None:
    text = b"""<img src=a.png?x><a href='b.html#c'>b</a><video poster="d.jpg"><object data=e.svg></object>
    <!-- <img src=no.png> --><script>"<img src=no.png>"</script><p title="<img src=no.png>">"""
    assert list(embedded(text)) == ["a.png", "b.html", "d.jpg", "e.svg"]
