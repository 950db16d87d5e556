"""Asks a repository for the answers of files, and remembers them while its HEAD is unchanged."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from docs_sitemap.git.answers import Answer, Change, Reason, Skip, Unknown
from docs_sitemap.git.history import Dates, History, paths_of, tracked
from docs_sitemap.git.repository import Repository
from docs_sitemap.git.walk import AdditionWalk, Question, Walk

_EVER: Final = 2**63

_MOST_WALKS: Final = 4
"""Walks after which one answers all files: some callers learn of files one page after another."""

_CURABLE: Final = frozenset({Reason.INCOMPLETE, Reason.TIMEOUT, Reason.NO_COMMIT})
"""Reasons of a walk that can go away while HEAD is unchanged."""

Answers = dict[bytes, Answer]


def search(repository: Repository, question: Question, names: set[bytes] | None) -> tuple[Answers, Answers]:
    """Return the answers for some files, or for all that HEAD has; raises ``RepositoryError``.

    Also return the last changes that a walk for additions has passed.
    """
    where = os.fspath(repository.root)
    if repository.fault:
        raise repository.fault
    if not repository.head:
        return dict.fromkeys(names or (), Unknown(Reason.NO_COMMIT, where)), {}
    known = tracked(repository, paths_of(names or ())).keys()
    files = known if names is None else names & known
    answers: Answers = dict.fromkeys((names or set()) - known, Unknown(Reason.UNTRACKED, where))
    if not files:
        return answers, {}
    with History(repository, None if question.follow_renames else files) as history:
        walk = (AdditionWalk if question.added else Walk)(history, question, repository.shallow)
        walk.run(repository.head, files)
        changed = {name: number for name, number in walk.changed.items() if number is not None}
        dates = history.dates({*walk.found.values(), *changed.values()})
        commits = {number: (history.name(number), dates[number]) for number in dates}
    unknown = {
        name: Unknown(reason, where, None, walk.skips_of(name)) for name, reason in walk.unknown.items()
    }
    found = {
        name: _answer(*commits[number], question, repository, walk.skips_of(name))
        for name, number in walk.found.items()
    }
    passed = {name: _answer(*commits[number], question, repository) for name, number in changed.items()}
    return answers | unknown | found, passed


def _answer(
    commit: bytes, dates: Dates, question: Question, repository: Repository, skips: tuple[Skip, ...] = ()
) -> Answer:
    where = os.fspath(repository.root)
    if commit in repository.shallow:
        # without a date, it is not known what is newer than the boundary
        not_after = _EVER if dates.committer is None else dates.committer
        return Unknown(Reason.BOUNDARY, where, not_after, skips)
    time = dates.author if question.clock == "author" else dates.committer
    if time is None:
        return Unknown(Reason.NO_DATE, where, None, skips)
    return Change(commit.decode(), time, skips)


@dataclass(slots=True)
class _Known:
    """The answers to a question, after some walks; ``is_complete`` after one for all files."""

    answers: Answers = field(default_factory=dict)
    walks: int = 0
    is_complete: bool = False


class Memory:
    """The answers for each repository, by question."""

    def __init__(self) -> None:
        self._known: dict[Path, tuple[Repository, dict[Question, _Known]]] = {}

    def answers(self, repository: Repository, question: Question, names: Iterable[bytes]) -> Answers:
        """Return the answers for files by name; raises ``RepositoryError`` if git cannot read any."""
        wanted = set(names)
        before, questions = self._known.get(repository.root, (None, {}))
        if before != repository:
            questions = {}
            self._known[repository.root] = repository, questions
        known = questions.setdefault(question, _Known())
        missing = wanted - known.answers.keys()
        found: Answers = {}
        if missing and not known.is_complete:
            known.is_complete = known.walks == _MOST_WALKS
            found, passed = search(repository, question, None if known.is_complete else missing)
            known.walks += any(_is_walked(answer) for answer in found.values())
            known.answers |= found if known.is_complete else _lasting(found)
            if passed:
                plain = questions.setdefault(question._replace(added=False), _Known())
                plain.answers |= _lasting(passed)
        untracked = Unknown(Reason.UNTRACKED, os.fspath(repository.root))
        return {name: found.get(name) or known.answers.get(name, untracked) for name in wanted}


def _is_walked(answer: Answer) -> bool:
    return isinstance(answer, Change) or answer.reason is not Reason.UNTRACKED


def _lasting(answers: Answers) -> Answers:
    """Return the answers that stay the same while HEAD does."""
    return {
        name: answer
        for name, answer in answers.items()
        if isinstance(answer, Change) or answer.reason not in _CURABLE
    }
