"""Wait until a new sitemap and the key file are online: engines that come too early find the old site."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Final

from docs_sitemap.submit.failure import SubmitError
from docs_sitemap.submit.reading import find_parts, is_served
from docs_sitemap.submit.web import Web

_PAUSE: Final = 5.0
"""Seconds between two tries, at most; a tenth of a shorter limit."""


def wait_for(checks: dict[str, Callable[[], bool]], seconds: float, say: Callable[[str], None]) -> None:
    """Wait until each check is true, up to some seconds. Raises ``SubmitError`` with those that are not."""
    end = time.monotonic() + seconds
    told = ""
    while missing := " and ".join(name for name, check in checks.items() if not check()):
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
        self._missing = {url: file, **find_parts(file, url.rpartition("/")[0] + "/")}

    def is_online(self, web: Web) -> bool:
        """Tell whether all that was missing until now has the same entries, or names the same parts.

        Once one is missing, the others are not asked for. What was there once is not asked for again.
        """
        for url, file in list(self._missing.items()):
            try:
                if not is_served(file, url, web):
                    return False
            except SubmitError:
                return False
            del self._missing[url]
        return True


def key_is_online(url: str, key: str, web: Web) -> bool:
    """Tell whether a URL has the key."""
    try:
        answer = web.ask("GET", url)
    except SubmitError:
        return False
    return answer.status == 200 and answer.body.strip() == key.encode()
