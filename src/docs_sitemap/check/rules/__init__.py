"""All rules: importing this has them register themselves."""

from __future__ import annotations

from docs_sitemap.check.registry import RULES
from docs_sitemap.check.rules import coverage, dates, files, hreflang, images, robots, settings, urls

__all__ = ["KINDS", "RULES", "coverage", "dates", "files", "hreflang", "images", "robots", "settings", "urls"]

KINDS = {
    "F": "Files",
    "U": "URLs",
    "C": "Coverage",
    "L": "lastmod",
    "H": "Languages",
    "I": "Images",
    "R": "robots.txt",
    "S": "Settings",
}
"""What the rules of each letter are about, in the order in which they are shown."""

RULES.arrange(lambda rule_id: ([*KINDS].index(rule_id[0]), rule_id))
