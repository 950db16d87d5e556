"""List the files of a folder, and find the source file of a page in a built tree by its path."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

SUFFIXES: Final = (".md", ".markdown", ".mdx", ".rst", ".txt", ".ipynb", ".adoc", ".org", ".qmd", ".html")
"""The suffixes of page sources, the most likely first."""

_INDICES: Final = ("index", "README", "_index", "readme")


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
        self._suffixes: dict[str, str] = {}
        self._alike: dict[str, str | None] = {}
        """The only name by its plain form, or ``None`` if there are several; without suffixes."""
        for path in files_below(Path(os.path.realpath(folder))):
            stem, suffix = os.path.splitext(path)
            if suffix.lower() in SUFFIXES:
                self._add(stem, suffix)

    def find(self, name: str) -> Path | None:
        """Return the source of a page, by its name in the build output; ``None`` if it is uncertain."""
        stem = re.sub(r"\.html?$", "", name, flags=re.IGNORECASE)
        for way in _ways(stem):
            if suffix := self._suffixes.get(way):
                return self.folder / (way + suffix)
        folder, slash, last = stem.rpartition("/")
        plain = _ways(_plain(folder) + slash + _plain(last), _PLAIN_INDICES)
        found = {self._alike[way] for way in plain if way in self._alike}
        only = found.pop() if len(found) == 1 else None
        return self.folder / (only + self._suffixes[only]) if only else None

    def _add(self, stem: str, suffix: str) -> None:
        other = self._suffixes.get(stem)
        if other is None or _rank(suffix) < _rank(other):
            self._suffixes[stem] = suffix
        plain = _plain(stem)
        self._alike[plain] = None if plain in self._alike else stem


def _rank(suffix: str) -> int:
    """Return the number of a source's suffix: the smaller, the more likely."""
    return SUFFIXES.index(suffix.lower())


def _ways(stem: str, indices: Sequence[str] = _INDICES) -> Iterator[str]:
    """Yield the possible names of a page's source, without suffix."""
    folder, _, last = stem.rpartition("/")
    if last.lower() == "index":
        yield from (f"{folder}/{index}".lstrip("/") for index in indices)
        if folder:
            yield folder
    else:
        yield stem
        yield from (f"{stem}/{index}" for index in indices)


def _plain(name: str) -> str:
    """Return a name in the form that generators use in URLs: lower case, words joined by hyphens."""
    return _BETWEEN.sub("-", name.casefold())


_BETWEEN: Final = re.compile(r"[^\w/]+|_")
_PLAIN_INDICES: Final = tuple(map(_plain, _INDICES))
