"""A polite HTTP client for one host: few requests at once, at a limited rate, and nothing inside a network.

Uses HTTP/2 if the server has it and the library h2 is installed. Follows no redirects. An address that is not
public is refused after connecting and before anything is sent, unless the URL itself names one: so a name
server cannot lead a request into the network of the machine that checks (DNS rebinding).
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from importlib.util import find_spec
from types import TracebackType
from typing import Any, Final, Self

import httpx

from docs_sitemap import __version__, urls
from docs_sitemap.check.served import Visit, header_excludes
from docs_sitemap.limits import MAX_HEAD, MAX_HELD, MAX_LOC, MAX_SERVED_PAGE, MAX_WAIT
from docs_sitemap.readers.connections import (
    InsideError,
    NoAnswerError,
    answer,
    http_date,
    open_client,
    retry_after,
)
from docs_sitemap.readers.html import head_of
from docs_sitemap.sitemaps import gunzip

AGENT: Final = "docs-sitemap"
"""The name for which robots.txt can have rules."""

_USER_AGENT: Final = f"Mozilla/5.0 (compatible; {AGENT}/{__version__}; checks a site for its owner)"
_TOO_MANY: Final = 429
_UNAVAILABLE: Final = 503
_TRIES: Final = 3
_MOST_FAILURES: Final = 20
"""URLs without an answer, one after the other, after which the server is not asked any more."""

_USUAL: Final = 5.0
"""Seconds that an answer may take; what it takes beyond them counts as waiting for the server."""

_PAUSE: Final = 1.0
"""Seconds before the second try, which doubles for the third."""


@dataclass(frozen=True, slots=True)
class Pace:
    """How fast to ask: requests a second, ``connections`` at once, and seconds for each answer."""

    rate: float = 5.0
    connections: int = 4
    seconds: float = 30.0


class RefusedError(Exception):
    """The server asks to wait for longer than this check does: nothing more is to be asked."""


class Client:
    """Asks one server. Use it as an asynchronous context manager."""

    def __init__(self, base: str, pace: Pace) -> None:
        self._pace = pace
        self._next = 0.0
        self._held = 0.0
        self._held_until = 0.0
        self._failures = 0
        self._is_silent = False
        self._refused = ""
        self._client = open_client(
            base,
            pace.seconds,
            only_public=True,
            connections=pace.connections,
            http2=find_spec("h2") is not None,
        )
        self._client.headers.update({"User-Agent": _USER_AGENT, "Accept-Encoding": "identity"})

    async def __aenter__(self) -> Self:
        await self._client.__aenter__()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._client.__aexit__(kind, error, trace)

    async def read(self, url: str, limit: int) -> Visit:
        """Return the answer with its body, of which one byte more than ``limit`` is read."""
        return await self._ask(url, lambda response: _keep(response, limit))

    async def visit(self, url: str) -> Visit:
        """Return the answer for a page, with what its head says."""
        return await self._ask(url, _look)

    async def _ask(self, url: str, take: Callable[[httpx.Response], Any]) -> Visit:
        """Ask up to three times, and wait as the server says; then the last answer counts.

        Where the URL before had no answer, this one is not tried again: the server is probably gone.

        Raises ``RefusedError`` instead of asking once the server has asked to wait for too long.
        """
        visit = Visit(url)
        now = asyncio.get_running_loop().time
        for number in range(_TRIES):
            await self._turn()
            started = now()
            visit, wait = await self._once(url, take)
            pause = _PAUSE * 2**number if number + 1 < _TRIES else 0.0
            if visit.status in (_TOO_MANY, _UNAVAILABLE):
                self._hold(wait or pause)
            elif not visit.status:
                is_last = wait is None or self._is_silent
                self._hold(0.0, now() - started + (0.0 if is_last else pause))
                if is_last:
                    break
                await asyncio.sleep(pause)  # only this URL waits: the next page may have an answer
            else:
                self._hold(0.0, max(0.0, now() - started - _USUAL))
                break
            if self._refused:
                break
        self._count(visit)
        return visit

    def _count(self, visit: Visit) -> None:
        """Ask no more after many URLs in a row without an answer, sitemaps or pages."""
        self._is_silent = not visit.status
        is_answer = visit.status not in (0, _TOO_MANY, _UNAVAILABLE)
        self._failures = 0 if is_answer else self._failures + 1
        if self._failures >= _MOST_FAILURES:
            self._refused = self._refused or f"{_MOST_FAILURES} URLs in a row have no answer"

    async def _turn(self) -> None:
        """Wait for this request's turn, so that the rate holds for all of them."""
        loop = asyncio.get_running_loop()
        while True:
            turn = self._next = max(self._next, loop.time())
            self._next += 1 / self._pace.rate
            await asyncio.sleep(turn - loop.time())
            if self._refused:
                raise RefusedError(self._refused)
            if turn >= self._held_until:  # otherwise another answer has asked for a pause meanwhile
                return

    def _hold(self, seconds: float, lost: float = 0.0) -> None:
        """Send nothing for some seconds, or nothing at all if they, or those ``lost``, are too many."""
        if seconds > MAX_WAIT:
            self._refused = f"the server asks to wait for {seconds:,.0f} seconds"
            return
        self._held += seconds + lost
        if self._held > MAX_HELD:
            self._refused = f"it has waited for the server for more than {MAX_HELD:,.0f} seconds in all"
        self._held_until = max(self._held_until, asyncio.get_running_loop().time() + seconds)
        self._next = max(self._next, self._held_until)

    async def _once(self, url: str, take: Callable[[httpx.Response], Any]) -> tuple[Visit, float | None]:
        """Return an answer, and the seconds to wait before another try; ``None`` if that is useless."""
        try:
            async with answer(self._client, "GET", url, self._pace.seconds) as response:
                found: Visit = await take(response)
                text = response.headers.get("retry-after")
                return found._replace(url=url), retry_after(text) if text else 0.0
        except InsideError as problem:
            return Visit(url, problem=f"the host has the address {problem}, which is not public"), None
        except TimeoutError as problem:
            return Visit(url, problem=str(problem)), None
        except NoAnswerError as problem:
            return Visit(url, problem=str(problem)), 0.0


