"""Finds abbreviations from a shared file: it is part of a page only if the page has one of them.

``auto_append`` of pymdownx.snippets appends such a file to every page; the extension abbr (Markdown 3.4 to
3.11, and Material's tooltips) puts the explanation into the page at each abbreviation.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping
from html import unescape
from itertools import chain, islice
from typing import Final

from docs_sitemap.dates.evidence.named import names_in_file, places_of, without_section
from docs_sitemap.limits import MAX_NAMES, MAX_SOURCE
from docs_sitemap.untrusted import read_start

_DEFINED: Final = re.compile(r"^[ ]{0,3}\*\[([^\]\n]+)\][ ]?:(.+)$", re.MULTILINE)
_SHOWN: Final = re.compile(r'<abbr title="([^"]{0,2000})">([^<]{0,500})</abbr>')


class Appended:
    """The files that snippets appends to every page, with all that they include: ``files``, absolute paths.

    ``names`` are those in ``auto_append``, ``folders`` those in which snippets looks.
    """

    def __init__(self, names: Iterable[str], folders: Iterable[str]) -> None:
        self.files = _with_included(names, [*folders])
        self._defined: dict[str, Mapping[str, str]] = {}

    def explained(self, html: str, read: Iterable[str]) -> dict[str, str]:
        """Return those of the files read for a page that define an abbreviation on it, with the evidence."""
        appended = self.files.intersection(read) if "<abbr" in html else set()
        shown = shown_in(html) if appended else set()
        found: dict[str, str] = {}
        for name in appended:
            if name not in self._defined:
                self._defined[name] = defined_in(_text(name))
            for short in sorted(short for short, long in shown & self._defined[name].items()):
                found.setdefault(name, f"it defines the abbreviation {short}")
        return found


def _with_included(names: Iterable[str], folders: Iterable[str]) -> set[str]:
    """Return the files of these names, and recursively those that they name, up to ``MAX_NAMES``."""
    found: set[str] = set()
    wanted = {*names}
    left = MAX_NAMES
    while wanted:
        wanted |= {without_section(name) for name in wanted}
        places = {place for name in wanted for place in places_of(name, folders)}
        # snippets also accepts files as base paths
        bases = {base for base in folders if os.path.basename(base) in wanted}
        new = {place for place in (places | bases) - found if os.path.isfile(place)}
        found |= new
        wanted = {*islice(chain.from_iterable(map(names_in_file, sorted(new))), left)}
        left -= len(wanted)
    return found


def _text(name: str) -> str:
    try:
        return read_start(name, MAX_SOURCE).decode("utf-8", "replace")
    except OSError:
        return ""


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
