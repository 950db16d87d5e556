"""Reads the options of the command line from ``docs-sitemap.toml``, or from a table in pyproject.toml."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from docs_sitemap.brief import brief, shown
from docs_sitemap.errors import OptionError
from docs_sitemap.limits import MAX_PATH, MAX_TEXT
from docs_sitemap.options import validation
from docs_sitemap.readers import read_named, read_toml

OWN_FILE: Final = "docs-sitemap.toml"
_PYPROJECT: Final = "pyproject.toml"
_TABLE: Final = "docs-sitemap"


@dataclass(frozen=True, slots=True)
class Configuration:
    """The values of one file by option name; the file may write names with hyphens."""

    values: Mapping[str, Any] = field(default_factory=dict)
    where: str = ""
    written: Mapping[str, str] = field(default_factory=dict)

    def spell(self, name: str) -> str:
        """Return the name of the file, and the option as the file spells it."""
        return f"{self.where}: {shown(self.written.get(name, name))}"


def find_configuration(folder: Path) -> Configuration:
    """Return the configuration in docs-sitemap.toml, else in pyproject.toml, else an empty one.

    Raises ``OptionError`` if a file cannot be read.
    """
    for name in (OWN_FILE, _PYPROJECT):
        if (folder / name).is_file():
            found = read_configuration(folder / name)
            if found.values or name == OWN_FILE:
                return found
    return Configuration()


def read_configuration(file: Path) -> Configuration:
    """Return the configuration in a file; raises ``OptionError`` if it cannot be read."""
    where = shown(str(file), MAX_PATH)
    try:
        found: Any = read_toml(read_named(file, MAX_TEXT).decode("utf-8").replace("\r\n", "\n"))
    except OSError as problem:
        raise OptionError(
            f"{where}: expected a TOML file, but it cannot be read: {problem.strerror}."
        ) from None
    except ValueError as problem:
        raise OptionError(f"{where}: expected a TOML file, got {problem}.") from None
    if file.name == _PYPROJECT:
        where = f"{where}: [tool.{_TABLE}]"
        tool = found.get("tool")
        found = tool.get(_TABLE, {}) if isinstance(tool, Mapping) else {}
    if not isinstance(found, Mapping):
        raise OptionError(f"{where}: expected a table of options, got {brief(found)}.")
    written = {name.replace("-", "_"): name for name in found}
    return Configuration({name: found[written[name]] for name in written}, where, written)


CREATION_KEYS: Final = (
    "date",  # of a post in Material's blog, a day or a mapping with `created`, and in most generators
    "git_creation_date_localized_raw_iso_date",  # by git-revision-date-localized, beside the localized text
    "git_creation_date_localized",  # what Material and Zensical show
)
"""The keys of front matter that say it, the most reliable first."""

_TIME: Final = re.compile(r'datetime="([^"]*+)"')  # linear: a value ends before the next quote


def creation_in(metadata: Mapping[Any, object]) -> str:
    """Return the date of a page's creation as W3C Datetime, as it is written there.

    Returns ``git`` if nothing says it, and ``none`` if what says it is not a date, or one in the future: then
    readers may see another date than git's.

    >>> creation_in({"date": {"created": "2022-05-05", "updated": "2023-03-03"}})
    '2022-05-05'
    """
    for key in CREATION_KEYS:
        value = metadata.get(key)
        if isinstance(value, Mapping):
            value = value.get("created")
        if value:
            element = _TIME.search(value) if isinstance(value, str) else None
            try:
                return validation.lastmod(element[1] if element else value)
            except validation.UnexpectedError:
                return "none"
    return "git"


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
