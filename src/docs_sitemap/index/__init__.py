"""Write one index for many sites: versions, languages, projects deployed in one tree."""

from __future__ import annotations

from docs_sitemap.index.gathering import Gathered, gather, write_root
from docs_sitemap.index.tree import Places, Site, Tree, choose, find_versions

__all__ = [
    "Gathered",
    "Places",
    "Site",
    "Tree",
    "choose",
    "find_versions",
    "gather",
    "write_root",
]
