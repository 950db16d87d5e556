"""What each page included when it was made: a ``--dirty`` build makes only those that have changed.

Noted in the user's cache folder, which is no part of the site or the project: names of files, and what
plugins may have written into a page's front matter. No date of git's is noted. What is not noted, or noted
of another text, is not known.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterable, Mapping
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final

from platformdirs import user_cache_path

from docs_sitemap.errors import OutputError
from docs_sitemap.generators.mkdocs.build import is_serving
from docs_sitemap.output import OutputFolder

if TYPE_CHECKING:
    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.pages import Page as MkDocsPage

_KEPT: Final = ("sitemap", "robots", "draft", "title", "description")
"""What ``Site.page`` reads of a page's front matter."""


def key_of(page: MkDocsPage) -> str:
    """Return what tells a page from all others, also from another one with the same address."""
    return f"{page.file.src_uri} -> {page.file.dest_uri}"


class Notes:
    """The notes about one site, and one value of the option ``dependencies``.

    What cannot be read or written is as if it were not there.
    """

    def __init__(self, config: MkDocsConfig, dependencies: str) -> None:
        # each mkdocs serve has a new folder, and builds all of it at first
        output = "" if is_serving(config) else config.site_dir
        site = "\n".join([os.path.abspath(config.config_file_path or ""), output, dependencies])
        digest = hashlib.sha256(os.fsencode(site)).hexdigest()
        self._path = user_cache_path() / "docs-sitemap" / f"{digest[:32]}.json"
        self._pages: Mapping[str, Any] | None = None
        self._new: dict[str, dict[str, object]] = {}

    def of(self, page: MkDocsPage) -> list[str] | None:
        """Return the files that a page included when this text of its was made, or ``None``."""
        files = self._noted(page).get("files")
        return [name for name in files if isinstance(name, str)] if isinstance(files, list) else None

    def front_matter(self, page: MkDocsPage) -> Mapping[str, Any] | None:
        """Return what counts for us of a page's front matter, as plugins left it, or ``None``."""
        meta = self._noted(page).get("meta")
        return meta if isinstance(meta, dict) else None

    def _noted(self, page: MkDocsPage) -> Mapping[str, Any]:
        if self._pages is None:
            self._pages = self._read()
        noted = self._pages.get(key_of(page))
        return noted if isinstance(noted, dict) and noted.get("state") == _state(page) else {}

    def add(self, page: MkDocsPage, files: Iterable[str], meta: Mapping[str, Any]) -> None:
        """Note the files that a page includes, and its front matter."""
        kept = {name: meta[name] for name in _KEPT if name in meta}
        self._new[key_of(page)] = {"state": _state(page), "files": list(files), "meta": kept}

    def write(self) -> None:
        """Keep what was added in place of what was noted before."""
        folder = next(folder for folder in self._path.parents if folder.is_dir())
        data = json.dumps(self._new, sort_keys=True, default=str).encode("ascii")
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
    """Return what changes with the text of a page's source: the file's time in nanoseconds, and its bytes."""
    with suppress(OSError, TypeError):
        found = os.stat(page.file.abs_src_path or "")
        return [found.st_mtime_ns, found.st_size]
    return []
