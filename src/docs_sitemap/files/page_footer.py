"""Give themes the date of a page for its readers, in their language."""

from __future__ import annotations

from collections.abc import Collection, MutableMapping
from typing import Any, Final

from docs_sitemap.timestamps import instant

DATE_KEY: Final = "docs_sitemap_lastmod"
"""Themes read ``page.meta.docs_sitemap_lastmod``: W3C Datetime, absent if there is no date."""

CREATED_KEY: Final = "docs_sitemap_created"
"""The same for when the page's source was added."""

_SHOWN: Final = "git_revision_date_localized"
"""What Material for MkDocs 9 and Zensical show below a page (partials/source-file.html)."""

_CREATED: Final = "git_creation_date_localized"
"""What they show beside it."""

_OF_OTHERS: Final = (_SHOWN, "revision_date")
"""What both show if another plugin or the author has set it."""


def show_date(
    meta: MutableMapping[str, Any],
    date: str,
    language: str,
    created: str | None = None,
    elsewhere: Collection[str] = (),
) -> None:
    """Add dates, in W3C Datetime, to a page's front matter, from which the theme shows them.

    ``language`` is that of the theme, ``created`` when the page was created. A page that has a date for its
    footer keeps that; ``elsewhere`` names dates, ``created`` or ``updated``, that the theme shows beside it.
    """
    meta[DATE_KEY] = date
    if created:
        meta[CREATED_KEY] = created
    if any(meta.get(name) for name in _OF_OTHERS):
        return
    if "updated" not in elsewhere:
        meta[_SHOWN] = _element(date, language)
    if created and "created" not in elsewhere:
        meta.setdefault(_CREATED, _element(created, language))


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
        return format_date(moment, "long", Locale.parse(language.replace("-", "_").strip() or "en"))
    except (UnknownLocaleError, ValueError, OSError):  # some names exist without a file
        return f"{moment:%Y-%m-%d}"
