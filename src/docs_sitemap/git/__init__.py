"""Finds the commit that last changed each file: like ``git log -1 -- FILE``, for many files at once.

And the commit that added it: like ``git log --diff-filter=A -1 -- FILE``.

Knows git, and nothing about pages, sitemaps or generators. Its names are public as those of
``docs_sitemap.history``. Paths of files on disk are ``Path``, or another ``os.PathLike``. Paths inside
a repository are ``bytes``, as git stores them; commit names in questions are ``bytes`` too, in lower case.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from docs_sitemap.git.answers import (
    Answer,
    AnyPath,
    Change,
    Clock,
    Reason,
    Repository,
    RepositoryError,
    Rules,
    Skip,
    Unknown,
)
from docs_sitemap.git.repository import by_repository, describe, find_repository, read_ignored, tracked
from docs_sitemap.git.search import remembered

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

PLAIN: Final = Rules()
"""What ``git log`` counts."""


def last_changes(paths: Iterable[AnyPath], rules: Rules = PLAIN) -> dict[AnyPath, Answer]:
    """Return for each path the commit that ``git log -1 -- PATH`` names, or why it is unknown.

    The paths may be in several repositories; relative paths start from the working folder. The keys of the
    answers are the paths as given. Merges are exact, with git's default history simplification. A symbolic
    link counts as the link itself, but links in its parent folders are resolved. A folder is ``Unknown``.
    Uncommitted edits do not count. There is one walk per repository, and none for paths asked before while
    HEAD is unchanged. The network is not used, and nothing from the repository is executed. Raises only
    ``ValueError``, for an invalid clock: whatever cannot be read is an ``Unknown`` with its reason.
    """
    return _by_path(paths, rules, added=False)


def last_additions(paths: Iterable[AnyPath], rules: Rules = PLAIN) -> dict[AnyPath, Answer]:
    """Return for each path the commit that brought it into the history for the last time.

    That is the one that ``git log --diff-filter=A -1 -- PATH`` names: a commit that has the path and is no
    merge, and whose parent does not have it. A path that a merge added is ``Unknown``, and so is one in the
    place of a folder: git may take it for a renamed file of that folder. A new mode or type is no addition.
    ``rules.ignored`` does not matter: an ignored commit that adds a file does add it. With
    ``rules.follow_renames``, the search continues under the old name of a pure rename. All else is as for
    ``last_changes``. The same walk finds the last changes of these paths: asking for those afterwards, with
    the same rules, needs no other walk.
    """
    return _by_path(paths, rules, added=True)


def tracked_changes(
    repository: Repository, folders: Iterable[bytes], rules: Rules = PLAIN
) -> dict[bytes, dict[bytes, Answer]]:
    """Return, for each folder, the answer for every file that HEAD has at or below it.

    Folders and files are paths from the repository's root without trailing slashes; ``b""`` is the root.
    Raises ``RepositoryError`` if the repository cannot be read.
    """
    return _tracked_answers(repository, folders, rules, added=False)


def tracked_additions(
    repository: Repository, folders: Iterable[bytes], rules: Rules = PLAIN
) -> dict[bytes, dict[bytes, Answer]]:
    """Return the same as ``tracked_changes``, with the answers of ``last_additions``."""
    return _tracked_answers(repository, folders, rules, added=True)


def _tracked_answers(
    repository: Repository, folders: Iterable[bytes], rules: Rules, *, added: bool
) -> dict[bytes, dict[bytes, Answer]]:
    rules.check()
    repository = describe(repository.root, is_bare=repository.is_bare) or repository  # as it is now
    names = {folder: [*tracked(repository, [folder] if folder else [])] for folder in folders}
    wanted = {name for found in names.values() for name in found}
    answers = remembered(repository, wanted, rules, added=added)
    return {folder: {name: answers[name] for name in found} for folder, found in names.items()}


def _by_path(paths: Iterable[AnyPath], rules: Rules, *, added: bool) -> dict[AnyPath, Answer]:
    """Return the answers for paths in any repositories, each of which is asked once."""
    rules.check()
    groups, outside = by_repository(paths)
    answers: dict[AnyPath, Answer] = {**outside}
    for repository, names in groups.items():
        try:
            known = remembered(repository, names.values(), rules, added=added)
            answers.update((path, known[name]) for path, name in names.items())
        except RepositoryError as problem:
            answers.update(dict.fromkeys(names, problem.answer(repository.root)))
    return answers
