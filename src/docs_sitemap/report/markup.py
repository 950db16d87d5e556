"""Build HTML safely: any text that is not ``Markup`` is escaped. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from docs_sitemap.files.formats import escape_attribute, escape_text

_VOID: Final = frozenset({"link", "meta"})
_LONGEST: Final = 300
_CONTROL: Final = re.compile("[\x7f-\x9f]")
"""Characters that XML allows, and HTML only as bytes: a reference is another character."""


class Markup(str):
    """HTML that this module builds, or that is a literal in the source code."""

    __slots__ = ()


def tag(name: str, /, *content: str, **attributes: str | int | None) -> Markup:
    """Return an element. ``class_`` and ``data_key`` mean ``class`` and ``data-key``.

    An attribute that is ``None`` is omitted, an empty one has no value.
    """
    start = "".join(
        f" {key.rstrip('_').replace('_', '-')}"
        + (f'="{_inert(escape_attribute(str(value)))}"' if value != "" else "")
        for key, value in attributes.items()
        if value is not None
    )
    end = "" if name in _VOID else f"{join(content)}</{name}>"
    return Markup(f"<{name}{start}>{end}")


def join(content: Iterable[str], between: str = "") -> Markup:
    """Join pieces; ``between`` is white space."""
    return Markup(
        between.join(each if isinstance(each, Markup) else _inert(escape_text(each)) for each in content)
    )


def _inert(escaped: str) -> str:
    r"""Return the same HTML in which no line begins with a stranger's text, and ``##[`` is no command.

    >>> print(_inert("a\n::error::b ##[error]c"))
    a&#10;::error::b #&#35;[error]c
    """
    if escaped.isprintable() and "##" not in escaped:
        return escaped
    text = _CONTROL.sub("\ufffd", escaped)
    text = "".join(char if char.isprintable() else f"&#{ord(char)};" for char in text)
    return text.replace("##", "#&#35;")


def shorten(text: str, longest: int = _LONGEST) -> str:
    """Cut a long text."""
    return text if len(text) <= longest else text[: longest - 1] + "…"


def with_code(text: str) -> Markup:
    """Convert one of our texts, in which code is between backticks."""
    parts = text.split("`")
    return join(tag("code", part) if number % 2 else part for number, part in enumerate(parts))
