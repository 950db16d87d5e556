"""What a project of Zensical, or of MkDocs, says of its pages, for ``docs-sitemap build`` after its build.

Imports neither generator.
"""

from __future__ import annotations

from docs_sitemap.generators.zensical.project import Project, ProjectSources, find_project

__all__ = ["Project", "ProjectSources", "find_project"]
