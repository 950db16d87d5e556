"""A sitemap file: its entries, and problems with the file itself."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import chain

from docs_sitemap.check.finding import Level
from docs_sitemap.limits import ENTRY_WEIGHT, EVENT_WEIGHT, MAX_SITE, MAX_URLS, URL_WEIGHT


@dataclass(frozen=True, slots=True)
class Problem:
    """A problem with a file, reported by the rule with that id; ``count`` is the number of places."""

    rule: str
    message: str
    line: int | None = None
    count: int = 1
    level: Level | None = None


@dataclass(slots=True)
class Entry:
    """One ``<url>``, ``<sitemap>`` or line, as written; ``lastmod`` is ``None`` if it is absent.

    ``alternates`` are pairs of hreflang and href, ``images`` the URLs of images.
    """

    loc: str
    lastmod: str | None = None
    line: int | None = None
    alternates: tuple[tuple[str, str], ...] = ()
    images: tuple[str, ...] = ()


@dataclass(slots=True)
class Document:
    """A sitemap file. ``kind`` is urlset, index, text or feed; empty if the file cannot be read.

    ``whole`` is false if entries may be missing because the file could not be read to its end.
    ``signed`` is true for a file that docs-sitemap wrote, ``for_theme`` for one that only a theme reads,
    ``xslt`` for one with an XSL stylesheet.
    ``dropped`` are the image tags that engines no longer read, ``hints`` the number of entries with
    changefreq and with priority. ``size`` is the number of bytes before compression, ``seen`` that of
    entries, also those without a URL, ``events`` that of starts and ends of elements, and ``kept`` the bytes
    that entries, alternates and images count for. ``most`` is the weight up to which it is read;
    ``is_too_heavy`` tells that its entries reached it.
    """

    name: str
    kind: str = ""
    entries: list[Entry] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    whole: bool = True
    signed: bool = False
    for_theme: bool = False
    xslt: bool = False
    dropped: set[str] = field(default_factory=set)
    hints: dict[str, int] = field(default_factory=dict)
    size: int = 0
    seen: int = 0
    events: int = 0
    kept: int = 0
    most: int = MAX_SITE
    is_too_heavy: bool = False

    def add(self, entries: Iterable[Entry]) -> None:
        """Add entries."""
        for entry in entries:
            self.entries.append(entry)
            self.kept += URL_WEIGHT + ENTRY_WEIGHT * (len(entry.alternates) + len(entry.images))
            texts = (entry.loc, entry.lastmod or "", *entry.images)
            self.kept += sum(map(_memory, chain(texts, *entry.alternates)))
            self.is_too_heavy = self.kept > self.most

    @property
    def is_full(self) -> bool:
        """Tell whether there are more entries than the protocol allows; the rest is not read."""
        return max(len(self.entries), self.seen) > MAX_URLS

    @property
    def weight(self) -> int:
        """Return the bytes that the document counts for in ``MAX_SITE``; many entries count for more."""
        return max(self.size, self.kept, EVENT_WEIGHT * self.events)

    def refuse(self, rule: str, message: str, line: int | None = None) -> None:
        """Add a problem that prevents reading the file to its end."""
        self.problems.append(Problem(rule, message, line))
        self.whole = False


def _memory(text: str) -> int:
    """Return the bytes of a text for which its file has fewer: one character makes each take four."""
    return 0 if text.isascii() else sys.getsizeof(text)
