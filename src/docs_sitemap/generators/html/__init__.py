"""A built tree of HTML files, whoever built it, as ``Page`` records.

Each page's own head says what it is; where its source lies, its path says: ``a/b/index.html`` is made
from ``a/b.md``, or from ``a/b/index.md``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from docs_sitemap import urls
from docs_sitemap.generators.html.files import files_below
from docs_sitemap.generators.html.front_matter import read_front_matter
from docs_sitemap.generators.html.sources import Sources
from docs_sitemap.notices import Notice
from docs_sitemap.page import Page
from docs_sitemap.published import About, read_about, read_heading
from docs_sitemap.settings import NO_SETTINGS, PageSettings, find_sources, read_settings

# What generators publish for machines, or for people who know what they look for: pages of the
# search (Sphinx, Hugo, Doxygen), indices and source code (Sphinx).
_MACHINE: Final = re.compile(
    r"(?:.*/)?(?:search|genindex(?:-\w+)?|\w+-modindex|modindex)(?:/index)?\.html?"
    r"|_modules/.*|search/\w+_\w+\.html?",
    re.IGNORECASE,
)
_NOT_FOUND: Final = re.compile(r"(?:.*/)?404(?:/index)?\.html?", re.IGNORECASE)

MACHINE = "search and index"


class Tree:
    """A built site. ``base_url`` is its address, where it is known.

    ``notices`` say what is wrong in the sources of pages.
    """

    def __init__(self, site_dir: Path, base_url: str | None, source_dir: Path | None) -> None:
        self._site_dir = site_dir
        self._base_url = base_url or ""
        self._source_dir = source_dir
        self.notices: list[Notice] = []
        self._sources = Sources(source_dir) if source_dir else None

    def pages(self) -> Iterator[Page]:
        """Yield every HTML file below the folder, in the order of their names."""
        for name in _html_files(self._site_dir):
            yield self._page(name)

    def _page(self, name: str) -> Page:
        file = self._site_dir / name
        about = read_about(file)
        source = self._sources.find(name) if self._sources else None
        settings = self._settings(source) if source else NO_SETTINGS
        return Page(
            url=self._url(name, about),
            source=source,
            source_path=self._sources.name(source) if self._sources and source else None,
            sources=self._settled(settings, source),
            settings=settings,
            file=file,
            unlisted="404" if _NOT_FOUND.fullmatch(name) else "",
            optional=MACHINE if _MACHINE.fullmatch(name) else "",
            alternates=about.alternates,
            title=read_heading(file) or about.title,
            summary=about.summary,
        )

    def _settings(self, source: Path) -> PageSettings:
        """Return what a page's source says of its place in the sitemap, as the plugins read it."""
        settings, notices = read_settings(read_front_matter(source).get("sitemap"), str(source))
        self.notices += notices
        return settings

    def _settled(self, settings: PageSettings, source: Path | None) -> tuple[Path, ...]:
        if not settings.sources or self._source_dir is None:
            return ()
        found, missing = find_sources(settings, self._source_dir, str(source))
        self.notices += missing
        return found

    def _url(self, name: str, about: About) -> str:
        """Return the address that the page gives itself, where it is one that leads to this file."""
        quoted = urls.escape_name(name)
        usual = re.sub(r"(?:^|(?<=/))index\.html?$", "", quoted)
        if about.canonical and self._base_url:
            ways = [usual, quoted, re.sub(r"\.html?$", "", quoted), usual.rstrip("/")]
            for way in ways:
                if urls.join(self._base_url, way) == about.canonical:
                    return way
        return usual


def _html_files(folder: Path) -> Iterator[str]:
    return (name for name in files_below(folder) if name.lower().endswith((".html", ".htm")))
