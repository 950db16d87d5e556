"""Finds the files that a page names in an include syntax, whichever plugin or hook reads that syntax."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from itertools import chain
from typing import Final

from docs_sitemap.limits import MAX_TEXT
from docs_sitemap.untrusted import read_start

# each repetition is limited or possessive, so that matching takes linear time
_QUOTED: Final = r"""["']([^"'\n]{1,500})["']"""
_SYNTAX: Final = (
    re.compile(rf"""^[ \t]*-{{1,}}8<-{{1,}}[ \t]+{_QUOTED}""", re.MULTILINE),
    re.compile(r"(?<!\\)\{[!*][+-]?>?[ \t]*([^\s{}!*|\[\]]{1,500}+)[^{}\n]{0,200}[!*]\}"),
    re.compile(rf"""(?<!\\)\{{[%!]-?[ \t]*include(?:-markdown)?[ \t]+{_QUOTED}"""),
    re.compile(rf"""^[ \t]*(?:```++|~~~++)[^`~\n]{{0,500}}?\b(?:file|path|src)={_QUOTED}""", re.MULTILINE),
)
"""Snippets; braces, as in markdown-include; tags, as in Jinja and include-markdown; options of fences."""

_ANY: Final = ("8<", "{!", "{*", "include", "file=", "path=", "src=")
"""What is in each of them; searching for texts one by one is ten times as fast as an expression."""

_SHOWN: Final = re.compile(
    r"<!--.*?(?:-->|\Z)|\{%-?\s*raw\b.*?(?:\bendraw\s*-?%\}|\Z)|(?<!`)`[^`\n]+`(?!`)", re.DOTALL
)
"""Places where a page shows the syntax without including anything."""

_SECTION: Final = re.compile(r"(?<![\w,:-])([\w,-]*+):[\w,:-]*+$")
"""The end of a name before lines or a section of the file, as snippets name them, and these."""


def named_in(text: str) -> dict[str, str]:
    """Return the paths that a text includes, as written, each with the text that names it.

    >>> named_in('--8<-- "data/owls.txt:2:3"')
    {'data/owls.txt:2:3': '--8<-- "data/owls.txt:2:3"', 'data/owls.txt': '--8<-- "data/owls.txt:2:3"'}
    >>> [*named_in("{* ../src/app.py hl[1] *} and {! a.md !}")]
    ['../src/app.py', 'a.md']
    """
    found: dict[str, str] = {}
    if not any(word in text for word in _ANY):  # most pages
        return found
    included = _SHOWN.sub("", text)
    for match in chain.from_iterable(syntax.finditer(included) for syntax in _SYNTAX):
        for name in (match[1].strip(), without_section(match[1].strip())):
            found.setdefault(name, match[0].strip()[:100])
    return found


def without_section(name: str) -> str:
    """Return a name from a snippet without the line numbers or section after it."""
    return _SECTION.sub(r"\1", name)


def places_of(name: str, folders: Iterable[str]) -> Iterator[str]:
    """Yield the absolute path of a name in each of the folders."""
    for folder in folders:
        yield os.path.normpath(os.path.join(folder, name))


def names_in_file(path: str) -> dict[str, str]:
    """Return the paths that an included file includes; none if it cannot be read."""
    return named_in(text_of_file(path))


def text_of_file(path: str) -> str:
    """Return the start of a file, which is all of any that people write; empty if it cannot be read."""
    try:
        return read_start(path, MAX_TEXT).decode("utf-8", "replace")
    except (OSError, ValueError):
        return ""
