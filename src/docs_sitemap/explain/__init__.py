"""What a build knows about its pages, recorded for ``explain``, and the explanation of a page's date.

``explanation`` is only for the command: builds do not import it.
"""

from __future__ import annotations

from docs_sitemap.explain.notes import NOTHING, Note, Noted, Notes, Noting

__all__ = ["NOTHING", "Note", "Noted", "Notes", "Noting"]
