"""An HTTP client that limits servers: no endless or huge responses, no redirects, no plain http.

Each response is limited in bytes and in time, from the first byte sent to the last byte read. Redirects
are never followed, because requests contain a key. Only https is allowed, and http on the loopback.
"""

from __future__ import annotations

import asyncio
import math
import re
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Final, NamedTuple
from urllib.parse import urlsplit

from docs_sitemap import __version__
from docs_sitemap.errors import DocsSitemapError
from docs_sitemap.limits import MAX_ANSWER, MAX_WAIT
from docs_sitemap.readers.connections import (
    Client,
    InsideError,
    NoAnswerError,
    answer,
    is_inside,
    is_loopback,
    open_client,
    retry_after,
)
from docs_sitemap.readers.data import read_json
from docs_sitemap.text import shorten

_TOLD: Final = ("errorCode", "code", "error", "message", "error_description")
"""Where IndexNow's engines, Google and OAuth 2.0 (RFC 6749, 5.2) say in JSON what is wrong."""

Statuses = Mapping[int | str, tuple[str, str]]
"""Meaning and fix, or ``""``, of statuses, and of words that a service says."""

_CLASSES: Final[Statuses] = {
    3: ("the engine redirects, and the key is not sent there", "set the final URL with --endpoint"),
    5: ("the engine has an error", "submit later"),
}
"""Meaning and fix of statuses by their first digit."""


class SubmitError(DocsSitemapError):
    """A sitemap cannot be read, or an engine cannot be reached or understood. Contains no secrets."""


class MissingError(SubmitError):
    """The server says that there is no such sitemap."""


class Answer(NamedTuple):
    """A server's response. ``is_whole`` is false if it was cut off at the size limit."""

    status: int
    headers: Mapping[str, str] = {}
    body: bytes = b""
    is_whole: bool = True


@dataclass(frozen=True)
class Web:
    """The client: ``seconds`` per request, the number of ``retries``, and the first ``pause``.

    ``say`` is called with the reason for each retry. With ``only_public``, an address that is not public is
    refused before anything is sent: for URLs that a site's files name and not the user. After ``until``, a
    time of ``time.monotonic``, nothing more is asked.
    """

    seconds: float = 30.0
    retries: int = 3
    pause: float = 1.0
    say: Callable[[str], None] = lambda text: None
    only_public: bool = False
    until: float = math.inf

    def ask(
        self,
        method: str,
        url: str,
        *,
        headers: Mapping[str, str] = {},
        body: bytes = b"",
        limit: int = MAX_ANSWER,
    ) -> Answer:
        """Return the response, with retries for 429, for 5xx and if there is no response.

        Waits as ``Retry-After`` says (RFC 9110, 10.2.3), or twice as long each time; does not retry if
        ``Retry-After`` is more than ``MAX_WAIT``. Raises ``SubmitError`` if there is no response, and for a
        URL that ``check_url`` refuses.
        """
        check_url(url)
        server = urlsplit(url).netloc
        if self.only_public and is_inside(urlsplit(url).hostname or ""):
            raise _not_public(server)
        own = {"User-Agent": f"docs-sitemap/{__version__}", "Accept-Encoding": "identity"}
        sent = {"headers": {**own, **headers}, "content": body}
        for number in range(self.retries + 1):
            seconds = min(self.seconds, self.until - time.monotonic())
            if seconds <= 0:
                raise SubmitError(f"{url}: it is not asked for yet.")
            wait = min(self.pause * 2**number, MAX_WAIT)
            # before the loop: reading certificates would hold it up
            client = open_client(url, seconds, only_public=self.only_public)
            try:
                found = asyncio.run(_ask(client, method, url, sent, seconds=seconds, limit=limit))
            except SubmitError as problem:
                if number == self.retries:
                    raise
                reason = str(problem)
            else:
                asked = found.headers.get("retry-after")
                wait = wait if asked is None else retry_after(asked)
                is_temporary = found.status == 429 or found.status >= 500
                if not is_temporary or number == self.retries or wait > MAX_WAIT:
                    return found
                reason = f"{server} answered {found.status}"
            self.say(f"{reason}; retrying in {wait:.0f} s.")
            time.sleep(wait)
        raise AssertionError  # pragma: no cover: the last try returns or raises


async def _ask(
    client: Client, method: str, url: str, sent: Mapping[str, Any], *, seconds: float, limit: int
) -> Answer:
    server = urlsplit(url).netloc
    body = bytearray()
    try:
        async with client, answer(client, method, url, seconds, **sent) as response:
            async for piece in response.aiter_raw():
                body += piece
                if len(body) > limit:
                    break
            headers = dict(response.headers)
            return Answer(response.status_code, headers, bytes(body[:limit]), len(body) <= limit)
    except InsideError:
        problem = _not_public(server)
    except (TimeoutError, NoAnswerError) as error:
        problem = SubmitError(f"{server}: {error}")
    # outside the handlers: the text of the cause may contain a key from the request
    raise problem


def _not_public(server: str) -> SubmitError:
    return SubmitError(
        f"{server}: is not public, and only a file of the site names it: nothing is sent. If it is right, "
        "name it with --base-url."
    )


def check_url(url: str) -> None:
    """Raise ``SubmitError`` unless a URL is https, or http on the loopback, without a password."""
    try:
        parts = urlsplit(url)
        is_web = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        raise SubmitError("expected an https URL, got an invalid URL.") from None
    if not is_web or parts.username is not None or parts.password is not None or not url.isprintable():
        raise SubmitError("expected an https URL without user name and password.")
    if parts.scheme == "http" and not is_loopback(url):
        raise SubmitError(f"expected an https URL, got an http URL: {parts.netloc} is not this machine.")


def explain_status(found: Answer, statuses: Statuses, secrets: Mapping[str, str]) -> list[str]:
    """Explain a response in sentences: its status, what the service says, and the fix.

    ``secrets`` are texts that the service may repeat, with what is shown instead.
    """
    said = _said(found, secrets)
    keys = (*re.findall(r"\w+", said), found.status, found.status // 100)
    known = {**_CLASSES, **statuses}
    meaning, fix = next((known[key] for key in keys if key in known), ("an unknown status", ""))
    parts = [f"{found.status}, {meaning}"]
    if said and found.status >= 300:
        parts.append(f"The engine says: {said}")
    asked = found.headers.get("retry-after")
    if asked is not None and (wait := retry_after(asked)) > MAX_WAIT:
        parts.append(f"The engine asks to retry after {wait:,.0f} seconds")
    parts += [f"Fix: {fix}"] if fix else []
    return [f"{part.removesuffix('.')}." for part in parts]


def _said(found: Answer, secrets: Mapping[str, str]) -> str:
    """Return what a service says in JSON or plain text, shortened and escaped; ``""`` if it is HTML."""
    text = found.body.decode("utf-8", "replace")
    with suppress(ValueError):
        told = read_json(text)
        told = told.get("error") if isinstance(told, dict) and isinstance(told.get("error"), dict) else told
        if isinstance(told, dict):
            text = ": ".join(value for name in _TOLD if isinstance(value := told.get(name), str))
    for secret, name in secrets.items():
        text = re.sub(re.escape(secret), name, text, flags=re.IGNORECASE)
    return "" if text.lstrip().startswith("<") else shorten(" ".join(text.split()), 300)
