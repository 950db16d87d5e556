"""Find the notes that builds made of the pages that a user means."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final

import click

from docs_sitemap.brief import shown
from docs_sitemap.cli.page_source import is_url, path_of, plain_path, without_suffix
from docs_sitemap.explain import Note, notes
from docs_sitemap.git import find_repository
from docs_sitemap.limits import MAX_PATH
from docs_sitemap.urls import comparable

_SHOWN: Final = 5

_Keys = Callable[[Note], Iterable[str]]


@dataclass(frozen=True, slots=True)
class PageNote:
    """The note of a page, and the header of its site's notes."""

    header: Mapping[str, Any]
    note: Note


class NotedSites:
    """The sites that builds have notes of."""

    def __init__(self) -> None:
        # notes, and the site's project; the newest build first
        self._sites = [
            (path, Path(str(header.get("root"))))
            for path, header in notes.headers()
            if not header.get("served")
        ]
        self.of = cache(self._of)
        self._read = cache(notes.read_file)
        self._by_key = cache(self._with_keys)

    def _of(self, folder: Path) -> tuple[Path, ...]:
        """Return the notes of each site built in a folder or its repository, the newest build first."""
        top = _work_tree(folder)
        return tuple(
            path for path, root in self._sites if (_work_tree(root) == top if top else root == folder)
        )

    def find(self, page: str, places: Sequence[Path]) -> PageNote | None:
        """Return the note of a page by its URL, document name or source file, from the notes in ``places``.

        The most specific test counts first, on all sites. Raises ``click.ClickException`` if several pages of
        a site match.
        """
        for keys, key in _tests(page):
            for place in places:
                if found := self._by_key(place, keys).get(key):
                    if found[1:]:
                        raise _ambiguous(page, found)
                    return PageNote(self._read(place).header, found[0])
        return None

    def _with_keys(self, place: Path, keys: _Keys) -> Mapping[str, list[Note]]:
        found: dict[str, list[Note]] = {}
        for note in self._read(place).pages.values():
            for key in set(keys(note)):
                found.setdefault(key, []).append(note)
        return found


def _ambiguous(page: str, found: Sequence[Note]) -> click.ClickException:
    sources = ", ".join(map(shown, sorted(note.source or note.loc for note in found)[:_SHOWN]))
    name = shown(page, MAX_PATH)
    return click.ClickException(f"{name} matches several pages: {sources}. Name the source file instead.")


def _tests(page: str) -> list[tuple[_Keys, str]]:
    """Return the tests for a page, the most specific first: one of the keys of its note is this one."""
    if is_url(page):
        return [(_url, comparable(page)), (_url_path, plain_path(path_of(page)))]
    if os.path.isfile(page):
        return [(_source, os.path.realpath(page))]
    name = page.strip("/")
    return [(_names, name), (_stems, without_suffix(name)), (_plain_names, plain_path(name))]


def _source(note: Note) -> Iterable[str]:
    return (os.path.realpath(note.source),) if note.source else ()


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


@cache
def _work_tree(folder: Path) -> str | None:
    repository = find_repository(folder)
    return os.path.realpath(repository.root) if repository else None
