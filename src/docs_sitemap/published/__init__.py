"""A built site in a folder, whatever tool made it: its files, links, sitemaps and base URL.

Knows no rule and no generator, and writes nothing.
"""

from __future__ import annotations

from docs_sitemap.published.links import linked_paths
from docs_sitemap.published.tree import WELL_KNOWN, Tree, best_base, home_address, likely_base, url_path

__all__ = ["WELL_KNOWN", "Tree", "best_base", "home_address", "likely_base", "linked_paths", "url_path"]
