"""Reads what HEAD has, without its history: which files, and their blobs."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from docs_sitemap.git.answers import RepositoryError
from docs_sitemap.git.history import paths_of, tracked
from docs_sitemap.git.repository import Finder, Repository, renewed

_REGULAR: Final = frozenset({b"100644", b"100755"})


def untracked(paths: Iterable[Path]) -> set[Path]:
    """Return the paths that are in a repository whose HEAD does not have them.

    Reads each repository once; paths in a repository that cannot be read are not returned.
    """
    finder = Finder()
    groups: defaultdict[Repository, dict[bytes, Path]] = defaultdict(dict)
    for path in paths:
        if found := finder.locate(path):
            repository, name = found
            groups[repository][name] = path
    return {path for repository, names in groups.items() for path in _absent(repository, names)}


def _absent(repository: Repository, names: dict[bytes, Path]) -> list[Path]:
    try:
        found = tracked(renewed(repository), paths_of(names))
    except RepositoryError:
        return []
    return [path for name, path in names.items() if name not in found]


def head_blobs(repository: Repository) -> dict[bytes, bytes]:
    """Return the blob of each file of HEAD, in hex, by its path from the root.

    That of a link or a submodule is empty. Raises ``RepositoryError`` if the repository cannot be read.
    """
    files = tracked(renewed(repository)).items()
    return {name: blob if mode in _REGULAR else b"" for name, (mode, blob) in files}
