"""Shows values that others wrote as short text: cut, and with escapes for what could do something.

Knows no format and no message.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from datetime import date, time
from typing import Any, Final

from docs_sitemap.limits import MAX_SHOWN

_DEPTH: Final = 3
"""Depth of nested containers whose items are shown: YAML can make a list that contains itself."""

_BRACKETS: Final[tuple[tuple[type, str, str], ...]] = (
    (list, "[", "]"),
    (tuple, "(", ")"),
    (frozenset, "{", "}"),
    (set, "{", "}"),
    (dict, "{", "}"),
)

_AT_START: Final = re.compile(r"\A(\s*):(?=:)")
_WITHIN: Final = re.compile(r"##(?=[A-Za-z]*\[)")
"""What the runners of GitHub Actions and Azure Pipelines take for a command.

``::error::`` is one at the beginning of a line, ``##[error]`` and ``##vso[task.debug]`` also within one.
"""


def brief(value: object, limit: int = MAX_SHOWN) -> str:
    """Return at most ``limit`` printable characters that show any value as Python writes it.

    For anything but plain data, only the type is shown: its own ``__repr__`` is never called.

    >>> brief(["x" * 10**6])[:8], len(brief(["x" * 10**6])), brief(16**5000)
    ("['xxxxxx", 100, 'a value of type int')
    """
    text = ""
    for piece in _pieces(value, _DEPTH, limit):
        text += piece
        if len(text) > limit:
            break
    return _inert(_cut(text, limit))


def shown(text: object, limit: int = MAX_SHOWN) -> str:
    """Return a text to show without quotes, such as a name or a URL: whole, cut, or escaped.

    >>> shown("sitemap-prio"), shown("https://example.org/", 11), shown(7)
    ('sitemap-prio', 'https://...', '7')
    """
    if not isinstance(text, str):
        return brief(text, limit)
    short = _cut(text, limit)
    return _inert(short) if short.isprintable() else brief(short, limit)


def printable(text: str) -> str:
    r"""Return a text with escapes for what could move a cursor, break the line or command a runner.

    >>> print(printable("a\x1b[2Jb"), printable("::error::c"), printable("##[error]d"))
    a\x1b[2Jb \x3a:error::c #\x23[error]d
    """
    if not text.isprintable():
        text = "".join(char if char.isprintable() else f"\\x{ord(char):02x}" for char in text)
    return _inert(text)


def _inert(text: str) -> str:
    return _WITHIN.sub(r"#\\x23", _AT_START.sub(r"\1\\x3a", text))


def _cut(text: str, limit: int) -> str:
    return text if len(text) <= limit else text[: limit - 3] + "..."


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
    """Return a string, number, date or bool as text; ``""`` for other types.

    >>> text_of("Owls"), text_of(2026), text_of(None), text_of(["Owls"])
    ('Owls', '2026', '', '')
    """
    is_scalar = type(value) in (bool, int, float) or isinstance(value, (str, date, time))
    try:
        return str(value) if is_scalar else ""
    except ValueError:  # a number of more digits than Python converts
        return ""


def _pieces(value: Any, depth: int, limit: int) -> Iterator[str]:
    """Yield the text of a value; callers may stop early."""
    if isinstance(value, (str, bytes)):
        plain = str(value) if isinstance(value, str) else bytes(value)  # a subclass may have its own repr
        yield repr(plain[:limit]) + ("..." if len(plain) > limit else "")
        return
    for kind, opening, closing in _BRACKETS:
        if isinstance(value, kind):
            yield opening
            items: Any = value
            for number, item in enumerate(items):
                yield ", " if number else ""
                if not depth:
                    yield "..."
                    break
                yield from _pieces(item, depth - 1, limit)
                if isinstance(value, Mapping):
                    yield ": "
                    yield from _pieces(value[item], depth - 1, limit)
            yield closing
            return
    if isinstance(value, (date, time)):
        yield repr(value.isoformat())  # as in YAML
    elif value is None or text_of(value):
        yield repr(value)
    else:
        yield f"a value of type {type(value).__name__}"
