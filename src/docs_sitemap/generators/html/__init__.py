"""Convert a built tree of HTML files, from any generator, to ``Page`` records.

The page's head gives its properties, and its path gives the source: ``a/b/index.html`` is made from
``a/b.md``, or from ``a/b/index.md``.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, Final, NamedTuple, Protocol

from docs_sitemap import urls
from docs_sitemap.brief import shown
from docs_sitemap.generators.html.sources import Sources, files_below, read_front_matter
from docs_sitemap.limits import MAX_PATH
from docs_sitemap.notices import Notice, Subtype
from docs_sitemap.options import CREATION_KEYS, PageSettings, creation_in, read_metadata
from docs_sitemap.pages import (
    ERROR,
    INDEX,
    MACHINE,
    NOT_FOUND,
    PRINT,
    SEARCH,
    SOURCE_CODE,
    Page,
    machine_page,
)
from docs_sitemap.readers.html import Head, read_head, read_heading

__all__ = [
    "Sources",
    "Tree",
    "read_front_matter",
]

_REASONS: Final = {SEARCH: MACHINE, INDEX: MACHINE, SOURCE_CODE: "source code", PRINT: "print copy"}
"""Why utility pages are not listed, unless a rule asks for it; an error page is never listed."""


class Finding(Protocol):
    """Finds the sources of pages, which are below ``folder``, by the names of pages in the build output."""

    folder: Path

    def find(self, name: str) -> Path | None:
        """Return the source of a page, or ``None``."""
        ...


class _Metadata(NamedTuple):
    """What the front matter of a source says of its page."""

    settings: PageSettings
    sources: tuple[Path, ...]
    created: str


class Tree:
    """A built site. ``base_url`` is its URL, if known; ``sources`` finds the sources of its pages.

    Titles and summaries are read only ``with_titles``, because a title may be anywhere in a page, and
    creation dates in front matter only ``with_creations``.
    """

    def __init__(
        self,
        site_dir: Path,
        base_url: str | None,
        sources: Finding | None,
        *,
        with_titles: bool = True,
        with_creations: bool = False,
    ) -> None:
        self._site_dir = site_dir
        self._base_url = base_url or ""
        self._with_titles = with_titles
        self._words = ("sitemap", *CREATION_KEYS) if with_creations else ("sitemap",)
        self._sources = sources
        self._known: dict[Path, _Metadata] = {}
        self._notices: list[Notice] = []

    @property
    def notices(self) -> list[Notice]:
        """What is wrong in the sources of the pages so far."""
        return [*self._notices]

    def pages(self) -> Iterator[Page]:
        """Yield every HTML file below the folder, sorted by name."""
        for name in files_below(self._site_dir):
            if name.lower().endswith((".html", ".htm")):
                page = self._page(name)
                yield self._with_source(page, name, self._sources) if page.file and self._sources else page

    def other_files(self, is_ours: Callable[[str], bool]) -> Iterator[Page]:
        """Yield all other files, without those that ``is_ours`` names."""
        for name in files_below(self._site_dir):
            if not name.lower().endswith((".html", ".htm")) and not is_ours(name):
                title = name.rpartition("/")[2] if self._with_titles else ""
                page = Page(url=urls.escape_name(name), title=title)
                source = self._sources.folder / name if self._sources else None
                if source and os.path.isfile(source) and not os.path.islink(source):
                    page = replace(page, source=source, source_path=name)
                yield page

    def _page(self, name: str) -> Page:
        ways = _ways(name)
        file = self._site_dir / name
        usual = urls.join(self._base_url, ways[0]) if self._base_url and not self._with_titles else None
        found = read_head(file, usual)
        head = found or Head()
        kind = machine_page(self._site_dir, name)
        url = self._url(ways, head.canonical)
        return Page(
            url=url or ways[0],
            file=file,
            head=found,
            canonical=head.canonical if url else None,
            unlisted=NOT_FOUND if kind == ERROR else "",
            optional=_REASONS.get(kind, ""),
            alternates=head.alternates,
            title=(read_heading(file) or head.title) if self._with_titles else "",
            summary=head.summary,
        )

    def _with_source(self, page: Page, name: str, sources: Finding) -> Page:
        source = sources.find(name)
        if source is None:
            return page
        read = self._metadata_of(source, sources.folder)
        source_path = source.relative_to(sources.folder).as_posix()
        return replace(
            page,
            source=source,
            source_path=source_path,
            sources=read.sources,
            settings=read.settings,
            created=read.created,
        )

    def _metadata_of(self, source: Path, folder: Path) -> _Metadata:
        """Return what a source's front matter says; add notices of its mistakes, once."""
        if source not in self._known:
            self._known[source] = self._read(source, folder)
        return self._known[source]

    def _read(self, source: Path, folder: Path) -> _Metadata:
        metadata: Mapping[str, Any] = {}
        try:
            metadata = read_front_matter(source, self._words)
        except ValueError as problem:
            where = shown(os.fspath(source), MAX_PATH)
            text = f"{where}: cannot read the front matter: {problem}. It is ignored."
            self._notices.append(Notice("warning", Subtype.PAGE, text))
        settings, others, mistakes = read_metadata(metadata, str(source), folder)
        self._notices += mistakes
        # in reStructuredText, `date` is often that of the last change
        created = "git" if source.suffix == ".rst" else creation_in(metadata)
        return _Metadata(settings, others, created)

    def _url(self, ways: tuple[str, ...], canonical: str | None) -> str | None:
        """Return the page's canonical address if it leads to this file, otherwise ``None``."""
        if not (canonical and self._base_url):
            return None
        return next((way for way in ways if urls.join(self._base_url, way) == canonical), None)


def _ways(name: str) -> tuple[str, ...]:
    """Return the addresses at which hosts serve a file, the most common first."""
    quoted = urls.escape_name(name)
    folder, slash, last = quoted.rpartition("/")
    usual = folder + slash if last in ("index.html", "index.htm") else quoted
    stem = quoted.removesuffix(".html" if quoted.endswith(".html") else ".htm")
    return usual, quoted, stem, usual.rstrip("/")
