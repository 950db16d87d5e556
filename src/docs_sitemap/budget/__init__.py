"""Limits what a command, or our part of a build, takes of the processor and of the memory.

Each reader has limits of its own and takes linear time. This is the last defence behind them.
"""

from __future__ import annotations

from docs_sitemap.budget.budget import (
    UNLIMITED,
    Budget,
    ExhaustedError,
    Spent,
    enter_shared,
    number_of,
    running,
)
from docs_sitemap.budget.counting import (
    add,
    allow,
    allow_front_matter,
    allow_history,
    allow_listed,
    allow_sitemap,
    count_commits,
    count_file,
    count_git,
    count_host,
    count_images,
    count_named,
    count_pages,
    count_repository,
    count_request,
    count_tags,
    count_tested,
    count_values,
    git_seconds,
    is_nearly_spent,
    look,
    share,
)
from docs_sitemap.budget.shared import SharedBudget

__all__ = [
    "UNLIMITED",
    "Budget",
    "ExhaustedError",
    "SharedBudget",
    "Spent",
    "add",
    "allow",
    "allow_front_matter",
    "allow_history",
    "allow_listed",
    "allow_sitemap",
    "count_commits",
    "count_file",
    "count_git",
    "count_host",
    "count_images",
    "count_named",
    "count_pages",
    "count_repository",
    "count_request",
    "count_tags",
    "count_tested",
    "count_values",
    "enter_shared",
    "git_seconds",
    "is_nearly_spent",
    "look",
    "number_of",
    "running",
    "share",
]
