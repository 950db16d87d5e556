"""How to connect to servers: the one client for HTTP, and no way into the machine's own network."""

from __future__ import annotations

import asyncio
import ipaddress
import os
import re
import ssl
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager, suppress
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from http.cookiejar import CookieJar
from typing import Any, Final
from urllib.parse import urlsplit
from urllib.request import getproxies, proxy_bypass

import httpx

from docs_sitemap.errors import DocsSitemapError
from docs_sitemap.text import show_value


def is_loopback(url: str) -> bool:
    """Tell whether a URL leads to this machine, without asking a name server."""
    host = urlsplit(url).hostname or ""
    try:
        return host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


_LOCAL_NAT64: Final = ipaddress.IPv6Network("64:ff9b:1::/48")
"""What a network translates to addresses of its own (RFC 8215); Python knows it from 3.13 on."""


def is_inside(host: str) -> bool:
    """Tell whether a host, without brackets, is an address that is not public, or ``localhost``.

    Other names are not looked up. An IPv4 address within an IPv6 address counts, as systems connect to it.

    >>> [is_inside(host) for host in ("10.0.0.1", "::ffff:127.0.0.1", "169.254.169.254", "8.8.8.8")]
    [True, True, True, False]
    """
    if host.rstrip(".").lower() == "localhost" or host.lower().endswith(".localhost"):
        return True
    try:
        address = ipaddress.ip_address(host.partition("%")[0])
    except ValueError:
        return False
    if isinstance(address, ipaddress.IPv6Address):
        if address.is_site_local or address in _LOCAL_NAT64:
            return True
        if int(address) >> 32 == 0x64FF9B << 64:  # what a translator connects to (RFC 6052, 64:ff9b::/96)
            address = ipaddress.IPv4Address(int(address) & 0xFFFFFFFF)
        else:
            address = address.ipv4_mapped or address.sixtofour or address
    return not address.is_global or address.is_multicast


def retry_after(text: str) -> float:
    """Return the seconds in ``Retry-After`` (RFC 9110, 10.2.3), a number or a date; 1 if it is neither."""
    text = text.strip()
    if text.isascii() and text.isdigit():
        return float(text[:9])
    moment = http_date(text)
    return 1.0 if moment is None else max((moment - datetime.now(UTC)).total_seconds(), 0.0)


def http_date(text: str) -> datetime | None:
    """Return a date as servers write it (RFC 9110, 5.6.7), or ``None``."""
    try:
        moment = parsedate_to_datetime(text)
    except (ValueError, OverflowError):  # OverflowError for years and zones of many digits
        return None
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


_VARIABLES: Final = ("SSL_CERT_FILE", "SSL_CERT_DIR", "SSLKEYLOGFILE")


class VariableError(DocsSitemapError):
    """A variable of the environment names certificates or a proxy that cannot be used."""


class InsideError(Exception):
    """The host has an address that is not public; ``str()`` is that address."""


class NoAnswerError(Exception):
    """There is no whole answer; ``str()`` says why, without anything that was sent."""


_BROKEN: Final = (httpx.HTTPError, httpx.InvalidURL, OSError, ValueError)
_OF_HTTP2: Final = ("h2", "hpack", "hyperframe")
"""Libraries whose errors httpcore raises as they are."""


class Client(httpx.AsyncClient):
    """A client that says, for messages, through which proxy it connects with a scheme."""

    proxies: Mapping[str, str] = {}


def open_client(
    url: str, seconds: float, *, only_public: bool, connections: int = 1, http2: bool = False
) -> Client:
    """Return a client for the server of a URL, which keeps no cookies and follows no redirects.

    ``seconds`` is for each step of a request. A proxy that the environment or the system names is used, but
    not for an address that is not public. With ``only_public``, a request raises ``InsideError`` before
    anything is sent if the server has such an address, unless the URL itself names one; a proxy is trusted.
    Raises ``VariableError``, if the URL's host has a proxy for http or https that cannot be used, and for
    variables that name certificates that cannot be read.
    """
    names_inside = is_inside(urlsplit(url).hostname or "")
    options: dict[str, Any] = {
        "verify": _certificates(),
        "http2": http2,
        "limits": httpx.Limits(max_connections=connections, max_keepalive_connections=connections),
    }
    proxies = {} if names_inside else _proxies_for(url)
    transport = _Public if only_public and not names_inside else httpx.AsyncHTTPTransport
    client = Client(
        transport=transport(**options),
        mounts={
            f"{scheme}://": httpx.AsyncHTTPTransport(proxy=proxy, **options)
            for scheme, (_, proxy) in proxies.items()
        },
        timeout=seconds,
        follow_redirects=False,
        trust_env=False,
        cookies=_NoCookies(),
    )
    client.proxies = {scheme: name for scheme, (name, _) in proxies.items()}
    return client


