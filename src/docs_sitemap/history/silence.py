"""Remembers in which repositories git was silent: each further process would wait again.

A repository is then not asked, and after a few of them none, because a site may contain any number.
"""

from __future__ import annotations

import time
from typing import Final

from docs_sitemap.history.repository import Repository
from docs_sitemap.limits import MAX_SILENCE_KEPT

_MOST: Final = 2

_SINCE: Final[dict[Repository, float]] = {}


def note_silence(repository: Repository) -> None:
    """Remember that git was silent in a repository."""
    _SINCE[repository] = time.monotonic()


def who_was_silent(repository: Repository) -> Repository | None:
    """Return the repository for whose silence this one is not to be asked, itself or another one.

    It is ``None`` if this one may be asked.
    """
    since = time.monotonic() - MAX_SILENCE_KEPT
    for each in [each for each, at in _SINCE.items() if at <= since]:
        del _SINCE[each]
    if repository in _SINCE:
        return repository
    return next(iter(_SINCE)) if len(_SINCE) >= _MOST else None
