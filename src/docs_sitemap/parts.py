"""Splitting a site over several sitemaps, so that a page stays where it is when others come. Pure.

Each page has a part that it belongs to by its address alone: consistent hashing, by which a
further part takes an equal share from each of the others and nothing else moves (Lamping and
Veach, "A fast, minimal memory, consistent hash algorithm", 2014). Pages beyond a part's limit go
to the next one that has room. So a page that is added moves no other as a rule, and at most a
few where a part is full; only one more part moves a share of the pages.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final
from zlib import crc32

from docs_sitemap.urlset import Url

_SLOTS: Final = 1 << 16
"""Pages are hashed into slots and slots into parts: a million pages need no million long hashes."""


def split(
    urls: Sequence[Url], max_urls: int, max_bytes: int, size: Callable[[Url], int] | None
) -> list[list[Url]]:
    """Return the URLs of each part, none of which exceeds a limit; one part where all fit into it.

    The result depends on the set of URLs only. ``size`` gives a URL's bytes in the file, of which
    ``max_bytes`` fit into one; ``None`` where bytes cannot be what limits. Inside a part the order
    stays. A URL that is larger than a whole part is in a part of its own.
    """
    sizes = [size(url) for url in urls] if size else []
    total = sum(sizes)
    if len(urls) <= max_urls and total <= max_bytes:
        return [list(urls)] if urls else []
    hashes = [crc32(url.loc.encode("ascii")) for url in urls]
    parts = max(-(-len(urls) // max_urls), -(-total // max_bytes))
    while (placed := _place(hashes, sizes, parts, max_urls, max_bytes)) is None:
        parts += 1
    found: list[list[Url]] = [[] for _ in range(parts)]
    for url, part in zip(urls, placed, strict=True):
        found[part].append(url)
    return [part for part in found if part]


def _place(
    hashes: list[int], sizes: list[int], parts: int, max_urls: int, max_bytes: int
) -> list[int] | None:
    """Return the part of each URL, or ``None`` where some fit into no part any more."""
    of_slot = [_jump(slot, parts) for slot in range(_SLOTS)]
    placed = [of_slot[number % _SLOTS] for number in hashes]
    room = _Room(parts, max_urls, max_bytes)
    members: list[list[int]] = [[] for _ in range(parts)]
    for at, part in enumerate(placed):
        members[part].append(at)
    too_many = []
    for part, ats in enumerate(members):
        weight = sum(sizes[at] for at in ats) if sizes else 0
        if len(ats) <= max_urls and weight <= max_bytes:
            room.take(part, len(ats), weight)
            continue
        # by hash, and not by address: who has to go must not depend on who comes first in the alphabet
        for at in sorted(ats, key=lambda at: (hashes[at] // _SLOTS, hashes[at], at)):
            if not room.take(part, 1, sizes[at] if sizes else 0):
                too_many.append(at)
    for at in sorted(too_many, key=lambda at: (hashes[at], at)):
        following = room.next(placed[at], sizes[at] if sizes else 0)
        if following is None:
            return None
        placed[at] = following
    return placed


class _Room:
    """What is left of each part's limits."""

    def __init__(self, parts: int, max_urls: int, max_bytes: int) -> None:
        self._urls = [max_urls] * parts
        self._bytes = [max_bytes] * parts
        self._max_bytes = max_bytes
        self._following = [*range(1, parts), 0]

    def take(self, part: int, urls: int, size: int) -> bool:
        """Take the room, if there is so much; a URL too large for any part gets an empty one."""
        is_empty = self._bytes[part] == self._max_bytes
        if self._urls[part] < urls or (self._bytes[part] < size and not is_empty):
            return False
        self._urls[part] -= urls
        self._bytes[part] -= size
        return True

    def next(self, part: int, size: int) -> int | None:
        """Take room for one URL in the next part that has it, or return ``None``."""
        for _ in self._urls:
            part = self._open(part + 1)
            if self.take(part, 1, size):
                return part
        return None

    def _open(self, part: int) -> int:
        """Return this part or the first after it that takes URLs; full ones are passed over for good."""
        part %= len(self._urls)
        passed: list[int] = []
        while not self._urls[part] and len(passed) < len(self._urls):
            passed.append(part)
            part = self._following[part]
        for full in passed:
            self._following[full] = part
        return part


def _jump(key: int, parts: int) -> int:
    """Return the part of a key; of ``parts`` + 1, the last takes its share and no other key moves."""
    state = (key + 1) * 0x9E3779B97F4A7C15 & 0xFFFFFFFFFFFFFFFF
    part, following = -1, 0
    while following < parts:
        part = following
        state = (state * 2862933555777941757 + 1) & 0xFFFFFFFFFFFFFFFF
        following = int((part + 1) * ((1 << 31) / ((state >> 33) + 1)))
    return part
