"""Answers questions about files, and remembers the answers while HEAD is unchanged."""

from __future__ import annotations

import os
import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable
from contextlib import closing, suppress
from pathlib import Path
from typing import Final

from docs_sitemap.git.answers import (
    Answer,
    AnyPath,
    Change,
    Reason,
    Repository,
    RepositoryError,
    Rules,
    Unknown,
)
from docs_sitemap.git.repository import by_repository, describe_commits, paths_of, renewed, run, tracked
from docs_sitemap.git.walk import AdditionWalk, Commit, History, Walk
from docs_sitemap.readers import read_plain

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
    ``last_changes``.
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
    repository = renewed(repository)
    names = {folder: [*tracked(repository, [folder] if folder else [])] for folder in folders}
    wanted = {name for found in names.values() for name in found}
    answers = _remembered(repository, wanted, rules, added=added)
    return {folder: {name: answers[name] for name in found} for folder, found in names.items()}


def _by_path(paths: Iterable[AnyPath], rules: Rules, *, added: bool) -> dict[AnyPath, Answer]:
    """Return the answers for paths in any repositories, each of which is asked once."""
    rules.check()
    groups, outside = by_repository(paths)
    answers: dict[AnyPath, Answer] = {**outside}
    for repository, names in groups.items():
        try:
            known = _remembered(repository, names.values(), rules, added=added)
            answers.update((path, known[name]) for path, name in names.items())
        except RepositoryError as problem:
            answers.update(dict.fromkeys(names, problem.answer(repository.root)))
    return answers


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


Answers = dict[bytes, Answer]


def with_ignored(rules: Rules, repository: Repository) -> Rules:
    """Return rules with the commits that are ignored in a repository: none if its list is malformed."""
    ignored = rules.ignored or frozenset()
    if rules.ignored is None:
        with suppress(OSError, ValueError):
            ignored = read_ignored(repository.root / ".git-blame-ignore-revs")
    return rules._replace(ignored=ignored)


def search(repository: Repository, names: set[bytes] | None, rules: Rules, *, added: bool = False) -> Answers:
    """Return the answers for some files, or for all that HEAD has, by rules of ``with_ignored``.

    Raises ``RepositoryError``.
    """
    known = tracked(repository, paths_of(names or ())).keys()
    files = known if names is None else names & known
    answers: Answers = dict.fromkeys((names or set()) - known, _untracked(repository))
    if not files:
        return answers
    walk = (AdditionWalk if added else Walk)(rules)
    if added or not _has_last_modified(repository, files, rules, walk.found):
        with closing(History(repository, None if rules.follow_renames else files)) as history:
            walk.run(history, repository.head, files)
    where = os.fspath(repository.root)
    commits = {commit.name for commit in walk.found.values()}
    dates = describe_commits(repository, commits, "%ct", "%at") if commits else {}
    for name in files:
        skips = tuple(walk.skips.get(name, ()))
        if name in walk.unknown:
            answers[name] = Unknown(walk.unknown[name], where, None, skips)
            continue
        commit = walk.found[name]
        committed, authored = map(_date, dates[commit.name])
        time = authored if rules.clock == "author" else committed
        if commit.is_boundary:
            # without a date, it is not known what is newer than the boundary
            limit = 2**63 if committed is None else committed
            answers[name] = Unknown(Reason.BOUNDARY, where, limit, skips)
        elif time is None:
            answers[name] = Unknown(Reason.NO_DATE, where, None, skips)
        else:
            answers[name] = Change(commit.name.decode(), time, skips)
    return answers


def _has_last_modified(
    repository: Repository, files: Collection[bytes], rules: Rules, found: dict[bytes, Commit]
) -> bool:
    """Fill ``found`` by ``git last-modified``, of git 2.52 and newer; tell whether it knows all files."""
    if rules.ignored or rules.follow_renames or repository.shallow:
        return False
    with suppress(RepositoryError):
        data = run(repository, "last-modified", "-r", "-z", repository.head, "--", *paths_of(files))
        pairs = (line.split(b"\t", 1) for line in data.split(b"\0")[:-1])
        found |= {name: Commit(commit) for commit, name in pairs if name in files}
    return len(found) == len(files)


def _date(text: bytes) -> int | None:
    """Return a date in POSIX seconds; git prints none, or one of more digits, where it can show none."""
    return int(text) if text.isdigit() and len(text) <= 16 else None


_MAX_SEARCHES: Final = 4
"""Searches after which one answers all files: some callers learn of files one page after another."""

_known: Final[dict[Path, tuple[Repository, defaultdict[object, Answers], Counter[object]]]] = {}
"""The answers for each repository in its last state, by question, and how many searches there were."""


def _remembered(repository: Repository, names: Collection[bytes], rules: Rules, *, added: bool) -> Answers:
    """Return the answers for files by name; raises ``RepositoryError`` if git cannot read any."""
    rules = with_ignored(rules, repository)
    question = rules, added
    if repository.root not in _known or _known[repository.root][0] != repository:
        _known[repository.root] = repository, defaultdict(dict), Counter()
    _, known, searches = _known[repository.root]
    missing = set(names) - known[question].keys()
    if missing and searches[question] <= _MAX_SEARCHES:
        everything = searches[question] == _MAX_SEARCHES
        known[question] |= search(repository, None if everything else missing, rules, added=added)
        searches[question] += 1
    untracked = _untracked(repository)
    return {name: known[question].get(name, untracked) for name in names}


def _untracked(repository: Repository) -> Unknown:
    reason = Reason.UNTRACKED if repository.head else Reason.NO_COMMIT
    return Unknown(reason, os.fspath(repository.root))
