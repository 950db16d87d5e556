"""A checker for sites: their sitemaps, pages and robots.txt, before deployment and after it.

It is based on the protocol and on how engines use it, and knows nothing about the site's generator.
It reads only files in the site's folder, and never writes; only ``live`` asks a server.
"""

from __future__ import annotations

from docs_sitemap.check.built_site import OlderSitemapError, Question, Site, check_site, read_older, read_site
from docs_sitemap.check.findings import (
    DOCS,
    LEVELS,
    Finding,
    Found,
    Level,
    Result,
    Rule,
    findings_of,
    in_order,
    offline,
    parse_baseline,
    render_baseline,
)
from docs_sitemap.check.rules import RULES
from docs_sitemap.published import WELL_KNOWN

__all__ = [
    "DOCS",
    "LEVELS",
    "RULES",
    "WELL_KNOWN",
    "Finding",
    "Found",
    "Level",
    "OlderSitemapError",
    "Question",
    "Result",
    "Rule",
    "Site",
    "check_site",
    "findings_of",
    "in_order",
    "offline",
    "parse_baseline",
    "read_older",
    "read_site",
    "render_baseline",
]
