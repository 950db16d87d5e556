"""All rules: importing this package registers them."""

from __future__ import annotations

from docs_sitemap.check.registry import RULES
from docs_sitemap.check.rules import (
    coverage,
    dates,
    files,
    hreflang,
    images,
    robots,
    settings,
    urls,
    versions,
    web,
)

__all__ = [
    "KINDS",
    "RULES",
    "coverage",
    "dates",
    "files",
    "hreflang",
    "images",
    "robots",
    "settings",
    "urls",
    "versions",
    "web",
]

KINDS = {
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

for _id in sorted(RULES, key=lambda rule_id: ([*KINDS].index(rule_id[0]), rule_id)):
    RULES[_id] = RULES.pop(_id)