def _answer(response: httpx.Response) -> Visit:
    """Return what the headers say."""
    headers = response.headers
    location = headers.get("location", "") if response.is_redirect else ""
    url = str(response.request.url)
    modified = http_date(headers.get("last-modified", ""))
    return Visit(
        url,
        response.status_code,
        target=_target(url, location) if location else "",
        type=headers.get("content-type", "").partition(";")[0].strip().lower()[:100],
        noindex="X-Robots-Tag" if header_excludes(headers.get_list("x-robots-tag")) else "",
        modified=modified.timestamp() if modified else None,
    )


def _target(url: str, location: str) -> str:
    """Return the absolute URL of a redirect, or what is written, unless that may have a password."""
    return urls.absolute(url, location) or ("" if "@" in location else location[: MAX_LOC + 1])


async def _keep(response: httpx.Response, limit: int) -> Visit:
    found = _answer(response)
    if response.status_code != httpx.codes.OK:
        return found
    body = bytearray()
    async for piece in response.aiter_raw():
        body += piece
        if len(body) > limit:
            break
    return found._replace(body=bytes(body[: limit + 1]))


async def _look(response: httpx.Response) -> Visit:
    found = _answer(response)
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
        place = urls.absolute(found.url, head.base) or found.url
        canonical = urls.absolute(place, canonical) or canonical[: MAX_LOC + 1]
    excluded = found.noindex or ("robots" if head.noindex else "")
    return found._replace(noindex=excluded, canonical=canonical, has_refresh=bool(head.refresh))
