"""Give themes the dates of pages."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import TYPE_CHECKING

from docs_sitemap.dates import Dates
from docs_sitemap.files import CREATED_KEY, DATE_KEY, show_date

if TYPE_CHECKING:
    from mkdocs.structure.pages import Page


def show_dates(pages: Iterable[Page], dates: Iterable[Dates], language: str) -> None:
    """Give each page its dates; ``language`` is that of the theme.

    A page without a date keeps MkDocs's own, which must not be ``None``.
    """
    for page, (date, created) in zip(pages, dates, strict=True):
        page.meta.pop(DATE_KEY, None)
        page.meta.pop(CREATED_KEY, None)
        if date is not None:
            page.update_date = date[:10]  # a day, as in MkDocs 1.6
            show_date(page.meta, date, language, created, _shown_elsewhere(page))


def _shown_elsewhere(page: Page) -> Collection[str]:
    """Return which of ``created`` and ``updated`` are beside a post of Material's blog (9.2 to 9.8)."""
    date = getattr(getattr(page, "config", None), "date", None)
    return [name for name in ("created", "updated") if date.get(name)] if isinstance(date, Mapping) else []
