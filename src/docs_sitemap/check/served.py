"""What a server says of a site: its robots.txt, and its answers."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final, NamedTuple

from protego import Protego

from docs_sitemap.limits import MAX_ROBOTS
from docs_sitemap.sitemaps import Document

NAME: Final = "robots.txt"
_ENGINES: Final = ("Googlebot", "bingbot")
"""Crawlers that must be able to fetch listed URLs, even if a rule for all does not concern them."""

_ANSWERING: Final = (
    *("oai-searchbot", "claude-searchbot", "claude-user", "perplexitybot", "mistralai-index"),
    *("duckassistbot", "amzn-searchbot", "meta-webindexer"),
)
"""Crawlers of assistants that answer with links to what these may fetch, by their vendors' documentation
(November 2026; that of Amazon and Meta as others quote it). Those that collect texts for training are not
among them, nor ChatGPT-User and Perplexity-User: for a page that a user asks for, these do not promise to
follow robots.txt.
"""

_DISALLOW: Final = ("disallow", "dissallow", "dissalow", "disalow", "diasllow", "disallaw")
"""The word with those typos that Google's parser reads (google/robotstxt, robots.cc), and Protego too."""

_ADDRESS: Final = re.compile(r"https?://\S*")

_BOM: Final = b"\xef\xbb\xbf"


class Record(NamedTuple):
    """One line with a colon; ``key`` is in lower case."""

    line: int
    key: str
    value: str


@dataclass(frozen=True)
class RobotsText:
    """The bytes of a robots.txt; a caller may cut them after ``MAX_ROBOTS + 1``."""

    data: bytes

    @cached_property
    def text(self) -> str:
        """The part that every crawler reads, without byte order mark."""
        return self.data[:MAX_ROBOTS].removeprefix(_BOM).decode("utf-8", "replace")

    @property
    def has_bom(self) -> bool:
        """Tell whether it starts with a byte order mark, which RFC 9309 does not mention."""
        return self.data.startswith(_BOM)

    @cached_property
    def lines(self) -> list[tuple[int, str]]:
        """The lines that are not empty without their comment, with their numbers."""
        lines = (line.partition("#")[0].strip() for line in self.text.splitlines())
        return [(number, line) for number, line in enumerate(lines, 1) if line]

    @cached_property
    def records(self) -> list[Record]:
        """All lines of the form ``key: value``, in order."""
        parts = ((number, *line.partition(":")) for number, line in self.lines)
        return [
            Record(number, key.strip().lower(), value.strip()) for number, key, colon, value in parts if colon
        ]

    @property
    def lines_without_colon(self) -> list[int]:
        """The numbers of lines that are not empty, not a comment and not a record."""
        return [number for number, line in self.lines if ":" not in line]

    @property
    def sitemaps(self) -> list[Record]:
        """The ``Sitemap:`` lines, which belong to no group."""
        return self._of("sitemap")

    @property
    def sitemap_urls(self) -> list[str]:
        """What the ``Sitemap:`` lines name."""
        return [record.value for record in self.sitemaps]

    def _of(self, key: str) -> list[Record]:
        return [record for record in self.records if record.key == key]

    @cached_property
    def forbids_all(self) -> Record | None:
        """The line that blocks the whole site for all crawlers, or ``None``."""
        everywhere: Record | None = None
        is_for_all = in_rules = False
        for record in self.records:
            if record.key == "user-agent":
                is_for_all = record.value == "*" or (is_for_all and not in_rules)
                in_rules = False
            elif record.key == "allow" or record.key in _DISALLOW:
                in_rules = True
                if is_for_all and record.value and record.key == "allow":
                    return None
                if is_for_all and record.value in ("/", "/*", "*"):
                    everywhere = everywhere or record
        return everywhere

    def blocked_agent(self, url: str) -> str | None:
        """Return which search engine must not fetch a URL, ``crawlers`` for all; ``None`` if all may."""
        if not self._allows(url, "*"):
            return "crawlers"
        named = (agent for agent in _ENGINES if agent.lower() in self._named_agents)
        return next((agent for agent in named if not self._allows(url, agent)), None)

    def forbidden_answers(self, url: str) -> list[Record]:
        """Return the ``User-agent`` lines of answer engines that must not fetch a URL, if Google may."""
        if not self.allows(url, "googlebot"):
            return []
        named = {it.value.lower(): it for it in self._of("user-agent") if it.value.lower() in _ANSWERING}
        return [record for agent, record in named.items() if not self._allows(url, agent)]

    def allows(self, url: str, user_agent: str) -> bool:
        """Tell whether a crawler may fetch a URL: its own groups count, or those for all if it has none.

        Its name is a word of its User-Agent (RFC 9309, 2.2.1), but not Mozilla, which all browsers have.
        """
        words = set(re.findall(r"[\w-]+", _ADDRESS.sub("", user_agent.lower()))) - {"mozilla"}
        return self._allows(url, max(sorted(words & self._named_agents), key=len, default="*"))

    def _allows(self, url: str, agent: str) -> bool:
        try:
            return bool(self._parser.can_fetch(url, agent))
        except ValueError:  # an invalid URL, which another rule reports
            return True

    @cached_property
    def _named_agents(self) -> set[str]:
        return {record.value.lower() for record in self._of("user-agent")}

    @cached_property
    def _parser(self) -> Protego:
        return Protego.parse(self.text)


class Visit(NamedTuple):
    """The answer for a URL: ``status`` is 0 without one, and then ``problem`` says why.

    ``problem`` with a status tells why the answer is not complete. ``target`` is the absolute URL of a
    redirect, as far as it is valid, or as written. ``type`` is the media type in lower case. ``noindex`` is
    what excludes the page: ``X-Robots-Tag`` or ``robots``. ``modified`` is ``Last-Modified`` in POSIX
    seconds. ``firewall`` is the header with which one says that the answer is its own. ``body`` is kept of
    robots.txt and sitemaps only.
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
    firewall: str = ""
    body: bytes = b""


@dataclass(slots=True)
class Served:
    """A site as it is served.

    ``robots`` is the answer for the host's robots.txt, and ``robots_text`` its content if there is one.
    ``sitemaps`` are the answers for the sitemaps by URL, with their content; ``listed`` and ``built`` map
    URLs to their ``lastmod``. ``visits`` are the answers for listed URLs, ``wanted`` the number of those to
    ask for, and ``forbidden`` of those that robots.txt forbids. ``has_sitemaps`` is false if the check was
    stopped before their end; ``has_unread_sitemaps`` is true if no time was left for some. ``stopped`` is why
    the check is not complete, unless the user ended it. ``as_googlebot`` are pairs of answers for the same
    URL, the second for a request with Googlebot's User-Agent; ``copy_in_markdown`` is that for the first page
    in Markdown that llms.txt names.
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
    as_googlebot: list[tuple[Visit, Visit]] = field(default_factory=list)
    copy_in_markdown: Visit | None = None

    def stop(self, why: str) -> None:
        """Note why not all is checked, beside what was noted before."""
        self.is_complete = False
        if why not in self.stopped:  # several requests may be refused at once
            self.stopped = f"{self.stopped}; {why}" if self.stopped else why

    @property
    def sitemap_urls(self) -> list[str]:
        """The sitemaps that robots.txt names."""
        return self.robots_text.sitemap_urls if self.robots_text else []

    @property
    def all_visits(self) -> list[Visit]:
        """The answers for robots.txt, the sitemaps, and the listed URLs."""
        return [self.robots, *(visit for visit, _ in self.sitemaps.values()), *self.visits]
