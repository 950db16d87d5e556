"""One page as a generator tells it, and one host as its adapter tells it."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from docs_sitemap import checks
from docs_sitemap.errors import OptionError
from docs_sitemap.notices import Notice
from docs_sitemap.options import Spell


@dataclass(frozen=True, slots=True)
class Host:
    """What an adapter says about its generator.

    ``base_url`` is the generator's own idea of the site's address, as its user wrote it under
    the name ``base_url_option``; ``spell`` is how this host spells an option of ours.
    """

    base_url: str | None
    base_url_option: str
    spell: Spell


@dataclass(frozen=True, slots=True, kw_only=True)
class PageSettings:
    """What a page's own front matter or metadata says about its place in the sitemap."""

    exclude: bool = False
    lastmod: str | None = None
    changefreq: str | None = None
    priority: float | None = None
    sources: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """One published page.

    ``url`` is its path below the base URL without a leading slash, as the generator links to it;
    what is not percent-encoded yet is encoded later, once. ``source`` is the file that it is
    written in, ``dependencies`` are further files that make it; ``source_path`` is the source
    below the documentation folder, with ``/``, for patterns. ``file`` is the published HTML:
    where given, its head decides about noindex and canonical. ``canonical`` is the address that
    the generator itself gives the page. ``unlisted`` says why the generator's own rules keep the
    page out, and is empty where they do not.
    """

    url: str
    source: Path | None = None
    source_path: str | None = None
    dependencies: tuple[Path, ...] = ()
    settings: PageSettings = PageSettings()
    file: Path | None = None
    canonical: str | None = None
    unlisted: str = ""


_SETTINGS: Mapping[str, checks.Check] = {
    "exclude": checks.boolean,
    "lastmod": checks.lastmod,
    "changefreq": checks.changefreq,
    "priority": checks.priority,
    "sources": checks.paths,
}


def read_settings(value: object, where: str) -> tuple[PageSettings, list[Notice]]:
    """Read a page's ``sitemap`` setting: ``false``, or a mapping of single settings.

    ``value`` may also be text, as MyST hands it on: ``"False"``, or a mapping in JSON.
    ``where`` names the page in messages. A mistake on one page costs that setting and a
    warning, never the build.
    """
    if isinstance(value, str) and value.lstrip().startswith("{"):
        with contextlib.suppress(ValueError):  # the check below says what was expected
            value = json.loads(value)
    if value is None:
        return PageSettings(), []
    if not isinstance(value, Mapping):
        try:
            listed = checks.checked(f"{where}: sitemap", value, _listed)
        except OptionError as problem:
            return PageSettings(), [_mistake(str(problem))]
        return PageSettings(exclude=not listed), []
    return _read_mapping(value, where)


def _read_mapping(value: Mapping[Any, object], where: str) -> tuple[PageSettings, list[Notice]]:
    clean: dict[str, Any] = {}
    notices: list[Notice] = []
    for name, setting in value.items():
        if setting is None:
            continue
        try:
            if name not in _SETTINGS:
                raise OptionError(
                    f"{where}: sitemap: there is no setting {name!r}; the settings are "
                    + ", ".join(_SETTINGS)
                )
            clean[name] = checks.checked(f"{where}: sitemap: {name}", setting, _SETTINGS[name])
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
