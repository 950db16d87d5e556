"""Give themes the dates of pages."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from docs_sitemap.files import CREATED_KEY, DATE_KEY, show_date

if TYPE_CHECKING:
    from mkdocs.structure.pages import Page


def show_dates(
    pages: Iterable[Page], dates: Iterable[str | None], created: Iterable[str | None], language: str
) -> None:
    """Give each page its dates; ``language`` is that of the theme.

    A page without a date keeps MkDocs's own, which must not be ``None``.
    """
    for page, date, added in zip(pages, dates, created, strict=True):
        page.meta.pop(DATE_KEY, None)
        page.meta.pop(CREATED_KEY, None)
        if date is not None:
            page.update_date = date[:10]  # a day, as in MkDocs 1.6
            show_date(page.meta, date, language, added)
