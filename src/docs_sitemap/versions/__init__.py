"""Tell search engines about old versions, in the pages of trees that are already published."""

from __future__ import annotations

from docs_sitemap.versions.marking import Plan, Row, mark_versions
from docs_sitemap.versions.policy import Group, Policy, Version, find_groups, read_map

__all__ = [
    "Group",
    "Plan",
    "Policy",
    "Row",
    "Version",
    "find_groups",
    "mark_versions",
    "read_map",
]
