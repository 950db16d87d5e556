"""The true dates of pages for themes and other plugins. Opt-in."""

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
"""What themes read: ``page.meta.docs_sitemap_lastmod``, W3C Datetime, absent where there is no date."""


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
    """Give each page its true date; one that has none keeps what MkDocs set, which must not be ``None``."""
    for page, date in zip(pages, dates, strict=True):
        if date is not None:
            page.update_date = date[:10]  # MkDocs 1.6 has a day there
            page.meta[DATE_KEY] = date
