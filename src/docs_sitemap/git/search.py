"""Asks a repository for the answers of files, and remembers them while its HEAD is unchanged."""

from __future__ import annotations

import os
from collections import Counter, defaultdict
from collections.abc import Collection
from contextlib import closing, suppress
from pathlib import Path
from typing import Final

from docs_sitemap.git.answers import Answer, Change, Reason, Repository, RepositoryError, Rules, Skip, Unknown
from docs_sitemap.git.repository import describe_commits, paths_of, read_ignored, run, tracked
from docs_sitemap.git.walk import AdditionWalk, Commit, History, Walk

_MOST_SEARCHES: Final = 4
"""Searches after which one answers all files: some callers learn of files one page after another."""

Answers = dict[bytes, Answer]


def resolved(rules: Rules, repository: Repository) -> Rules:
    """Return rules with the commits that are ignored in a repository: none if its list is malformed."""
    ignored = rules.ignored or frozenset()
    if rules.ignored is None:
        with suppress(OSError, ValueError):
            ignored = read_ignored(repository.root / ".git-blame-ignore-revs")
    return rules._replace(ignored=ignored)


def search(
    repository: Repository, names: set[bytes] | None, rules: Rules, *, added: bool = False
) -> tuple[Answers, Answers]:
    """Return the answers for some files, or for all that HEAD has, by ``resolved`` rules.

    Also return the last changes that a walk for additions has passed. Raises ``RepositoryError``.
    """
    where = os.fspath(repository.root)
    known = tracked(repository, paths_of(names or ())).keys()
    files = known if names is None else names & known
    answers: Answers = dict.fromkeys((names or set()) - known, _untracked(repository))
    if not files:
        return answers, {}
    walk = (AdditionWalk if added else Walk)(rules)
    if added or not _has_last_modified(repository, files, rules, walk.found):
        with closing(History(repository, None if rules.follow_renames else files)) as history:
            walk.run(history, repository.head, files)
    changed = {name: commit for name, commit in walk.changed.items() if commit}
    commits = {commit.name for commit in (*walk.found.values(), *changed.values())}
    dates = describe_commits(repository, commits, "%ct", "%at")

    def answer(commit: Commit, skips: tuple[Skip, ...] = ()) -> Answer:
        times = [*map(_date, dates[commit.name])]
        if commit.is_boundary:
            # without a date, it is not known what is newer than the boundary
            return Unknown(Reason.BOUNDARY, where, 2**63 if times[0] is None else times[0], skips)
        time = times[rules.clock == "author"]
        if time is None:
            return Unknown(Reason.NO_DATE, where, None, skips)
        return Change(commit.name.decode(), time, skips)

    for name, reason in walk.unknown.items():
        answers[name] = Unknown(reason, where, None, tuple(walk.skips.get(name, ())))
    for name, commit in walk.found.items():
        answers[name] = answer(commit, tuple(walk.skips.get(name, ())))
    return answers, {name: answer(commit) for name, commit in changed.items()}


def _has_last_modified(
    repository: Repository, files: Collection[bytes], rules: Rules, found: dict[bytes, Commit]
) -> bool:
    """Fill ``found`` by ``git last-modified``, of git 2.52 and newer; tell whether it knows all files."""
    if rules.ignored or rules.follow_renames or repository.shallow:
        return False
    with suppress(RepositoryError):
        data = run(repository, "last-modified", "-r", "-z", repository.head, "--", *paths_of(files))
        pairs = (line.split(b"\t", 1) for line in data.split(b"\0")[:-1])
        found |= {name: Commit(0, commit, [], False) for commit, name in pairs if name in files}
    return len(found) == len(files)


def _date(text: bytes) -> int | None:
    """Return a date in POSIX seconds; git prints none, or one of more digits, where it can show none."""
    return int(text) if text.isdigit() and len(text) <= 16 else None


_known: Final[dict[Path, tuple[Repository, defaultdict[object, Answers], Counter[object]]]] = {}
"""The answers for each repository in its last state, by question, and how many searches there were."""


def remembered(repository: Repository, names: Collection[bytes], rules: Rules, *, added: bool) -> Answers:
    """Return the answers for files by name; raises ``RepositoryError`` if git cannot read any."""
    rules = resolved(rules, repository)
    question = rules, added
    if repository.root not in _known or _known[repository.root][0] != repository:
        _known[repository.root] = repository, defaultdict(dict), Counter()
    _, known, searches = _known[repository.root]
    missing = set(names) - known[question].keys()
    if missing and searches[question] <= _MOST_SEARCHES:
        everything = searches[question] == _MOST_SEARCHES
        found, passed = search(repository, None if everything else missing, rules, added=added)
        searches[question] += 1
        known[question] |= found
        known[rules, False] |= passed
    untracked = _untracked(repository)
    return {name: known[question].get(name, untracked) for name in names}


def _untracked(repository: Repository) -> Unknown:
    reason = Reason.UNTRACKED if repository.head else Reason.NO_COMMIT
    return Unknown(reason, os.fspath(repository.root))
