"""What each page included when it was made: a ``--dirty`` build makes only those that have changed.

Noted in the user's cache folder, which is no part of the site or the project: names of files and
nothing else, above all no dates. What is not noted, or noted of another text, is not known.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterable, Mapping
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from platformdirs import user_cache_path

from docs_sitemap.errors import OutputError
from docs_sitemap.generators.mkdocs.build import is_serving
from docs_sitemap.output import OutputFolder

if TYPE_CHECKING:
    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.pages import Page as MkDocsPage


class Notes:
    """The notes about one site and one kind of dependencies.

    What cannot be read or written is as if it were not there.
    """

    def __init__(self, config: MkDocsConfig, kind: str) -> None:
        # each mkdocs serve has a new folder, and builds all of it at first
        site = f"{config.config_file_path}\n{'' if is_serving(config) else config.site_dir}\n{kind}"
        name = f"docs-sitemap/{hashlib.sha256(site.encode('utf-8', 'surrogateescape')).hexdigest()[:32]}.json"
        self._path = user_cache_path() / name
        self._pages: Mapping[str, Any] | None = None
        self._new: dict[str, list[object]] = {}

    def of(self, page: MkDocsPage) -> list[str] | None:
        """Return the files that a page included when this text of its was made, or ``None``."""
        if self._pages is None:
            self._pages = self._read()
        noted = self._pages.get(page.file.dest_uri)
        if not isinstance(noted, list) or noted[:1] != [_state(page)]:
            return None
        return [name for name in noted[1:] if isinstance(name, str)]

    def add(self, page: MkDocsPage, files: Iterable[str]) -> None:
        """Note the files that a page includes."""
        self._new[page.file.dest_uri] = [_state(page), *files]

    def write(self) -> None:
        """Keep what was added in place of what was noted before."""
        folder = next(folder for folder in self._path.parents if folder.is_dir())
        data = json.dumps(self._new, sort_keys=True).encode("ascii")
        with suppress(OutputError), OutputFolder(folder).changes() as changes:
            changes.write(self._path.relative_to(folder).as_posix(), data)
            changes.commit()

    def _read(self) -> Mapping[str, Any]:
        with suppress(OSError, ValueError):
            value = json.loads(self._path.read_bytes())
            if isinstance(value, dict):
                return value
        return {}


def _state(page: MkDocsPage) -> list[int]:
    """Return what changes with the text of a page's source."""
    with suppress(OSError, TypeError):
        found = os.stat(page.file.abs_src_path or "")
        return [found.st_mtime_ns, found.st_size]
    return []
