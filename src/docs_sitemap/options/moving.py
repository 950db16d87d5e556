"""What the options of git-revision-date-localized 1.6 are called here: its line is often left with them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

_CALLED: Final[Mapping[str, str]] = {
    "enable_creation_date": "creation_dates",
    "enable_git_follow": "follow_renames",
    "ignored_commits_file": "ignore_revs",
}
_UNNEEDED: Final[Mapping[str, str]] = {
    "custom_format": "dates are in words",
    "enable_parallel_processing": "one walk finds all dates",
    "fallback_to_build_date": "an unknown date is left out",
    "locale": "dates are in the theme's language",
    "strict": "a missing date stops no build",
    "timezone": "dates are in UTC",
    "type": "dates are in words",
}


def moved_option(name: str, spell: Callable[[str], str]) -> str:
    """Return what to do with an option of that plugin, or ``""`` for any other name."""
    if name in _CALLED:
        return f"git-revision-date-localized's is called {spell(_CALLED[name])} here"
    if name in _UNNEEDED:
        return f"remove it, it is git-revision-date-localized's: {_UNNEEDED[name]} here"
    return ""
