"""Find the files that a page includes, with the evidence for each.

A file counts if something reads it between the page's markdown and content events, unless it is read for
every page; if the page names it in a syntax that includes files; or if a known mechanism reports that it
included the file. Pages of the site, navigation and configuration are read for many reasons: they count only
if a mechanism includes them, or if the page names them in such a syntax. Other mentions never count.
"""

from __future__ import annotations

import hashlib
import json
import os
import posixpath
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import date
from functools import cache, cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from mkdocs.plugins import get_plugin_logger

from docs_sitemap.build_guard import BuildGuard
from docs_sitemap.dates.evidence import is_includer, is_medium, texts_read, watch_all
from docs_sitemap.dates.evidence.named import Appended, named_in, places_of, templates_of
from docs_sitemap.dates.evidence.reads import Observer, Reads
from docs_sitemap.explain.notes import NOTHING, Note, Noted, Notes
from docs_sitemap.files import Report
from docs_sitemap.generators.mkdocs.build import host_of, is_serving, originals, plugins_by_name
from docs_sitemap.limits import MAX_TEXT
from docs_sitemap.options.declarations import Options
from docs_sitemap.options.page_settings import CREATION_KEYS, PREFIX
from docs_sitemap.options.validation import UnexpectedError, page_lastmod
from docs_sitemap.pages.page import Page
from docs_sitemap.pages.selection import HIDING
from docs_sitemap.readers.files import read_start, read_text, real_path
from docs_sitemap.readers.page_parts import embedded
from docs_sitemap.text import text_of
from docs_sitemap.urls import decoded

if TYPE_CHECKING:
    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.files import Files
    from mkdocs.structure.pages import Page as MkDocsPage

Record = tuple["MkDocsPage | None", Page]
"""MkDocs's page and our record of it; a copied file has no page in MkDocs."""

_NAVIGATION: Final = {"SUMMARY.md", ".nav.yml", ".nav.yaml", ".pages"}
"""The files that navigation plugins read by default."""

_NAVIGATION_OPTIONS: Final = {"awesome-nav": "filename", "literate-nav": "nav_file"}
"""The options of these plugins that name another file."""

_META_KEYS: Final = ("sitemap", *HIDING, "title", "description", *CREATION_KEYS)
"""The keys of front matter that ``Site.page`` reads."""


@dataclass(slots=True)
class PageState:
    """A page that is being built, or was: the files read for it, with their readers, and those reported."""

    markdown: str
    build: int
    is_first: bool
    read: Mapping[str, str] = field(default_factory=dict)
    included: dict[str, str] = field(default_factory=dict)


