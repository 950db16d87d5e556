"""An offline checker of built sites: their sitemaps, pages and robots.txt, before anything is deployed.

Knows the protocol and what engines do with it, and nothing of the generator that built the site.
Reads only below the site's folder, and never writes.
"""

from __future__ import annotations

from docs_sitemap.check.finding import LEVELS, Finding, Level
from docs_sitemap.check.older import Dates, OlderSitemapError
from docs_sitemap.check.registry import Rule
from docs_sitemap.check.rules import RULES
from docs_sitemap.check.runner import Question, Result, check_site, read_site
from docs_sitemap.check.site import Site

__all__ = [
    "LEVELS",
    "RULES",
    "Dates",
    "Finding",
    "Level",
    "OlderSitemapError",
    "Question",
    "Result",
    "Rule",
    "Site",
    "check_site",
    "read_site",
]
