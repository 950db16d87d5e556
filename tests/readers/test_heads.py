from __future__ import annotations

from pathlib import Path

import pytest

from docs_sitemap.limits import MAX_STUB, MAX_TITLE
from docs_sitemap.readers.html import Head, dates_in, head_of, read_head

pytestmark = pytest.mark.core

ROBOTS = '<meta name="robots" content="{}">'
CANONICAL = '<link rel="canonical" href="https://example.org/a/">'


@pytest.mark.parametrize(
    "content",
    ["noindex", "none", "NOINDEX, nofollow", "follow,noindex", "noarchive none", "max-snippet:5, noindex"],
)
def test_noindex_in_each_spelling(content: str) -> None:
    assert head_of(ROBOTS.format(content).encode()).noindex


@pytest.mark.parametrize(
    "content", ["index", "nofollow", "", "noindexing", "all, max-image-preview:none-such"]
)
def test_what_is_not_noindex(content: str) -> None:
    assert not head_of(ROBOTS.format(content).encode()).noindex


@pytest.mark.parametrize(
    "head",
    [
        "<META CONTENT='noindex' NAME='ROBOTS' />",
        "<meta content=noindex name=robots>",
        '<meta\n  name="googlebot"\n  content="noindex">',
        '<meta name="robots" content="no&#105;ndex">',
    ],
)
def test_noindex_however_the_tag_is_written(head: str) -> None:
    assert head_of(head.encode()).noindex


@pytest.mark.parametrize(
    "head",
    [
        "<!-- " + ROBOTS.format("noindex") + " -->",
        "<script>var robots = '" + ROBOTS.format("noindex") + "'</script>",
        "<noscript>" + ROBOTS.format("noindex") + "</noscript>",
        '<meta name="description" content="robots: noindex">',
        '<meta property="robots" content="noindex">',
    ],
)
def test_what_only_looks_like_noindex(head: str) -> None:
    assert not head_of(head.encode()).noindex


def test_the_canonical_link() -> None:
    assert head_of(CANONICAL.encode()) == Head(canonical="https://example.org/a/")
    assert head_of(b'<link href="/a/?b=1&amp;c=2" rel="Canonical nofollow">').canonical == "/a/?b=1&c=2"
    assert head_of(b'<link rel="canonical" href="">').canonical is None


def test_the_short_way_gives_the_same_answer() -> None:
    for head in (
        CANONICAL,
        CANONICAL + ROBOTS.format("noindex"),
        "<!--" + CANONICAL + "-->",
        CANONICAL.upper(),
    ):
        for expected in ("https://example.org/a/", "https://example.org/b/"):
            short, whole = head_of(head.encode(), expected), head_of(head.encode())
            assert short == whole or "<!--" in head


@pytest.mark.parametrize("text", ["<script>x = '</head><body>'</script>", "<!-- </head> <body> -->"])
@pytest.mark.parametrize("more", ["", f"<style>{'a' * MAX_STUB}</style>"])
def test_what_looks_like_the_end_of_a_head_in_a_script_or_a_comment_is_none(
    tmp_path: Path, text: str, more: str
) -> None:
    page = f"<!doctype html><html><head>{text}{more}{CANONICAL}{ROBOTS.format('noindex')}</head><body>"
    (tmp_path / "a.html").write_text(page)
    for expected in (None, "https://example.org/b/"):
        assert read_head(tmp_path / "a.html", expected) == Head(True, "https://example.org/a/")


def test_what_is_between_a_head_and_its_body_belongs_to_the_head() -> None:
    start = "<html><head></head>"
    found = head_of(f"{start}<!-- -->{CANONICAL}<script></script>{ROBOTS.format('noindex')}<body>".encode())
    assert found == Head(True, "https://example.org/a/")
    assert found.end == start.index("</head>")
    for other in ("<body>", "<p>", "<noscript></noscript>"):
        assert head_of(f"{start}{other}{CANONICAL}".encode()) == Head()


def test_a_refresh_that_leads_elsewhere() -> None:
    assert head_of(b'<meta http-equiv="Refresh" content="0; URL=other.html">').refresh
    assert not head_of(b'<meta http-equiv="refresh" content="300">').refresh
    assert not head_of(b'<meta http-equiv="X-UA-Compatible" content="IE=edge">').refresh


