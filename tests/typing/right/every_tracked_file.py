"""A script that asks for all files that a repository has."""

from pathlib import Path
from typing import assert_type

from docs_sitemap import Change, Unknown
from docs_sitemap.history import Repository, RepositoryError, find_repository, tracked_changes


def main(folder: Path) -> dict[bytes, Change | Unknown]:
    repository = find_repository(folder)
    assert_type(repository, Repository | None)
    if repository is None:
        return {}
    assert_type(repository.root, Path)
    try:
        return tracked_changes(repository, [b"docs"])[b"docs"]
    except RepositoryError as problem:
        raise SystemExit(f"{problem} {problem.reason.cure}") from None
