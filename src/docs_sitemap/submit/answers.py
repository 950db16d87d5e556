"""Explain the responses of engines, wait until a sitemap is online, and say who takes no pings any more."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final

from docs_sitemap.limits import MAX_WAIT
from docs_sitemap.readers.connections import retry_after
from docs_sitemap.submit.reading import find_parts, is_served
from docs_sitemap.submit.web import Answer, SubmitError, Web

INDEXNOW_ANSWERS: Final[Mapping[int, str]] = {
    200: "accepted",
    202: "accepted, but the engine still has to fetch the key file and check the key. Yandex asks to submit "
    "again until it answers 200",
    400: "the engine rejects the format of the request",
    403: "the key is not valid: its file is missing or does not contain the key. Deploy first, then submit",
    405: "the endpoint takes no POST request: check --endpoint",
    422: "the URLs are not on this host, or the key does not cover them",
    429: "too many requests, which the engine treats as spam. Submit later, and only changed URLs",
}
"""The statuses in IndexNow's documentation (indexnow.org) and in Yandex's (Webmaster, "IndexNow", POST)."""

SEARCH_CONSOLE_ANSWERS: Final[Mapping[int, str]] = {
    400: "the request is rejected: check that the property is written as in Search Console",
    401: "the account in the credentials file is unknown",
    403: "the account in the credentials file has no permission: add it to the property's users in Search "
    "Console, with full permission, and enable the Search Console API in its project",
    404: "no such property or sitemap for this account",
    429: "too many requests: try again later",
}

_GONE: Final[Mapping[str, str]] = {
    "google": "Google shut down its ping at the end of 2023 (announced in June 2023); it answers 404. Use "
    "--search-console SITE with --credentials FILE, and the Sitemap: line in robots.txt.",
    "bing": "Bing shut down its ping in May 2022. Omit --engine: Bing takes part in IndexNow, whose engines "
    "notify each other.",
    "yahoo": "Yahoo closed its service in November 2011, with its Site Explorer; its results come from Bing. "
    "Omit --engine: Bing takes part in IndexNow.",
    "ask": "Ask closed its service: it has had no crawler of its own since November 2010. There is no "
    "replacement.",
    "didikle": "Didikle closed its service at an unknown date. There is no replacement.",
}

ENGINES: Final = ("indexnow", *_GONE)


def gone(engine: str) -> str:
    """Return since when an engine accepts no pings, and what to do instead."""
    return _GONE[engine]


def explain_answer(answer: Answer, known: Mapping[int, str]) -> str:
    """Explain a response by the statuses of a service, without a full stop.

    The response's own text is not shown, because it may repeat the request.
    """
    status = answer.status
    text = known.get(status)
    if text is None and 300 <= status < 400:
        text = "the engine redirects, and the key is not sent there: set the final URL with --endpoint"
    elif text is None and status >= 500:
        text = "the engine has an error. Submit later"
    text = f"{status}, {text or 'an unknown status'}"
    asked = answer.headers.get("retry-after")
    if asked is not None and (wait := retry_after(asked)) > MAX_WAIT:
        text += f". It asks to retry after {wait:,.0f} seconds"
    return text


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
