"""What one page says of itself, as the rules ask for it."""

from __future__ import annotations

from typing import NamedTuple

from docs_sitemap.limits import MAX_LOC
from docs_sitemap.untrusted.html import head_of


class Facts(NamedTuple):
    """What a page says of itself.

    ``canonical`` is as written, ``alternates`` are pairs of hreflang and href as written.
    ``complete`` is false for a piece of HTML that is no document; ``machine`` is the kind of a machine page.
    """

    noindex: bool = False
    refresh: bool = False
    canonical: str | None = None
    alternates: tuple[tuple[str, str], ...] = ()
    complete: bool = True
    machine: str = ""


class Scanned(NamedTuple):
    """A page after one look: ``end`` is where its head ends, ``base`` what a base tag says."""

    facts: Facts
    end: int
    base: str


def scan(data: bytes, expected_canonical: str | None) -> Scanned:
    """Return what a page says; ``expected_canonical`` is what most pages say, and is found fastest."""
    head = head_of(data, expected_canonical)
    facts = Facts(head.noindex, head.refresh, head.canonical, head.alternates, head.is_document)
    return Scanned(facts, head.end, head.base if len(head.base) <= MAX_LOC else "")
