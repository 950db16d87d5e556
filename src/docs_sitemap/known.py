"""What search engines know of a site: a file of URLs with their dates, for the next submission. Pure."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from typing import Final

from docs_sitemap.changes import Dates
from docs_sitemap.limits import ENTRY_WEIGHT, MAX_NUMBER, MAX_SITE
from docs_sitemap.untrusted import read_json

_MARK: Final = "docs-sitemap"
_VERSION: Final = 1
_MOST: Final = MAX_SITE // ENTRY_WEIGHT
"""URLs, of which there are two keys more in such a file."""


def render(urls: Dates) -> bytes:
    """Return the content of the file: JSON with each URL and its ``lastmod`` or ``null``, sorted by URL."""
    found = {_MARK: _VERSION, "urls": dict(sorted(urls.items()))}
    return json.dumps(found, indent=1, ensure_ascii=True).encode("ascii") + b"\n"


def is_json(data: bytes) -> bool:
    """Tell whether a file may be one: no sitemap starts so."""
    return data.lstrip()[:1] in (b"{", b"[")


def parse(data: bytes) -> dict[str, str | None]:
    """Return the URLs of such a file, not checked, with their dates. Raises ``ValueError`` if it is none.

    ``render`` writes ASCII alone; other characters may make a text take four times its bytes.
    """
    try:
        found = read_json(data, containers=2, keys=_MOST + 2) if data.isascii() else None
    except ValueError:
        found = None
    urls = found.get("urls") if isinstance(found, Mapping) and found.get(_MARK) == _VERSION else None
    if not isinstance(urls, dict):
        written = "submit --remember or --log has written"
        raise ValueError(f"is not a file that {written}, or has more than {_MOST:,} URLs")
    return {
        url: date if isinstance(date, str) and len(date) <= MAX_NUMBER and date.isascii() else None
        for url, date in urls.items()
        if url.isascii()
    }


def after(before: Dates, now: Dates, accepted: Collection[str]) -> dict[str, str | None]:
    """Return what engines know after they have accepted some URLs."""
    found = dict(before)
    for url in accepted:
        if url in now:
            found[url] = now[url]
        else:
            found.pop(url, None)
    return found
