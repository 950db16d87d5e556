"""Dates that readers see below Zensical's pages, set while the pages are rendered."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

from docs_sitemap.dates import Installed, dates_to_show, pages_below
from docs_sitemap.errors import OptionError
from docs_sitemap.files import show_date
from docs_sitemap.generators.zensical.project import Project
from docs_sitemap.options import Options, creation_in, place_rules, read_metadata, read_options
from docs_sitemap.pages import Page
from docs_sitemap.untrusted import RealPaths


class PageDates:
    """Shows the dates of a project's pages, if its option ``page_dates`` says so.

    ``watched`` are absolute paths of files that pages may include: with all pages, they are asked for first,
    so that the history is read once for most. With a mistake in the options there are no dates:
    ``docs-sitemap build`` reports it.
    """

    def __init__(self, project: Project, watched: Iterable[str]) -> None:
        self._project = project
        self._others: list[Page] = []
        self._links = RealPaths()
        self._installed = Installed(project.docs_dir)
        self._options: Options | None = None
        with suppress(OptionError):
            options = read_options(project.options.values)
            rules, _ = place_rules(options.rules, project.docs_dir, "rules")
            if options.page_dates:
                self._options = replace(options, rules=rules)
                files = [Page(url="", source=Path(file)) for file in watched]
                self._others = [*files, *pages_below(project.docs_dir)]

    def show(self, page: Any, known: Collection[str], possible: Collection[str]) -> str | None:
        """Add its date to a page's front matter and return it; a page without a date is left as it is.

        ``known`` are files that the page is known to include. Of ``possible`` ones it is known only after all
        pages are rendered: there is no date if it depends on them.
        """
        if self._options is None:
            return None
        files = dict.fromkeys([frozenset(known), frozenset((*known, *possible))])
        pages = [self._page(page, each) for each in files]
        with suppress(OptionError):
            host = self._project.host
            others, self._others = self._others, []
            least, *more = dates_to_show([*pages, *others], self._options, host)[: len(pages)]
            if least.lastmod is not None and all(least == most for most in more):
                show_date(page.meta, least.lastmod, host.language or "en", least.created)
                return least.lastmod
        return None

    def _page(self, page: Any, included: Collection[str]) -> Page:
        folder = self._project.docs_dir
        source = folder / page.path
        settings, sources, _ = read_metadata(page.meta, os.fspath(source), folder, self._links)
        files, undated = self._installed.originals(dict.fromkeys(map(Path, included), ""))
        return Page(
            url=page.url,
            source=source if source.is_file() else None,
            source_path=page.path,
            sources=sources,
            settings=settings,
            dependencies=tuple(files),
            datable=not undated,
            created=creation_in(page.meta),
        )
