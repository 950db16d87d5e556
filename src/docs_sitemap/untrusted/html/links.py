"""Finds the links of a page, and what it embeds."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from docs_sitemap.untrusted.html.tags import tags

# Without fragment and query. Reading tags would take ten times as long; the result may include text that is
# not a link, such as in a script. Linear: no two parts of the expression match the same byte.
_HREF: Final = re.compile(
    rb"""href[\t\n\f\r ]*+=[\t\n\f\r ]*+("[^"#?\r\n]++|'[^'#?\r\n]++|[^"'#?\t\n\f\r >]++)"""
)
_ANY_HREF: Final = re.compile(_HREF.pattern, re.IGNORECASE)  # takes several times as long
_EMBEDDED: Final = ("src", "href", "data", "poster")


def hrefs(data: bytes) -> set[bytes]:
    """Return the links of a page as written, with the quote before them, without fragment and query."""
    return set((_ANY_HREF if b"HREF" in data else _HREF).findall(data))


def embedded(data: bytes) -> Iterator[str]:
    """Yield the URLs that a page shows, plays or links to, without fragment and query."""
    for tag in tags(data):
        if not tag.is_end and tag.rest:
            values = tag.attributes(*_EMBEDDED)
            found = (values[name] for name in _EMBEDDED if name in values)
            yield from (re.split(r"[?#]", address, maxsplit=1)[0] for address in found)
