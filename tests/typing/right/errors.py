"""Errors are caught as ours, or as what Python calls them."""

from pathlib import Path

from docs_sitemap import DocsSitemapError, OptionError, OutputError, emit, read_options


def ours(site: Path) -> str:
    try:
        emit([], site, read_options({"priority": 2}))
    except DocsSitemapError as problem:
        return str(problem)
    return ""


def pythons(site: Path) -> str:
    try:
        emit([], site, read_options({"priority": 2}))
    except (ValueError, OSError) as problem:
        return str(problem)
    return ""


def is_error(problem: OptionError | OutputError) -> tuple[DocsSitemapError, ValueError | OSError]:
    return problem, problem
