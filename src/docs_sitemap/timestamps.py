"""Dates in the protocol's formats. Imports nothing from the project, so that the command line starts fast."""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import UTC, date, datetime, timedelta
from typing import Final

_LAST: Final = 253_402_300_799
"""POSIX seconds at the end of the year 9999, Python's last."""

WEB: Final = datetime(1991, 8, 6, tzinfo=UTC)
"""The day on which the Web was announced, in the newsgroup alt.hypertext: no page is older."""

EARLIEST: Final = timedelta(hours=14)
"""How long before UTC a day begins somewhere: the largest offset."""

# Python's parser accepts more: any character between day and time, and the week instead of the month
_FORM: Final = re.compile(r"\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)?)?", re.ASCII)


def format_date(seconds: int, lastmod_format: str = "datetime") -> str:
    """Return a date as W3C Datetime in UTC: ``2026-08-20T10:11:12+00:00``, or its day.

    >>> format_date(1_787_220_672, "date")
    '2026-08-20'
    """
    moment = datetime.fromtimestamp(min(seconds, _LAST), UTC)
    return moment.date().isoformat() if lastmod_format == "date" else moment.isoformat()


def instant(lastmod: str) -> datetime | None:
    """Return a W3C Datetime in UTC, a day as its first second; ``None`` outside the years 1 to 9999.

    A time without a zone is in UTC. ``None`` too for any other text.

    >>> instant("2026-08-20") == instant("2026-08-20T02:00:00+02:00")
    True
    >>> instant("2026-08-20<10:11:12+00:00") is None
    True
    """
    if not _FORM.fullmatch(lastmod):
        return None
    try:
        moment = datetime.fromisoformat(lastmod)
        return moment.astimezone(UTC) if moment.tzinfo else moment.replace(tzinfo=UTC)
    except (ValueError, OverflowError):
        return None


def _comparable(one: str, other: str) -> tuple[datetime | date, datetime | date] | None:
    """Return two W3C Datetimes to compare: days in UTC if either is a day only; ``None`` for other text."""
    first, second = instant(one), instant(other)
    if not first or not second:
        return None
    if min(len(one), len(other)) <= len("YYYY-MM-DD"):
        return first.date(), second.date()
    return first, second


def same_date(one: str, other: str) -> bool:
    """Tell whether two W3C Datetimes are the same instant; if either is a day only, the same day in UTC.

    >>> same_date("2026-08-20", "2026-08-20T23:00:00+00:00")
    True
    >>> same_date("2026-08-20T10:00:00+02:00", "2026-08-20T10:00:00+00:00")
    False
    """
    dates = _comparable(one, other)
    return one == other or (dates is not None and dates[0] == dates[1])


def creation_before(created: str | None, lastmod: str | None) -> str | None:
    """Return when a page was created, unless that is after its last change or is no W3C Datetime.

    If either is a day only, days in UTC are compared.

    >>> creation_before("2026-08-20T10:00:00+00:00", "2026-08-20")
    '2026-08-20T10:00:00+00:00'
    >>> creation_before("2026-08-21", "2026-08-20T10:00:00+00:00") is None
    True
    """
    dates = _comparable(created or "", lastmod or "")
    return created if dates and dates[0] <= dates[1] else None


def newest_date(lastmods: Iterable[str | None]) -> str | None:
    """Return the newest of several W3C Datetimes as it is written, or ``None`` without any.

    >>> newest_date(["2026-08-20T23:00:00+02:00", None, "2026-08-20T22:00:00+00:00"])
    '2026-08-20T22:00:00+00:00'
    """
    dated = [(moment, text) for text in lastmods if text and (moment := instant(text))]
    return max(dated)[1] if dated else None
