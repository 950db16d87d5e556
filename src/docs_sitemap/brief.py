"""Values that others wrote, as short text: none is ever formatted as a whole.

Four hundred bytes of YAML stand for a list of many gigabytes: each alias counts as all that it names. A
whole number may have more digits than Python writes. Knows no format and no message.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import date, time
from typing import Any, Final

from docs_sitemap.limits import MAX_SHOWN, MAX_TITLE

_DEPTH: Final = 3
"""Containers within each other whose items are shown."""

_LARGE: Final = 256
"""Bits of a whole number whose digits are not shown."""

_BRACKETS: Final[tuple[tuple[type, str, str], ...]] = (
    (list, "[", "]"),
    (tuple, "(", ")"),
    (frozenset, "{", "}"),
    (set, "{", "}"),
    (dict, "{", "}"),
)


def brief(value: object, limit: int = MAX_SHOWN) -> str:
    """Return at most so many printable characters that show a value as Python writes it, whatever it is.

    Takes no more time and memory than these need. Of what is no plain data only the type is shown: its own
    ``__repr__`` is never called.

    >>> brief(["x" * 10**6])[:8], len(brief(["x" * 10**6])), brief(16**5000)
    ("['xxxxxx", 100, 'a number of 6,021 digits')
    """
    text = ""
    for piece in _pieces(value, _DEPTH, limit):
        text += piece
        if len(text) > limit:
            return text[: limit - 3] + "..."
    return text


def shown(text: str, limit: int = MAX_SHOWN) -> str:
    """Return a text that stands without quotes, such as a name or an address: whole, cut, or escaped.

    >>> shown("sitemap-prio"), shown("https://example.org/", 11)
    ('sitemap-prio', 'https://...')
    """
    short = text if len(text) <= limit else text[: limit - 3] + "..."
    return short if short.isprintable() else brief(short)


def name_of(key: object) -> str:
    """Return a key of a mapping that others wrote, to be shown without quotes."""
    return shown(key) if isinstance(key, str) else brief(key)


def text_of(value: object) -> str:
    """Return the text of a text, number, date or bool, 10,000 characters at most; ``""`` for all else.

    >>> text_of("Owls"), text_of(2026), text_of(None), text_of(["Owls"]), text_of(10**5000)
    ('Owls', '2026', '', '', '')
    """
    if isinstance(value, str):
        return str.__getitem__(value, slice(MAX_TITLE))
    if isinstance(value, int) and value.bit_length() > _LARGE:
        return ""
    return str(value) if type(value) in (bool, int, float) or isinstance(value, (date, time)) else ""


def _pieces(value: Any, depth: int, limit: int) -> Iterator[str]:
    """Yield the text of a value, none of it empty; a reader that has enough stops."""
    if isinstance(value, (str, bytes)):
        plain: Any = str if isinstance(value, str) else bytes  # whatever a type of its own makes of these
        yield repr(plain.__getitem__(value, slice(limit)))
        if len(value) > limit:
            yield "..."
        return
    for kind, opening, closing in _BRACKETS:
        if isinstance(value, kind):
            yield opening
            yield from _items(value, depth, limit)
            yield closing
            return
    yield _scalar(value)


def _items(value: Any, depth: int, limit: int) -> Iterator[str]:
    separator = ""
    for item in value:
        if separator:
            yield separator
        separator = ", "
        if not depth:
            yield "..."
            return
        yield from _pieces(item, depth - 1, limit)
        if isinstance(value, Mapping):
            yield ": "
            yield from _pieces(value[item], depth - 1, limit)


def _scalar(value: Any) -> str:
    if isinstance(value, int) and value.bit_length() > _LARGE:
        return f"a number of {int(value.bit_length() * 0.30103) + 1:,} digits"
    if value is None or type(value) in (bool, int, float):
        return repr(value)
    if isinstance(value, (date, time)):
        return repr(value.isoformat())  # as they stand in YAML
    return f"a value of type {type(value).__name__}"
