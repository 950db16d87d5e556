"""Caches answers while HEAD is unchanged, so that a server's rebuilds walk only once."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType
from typing import Final

from docs_sitemap.history.change import Answer, Change, Reason, RepositoryError, Unknown
from docs_sitemap.history.question import Question
from docs_sitemap.history.repository import Repository
from docs_sitemap.limits import MAX_SILENCE_KEPT

_LASTING = frozenset({Reason.UNTRACKED, Reason.BOUNDARY, Reason.MERGED, Reason.FOLDER, Reason.SAME_TIME})
"""Reasons that last until HEAD changes; the others may be fixed at any time."""


def _lasting(answers: Mapping[bytes, Answer]) -> dict[bytes, Answer]:
    return {
        name: answer
        for name, answer in answers.items()
        if isinstance(answer, Change) or answer.reason in _LASTING
    }


_MOST_SILENT: Final = 2


class Session:
    """The answers for each repository, only in memory, with the state of HEAD that they are valid for."""

    def __init__(self) -> None:
        self._known: dict[tuple[Repository, Question], tuple[object, dict[bytes, Answer]]] = {}
        self._silent: dict[Repository, float] = {}  # when git was silent

    def answers(
        self,
        repository: Repository,
        question: Question,
        names: Iterable[bytes],
        ask: Callable[[set[bytes]], dict[bytes, Answer]],
        beside: Mapping[Question, Mapping[bytes, Answer]] = MappingProxyType({}),
    ) -> dict[bytes, Answer]:
        """Return the answers; calls ``ask`` for those that are not known for the current HEAD.

        ``beside`` are answers to other questions, which ``ask`` finds on the way.
        """
        wanted = set(names)
        state = repository.fingerprint()
        old_state, known = self._known.get((repository, question), (None, {}))
        if old_state != state:
            known = {}
        found = {name: known[name] for name in wanted & known.keys()}
        if len(found) < len(wanted):
            found.update(self._ask(repository, wanted - found.keys(), ask))
        if repository.fingerprint() == state:  # HEAD may have changed meanwhile, and may change back later
            for each, answers in {**beside, question: found}.items():
                old_state, known = self._known.get((repository, each), (None, {}))
                before = known if old_state == state else {}
                self._known[repository, each] = (state, {**before, **_lasting(answers)})
        return found

    def _ask(
        self, repository: Repository, names: set[bytes], ask: Callable[[set[bytes]], dict[bytes, Answer]]
    ) -> dict[bytes, Answer]:
        """Call ``ask``, unless git was silent a short time ago: each question would wait again.

        It is then not asked in that repository; after ``_MOST_SILENT``, in none, because a site may contain
        any number.
        """
        silence = Unknown(Reason.SILENT, os.fspath(repository.root))
        silent: dict[bytes, Answer] = dict.fromkeys(names, silence)
        since = time.monotonic() - MAX_SILENCE_KEPT
        self._silent = {each: at for each, at in self._silent.items() if at > since}
        if repository in self._silent or len(self._silent) >= _MOST_SILENT:
            return silent
        try:
            answers = ask(names)
        except RepositoryError as problem:
            if problem.reason is not Reason.SILENT:
                raise
            answers = silent
        if silence in answers.values():  # also where git fell silent amid the walk
            self._silent[repository] = time.monotonic()
        return answers
