"""What a page has to search with."""

from __future__ import annotations

import re
from typing import Final

from docs_sitemap.untrusted.html.tags import Tag, tags

_PLACES: Final = (b"div", b"ul", b"ol", b"dl", b"main", b"output")
_RESULTS: Final = re.compile(r"search[-_]?results?", re.IGNORECASE)


def search_forms(data: bytes) -> set[str]:
    """Return what a page has to search with: an empty place for ``results``, a ``field`` for the question."""
    found = set()
    place: Tag | None = None
    for tag in tags(data):
        if place and tag.is_end and b"<" not in data[place.end : tag.start] and _is_for_results(place):
            found.add("results")
        place = tag if tag.name in _PLACES and not tag.is_end else None
        if tag.name == b"input" and _is_for_questions(tag):
            found.add("field")
    return found


def _is_for_results(tag: Tag) -> bool:
    values = tag.attributes()
    return any(_RESULTS.search(values.get(name, "")) for name in ("id", "class"))


def _is_for_questions(tag: Tag) -> bool:
    values = tag.attributes()
    return values.get("type", "").lower() == "search" or values.get("name", "").lower() in ("q", "query")