def test_the_end_of_the_head_is_not_in_a_script(tmp_path: Path) -> None:
    page = tmp_path / "a.html"
    for hidden in (
        '<script>"</head>"</script>',
        "<!-- </head> -->",
        "<style>/* <body */" + "x" * 40_000 + "</style>",
    ):
        page.write_text(f"<head>{hidden}{ROBOTS.format('noindex')}</head><body>")
        assert read_head(page) == Head(noindex=True)


def test_the_body_does_not_count(tmp_path: Path) -> None:
    page = tmp_path / "a.html"
    page.write_text("<html><head><title>A</title></head><body>" + ROBOTS.format("noindex") + "</body></html>")
    assert read_head(page) == Head()
    page.write_text("<title>no head tag</title><body class=x>" + ROBOTS.format("noindex"))
    assert read_head(page) == Head()


def test_a_head_longer_than_one_read(tmp_path: Path) -> None:
    page = tmp_path / "a.html"
    page.write_text(
        "<head><style>" + "a{}" * 60_000 + "</style>" + ROBOTS.format("noindex") + "</head><body>"
    )
    assert read_head(page) == Head(noindex=True)


@pytest.mark.parametrize("content", ["", " \n\t"])
def test_no_file_and_an_empty_one(tmp_path: Path, content: str) -> None:
    page = tmp_path / "a.html"
    assert read_head(page) is None
    page.write_text(content)
    assert read_head(page) is None


def test_bytes_outside_utf8(tmp_path: Path) -> None:
    page = tmp_path / "a.html"
    page.write_bytes(b"<head><title>caf\xe9</title>" + ROBOTS.format("noindex").encode() + b"</head>")
    assert read_head(page) == Head(noindex=True)


MODIFIED = '<meta property="article:modified_time" content="2024-05-01">'


@pytest.mark.parametrize(
    ("head", "stated"),
    [
        (MODIFIED, {"article:modified_time"}),
        ("<META content=x NAME=' Article:Modified_Time '/>", {"article:modified_time"}),
        ('<script type=application/ld+json>{"dateModified" : "x"}</script>', {"dateModified"}),
        ('<script type="application/ld+json">{"datePublished":"x"}</script>', {"datePublished"}),
        (f'<title>{MODIFIED} "dateModified":</title>', set()),
        (f"<!-- {MODIFIED} --><template>{MODIFIED}</template><noscript>{MODIFIED}</noscript>", set()),
        ('<script>x = {"dateModified": 1}</script>', set()),
        (r'<script type="application/ld+json">{"text": "\"dateModified\": x"}</script>', set()),
        ("<meta name=description content='\"dateModified\": article:modified_time'>", set()),
    ],
)
def test_the_dates_that_a_head_states(head: str, stated: set[str]) -> None:
    known = {"article:modified_time", "article:published_time", "dateModified", "datePublished"}
    assert dates_in(f"<head>{head}".encode()) & known == stated


@pytest.mark.parametrize(
    "before",
    [
        '<meta name="description" content="before </head><body> or after">',
        '<meta name="description" content="a > b, before </head><body> or after">',
        "<title>Before </head><body></title>",
        "<style>/* </head> <body */</style>",
        "<SCRIPT>'</head><body>'</SCRIPT>",
        "<!-- </head><body> -->",
    ],
)
def test_the_quick_way_says_the_same(tmp_path: Path, before: str) -> None:
    """Also on a page about HTML."""
    for more in ("", " " * MAX_STUB):
        after = '<meta name="robots" content="noindex"></head><body>text</body></html>'
        (tmp_path / "a.html").write_text(f"<html><head>{before}{after}{more}", "utf-8")
        head = read_head(tmp_path / "a.html", "https://e.org/")
        assert head
        assert head.noindex
        data = f"<html><head>{before}</head><body>text</body></html>".encode()
        assert not head_of(data, "https://e.org/").noindex


def test_the_first_title_is_the_title_also_if_it_is_empty() -> None:
    assert head_of(b"<html><head><title> </title><title>b</title></head>").title == ""
    assert head_of(b"<html><head><title>a &amp; b</title><title>b</title></head>").title == "a & b"
    assert len(head_of(f"<title>{'word ' * 1_000}</title>".encode()).title) <= MAX_TITLE + 1
