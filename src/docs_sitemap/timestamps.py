"""Dates as the protocol writes them. Imports nothing of the project: the command line starts with it."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Final

_CYCLE: Final = 146_097 * 86_400
_YEAR_9600: Final = 240_773_817_600
"""Seconds of 400 years, after which the calendar repeats, and POSIX seconds of a year near the last."""


def format_date(seconds: int, lastmod_format: str = "datetime") -> str:
    """Return a date as W3C Datetime in UTC: ``2026-08-20T10:11:12+00:00``, or its day.

    git's dates go beyond the year 9999, where Python's end: those are moved by whole cycles.
    """
    cycles = max(0, seconds - _YEAR_9600) // _CYCLE
    moment = datetime.fromtimestamp(seconds - cycles * _CYCLE, UTC)
    text = moment.date().isoformat() if lastmod_format == "date" else moment.isoformat()
    return f"{moment.year + 400 * cycles}{text[4:]}" if cycles else text
