"""Tell search engines about old versions, in the pages of trees that are already published."""

from __future__ import annotations

from docs_sitemap.versions.marking import Marked, Plan, Row, mark_versions
from docs_sitemap.versions.policy import (
    CURRENT,
    KEPT,
    Group,
    Policy,
    Version,
    find_groups,
    read_map,
    settle,
    unmatched,
    with_current,
)
from docs_sitemap.versions.targets import forms

__all__ = [
    "CURRENT",
    "KEPT",
    "Group",
    "Marked",
    "Plan",
    "Policy",
    "Row",
    "Version",
    "find_groups",
    "forms",
    "mark_versions",
    "read_map",
    "settle",
    "unmatched",
    "with_current",
]
