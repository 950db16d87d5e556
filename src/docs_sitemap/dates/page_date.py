"""Determines a page's date from the dates of its files. Knows no options: some commands have none."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Final, NamedTuple

from docs_sitemap.git import Answer, Change, Reason, Unknown
from docs_sitemap.pages import Files
from docs_sitemap.untrusted import RealPaths

Changes = Callable[[Iterable[os.PathLike[str]]], Mapping[os.PathLike[str], Answer]]
"""``last_changes`` with its options bound."""

PageDate = int | Unknown
"""POSIX seconds (UTC), or why there is no date."""


class Dated(NamedTuple):
    """The date of a page, or why there is none, and the file that decided it."""

    date: PageDate
    decided_by: Path | None = None


def page_dates(pages: Sequence[Files], last_changes: Changes) -> list[Dated]:
    """Return the date of each page, given as the files that make it; reads the history once.

    A symbolic link counts as its target, because that is what the page shows.
    """
    links = RealPaths()
    real = {path: Path(links.of(path)) for path in {path for page in pages for path in page.all()}}
    answers = last_changes({*real.values()})
    now = int(time.time())
    dated: list[Dated] = []
    for page in pages:
        files = page.all()
        found = [answers[real[path]] for path in files]
        date = newest(found, now, found[0] if page.source and not page.has_named else None)
        number = deciding(date, found)
        dated.append(Dated(date, None if number is None else files[number]))
    return dated


def deciding(date: PageDate, answers: Sequence[Answer]) -> int | None:
    """Return the index of the answer that decided a date, or ``None`` without answers."""
    if isinstance(date, Unknown) and date in answers:
        return answers.index(date)
    times = [answer.time if isinstance(answer, Change) else -1 for answer in answers]
    return times.index(max(times)) if times else None


def newest(answers: Sequence[Answer], now: int, own: Answer | None = None) -> PageDate:
    """Return the newest of the files' dates, or why it is not known.

    ``own`` is the answer for the page's source: if no commit has it, its text may be newer than everything
    that it includes, and the page has no date. Other files that no commit has are ignored if a commit has any
    of the files. If the repository of a file cannot be read, the page has no date, because that file may be
    the newest. A file cut off by a shallow boundary is no newer than that boundary: a date that is
    at least as new is used. A date after ``now`` is never returned.

    >>> newest([Change("old", 1_000), Change("new", 2_000)], now=3_000)
    2000
    >>> cut_off = Unknown(Reason.BOUNDARY, "docs", not_after=1_500)
    >>> newest([Change("old", 1_000), cut_off], now=3_000) is cut_off
    True
    """
    if isinstance(own, Unknown) and own.not_after is None:
        return own
    unknown = [answer for answer in answers if isinstance(answer, Unknown)]
    for answer in unknown:
        if answer.reason in _HIDING:
            return answer
    known = [answer.time for answer in answers if isinstance(answer, Change)]
    if not known:
        cut_off = [answer for answer in unknown if answer.not_after is not None]
        return next(iter(cut_off or unknown), Unknown(Reason.GENERATED, ""))
    date = max(known)
    for answer in unknown:
        if answer.not_after is not None and answer.not_after > date:
            return answer
    if date > now:
        return Unknown(Reason.FUTURE, "")
    return date


_WITHOUT_COMMIT: Final = {Reason.UNTRACKED, Reason.GENERATED, Reason.NO_REPOSITORY, Reason.NO_COMMIT}
_HIDING: Final = frozenset(Reason) - _WITHOUT_COMMIT - {Reason.BOUNDARY, Reason.FUTURE}
"""Reasons for which a file may have a newer commit than all others: a new reason is one of them."""
