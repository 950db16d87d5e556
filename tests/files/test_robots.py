from __future__ import annotations

import urllib.robotparser
from urllib.parse import unquote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docs_sitemap.files.robots import can_complete, complete, named_by_us, users_part

MAP = "https://example.org/sitemap.xml"
OTHER = "https://example.org/blog/sitemap.xml"
THIRD = "https://example.org/a%20b/%C3%A9.xml"
BOM = b"\xef\xbb\xbf"
REMARK = b"# Added by docs-sitemap"


def named(text: bytes | None) -> list[str]:
    """The sitemaps that the standard library's parser reads; it undoes the percent-encoding."""
    parser = urllib.robotparser.RobotFileParser()
    parser.parse((text or b"").decode("utf-8-sig", "replace").splitlines())
    return parser.site_maps() or []


def test_without_a_file_a_minimal_one_allows_everything() -> None:
    text = complete(None, [MAP, OTHER])
    assert text is not None
    assert named(text) == [MAP, OTHER]
    parser = urllib.robotparser.RobotFileParser()
    parser.parse(text.decode().splitlines())
    assert parser.can_fetch("anybot", "https://example.org/any/page")


def test_each_sitemap_has_a_remark_of_its_own() -> None:
    minimal = f"# Written by docs-sitemap\nUser-agent: *\nAllow: /\n\nSitemap: {MAP}\n"
    added = f"\n# Added by docs-sitemap\nSitemap: {OTHER}\n\n# Added by docs-sitemap\nSitemap: {THIRD}\n"
    assert complete(None, [MAP, OTHER, THIRD]) == (minimal + added).encode()
    assert complete(b"User-agent: *\n", [OTHER, THIRD]) == b"User-agent: *\n" + added.encode()


USERS = [
    b"User-agent: *\nDisallow: /private/\n",
    b"User-agent: *\r\nDisallow: /private/\r\n",
    b"User-agent: *\rDisallow: /private/\r",
    b"User-agent: *\nDisallow: /private/",
    b"User-agent: *\r\nDisallow: /private/",
    b"User-agent: *\rDisallow: /private/",
    b"User-agent: *\nDisallow: /private/\r",
    b"User-agent: *",
    b"# a remark",
    BOM,
    BOM + b"User-agent: *\nDisallow:\n",
    b"# see https://example.org/sitemap.xml\nUser-agent: *\nDisallow:\n",
    b"# Sitemap: https://example.org/sitemap.xml\n",
    b"#\rSitemap: https://example.org/other.xml\r",
    b"Allow: / # Sitemap: https://example.org/sitemap.xml\n",
    b"Sitemap: https://example.org/other.xml\n",
    b"Sitemap: https://example.org/sitemap.xml.gz\n",
    b"Sitemap: https://example.org/SITEMAP.xml\n",
    b"Sitemaps: https://example.org/sitemap.xml\n",
    b"User-agent: *\nDisallow: /caf\xe9\n",
    b"\0\0\nUser-agent: *\n\0",
    b"\n",
    b"\r",
    b"\n\r\n\r",
    b"",
]


@pytest.mark.parametrize("own", USERS)
def test_a_users_file_keeps_each_byte_and_gets_each_line_once(own: bytes) -> None:
    text = complete(own, [MAP, OTHER])
    assert text is not None
    assert text.startswith(own)
    lines = text.splitlines()
    assert lines.count(b"Sitemap: " + MAP.encode()) == lines.count(b"Sitemap: " + OTHER.encode()) == 1
    assert named(text)[-2:] == [MAP, OTHER]
    assert complete(text, [MAP, OTHER]) == text
    assert complete(text, []) == own


@pytest.mark.parametrize("end", [b"\r\n", b"\n", b"\r"])
@pytest.mark.parametrize("last", [b"", b"Disallow: /", b"\0"])
def test_what_is_added_has_the_line_endings_of_the_file(end: bytes, last: bytes) -> None:
    own = b"User-agent: *" + end + last
    text = complete(own, [MAP, OTHER])
    assert text is not None
    added = text.removeprefix(own)
    assert added.count(end) == 6
    assert not {10, 13} & set(added.replace(end, b""))


@pytest.mark.parametrize("end", [b"\n", b" # ours\r\n", b""])
@pytest.mark.parametrize("line", [b"Sitemap: ", b"SITEMAP:", b"sitemap :\t", b"  Sitemap:  "])
@pytest.mark.parametrize("before", [b"", BOM, b"User-agent: *\r\n"])
def test_a_file_that_names_the_sitemap_stays_as_it_is(before: bytes, line: bytes, end: bytes) -> None:
    own = before + line + MAP.encode() + end
    assert complete(own, [MAP]) == own
    assert complete(own, []) == own
    assert named_by_us(own) == []


