"""Short text that is safe to show, from values that others wrote. Knows no format and no message."""

from __future__ import annotations

import os
import re
from datetime import date, time
from typing import Final

from docs_sitemap.limits import MAX_PATH, MAX_SHOWN

_PLAIN: Final = (str, bytes, bool, int, float, list, tuple, set, frozenset, dict)

_AT_START: Final = re.compile(r"\A(\s*):(?=:)")
_WITHIN: Final = re.compile(r"##(?=[A-Za-z]*\[)")
"""What the runners of GitHub Actions and Azure Pipelines take for a command.

``::error::`` is one at the beginning of a line, ``##[error]`` and ``##vso[task.debug]`` also within one.
"""


def show_value(value: object, limit: int = MAX_SHOWN) -> str:
    """Return at most ``limit`` printable characters that show any value as Python writes it.

    A date is written as in YAML. Of anything but plain data, only the type is shown.

    >>> show_value(["x" * 10**6])[:8], len(show_value(["x" * 10**6])), show_value(object())
    ("['xxxxxx", 100, 'a value of type object')
    """
    if isinstance(value, (date, time)):
        value = value.isoformat()
    is_plain = value is None or isinstance(value, _PLAIN)
    text = repr(value) if is_plain else f"a value of type {type(value).__name__}"
    return _without_commands(cut(text, limit))


def shorten(text: object, limit: int = MAX_SHOWN) -> str:
    """Return a text to show without quotes, such as a name or a URL: whole, cut, or escaped.

    >>> shorten("sitemap-prio"), shorten("https://example.org/", 11), shorten(7)
    ('sitemap-prio', 'https://...', '7')
    """
    if not isinstance(text, str):
        return show_value(text, limit)
    short = cut(text, limit)
    return _without_commands(short) if short.isprintable() else show_value(short, limit)


def show_path(path: str | os.PathLike[str]) -> str:
    """Return a path, or a text that has one, as text that any terminal can show."""
    return shorten(os.fspath(path), MAX_PATH)


def escape_control(text: str) -> str:
    r"""Return a text with escapes for what could move a cursor, break the line or command a runner.

    >>> print(escape_control("a\x1b[2Jb"), escape_control("::error::c"), escape_control("##[error]d"))
    a\x1b[2Jb \x3a:error::c #\x23[error]d
    """
    if not text.isprintable():
        text = "".join(char if char.isprintable() else f"\\x{ord(char):02x}" for char in text)
    return _without_commands(text)


def _without_commands(text: str) -> str:
    return _WITHIN.sub(r"#\\x23", _AT_START.sub(r"\1\\x3a", text))


def cut(text: str, limit: int = 300) -> str:
    """Return at most so many characters of a text."""
    return text if len(text) <= limit else text[: limit - 3] + "..."


def escape_json(text: str) -> str:
    r"""Return the same JSON without ``##``: the runner of a workflow would take ``##[`` for a command.

    >>> print(escape_json('["##[error]x"]'))
    ["#\u0023[error]x"]
    """
    return text.replace("##", "#\\u0023")


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
    return str(value) if isinstance(value, (str, int, float, date, time)) else ""
