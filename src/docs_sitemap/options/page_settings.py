"""Settings of single pages, from their front matter or metadata and from ``rules``.

A page's own settings win over rules, key by key. A mistake in a page only disables that setting and
never stops the build; a mistake in a rule is a configuration error.
"""

from __future__ import annotations

import contextlib
import difflib
import os
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final

from docs_sitemap.errors import OptionError
from docs_sitemap.limits import MAX_PATH
from docs_sitemap.notices import Notice, Subtype
from docs_sitemap.options import validation
from docs_sitemap.readers.data import read_json
from docs_sitemap.text import and_more, shorten, show_value

_SETTINGS: Mapping[str, validation.Check] = {
    "exclude": validation.boolean,
    "lastmod": validation.page_lastmod,
    "changefreq": validation.changefreq,
    "priority": validation.priority,
    "sources": validation.paths,
    "not_sources": validation.paths,
}
_OF_RULES: Mapping[str, validation.Check] = {**_SETTINGS, "include": validation.boolean}
"""What a rule can set."""

_KEYS = ["match", *_OF_RULES]
"""The keys of a rule."""

PREFIX: Final = "sitemap-"
"""Precedes the name of a setting that is a separate field of the metadata."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PageSettings:
    """A page's settings for the sitemap; ``None`` for a setting that is not set.

    ``lastmod`` is a W3C Datetime, ``git``, or ``none`` for no date; ``changefreq`` is one of the
    protocol's words, ``priority`` is from 0.0 to 1.0. ``sources`` are paths, relative to the documentation
    folder, of files that count for the page's date; ``not_sources`` of files that do not. ``include``, which
    only rules have, lists files that are no pages. ``excluded_by`` is ``exclude`` as the page's author wrote
    it. This class checks nothing: read what an author wrote with ``read_metadata``.
    """

    exclude: bool | None = None
    lastmod: str | None = None
    changefreq: str | None = None
    priority: float | None = None
    sources: tuple[str, ...] = ()
    not_sources: tuple[str, ...] = ()
    include: bool | None = None
    excluded_by: str = field(default="", compare=False)


EXCLUDED_BY: Final = "docs-sitemap: excluded by"
"""The key with which a translation of metadata into our words says what its author wrote."""

NO_SETTINGS = PageSettings()


@dataclass(frozen=True, slots=True)
class Rule:
    """Settings for all pages that match the gitignore-style patterns."""

    match: tuple[str, ...]
    settings: PageSettings


def given_in(settings: PageSettings) -> dict[str, Any]:
    """Return the settings that are set, to be merged key by key."""
    found = ((name, getattr(settings, name)) for name in _OF_RULES)
    return {name: value for name, value in found if value is not None and value != ()}


def read_rules(value: object) -> tuple[Rule, ...]:
    """Accept a list of ``{match: pattern, exclude/changefreq/.../not_sources: ...}``.

    ``match`` may be a list of patterns. Raises ``validation.UnexpectedError``.
    """
    expected = 'a list of rules, such as [{"match": "blog/", "priority": 0.3}]'
    if isinstance(value, (str, bytes, Mapping)) or not isinstance(value, Iterable):
        raise validation.UnexpectedError(expected)
    return tuple(_rule(item, number) for number, item in enumerate(value, 1))


def _rule(value: object, number: int) -> Rule:
    expected = "a mapping with match and any of " + ", ".join(_OF_RULES)
    if not isinstance(value, Mapping) or "match" not in value or len(value) == 1:
        raise validation.UnexpectedError(expected, at=f"rule {number}", got=value)
    if unknown := [key for key in value if key not in _KEYS]:
        close = difflib.get_close_matches(shorten(unknown[0]), _KEYS, n=1)
        hint = f" (did you mean {close[0]}?)" if close else ""
        raise validation.UnexpectedError(expected + hint, at=f"rule {number}", got=unknown[0])
    match = value["match"]
    patterns = _at(_some_patterns, [match] if isinstance(match, str) else match, f"rule {number}, match")
    clean = {
        name: _at(check, value[name], f"rule {number}, {name}")
        for name, check in _OF_RULES.items()
        if name in value
    }
    return Rule(patterns, PageSettings(**clean))


def _some_patterns(value: object) -> tuple[str, ...]:
    patterns = validation.patterns(value)
    if not any(pattern.strip() for pattern in patterns):
        raise validation.UnexpectedError("a gitignore-style pattern, or a list of them")
    return patterns


def _at(check: validation.Check, value: object, at: str) -> Any:
    try:
        return check(value)
    except validation.UnexpectedError as problem:
        raise validation.UnexpectedError(str(problem), at=at, got=value) from None


def read_metadata(
    metadata: Mapping[Any, object], where: str, folder: Path
) -> tuple[PageSettings, tuple[Path, ...], list[Notice]]:
    """Return a page's settings, the files of its ``sources``, and a warning for each mistake.

    ``sitemap`` is ``false``, or a mapping of single settings, or the same as text, as MyST passes it:
    ``"False"``, or a mapping in JSON. Each setting may also be a separate field, which wins over ``sitemap``.
    The metadata of reStructuredText is text, without lists and mappings: ``:sitemap-priority: 0.8`` sets
    ``priority``, and ``:sitemap-not-sources: a.csv, b.csv`` sets ``not_sources`` to two files.

    Relative paths start from ``folder``; ``not_sources`` in the settings are absolute. ``where`` names the
    page in messages.
    """
    where = shorten(where, MAX_PATH)
    whole = metadata.get("sitemap")
    settings, notices = _read_whole(whole, where)
    said = "exclude: true" if isinstance(whole, Mapping) else shorten(str(whole).lower())
    single = {
        name.removeprefix(PREFIX).replace("-", "_"): value
        for name, value in metadata.items()
        if isinstance(name, str) and name.startswith(PREFIX)  # front matter may have numbers there
    }
    for name in ("sources", "not_sources"):
        if isinstance(files := single.get(name), str):
            single[name] = [file.strip() for file in files.split(",") if file.strip()]
    if single:
        of_fields, more = _read_mapping(single, where, PREFIX)
        given = {name: getattr(of_fields, name) for name in _SETTINGS if name in single}
        settings, notices = replace(settings, **given), [*notices, *more]
    if settings.exclude:
        said = "sitemap-exclude: true" if single.get("exclude") else f"sitemap: {said}"
        settings = replace(settings, excluded_by=str(metadata.get(EXCLUDED_BY) or said))
    prefix = PREFIX if "sources" in single else "sitemap: "
    settings, sources, missing = _place(settings, folder, f"{where}: {prefix}")
    return settings, sources, [*notices, *missing]


def _read_whole(value: object, where: str) -> tuple[PageSettings, list[Notice]]:
    """Read a page's ``sitemap`` setting."""
    if isinstance(value, str) and value.lstrip().startswith("{"):
        with contextlib.suppress(ValueError):  # the check below reports what was expected
            value = read_json(value)
    if value is None or (isinstance(value, str) and value.strip() in ("", "null")):
        return PageSettings(), []
    if isinstance(value, Mapping):
        return _read_mapping(value, where, "sitemap: ")
    try:
        return PageSettings(exclude=not validation.boolean(value)), []
    except validation.UnexpectedError:
        expected = "false, or a mapping with any of " + ", ".join(_SETTINGS)
        text = f"{where}: sitemap: expected {expected}, got {show_value(value)}."
        return PageSettings(), [_mistake(text)]


