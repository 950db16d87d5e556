"""Which commit last changed each file: the answer of ``git log -1 -- FILE``, for many files at once.

Knows git and nothing of pages, sitemaps or generators.
"""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Iterable, Mapping
from pathlib import Path

from docs_sitemap.history.change import Answer, Change, Reason, RepositoryError, Skip, Unknown
from docs_sitemap.history.listing import list_files
from docs_sitemap.history.question import Question, ask
from docs_sitemap.history.readers import open_reader
from docs_sitemap.history.repository import Repository, RepositoryFinder, open_bare

__all__ = [
    "Answer",
    "Change",
    "Reason",
    "Repository",
    "RepositoryError",
    "Skip",
    "Unknown",
    "find_repository",
    "last_changes",
    "tracked_changes",
]


def last_changes(paths: Iterable[Path], *, clock: str = "committer") -> dict[Path, Answer]:
    """Return for each path the commit that ``git log -1 -- PATH`` names, or why it is unknown.

    Exact in merges, with git's default history simplification. A path that is a symbolic link
    stands for the link itself; folders on the way to it are resolved. Uncommitted edits do not
    count. ``clock`` chooses which of the commit's two dates is given. One walk a repository, no
    network, nothing of the repository is executed. Raises nothing: whatever cannot be read is an
    ``Unknown`` with its reason.
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
    with open_reader(repository) as reader:
        head = reader.head()
        if head is None:
            return {folder: {} for folder in folders}
        tree = reader.commits([head])[head].tree
        names = {folder: list_files(reader, tree, folder) for folder in folders}
        wanted = {name for found in names.values() for name in found}
        answers = ask(reader, wanted, _question(repository, clock))
    return {folder: {name: answers[name] for name in found} for folder, found in names.items()}


def find_repository(folder: Path) -> Repository | None:
    """Return the repository that a folder lies in, or that a folder is: a bare one; or ``None``."""
    real = os.path.realpath(folder)
    return RepositoryFinder().repository_of(real) or open_bare(Path(real))


def _ask(repository: Repository, names: Mapping[bytes, object], clock: str) -> dict[bytes, Answer]:
    try:
        with open_reader(repository) as reader:
            return ask(reader, names, _question(repository, clock))
    except RepositoryError as problem:
        return dict.fromkeys(names, Unknown(problem.reason, os.fspath(repository.root)))


def _question(repository: Repository, clock: str) -> Question:
    return Question(shallow=repository.shallow, clock=clock, where=os.fspath(repository.root))
