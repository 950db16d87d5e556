"""Values that others wrote are shown in a few characters."""

from __future__ import annotations

import sys
from datetime import UTC, date, datetime

import pytest

from docs_sitemap.text import escape_control, shorten, show_value, text_of


class Own:
    """An object whose own text is not wanted."""

    def __repr__(self) -> str:
        raise AssertionError("was called")

    __str__ = __format__ = __repr__  # type: ignore[assignment]


@pytest.mark.parametrize(
    "value",
    [
        *(None, True, 0.5, -7, float("nan"), float("inf"), "", "Käse's", b"\xff", [], {}, (1, 2)),
        *(["a", {"b": [1, None]}], {"bad": 1}),
    ],
)
def test_a_short_value_is_shown_as_python_writes_it(value: object) -> None:
    assert show_value(value) == repr(value)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (date(2026, 8, 20), "'2026-08-20'"),
        (datetime(2026, 8, 20, 10, tzinfo=UTC), "'2026-08-20T10:00:00+00:00'"),
        ("x" * 200, "'" + "x" * 96 + "..."),
        (Own(), "a value of type Own"),
        ({"a": "\0\x1b\u202e\ud800"}, "{'a': '\\x00\\x1b\\u202e\\ud800'}"),
    ],
)
def test_the_text_of_a_value(value: object, text: str) -> None:
    assert show_value(value) == text


def test_any_value_is_cut() -> None:
    for value in ([0] * 1_000, {"k" * 1_000: 1}, b"\xff" * 1_000):
        assert len(show_value(value)) == 100
        assert show_value(value).endswith("...")


def test_a_name_is_shown_without_quotes() -> None:
    assert [shorten(name) for name in ("sitemap-prio", "a\nb", 7)] == ["sitemap-prio", "'a\\nb'", "7"]
    assert shorten("x" * 300, 200) == "x" * 197 + "..."


@pytest.mark.parametrize(
    ("value", "text"),
    [
        *(("Owls", "Owls"), (7, "7"), (0.5, "0.5"), (True, "True"), (date(2026, 8, 20), "2026-08-20")),
        *((value, "") for value in (None, ["Owls"], {"a": 1}, Own(), b"Owls")),
    ],
)
def test_a_scalar_has_a_text(value: object, text: str) -> None:
    assert text_of(value) == text


def test_each_character_is_escaped_or_not() -> None:
    every = "".join(map(chr, [*range(0x3000), *range(0xD7F0, sys.maxunicode + 1, 97)]))
    expected = "".join(char if char.isprintable() else f"\\x{ord(char):02x}" for char in every)
    assert escape_control("." + every) == "." + expected
