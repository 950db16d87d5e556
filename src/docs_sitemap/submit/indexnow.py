"""The IndexNow client: keys, URLs by host, one POST request per batch (indexnow.org, documentation)."""

from __future__ import annotations

import json
import os
from collections.abc import Collection, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

from docs_sitemap import urls
from docs_sitemap.files import robots
from docs_sitemap.limits import MAX_BATCH, MAX_ROBOTS
from docs_sitemap.options import INDEXNOW_KEY, validation
from docs_sitemap.readers import read_start
from docs_sitemap.submit.answers import INDEXNOW_ANSWERS, explain_answer
from docs_sitemap.submit.web import SubmitError, Web

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


_LONGEST = 130  # bytes of the longest key, with line ends that editors add


def find_key(folder: Path, given: str, location: str, base_url: str) -> Key | None:
    """Return the ``given`` key, or that of the only key file in a folder; ``None`` if there is neither.

    ``location`` is the URL of the key file, if given; otherwise it is in the folder, whose URL is
    ``base_url``, or at the host's root. Raises ``SubmitError`` if the folder has several key files, or if
    the URL of the key file is unknown.
    """
    found = key_files(folder)
    if not given and len(found) > 1:
        raise SubmitError(f"{folder}: has {len(found)} IndexNow key files: choose a key with INDEXNOW_KEY.")
    key = given or next(iter(found), "")
    if not key:
        return None
    if location or key not in found:
        return Key(key, location)
    if not base_url:
        raise SubmitError(
            f"{folder}: has an IndexNow key file, but the folder's URL is unknown, because robots.txt does "
            "not have exactly one line for its sitemap. Set the URL with --base-url."
        )
    return Key(key, f"{base_url}{key}.txt")


def find_base_url(sitemap: Path) -> str:
    """Return the URL of a sitemap's folder from the robots.txt next to it, or ``""``."""
    try:
        lines = robots.named(read_start(sitemap.parent / "robots.txt", MAX_ROBOTS, below=sitemap.parent))
    except OSError:
        return ""
    end = "/" + urls.escape_name(sitemap.name)
    found = {line.removesuffix(end) + "/" for line in lines if line.endswith(end)}
    try:
        return validation.base_url(found.pop()) if len(found) == 1 else ""
    except validation.UnexpectedError:
        return ""


def key_files(folder: Path) -> list[str]:
    """Return the keys of the key files in a folder: regular files that contain their own name."""
    found = []
    with os.scandir(folder) as entries:
        for entry in entries:
            key, _, suffix = entry.name.rpartition(".")
            if suffix == "txt" and INDEXNOW_KEY.fullmatch(key) and entry.is_file(follow_symlinks=False):
                with suppress(OSError):  # an unreadable file is no key file
                    if read_start(entry.path, _LONGEST).strip() == key.encode("ascii"):
                        found.append(key)
    return sorted(found)


INDEXNOW: Final = "https://api.indexnow.org/indexnow"
"""Forwards everything to all engines that take part."""

_FINAL: Final = 200
_ACCEPTED: Final = (_FINAL, 202)


@dataclass(frozen=True, slots=True)
class Outcome:
    """The result of a batch.

    ``is_final`` tells whether the engine has the URLs: not yet if it answers 202, because it still has to
    check the key.
    """

    batch: Batch
    is_accepted: bool
    text: str
    is_final: bool = False


@dataclass(frozen=True, slots=True)
class IndexNow:
    """An engine that takes part, or the endpoint that notifies all of them."""

    web: Web
    endpoint: str = INDEXNOW

    def send(self, batches: Iterable[Batch], key: Key) -> Iterator[Outcome]:
        """Send each batch and yield its outcome; after a refusal, skip further batches of that host."""
        refused: set[str] = set()
        for batch in batches:
            if batch.host in refused:
                yield Outcome(batch, False, "not sent, because the engine refused an earlier batch")
                continue
            outcome = self._send(batch, key)
            if not outcome.is_accepted:
                refused.add(batch.host)
            yield outcome

    def _send(self, batch: Batch, key: Key) -> Outcome:
        sent = {"host": batch.host, "key": key.value, "urlList": batch.addresses}
        if location := key.location_for(batch.host):
            sent["keyLocation"] = location
        headers = {"Content-Type": "application/json; charset=utf-8"}
        body = json.dumps(sent).encode("ascii")
        try:
            answer = self.web.ask("POST", self.endpoint, headers=headers, body=body)
        except SubmitError as problem:
            return Outcome(batch, False, str(problem))
        text = explain_answer(answer, INDEXNOW_ANSWERS)
        return Outcome(batch, answer.status in _ACCEPTED, text, answer.status == _FINAL)
