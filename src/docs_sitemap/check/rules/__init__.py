"""All rules: importing this package registers them."""

from __future__ import annotations

from importlib import import_module

from docs_sitemap.check.findings import RULES

__all__ = ["KINDS", "RULES"]

_MODULES = {
    "F": ("Files", "files"),
    "U": ("URLs", "urls"),
    "C": ("Coverage", "coverage"),
    "L": ("lastmod", "dates"),
    "H": ("Languages", "hreflang"),
    "I": ("Images", "images"),
    "R": ("robots.txt", "robots"),
    "V": ("Versions", "versions"),
    "S": ("Settings", "settings"),
    "W": ("On the web (`--live`)", "web"),
}

KINDS = {letter: topic for letter, (topic, _) in _MODULES.items()}
"""The topic of each letter, in display order."""

for _, _name in _MODULES.values():
    import_module(f"{__name__}.{_name}")
for _id in sorted(RULES, key=lambda rule_id: ([*KINDS].index(rule_id[0]), rule_id)):
    RULES[_id] = RULES.pop(_id)
