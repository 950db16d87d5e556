"""Which files a page names in a syntax that includes them, whatever plugin or hook reads that syntax."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from typing import Final

_QUOTED: Final = r"""["']([^"'\n]+)["']"""
_SYNTAX: Final = (
    re.compile(rf"""^[ \t]*-{{1,}}8<-{{1,}}[ \t]+{_QUOTED}""", re.MULTILINE),
    re.compile(r"\{[!*][+-]?>?[ \t]*([^\s{}!*|\[\]]+)[^{}\n]*[!*]\}"),
    re.compile(rf"""\{{[%!]-?[ \t]*include(?:-markdown)?[ \t]+{_QUOTED}"""),
    re.compile(rf"""^[ \t]*(?:```+|~~~+)[^`\n]*?\b(?:file|path|src)={_QUOTED}""", re.MULTILINE),
)
"""Snippets; braces, as of markdown-include; tags, as of Jinja and include-markdown; options of fences."""

_SECTION: Final = re.compile(r":[\w,:-]*$")
"""Lines or a section of the file, as snippets name them."""

MAX_TEXT: Final = 1 << 20
"""Bytes of an included file that are searched for more names."""


def named_in(text: str) -> dict[str, str]:
    """Return the paths that a text names so, as they are written, each with the words that name it.

    >>> named_in('--8<-- "data/owls.txt:2:3"')
    {'data/owls.txt:2:3': '--8<-- "data/owls.txt:2:3"', 'data/owls.txt': '--8<-- "data/owls.txt:2:3"'}
    >>> [*named_in("{* ../src/app.py hl[1] *} and {! a.md !}")]
    ['../src/app.py', 'a.md']
    """
    found: dict[str, str] = {}
    for syntax in _SYNTAX:
        for match in syntax.finditer(text):
            for name in (match[1].strip(), _SECTION.sub("", match[1].strip())):
                found.setdefault(name, match[0].strip()[:100])
    return found


def places_of(name: str, folders: Iterable[str]) -> Iterator[str]:
    """Yield the absolute paths that a name may stand for, from each of the folders."""
    for folder in folders:
        yield os.path.normpath(os.path.join(folder, name))


def names_in_file(path: str) -> dict[str, str]:
    """Return what an included file names so; nothing of one that is very large or cannot be read."""
    try:
        with open(path, "rb") as stream:
            data = stream.read(MAX_TEXT + 1)
    except (OSError, ValueError):
        return {}
    return named_in(data.decode("utf-8", "replace")) if len(data) <= MAX_TEXT else {}
