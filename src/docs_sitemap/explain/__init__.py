"""Explain why a page has its date, from what the last build recorded about the page."""

from __future__ import annotations

from docs_sitemap.explain.explanation import Asked, PageExplanation
from docs_sitemap.explain.notes import NOTHING, Note, Noted, Notes, Noting

__all__ = ["NOTHING", "Asked", "Note", "Noted", "Notes", "Noting", "PageExplanation"]
