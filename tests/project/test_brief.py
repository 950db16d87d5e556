"""Values that others wrote are shown in a few characters."""

from __future__ import annotations

import sys
from datetime import UTC, date, datetime
from typing import Any

import pytest

from docs_sitemap.brief import brief, printable, shown, text_of

WITHIN_ITSELF: list[Any] = []
WITHIN_ITSELF.append(WITHIN_ITSELF)


class Own:
    """An object whose own text is not wanted."""

    def __repr__(self) -> str:
        raise AssertionError("was called")

    __str__ = __format__ = __repr__  # type: ignore[assignment]


class Text(str):
    """A text with an own ``__repr__``, as documents have it."""

    __slots__ = ()

    def __repr__(self) -> str:
        raise AssertionError("was called")


@pytest.mark.parametrize(
    "value",
    [
        None,
        True,
        0.5,
        -7,
        float("nan"),
        float("inf"),
        "",
        "Käse's",
        b"\xff",
        [],
        {},
        ["a", {"b": [1, None]}],
        {"bad": 1},
        (1, 2),
    ],
)
def test_a_short_value_is_shown_as_python_writes_it(value: object) -> None:
    assert brief(value) == repr(value)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (date(2026, 8, 20), "'2026-08-20'"),
        ([datetime(2026, 8, 20, 10, tzinfo=UTC)], "['2026-08-20T10:00:00+00:00']"),
        ("x" * 200, "'" + "x" * 96 + "..."),
        ([[[[["x"]]]]], "[[[[...]]]]"),
        (WITHIN_ITSELF, "[[[[...]]]]"),
        ([Own(), 10**50_000], "[a value of type Own, a value of type int]"),
        (Text("a"), "'a'"),
        ({Text("a"): "\0\x1b\u202e\ud800"}, "{'a': '\\x00\\x1b\\u202e\\ud800'}"),
    ],
)
def test_the_text_of_a_value(value: object, text: str) -> None:
    assert brief(value) == text


def test_any_value_is_cut() -> None:
    for value in ([0] * 1_000, {"k" * 1_000: 1}, b"\xff" * 1_000):
        assert len(brief(value)) == 100
        assert brief(value).endswith("...")


def test_a_name_is_shown_without_quotes() -> None:
    assert [shown(name) for name in ("sitemap-prio", "a\nb", 7)] == ["sitemap-prio", "'a\\nb'", "7"]
    assert shown("x" * 300, 200) == "x" * 197 + "..."


@pytest.mark.parametrize(
    ("value", "text"),
    [
        *(("Owls", "Owls"), (7, "7"), (0.5, "0.5"), (True, "True"), (date(2026, 8, 20), "2026-08-20")),
        *((value, "") for value in (None, ["Owls"], {"a": 1}, [10**5000], Own(), b"Owls")),
    ],
)
def test_a_scalar_has_a_text(value: object, text: str) -> None:
    assert text_of(value) == text


def test_a_number_of_more_digits_than_python_converts_has_no_text() -> None:
    assert (text_of(10**5000), brief(10**5000)) == ("", "a value of type int")


def test_each_character_is_escaped_or_not() -> None:
    every = "".join(map(chr, range(sys.maxunicode + 1)))
    expected = "".join(char if char.isprintable() else f"\\x{ord(char):02x}" for char in every)
    assert printable("." + every) == "." + expected
