from __future__ import annotations

import time
from html import escape
from pathlib import Path

import pytest

from docs_sitemap.check.head import scan
from docs_sitemap.limits import MAX_STUB
from docs_sitemap.published import Head, parse_head, read_head

ROBOTS = '<meta name="robots" content="{}">'
CANONICAL = '<link rel="canonical" href="https://example.org/a/">'


@pytest.mark.parametrize(
    "content",
    ["noindex", "none", "NOINDEX, nofollow", "follow,noindex", "noarchive none", "max-snippet:5, noindex"],
)
def test_noindex_in_each_spelling(content: str) -> None:
    assert parse_head(ROBOTS.format(content).encode()).noindex


@pytest.mark.parametrize(
    "content", ["index", "nofollow", "", "noindexing", "all, max-image-preview:none-such"]
)
def test_what_is_not_noindex(content: str) -> None:
    assert not parse_head(ROBOTS.format(content).encode()).noindex


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
    assert parse_head(head.encode()).noindex


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
    assert not parse_head(head.encode()).noindex


def test_the_canonical_link() -> None:
    assert parse_head(CANONICAL.encode()) == Head(canonical="https://example.org/a/")
    assert parse_head(b'<link href="/a/?b=1&amp;c=2" rel="Canonical nofollow">').canonical == "/a/?b=1&c=2"
    assert parse_head(b'<link rel="canonical" href="">').canonical is None


def test_the_short_way_gives_the_same_answer() -> None:
    for head in (
        CANONICAL,
        CANONICAL + ROBOTS.format("noindex"),
        "<!--" + CANONICAL + "-->",
        CANONICAL.upper(),
    ):
        for expected in ("https://example.org/a/", "https://example.org/b/"):
            short, whole = parse_head(head.encode(), expected), parse_head(head.encode())
            assert short == whole or "<!--" in head


def test_a_refresh_that_leads_elsewhere() -> None:
    assert parse_head(b'<meta http-equiv="Refresh" content="0; URL=other.html">').refresh
    assert not parse_head(b'<meta http-equiv="refresh" content="300">').refresh
    assert not parse_head(b'<meta http-equiv="X-UA-Compatible" content="IE=edge">').refresh


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
        ("<html><head></head><body><xmp>{}</xmp></body></html>", False),
        ("<html><head></head><body><p title='{}'></body></html>", False),
    ],
)
def test_a_refresh_counts_where_browsers_obey_it(tmp_path: Path, text: str, leads: bool) -> None:
    """The reader of builds and that of the check say the same, in each spelling."""
    page = tmp_path / "a.html"
    for tag in (REFRESH, REFRESH.upper(), REFRESH.replace('"', "").replace("0; url", "0;url")):
        page.write_text(text.format(tag))
        head = read_head(page)
        assert head is not None
        assert head.refresh is scan(page.read_bytes(), None).facts.refresh is leads, tag


def test_a_refresh_that_is_shown_is_none(tmp_path: Path) -> None:
    page = tmp_path / "a.html"
    page.write_text(f"<html><head></head><body><code>{escape(REFRESH)}</code></body></html>")
    assert read_head(page) == Head()
    assert not scan(page.read_bytes(), None).facts.refresh


def test_the_body_of_a_long_page_is_not_searched(tmp_path: Path) -> None:
    """A page that only leads elsewhere is short."""
    page = tmp_path / "a.html"
    for length, leads in ((MAX_STUB - 1, True), (MAX_STUB, False)):
        text = f"<html><head></head><body>{REFRESH}"
        page.write_text(text.ljust(length, "x"))
        head = read_head(page)
        assert head is not None
        assert head.refresh is scan(page.read_bytes(), None).facts.refresh is leads


def test_hostile_bodies_take_no_time(tmp_path: Path) -> None:
    page = tmp_path / "a.html"
    meta = "<meta http-equiv=refresh "
    for piece in (meta, meta + "x='", "<template>", "<noscript <", "<!--", "</xmp ", "<a <"):
        page.write_text("<html><body>" + (meta + ">" + piece * MAX_STUB)[: MAX_STUB - 20])
        start = time.perf_counter()
        read_head(page)
        scan(page.read_bytes(), None)
        assert time.perf_counter() - start < 2, piece
