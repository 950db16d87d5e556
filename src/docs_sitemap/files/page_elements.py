"""What pages show of their dates: elements for the head, texts for the footer."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, MutableMapping
from html import escape
from pathlib import Path
from typing import Any, Final

from docs_sitemap.limits import MAX_PAGE
from docs_sitemap.notices import Notice, Subtype
from docs_sitemap.pages.page import Host
from docs_sitemap.readers.files import read_start
from docs_sitemap.readers.page_parts import dates_in
from docs_sitemap.timestamps import instant

_MODIFIED: Final = "article:modified_time"
_PUBLISHED: Final = "article:published_time"


def date_elements(
    date: str, url: str | None, present: str, *, created: str | None = None, structured: bool
) -> str:
    r"""Return the elements for a date in W3C Datetime: Open Graph's, and JSON-LD if it is asked for.

    ``present`` is the head, or what is known of it: what it already says is not said again, because two dates
    of a page would contradict each other. ``url`` is the page's own URL, ``created`` when it was added.

    >>> date_elements("2024-05-01", None, "<head>", structured=False)
    '<meta property="article:modified_time" content="2024-05-01">\n'
    """
    said = dates_in(present.encode("utf-8", "replace"))
    found = "" if _MODIFIED in said else f'<meta property="{_MODIFIED}" content="{date}">\n'
    if created and _PUBLISHED not in said:
        found += f'<meta property="{_PUBLISHED}" content="{created}">\n'
    if structured and "dateModified" not in said:
        dates = {"dateModified": date, "datePublished": created}
        data = {"@context": "https://schema.org", "@type": "WebPage", "url": url, **dates}
        text = json.dumps({name: value for name, value in data.items() if value})
        found += '<script type="application/ld+json">' + text.replace("<", r"\u003c") + "</script>\n"
    return found


DATE_KEY: Final = "docs_sitemap_lastmod"
"""Themes read ``page.meta.docs_sitemap_lastmod``: W3C Datetime, absent if there is no date."""

CREATED_KEY: Final = "docs_sitemap_created"
"""The same for when the page's source was added."""

# What Material for MkDocs 9 and Zensical show below a page (partials/source-file.html): the last, if another
# plugin or the author has set it
SHOWN: Final = "git_revision_date_localized"
_SHOWN_CREATED: Final = "git_creation_date_localized"
_SHOWN_OF_OTHERS: Final = "revision_date"


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
    if meta.get(SHOWN) or meta.get(_SHOWN_OF_OTHERS):
        return
    if "updated" not in elsewhere:
        meta[SHOWN] = _time_element(date, language)
    if created and "created" not in elsewhere:
        meta.setdefault(_SHOWN_CREATED, _time_element(created, language))


def _time_element(date: str, language: str) -> str:
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


def about_unseen(
    shown: Iterable[tuple[Path | None, str]], host: Host, value: str, theme: Iterable[str] = ()
) -> list[Notice]:
    """Report that no page shows its date, because the theme has no place for it.

    ``shown`` are published files, each with the text that its date has there, below the head; ``value`` is
    where a template finds it. A template in the folders of the ``theme`` may write it in any form.
    """
    files = [(file, text) for file, text in shown if file and text]
    is_seen = any(escape(text, quote=False).encode() in _body(file) for file, text in files)
    templates = (file for folder in theme for file in Path(folder).rglob("*.html"))
    keys = (DATE_KEY.encode(), SHOWN.encode(), b"update_date")
    if not files or is_seen or any(key in _body(file) for file in templates for key in keys):
        return []
    text = f"{host.spell('page_dates')}: the theme shows no dates, and only the heads of pages have them."
    return [Notice("info", Subtype.OPTION, f"{text} To fix it: show {value} in a template.")]


def _body(file: Path) -> bytes:
    try:
        data = read_start(file, MAX_PAGE)
    except OSError:
        return b""
    return data[max(data.lower().find(b"</head"), 0) :]
