"""Finds abbreviations from a shared file: it is part of a page only if the page has one of them.

``auto_append`` of pymdownx.snippets appends such a file to every page; the extension abbr (Markdown 3.4 to
3.11, and Material's tooltips) puts the explanation into the page at each abbreviation.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping
from functools import cache
from html import unescape
from typing import Final

from docs_sitemap.dates.evidence.named import named_in, places_of, text_of_file, without_section

_DEFINED: Final = re.compile(r"^[ ]{0,3}\*\[([^\]\n]+)\][ ]?:(.+)$", re.MULTILINE)
_SHOWN: Final = re.compile(r'<abbr title="([^"]{0,2000})">([^<]{0,500})</abbr>')


class Appended:
    """The files that snippets appends to every page, with all that they include: ``files``, absolute paths.

    ``names`` are those in ``auto_append``, ``folders`` those in which snippets looks.
    """

    def __init__(self, names: Iterable[str], folders: Iterable[str]) -> None:
        self.files = _with_included(names, [*folders])
        self._defined_by = cache(lambda name: defined_in(text_of_file(name)))

    def explained(self, html: str, read: Iterable[str]) -> dict[str, str]:
        """Return those of the files read for a page that define an abbreviation on it, with the evidence."""
        appended = self.files & set(read) if "<abbr" in html else set()
        shown = shown_in(html) if appended else set()
        found: dict[str, str] = {}
        for name in appended:
            for short in sorted(short for short, long in shown & self._defined_by(name).items()):
                found.setdefault(name, f"it defines the abbreviation {short}")
        return found


def _with_included(names: Iterable[str], folders: list[str]) -> set[str]:
    """Return the files of these names, and recursively those that they name."""
    found: set[str] = set()
    wanted = {*names}
    while wanted:
        wanted |= {without_section(name) for name in wanted}
        places = {place for name in wanted for place in places_of(name, folders)}
        places |= {base for base in folders if os.path.basename(base) in wanted}  # snippets accepts files
        new = {place for place in places - found if os.path.isfile(place)}
        found |= new
        wanted = {name for place in new for name in named_in(text_of_file(place))}
    return found


def defined_in(text: str) -> Mapping[str, str]:
    """Return the abbreviations that a text defines, with their meanings.

    >>> defined_in("*[HTML]: Hyper Text Markup Language")
    {'HTML': 'Hyper Text Markup Language'}
    """
    return {short.strip(): long.strip().strip("\"'") for short, long in _DEFINED.findall(text)}


def shown_in(html: str) -> set[tuple[str, str]]:
    """Return the abbreviations that a page explains, with their meanings.

    >>> shown_in('<abbr title="Hyper Text">HT</abbr>')
    {('HT', 'Hyper Text')}
    """
    return {(unescape(short), unescape(long)) for long, short in _SHOWN.findall(html)}
