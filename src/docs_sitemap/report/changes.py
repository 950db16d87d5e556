"""Compare a sitemap with an older one. Pure."""

from __future__ import annotations

from typing import NamedTuple

from docs_sitemap.check import Dates
from docs_sitemap.timestamps import instant


class Changed(NamedTuple):
    """A page whose date has changed."""

    url: str
    before: str | None
    after: str | None


class Changes(NamedTuple):
    """Pages that only one of two sitemaps lists, and pages with changed dates; each sorted by URL."""

    added: list[str]
    removed: list[str]
    changed: list[Changed]

    @property
    def total(self) -> int:
        """The total number of pages."""
        return len(self.added) + len(self.removed) + len(self.changed)


def compare(before: Dates, after: Dates) -> Changes:
    """Compare two sitemaps. The same instant in another time zone does not count as a change."""
    return Changes(
        sorted(after.keys() - before.keys()),
        sorted(before.keys() - after.keys()),
        [
            Changed(url, before[url], after[url])
            for url in sorted(before.keys() & after.keys())
            if _differ(before[url], after[url])
        ],
    )


def _differ(before: str | None, after: str | None) -> bool:
    if before == after:
        return False
    first, second = (instant(lastmod) if lastmod else None for lastmod in (before, after))
    return first is None or first != second
