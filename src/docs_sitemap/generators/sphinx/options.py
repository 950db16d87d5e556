"""Read our options from conf.py, ``sphinx-build -D`` and the configuration of sphinx-sitemap."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import Field
from types import ModuleType
from typing import TYPE_CHECKING, Any, Final

from docs_sitemap.generators.sphinx.moving import read_theirs
from docs_sitemap.notices import Notice
from docs_sitemap.options import OPTIONS, Options, read_options

if TYPE_CHECKING:
    from sphinx.application import Sphinx
    from sphinx.config import Config

_PREFIX: Final = "docs_sitemap_"

# These change a date, the feed links or the mark on pages, so Sphinx rewrites all pages.
_ON_PAGES: Final = frozenset({"base_url", "current_version", "filename", "formats", "json_ld", "page_dates"})


def spell(name: str) -> str:
    """Return how conf.py spells an option."""
    return _PREFIX + name


def register_options(app: Sphinx) -> None:
    """Register each option as ``docs_sitemap_NAME``."""
    for option in OPTIONS:
        # None means "not set". Without types, Sphinx does not check values, so a mistake gives one warning.
        app.add_config_value(spell(option.name), None, "html" if option.name in _ON_PAGES else "")


def options_of(config: Config) -> tuple[Options, list[Notice], bool]:
    """Return the options, notices about values from sphinx-sitemap, and whether the base URL is one.

    Raises ``OptionError``.
    """
    values = {option.name: value for option in OPTIONS if (value := _value(config, option)) is not None}
    theirs, notices = read_theirs(config, values)
    options = read_options(theirs | values | _unknown_options(config), spell)
    return options, notices, "base_url" in theirs


def _value(config: Config, option: Field[Any]) -> object:
    """Return the value of an option, or ``None``; values from ``sphinx-build -D`` are text."""
    name = spell(option.name)
    value: object = getattr(config, name)
    if name not in config.overrides or not isinstance(value, str):
        return value
    if not value:
        return None  # -D NAME= resets conf.py's value, as for Sphinx's options
    is_list = isinstance(option.default, tuple)
    return [item for item in value.split(",") if item] if is_list else value  # as for Sphinx's lists


def _unknown_options(config: Config) -> dict[str, object]:
    """Return names in conf.py that have our prefix but are not options: Sphinx ignores them silently."""
    written: Mapping[str, Any] = getattr(config, "_raw_config", {})
    return {
        name.removeprefix(_PREFIX): value
        for name, value in written.items()
        if name.startswith(_PREFIX)
        and name not in config
        and not (callable(value) or isinstance(value, ModuleType))
    }
