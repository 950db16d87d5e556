"""A polite HTTP client for one host: few requests at once, at a limited rate, and nothing inside a network.

Uses HTTP/2 if the server has it and the library h2 is installed. Follows no redirects. An address that is not
public is refused after connecting and before anything is sent, unless the URL itself names one: so a name
server cannot lead a request into the network of the machine that checks (DNS rebinding).
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Any, Final

import httpx

from docs_sitemap import __version__, urls
from docs_sitemap.check.served import Visit
from docs_sitemap.limits import MAX_HEAD, MAX_HELD, MAX_LOC, MAX_SERVED_PAGE, MAX_WAIT
from docs_sitemap.readers.connections import (
    InsideError,
    NoAnswerError,
    answer,
    http_date,
    open_client,
    retry_after,
)
from docs_sitemap.readers.html import has_noindex, head_of
from docs_sitemap.sitemaps import gunzip

AGENTS: Final = {
    "": f"Mozilla/5.0 (compatible; docs-sitemap/{__version__}; checks a site for its owner)",
    "googlebot": "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)",
    "bingbot": "Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)",
}
"""User-Agents by name; ``""`` is ours. Of each engine's, the one without the version of a browser.

Google, "List of Google's common crawlers"; Bing, "Overview of Bing crawlers"; read in November 2026.
"""

_FIREWALLS: Final = ("cf-mitigated", "x-amzn-waf-action", "x-vercel-mitigated")
"""Headers of firewalls: Cloudflare, "Detect a Challenge Page response"; AWS WAF, "CaptchaAction"; Vercel."""

_BUSY: Final = (429, 503)
_MAX_FAILURES: Final = 20
"""URLs without an answer, one after the other, after which the server is not asked any more."""

_USUAL_SECONDS: Final = 5.0
"""What an answer takes beyond them counts as waiting for the server."""

_PAUSES: Final = (1.0, 2.0, 0.0)
"""Seconds after the first, second and third try, if the server does not say how long to wait."""


@dataclass(frozen=True, slots=True)
class Pace:
    """How fast to ask: requests a second, ``connections`` at once, and seconds for each answer."""

    rate: float = 5.0
    connections: int = 4
    seconds: float = 30.0


class RefusedError(Exception):
    """The server asks to wait for longer than this check does: nothing more is to be asked."""


class Client:
    """Asks one server; ``http`` is to be closed in the end, and ``agent`` is the User-Agent.

    ``headers`` are sent with its own scheme, host and port only.
    """

    def __init__(self, base: str, pace: Pace, agent: str, headers: Mapping[str, str]) -> None:
        self.agent: str = AGENTS.get(agent.lower(), agent)
        self._pace = pace
        self._next_turn = 0.0
        self._held_until = 0.0
        self._held_seconds = 0.0
        self._failures = 0
        self._refused = ""
        self.http = open_client(
            base,
            pace.seconds,
            only_public=True,
            connections=pace.connections,
            http2=find_spec("h2") is not None,
        )
        self.http.headers.update({"User-Agent": self.agent, "Accept-Encoding": "identity"})
        own = httpx.URL(base)

        def add_headers(request: httpx.Request) -> httpx.Request:
            if (request.url.scheme, request.url.netloc) == (own.scheme, own.netloc):
                request.headers.update(headers)
            return request

        self.http.auth = add_headers

    async def read(self, url: str, limit: int) -> Visit:
        """Return the answer with its body, of which one byte more than ``limit`` is read."""
        return await self._ask(url, lambda response: _read_body(response, limit))

    async def visit(self, url: str) -> Visit:
        """Return the answer for a page, with what its head says."""
        return await self._ask(url, _read_page)

    async def _ask(self, url: str, take: Callable[[httpx.Response], Any]) -> Visit:
        """Ask up to three times, and wait as the server says; then the last answer counts.

        Where the URL before had no answer, this one is not tried again: the server is probably gone.

        Raises ``RefusedError`` instead of asking once the server has asked to wait for too long.
        """
        visit = Visit(url)
        now = asyncio.get_running_loop().time
        for pause in _PAUSES:
            await self._turn()
            started = now()
            visit, wait = await self._once(url, take)
            self._count_held(now() - started - _USUAL_SECONDS)
            if visit.status in _BUSY:
                self._hold(wait or pause)
            elif visit.status or wait is None or self._failures:
                break
            else:
                await asyncio.sleep(pause)  # only this URL waits: the next page may have an answer
            if self._refused:
                break
        is_answer = visit.status not in (0, *_BUSY)
        self._failures = 0 if is_answer else self._failures + 1
        if self._failures >= _MAX_FAILURES:
            self._refused = self._refused or f"{_MAX_FAILURES} URLs in a row have no answer"
        return visit

    async def _turn(self) -> None:
        """Wait for this request's turn, so that the rate holds for all of them."""
        now = asyncio.get_running_loop().time
        while True:
            turn = max(self._next_turn, self._held_until, now())
            self._next_turn = turn + 1 / self._pace.rate
            await asyncio.sleep(turn - now())
            if self._refused:
                raise RefusedError(self._refused)
            if turn >= self._held_until:  # otherwise another answer has asked for a pause meanwhile
                return

    def _hold(self, seconds: float) -> None:
        """Send nothing for some seconds, or nothing at all any more if they are too many."""
        if seconds > MAX_WAIT:
            self._refused = f"the server asks to wait for {seconds:,.0f} seconds"
            return
        self._held_until = max(self._held_until, asyncio.get_running_loop().time() + seconds)
        self._count_held(seconds)

    def _count_held(self, seconds: float) -> None:
        self._held_seconds += max(0.0, seconds)
        if self._held_seconds > MAX_HELD:
            self._refused = f"it has waited for the server for more than {MAX_HELD:,.0f} seconds in total"

    async def _once(self, url: str, take: Callable[[httpx.Response], Any]) -> tuple[Visit, float | None]:
        """Return an answer, and the seconds to wait before another try; ``None`` if that is useless."""
        try:
            async with answer(self.http, "GET", url, self._pace.seconds) as response:
                found: Visit = await take(response)
                text = response.headers.get("retry-after")
                return found._replace(url=url), retry_after(text) if text else 0.0
        except InsideError as problem:
            return Visit(url, problem=f"the host has the address {problem}, which is not public"), None
        except TimeoutError as problem:
            return Visit(url, problem=str(problem)), None
        except NoAnswerError as problem:
            return Visit(url, problem=str(problem)), 0.0


