"""What a server says of a site: its robots.txt, and its answers."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final, NamedTuple

from protego import Protego

from docs_sitemap.limits import MAX_ROBOTS
from docs_sitemap.readers.html import has_noindex
from docs_sitemap.sitemaps import Document

NAME: Final = "robots.txt"
_AGENTS: Final = ("*", "Googlebot", "bingbot")
"""Crawlers that must be able to fetch listed URLs."""

_BOM: Final = b"\xef\xbb\xbf"


class Record(NamedTuple):
    """One line with a colon; ``key`` is in lower case."""

    line: int
    key: str
    value: str


@dataclass(frozen=True)
class RobotsText:
    """The bytes of a robots.txt; a caller may cut them after ``MAX_ROBOTS + 1``.

    ``agents`` are the crawlers about which it is asked.
    """

    data: bytes
    agents: tuple[str, ...] = _AGENTS

    def for_agent(self, agent: str) -> RobotsText:
        """Return the same file for one crawler: its own groups count, or those for all if it has none."""
        return RobotsText(self.data, (agent,) if agent in self._named_agents else ("*",))

    @cached_property
    def text(self) -> str:
        """The part that every crawler reads, without byte order mark."""
        return self.data[:MAX_ROBOTS].removeprefix(_BOM).decode("utf-8", "replace")

    @property
    def has_bom(self) -> bool:
        """Tell whether it starts with a byte order mark, which RFC 9309 does not mention."""
        return self.data.startswith(_BOM)

    @cached_property
    def _lines(self) -> list[tuple[int, str]]:
        """The lines that are not empty without their comment, with their numbers."""
        lines = [line.partition("#")[0].strip() for line in self.text.splitlines()]
        return [(number, line) for number, line in enumerate(lines, 1) if line]

    @cached_property
    def records(self) -> list[Record]:
        """All lines of the form ``key: value``, in order."""
        found = []
        for number, line in self._lines:
            key, colon, value = line.partition(":")
            if colon:
                found.append(Record(number, key.strip().lower(), value.strip()))
        return found

    @property
    def lines_without_colon(self) -> list[int]:
        """The numbers of lines that are not empty, not a comment and not a record."""
        return [number for number, line in self._lines if ":" not in line]

    @property
    def sitemaps(self) -> list[Record]:
        """The ``Sitemap:`` lines, which belong to no group."""
        return [record for record in self.records if record.key == "sitemap"]

    @cached_property
    def forbids_all(self) -> Record | None:
        """The line that blocks the whole site for all crawlers, or ``None``."""
        everywhere: Record | None = None
        is_for_all = False
        allows = False
        in_rules = False
        for record in self.records:
            if record.key == "user-agent":
                is_for_all = record.value == "*" or (is_for_all and not in_rules)
                in_rules = False
            elif record.key in ("allow", "disallow"):
                in_rules = True
                if is_for_all and record.value:
                    allows |= record.key == "allow"
                    if record.key == "disallow" and record.value in ("/", "/*", "*"):
                        everywhere = everywhere or record
        return None if allows else everywhere

    def blocked_agent(self, url: str) -> str | None:
        """Return who must not fetch a URL: ``crawlers`` for all, or a name; ``None`` if all may."""
        for agent in self.agents:
            if agent == "*" or agent.lower() in self._named_agents:
                try:
                    if not self._parser.can_fetch(url, agent):
                        return "crawlers" if agent == "*" else agent
                except ValueError:  # an invalid URL, which another rule reports
                    return None
        return None

    @cached_property
    def _named_agents(self) -> set[str]:
        return {record.value.lower() for record in self.records if record.key == "user-agent"}

    @cached_property
    def _parser(self) -> Protego:
        return Protego.parse(self.text)


_ENGINES: Final = ("googlebot", "bingbot")
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
    if there is one. ``sitemaps`` are the answers for the sitemaps by URL, with their content. ``listed`` maps
    the URLs on the site's host to their ``lastmod``. ``visits`` are the answers for listed URLs, ``wanted``
    the number of those to ask for, and ``forbidden`` of those that robots.txt forbids. ``built`` are the URLs
    of the built sitemap with their ``lastmod`` if there is a folder, and ``built_robots`` its robots.txt.
    ``has_sitemaps`` is false if the check was stopped before their end, or if robots.txt forbids it;
    ``has_unread_sitemaps`` is true if no time was left for some. ``is_complete`` is false if the check was
    stopped, and ``stopped`` is why, unless the user did.
    """

    base: str
    robots: Visit
    robots_text: RobotsText | None = None
    sitemaps: dict[str, tuple[Visit, Document | None]] = field(default_factory=dict)
    listed: dict[str, str | None] = field(default_factory=dict)
    visits: list[Visit] = field(default_factory=list)
    wanted: int = 0
    forbidden: int = 0
    built: dict[str, str | None] | None = None
    built_robots: bytes | None = None
    has_sitemaps: bool = False
    has_unread_sitemaps: bool = False
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
            if match[1].lower() in _ENGINES and has_noindex(match[2]):
                return True
        elif has_noindex(value):
            return True
    return False