@asynccontextmanager
async def answer(
    client: Client, method: str, url: str, seconds: float, **sent: Any
) -> AsyncIterator[httpx.Response]:
    """Send a request, whose whole answer may take these seconds.

    Raises ``InsideError``, ``TimeoutError`` with a text, and ``NoAnswerError`` where the answer breaks, in
    its headers or its body, or is none.
    """
    proxy = client.proxies.get(urlsplit(url).scheme, "")
    through = f" through {proxy}" if proxy else ""
    try:
        async with asyncio.timeout(seconds), client.stream(method, url, **sent) as response:
            yield response
    except (TimeoutError, httpx.TimeoutException):
        raise TimeoutError(f"no complete answer within {seconds:g} seconds") from None
    except httpx.ProxyError as error:  # its text is the status, and then the proxy's own words
        raise NoAnswerError(f"no connection: {proxy} answers {str(error)[:3]}") from None
    except httpx.ConnectError as error:  # nothing was sent yet, so the text is the system's and has no secret
        text = ascii(str(error))[1:-1][:200]
        raise NoAnswerError(f"no connection{through}{f' ({text})' if text else ''}") from None
    except Exception as error:
        if not isinstance(error, _BROKEN) and type(error).__module__.partition(".")[0] not in _OF_HTTP2:
            raise
        raise NoAnswerError(f"the connection{through} broke, or the answer is not HTTP") from None


def _certificates() -> ssl.SSLContext:
    try:
        return httpx.create_ssl_context()
    except OSError:  # ssl.SSLError is one too
        named = next((name for name in _VARIABLES if os.environ.get(name)), _VARIABLES[0])
        raise VariableError(f"cannot read certificates: check the variable {named}.") from None


def _proxies_for(url: str) -> dict[str, tuple[str, httpx.Proxy]]:
    """Return the proxy of each scheme for which the URL's host has one, with its name for messages.

    Whether it has one is decided here alone: httpx reads ``NO_PROXY`` in another way than Python does.
    """
    parts = urlsplit(url)
    # NO_PROXY may name a host with its port, or an IPv6 address with its brackets
    if proxy_bypass(parts.hostname or "") or proxy_bypass(parts.netloc):
        return {}
    named = getproxies()
    kinds = {scheme: scheme if named.get(scheme) else "all" for scheme in ("http", "https")}
    return {scheme: _read_proxy(named[kind], kind) for scheme, kind in kinds.items() if named.get(kind)}


def _read_proxy(address: str, kind: str) -> tuple[str, httpx.Proxy]:
    """Return the proxy that the variable for this kind of URLs names."""
    # as it is written: Python takes it in any case, and prefers lower case
    name = max((name for name in os.environ if name.lower() == f"{kind}_proxy"), default="")
    with suppress(httpx.InvalidURL, ValueError):
        proxy = httpx.Proxy(address if "://" in address else f"http://{address}")
        # not SOCKS: it needs one more library, whose errors are not those of httpx
        if proxy.url.scheme in ("http", "https") and proxy.url.host:
            return f"the proxy of {name or 'the system'}", proxy
    got = show_value(re.sub(r"(?s)^([a-z0-9]*://)?.*@", r"\1...@", address))  # without a password
    raise VariableError(
        f"{name or 'the proxy of the system'}: expected the URL of a proxy with http or https, such as "
        f"http://127.0.0.1:8080, got {got}: correct it, or unset it."
    )


class _NoCookies(CookieJar):
    """Keeps no cookies."""

    def extract_cookies(self, response: Any, request: Any) -> None:
        """Do nothing."""


class _Public(httpx.AsyncHTTPTransport):
    """Connects to servers, without a proxy, and refuses those that have an address that is not public."""

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        """Send a request. Raises ``InsideError`` before anything is sent."""
        request.extensions = {**request.extensions, "trace": _refuse_inside}
        return await super().handle_async_request(request)


async def _refuse_inside(event: str, details: Mapping[str, Any]) -> None:
    """Close a new connection to an address that is not public; it is httpx's extension ``trace``.

    Raises ``InsideError``. A name server that lies cannot lead past it (DNS rebinding).
    """
    if event != "connection.connect_tcp.complete":
        return
    stream = details["return_value"]
    place = stream.get_extra_info("server_addr")
    host = str(place[0]) if isinstance(place, tuple) and place else ""
    if not host or is_inside(host):
        with suppress(Exception):
            await stream.aclose()
        raise InsideError(host or "unknown")
