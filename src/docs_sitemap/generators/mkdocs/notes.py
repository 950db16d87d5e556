"""What each page included when it was made: a ``--dirty`` build makes only those that have changed."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Collection, Iterable, Mapping
from contextlib import suppress
from datetime import date
from typing import TYPE_CHECKING, Any, Final

from docs_sitemap.explain import NOTHING, Note, Noted, notes
from docs_sitemap.generators.mkdocs.build import is_serving
from docs_sitemap.limits import MAX_FRONT_MATTER, MAX_HASHED
from docs_sitemap.options import UnexpectedError, page_lastmod
from docs_sitemap.pages import Page
from docs_sitemap.untrusted import read_start

if TYPE_CHECKING:
    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.pages import Page as MkDocsPage

Record = tuple["MkDocsPage | None", Page]
"""A page as MkDocs and as the core have it; a file that is copied is a page of the core alone."""

_KEPT: Final = ("sitemap", "robots", "draft", "title", "description")
"""What ``Site.page`` reads of a page's front matter."""


def key_of(page: MkDocsPage) -> str:
    """Return what tells a page from all others, also from another one with the same address."""
    return f"{page.file.src_uri} -> {page.file.dest_uri}"


class Notes:
    """The notes about one site, and one value of the option ``dependencies``."""

    def __init__(self, config: MkDocsConfig, dependencies: str) -> None:
        # each mkdocs serve has a new folder, and builds all of it at first
        self._is_serving = is_serving(config)
        output = "" if self._is_serving else config.site_dir
        self._notes = notes.Notes(os.path.abspath(config.config_file_path or ""), output, dependencies)
        self._config = _digest([config.config_file_path, *map(str, config.hooks)])
        self._noted: Noted | None = None

    def of(self, page: MkDocsPage) -> Mapping[str, str] | None:
        """Return the files that a page included when this text of its was made, or ``None``."""
        note = self._current(page)
        return note.included if note else None

    def front_matter(self, page: MkDocsPage) -> Mapping[str, Any] | None:
        """Return what counts for us of a page's front matter, as plugins left it, or ``None``."""
        note = self._current(page)
        meta = note.extra.get("meta") if note else None
        return meta if isinstance(meta, dict) else None

    def had(self, key: str, name: str) -> bool:
        """Tell whether the page of a key included a file, whatever its text was then."""
        note = self._all().pages.get(key)
        return note is not None and name in note.included

    def everywhere(self) -> set[str]:
        """Return the files that were read for every page of the last whole build."""
        found = self._all().header.get("everywhere")
        return {str(name) for name in found} if isinstance(found, list) else set()

    def write(self, header: Mapping[str, object], pages: Iterable[Note], everywhere: Collection[str]) -> None:
        """Keep these in place of what was noted before."""
        more = {"everywhere": sorted(everywhere), "served": self._is_serving, "config": self._config}
        self._notes.write({**header, **more}, pages)

    def _current(self, page: MkDocsPage) -> Note | None:
        note = self._all().pages.get(key_of(page))
        return note if note and note.is_current() else None

    def _all(self) -> Noted:
        if self._noted is None:
            noted = self._notes.read()
            is_current = noted.header.get("config") == self._config
            self._noted = noted if is_current else NOTHING  # other plugins include other files
        return self._noted


def extra_of(front_matter: Mapping[str, Any] | None) -> dict[str, object]:
    """Return what is noted of a page beside its files: its front matter, as JSON has it.

    Nothing of one that is too large or no plain data: then the next build reads the page itself.
    """
    if front_matter is None:
        return {}
    meta = {name: front_matter[name] for name in _KEPT if name in front_matter}
    pieces: list[str] = []
    size = 0
    # nested too deeply, within itself, a number of too many digits, a key or value of a type of its own
    with suppress(ValueError, TypeError, RecursionError):
        for piece in _ENCODER.iterencode(meta):  # which yields the items of nested aliases one by one
            pieces.append(piece)
            size += len(piece)
            if size > MAX_FRONT_MATTER:
                return {}
        return {"meta": json.loads("".join(pieces))}
    return {}


def _as_written(value: object) -> str:
    """Return a date as the checks take it."""
    try:
        return page_lastmod(value)
    except UnexpectedError:
        if isinstance(value, date):
            return value.isoformat()
    raise TypeError


_ENCODER: Final = json.JSONEncoder(default=_as_written)


def _digest(files: Iterable[str | None]) -> str:
    """Return what changes with the configuration: other plugins and hooks include other files."""
    digest = hashlib.sha256()
    for file in files:
        with suppress(OSError, TypeError):
            digest.update(read_start(str(file), MAX_HASHED))
    return digest.hexdigest()