def _headers(response: httpx.Response) -> Visit:
    """Return what the headers say."""
    headers = response.headers
    url = str(response.request.url)
    location = headers.get("location", "") if response.is_redirect else ""
    target = urls.absolute(url, location) if location else ""
    if target is None:  # as it is written, unless that may have a password
        target = "" if "@" in location else location[: MAX_LOC + 1]
    modified = http_date(headers.get("last-modified", ""))
    return Visit(
        url,
        response.status_code,
        target=target,
        type=headers.get("content-type", "").partition(";")[0].strip().lower()[:100],
        noindex="X-Robots-Tag" if header_excludes(headers.get_list("x-robots-tag")) else "",
        modified=modified.timestamp() if modified else None,
        firewall=next((f"{name}: {headers[name]}" for name in _FIREWALLS if name in headers), ""),
    )


_ENGINES: Final = ("googlebot", "bingbot")
_FOR_AGENT: Final = re.compile(r"\s*([\w.-]+)\s*:(.*)", re.DOTALL)
_WITH_VALUE: Final = ("unavailable_after", "max-snippet", "max-image-preview", "max-video-preview")
"""The rules of ``X-Robots-Tag`` that have a colon (Google, "Robots meta tag")."""


def header_excludes(values: list[str]) -> bool:
    """Tell whether one of the ``X-Robots-Tag`` headers excludes a page from Google or Bing.

    >>> header_excludes(["noarchive, noindex"]), header_excludes(["otherbot: noindex"])
    (True, False)
    """
    for value in values:
        match = _FOR_AGENT.match(value)
        agent = match[1].lower() if match else ""
        if match and agent not in _WITH_VALUE:
            if agent in _ENGINES and has_noindex(match[2]):
                return True
        elif has_noindex(value):
            return True
    return False


async def _read_body(response: httpx.Response, limit: int) -> Visit:
    found = _headers(response)
    if response.status_code != httpx.codes.OK:
        return found
    body = bytearray()
    async for piece in response.aiter_raw():
        body += piece
        if len(body) > limit:
            break
    return found._replace(body=bytes(body[: limit + 1]))


async def _read_page(response: httpx.Response) -> Visit:
    found = _headers(response)
    if response.status_code != httpx.codes.OK or (found.type and "html" not in found.type):
        return found
    start = bytearray()
    size = 0
    async for piece in response.aiter_raw():  # to the end, so that the connection can be used again
        start += piece[: MAX_HEAD - len(start)]
        size += len(piece)
        if size > MAX_SERVED_PAGE:
            return found._replace(problem=f"the answer has more than {MAX_SERVED_PAGE:,} bytes")
    data = bytes(start)
    if response.headers.get("content-encoding", "").strip().lower() == "gzip":  # not asked for
        data = (gunzip(data, MAX_HEAD) or b"")[:MAX_HEAD]
    head = head_of(data)
    canonical = head.canonical
    if canonical is not None:
        base = urls.absolute(found.url, head.base) or found.url
        canonical = urls.absolute(base, canonical) or canonical[: MAX_LOC + 1]
    excluded = found.noindex or ("robots" if head.noindex else "")
    return found._replace(noindex=excluded, canonical=canonical, has_refresh=bool(head.refresh))
