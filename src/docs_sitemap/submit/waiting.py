"""Wait until a new sitemap and the key file are online: engines that come too early find the old site."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final

from docs_sitemap.submit.failure import SubmitError
from docs_sitemap.submit.reading import find_parts, is_served
from docs_sitemap.submit.web import Web

_LEAST: Final = 1.0
"""Seconds for an answer, also when less is left."""

_PAUSE: Final = 5.0
"""Seconds between two tries, at most; a tenth of a shorter limit."""


Check = Callable[[float], str]
"""Returns why something is not online, or an empty string; takes the seconds that it may take."""


def wait_for(checks: Mapping[str, Check], seconds: float, say: Callable[[str], None]) -> None:
    """Wait until each check is passed, up to some seconds. Raises ``SubmitError`` with those that are not."""
    end = time.monotonic() + seconds
    told = ""
    while missing := _missing(checks, end):
        left = end - time.monotonic()
        if left <= 0:
            raise SubmitError(f"not online after {seconds:g} seconds: {missing}. Nothing is submitted.")
        if missing != told:
            say(f"Waiting for {missing}.")
            told = missing
        time.sleep(min(_PAUSE, seconds / 10, left))


def _missing(checks: Mapping[str, Check], end: float) -> str:
    found = {name: check(max(end - time.monotonic(), _LEAST)) for name, check in checks.items()}
    return " and ".join(f"{name} ({why})" for name, why in found.items() if why)


class NewSitemap:
    """A built sitemap with its parts, which is to be served at ``url``."""

    def __init__(self, file: Path, url: str) -> None:
        self._url = url
        self._missing = {url: file, **find_parts(file, url.rpartition("/")[0] + "/")}

    def why_not_online(self, within: Callable[[float], Web], seconds: float) -> str:
        """Return why not all that was missing until now has the same entries, or names the same parts.

        Once one is missing, or the seconds are over, the others are not asked for. What was there once is not
        asked for again. ``within`` returns a client whose answers take so many seconds at most.
        """
        end = time.monotonic() + seconds
        for url, file in list(self._missing.items()):
            where = "" if url == self._url else f"{url}: "
            left = end - time.monotonic()
            if left <= 0:
                return f"{where}it is not asked for yet"
            try:
                if not is_served(file, url, within(max(left, _LEAST))):
                    return f"{where}it still has other URLs or dates"
            except SubmitError as problem:
                return str(problem).rstrip(".").removeprefix(f"{self._url}: ")
            del self._missing[url]
        return ""


def why_not_key(url: str, key: str, web: Web) -> str:
    """Return why a URL does not have the key, without the key."""
    try:
        answer = web.ask("GET", url)
    except SubmitError as problem:
        return str(problem).replace(key, "KEY").rstrip(".")
    if answer.status != 200:
        return f"the server answers {answer.status}"
    return "" if answer.body.strip() == key.encode() else "it has something else"
