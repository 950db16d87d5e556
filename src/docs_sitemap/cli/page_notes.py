"""Find the notes that builds made of the pages that a user means."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, Final

import click

from docs_sitemap.brief import shown
from docs_sitemap.cli.page_source import is_url, path_of, plain_path, without_suffix
from docs_sitemap.explain import Note, Noted, notes
from docs_sitemap.git import find_repository
from docs_sitemap.limits import MAX_PATH
from docs_sitemap.untrusted import RealPaths
from docs_sitemap.urls import comparable

_SHOWN: Final = 5

_Keys = Callable[[Note], Iterable[str]]
_Test = tuple[_Keys, str]
"""A test for whether a note is of a page: one of the keys of the note is that of the page."""


class _Sources:
    """Follows the links in the names of sources."""

    def __init__(self) -> None:
        self.real = RealPaths()

    def keys(self, note: Note) -> Iterable[str]:
        return (self.real.of(note.source),) if note.source else ()


@dataclass(frozen=True, slots=True)
class PageNote:
    """The note of a page, and the header of its site's notes."""

    header: Mapping[str, Any]
    note: Note


@dataclass(frozen=True, slots=True)
class _Match:
    """What the test with number ``rank`` found in a site; tests with lower numbers are more specific."""

    rank: int
    header: Mapping[str, Any]
    note: Note
    others: Sequence[str]
    """The sources of several pages that match; empty if only one does."""


class NotedSites:
    """The sites that builds have notes of."""

    def __init__(self) -> None:
        self._sites: list[tuple[Path, Path]] = []  # notes, and the site's project; the newest build first
        for path, header in notes.headers():
            if not header.get("served"):
                self._sites.append((path, Path(str(header.get("root")))))
        self._sources = _Sources()
        self.of = lru_cache(self._of)

    def _of(self, folder: Path) -> tuple[Path, ...]:
        """Return the notes of each site built in a folder or its repository, the newest build first."""
        top = _work_tree(folder)
        found = []
        for path, root in self._sites:
            with suppress(ValueError):  # notes that are damaged may have names that no file can have
                if _work_tree(root) == top if top else root == folder:
                    found.append(path)
        return tuple(found)

    def find(self, asked: Mapping[str, Sequence[Path]]) -> Mapping[str, PageNote | click.ClickException]:
        """Return the notes of pages by their URLs, document names or source files.

        ``asked`` has the notes to search for each. The most specific test counts first, on all sites. A page
        has an exception if several pages of one site match, and no item if none does.
        """
        best: dict[str, _Match] = {}
        tests = {page: _tests(page, self._sources) for page in asked}
        for path in dict.fromkeys(path for paths in asked.values() for path in paths):
            better = {
                page: tests[page][: best[page].rank] if page in best else tests[page]
                for page, paths in asked.items()
                if path in paths
            }
            # one site at a time, and only while needed: all notes may take more memory than there is
            if any(better.values()):
                best.update(_matches(notes.read_file(path), better))
        return {page: _result(page, match) for page, match in best.items()}


def _matches(noted: Noted, tests: Mapping[str, Sequence[_Test]]) -> Iterator[tuple[str, _Match]]:
    """Yield what the most specific test of each page finds in a site."""

    @cache
    def by_key(keys: _Keys) -> Mapping[str, list[Note]]:
        found: dict[str, list[Note]] = {}
        for note in noted.pages.values():
            for key in set(keys(note)):
                found.setdefault(key, []).append(note)
        return found

    for page, better in tests.items():
        for rank, (keys, key) in enumerate(better):
            if found := by_key(keys).get(key):
                several = sorted(note.source or note.loc for note in found) if found[1:] else []
                yield page, _Match(rank, noted.header, found[0], several[:_SHOWN])
                break


def _result(page: str, match: _Match) -> PageNote | click.ClickException:
    if not match.others:
        return PageNote(match.header, match.note)
    sources = ", ".join(map(shown, match.others))
    name = shown(page, MAX_PATH)
    return click.ClickException(f"{name} matches several pages: {sources}. Name the source file instead.")


def _tests(page: str, sources: _Sources) -> list[_Test]:
    """Return the tests for a page, the most specific first."""
    if is_url(page):
        return [(_url, comparable(page)), (_url_path, plain_path(path_of(page)))]
    if os.path.isfile(page):
        return [(sources.keys, sources.real.of(page))]
    name = page.strip("/")
    return [(_names, name), (_stems, without_suffix(name)), (_plain_names, plain_path(name))]


def _url(note: Note) -> Iterable[str]:
    return (comparable(note.loc),) if note.loc else ()


def _url_path(note: Note) -> Iterable[str]:
    return (plain_path(path_of(note.loc)),) if note.loc else ()


def _names(note: Note) -> Iterable[str]:
    return [name.strip("/") for name in note.names]


def _stems(note: Note) -> Iterable[str]:
    return map(without_suffix, _names(note))


def _plain_names(note: Note) -> Iterable[str]:
    return map(plain_path, note.names)


@lru_cache
def _work_tree(folder: Path) -> str | None:
    repository = find_repository(folder)
    return os.path.realpath(repository.root) if repository else None
