"""What a project of Zensical, or of MkDocs, says of its pages, for ``docs-sitemap build`` after its build.

Imports neither generator. ``extension`` runs inside Zensical and notes what its pages include.
"""

from __future__ import annotations

from docs_sitemap.generators.zensical.project import (
    Project,
    ProjectSources,
    about_configuration,
    about_shown,
    check_is_not_of_plugin,
    find_project,
    with_included,
)

__all__ = [
    "Project",
    "ProjectSources",
    "about_configuration",
    "about_shown",
    "check_is_not_of_plugin",
    "find_project",
    "with_included",
]
