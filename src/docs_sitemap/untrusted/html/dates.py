"""Reads which dates a head states, in elements that count: words in a title or a comment state nothing."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import Final

from docs_sitemap.untrusted.html.head import Outside
from docs_sitemap.untrusted.html.tags import tags

_WORDS: Final = re.compile(rb"article:(?:modified|published)_time|\"date(?:Modified|Published)\"", re.I)
_KEYS: Final = re.compile(rb'"(date(?:Modified|Published))"[\t\n\r ]*+:')


def dates_in(head: bytes) -> frozenset[str]:
    """Return the names of the dates that a head states, up to its end or to the end of the data.

    These are the names of Open Graph's elements (``article:modified_time``), in lower case, and the keys of
    JSON-LD (``dateModified``).

    >>> sorted(dates_in(b'<title>dateModified</title><meta property="article:published_time" content="x">'))
    ['article:published_time']
    """
    if not _WORDS.search(head):
        return frozenset()  # nearly all pages
    found: set[str] = set()
    is_outside = Outside()
    for tag, following in pairwise(tags(head + b"<br>")):  # each has a tag after it
        if not is_outside(tag) or tag.is_end:
            continue
        values = tag.attributes("property", "name", "type")
        if tag.name == b"meta":
            found |= {values.get(name, "").strip().lower() for name in ("property", "name")}
        elif tag.name == b"script" and values.get("type", "").strip().lower() == "application/ld+json":
            found |= {key.decode() for key in _KEYS.findall(head, tag.end, following.start)}
    return frozenset(found - {""})
