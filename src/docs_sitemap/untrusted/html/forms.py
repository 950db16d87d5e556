"""Finds the search elements of a page."""

from __future__ import annotations

import re
from typing import Final

from docs_sitemap.untrusted.html.tags import Tag, tags

_CONTAINERS: Final = (b"div", b"ul", b"ol", b"dl", b"main", b"output")
_RESULTS: Final = re.compile(r"search[-_]?results?", re.IGNORECASE)


def search_forms(data: bytes) -> set[str]:
    """Return a page's search elements: ``results`` for an empty container, ``field`` for a query field."""
    found = set()
    container: Tag | None = None
    for tag in tags(data):
        if (
            container
            and tag.is_end
            and b"<" not in data[container.end : tag.start]
            and _is_for_results(container)
        ):
            found.add("results")
        container = tag if tag.name in _CONTAINERS and not tag.is_end else None
        if tag.name == b"input" and _is_query_field(tag):
            found.add("field")
    return found


def _is_for_results(tag: Tag) -> bool:
    values = tag.attributes("id", "class")
    return any(_RESULTS.search(values.get(name, "")) for name in ("id", "class"))


def _is_query_field(tag: Tag) -> bool:
    values = tag.attributes("type", "name")
    return values.get("type", "").lower() == "search" or values.get("name", "").lower() in ("q", "query")