def place_rules(rules: Iterable[Rule], folder: Path, option: str) -> tuple[tuple[Rule, ...], list[Notice]]:
    """Return the rules with absolute paths, which start from ``folder``, the documentation folder.

    ``option`` is the name of the rules in messages.
    """
    placed: list[Rule] = []
    notices: list[Notice] = []
    for number, rule in enumerate(rules, 1):
        settings, found, missing = _place(rule.settings, folder, f"{option}: rule {number}, ")
        notices += missing
        placed.append(replace(rule, settings=replace(settings, sources=tuple(map(str, found)))))
    return tuple(placed), notices


def _place(
    settings: PageSettings, folder: Path, written: str
) -> tuple[PageSettings, tuple[Path, ...], list[Notice]]:
    """Return settings with absolute ``not_sources``, the files of ``sources``, and warnings.

    A missing file gets a warning: otherwise nobody would notice that it has no effect. ``written`` is what
    precedes the name of a setting in messages.
    """
    found: dict[str, tuple[Path, ...]] = {}
    notices = []
    for setting in ("sources", "not_sources"):
        names: tuple[str, ...] = getattr(settings, setting)
        missing = [name for name in names if not os.path.isfile(os.path.join(folder, name))]
        found[setting] = tuple(Path(folder, name) for name in dict.fromkeys(names) if name not in missing)
        if missing:
            what = "no such file" if len(missing) == 1 else "no such files"
            first, more = show_value(missing[0]), and_more(len(missing) - 1)
            text = f"{written}{setting}: {what} in {shorten(folder.name)}: {first}{more}; ignored."
            notices.append(Notice("warning", Subtype.PAGE, text))
    without = tuple(map(os.path.abspath, found["not_sources"]))
    return replace(settings, not_sources=without), found["sources"], notices


def _read_mapping(value: Mapping[Any, object], where: str, prefix: str) -> tuple[PageSettings, list[Notice]]:
    clean: dict[str, Any] = {}
    notices: list[Notice] = []
    given = {name: setting for name, setting in value.items() if setting is not None and setting != ""}
    for name in filter(given.__contains__, _SETTINGS):
        try:
            clean[name] = validation.checked(f"{where}: {prefix}{name}", given[name], _SETTINGS[name])
        except OptionError as problem:
            notices.append(_mistake(str(problem)))
    if unknown := [name for name in given if name not in _SETTINGS]:
        known = ", ".join(prefix + setting for setting in _SETTINGS)
        names = shorten(unknown[0]) + and_more(len(unknown) - 1)
        what = "there are no such settings" if len(unknown) > 1 else "there is no such setting"
        # nearer than include, which only rules have, is to exclude
        close = difflib.get_close_matches(shorten(unknown[0]), _SETTINGS, n=1, cutoff=0.72)
        hint = f"did you mean {prefix}{close[0]}?" if close else f"the settings are {known}."
        notices.append(_mistake(f"{where}: {prefix}{names}: {what}; {hint}"))
    return PageSettings(**clean), notices


def _mistake(text: str) -> Notice:
    return Notice("warning", Subtype.PAGE, f"{text} The setting is ignored.")


CREATION_KEYS: Final = (
    "date",  # of a post in Material's blog, a day or a mapping with `created`, and in most generators
    "git_creation_date_localized_raw_iso_date",  # by git-revision-date-localized, beside the localized text
    "git_creation_date_localized",  # what Material and Zensical show
)
"""The keys of front matter that say when a page was created, the most reliable first."""

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
