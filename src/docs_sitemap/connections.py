"""How to connect to servers: the certificates that are trusted, and no way into the machine's own network."""

from __future__ import annotations

import os
import ssl
from collections.abc import Mapping
from contextlib import suppress
from http.cookiejar import CookieJar
from typing import Any, Final
from urllib.parse import urlsplit
from urllib.request import getproxies, proxy_bypass

import httpx

from docs_sitemap.errors import DocsSitemapError
from docs_sitemap.servers import is_inside

_VARIABLES: Final = ("SSL_CERT_FILE", "SSL_CERT_DIR")


class CertificatesError(DocsSitemapError):
    """The certificates cannot be read."""


def read_certificates() -> ssl.SSLContext:
    """Return the system's certificates, or those that ``SSL_CERT_FILE`` or ``SSL_CERT_DIR`` name.

    Raises ``CertificatesError``.
    """
    try:
        return httpx.create_ssl_context()
    except OSError:  # ssl.SSLError is one too
        named = next(
            (name for name in _VARIABLES if os.environ.get(name)), _VARIABLES[0]
        )  # as httpx reads them
        raise CertificatesError(f"cannot read certificates: check the variable {named}.") from None


class NoCookies(CookieJar):
    """Keeps no cookies, and does not even parse them: a policy that refuses them is asked only after that."""

    def extract_cookies(self, response: Any, request: Any) -> None:
        """Do nothing."""


class InsideError(Exception):
    """The host has an address that is not public; ``str()`` is that address."""


def has_proxy(url: str) -> bool:
    """Tell whether a proxy connects to the server: then its address is that of the proxy."""
    parts = urlsplit(url)
    proxies = getproxies()
    return bool({parts.scheme, "all"} & proxies.keys()) and not proxy_bypass(parts.hostname or "")


async def refuse_inside(event: str, details: Mapping[str, Any]) -> None:
    """Raise ``InsideError`` after connecting and before anything is sent, if the address is not public.

    It is httpx's extension ``trace``. A name server that lies cannot lead past it (DNS rebinding).
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
