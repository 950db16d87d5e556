"""Finds the sources of pages in a folder of documentation, by the names of pages in the build output."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final, Protocol

SUFFIXES: Final = (".md", ".markdown", ".mdx", ".rst", ".txt", ".ipynb", ".adoc", ".org", ".qmd", ".html")
"""The suffixes of page sources, the most likely first."""

_INDEX_NAMES: Final = ("index", "README", "_index", "readme")


class Finder(Protocol):
    """Finds the sources of pages, which are below ``folder``, by the names of pages in the build output."""

    @property
    def folder(self) -> Path:
        """Return the folder."""
        ...

    def find(self, name: str) -> Path | None:
        """Return the source of a page, or ``None``."""
        ...


def files_below(folder: Path) -> Iterator[str]:
    """Yield the files below a folder, sorted, with ``/``; skip hidden files and links."""
    pending = [""]
    while pending:
        prefix = pending.pop()
        files, folders = [], []
        try:
            with os.scandir(os.path.join(folder, prefix)) as entries:
                for entry in entries:
                    if entry.name.startswith("."):
                        continue
                    if entry.is_dir(follow_symlinks=False):
                        folders.append(entry.name)
                    elif entry.is_file(follow_symlinks=False):
                        files.append(entry.name)
        except OSError:  # an unreadable folder is not published either
            continue
        yield from (prefix + name for name in sorted(files))
        pending += [f"{prefix}{name}/" for name in sorted(folders, reverse=True)]


class Sources:
    """The files of a documentation ``folder``, by the paths of their possible pages."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._suffixes: dict[str, str] = {}  # by the path without suffix
        self._stems: dict[str, str | None] = {}  # by its form in URLs; None if several have that form
        for path in files_below(Path(os.path.realpath(folder))):
            stem, suffix = os.path.splitext(path)
            if suffix.lower() in SUFFIXES:
                self._add(stem, suffix)

    def _add(self, stem: str, suffix: str) -> None:
        rank = SUFFIXES.index
        other = self._suffixes.get(stem)
        if other is None or rank(suffix.lower()) < rank(other.lower()):
            self._suffixes[stem] = suffix
        plain = _in_url(stem)
        self._stems[plain] = None if plain in self._stems else stem

    def find(self, name: str) -> Path | None:
        """Return the source of a page, by its name in the build output; ``None`` if it is uncertain."""
        stem = re.sub(r"\.html?$", "", name, flags=re.IGNORECASE)
        for each in _possible_stems(stem, _INDEX_NAMES):
            if suffix := self._suffixes.get(each):
                return self.folder / (each + suffix)
        plain = _possible_stems(_in_url(stem), [_in_url(index) for index in _INDEX_NAMES])
        found = {self._stems[each] for each in plain if each in self._stems}
        only = found.pop() if len(found) == 1 else None
        return self.folder / (only + self._suffixes[only]) if only else None


def _possible_stems(stem: str, index_names: Sequence[str]) -> Iterator[str]:
    """Yield the possible names of a page's source, without suffix."""
    folder, _, last = stem.rpartition("/")
    if last.lower() == "index":
        yield from (f"{folder}/{index}".lstrip("/") for index in index_names)
        if folder:
            yield folder
    else:
        yield stem
        yield from (f"{stem}/{index}" for index in index_names)


def _in_url(name: str) -> str:
    """Return a name in the form that generators use in URLs: lower case, words joined by hyphens."""
    return re.sub(r"[^\w/]+|_", "-", name.casefold())
