"""Finds the search elements of a page."""

from __future__ import annotations

import re
from itertools import islice
from typing import Final

from docs_sitemap.limits import MAX_IMAGE_TAGS
from docs_sitemap.untrusted.html.tags import Tag, most_tags, some_tags

_CONTAINERS: Final = (b"div", b"ul", b"ol", b"dl", b"main", b"output")
_READ: Final = frozenset((*_CONTAINERS, b"input"))

_RESULTS: Final = re.compile(r"search[-_]?results?", re.IGNORECASE)
# No generator writes these with references to characters. Of 20,000 pages with dozens of elements, those took
# three times as long.
_MAY_BE_RESULTS: Final = re.compile(rb"search[-_]?result", re.IGNORECASE)
_MAY_BE_QUERY: Final = re.compile(rb"search|=[\"'\t\n\f\r ]*+q", re.IGNORECASE)
_MOST: Final = 5
"""Containers, and fields, that may be such and whose attributes are read: usual pages have two."""


def search_forms(data: bytes) -> set[str]:
    """Return a page's search elements: ``results`` for an empty container, ``field`` for a query field."""
    found = set()
    container: Tag | None = None
    containers = fields = _MOST
    # a MiB of short ones took 0.4 s
    for tag in islice(some_tags(data, _READ), most_tags(data, MAX_IMAGE_TAGS, in_body=True)):
        if (
            container
            and tag.is_end
            and containers
            and b"<" not in data[container.end : tag.start]
            and _MAY_BE_RESULTS.search(container.rest)
        ):
            containers -= 1
            if _is_for_results(container):
                found.add("results")
                containers = 0
        container = tag if tag.name in _CONTAINERS and not tag.is_end else None
        if fields and tag.name == b"input" and _MAY_BE_QUERY.search(tag.rest):
            fields -= 1
            if _is_query_field(tag):
                found.add("field")
                fields = 0
        if not containers and not fields:
            break
    return found


def _is_for_results(tag: Tag) -> bool:
    values = tag.attributes("id", "class")
    return any(_RESULTS.search(values.get(name, "")) for name in ("id", "class"))


def _is_query_field(tag: Tag) -> bool:
    values = tag.attributes("type", "name")
    return values.get("type", "").lower() == "search" or values.get("name", "").lower() in ("q", "query")
