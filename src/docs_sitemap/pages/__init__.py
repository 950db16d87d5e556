"""The pages of a site, its base URL, its hosting service, and which pages the sitemap lists.

Knows nothing about dates and writes no files.
"""

from __future__ import annotations

from docs_sitemap.pages.base_url import (
    OtherVersion,
    base_url_of,
    find_base_url,
    find_other_version,
)
from docs_sitemap.pages.entries import Url, make_reciprocal, merge_duplicates
from docs_sitemap.pages.hosting import MISSING, NO_HOSTING, SERVED, SERVICES, Hosting, Serving, detect_hosting
from docs_sitemap.pages.originals import Originals, originals_of
from docs_sitemap.pages.page import NO_HOST, Files, Host, Own, Page, Undated
from docs_sitemap.pages.selection import (
    DRAFT,
    EXCLUDED,
    MACHINE,
    NOINDEX,
    NOT_FOUND,
    OUTSIDE,
    REDIRECT,
    UNTRANSLATED,
    Selection,
    SettingsOf,
    included,
)

__all__ = [
    "DRAFT",
    "EXCLUDED",
    "MACHINE",
    "MISSING",
    "NOINDEX",
    "NOT_FOUND",
    "NO_HOST",
    "NO_HOSTING",
    "OUTSIDE",
    "REDIRECT",
    "SERVED",
    "SERVICES",
    "UNTRANSLATED",
    "Files",
    "Host",
    "Hosting",
    "Originals",
    "OtherVersion",
    "Own",
    "Page",
    "Selection",
    "Serving",
    "SettingsOf",
    "Undated",
    "Url",
    "base_url_of",
    "detect_hosting",
    "find_base_url",
    "find_other_version",
    "included",
    "make_reciprocal",
    "merge_duplicates",
    "originals_of",
]
