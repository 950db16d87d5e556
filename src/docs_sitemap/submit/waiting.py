"""Wait until a deployed sitemap and the key file are online."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final

from docs_sitemap.sitemaps import read_entries
from docs_sitemap.submit.reading import fetch, is_xml, locate_parts, parse, read_content
from docs_sitemap.submit.web import SubmitError, Web

_PAUSE: Final = 5.0
"""Seconds between two tries, at most; a tenth of a shorter limit."""


Check = Callable[[], str]
"""Returns why something is not online, or an empty string."""


def wait_for(checks: Mapping[str, Check], seconds: float, say: Callable[[str], None]) -> None:
    """Wait until each check is passed, up to some seconds. Raises ``SubmitError`` with those that are not."""
    end = time.monotonic() + seconds
    told = ""
    while missing := " and ".join(f"{name} ({why})" for name, check in checks.items() if (why := check())):
        left = end - time.monotonic()
        if left <= 0:
            raise SubmitError(f"not online after {seconds:g} seconds: {missing}. Nothing is submitted.")
        if missing != told:
            say(f"Waiting for {missing}.")
            told = missing
        time.sleep(min(_PAUSE, seconds / 10, left))


class NewSitemap:
    """A built sitemap with its parts, which is to be served at ``url``."""

    def __init__(self, file: Path, url: str) -> None:
        _, parts = parse(read_content(file), str(file))
        files = locate_parts(parts, file, url.rpartition("/")[0] + "/") if parts else {}
        self._url = url
        self._missing = {url: file, **files}

    def why_not_online(self, web: Web) -> str:
        """Return why not all that was missing until now has the same entries, or names the same parts.

        Once one is missing, the others are not asked for. What was there once is not asked for again.
        """
        for url, file in list(self._missing.items()):
            try:
                if not _is_served(file, url, web):
                    where = "" if url == self._url else f"{url}: "
                    return f"{where}it still has other URLs or dates"
            except SubmitError as problem:
                return str(problem).rstrip(".").removeprefix(f"{self._url}: ")
            del self._missing[url]
        return ""


def _is_served(file: Path, url: str, web: Web) -> bool:
    here, there = read_content(file), fetch(url, web)
    return here == there or _entries(here, str(file)) == _entries(there, url)


def _entries(data: bytes, name: str) -> set[tuple[str, str | None]]:
    """Return the URLs of a sitemap or an index, with their dates."""
    if is_xml(data):
        return {(entry.loc, entry.lastmod) for entry in read_entries(data, name).entries}
    return set(parse(data, name)[0].items())


def why_not_key(url: str, key: str, web: Web) -> str:
    """Return why a URL does not have the key, without the key."""
    try:
        answer = web.ask("GET", url)
    except SubmitError as problem:
        return str(problem).replace(key, "KEY").rstrip(".")
    if answer.status != 200:
        return f"the server answers {answer.status}"
    return "" if answer.body.strip() == key.encode() else "it has something else"
