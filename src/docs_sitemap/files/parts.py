"""Split a site into several sitemaps, so that pages keep their sitemap when others are added. Pure.

A page's part depends only on its URL, by consistent hashing: a new part takes an equal share from
each of the others, and nothing else moves (Lamping and Veach, "A fast, minimal memory, consistent
hash algorithm", 2014). Pages beyond a part's limit go to the next part with room. So a new page
usually moves no other page, and at most a few if a part is full; only a new part moves a share of
the pages.
"""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Sequence
from typing import Final
from zlib import crc32

from docs_sitemap.pages import Url

_SLOTS: Final = 1 << 16
"""Pages are hashed into slots, and slots into parts, to avoid an expensive hash per page."""


def place(urls: Sequence[Url], max_urls: int, max_bytes: int, sizes: Sequence[int] = ()) -> list[int]:
    """Return the part of each URL, numbered from 0; no part is empty, and none exceeds a limit.

    The result depends only on the set of URLs. ``sizes`` are their bytes in the file, which can hold
    ``max_bytes``; none are needed if the limit in bytes cannot be reached. A URL that is larger than a
    part is alone in its own.

    >>> site = [Url(f"https://example.org/{number}") for number in range(6)]
    >>> before, after = place(site[:5], 3, 1000), place(site, 3, 1000)
    >>> sorted(before), after[:5] == before  # a new page moves no other
    ([0, 0, 1, 1, 1], True)
    """
    sizes = [min(size, max_bytes) for size in sizes]
    total = sum(sizes)
    if len(urls) <= max_urls and total <= max_bytes:
        return [0] * len(urls)
    parts = max(-(-len(urls) // max_urls), -(-total // max_bytes))
    while (placed := _place(urls, sizes, parts, _Room(parts, max_urls, max_bytes))) is None:
        parts += 1
    used = sorted(set(placed))  # all parts, unless the limit in bytes led to an extra part
    if len(used) < parts:
        number = {part: at for at, part in enumerate(used)}
        placed = [number[part] for part in placed]
    return placed


def _place(urls: Sequence[Url], sizes: Sequence[int], parts: int, room: _Room) -> list[int] | None:
    """Return the part of each URL, or ``None`` if some do not fit into any part."""
    hashes = array("L", [crc32(url.loc.encode("ascii")) for url in urls])
    slots = array("H", [number % _SLOTS for number in hashes])
    numbers = Counter(slots)
    weights = Counter[int]()
    for slot, size in zip(slots, sizes):  # noqa: B905  # there may be no sizes
        weights[slot] += size
    of_slot = {slot: _jump(slot, parts) for slot in sorted(numbers)}
    overflowing = {
        slot for slot, part in of_slot.items() if not room.take(part, numbers[slot], weights[slot])
    }
    placed = [of_slot[slot] for slot in slots]
    # in order of hash, not of URL: the pages that move must not depend on the alphabet
    moving = [at for at, slot in enumerate(slots) if slot in overflowing]
    for at in sorted(moving, key=lambda at: (hashes[at], urls[at].loc)):
        part = room.find(placed[at], sizes[at] if sizes else 0)
        if part is None:
            return None
        placed[at] = part
    return placed


class _Room:
    """The free room in each part."""

    def __init__(self, parts: int, max_urls: int, max_bytes: int) -> None:
        self._urls = [max_urls] * parts
        self._bytes = [max_bytes] * parts

    def take(self, part: int, urls: int, size: int) -> bool:
        """Take room in a part, and return whether there was enough."""
        if self._urls[part] < urls or self._bytes[part] < size:
            return False
        self._urls[part] -= urls
        self._bytes[part] -= size
        return True

    def find(self, part: int, size: int) -> int | None:
        """Take room for one URL in this part or the next one with room, or return ``None``."""
        parts = len(self._urls)
        return next((at % parts for at in range(part, part + parts) if self.take(at % parts, 1, size)), None)


def _jump(key: int, parts: int) -> int:
    """Return the part of a key; with one more part, keys move only to the new part.

    >>> moved = [key for key in range(1000) if _jump(key, 3) != _jump(key, 4)]
    >>> {_jump(key, 4) for key in moved}, len(moved)  # about a quarter, all to the new part
    ({3}, 249)
    """
    state = (key + 1) * 0x9E3779B97F4A7C15 & 0xFFFFFFFFFFFFFFFF
    part, following = -1, 0
    while following < parts:
        part = following
        state = (state * 2862933555777941757 + 1) & 0xFFFFFFFFFFFFFFFF
        following = int((part + 1) * ((1 << 31) / ((state >> 33) + 1)))
    return part
