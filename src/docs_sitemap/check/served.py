"""What a server answered for the URLs of a site. Pure."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from docs_sitemap.check.robotstxt import RobotsText
from docs_sitemap.sitemaps import Document
from docs_sitemap.untrusted.html import has_noindex

_AGENTS: Final = ("googlebot", "bingbot")
_FOR_AGENT: Final = re.compile(r"\s*([\w.-]+)\s*:(.*)", re.DOTALL)
_WITH_VALUE: Final = ("unavailable_after", "max-snippet", "max-image-preview", "max-video-preview")
"""The rules of ``X-Robots-Tag`` that have a colon (Google, "Robots meta tag")."""


class Visit(NamedTuple):
    """The answer for a URL: ``status`` is 0 without one, and then ``problem`` says why.

    ``problem`` with a status tells why the answer is not complete. ``target`` is the absolute URL of a
    redirect, as far as it is valid, or as written. ``type`` is the media type in lower case. ``noindex`` is
    what excludes the page: ``X-Robots-Tag`` or ``robots``. ``modified`` is ``Last-Modified`` in POSIX
    seconds. ``body`` is kept of robots.txt and sitemaps only.
    """

    url: str
    status: int = 0
    problem: str = ""
    target: str = ""
    type: str = ""
    noindex: str = ""
    canonical: str | None = None
    has_refresh: bool = False
    modified: float | None = None
    body: bytes = b""


@dataclass(slots=True)
class Served:
    """A site as it is served.

    ``base`` is its base URL; ``robots`` the answer for the host's robots.txt, and ``robots_text`` its content
    if there is one. ``sitemaps`` are the answers for the sitemaps by URL, with their content, and ``unread``
    the URLs of those for which no time was left. ``listed`` maps the URLs on the site's host to their
    ``lastmod``. ``visits`` are the answers for listed URLs, ``wanted`` the number of those to ask for, and
    ``forbidden`` of those that robots.txt forbids. ``built`` are the URLs of the built sitemap with their
    ``lastmod`` if there is a folder, and ``built_robots`` its robots.txt. ``is_complete`` is false if the
    check was stopped, and ``stopped`` is why, unless the user did; ``has_sitemaps`` is false if that was
    before their end, or if robots.txt forbids it.
    """

    base: str
    robots: Visit
    robots_text: RobotsText | None = None
    sitemaps: dict[str, tuple[Visit, Document | None]] = field(default_factory=dict)
    unread: set[str] = field(default_factory=set)
    listed: dict[str, str | None] = field(default_factory=dict)
    visits: list[Visit] = field(default_factory=list)
    wanted: int = 0
    forbidden: int = 0
    built: dict[str, str | None] | None = None
    built_robots: bytes | None = None
    has_sitemaps: bool = False
    is_complete: bool = True
    stopped: str = ""

    def stop(self, why: str) -> None:
        """Note why not all is checked, beside what was noted before."""
        self.is_complete = False
        if why not in self.stopped:  # several requests may be refused at once
            self.stopped = f"{self.stopped}; {why}" if self.stopped else why

    @property
    def robots_are_unreachable(self) -> bool:
        """Tell whether crawlers fetch nothing, because robots.txt has no answer (RFC 9309, 2.3.1.4)."""
        return not self.robots.status or self.robots.status >= 500


def header_excludes(values: list[str]) -> bool:
    """Tell whether one of the ``X-Robots-Tag`` headers excludes a page from Google or Bing.

    >>> header_excludes(["noarchive, noindex"]), header_excludes(["otherbot: noindex"])
    (True, False)
    """
    for value in values:
        match = _FOR_AGENT.match(value)
        if match and match[1].lower() not in _WITH_VALUE and "," not in match[1]:
            if match[1].lower() in _AGENTS and has_noindex(match[2]):
                return True
        elif has_noindex(value):
            return True
    return False
