"""A page's date from the dates of the files that make it. Asks the history once a site."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from docs_sitemap.history import Answer, Change, Reason, Unknown
from docs_sitemap.page import Page

Changes = Callable[[Iterable[Path]], Mapping[Path, Answer]]
"""``last_changes`` with its options applied."""

_CYCLE: Final = 146_097 * 86_400
_YEAR_9600: Final = 240_773_817_600
"""Seconds of 400 years, and POSIX seconds of a year that is as far from the last as that."""

PageDate = int | Unknown
"""POSIX seconds (UTC), or why there is no date."""


def page_dates(pages: Sequence[Page], last_changes: Changes) -> list[PageDate]:
    """Return the date of each page, in order, from one question to the history.

    A symbolic link counts as its target: that is what the page shows.
    """
    # realpath and not resolve(): that one raises for a link that leads to itself
    files = [[Path(os.path.realpath(path)) for path in _files(page)] for page in pages]
    answers = last_changes({path for group in files for path in group})
    now = int(time.time())
    return [newest([answers[path] for path in group], now) for group in files]


def newest(answers: Sequence[Answer], now: int) -> PageDate:
    """Return the newest of the files' dates, or why it is not known.

    Files that no commit has do not count beside one that has; one whose repository cannot be read
    leaves the page without a date, for it may be the newest. A file cut off by a shallow
    boundary is no newer than that boundary: a date that is at least as new stands. A date after
    ``now`` is never given.
    """
    for answer in answers:
        if isinstance(answer, Unknown) and answer.reason in _HIDING:
            return answer
    known = [answer for answer in answers if isinstance(answer, Change)]
    cut_off = [answer for answer in answers if isinstance(answer, Unknown) and answer.not_after is not None]
    if not known:
        return next(iter(cut_off), None) or _first_unknown(answers)
    date = max(answer.time for answer in known)
    for answer in cut_off:
        if answer.not_after is None or answer.not_after > date:
            return answer
    if date > now:
        return Unknown(Reason.FUTURE, "")
    return date


_HIDING: Final = frozenset(
    {Reason.NO_GIT, Reason.OTHER_OWNER, Reason.UNREADABLE, Reason.INCOMPLETE, Reason.NO_DATE}
)


def format_date(seconds: int, lastmod_format: str) -> str:
    """Return a date as W3C Datetime in UTC: ``2026-08-20T10:11:12+00:00``, or its day."""
    # the calendar repeats after 400 years: git's dates go beyond the year 9999, where datetime ends
    cycles = max(0, seconds - _YEAR_9600) // _CYCLE
    moment = datetime.fromtimestamp(seconds - cycles * _CYCLE, UTC)
    text = moment.date().isoformat() if lastmod_format == "date" else moment.isoformat()
    return f"{moment.year + 400 * cycles}{text[4:]}" if cycles else text


def _files(page: Page) -> list[Path]:
    return [*([page.source] if page.source else []), *page.dependencies]


def _first_unknown(answers: Sequence[Answer]) -> Unknown:
    for answer in answers:
        if isinstance(answer, Unknown):
            return answer
    return Unknown(Reason.GENERATED, "")
