"""What a page's head declares, as the rules need it."""

from __future__ import annotations

from typing import NamedTuple

from docs_sitemap.limits import MAX_LOC
from docs_sitemap.untrusted.html import head_of


class Facts(NamedTuple):
    """What a page's head declares.

    ``canonical`` is as written, ``alternates`` are pairs of hreflang and href as written.
    ``complete`` is false for an HTML fragment; ``utility`` is the kind of a utility page, or empty.
    """

    noindex: bool = False
    refresh: bool = False
    canonical: str | None = None
    alternates: tuple[tuple[str, str], ...] = ()
    complete: bool = True
    utility: str = ""


class Scanned(NamedTuple):
    """A scanned page: ``end`` is the end of its head, ``base`` the URL of its base tag."""

    facts: Facts
    end: int
    base: str


def scan(data: bytes, expected_canonical: str | None) -> Scanned:
    """Scan a page's head; a canonical link equal to ``expected_canonical`` is found fastest."""
    head = head_of(data, expected_canonical)
    facts = Facts(head.noindex, head.refresh, head.canonical, head.alternates, head.is_document)
    return Scanned(facts, head.end, head.base if len(head.base) <= MAX_LOC else "")
