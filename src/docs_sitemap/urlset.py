"""The entries of a sitemap, from pages and their dates. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from docs_sitemap.dates import PageDate
from docs_sitemap.options import Options
from docs_sitemap.page import Page
from docs_sitemap.timestamps import format_date


@dataclass(frozen=True, slots=True)
class Alternate:
    """The same page in another language. ``hreflang`` is a BCP 47 code or ``x-default``; ``href`` as a loc."""

    hreflang: str
    href: str


@dataclass(frozen=True, slots=True)
class Url:
    """One ``<url>``, and what a feed says of the page.

    ``loc`` is absolute, percent-encoded and so in ASCII; ``lastmod`` is W3C Datetime (a day, or a
    time with its zone) or absent; ``images`` are absolute URLs, encoded alike. ``title`` and
    ``summary`` are plain text of any characters, for feeds only.
    """

    loc: str
    lastmod: str | None = None
    changefreq: str | None = None
    priority: float | None = None
    alternates: tuple[Alternate, ...] = ()
    images: tuple[str, ...] = ()
    title: str = ""
    summary: str = ""


def build_urlset(
    listed: Mapping[str, list[Page]], dates: Mapping[int, PageDate], options: Options
) -> list[Url]:
    """Return one entry an address, sorted by address.

    ``dates`` are by ``id`` of the page. Where several sources claim one address, only the
    generator knows which it published, so their newest date is given only if each has one.
    """
    return [_url(loc, listed[loc], dates, options) for loc in sorted(listed)]


def _url(loc: str, pages: list[Page], dates: Mapping[int, PageDate], options: Options) -> Url:
    pages = sorted(pages, key=lambda page: (page.source_path or "", page.url))
    settings = pages[0].settings
    return Url(
        loc,
        settings.lastmod or _lastmod([dates.get(id(page)) for page in pages], options),
        settings.changefreq or options.changefreq,
        options.priority if settings.priority is None else settings.priority,
    )


def _lastmod(dates: list[PageDate | None], options: Options) -> str | None:
    known = [date for date in dates if isinstance(date, int)]
    if len(known) < len(dates):
        return None
    return format_date(max(known), options.lastmod_format)
