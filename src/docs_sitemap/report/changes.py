"""What changed since an older sitemap. Pure."""

from __future__ import annotations

from typing import NamedTuple

from docs_sitemap.check import Dates
from docs_sitemap.timestamps import instant


class Changed(NamedTuple):
    """A page that has another date than before."""

    url: str
    before: str | None
    after: str | None


class Changes(NamedTuple):
    """What only one of two sitemaps lists, and what has other dates in them; each sorted by URL."""

    added: list[str]
    removed: list[str]
    changed: list[Changed]

    @property
    def total(self) -> int:
        """How many pages these are."""
        return len(self.added) + len(self.removed) + len(self.changed)


def compare(before: Dates, after: Dates) -> Changes:
    """Compare two sitemaps. The same instant in another time zone is no change."""
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
