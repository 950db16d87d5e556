"""Makes the entries of a sitemap from the listed pages. Reads published pages for their images."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import groupby, pairwise
from operator import attrgetter

from docs_sitemap import urls
from docs_sitemap.limits import MAX_IMAGES, MAX_LOC, MAX_TITLE
from docs_sitemap.options.declarations import Options
from docs_sitemap.options.page_settings import PageSettings
from docs_sitemap.pages.page import Page
from docs_sitemap.readers.page_parts import read_images
from docs_sitemap.timestamps import newest_date


@dataclass(frozen=True, slots=True)
class Alternate:
    """The same page in another language; ``hreflang`` is BCP 47 or ``x-default``, ``href`` is like a loc."""

    hreflang: str
    href: str


@dataclass(slots=True)
class Url:
    """One ``<url>``, and the text of the page's feed entry.

    ``loc`` is absolute and percent-encoded, so ASCII; ``lastmod`` is W3C Datetime (a day, or a
    time with its zone) or ``None``; ``images`` are absolute URLs, encoded like ``loc``. ``title`` and
    ``summary`` are plain text of up to ``MAX_TITLE`` characters of any kind, for feeds only, and so is
    ``created``, in W3C Datetime, or as in ``Page`` until its date is known. ``source`` is the ``source_path``
    of the page: it decides between pages that claim the same URL. ``is_taken`` is as in ``Page``.
    """

    loc: str
    lastmod: str | None = None
    changefreq: str | None = None
    priority: float | None = None
    alternates: tuple[Alternate, ...] = ()
    images: tuple[str, ...] = ()
    title: str = ""
    summary: str = ""
    source: str = ""
    is_taken: bool = False
    created: str | None = None


def _shortened(text: str) -> str:
    """Return a text of up to ``MAX_TITLE`` characters, with an ellipsis if it was longer."""
    return text if len(text) <= MAX_TITLE else f"{text[: MAX_TITLE - 1].rstrip()}…"


def make_url(loc: str, page: Page, settings: PageSettings, options: Options, base_url: str) -> Url:
    """Return the entry of a page, without a lastmod if that comes from git.

    ``base_url`` is encoded and ends in ``/``.
    """
    return Url(
        loc,
        None if settings.lastmod in ("git", "none") else settings.lastmod,
        settings.changefreq or options.changefreq,
        options.priority if settings.priority is None else settings.priority,
        _alternates(loc, page, settings, options, base_url),
        _images(page, loc, base_url, with_own=options.images),
        _shortened(page.title),
        _shortened(page.summary),
        page.source_path or "",
        page.is_taken,
        page.created if options.creation_dates else None,
    )


def _alternates(
    loc: str, page: Page, settings: PageSettings, options: Options, base_url: str
) -> tuple[Alternate, ...]:
    """Return the page's versions that the generator reports, else those in ``languages``."""
    if page.alternates:
        return _reported(loc, page, base_url)
    languages = options.languages or ()
    # if a setting says that the page is listed, that applies to all languages
    absent = page.absent if settings.exclude is None else ()
    lacking = {url for code, url in languages if code in absent} - {base_url}
    path = loc.removeprefix(base_url)
    found = [Alternate(code, url + path) for code, url in languages if url not in lacking]
    found = [alternate for alternate in found if len(alternate.href) <= MAX_LOC]
    return tuple(found) if len(found) > 1 else ()


def merge_duplicates(urls: list[Url]) -> list[Url]:
    """Return one entry per URL, sorted by URL; the order of ``urls`` does not matter.

    If several pages claim the same URL, only the generator knows which one it published. The first by
    source is used, with the newest date of all if each has a date.
    """
    urls.sort(key=attrgetter("loc"))
    if all(url.loc != following.loc for url, following in pairwise(urls)):
        return urls
    found = []
    for _, group in groupby(urls, key=attrgetter("loc")):
        pages = sorted(group, key=lambda url: (url.source, url.lastmod or "", repr(url)))
        known = [url.lastmod for url in pages if url.lastmod is not None]
        pages[0].lastmod = newest_date(known) if len(known) == len(pages) else None
        found.append(pages[0])
    return found


def _reported(loc: str, page: Page, base_url: str) -> tuple[Alternate, ...]:
    """Return the page's versions in all languages, sorted; empty if its own is missing or the only one."""
    from docs_sitemap.options.languages import X_DEFAULT, code_or_none  # most sites have one language

    found: dict[str, str] = {}
    for code, reference in page.alternates:
        known = code_or_none(code)
        href = (known and urls.absolute(base_url, reference)) or ""
        if href and len(href) <= MAX_LOC:
            found[known] = href
    if loc not in found.values() or len(found) == 1:
        return ()  # a group must include the page itself
    order = sorted(found, key=lambda code: (code == X_DEFAULT, code))
    return tuple(Alternate(code, found[code]) for code in order)


def make_reciprocal(urls: Iterable[Url], base_url: str) -> None:
    """Remove alternates within this site that are not listed, or that do not link back to the page.

    This applies to alternates from a generator that builds all languages at once.
    """
    translated = [url for url in urls if url.alternates]
    named = {url.loc: {alternate.href for alternate in url.alternates} for url in translated}
    for url in translated:
        kept = tuple(
            alternate
            for alternate in url.alternates
            if url.loc in named.get(alternate.href, ()) or not alternate.href.startswith(base_url)
        )
        url.alternates = kept if {alternate.href for alternate in kept} != {url.loc} else ()


def _images(page: Page, loc: str, base_url: str, *, with_own: bool) -> tuple[str, ...]:
    """Return ``more_images``, and before them its own from the generator, else from the published page."""
    found = [urls.absolute(base_url, reference) for reference in page.images if with_own]
    if with_own and not page.images and page.file:
        found = [*read_images(page.file, loc)]
    found += [urls.absolute(base_url, reference) for reference in page.more_images]
    return tuple(dict.fromkeys(url for url in found if url and len(url) <= MAX_LOC))[:MAX_IMAGES]
