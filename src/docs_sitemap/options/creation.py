"""Read when a page was created, where its author or another plugin says so in its front matter."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

from docs_sitemap.options import validation

CREATION_KEYS: Final = (
    "date",  # of a post in Material's blog, a day or a mapping with `created`, and in most generators
    "git_creation_date_localized_raw_iso_date",  # by git-revision-date-localized, beside the localized text
    "git_creation_date_localized",  # what Material and Zensical show
)
"""The keys of front matter that say it, the most reliable first."""

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
