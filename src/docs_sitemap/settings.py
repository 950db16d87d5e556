"""What a page says in its own front matter or metadata.

A mistake there costs that setting, never the build.
"""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from docs_sitemap import checks
from docs_sitemap.errors import OptionError
from docs_sitemap.notices import Notice
from docs_sitemap.page import PageSettings

_SETTINGS: Mapping[str, checks.Check] = {
    "exclude": checks.boolean,
    "lastmod": checks.lastmod,
    "changefreq": checks.changefreq,
    "priority": checks.priority,
    "sources": checks.paths,
}


def read_settings(value: object, where: str, prefix: str = "sitemap: ") -> tuple[PageSettings, list[Notice]]:
    """Read a page's ``sitemap`` setting: ``false``, or a mapping of single settings.

    ``value`` may also be text, as MyST hands it on: ``"False"``, or a mapping in JSON. ``where``
    names the page in messages, and ``prefix`` is what its author writes before a single setting.
    Each mistake is one warning.
    """
    if isinstance(value, str) and value.lstrip().startswith("{"):
        with contextlib.suppress(ValueError):  # the check below says what was expected
            value = json.loads(value)
    if value is None:
        return PageSettings(), []
    if isinstance(value, Mapping):
        return _read_mapping(value, where, prefix)
    try:
        listed = checks.checked(f"{where}: sitemap", value, _listed)
    except OptionError as problem:
        return PageSettings(), [_mistake(str(problem))]
    return PageSettings(exclude=not listed), []


def find_sources(
    settings: PageSettings, folder: Path, where: str, prefix: str = "sitemap: "
) -> tuple[tuple[Path, ...], list[Notice]]:
    """Return the files that a page's ``sources`` name below the documentation folder.

    A file that is not there is a warning: it would never count, and nobody would see it.
    """
    paths: list[Path] = []
    notices: list[Notice] = []
    for name in settings.sources:
        path = folder / name
        if os.path.isfile(path):  # not path.is_file(): that one raises for a name that is too long
            paths.append(path)
        else:
            text = (
                f"{where}: {prefix}sources: expected files below {folder.name}, got {name!r}, which is none."
            )
            notices.append(Notice("warning", "page", f"{text} It does not count."))
    return tuple(paths), notices


def _read_mapping(value: Mapping[Any, object], where: str, prefix: str) -> tuple[PageSettings, list[Notice]]:
    clean: dict[str, Any] = {}
    notices: list[Notice] = []
    for name, setting in value.items():
        if setting is None:
            continue
        written = f"{where}: {prefix}{name}"
        try:
            if name not in _SETTINGS:
                known = ", ".join(prefix + setting for setting in _SETTINGS)
                raise OptionError(f"{written}: there is no such setting; the settings are {known}.")
            clean[name] = checks.checked(written, setting, _SETTINGS[name])
        except OptionError as problem:
            notices.append(_mistake(str(problem)))
    return PageSettings(**clean), notices


def _listed(value: object) -> bool:
    try:
        return checks.boolean(value)
    except checks.UnexpectedError:
        raise checks.UnexpectedError("false, or a mapping with any of " + ", ".join(_SETTINGS)) from None


def _mistake(text: str) -> Notice:
    return Notice("warning", "page", f"{text} The setting is ignored.")
