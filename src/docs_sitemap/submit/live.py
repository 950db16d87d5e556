"""Read the sitemaps of a site that is online, before a new one is deployed."""

from __future__ import annotations

from collections.abc import Callable
from urllib.parse import urljoin

from docs_sitemap.brief import counted
from docs_sitemap.files import robots
from docs_sitemap.limits import MAX_LOC, MAX_ROBOTS
from docs_sitemap.submit.failure import MissingError, SubmitError
from docs_sitemap.submit.reading import Entries, read_web
from docs_sitemap.submit.web import Web

_MOST: int = 10
"""Sitemaps of one site that its robots.txt may name."""


def read_live(url: str, base_url: str, web: Web, say: Callable[[str], None]) -> Entries:
    """Return the entries of a site's sitemap, with all of its parts; without one, nothing.

    If there is none at ``url``, the site may have had another until now: those that the host's robots.txt
    names below ``base_url``. Raises ``SubmitError`` if it is unknown what engines know.
    """
    try:
        found = read_web(url, web)
    except MissingError as problem:
        say(str(problem))
        found = _read_named(base_url, web, say)
        if not found:
            say("Nothing is known: all URLs of the new sitemap will count as new.")
        return found
    say(f"{url}: {counted(len(found), 'URL')}.")
    return found


def _read_named(base_url: str, web: Web, say: Callable[[str], None]) -> Entries:
    robots_url = urljoin(base_url, "/robots.txt")
    answer = web.ask("GET", robots_url, limit=MAX_ROBOTS)
    if answer.status not in (200, 404, 410):
        raise SubmitError(f"{robots_url}: cannot be read, the server answered {answer.status}.")
    named = robots.named(answer.body) if answer.status == 200 else []
    found: Entries = {}
    for url in [url for url in named if url.startswith(base_url) and len(url) <= MAX_LOC][:_MOST]:
        try:
            part = read_web(url, web)
        except MissingError:
            continue
        say(f"{url}, which robots.txt names: {counted(len(part), 'URL')}.")
        found |= part
    return found
