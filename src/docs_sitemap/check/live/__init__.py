"""Check a site as it is served: its robots.txt, its sitemaps, and the URLs that they list.

Sends requests only to the site's own host, slowly, and only what its robots.txt allows. Follows no redirect
of a page.
"""

from __future__ import annotations

from docs_sitemap.check.live.checking import LiveQuestion, check_live
from docs_sitemap.check.live.client import Pace

__all__ = ["LiveQuestion", "Pace", "check_live"]
