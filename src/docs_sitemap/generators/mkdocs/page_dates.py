"""Give themes the dates of pages, in the reader's language."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Final

from docs_sitemap.timestamps import instant

if TYPE_CHECKING:
    from mkdocs.structure.pages import Page

DATE_KEY: Final = "docs_sitemap_lastmod"
"""Themes read ``page.meta.docs_sitemap_lastmod``: W3C Datetime, absent if there is no date."""

CREATED_KEY: Final = "docs_sitemap_created"
"""The same for when the page's source was added."""

_SHOWN: Final = "git_revision_date_localized"
"""What Material for MkDocs 9 and Zensical show below a page (partials/source-file.html)."""

_CREATED: Final = "git_creation_date_localized"
"""What they show beside it."""

_OF_OTHERS: Final = (_SHOWN, "revision_date")
"""What Material shows if another plugin or the author has set it."""


def show_dates(
    pages: Iterable[Page], dates: Iterable[str | None], created: Iterable[str | None], language: str
) -> None:
    """Give each page its dates; ``language`` is that of the theme.

    A page without a date keeps MkDocs's own, which must not be ``None``. A page that has a date for its
    footer keeps that.
    """
    for page, date, added in zip(pages, dates, created, strict=True):
        page.meta.pop(DATE_KEY, None)
        page.meta.pop(CREATED_KEY, None)
        if date is None:
            continue
        page.update_date = date[:10]  # a day, as in MkDocs 1.6
        page.meta[DATE_KEY] = date
        if any(page.meta.get(name) for name in _OF_OTHERS):
            continue
        page.meta[_SHOWN] = _element(date, language)
        if added:
            page.meta[CREATED_KEY] = added
            page.meta.setdefault(_CREATED, _element(added, language))


def _element(date: str, language: str) -> str:
    return f'<time datetime="{date}">{_localized(date, language)}</time>'


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
