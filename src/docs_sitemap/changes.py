"""Compares two sitemaps of a site, or one with what search engines have accepted. Reads no files itself."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from typing import Any, Final, NamedTuple

from docs_sitemap.readers.data import read_json
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


_MARK: Final = "docs-sitemap"
_VERSION: Final = 1


def render(urls: Dates) -> bytes:
    """Return the content of the file: JSON with each URL and its ``lastmod`` or ``null``, sorted by URL."""
    found = {_MARK: _VERSION, "urls": dict(sorted(urls.items()))}
    return json.dumps(found, indent=1, ensure_ascii=True).encode("ascii") + b"\n"


def is_json(data: bytes) -> bool:
    """Tell whether a file may be one: no sitemap starts so."""
    return data.lstrip()[:1] in (b"{", b"[")


def parse(data: bytes) -> dict[str, str | None]:
    """Return the URLs of such a file, not checked, with their dates. Raises ``ValueError`` if it is none."""
    try:
        found: Any = read_json(data)
    except ValueError:
        found = None
    urls = found.get("urls") if isinstance(found, Mapping) and found.get(_MARK) == _VERSION else None
    if not isinstance(urls, dict):
        raise ValueError("is not a file that submit --remember or --log has written")
    return {url: date if isinstance(date, str) else None for url, date in urls.items()}


def after(before: Dates, now: Dates, accepted: Collection[str]) -> dict[str, str | None]:
    """Return what engines know after they have accepted some URLs."""
    kept = {url: date for url, date in before.items() if url not in accepted}
    return kept | {url: now[url] for url in accepted if url in now}
