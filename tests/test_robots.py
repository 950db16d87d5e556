from __future__ import annotations

import urllib.robotparser

import pytest

from docs_sitemap.robots import complete, named_by_us

MAP = "https://example.org/sitemap.xml"


def named(text: bytes | None) -> list[str]:
    """The sitemaps that the standard library's parser reads."""
    parser = urllib.robotparser.RobotFileParser()
    parser.parse((text or b"").decode("utf-8-sig", "replace").splitlines())
    return parser.site_maps() or []


def test_without_a_file_a_minimal_one_allows_everything() -> None:
    text = complete(None, MAP)
    assert text is not None
    assert named(text) == [MAP]
    parser = urllib.robotparser.RobotFileParser()
    parser.parse(text.decode().splitlines())
    assert parser.can_fetch("anybot", "https://example.org/any/page")


USERS = [
    b"User-agent: *\nDisallow: /private/\n",
    b"User-agent: *\r\nDisallow: /private/\r\n",
    b"User-agent: *\nDisallow: /private/",
    b"\xef\xbb\xbfUser-agent: *\nDisallow:\n",
    b"# see https://example.org/sitemap.xml\nUser-agent: *\nDisallow:\n",
    b"Sitemap: https://example.org/other.xml\n",
    b"User-agent: *\nDisallow: /caf\xe9\n",
    b"",
]


@pytest.mark.parametrize("own", USERS)
def test_a_users_file_keeps_each_byte_and_gets_the_line_once(own: bytes) -> None:
    text = complete(own, MAP)
    assert text is not None
    assert text.startswith(own)
    assert text.count(b"\nSitemap: " + MAP.encode()) == 1
    assert b"\r\n" not in own or b"\n" not in text.replace(b"\r\n", b"")
    assert complete(text, MAP) == text


@pytest.mark.parametrize("line", [b"Sitemap: ", b"SITEMAP:", b"sitemap :\t", b"  Sitemap:  "])
def test_a_file_that_names_the_sitemap_stays_as_it_is(line: bytes) -> None:
    own = line + MAP.encode() + b"\nUser-agent: *\nDisallow:\n"
    assert complete(own, MAP) == own
    assert complete(b"\xef\xbb\xbf" + own, MAP) == b"\xef\xbb\xbf" + own
    assert complete(own.replace(b"\n", b" # ours\n", 1), MAP) == own.replace(b"\n", b" # ours\n", 1)


def test_another_sitemap_of_a_like_name_is_not_ours() -> None:
    text = complete(b"Sitemap: " + MAP.encode() + b".gz\n", MAP)
    assert named(text) == [MAP + ".gz", MAP]


@pytest.mark.parametrize("own", [None, *USERS])
def test_a_new_address_takes_the_place_of_the_old_one(own: bytes | None) -> None:
    new = "https://example.org/new/sitemap.xml"
    after = complete(complete(own, MAP), new)
    assert MAP not in named(after)
    assert new in named(after)


def test_without_a_sitemap_only_what_is_ours_goes() -> None:
    assert complete(complete(None, MAP), None) is None
    assert complete(None, None) is None
    own = b"User-agent: *\nDisallow: /private/\n"
    assert complete(complete(own, MAP), None) == own


def test_a_users_file_that_began_as_a_copy_of_ours_is_theirs() -> None:
    copy = complete(None, MAP)
    assert copy is not None
    own = copy.replace(b"Allow: /", b"Disallow: /private/")
    assert complete(own, MAP) == own
    assert complete(own, None) == own


COPIES = [
    b"# Written by docs-sitemap\nUser-agent: *\nAllow: /\n\nSitemap: %b\nSitemap: https://example.org/blog.xml\n",
    b"User-agent: *\nDisallow: /p\n\n# Added by docs-sitemap\nSitemap: %b\nSitemap: https://example.org/blog.xml\n",
    b"\n# Added by docs-sitemap\nSitemap: %b\n\nUser-agent: *\nDisallow: /p\n",
]


@pytest.mark.parametrize("copy", COPIES)
def test_lines_that_a_user_wrote_around_ours_stay(copy: bytes) -> None:
    own = copy % MAP.encode()
    assert complete(own, MAP) == own
    assert complete(own, None) == own
    other = complete(own, "https://example.org/other.xml")
    assert other is not None
    assert other.startswith(own)


def test_our_own_line_is_known_again() -> None:
    assert named_by_us(complete(None, MAP)) == MAP
    assert named_by_us(complete(b"User-agent: *\n", MAP)) == MAP
    assert named_by_us(b"Sitemap: " + MAP.encode() + b"\n") is None
    assert named_by_us(None) is None
