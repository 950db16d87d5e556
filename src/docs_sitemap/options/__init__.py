"""Options, page settings and rules, the checks of their values, and the configuration file.

Knows nothing about pages, hosts and the files of a site.
"""

from __future__ import annotations

from docs_sitemap.options.declarations import (
    OPTIONS,
    Options,
    Spell,
    check_option,
    read_options,
    unknown_option,
)
from docs_sitemap.options.page_settings import (
    CREATION_KEYS,
    NO_SETTINGS,
    PageSettings,
    creation_in,
    given_in,
    place_rules,
    read_metadata,
)
from docs_sitemap.options.validation import CHANGEFREQS, INDEXNOW_KEY, Check, UnexpectedError, page_lastmod

__all__ = [
    "CHANGEFREQS",
    "CREATION_KEYS",
    "INDEXNOW_KEY",
    "NO_SETTINGS",
    "OPTIONS",
    "Check",
    "Options",
    "PageSettings",
    "Spell",
    "UnexpectedError",
    "check_option",
    "creation_in",
    "given_in",
    "page_lastmod",
    "place_rules",
    "read_metadata",
    "read_options",
    "unknown_option",
]
