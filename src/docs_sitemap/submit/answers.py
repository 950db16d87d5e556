"""What the answers of search engines mean, and what became of those that no longer answer. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from docs_sitemap.limits import MAX_WAIT
from docs_sitemap.submit.web import Answer, retry_after

_INDEXNOW: Final[Mapping[int, str]] = {
    200: "accepted",
    202: "accepted, and the key is still to be checked: the engine will fetch its file",
    400: "the request has a form that the engine does not take",
    403: "the key is not valid: its file is not at its address, or does not have the key in it. Deploy "
    "first, then submit",
    422: "the addresses are not of this host, or the key is not for them",
    429: "too many requests: the engine takes them for spam. Submit later, and only what has changed",
}
"""The table of statuses in IndexNow's documentation (indexnow.org, documentation)."""

_SEARCH_CONSOLE: Final[Mapping[int, str]] = {
    400: "the request is not taken: is the property written as Search Console shows it?",
    401: "the account of the credentials file is not known",
    403: "the account of the credentials file may not do that: add it to the property's users in Search "
    "Console, with full permission, and enable the Search Console API in its project",
    404: "there is no such property or sitemap for this account",
    429: "too many requests: try later",
}

_GONE: Final[Mapping[str, str]] = {
    "google": "Google's ping is gone since the end of 2023 and answers 404 (announced in June 2023). Use "
    "--search-console SITE with --credentials FILE, and the Sitemap: line in robots.txt.",
    "bing": "Bing's ping is gone since May 2022. Leave out --engine: Bing takes part in IndexNow, each of "
    "whose engines tells the others.",
    "yahoo": "Yahoo's service is closed since November 2011, with its Site Explorer; its results are Bing's. "
    "Leave out --engine: Bing takes part in IndexNow.",
    "ask": "Ask's service is closed: it has had no crawler of its own since November 2010. There is nothing "
    "to do instead.",
    "didikle": "Didikle's service is closed, and nobody noted since when. There is nothing to do instead.",
}

ENGINES: Final = ("indexnow", *_GONE)


def gone(engine: str) -> str:
    """Return since when an engine takes no pings, and what to do instead."""
    return _GONE[engine]


def explain_indexnow(answer: Answer) -> str:
    """Return a sentence for an answer of IndexNow, without its end."""
    return _explained(answer, _INDEXNOW)


def explain_search_console(answer: Answer) -> str:
    """Return a sentence for an answer of Search Console, without its end."""
    return _explained(answer, _SEARCH_CONSOLE)


def _explained(answer: Answer, known: Mapping[int, str]) -> str:
    """Say what a status means; the answer's own text is not shown, as it may repeat what was sent."""
    status = answer.status
    text = known.get(status)
    if text is None and 300 <= status < 400:
        text = (
            "the engine leads elsewhere, and a key is not taken there: name its own address with --endpoint"
        )
    elif text is None and status >= 500:
        text = "the engine has a fault, also after further tries. Submit later"
    text = f"{status}, {text or 'which means nothing that is known here'}"
    if "retry-after" in answer.headers and (wait := retry_after(answer)) > MAX_WAIT:
        text += f". It asks to come back in {wait:,.0f} seconds"
    return text
