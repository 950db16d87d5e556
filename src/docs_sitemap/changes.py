"""Compares two sitemaps of a site, by the dates of their URLs. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from docs_sitemap.timestamps import same_date

Dates = Mapping[str, str | None]
"""The dates of a sitemap as written, by URL; ``None`` for a URL without a date."""


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
        """The number of these pages."""
        return len(self.added) + len(self.removed) + len(self.changed)


def compare(before: Dates, after: Dates) -> Changes:
    """Compare two sitemaps. The same date in another form does not count as a change."""
    both = sorted(before.keys() & after.keys())
    return Changes(
        sorted(after.keys() - before.keys()),
        sorted(before.keys() - after.keys()),
        [Changed(url, before[url], after[url]) for url in both if _differ(before[url], after[url])],
    )


def _differ(before: str | None, after: str | None) -> bool:
    return before != after and not (before and after and same_date(before, after))
