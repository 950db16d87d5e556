"""Finds the sources of pages in a folder of documentation, by the names of pages in the build output."""

from __future__ import annotations

import os
import posixpath
import re
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple, Protocol

from docs_sitemap.generators.html.known import UNLIKELY, Metadata, Source, generator_of
from docs_sitemap.readers import files_below


class Finder(Protocol):
    """Finds the sources of pages, which are below ``folder``, by the names of pages in the build output."""

    @property
    def folder(self) -> Path:
        """Return the folder."""
        ...

    def find(self, name: str) -> Path | None:
        """Return the source of a page, or ``None``."""
        ...


class _Candidate(NamedTuple):
    """A source that may be that of a page; the first in order is."""

    rank: int
    place: int | None
    path: str

    def order(self, *, is_index: bool) -> tuple[int, bool, int]:
        """Return what tells it from others: an index is rather that of a folder, a page that of a file."""
        mismatch = self.place is not None and (self.place >= 0) != is_index
        return self.rank, mismatch, max(self.place or 0, 0)


class Sources:
    """The files of a documentation ``folder``, by the pages that their ``generator`` makes of them.

    That is told by the built ``site``, if given, or by its configuration near the sources.
    """

    def __init__(self, folder: Path, site: Path | None = None) -> None:
        self.folder = folder
        self.generator, project = generator_of(site, folder)
        real = Path(os.path.realpath(folder))
        self._project = project or real
        self._above = "" if real == self._project else f"{real.relative_to(self._project).as_posix()}/"
        self._pages: dict[str, list[_Candidate]] = {}
        self._in_urls: dict[str, list[_Candidate]] = {}  # by the form of their pages in URLs
        for path in files_below(real, "node_modules"):
            if path.lower().endswith(self.generator.suffixes):
                self._add(path)
        for page, source in self.generator.written(site) if site else ():
            if os.path.isfile(self._project / source):
                path = os.path.relpath(self._project / source, real).replace(os.sep, "/")
                self._pages.setdefault(page, []).append(_Candidate(-1, None, path))

    def is_copy(self, name: str, file: Path, source: Path | None) -> bool:
        """Tell whether a page, which is in a file of the site, is an untranslated copy."""
        known = self._described(source) if source else None
        return self.generator.is_copy(name, file, known)

    def parts(self, source: Path) -> Iterable[Path]:
        """Return the other files that the page of a source shows, each once."""
        return dict.fromkeys(self.generator.parts(self._described(source)))

    def translate(self, source: Path, metadata: Metadata) -> Metadata:
        """Return a source's front matter with what it says about the sitemap in our words."""
        return self.generator.translate(self._described(source), metadata)

    def _described(self, source: Path) -> Source:
        return self._source(source.relative_to(self.folder).as_posix())

    def _source(self, path: str) -> Source:
        return Source(self._project, posixpath.normpath(self._above + path), self.generator.words)

    def _add(self, path: str) -> None:
        for claim in self.generator.pages(self._source(path)):
            candidate = _Candidate(claim.rank, claim.index, path)
            self._pages.setdefault(claim.page, []).append(candidate)
            self._in_urls.setdefault(_in_url(claim.page), []).append(candidate)

    def find(self, name: str) -> Path | None:
        """Return the source of a page, by its name in the build output; ``None`` if it is uncertain."""
        found = self.candidates(name)
        return self.folder / found[0] if len(found) == 1 else None

    def candidates(self, name: str) -> list[str]:
        """Return the possible sources of a page, relative to the folder; none is the right one if several."""
        stem = re.sub(r"\.html?$", "", name, flags=re.IGNORECASE)
        folder, _, last = stem.rpartition("/")
        is_index = last.lower() == "index"
        page = folder if is_index else stem
        found = self._pages.get(page) or self._in_urls.get(_in_url(page)) or []
        if not found:
            return []
        first = min(each.order(is_index=is_index) for each in found)
        best = [each for each in found if each.order(is_index=is_index) == first]
        texts = [each for each in best if not each.path.lower().endswith(UNLIKELY)]
        return sorted({each.path for each in texts or best})

    def looked_for(self, name: str) -> str:
        """Return in words which file makes a page, if there is one: at its own path, with any suffix."""
        folder = os.path.relpath(self._project) if self.generator.is_whole else self.folder
        suffix, *others = self.generator.suffixes
        page = re.sub(r"(?<=.)/index\.html?$|\.html?$", "", name, flags=re.IGNORECASE)
        return ", ".join([os.path.normpath(f"{folder}/{page}") + suffix, *others[:2], "…"])


def _in_url(name: str) -> str:
    """Return a name in the form that generators use in URLs: lower case, words joined by hyphens."""
    return re.sub(r"[^\w/]+|_", "-", name.casefold())
