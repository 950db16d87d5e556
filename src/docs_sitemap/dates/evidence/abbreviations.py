"""Finds abbreviations from a shared file: it is part of a page only if the page has one of them.

``auto_append`` of pymdownx.snippets appends such a file to every page; the extension abbr (Markdown 3.4 to
3.11, and Material's tooltips) puts the explanation into the page at each abbreviation.
"""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Iterable, Iterator, Mapping
from html import unescape
from itertools import chain, islice, starmap
from typing import Final

from docs_sitemap.dates.evidence.named import names_in_file, places_of, without_section
from docs_sitemap.limits import MAX_INCLUDED, MAX_LOOKED, MAX_NAMES, MAX_PATH, MAX_SOURCE
from docs_sitemap.untrusted import RealPaths, read_start, status_of

_DEFINED: Final = re.compile(r"^[ ]{0,3}\*\[([^\]\n]+)\][ ]?:(.+)$", re.MULTILINE)
_SHOWN: Final = re.compile(r'<abbr title="([^"]{0,2000})">([^<]{0,500})</abbr>')

_LEAST: Final = 100
"""Characters that a place counts for, and each folder on the way there: looking there takes time."""


class Appended:
    """The files that snippets appends to every page, with all that they include: ``files``, absolute paths.

    ``names`` are those in ``auto_append``, ``folders`` those in which snippets looks.
    """

    def __init__(self, names: Iterable[str], folders: Iterable[str]) -> None:
        self._real = RealPaths()
        self._file = _with_included(names, [*folders], self._real)
        self.files = self._file.keys()
        self._defined: dict[object, Mapping[str, str]] = {}

    def explained(self, html: str, read: Iterable[str]) -> dict[str, str]:
        """Return those of the files read for a page that define an abbreviation on it, with the evidence."""
        appended = self.files & set(read) if "<abbr" in html else set()
        shown = shown_in(html) if appended else set()
        found: dict[str, str] = {}
        for name in appended:
            file = self._file[name]
            if file not in self._defined:
                self._defined[file] = defined_in(_text(self._real.of(name)))
            for short in sorted(short for short, long in shown & self._defined[file].items()):
                found.setdefault(name, f"it defines the abbreviation {short}")
        return found


def _with_included(names: Iterable[str], folders: Iterable[str], real: RealPaths) -> dict[str, object]:
    """Return the files of these names, and recursively those that they name, up to ``MAX_NAMES``.

    With each, what all links to that file have in common.
    """
    found: dict[str, object] = {}
    wanted = {*names}
    left, names_in, look = MAX_NAMES, _Names(real), _Places(folders)
    while wanted:
        wanted |= {without_section(name) for name in wanted}
        new = {}
        for place in look(wanted):
            status = None if place in found or place in new else status_of(place)
            if status is not None and stat.S_ISREG(status.st_mode):
                new[place] = status
        new = dict(sorted(new.items()))
        found.update({place: (status.st_dev, status.st_ino) for place, status in new.items()})
        wanted = {*islice(chain.from_iterable(starmap(names_in, new.items())), left)}
        left -= len(wanted)
    return found


class _Places:
    """Yields the places of names in folders, up to ``MAX_LOOKED`` in all, and none that no system opens."""

    def __init__(self, folders: Iterable[str]) -> None:
        self._folders = [folder for folder in folders if len(folder) < MAX_PATH]
        self._left = MAX_LOOKED

    def __call__(self, names: Iterable[str]) -> Iterator[str]:
        wanted = {name for name in names if len(name) < MAX_PATH}
        # snippets also accepts files as base paths
        yield from (base for base in self._folders if os.path.basename(base) in wanted)
        for name in sorted(wanted):
            for place in places_of(name, self._folders):
                self._left -= len(place) + _LEAST * (1 + place.count(os.sep))
                if self._left < 0:
                    return
                if len(place) < MAX_PATH:
                    yield place


class _Names:
    """Returns the names in a file, which is read once, whatever links lead to it; up to ``MAX_INCLUDED``."""

    def __init__(self, real: RealPaths) -> None:
        self._real = real
        self._read: set[object] = set()
        self._left = MAX_INCLUDED

    def __call__(self, name: str, status: os.stat_result) -> Iterable[str]:
        file = status.st_dev, status.st_ino
        if file in self._read or self._left < 0:
            return ()
        self._read.add(file)
        self._left -= min(status.st_size, MAX_SOURCE)
        return names_in_file(self._real.of(name))


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
