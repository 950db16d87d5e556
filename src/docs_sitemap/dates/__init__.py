"""Determines the date of a page from the dates of the files that make it.

Knows no generator: evidence of what a page includes is about Markdown and Python alone.
"""

from __future__ import annotations

from docs_sitemap.dates.installed import Installed
from docs_sitemap.dates.site_dates import (
    Dated,
    Dates,
    created_date,
    creations,
    dates_to_show,
    deciding,
    git_dates,
    newest,
    page_dates,
    pages_below,
)

__all__ = [
    "Dated",
    "Dates",
    "Installed",
    "created_date",
    "creations",
    "dates_to_show",
    "deciding",
    "git_dates",
    "newest",
    "page_dates",
    "pages_below",
]
