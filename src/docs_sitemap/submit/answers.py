"""Explain the responses of search engines, and which engines no longer accept pings. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from docs_sitemap.limits import MAX_WAIT
from docs_sitemap.servers import retry_after
from docs_sitemap.submit.web import Answer

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
