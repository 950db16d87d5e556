"""Finds the commit that last changed each file: like ``git log -1 -- FILE``, for many files at once.

And the commit that added it: like ``git log --diff-filter=A -1 -- FILE``.

Knows git, and nothing about pages, sitemaps or generators. Its names are public as those of
``docs_sitemap.history``. Paths of files on disk are ``Path``, or another ``os.PathLike``. Paths inside
a repository are ``bytes``, as git stores them; commit names in questions are ``bytes`` too, in lower case.
"""

from __future__ import annotations

from docs_sitemap.git.answers import (
    Answer,
    Change,
    Clock,
    Reason,
    Repository,
    RepositoryError,
    Rules,
    Skip,
    Unknown,
)
from docs_sitemap.git.repository import find_repository
from docs_sitemap.git.search import (
    last_additions,
    last_changes,
    read_ignored,
    tracked_additions,
    tracked_changes,
)

__all__ = [
    "Answer",
    "Change",
    "Clock",
    "Reason",
    "Repository",
    "RepositoryError",
    "Rules",
    "Skip",
    "Unknown",
    "find_repository",
    "last_additions",
    "last_changes",
    "read_ignored",
    "tracked_additions",
    "tracked_changes",
]
