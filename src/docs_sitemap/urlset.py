"""The entries of a sitemap, from the pages that are listed and their dates. Pure."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import groupby
from operator import attrgetter

from docs_sitemap import urls
from docs_sitemap.languages import normalise
from docs_sitemap.limits import MAX_IMAGES, MAX_LOC
from docs_sitemap.options import Options
from docs_sitemap.selection import Listed
from docs_sitemap.timestamps import format_date


@dataclass(frozen=True, slots=True)
class Alternate:
    """The same page in another language. ``hreflang``: BCP 47 or ``x-default``; ``href``: as a loc."""

    hreflang: str
    href: str


@dataclass(slots=True)
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


def build_urlset(listed: list[Listed], options: Options, base_url: str) -> list[Url]:
    """Return one entry an address, sorted by address; ``listed`` is emptied on the way.

    Where several sources claim one address, only the generator knows which it published, so their
    newest date is given only if each has one.
    """
    listed.sort(key=attrgetter("loc"), reverse=True)
    found = []
    translated = []
    for loc, group in groupby(_popped(listed), key=attrgetter("loc")):
        pages = sorted(group, key=attrgetter("order", "title"))
        found.append(_url(loc, pages, options, base_url))
        if pages[0].alternates:
            translated.append(found[-1])
    _make_reciprocal(translated, {url.loc for url in found}, base_url)
    return found


def _popped(listed: list[Listed]) -> Iterable[Listed]:
    while listed:  # so that a million entries do not stand beside a million pages
        yield listed.pop()


def _url(loc: str, pages: list[Listed], options: Options, base_url: str) -> Url:
    page = pages[0]
    settings = page.settings
    return Url(
        loc,
        _lastmod(pages, options),
        settings.changefreq or options.changefreq,
        options.priority if settings.priority is None else settings.priority,
        _alternates(loc, page, options, base_url) if options.languages or page.alternates else (),
        _images(page.images, base_url) if options.images and page.images else (),
        page.title,
        page.summary,
    )


def _lastmod(pages: list[Listed], options: Options) -> str | None:
    written = pages[0].settings.lastmod
    if written not in (None, "git"):
        return None if written == "none" else written
    known = [page.date for page in pages if isinstance(page.date, int)]
    if len(known) < len(pages):
        return None
    return format_date(max(known), options.lastmod_format)


def _alternates(loc: str, page: Listed, options: Options, base_url: str) -> tuple[Alternate, ...]:
    """Return the page's versions in all languages, sorted, its own among them; else none.

    What the generator knows of this page goes before ``languages``, by which every page has the
    same path in each language: then all languages' builds say the same of each page.
    """
    if page.alternates:
        known = [(_code(code), urls.absolute(base_url, href)) for code, href in page.alternates]
        found = {code: href for code, href in known if code and href and len(href) <= MAX_LOC}
    else:
        path = loc.removeprefix(base_url)
        found = {code: url + path for code, url in options.languages or () if len(url + path) <= MAX_LOC}
    if loc not in found.values() or len(found) == 1:
        return ()  # a page that does not name itself is no member of its group
    order = sorted(found, key=lambda code: (code == "x-default", code))
    return tuple(Alternate(code, found[code]) for code in order)


def _make_reciprocal(translated: list[Url], listed: set[str], base_url: str) -> None:
    """Take out alternates of this site that are not listed, or that do not name the page in return."""
    named = {url.loc: {alternate.href for alternate in url.alternates} for url in translated}
    for url in translated:
        kept = tuple(
            alternate
            for alternate in url.alternates
            if url.loc in named.get(alternate.href, ())
            or not (alternate.href in listed or alternate.href.startswith(base_url))
        )
        url.alternates = kept if {alternate.href for alternate in kept} != {url.loc} else ()


def _code(written: str) -> str:
    try:
        return normalise(written)
    except ValueError:
        return ""  # a generator's own name for a language, that no engine knows


def _images(references: Iterable[str], base_url: str) -> tuple[str, ...]:
    found = (urls.absolute(base_url, reference) for reference in references)
    return tuple(dict.fromkeys(url for url in found if url and len(url) <= MAX_LOC))[:MAX_IMAGES]