def test_only_the_lines_that_are_missing_are_added() -> None:
    own = b"Sitemap: " + OTHER.encode() + b"\n"
    assert complete(own, [MAP, OTHER, THIRD, MAP]) == complete(own, [MAP, THIRD])
    assert named(complete(own, [MAP, OTHER, THIRD])) == [OTHER, MAP, unquote(THIRD)]


def test_a_users_file_that_began_as_a_copy_of_ours_is_theirs() -> None:
    copy = complete(None, [MAP])
    assert copy is not None
    own = copy.replace(b"Allow: /", b"Disallow: /private/")
    assert complete(own, [MAP]) == own
    assert complete(own, []) == own


COPIES = [
    b"# Written by docs-sitemap\nUser-agent: *\nAllow: /\n\nSitemap: %b\nSitemap: https://example.org/u.xml\n",
    b"# Written by docs-sitemap\nUser-agent: *\nAllow: /\n\nSitemap: %b # mine\n",
    b"# Written by docs-sitemap\r\nUser-agent: *\r\nAllow: /\r\n\r\nSitemap: %b\r\n",
    b"User-agent: *\nDisallow: /p\n\n# Added by docs-sitemap\nSitemap: %b\nSitemap: https://example.org/u.xml\n",
    b"User-agent: *\nDisallow: /p\n\n# Added by docs-sitemap\nSitemap: %b # mine\n",
    b"User-agent: *\nDisallow: /p\n\n# Added by docs-sitemap\nSitemap: %b",
    b"User-agent: *\nDisallow: /p\n\n# Added by docs-sitemap\nSitemap: %b\n\n",
    b"User-agent: *\nDisallow: /p\n\n# Added by docs-sitemap\r\nSitemap: %b\n",
    b"User-agent: *\r\nDisallow: /p\r\n\n# Added by docs-sitemap\nSitemap: %b\n",
    b"\n# Added by docs-sitemap\nSitemap: %b\n\nUser-agent: *\nDisallow: /p\n",
    b"# Added by docs-sitemap\nSitemap: %b\n",
]


@pytest.mark.parametrize("copy", COPIES)
def test_lines_that_a_user_wrote_around_ours_stay(copy: bytes) -> None:
    own = copy % MAP.encode()
    assert named_by_us(own) == []
    assert complete(own, [MAP]) == own
    assert complete(own, []) == own
    other = complete(own, [OTHER, THIRD])
    assert other is not None
    assert other.startswith(own)
    assert complete(other, []) == own


SITEMAPS = st.lists(
    st.sampled_from([MAP, OTHER, THIRD, MAP + ".gz", "https://example.org/?a=b&c"]), max_size=4
)
PIECES = st.sampled_from(
    [
        *USERS,
        *(copy % MAP.encode() for copy in COPIES),
        *(
            complete(own, [MAP, OTHER]) or b""
            for own in (None, b"", b"x", b"x\r", b"x\r\n", b"x\n", b"\r\ny\r")
        ),
        *(b"\r", b"\n", b"\r\n", b" ", b"#", b"\0", BOM, b"\xff\xfe", b"\xe9", b"\x0b", b"\x0c", b"\x1c"),
        *(REMARK, b"Sitemap: ", b"Sitemap: " + MAP.encode(), OTHER.encode()),
        "\u2028Sitemap:\x85".encode(),
    ]
)
FILES = st.one_of(st.binary(max_size=60), st.lists(PIECES, max_size=6).map(b"".join))


@given(FILES, SITEMAPS, SITEMAPS)
def test_what_an_earlier_build_added_leaves_no_trace(own: bytes, before: list[str], now: list[str]) -> None:
    assert complete(complete(own, before), now) == complete(own, now)
    assert complete(complete(own, before), []) == users_part(own)


@given(FILES, SITEMAPS)
def test_every_sitemap_is_found_by_the_standard_library(own: bytes, sitemaps: list[str]) -> None:
    text = complete(own, sitemaps)
    if can_complete(own) and _is_utf8(own):
        assert {unquote(sitemap) for sitemap in sitemaps} <= set(named(text))


def _is_utf8(text: bytes) -> bool:
    try:
        text.decode()
    except UnicodeDecodeError:
        return False
    return True
