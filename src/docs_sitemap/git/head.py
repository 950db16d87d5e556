"""Reads what HEAD has, without its history: which files, and their blobs."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import Final

from docs_sitemap.git.answers import Repository, RepositoryError
from docs_sitemap.git.process import run
from docs_sitemap.git.repository import by_repository, renewed

_MAX_PATHS: Final = 32
"""Folders that git is asked for; of more, those above them."""


def tracked(repository: Repository, paths: Iterable[bytes] = ()) -> dict[bytes, tuple[bytes, bytes]]:
    """Return mode and blob of the files, links and submodules that HEAD has at or below paths, or of all.

    Raises ``RepositoryError`` if git cannot read it.
    """
    if not repository.head and not repository.fault:
        return {}
    data = run(repository, "ls-tree", "-r", "-z", "--full-tree", repository.head, "--", *paths)
    found = {}
    for entry in data.split(b"\0")[:-1]:
        description, _, name = entry.partition(b"\t")
        found[name] = description[:6], description.split(b" ")[2]
    return found


def paths_of(names: Iterable[bytes]) -> list[bytes]:
    """Return few paths at or below which all names are; none means everywhere.

    >>> paths_of([b"mkdocs.yml", b"docs/a.md", b"docs/guide/b.md"])
    [b'docs', b'docs/guide', b'mkdocs.yml']
    """
    parts = [name.split(b"/") for name in names]
    for depth in (4, 3, 2, 1):
        found = {b"/".join(each[: max(1, min(depth, len(each) - 1))]) for each in parts}
        if len(found) <= _MAX_PATHS:
            return sorted(found)
    return []


def untracked(paths: Iterable[Path]) -> set[Path]:
    """Return the paths that are in a repository whose HEAD does not have them.

    Reads each repository once; paths in a repository that cannot be read are not returned.
    """
    found: set[Path] = set()
    for repository, names in by_repository(paths)[0].items():
        with suppress(RepositoryError):
            known = tracked(repository, paths_of(names.values()))
            found |= {path for path, name in names.items() if name not in known}
    return found


def head_blobs(repository: Repository) -> dict[bytes, bytes]:
    """Return the blob of each file of HEAD, in hex, by its path from the root.

    That of a link or a submodule is empty. Raises ``RepositoryError`` if the repository cannot be read.
    """
    files = tracked(renewed(repository)).items()
    return {name: blob if mode.startswith(b"100") else b"" for name, (mode, blob) in files}
