"""A sitemap file: its entries, and problems with the file itself."""

from __future__ import annotations

from dataclasses import dataclass, field

from docs_sitemap.check.finding import Level
from docs_sitemap.limits import MAX_URLS


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
    changefreq and with priority.
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

    @property
    def is_full(self) -> bool:
        """Tell whether there are more entries than the protocol allows; the rest is not read."""
        return len(self.entries) > MAX_URLS

    def refuse(self, rule: str, message: str, line: int | None = None) -> None:
        """Add a problem that prevents reading the file to its end."""
        self.problems.append(Problem(rule, message, line))
        self.whole = False
