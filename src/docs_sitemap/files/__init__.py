"""Render the files of the protocol for the listed pages, and write them to disk.

Knows nothing about generators.
"""

from __future__ import annotations

from docs_sitemap.files.emission import emit
from docs_sitemap.files.family import HEAD, Family
from docs_sitemap.files.messages import Report, on_doubts, on_pages, on_undated
from docs_sitemap.files.output import OutputFolder
from docs_sitemap.files.page_elements import CREATED_KEY, DATE_KEY, date_elements, feed_links, show_date
from docs_sitemap.files.robots import named_by_us

__all__ = [
    "CREATED_KEY",
    "DATE_KEY",
    "HEAD",
    "Family",
    "OutputFolder",
    "Report",
    "date_elements",
    "emit",
    "feed_links",
    "named_by_us",
    "on_doubts",
    "on_pages",
    "on_undated",
    "show_date",
]
