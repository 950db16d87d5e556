"""Give themes the dates of pages, in the reader's language."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Final

from docs_sitemap.timestamps import instant

if TYPE_CHECKING:
    from mkdocs.structure.pages import Page

DATE_KEY: Final = "docs_sitemap_lastmod"
"""Themes read ``page.meta.docs_sitemap_lastmod``: W3C Datetime, absent if there is no date."""

_SHOWN: Final = "git_revision_date_localized"
"""What Material for MkDocs 9 and Zensical show below a page (partials/source-file.html)."""

_OF_OTHERS: Final = (_SHOWN, "revision_date")
"""What Material shows if another plugin or the author has set it."""


def show_dates(pages: Iterable[Page], dates: Iterable[str | None], language: str) -> None:
    """Give each page its date; ``language`` is that of the theme.

    A page without a date keeps MkDocs's own, which must not be ``None``. A page that has a date for its
    footer keeps that.
    """
    for page, date in zip(pages, dates, strict=True):
        page.meta.pop(DATE_KEY, None)
        if date is None:
            continue
        page.update_date = date[:10]  # a day, as in MkDocs 1.6
        page.meta[DATE_KEY] = date
        if not any(page.meta.get(name) for name in _OF_OTHERS):
            page.meta[_SHOWN] = f'<time datetime="{date}">{_localized(date, language)}</time>'


def _localized(date: str, language: str) -> str:
    """Return a date for readers: with Babel, which Material installs, in their language."""
    moment = instant(date)
    if moment is None:
        return date
    try:
        from babel import Locale
        from babel.core import UnknownLocaleError
        from babel.dates import format_date
    except ImportError:
        return f"{moment:%Y-%m-%d}"
    try:
        locale = Locale.parse(language.replace("-", "_") or "en")
    except (UnknownLocaleError, ValueError):
        return f"{moment:%Y-%m-%d}"
    return format_date(moment, "long", locale)
