"""Render the files of the protocol for the listed pages, and write them to disk.

Knows nothing about generators.
"""

from __future__ import annotations

from docs_sitemap.files.emission import emit
from docs_sitemap.files.family import HEAD, Family, feed_links
from docs_sitemap.files.messages import Report, on_pages
from docs_sitemap.files.output import OutputFolder
from docs_sitemap.files.robots import named_by_us

__all__ = ["HEAD", "Family", "OutputFolder", "Report", "emit", "feed_links", "named_by_us", "on_pages"]
