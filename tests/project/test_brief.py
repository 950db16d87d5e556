"""Values that others wrote are shown in a few characters, and never formatted as a whole."""

from __future__ import annotations

import sys
from collections.abc import Callable
from datetime import UTC, date, datetime
from typing import Any

import pytest

from docs_sitemap.brief import brief, name_of, printable, shown, text_of
from tests.support.bombs import nested


def within_itself() -> list[Any]:
    value: list[Any] = []
    value.append(value)
    return value


def deep() -> list[Any]:
    value: list[Any] = []
    for _ in range(100_000):
        value = [value]
    return value


class Own:
    """An object whose own text takes all memory."""

    def __repr__(self) -> str:
        raise AssertionError("was called")

    __str__ = __format__ = __repr__  # type: ignore[assignment]


class Text(str):
    """A text with an own ``__repr__``, as documents have it."""

    __slots__ = ()

    def __repr__(self) -> str:
        raise AssertionError("was called")


HOSTILE: dict[str, Callable[[], object]] = {
    "nested aliases": nested,
    "nested mappings": lambda: {"a": {"b": {"c": {"d": nested()}}}},
    "a list within itself": within_itself,
    "deep": deep,
    "a number of many digits": lambda: 10**50_000,
    "a negative one": lambda: -(10**50_000),
    "in a list": lambda: [10**50_000] * 3,
    "a long text": lambda: "x" * 10_000_000,
    "long bytes": lambda: b"\xff" * 10_000_000,
    "many items": lambda: [0] * 1_000_000,
    "long keys": lambda: {"k" * 10_000_000: 1},
    "an object": Own,
    "a list of objects": lambda: [Own()] * 1000,
    "a text of another type": lambda: Text("x" * 1000),
    "control characters": lambda: "\0\x1b[2J\n\u202e\ud800" * 100,
}


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


def test_the_text_of_a_value() -> None:
    moment = datetime(2026, 8, 20, 10, tzinfo=UTC)
    assert brief(date(2026, 8, 20)) == "'2026-08-20'"
    assert brief([moment]) == "['2026-08-20T10:00:00+00:00']"
    assert brief(object()) == "a value of type object"
    assert brief("x" * 200) == "'" + "x" * 96 + "..."
    assert brief([[[[["x"]]]]]) == "[[[[...]]]]"
    assert brief(-(16**5000)) == "a number of 6,021 digits"
    assert name_of("sitemap-prio") == "sitemap-prio"
    assert name_of("a\nb") == "'a\\nb'"
    assert name_of(7) == "7"
    assert shown("x" * 300, 200) == "x" * 197 + "..."


@pytest.mark.parametrize(
    ("value", "text"),
    [("Owls", "Owls"), (7, "7"), (0.5, "0.5"), (True, "True"), (date(2026, 8, 20), "2026-08-20")],
)
def test_a_scalar_has_a_text(value: object, text: str) -> None:
    assert text_of(value) == text


def test_what_is_no_scalar_has_none() -> None:
    values = [None, ["Owls"], {"a": 1}, nested(), 10**5000, Own(), b"Owls"]
    assert [text_of(value) for value in values] == [""] * len(values)


def test_each_character_is_escaped_or_not_the_same_each_time() -> None:
    every = "".join(map(chr, range(sys.maxunicode + 1)))
    expected = "".join(char if char.isprintable() else f"\\x{ord(char):02x}" for char in every)
    for _ in range(2):
        assert printable("." + every) == "." + expected
