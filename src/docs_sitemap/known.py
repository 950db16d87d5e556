"""What search engines know of a site: a file of URLs with their dates, for the next submission. Pure."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from typing import Any, Final

from docs_sitemap.changes import Dates
from docs_sitemap.untrusted import read_json

_MARK: Final = "docs-sitemap"
_VERSION: Final = 1


def render(urls: Dates) -> bytes:
    """Return the content of the file: JSON with each URL and its ``lastmod`` or ``null``, sorted by URL."""
    found = {_MARK: _VERSION, "urls": dict(sorted(urls.items()))}
    return json.dumps(found, indent=1, ensure_ascii=True).encode("ascii") + b"\n"


def is_json(data: bytes) -> bool:
    """Tell whether a file may be one: no sitemap starts so."""
    return data.lstrip()[:1] in (b"{", b"[")


def parse(data: bytes) -> dict[str, str | None]:
    """Return the URLs of such a file, not checked, with their dates. Raises ``ValueError`` if it is none."""
    try:
        found: Any = read_json(data)
    except ValueError:
        found = None
    urls = found.get("urls") if isinstance(found, Mapping) and found.get(_MARK) == _VERSION else None
    if not isinstance(urls, dict):
        raise ValueError("is not a file that submit --remember or --log has written")
    return {url: date if isinstance(date, str) else None for url, date in urls.items()}


def after(before: Dates, now: Dates, accepted: Collection[str]) -> dict[str, str | None]:
    """Return what engines know after they have accepted some URLs."""
    found = dict(before)
    for url in accepted:
        if url in now:
            found[url] = now[url]
        else:
            found.pop(url, None)
    return found
