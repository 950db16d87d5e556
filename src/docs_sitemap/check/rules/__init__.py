"""All rules: importing this package registers them, in the order of their topics."""

from __future__ import annotations

from docs_sitemap.check.findings import RULES
from docs_sitemap.check.rules import lastmods, listed_urls, online, site_files, sites, variants

__all__ = ["KINDS", "RULES", "lastmods", "listed_urls", "online", "site_files", "sites", "variants"]

KINDS = {
    "A": "All sites of a tree",
    "F": "Files",
    "U": "URLs",
    "C": "Coverage",
    "L": "lastmod",
    "H": "Languages",
    "I": "Images",
    "R": "robots.txt",
    "V": "Versions",
    "S": "Settings",
    "W": "On the web (`--live`)",
}
"""The topic of each letter, in display order."""

for _id in sorted(RULES, key=lambda rule_id: ([*KINDS].index(rule_id[0]), len(rule_id), rule_id)):
    RULES[_id] = RULES.pop(_id)
