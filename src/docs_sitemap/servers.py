"""Facts about servers: which addresses are public, and how long a server asks to wait. Pure."""

from __future__ import annotations

import ipaddress
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Final
from urllib.parse import urlsplit


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
        inner = address.ipv4_mapped or address.sixtofour or _in_nat64(address)
        address = inner or address
    return not address.is_global or address.is_multicast


def _in_nat64(address: ipaddress.IPv6Address) -> ipaddress.IPv4Address | None:
    """Return the IPv4 address that a translator connects to (RFC 6052, 64:ff9b::/96)."""
    number = int(address)
    return ipaddress.IPv4Address(number & 0xFFFFFFFF) if number >> 32 == 0x64FF9B << 64 else None


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
