"""Locate a finding: at a line of a sitemap or an index, or on a page."""

from __future__ import annotations

from collections.abc import Hashable

from docs_sitemap.check.discovery import Child
from docs_sitemap.check.finding import Found, Level
from docs_sitemap.check.site import Listed


def in_sitemap(listed: Listed, message: str, level: Level | None = None, *, cause: Hashable = None) -> Found:
    """Return a finding about a URL, at its line in the sitemap."""
    return Found(message, listed.loc, listed.document.name, level, listed.entry.line, cause)


def on_page(listed: Listed, message: str, level: Level | None = None, *, cause: Hashable = None) -> Found:
    """Return a finding about a URL, on its page."""
    return Found(message, listed.loc, listed.file, level, cause=cause)


def in_index(child: Child, message: str, *, cause: Hashable = None) -> Found:
    """Return a finding about a sitemap, at its line in the index that names it."""
    return Found(message, child.entry.loc, child.index.name, line=child.entry.line, cause=cause)
