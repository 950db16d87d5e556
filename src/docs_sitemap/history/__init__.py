"""Which commit last changed each file: the answer of ``git log -1 -- FILE``, for many files at once.

Knows git and nothing of pages, sitemaps or generators.
"""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Iterable, Mapping
from pathlib import Path

from docs_sitemap.history.catfile import CatFile
from docs_sitemap.history.change import Answer, Change, Reason, RepositoryError, Unknown
from docs_sitemap.history.repository import Repository, RepositoryFinder, open_bare
from docs_sitemap.history.walk import list_files, walk

__all__ = [
    "Answer",
    "Change",
    "Reason",
    "Repository",
    "RepositoryError",
    "Unknown",
    "find_repository",
    "last_changes",
    "tracked_changes",
]


def last_changes(paths: Iterable[Path], *, clock: str = "committer") -> dict[Path, Answer]:
    """Return for each path the commit that ``git log -1 -- PATH`` names, or why it is unknown.

    Exact in merges, with git's default history simplification. A path that is a symbolic link
    stands for the link itself; folders on the way to it are resolved. Uncommitted edits do not
    count. ``clock`` chooses which of the commit's two dates is given. One git process a
    repository, no network, nothing of the repository is executed. Raises nothing: whatever
    cannot be read is an ``Unknown`` with its reason.
    """
    answers: dict[Path, Answer] = {}
    finder = RepositoryFinder()
    groups: dict[Repository, dict[bytes, list[Path]]] = defaultdict(lambda: defaultdict(list))
    for path in paths:
        found = finder.locate(path)
        if found is None:
            answers[path] = Unknown(Reason.NO_REPOSITORY, os.fspath(path))
        else:
            repository, name = found
            groups[repository][name].append(path)
    for repository, names in groups.items():
        for name, answer in _ask(repository, names, clock).items():
            for path in names[name]:
                answers[path] = answer
    return answers


def tracked_changes(
    repository: Repository, folders: Iterable[bytes], *, clock: str = "committer"
) -> dict[bytes, dict[bytes, Answer]]:
    """Return, for each folder, the answer of every file that HEAD has at or below it.

    Folders and files are paths from the repository's root without slashes at their ends; ``b""``
    is the root. Raises ``RepositoryError`` where the repository cannot be read.
    """
    with CatFile(repository) as reader:
        names = {folder: list_files(reader, folder) for folder in folders}
        wanted = {name for found in names.values() for name in found}
        answers = walk(reader, wanted, repository.shallow, clock=clock, where=os.fspath(repository.root))
    return {folder: {name: answers[name] for name in found} for folder, found in names.items()}


def find_repository(folder: Path) -> Repository | None:
    """Return the repository that a folder lies in, or that a folder is: a bare one; or ``None``."""
    real = os.path.realpath(folder)
    return RepositoryFinder().repository_of(real) or open_bare(Path(real))


def _ask(repository: Repository, names: Mapping[bytes, object], clock: str) -> dict[bytes, Answer]:
    where = os.fspath(repository.root)
    try:
        with CatFile(repository) as reader:
            return walk(reader, names, repository.shallow, clock=clock, where=where)
    except RepositoryError as problem:
        return dict.fromkeys(names, Unknown(problem.reason, where))
