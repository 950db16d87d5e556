"""What heads say, and where they end, as search engines and browsers read them."""

from __future__ import annotations

from html import escape
from pathlib import Path

import pytest

from docs_sitemap.limits import MAX_STUB, MAX_TITLE
from docs_sitemap.readers.html import Head, head_of, read_head
from docs_sitemap.readers.page_parts import dates_in

pytestmark = pytest.mark.core

ROBOTS = '<meta name="robots" content="{}">'
NOINDEX = ROBOTS.format("noindex")
CANONICAL = '<link rel="canonical" href="https://example.org/a/">'


@pytest.mark.parametrize(
    "head",
    [
        *map(ROBOTS.format, ("noindex", "none", "NOINDEX, nofollow", "follow,noindex", "noarchive none")),
        "<META CONTENT='noindex' NAME='ROBOTS' />",
        "<meta content=noindex name=robots>",
        '<meta\n  name="googlebot"\n  content="noindex">',
        '<meta name="robots" content="no&#105;ndex">',
    ],
)
def test_noindex_in_each_spelling(head: str) -> None:
    assert head_of(head.encode()).noindex


@pytest.mark.parametrize(
    "head",
    [
        *map(ROBOTS.format, ("index", "nofollow", "", "noindexing", "all, max-image-preview:none-such")),
        f"<!-- {NOINDEX} -->",
        f"<script>var robots = '{NOINDEX}'</script>",
        f"<noscript>{NOINDEX}</noscript>",
        '<meta name="description" content="robots: noindex">',
        '<meta property="robots" content="noindex">',
        f"<html><head><title>A</title></head><body>{NOINDEX}</body></html>",
        f"<title>no head tag</title><body class=x>{NOINDEX}",
    ],
)
def test_what_only_looks_like_noindex(head: str) -> None:
    assert not head_of(head.encode()).noindex


@pytest.mark.parametrize(
    "before",
    [
        '<meta name="description" content="a > b, before </head><body> or after">',
        "<title>Before </head><body></title>",
        f"<style>/* </head> <body */{'a{}' * 60_000}</style>",
        "<SCRIPT>'</head><body>'</SCRIPT>",
        "<!-- </head><body> -->",
    ],
)
def test_what_looks_like_the_end_of_a_head_is_none(tmp_path: Path, before: str) -> None:
    """As on a page about HTML."""
    (tmp_path / "a.html").write_text(f"<html><head>{before}{CANONICAL}{NOINDEX}</head><body>text", "utf-8")
    assert read_head(tmp_path / "a.html") == Head(True, "https://example.org/a/")


def test_the_canonical_link() -> None:
    assert head_of(CANONICAL.encode()) == Head(canonical="https://example.org/a/")
    assert head_of(b'<link href="/a/?b=1&amp;c=2" rel="Canonical nofollow">').canonical == "/a/?b=1&c=2"
    assert head_of(b'<link rel="canonical" href="">').canonical is None


def test_what_is_between_a_head_and_its_body_belongs_to_the_head() -> None:
    start = "<html><head></head>"
    found = head_of(f"{start}<!-- -->{CANONICAL}<script></script>{ROBOTS.format('noindex')}<body>".encode())
    assert found == Head(True, "https://example.org/a/")
    assert found.end == start.index("</head>")
    for other in ("<body>", "<p>", "<noscript></noscript>"):
        assert head_of(f"{start}{other}{CANONICAL}".encode()) == Head()


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


def test_the_first_title_is_the_title_also_if_it_is_empty() -> None:
    assert head_of(b"<html><head><title> </title><title>b</title></head>").title == ""
    assert head_of(b"<html><head><title>a &amp; b</title><title>b</title></head>").title == "a & b"
    assert len(head_of(f"<title>{'word ' * 1_000}</title>".encode()).title) <= MAX_TITLE + 1


REFRESH = '<meta http-equiv="refresh" content="0; url=other.html">'


@pytest.mark.parametrize(
    ("text", "leads"),
    [
        ("<html><head></head><body>{}</body></html>", True),
        ("<html><body><p>Moved.{}", True),
        ("<HTML><BODY CLASS=x>{}", True),
        ("<html><head></head><body><template></template><noscript></noscript>{}", True),
        ("{}", True),
        ("<noscript>{}</noscript><script>location = 'other.html'</script>", True),  # in a head without tag
        ("<html><head><template>{}</template></head><body></body></html>", False),
        ("<html><head></head><body><!-- {} --></body></html>", False),
        ("<html><head></head><body><script>'{}'</script></body></html>", False),
        ("<html><head></head><body><style>{}</style></body></html>", False),
        ("<html><head></head><body><template><template></template>{}</template></body></html>", False),
        ("<html><head></head><body><noscript>{}</noscript></body></html>", False),
        ("<html><head></head><body><textarea>{}</textarea></body></html>", False),
        (f"<html><head></head><body><code>{escape(REFRESH)}</code></body></html>", False),
        ("<html><head></head><body><p title='{}'></body></html>", False),
    ],
)
def test_a_refresh_counts_where_browsers_obey_it(text: str, leads: bool) -> None:
    for tag in (REFRESH, REFRESH.upper(), REFRESH.replace('"', "").replace("0; url", "0;url")):
        assert bool(head_of(text.format(tag).encode()).refresh) is leads, tag


@pytest.mark.parametrize("content", ["300", "300; other.html"])
def test_a_refresh_of_the_page_itself_is_none(content: str) -> None:
    assert not head_of(f'<meta http-equiv="refresh" content="{content}">'.encode()).refresh


@pytest.mark.parametrize(("length", "leads"), [(MAX_STUB - 1, True), (MAX_STUB, False)])
def test_the_body_of_a_long_page_is_not_searched(length: int, leads: bool) -> None:
    """A page that only leads elsewhere is short."""
    text = f"<html><head></head><body>{REFRESH}"
    assert bool(head_of(text.ljust(length, "x").encode()).refresh) is leads
