"""Group URLs for IndexNow by host, and find those on other hosts or not covered by the key. Pure."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Final
from urllib.parse import urlsplit

from docs_sitemap.limits import MAX_BATCH
from docs_sitemap.submit.failure import SubmitError

_PORTS: Final = {"http": 80, "https": 443}


@dataclass(frozen=True, slots=True)
class Key:
    """A key, and the URL of its file, or ``""`` for ``/KEY.txt`` at the root of each host.

    Neither is shown, because the URL ends in the key.
    """

    value: str = field(repr=False)
    location: str = field(default="", repr=False)

    def covers(self, address: str) -> bool:
        """Tell whether the key covers a URL.

        A key file covers its folder and below. A key file at a host's root covers the whole host; other hosts
        count as covered, because they can have key files at their own roots.
        """
        folder = self.folder
        if folder == "/":
            return True
        return host_of(address) == host_of(self.location) and urlsplit(address).path.startswith(folder)

    @property
    def folder(self) -> str:
        """Return the path of the key file's folder."""
        return (urlsplit(self.location).path.rpartition("/")[0] + "/") if self.location else "/"

    def location_for(self, host: str) -> str:
        """Return the URL of a host's key file, or ``""`` if it is at the default place."""
        return self.location if self.location and host_of(self.location) == host else ""


@dataclass(frozen=True, slots=True)
class Batch:
    """URLs on one host for one POST request."""

    host: str
    addresses: tuple[str, ...]


def batches(addresses: Iterable[str]) -> Iterator[Batch]:
    """Yield the URLs in batches by host, both sorted; http and https of a host are in the same batch."""
    by_host: dict[str, list[str]] = {}
    for address in sorted(addresses):
        by_host.setdefault(host_of(address), []).append(address)
    for host, found in sorted(by_host.items()):
        for start in range(0, len(found), MAX_BATCH):
            yield Batch(host, tuple(found[start : start + MAX_BATCH]))


def own_addresses(addresses: Collection[str], named: Collection[str], likely: str = "") -> list[str]:
    """Return the URLs on the site's own hosts: no key is sent for a host that only a sitemap names.

    The site's own hosts are those of the URLs in ``named``, which are the site's base URL and URLs from the
    user, and that of ``likely``. If nothing is named and no URL is on the host of ``likely``, the single
    host of all URLs counts. Raises ``SubmitError`` if they have several.
    """
    own = {host_of(name) for name in (*named, likely) if name}
    hosts = sorted({host_of(address) for address in addresses})
    if not any(named) and own.isdisjoint(hosts):
        if len(hosts) > 1:
            some = " and ".join(host[:100] for host in hosts[:2])
            raise SubmitError(
                f"the URLs are on {len(hosts):,} hosts, such as {some}, and it is unknown which one is the "
                "site's: set the URL of the sitemap's folder with --base-url, or name hosts with --host."
            )
        own = set(hosts)
    return [address for address in addresses if host_of(address) in own]


def host_of(address: str) -> str:
    """Return the host of a URL, with its port unless that is the default."""
    parts = urlsplit(address)
    host = parts.hostname or ""
    host = f"[{host}]" if ":" in host else host
    try:
        port = parts.port
    except ValueError:
        return parts.netloc.lower()
    return host if port in (None, _PORTS.get(parts.scheme)) else f"{host}:{port}"
