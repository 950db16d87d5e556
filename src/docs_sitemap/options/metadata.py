"""Reads a page's settings from its metadata, where each setting may be a separate field.

The metadata of reStructuredText is text, without lists and mappings: ``:sitemap-priority: 0.8`` sets
``priority``, and ``:sitemap-not-sources: a.csv, b.csv`` sets ``not_sources`` to two files.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, replace
from pathlib import Path
from typing import Any, Final

from docs_sitemap.limits import MAX_ITEMS
from docs_sitemap.notices import Notice
from docs_sitemap.options.page_settings import PageSettings, place_settings, read_settings

_PREFIX: Final = "sitemap-"
_FILES: Final = ("sources", "not_sources")
"""Settings that are lists of files."""


def read_metadata(
    metadata: Mapping[Any, object], where: str, folder: Path
) -> tuple[PageSettings, tuple[Path, ...], list[Notice]]:
    """Return a page's settings, the files of its ``sources``, and a warning for each mistake.

    Relative paths start from ``folder``; ``not_sources`` in the settings are absolute. A separate field wins
    over ``sitemap``. ``where`` names the page in messages.
    """
    whole, notices = read_settings(metadata.get("sitemap"), where)
    settings, more = _with_fields(whole, metadata, where)
    prefix = _PREFIX if f"{_PREFIX}sources" in metadata else "sitemap: "
    settings, sources, missing = place_settings(settings, folder, where, prefix)
    return settings, sources, [*notices, *more, *missing]


def _with_fields(
    whole: PageSettings, metadata: Mapping[Any, object], where: str
) -> tuple[PageSettings, list[Notice]]:
    single = {
        name.removeprefix(_PREFIX).replace("-", "_"): value
        for name, value in metadata.items()
        if isinstance(name, str) and name.startswith(_PREFIX)  # front matter may have numbers there
    }
    single |= {name: _listed(single[name]) for name in _FILES if name in single}
    if not single:
        return whole, []
    settings, notices = read_settings(single, where, _PREFIX)
    given = {field.name: getattr(settings, field.name) for field in fields(settings) if field.name in single}
    return replace(whole, **given), notices


def _listed(value: object) -> object:
    if not isinstance(value, str):
        return value
    return [item.strip() for item in value.split(",", MAX_ITEMS) if item.strip()]
