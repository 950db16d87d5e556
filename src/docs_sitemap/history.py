"""The public names of ``docs_sitemap.git``: dates from git's history, for scripts and other plugins."""

from docs_sitemap.git import (
    Answer,
    Change,
    Clock,
    Reason,
    Repository,
    RepositoryError,
    Rules,
    Skip,
    Unknown,
    find_repository,
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
