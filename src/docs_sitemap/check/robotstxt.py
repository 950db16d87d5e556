"""Parse a robots.txt by RFC 9309: its records with their lines, and which crawlers it blocks. Pure."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Final, NamedTuple

from protego import Protego

from docs_sitemap.limits import MAX_ROBOTS

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
        named = {record.value.lower() for record in self.records if record.key == "user-agent"}
        return RobotsText(self.data, (agent,) if agent in named else ("*",))

    @cached_property
    def text(self) -> str:
        """The part that every crawler reads, without byte order mark."""
        return self.data[:MAX_ROBOTS].removeprefix(_BOM).decode("utf-8", "replace")

    @property
    def has_bom(self) -> bool:
        """Tell whether it starts with a byte order mark, which RFC 9309 does not mention."""
        return self.data.startswith(_BOM)

    @cached_property
    def records(self) -> list[Record]:
        """All lines of the form ``key: value``, in order."""
        return [
            Record(number, key.strip().lower(), value.strip())
            for number, line in self._lines()
            for key, colon, value in [line.partition(":")]
            if colon
        ]

    @cached_property
    def lines_without_colon(self) -> list[int]:
        """The numbers of lines that are not empty, not a comment and not a record."""
        return [number for number, line in self._lines() if ":" not in line]

    def _lines(self) -> Iterator[tuple[int, str]]:
        for number, line in enumerate(self.text.splitlines(), 1):
            content = line.partition("#")[0].strip()
            if content:
                yield number, content

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

    def keeps_out(self, url: str) -> str | None:
        """Return who must not fetch a URL: ``crawlers`` for all, or a name; ``None`` if all may."""
        if not self._forbids_something:
            return None
        try:
            kept = next((agent for agent in self._agents if not self._parser.can_fetch(url, agent)), None)
        except ValueError:  # an invalid URL, which another rule reports
            return None
        return "crawlers" if kept == "*" else kept

    @cached_property
    def _forbids_something(self) -> bool:
        return any(record.key == "disallow" and record.value for record in self.records)

    @cached_property
    def _agents(self) -> list[str]:
        named = {record.value.lower() for record in self.records if record.key == "user-agent"}
        return [agent for agent in self.agents if agent == "*" or agent.lower() in named]

    @cached_property
    def _parser(self) -> Protego:
        return Protego.parse(self.text)
