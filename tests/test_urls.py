from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docs_sitemap import urls


@pytest.mark.parametrize(
    ("path", "encoded"),
    [
        ("a/b.html", "a/b.html"),
        ("a b/ü.html", "a%20b/%C3%BC.html"),
        ("a%20b/%C3%BC.html", "a%20b/%C3%BC.html"),
        ("100%", "100%25"),
        ("100%zz", "100%25zz"),
        ('x"<>`{}|\\^y', "x%22%3C%3E%60%7B%7D%7C%5C%5Ey"),
        ("it's&(ok)!", "it's&(ok)!"),
        ("caf\udce9", "caf%E9"),
    ],
)
def test_what_is_not_encoded_is_encoded_and_nothing_twice(path: str, encoded: str) -> None:
    assert urls.encode_path(path) == encoded


@given(st.text(st.characters(codec="utf-8")))
def test_encoding_again_changes_nothing(path: str) -> None:
    once = urls.encode_path(path)
    assert once.isascii()
    assert urls.encode_path(once) == once


def test_a_page_joins_its_base() -> None:
    assert urls.join("https://example.org/docs/", "") == "https://example.org/docs/"
    assert urls.join("https://example.org/docs/", "a b/") == "https://example.org/docs/a%20b/"
