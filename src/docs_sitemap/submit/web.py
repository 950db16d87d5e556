"""HTTP as a client that no server can hold up, fill up, redirect, or talk out of https.

Each answer has a limit on its bytes and one on its time, from the first byte sent to the last one
read. Redirects are never followed: what we send has a key in it. Only https, and http on the loopback.
"""

from __future__ import annotations

import asyncio
import ipaddress
import ssl
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from functools import cached_property
from typing import Final
from urllib.parse import urlsplit

import httpx

from docs_sitemap import __version__
from docs_sitemap.limits import MAX_ANSWER, MAX_WAIT
from docs_sitemap.submit.failure import SubmitError

_TOO_MANY: Final = 429


@dataclass(frozen=True, slots=True)
class Answer:
    """What a server said. ``is_whole`` is false where it would have said more than it may."""

    status: int
    headers: Mapping[str, str] = field(default_factory=dict)
    body: bytes = b""
    is_whole: bool = True


@dataclass(frozen=True)
class Web:
    """How many ``seconds`` an answer may take, how many ``retries`` there are, and the first ``pause``.

    ``say`` is told why there is a further try.
    """

    seconds: float = 30.0
    retries: int = 3
    pause: float = 1.0
    say: Callable[[str], None] = lambda text: None

    def ask(
        self,
        method: str,
        url: str,
        *,
        headers: Mapping[str, str] | None = None,
        body: bytes = b"",
        limit: int = MAX_ANSWER,
    ) -> Answer:
        """Return the answer, after further tries for 429, for 5xx and where there is none.

        Between them it waits as ``Retry-After`` says (RFC 9110, 10.2.3), or twice as long each time; where
        that would be more than ``MAX_WAIT``, it does not try again. Raises ``SubmitError`` where there is
        no answer, and for a URL that ``check_url`` refuses.
        """
        check_url(url)
        server = urlsplit(url).netloc
        for number in range(self.retries + 1):
            wait = min(self.pause * 2**number, MAX_WAIT)
            try:
                answer = asyncio.run(self._ask(method, url, headers or {}, body, limit))
            except SubmitError as problem:
                if number == self.retries:
                    raise
                reason = str(problem)
            else:
                wait = retry_after(answer) if "retry-after" in answer.headers else wait
                passing = answer.status == _TOO_MANY or answer.status >= 500
                if not passing or number == self.retries or wait > MAX_WAIT:
                    return answer
                reason = f"{server} answers {answer.status}"
            self.say(f"{reason}; trying again in {wait:.0f} s.")
            time.sleep(wait)
        raise AssertionError  # pragma: no cover: the last try returns or raises

    async def _ask(
        self, method: str, url: str, headers: Mapping[str, str], body: bytes, limit: int
    ) -> Answer:
        server = urlsplit(url).netloc
        try:
            async with asyncio.timeout(self.seconds), self._client(url) as client:
                sent = {"User-Agent": f"docs-sitemap/{__version__}", "Accept-Encoding": "identity", **headers}
                async with client.stream(method, url, headers=sent, content=body) as response:
                    return await _read(response, limit)
        except (TimeoutError, httpx.TimeoutException):
            problem = f"{server}: no whole answer within {self.seconds:g} seconds"
        except httpx.ConnectError as error:  # nothing was sent yet: the text is the system's own
            problem = f"{server}: no connection ({ascii(str(error))[1:-1][:200]})"
        except (httpx.HTTPError, httpx.InvalidURL, OSError, ValueError):
            problem = f"{server}: the connection broke, or what came back is no HTTP"
        # outside of the handlers: what the causes say of a request may have a key in it
        raise SubmitError(problem)

    def _client(self, url: str) -> httpx.AsyncClient:
        is_local = is_loopback(url)  # a proxy is for what lies outside
        verify = False if urlsplit(url).scheme == "http" else self._context
        return httpx.AsyncClient(
            verify=verify, follow_redirects=False, timeout=self.seconds, trust_env=not is_local
        )

    @cached_property
    def _context(self) -> ssl.SSLContext:
        return httpx.create_ssl_context()


async def _read(response: httpx.Response, limit: int) -> Answer:
    body = bytearray()
    async for piece in response.aiter_raw():
        body += piece
        if len(body) > limit:
            break
    is_whole = len(body) <= limit
    return Answer(response.status_code, dict(response.headers), bytes(body[:limit]), is_whole)


def check_url(url: str) -> None:
    """Raise ``SubmitError`` for what is not https, nor http on the loopback, or has a password in it."""
    try:
        parts = urlsplit(url)
        is_web = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        raise SubmitError("expected an https URL, got something that is no URL.") from None
    if not is_web or parts.username is not None or parts.password is not None or not url.isprintable():
        raise SubmitError("expected an https URL without user name and password.")
    if parts.scheme == "http" and not is_loopback(url):
        raise SubmitError(f"expected an https URL, got one with http: {parts.netloc} is not this machine.")


def is_loopback(url: str) -> bool:
    """Tell whether a URL leads to this machine by itself, and not by what a name server says."""
    host = urlsplit(url).hostname or ""
    try:
        return host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def retry_after(answer: Answer) -> float:
    """Return the seconds that ``Retry-After`` asks for, as a number or a date; 1 where it is neither."""
    text = answer.headers.get("retry-after", "").strip()
    if text.isascii() and text.isdigit():
        return float(text[:9])
    try:
        moment = parsedate_to_datetime(text)
    except (ValueError, OverflowError):  # OverflowError for years and zones of many digits
        return 1.0
    moment = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    return max((moment - datetime.now(UTC)).total_seconds(), 0.0)
