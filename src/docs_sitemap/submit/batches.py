"""Which addresses go to IndexNow together, and which not: of other hosts, or not covered by the key. Pure."""

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
    """A key, and the address of its file, or ``""`` for ``/KEY.txt`` at the root of each host.

    Neither is shown: the address ends in the key.
    """

    value: str = field(repr=False)
    location: str = field(default="", repr=False)

    def covers(self, address: str) -> bool:
        """Tell whether the key is good for an address.

        A key file in a folder covers what is in that folder or below; one at a host's root all of the
        host, and says nothing of other hosts, whose own roots may have one as well.
        """
        folder = self.folder
        if folder == "/":
            return True
        return host_of(address) == host_of(self.location) and urlsplit(address).path.startswith(folder)

    @property
    def folder(self) -> str:
        """Return the path of the folder that the key file lies in."""
        return (urlsplit(self.location).path.rpartition("/")[0] + "/") if self.location else "/"

    def location_for(self, host: str) -> str:
        """Return the address of the key file of a host, or ``""`` where it is the usual one."""
        return self.location if self.location and host_of(self.location) == host else ""


@dataclass(frozen=True, slots=True)
class Batch:
    """Addresses of one host for one POST."""

    host: str
    addresses: tuple[str, ...]


def batches(addresses: Iterable[str]) -> Iterator[Batch]:
    """Yield the addresses host by host, both in order; http and https of a host go together."""
    by_host: dict[str, list[str]] = {}
    for address in sorted(addresses):
        by_host.setdefault(host_of(address), []).append(address)
    for host, found in sorted(by_host.items()):
        for start in range(0, len(found), MAX_BATCH):
            yield Batch(host, tuple(found[start : start + MAX_BATCH]))


def own_addresses(addresses: Collection[str], named: Collection[str], likely: str = "") -> list[str]:
    """Return the addresses of the site's own hosts: a key goes out for no host that only a sitemap names.

    Own are the hosts of the addresses ``named``, which are the site's base URL and what its user names, and
    that of the ``likely`` one. Where nothing is named, and no address is of the likely one's host, the host
    of all addresses is own. Raises ``SubmitError`` where they have several.
    """
    own = {host_of(name) for name in (*named, likely) if name}
    hosts = sorted({host_of(address) for address in addresses})
    if not any(named) and own.isdisjoint(hosts):
        if len(hosts) > 1:
            some = " and ".join(host[:100] for host in hosts[:2])
            raise SubmitError(
                f"the addresses are of {len(hosts):,} hosts, as {some}, and nothing says which is the site's "
                "own: say the address of the sitemap's folder with --base-url, or name hosts with --host."
            )
        own = set(hosts)
    return [address for address in addresses if host_of(address) in own]


def host_of(address: str) -> str:
    """Return the host of an address, with its port unless that is the usual one."""
    parts = urlsplit(address)
    host = parts.hostname or ""
    host = f"[{host}]" if ":" in host else host
    try:
        port = parts.port
    except ValueError:
        return parts.netloc.lower()
    return host if port in (None, _PORTS.get(parts.scheme)) else f"{host}:{port}"
