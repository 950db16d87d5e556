"""Read our options from mkdocs.yml, and adapt them to the current build."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import Field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from mkdocs.config.base import BaseConfigOption, ValidationError

from docs_sitemap.brief import shown
from docs_sitemap.errors import OptionError
from docs_sitemap.generators.mkdocs.build import (
    about_versions_of_mike,
    is_serving,
    mike_runs_build,
    spell,
)
from docs_sitemap.notices import Notice
from docs_sitemap.options import OPTIONS, Options, check_option, place_rules, unknown_option

if TYPE_CHECKING:
    from mkdocs.config.defaults import MkDocsConfig


class _Option(BaseConfigOption[object]):
    """One of our options, which MkDocs validates with this class."""

    def __init__(self, option: Field[Any]) -> None:
        super().__init__()
        self._option = option
        self.default = option.default

    def run_validation(self, value: object, /) -> object:
        try:
            return check_option(self._option, value, str)
        except OptionError as problem:
            raise _error(self._option.name, str(problem)) from None


SCHEME: Final = tuple((option.name, _Option(option)) for option in OPTIONS)
"""The plugin's ``config_scheme`` for MkDocs."""


def errors_of_unknown(names: Iterable[object]) -> list[tuple[str, Exception]]:
    """Return an error for each unknown option, in the form that MkDocs collects."""
    known = dict(SCHEME)
    unknown = [shown(name) for name in names if name not in known]
    return [(name, _error(name, unknown_option(name, str))) for name in unknown]


def _error(name: str, message: str) -> ValidationError:
    """Return the error of an option, without the name, because MkDocs adds plugin and option."""
    return ValidationError(message.removeprefix(f"{name}: "))


def place_options(values: Mapping[str, Any], config: MkDocsConfig) -> tuple[Options, list[Notice]]:
    """Return the validated options, adapted to this site, and notices about them."""
    options = Options(**{option.name: values[option.name] for option in OPTIONS})
    rules, notices = place_rules(options.rules, Path(config.docs_dir), spell("rules"))
    options = replace(options, rules=rules)
    if is_serving(config):
        # use the server's URL, so that themes that fetch the sitemap find their pages in it; skip dates,
        # which nobody reads there and which would need a history walk at each rebuild
        lastmod = options.lastmod if options.page_dates else "none"
        options = replace(options, base_url=None, lastmod=lastmod, current_version=None)
    elif options.current_version and mike_runs_build():
        options = replace(options, current_version=None)
        notices.append(about_versions_of_mike())
    return options, notices
