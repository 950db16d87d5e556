"""What a page's metadata says of its place in the sitemap, where each setting may be a field of its own.

The metadata of reStructuredText is text, without lists and mappings: ``:sitemap-priority: 0.8`` is the
setting ``priority``, and ``:sitemap-sources: a.csv, b.csv`` are two files.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, replace
from pathlib import Path
from typing import Any, Final

from docs_sitemap.notices import Notice
from docs_sitemap.settings import PageSettings, find_sources, read_settings

_PREFIX: Final = "sitemap-"
_SOURCES: Final = f"{_PREFIX}sources"


def read_metadata(
    metadata: Mapping[Any, object], where: str, folder: Path
) -> tuple[PageSettings, tuple[Path, ...], list[Notice]]:
    """Return a page's settings, the files that its ``sources`` name from ``folder``, and each mistake.

    What a field of its own says wins over what ``sitemap`` says. ``where`` names the page in messages.
    """
    whole, notices = read_settings(metadata.get("sitemap"), where)
    settings, more = _with_fields(whole, metadata, where)
    prefix = _PREFIX if _SOURCES in metadata else "sitemap: "
    sources, missing = find_sources(settings, folder, where, prefix)
    return settings, sources, [*notices, *more, *missing]


def _with_fields(
    whole: PageSettings, metadata: Mapping[Any, object], where: str
) -> tuple[PageSettings, list[Notice]]:
    single = {
        name.removeprefix(_PREFIX): _listed(value) if name == _SOURCES else value
        for name, value in metadata.items()
        if isinstance(name, str) and name.startswith(_PREFIX)  # front matter may have numbers there
    }
    if not single:
        return whole, []
    settings, notices = read_settings(single, where, _PREFIX)
    given = {field.name: getattr(settings, field.name) for field in fields(settings) if field.name in single}
    return replace(whole, **given), notices


def _listed(value: object) -> object:
    return [item.strip() for item in value.split(",") if item.strip()] if isinstance(value, str) else value
