"""Caches answers while HEAD is unchanged, so that a server's rebuilds walk only once.

Some callers learn of files one page after another: after a few walks for these, one walk answers all files of
HEAD. Otherwise the time would be that of the pages times that of the history.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Final

from docs_sitemap.history.change import Answer, Change, Reason, RepositoryError, Unknown
from docs_sitemap.history.question import Question
from docs_sitemap.history.repository import Repository

_LASTING = frozenset({Reason.UNTRACKED, Reason.BOUNDARY, Reason.MERGED, Reason.FOLDER, Reason.SAME_TIME})
"""Reasons that last until HEAD changes; the others may be fixed at any time."""

_WALKED = frozenset(Reason) - {Reason.UNTRACKED, Reason.FOLDER, Reason.NO_COMMIT, Reason.SILENT}
"""All but those that the tree of HEAD is enough for, and one that is remembered in another way."""


def _known_or(reasons: frozenset[Reason], answers: Mapping[bytes, Answer]) -> dict[bytes, Answer]:
    """Return the answers that are commits, or unknown for one of these reasons."""
    return {
        name: answer
        for name, answer in answers.items()
        if isinstance(answer, Change) or answer.reason in reasons
    }


_MOST_WALKS: Final = 4
_MOST_KEPT: Final = 32 << 20
"""Bytes of the names with answers, above which only those of the last repository are kept."""

Ask = Callable[[set[bytes], bool], dict[bytes, Answer]]
"""Returns the answers for some files, and with ``True`` those for all other files of HEAD too."""


@dataclass(slots=True)
class _Known:
    """The answers to one question in one state of HEAD, and the number of walks that were made for them.

    ``refused`` is the answer for all other files, if the walk for all files failed.
    """

    state: object
    answers: dict[bytes, Answer] = field(default_factory=dict)
    walks: int = 0
    refused: Unknown | None = None


class Session:
    """The answers for each repository, only in memory, with the state of HEAD that they are valid for."""

    def __init__(self) -> None:
        self._known: dict[tuple[Repository, Question], _Known] = {}
        self._size = 0  # of the names that were asked for, in bytes

    def answers(
        self,
        repository: Repository,
        question: Question,
        names: Iterable[bytes],
        ask: Ask,
        beside: Mapping[Question, Mapping[bytes, Answer]] = MappingProxyType({}),
    ) -> dict[bytes, Answer]:
        """Return the answers; calls ``ask`` for those that are not known for the current HEAD.

        ``beside`` are answers to other questions, which ``ask`` finds on the way.
        """
        wanted = set(names)
        state = repository.fingerprint()
        known = self._valid(repository, question, state)
        found = {name: known.answers[name] for name in wanted & known.answers.keys()}
        missing = wanted - found.keys()
        if not missing:
            return found
        if known.refused is not None:
            return found | dict.fromkeys(missing, known.refused)
        try:
            asked = ask(missing, known.walks == _MOST_WALKS)
        except RepositoryError as problem:
            if known.walks == _MOST_WALKS:
                known.refused = Unknown(problem.reason, os.fspath(repository.root))
            else:  # what fails before its walk takes time too, for each page that a generator asks for alone
                known.walks += 1
            self._known[repository, question] = known
            raise
        if repository.fingerprint() == state:  # HEAD may have changed meanwhile, and may change back later
            kept = _LASTING | _WALKED if known.walks >= _MOST_WALKS else _LASTING
            known.answers |= _known_or(kept, asked)
            known.walks += bool(_known_or(_WALKED, asked))
            self._known[repository, question] = known
            self._keep_few(repository, sum(map(len, asked)))
            for each, answers in beside.items():
                other = self._valid(repository, each, state)
                other.answers |= _known_or(_LASTING, answers)
                self._known[repository, each] = other
        return found | {name: answer for name, answer in asked.items() if name in missing}

    def _keep_few(self, repository: Repository, size: int) -> None:
        """Forget the other repositories if, with so many bytes more, the names of all are too many."""
        self._size += size
        if self._size > _MOST_KEPT:
            self._known = {key: known for key, known in self._known.items() if key[0] == repository}
            self._size = size

    def _valid(self, repository: Repository, question: Question, state: object) -> _Known:
        known = self._known.get((repository, question))
        return known if known is not None and known.state == state else _Known(state)
