"""Caches answers while HEAD is unchanged, so that a server's rebuilds walk only once."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable

from docs_sitemap.history.change import Answer, Change, Reason, RepositoryError
from docs_sitemap.history.question import Question
from docs_sitemap.history.repository import Repository
from docs_sitemap.limits import MAX_SILENCE_KEPT

_LASTING = frozenset({Reason.UNTRACKED, Reason.BOUNDARY})
"""Reasons that last until HEAD changes; the others may be fixed at any time."""


class Session:
    """The answers for each repository, only in memory, with the state of HEAD that they are valid for."""

    def __init__(self) -> None:
        self._known: dict[tuple[Repository, Question], tuple[object, dict[bytes, Answer]]] = {}
        self._silent: dict[Repository, tuple[float, RepositoryError]] = {}

    def answers(
        self,
        repository: Repository,
        question: Question,
        names: Iterable[bytes],
        ask: Callable[[set[bytes]], dict[bytes, Answer]],
    ) -> dict[bytes, Answer]:
        """Return the answers; calls ``ask`` for those that are not known for the current HEAD."""
        silent_since, silence = self._silent.get(repository, (0.0, None))
        if silence and time.monotonic() - silent_since < MAX_SILENCE_KEPT:
            raise silence
        wanted = set(names)
        state = repository.fingerprint()
        old_state, known = self._known.get((repository, question), (None, {}))
        if old_state != state:
            known = {}
        found = {name: known[name] for name in wanted & known.keys()}
        if len(found) < len(wanted):
            try:
                found.update(ask(wanted - found.keys()))
            except RepositoryError as problem:
                if problem.reason is Reason.SILENT:
                    self._silent[repository] = (time.monotonic(), problem)
                raise
        lasting = {
            name: answer
            for name, answer in found.items()
            if isinstance(answer, Change) or answer.reason in _LASTING
        }
        if repository.fingerprint() == state:  # HEAD may have changed meanwhile, and may change back later
            self._known[repository, question] = (state, {**known, **lasting})
        return found
