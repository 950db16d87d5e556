"""Record what each page included when it was built: a ``--dirty`` build only builds changed pages."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Collection, Iterable, Mapping
from contextlib import suppress
from datetime import date
from typing import TYPE_CHECKING, Any, Final

from docs_sitemap.explain import NOTHING, Note, Noted, Noting, notes
from docs_sitemap.files import Report
from docs_sitemap.generators.mkdocs.build import host_of, is_serving
from docs_sitemap.options import CREATION_KEYS, Options, UnexpectedError, page_lastmod
from docs_sitemap.pages import Page
from docs_sitemap.untrusted import RealPaths, read_start

if TYPE_CHECKING:
    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.pages import Page as MkDocsPage

Record = tuple["MkDocsPage | None", Page]
"""MkDocs's page and our record of it; a copied file has no page in MkDocs."""

_KEPT: Final = ("sitemap", "robots", "draft", "title", "description", *CREATION_KEYS)
"""The keys of front matter that ``Site.page`` reads."""

_MAX_HASHED: Final = 1 << 24
"""Bytes of a configuration file or hook whose changes are noticed."""


def key_of(page: MkDocsPage) -> str:
    """Return a unique key of a page, even if another page has the same URL."""
    return f"{page.file.src_uri} -> {page.file.dest_uri}"


class Notes:
    """The notes of one site, for one value of the option ``dependencies``."""

    def __init__(self, config: MkDocsConfig, dependencies: str) -> None:
        # each run of mkdocs serve has a new folder, and first builds all pages
        self._is_serving = is_serving(config)
        output = "" if self._is_serving else config.site_dir
        self._notes = notes.Notes(os.path.abspath(config.config_file_path or ""), output, dependencies)
        self._config = config
        self._digest = _digest([config.config_file_path, *map(str, config.hooks)])
        self._noted: Noted | None = None
        self.renew()

    def renew(self) -> RealPaths:
        """Start a build: look at each file anew, once. Return what knows where links lead."""
        self._real = RealPaths()
        self._current: dict[str, bool] = {}
        return self._real

    def of(self, page: MkDocsPage) -> Note | None:
        """Return the note of a page, or ``None`` if its text has changed since."""
        key = key_of(page)
        note = self._all().pages.get(key)
        if note and key not in self._current:
            self._current[key] = note.is_current()
        return note if note and self._current[key] else None

    def front_matter(self, page: MkDocsPage) -> Mapping[str, Any] | None:
        """Return the front matter that we use, as plugins left it, or ``None``."""
        note = self.of(page)
        meta = note.extra.get("meta") if note else None
        return meta if isinstance(meta, dict) else None

    def had(self, key: str, name: str) -> bool:
        """Tell whether the page with a key included a file, even if its text has changed since."""
        note = self._all().pages.get(key)
        return note is not None and name in note.included

    def everywhere(self) -> set[str]:
        """Return the files that were read for every page in the last full build."""
        found = self._all().header.get("everywhere")
        return {str(name) for name in found} if isinstance(found, list) else set()

    def write(
        self, pages: Iterable[Noting], options: Options, report: Report, everywhere: Collection[str]
    ) -> None:
        """Replace the notes after a build; ``everywhere`` are the files that were read for every page."""
        more = {"everywhere": sorted(everywhere), "served": self._is_serving, "config": self._digest}
        self._notes.write("MkDocs", pages, options, host_of(self._config), report, **more)

    def _all(self) -> Noted:
        if self._noted is None:
            noted = self._notes.read()
            is_current = noted.header.get("config") == self._digest
            self._noted = noted if is_current else NOTHING  # a changed configuration may include other files
        return self._noted


def extra_of(front_matter: Mapping[str, Any] | None) -> dict[str, object]:
    """Return the extra data for a page's note: its front matter, as JSON data.

    Empty if the front matter is not plain data: then the next build reads the page.
    """
    if front_matter is None:
        return {}
    meta = {name: front_matter[name] for name in _KEPT if name in front_matter}
    # errors: nested too deep, recursive, a number with too many digits, a key or value of another type
    with suppress(ValueError, TypeError, RecursionError):
        return {"meta": json.loads(json.dumps(meta, default=_as_written))}
    return {}


def _as_written(value: object) -> str:
    """Return a date in the form that the option checks accept."""
    try:
        return page_lastmod(value)
    except UnexpectedError:
        if isinstance(value, date):
            return value.isoformat()
    raise TypeError


def _digest(files: Iterable[str | None]) -> str:
    """Return a digest of the configuration files and hooks, which affect the included files."""
    digest = hashlib.sha256()
    for file in files:
        with suppress(OSError, TypeError):
            digest.update(read_start(str(file), _MAX_HASHED))
    return digest.hexdigest()
