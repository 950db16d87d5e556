"""All rules: importing this has them register themselves."""

from __future__ import annotations

from docs_sitemap.check.registry import RULES
from docs_sitemap.check.rules import coverage, dates, files, hreflang, images, robots, settings, urls

__all__ = ["RULES", "coverage", "dates", "files", "hreflang", "images", "robots", "settings", "urls"]

_ORDER = "FUCLHIRS"
RULES.arrange(lambda rule_id: (_ORDER.index(rule_id[0]), rule_id))
