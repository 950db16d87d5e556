"""The mark of a page that is not of the current version, and the pages of a build."""

from __future__ import annotations

from docs_sitemap.marks.builds import is_marked, mark_build
from docs_sitemap.marks.pages import (
    Addresses,
    Done,
    Shared,
    Tally,
    Task,
    absolute,
    mark_pages,
    page_names,
    read_head,
)

__all__ = [
    "Addresses",
    "Done",
    "Shared",
    "Tally",
    "Task",
    "absolute",
    "is_marked",
    "mark_build",
    "mark_pages",
    "page_names",
    "read_head",
]
