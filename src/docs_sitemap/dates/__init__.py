"""Determines the date of a page from the dates of the files that make it.

Knows no generator: evidence of what a page includes is about Markdown and Python alone.
"""

from __future__ import annotations

from docs_sitemap.dates.installed import Doubt, Installed
from docs_sitemap.dates.page_date import Dated, PageDate, deciding, newest, page_dates
from docs_sitemap.dates.site_dates import creations, git_dates, lastmods

__all__ = [
    "Dated",
    "Doubt",
    "Installed",
    "PageDate",
    "creations",
    "deciding",
    "git_dates",
    "lastmods",
    "newest",
    "page_dates",
]
