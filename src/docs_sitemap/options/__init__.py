"""Options, page settings and rules, the checks of their values, and the configuration file.

Knows nothing about pages, hosts and the files of a site.
"""

from __future__ import annotations

from docs_sitemap.options.configuration import (
    CREATION_KEYS,
    Configuration,
    creation_in,
    find_configuration,
    read_configuration,
)
from docs_sitemap.options.declarations import (
    OPTIONS,
    Options,
    Spell,
    check_option,
    read_options,
    unknown_option,
)
from docs_sitemap.options.languages import X_DEFAULT, code_or_none
from docs_sitemap.options.page_settings import (
    NO_SETTINGS,
    PageSettings,
    given_in,
    place_rules,
    place_settings,
    read_metadata,
    read_settings,
)
from docs_sitemap.options.validation import CHANGEFREQS, INDEXNOW_KEY, Check, UnexpectedError, page_lastmod

__all__ = [
    "CHANGEFREQS",
    "CREATION_KEYS",
    "INDEXNOW_KEY",
    "NO_SETTINGS",
    "OPTIONS",
    "X_DEFAULT",
    "Check",
    "Configuration",
    "Options",
    "PageSettings",
    "Spell",
    "UnexpectedError",
    "check_option",
    "code_or_none",
    "creation_in",
    "find_configuration",
    "given_in",
    "page_lastmod",
    "place_rules",
    "place_settings",
    "read_configuration",
    "read_metadata",
    "read_options",
    "read_settings",
    "unknown_option",
]
