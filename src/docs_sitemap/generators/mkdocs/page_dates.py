"""Give themes and other plugins the dates of pages. Opt-in."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from mkdocs.exceptions import PluginError

from docs_sitemap.dates import lastmods
from docs_sitemap.errors import OptionError
from docs_sitemap.generators.mkdocs.build import host_of
from docs_sitemap.generators.mkdocs.site import Site
from docs_sitemap.options import Options

if TYPE_CHECKING:
    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.pages import Page as MkDocsPage

DATE_KEY: Final = "docs_sitemap_lastmod"
"""Themes read ``page.meta.docs_sitemap_lastmod``: W3C Datetime, absent if there is no date."""


def find_dates(
    pages: list[MkDocsPage], site: Site, options: Options, config: MkDocsConfig
) -> list[str | None]:
    """Return the lastmod of each page, whether listed or not."""
    records = [site.page(page) for page in pages]
    try:
        return lastmods(records, options, host_of(config))
    except OptionError as problem:
        raise PluginError(f"docs-sitemap: {problem}") from problem


def date_pages(pages: list[MkDocsPage], dates: list[str | None]) -> None:
    """Set the date of each page; a page without one keeps MkDocs's date, which must not be ``None``."""
    for page, date in zip(pages, dates, strict=True):
        if date is not None:
            page.update_date = date[:10]  # a day, as in MkDocs 1.6
            page.meta[DATE_KEY] = date
