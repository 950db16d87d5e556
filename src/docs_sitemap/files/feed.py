"""Render the most recent changes of a site as a feed: Atom 1.0 (RFC 4287) and RSS 2.0. Pure.

Engines fetch a feed more often than a whole sitemap. A feed depends on the dates of the pages, not on
the time of the build.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from html import escape as escape_html

from docs_sitemap.files.urlset import DECLARATION, SIGNATURE, escape_attribute, escape_text
from docs_sitemap.pages.entries import Url
from docs_sitemap.timestamps import instant
from docs_sitemap.urls import decoded

ATOM = "http://www.w3.org/2005/Atom"
"""Atom's namespace (RFC 4287, 1.2), also for the one Atom element in RSS."""

_PROLOG = (DECLARATION, SIGNATURE.decode())
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)

# without a version, so that an update of docs-sitemap does not change every feed
_GENERATOR = "docs-sitemap"


@dataclass(frozen=True, slots=True)
class Feed:
    """The content of a feed: ``entries`` in any order, with unique locs, and at least one with a date.

    ``home`` is the site's base URL and ``address`` the feed's URL, both absolute and encoded like a
    loc; ``language`` is a BCP 47 code or empty. ``title`` is plain text with any characters.
    """

    title: str
    home: str
    address: str
    entries: Sequence[Url]
    language: str = ""


def newest(urls: Iterable[Url], limit: int) -> list[Url]:
    """Return the most recently changed pages, newest first, then by loc.

    Dates are compared as instants; a day means midnight UTC. Excludes pages without a date, or with one
    that RFC 3339 cannot represent.
    """
    return [url for _, url in _dated(urls)[:limit]]


def _dated(urls: Iterable[Url]) -> list[tuple[datetime, Url]]:
    dated = [(moment, url) for url in urls if url.lastmod and (moment := instant(url.lastmod)) is not None]
    return sorted(dated, key=lambda pair: (_EPOCH - pair[0], pair[1].loc))


def render_atom(feed: Feed) -> bytes:
    """Return the feed as Atom 1.0, in UTF-8 without BOM; titles and summaries stay plain text."""
    dated = _dated(feed.entries)
    title = escape_text(_feed_title(feed))
    language = f' xml:lang="{escape_attribute(feed.language)}"' if feed.language else ""
    lines = [
        *_PROLOG,
        f'<feed xmlns="{ATOM}"{language}>',
        # the feed's URL, not the home page's: an id belongs to one feed or entry (4.2.6), and the home
        # page may be an entry
        f"  <id>{escape_text(feed.address)}</id>",
        f"  <title>{title}</title>",
        f"  <updated>{_rfc3339(dated[0][0])}</updated>",
        # required (4.1.1); the site's title is the only known author
        f"  <author><name>{title}</name></author>",
        f"  <generator>{_GENERATOR}</generator>",
        f'  <link rel="self" type="application/atom+xml" href="{escape_attribute(feed.address)}"/>',
        f'  <link rel="alternate" type="text/html" href="{escape_attribute(feed.home)}"/>',
    ]
    for moment, url in dated:
        lines += _atom_entry(url, moment, feed)
    return "\n".join([*lines, "</feed>\n"]).encode("utf-8")


def _atom_entry(url: Url, moment: datetime, feed: Feed) -> Iterable[str]:
    yield "  <entry>"
    yield f"    <id>{escape_text(url.loc)}</id>"
    yield f"    <title>{escape_text(_title(url, feed))}</title>"
    yield f"    <updated>{_rfc3339(moment)}</updated>"
    if created := instant(url.created or ""):
        yield f"    <published>{_rfc3339(created)}</published>"
    yield f'    <link rel="alternate" type="text/html" href="{escape_attribute(url.loc)}"/>'
    if url.summary.strip():
        yield f'    <summary type="text">{escape_text(url.summary)}</summary>'
    yield "  </entry>"


def render_rss(feed: Feed) -> bytes:
    """Return the feed as RSS 2.0, in UTF-8 without BOM, by the RSS Advisory Board's profile."""
    dated = _dated(feed.entries)
    title = _plain(_feed_title(feed))
    lines = [
        *_PROLOG,
        f'<rss version="2.0" xmlns:atom="{ATOM}">',
        "  <channel>",
        f"    <title>{title}</title>",
        f"    <link>{escape_text(feed.home)}</link>",
        # required; the title, because a fixed sentence would not be in the site's language
        f"    <description>{title}</description>",
        *([f"    <language>{escape_text(feed.language)}</language>"] if feed.language else []),
        f"    <lastBuildDate>{_rfc822(dated[0][0])}</lastBuildDate>",
        f"    <generator>{_GENERATOR}</generator>",
        f'    <atom:link rel="self" type="application/rss+xml" href="{escape_attribute(feed.address)}"/>',
    ]
    for moment, url in dated:
        lines += _rss_item(url, moment, feed)
    return "\n".join([*lines, "  </channel>", "</rss>\n"]).encode("utf-8")


def _rss_item(url: Url, moment: datetime, feed: Feed) -> Iterable[str]:
    yield "    <item>"
    yield f"      <title>{_plain(_title(url, feed))}</title>"
    yield f"      <link>{escape_text(url.loc)}</link>"
    yield f'      <guid isPermaLink="true">{escape_text(url.loc)}</guid>'
    yield f"      <pubDate>{_rfc822(moment)}</pubDate>"
    if url.summary.strip():
        # feed readers interpret it as HTML, so escape the text as HTML first
        yield f"      <description>{escape_text(escape_html(url.summary, quote=False))}</description>"
    yield "    </item>"


def _plain(text: str) -> str:
    """Escape plain text for RSS with hexadecimal references, which most readers do not take for HTML.

    RSS profile, "Character Data".
    """
    escaped = escape_text(text)
    return escaped.replace("&amp;", "&#x26;").replace("&lt;", "&#x3C;").replace("&gt;", "&#x3E;")


def _title(url: Url, feed: Feed) -> str:
    """Return a page's title, or if it is empty, its decoded path relative to the home page."""
    path = decoded(url.loc.removeprefix(feed.home)).strip("/")
    return _first_visible(url.title, path, _feed_title(feed))


def _feed_title(feed: Feed) -> str:
    return _first_visible(feed.title, decoded(feed.home.partition("://")[2]).strip("/"), feed.home)


def _first_visible(*texts: str) -> str:
    return next(text for text in texts if text.strip())


def _rfc3339(moment: datetime) -> str:
    """Format a UTC time for Atom, to the second: ``2026-08-20T10:11:12+00:00``."""
    return moment.isoformat(timespec="seconds")


def _rfc822(moment: datetime) -> str:
    """Format a UTC time for RSS, to the second: ``Thu, 20 Aug 2026 10:11:12 +0000``."""
    from email.utils import format_datetime  # English in every locale; its package is slow to import

    return format_datetime(moment)
