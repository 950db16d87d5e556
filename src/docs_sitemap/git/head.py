"""Reads what HEAD has, without its history: files, their blobs, and the list of ignored commits."""

from __future__ import annotations

import re
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import Final

from docs_sitemap.git.answers import Repository, RepositoryError
from docs_sitemap.git.repository import by_repository, renewed, run
from docs_sitemap.readers import read_plain

_MAX_PATHS: Final = 32
"""Folders that git is asked for; of more, those above them."""


def tracked(repository: Repository, paths: Iterable[bytes] = ()) -> dict[bytes, bytes]:
    """Return the files, links and submodules that HEAD has at or below paths, or all of them.

    Each comes with its blob in hex, a link and a submodule with none. Raises ``RepositoryError``.
    """
    if not repository.head and not repository.fault:
        return {}
    data = run(repository, "ls-tree", "-r", "-z", "--full-tree", repository.head, "--", *paths)
    found = {}
    for entry in data.split(b"\0")[:-1]:
        description, _, name = entry.partition(b"\t")
        found[name] = description.split(b" ")[2] if description.startswith(b"100") else b""
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
    """Return what ``tracked`` does, of all files, in a repository as it is now."""
    return tracked(renewed(repository))


_FULL_NAME: Final = re.compile(rb"[0-9a-f]{40}|[0-9a-f]{64}|")
_MAX_BYTES: Final = 4 << 20  # 100,000 commits


def read_ignored(file: Path) -> frozenset[bytes]:
    """Return the commits that a file lists: one full name per line, with ``#`` before comments.

    Raises ``OSError``, and ``ValueError`` with the number of a line that is malformed, but never its content:
    a configuration may name a file of secrets, and logs may be public.
    """
    lines = read_plain(file, _MAX_BYTES).removeprefix(b"\xef\xbb\xbf").splitlines()
    names = [line.partition(b"#")[0].strip().lower() for line in lines]
    for number, name in enumerate(names, 1):
        if not _FULL_NAME.fullmatch(name):
            raise ValueError(f"line {number}: expected the full name of a commit")
    return frozenset(names) - {b""}
