"""What changed since an older sitemap."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from docs_sitemap.check.document import Document, read_document
from docs_sitemap.limits import MAX_BYTES
from docs_sitemap.timestamps import instant

Dates = Mapping[str, str | None]
"""The dates of a sitemap as they are written, by URL; ``None`` where it gives none."""


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


def read_older(file: Path) -> Dates:
    """Return what a sitemap of any form lists; of an index, what the files beside it list.

    Raises ``OSError`` where a file cannot be read, ``ValueError`` where it is no sitemap.
    """
    document = _read(file)
    documents = [document]
    if document.kind == "index":
        names = [entry.loc.rpartition("/")[2] for entry in document.entries]
        parts = [file.parent / name for name in names if name and "\0" not in name]
        documents = [_read(part) for part in parts if part.is_file()]
    dates: dict[str, str | None] = {}
    for found in documents:
        for entry in found.entries:
            dates.setdefault(entry.loc, entry.lastmod or None)
    return dates


def _read(file: Path) -> Document:
    with open(file, "rb") as stream:
        document = read_document(file.name, stream.read(MAX_BYTES + 1))
    if not document.kind or not document.whole:
        raise ValueError(document.problems[0].message if document.problems else "is no sitemap")
    return document
