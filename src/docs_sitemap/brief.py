"""Shows untrusted values as short text, without ever formatting a whole value.

Four hundred bytes of YAML with nested aliases can expand to a list of many gigabytes. A whole number may have
more digits than Python converts to text. Knows no format and no message.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from datetime import date, time
from typing import Any, Final

from docs_sitemap.limits import MAX_SHOWN, MAX_TEXT

_DEPTH: Final = 3
"""Depth of nested containers whose items are shown."""

_LARGE: Final = 256
"""Bits of a whole number, above which its digits are not shown."""

_BRACKETS: Final[tuple[tuple[type, str, str], ...]] = (
    (list, "[", "]"),
    (tuple, "(", ")"),
    (frozenset, "{", "}"),
    (set, "{", "}"),
    (dict, "{", "}"),
)


def brief(value: object, limit: int = MAX_SHOWN) -> str:
    """Return at most ``limit`` printable characters that show any value as Python writes it.

    Time and memory are proportional to ``limit``. For anything but plain data, only the type is shown: its
    own ``__repr__`` is never called.

    >>> brief(["x" * 10**6])[:8], len(brief(["x" * 10**6])), brief(16**5000)
    ("['xxxxxx", 100, 'a number of 6,021 digits')
    """
    text = ""
    for piece in _pieces(value, _DEPTH, limit):
        text += piece
        if len(text) > limit:
            text = text[: limit - 3] + "..."
            break
    return _inert(text)


def shown(text: str, limit: int = MAX_SHOWN) -> str:
    """Return a text to show without quotes, such as a name or a URL: whole, cut, or escaped.

    >>> shown("sitemap-prio"), shown("https://example.org/", 11)
    ('sitemap-prio', 'https://...')
    """
    short = text if len(text) <= limit else text[: limit - 3] + "..."
    return _inert(short) if short.isprintable() else brief(short, limit)


def printable(text: str) -> str:
    r"""Return a text with escapes for what could move a cursor, break the line or command a runner.

    >>> print(printable("a\x1b[2Jb"), printable("::error::c"), printable("##[error]d"))
    a\x1b[2Jb \x3a:error::c #\x23[error]d
    """
    if text.isprintable():  # each file of a folder may have it in its path
        return _inert(text)
    return _inert(text.translate(_ESCAPES))


class _Escapes(dict[int, str]):
    """What stands for each character; in a loop, each of 20 million took half a microsecond."""

    def __missing__(self, code: int) -> str:
        char = chr(code)
        shown = char if char.isprintable() else f"\\x{code:02x}"
        if len(self) < _MOST_ESCAPES:
            self[code] = shown
        return shown


_ESCAPES: Final = _Escapes()
_MOST_ESCAPES: Final = 100_000


_AT_START: Final = re.compile(r"(\s*):(?=:)")
_WITHIN: Final = re.compile(r"##(?=[A-Za-z]*\[)")
"""What the runners of GitHub Actions and Azure Pipelines take for a command.

``::error::`` is one at the beginning of a line, ``##[error]`` and ``##vso[task.debug]`` also within one.
"""


def _inert(text: str) -> str:
    if start := _AT_START.match(text):
        text = f"{start[1]}\\x3a{text[start.end() :]}"
    return _WITHIN.sub(r"#\\x23", text)


def name_of(key: object) -> str:
    """Return a key of an untrusted mapping, to be shown without quotes."""
    return shown(key) if isinstance(key, str) else brief(key)


def counted(number: int, what: str) -> str:
    """Return a number of things.

    >>> counted(1, "page"), counted(2_000, "URL")
    ('1 page', '2,000 URLs')
    """
    return f"{number:,} {what}{'' if number == 1 else 's'}"


def and_more(number: int) -> str:
    """Return the end of a list of which this number of items is not shown; empty for none.

    >>> and_more(1200), and_more(0)
    (' and 1,200 more', '')
    """
    return f" and {number:,} more" if number > 0 else ""


def text_of(value: object) -> str:
    """Return a string, number, date or bool as text of at most 10,000 characters; ``""`` for other types.

    >>> text_of("Owls"), text_of(2026), text_of(None), text_of(["Owls"]), text_of(10**5000)
    ('Owls', '2026', '', '', '')
    """
    if isinstance(value, str):
        return str.__getitem__(value, slice(MAX_TEXT))
    if isinstance(value, int) and value.bit_length() > _LARGE:
        return ""
    return str(value) if type(value) in (bool, int, float) or isinstance(value, (date, time)) else ""


def _pieces(value: Any, depth: int, limit: int) -> Iterator[str]:
    """Yield the text of a value in nonempty pieces; callers may stop early."""
    if isinstance(value, (str, bytes)):
        plain: Any = str if isinstance(value, str) else bytes  # ignores what a subclass overrides
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
        return repr(value.isoformat())  # as in YAML
    return f"a value of type {type(value).__name__}"