class Includes:
    """Finds the included files during a build, with calls at the start and the end of each page.

    ``dependencies`` is the option, ``text`` or ``all``; ``reads`` has the files read so far. All paths are
    absolute.
    """

    def __init__(self, config: MkDocsConfig, dependencies: str, reads: Reads, guard: BuildGuard) -> None:
        self._config = config
        self._has_media = dependencies == "all"
        self._media: dict[str, str] = {}  # images and downloads by their paths in the build output
        self._reads = reads
        reads.pass_over([*config.theme.dirs, config.site_dir])
        self._observer = Observer(guard, get_plugin_logger("docs-sitemap").debug)
        self._pages: set[str] = set()  # the sources of all pages
        self._number = 0  # of pages in a full build
        self._kept: set[str] = set()  # files read so far by plugins that may keep their content
        self._built: dict[str, PageState] = {}  # by the page's key in the notes
        self._current: PageState | None = None
        self._build = 0  # mkdocs-static-i18n has one build per language
        self._pages_in: Counter[int] = Counter()  # the number of pages built so far, by build
        self._times: defaultdict[str, Counter[int]] = defaultdict(Counter)  # reads of a file, by build
        self._folders: list[str] = []  # the base folders of included names
        self._appended = Appended((), ())  # by snippets, to every page; not the text of any
        self._names_in = cache(lambda place: named_in(read_text(place)))  # many pages may include one file
        self._everywhere = cache(self._read_for_all)  # by the number of pages built so far
        self._not_text = {os.path.abspath(config.config_file_path or "")}
        self._navigation = {
            *_NAVIGATION,
            *(
                text_of(plugin.config.get(_NAVIGATION_OPTIONS[name]))
                for name, plugin in plugins_by_name(config)
                if name in _NAVIGATION_OPTIONS
            ),
        }
        # each run of mkdocs serve has a new folder, and first builds all pages
        output = "" if is_serving(config) else config.site_dir
        self._notes = Notes(os.path.abspath(config.config_file_path or ""), output, dependencies)
        self._digest = _digest([config.config_file_path, *map(str, config.hooks)])

    def close(self) -> None:
        """Stop recording."""
        self._observer.close()
        self._reads.close()

    def of(self, page: MkDocsPage) -> Mapping[Path, str] | None:
        """Return the files that a page includes, each with its evidence.

        ``None`` if the page was not built and there is no note of it.
        """
        found: Mapping[str, str]
        if state := self._built.get(key_of(page)):
            found = self._known(key_of(page), state)
        elif note := self._note_of(page):  # not built by --dirty, although another plugin may have read it
            found = note.included
        else:
            return None
        return {Path(name): found[name] for name in sorted(found)}

    def front_matter(self, page: MkDocsPage) -> Mapping[str, Any] | None:
        """Return a page's front matter as plugins left it, or ``None`` like ``of``."""
        if key_of(page) in self._built:
            return page.meta
        note = self._note_of(page)
        meta = note.extra.get("meta") if note else None
        return meta if isinstance(meta, dict) else None

    def note(self, records: Iterable[Record], options: Options, report: Report) -> None:
        """Store the notes of all pages, except those of which nothing is known."""
        found = [
            (key_of(page), record, _extra(self.front_matter(page))) if page else (record.url, record, {})
            for page, record in records
            if page is None or record.datable or key_of(page) in self._built
        ]
        header = {
            "everywhere": sorted(self._everywhere(len(self._built))),
            "served": is_serving(self._config),
            "config": self._digest,
            "output": os.path.abspath(self._config.site_dir),
        }
        self._notes.write("MkDocs", found, options, host_of(self._config), report, **header)

    @cached_property
    def _noted(self) -> Noted:
        """The notes of the last build; none if a changed configuration may include other files."""
        noted = self._notes.read()
        return noted if noted.header.get("config") == self._digest else NOTHING

    def _note_of(self, page: MkDocsPage) -> Note | None:
        """Return the note of a page, or ``None`` if its text has changed since."""
        note = self._noted.pages.get(key_of(page))
        return note if note and note.is_current() else None

    def know(self, files: Files) -> None:
        """Register the pages of a new build, and observe the plugins that report included files."""
        pages = files.documentation_pages()
        paths = {file.abs_src_path for file in pages}
        paths |= {originals(self._config).get(path) for path in paths if path}
        self._pages |= {find(path) for path in paths if path for find in (os.path.abspath, real_path)}
        self._number += len(pages)
        self._build += 1
        self._names_in.cache_clear()
        root = os.path.dirname(self._config.config_file_path or "")
        bases = map(os.path.abspath, self._snippets_paths("base_path"))
        self._folders = [*dict.fromkeys((*bases, self._config.docs_dir, os.path.abspath(root), os.getcwd()))]
        self._appended = Appended(self._snippets_paths("auto_append"), self._folders)
        watch_all(plugins_by_name(self._config), self._observer, self._on_included)
        for file in files:
            if self._has_media and file.abs_src_path and not file.is_documentation_page():
                self._media[file.dest_uri] = file.abs_src_path

    def begin(self, page: MkDocsPage, markdown: str) -> None:
        """Start a page; earlier reads were not only for this page, and its front matter is its author's."""
        self._keep(self._reads.take())
        self._current = PageState(markdown, self._build, not self._pages_in[self._build])
        self._pages_in[self._build] += 1
        folder, *theme = self._config.theme.dirs
        if folder == self._config.theme.custom_dir:
            self._current.included |= templates_of(page.meta.get("template"), folder, theme)

    def end(self, page: MkDocsPage, html: str) -> None:
        """Finish a page with the files read for it."""
        state, self._current = self._current, None
        if state is None:
            return
        own = os.path.abspath(page.file.abs_src_path or "")
        state.read = {name: by for name, by in self._reads.take().items() if name != own}
        for name in state.read:
            self._times[name][state.build] += 1
        self._keep(state.read)
        for name, how in self._appended.explained(html, state.read).items():
            state.included.setdefault(name, how)
        self._add_named(state, os.path.dirname(own))
        for name in self._media_in(page, html) if self._media else ():
            state.included.setdefault(name, "the page shows it or links to it as a download")
        state.markdown = ""
        self._built[key_of(page)] = state

    def _media_in(self, page: MkDocsPage, html: str) -> set[str]:
        """Return the absolute paths of the images and downloads that a page's text links to."""
        folder = posixpath.dirname(page.file.dest_uri)
        # not strictly: data from other plugins may have lone surrogates, which no file name has
        names = {decoded(found) for found in embedded(html.encode("utf-8", "replace"))}
        places = (posixpath.normpath(posixpath.join(folder, name)) for name in names)
        return {self._media[place] for place in places if place in self._media}

    def _on_included(self, path: str, how: str) -> None:
        """Store a file that a mechanism reports for the current page."""
        if self._current is not None:
            self._current.included.setdefault(os.path.abspath(path), how)

    def _keep(self, read: Mapping[str, str]) -> None:
        """Store files whose content a plugin may keep and include in a later page."""
        self._kept |= {name for name, by in read.items() if not is_includer(by)}

    def _known(self, key: str, state: PageState) -> dict[str, str]:
        """Return the files of a page with their evidence, after all pages are built."""
        everywhere = self._everywhere(len(self._built))
        before = self._noted.pages.get(key)
        own = before.included if before else ()

        def is_other(name: str) -> bool:
            # a file read only once, for the first page, may be kept for all pages
            is_kept = state.is_first and self._times[name].total() == 1 and name not in own
            return is_kept or name in everywhere or self._is_not_text(name)

        appended = self._appended.files
        read = {name: by for name, by in state.read.items() if name not in appended or not is_includer(by)}
        return texts_read(read, is_other) | state.included

    def _read_for_all(self, built: int) -> set[str]:
        """Return the files read for every page; in a ``--dirty`` build, also those of the last full build."""
        found = {
            name
            for name, times in self._times.items()
            if any(1 < times[build] == self._pages_in[build] for build in times)
        }
        return found | {*self._noted.header.get("everywhere", ())} if built < self._number else found

    def _is_not_text(self, name: str) -> bool:
        """Tell whether a file is a page, media, navigation or configuration, so not included text."""
        return (
            (not self._has_media and is_medium(name))
            or name in self._pages
            or name in self._not_text
            or os.path.basename(name) in self._navigation
        )

    def _add_named(self, state: PageState, folder: str) -> None:
        """Report files that the page names and plugins have read, and recursively those that they name."""
        names, folders = named_in(state.markdown), [folder]
        while names:
            found = {
                place: written
                for name, written in names.items()
                for place in places_of(name, [*folders, *self._folders])
                if place not in state.included and self._is_read(place, written, state)
            }
            state.included |= {place: f"the page names it: {written}" for place, written in found.items()}
            folders = [*dict.fromkeys(map(os.path.dirname, found))]
            names = dict(item for place in found for item in self._names_in(place).items())

    def _is_read(self, place: str, written: str, state: PageState) -> bool:
        """Tell whether a plugin has read a file that a page names.

        A page's source, or a file named in a fence, must have been read for this page: a fence can show
        something else about the file.
        """
        is_read, is_kept = place in state.read, place in self._kept or place in self._reads.kept
        if not is_read and not is_kept:  # most places are no files
            return False
        if self._is_not_text(place) or written.startswith(("`", "~")):
            return is_read
        return is_kept

    def _snippets_paths(self, name: str) -> Iterator[str]:
        """Yield the paths in an option of snippets, which is a path or a list.

        MkDocs has tags for paths: ``!relative`` is the folder of the current page.
        """
        said = (self._config.mdx_configs.get("pymdownx.snippets") or {}).get(name) or ()
        for path in said if isinstance(said, (list, tuple)) else [said]:
            with suppress(Exception):  # no current page, or a mistake that snippets reports
                yield os.fspath(path)


def key_of(page: MkDocsPage) -> str:
    """Return a unique key of a page, even if another page has the same URL."""
    return f"{page.file.src_uri} -> {page.file.dest_uri}"


def _extra(front_matter: Mapping[str, Any] | None) -> dict[str, object]:
    """Return the extra data for a page's note: its front matter, as JSON data.

    Empty if the front matter is not plain data: then the next build reads the page.
    """
    if front_matter is None:
        return {}
    names = [name for name in front_matter if name in _META_KEYS or str(name).startswith(PREFIX)]
    meta = {name: front_matter[name] for name in names}
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
            digest.update(read_start(str(file), MAX_TEXT))
    return digest.hexdigest()
