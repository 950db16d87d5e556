"""Comparing two trees without parsing what is equal. Pure; knows git's tree format and nothing else."""

from __future__ import annotations

import re
from typing import Final

Entry = tuple[bytes, bytes]
"""Mode (``b"100644"``; ``b"40000"`` is a tree) and binary object name of a tree entry."""

Difference = tuple[bytes, Entry | None, Entry | None]
"""A name, our entry of that name and their entry; ``None`` where a tree has none."""

TREE_MODE: Final = b"40000"

_MODES: Final = frozenset({b"100644", b"100755", b"120000", b"160000", TREE_MODE})

# "MODE NAME\0OBJECT"; object names have 20 bytes, or 32 under SHA-256
_ENTRY: Final = {size: re.compile(rb"(\d+) ([^\0]+)\0(.{%d})" % size, re.DOTALL) for size in (20, 32)}
# Possessive: whole entries only, and no memory of them to go back to
_ENTRIES: Final = {size: re.compile(rb"(?:\d+ [^\0]+\0.{%d})*+" % size, re.DOTALL) for size in (20, 32)}

_SMALL: Final = 1024
"""Bytes of a tree that is parsed faster than it is compared."""


def parse_tree(data: bytes, name_size: int) -> dict[bytes, Entry]:
    """Return a tree's entries by name; ``name_size`` is the length of binary object names."""
    return {
        name: (mode if mode in _MODES else canonical(mode), object_name)
        for mode, name, object_name in _ENTRY[name_size].findall(data)
    }


def canonical(mode: bytes) -> bytes:
    """Return a mode as git reads it (canon_mode): old tools wrote ``100664``, and ``040000`` for folders."""
    bits = int(mode, 8)
    kind = bits & 0o170000
    if kind == 0o100000:
        return b"100755" if bits & 0o100 else b"100644"
    return {0o120000: b"120000", 0o040000: TREE_MODE}.get(kind, b"160000")


def differing_entries(ours: bytes, theirs: bytes, name_size: int) -> list[Difference]:
    """Return the entries in which two trees differ; empty where they are the same."""
    if ours == theirs:
        return []
    if len(ours) < _SMALL or len(theirs) < _SMALL:
        return _differing_parsed(ours, theirs, name_size)
    return _differing_merged(ours, theirs, name_size)


def _differing_parsed(ours: bytes, theirs: bytes, name_size: int) -> list[Difference]:
    our_entries, their_entries = parse_tree(ours, name_size), parse_tree(theirs, name_size)
    differ = our_entries.items() ^ their_entries.items()
    return [(name, our_entries.get(name), their_entries.get(name)) for name in {name for name, _ in differ}]


def _differing_merged(ours: bytes, theirs: bytes, name_size: int) -> list[Difference]:
    """Compare trees that share nearly all their bytes, as those of neighbouring commits do.

    What is equal is skipped without parsing it, up to the last whole entry. Both trees are
    sorted, so they are merged from there.
    """
    entry, entries = _ENTRY[name_size].match, _ENTRIES[name_size].match
    found: list[Difference] = []
    at = there = 0
    our_size, their_size = len(ours), len(theirs)
    while at < our_size and there < their_size:
        equal = _common(ours, at, theirs, there)
        match = entries(ours, at, at + equal)
        whole = match.end() - at if match else 0
        at += whole
        there += whole
        our, their = entry(ours, at), entry(theirs, there)
        if our is None or their is None:
            break
        our_mode, our_name, our_object = our.groups()
        their_mode, their_name, their_object = their.groups()
        our_mode, their_mode = canonical(our_mode), canonical(their_mode)
        if our_name == their_name:
            if (our_mode, our_object) != (their_mode, their_object):
                found.append((our_name, (our_mode, our_object), (their_mode, their_object)))
            at, there = our.end(), their.end()
        elif _key(our_mode, our_name) < _key(their_mode, their_name):
            found.append((our_name, (our_mode, our_object), None))
            at = our.end()
        else:
            found.append((their_name, None, (their_mode, their_object)))
            there = their.end()
    found += [(name, entry_, None) for name, entry_ in parse_tree(ours[at:], name_size).items()]
    found += [(name, None, entry_) for name, entry_ in parse_tree(theirs[there:], name_size).items()]
    return found


def _key(mode: bytes, name: bytes) -> bytes:
    return name + b"/" if mode == TREE_MODE else name


def _common(ours: bytes, at: int, theirs: bytes, there: int) -> int:
    """Return how many bytes are the same from here on."""
    limit = min(len(ours) - at, len(theirs) - there)
    low, step = 0, 64
    while low < limit:
        high = min(low + step, limit)
        if ours[at + low : at + high] != theirs[there + low : there + high]:
            break
        low, step = high, step * 2
    else:
        return limit
    # as one number each, the first bit that differs is found without a loop
    differ = int.from_bytes(ours[at + low : at + high]) ^ int.from_bytes(theirs[there + low : there + high])
    return high - (differ.bit_length() + 7) // 8


class EntryFinder:
    """Finds a folder's entry in one tree after the other, most of them alike.

    Where a tree begins with the same bytes as the last one, the entry that stood behind them
    starts at the same place: then nothing is parsed.
    """

    def __init__(self, name_size: int) -> None:
        self._name_size = name_size
        self._last: dict[int, tuple[bytes, int]] = {}

    def find_tree(self, data: bytes, name: bytes, depth: int) -> bytes | None:
        """Return the hex name of the sub-tree ``name``, or ``None``; ``depth`` tells the folders apart."""
        header = b"%b %b\0" % (TREE_MODE, name)
        last, at = self._last.get(depth, (b"", 0))
        if not (data.startswith(header, at) and data[:at] == last[:at]):
            at = data.find(header)
            while at > 0 and self._whole(data, at) != at:  # these bytes in the middle of an entry
                at = data.find(header, at + 1)
            if at < 0:  # absent, or with a mode that only old tools wrote
                mode, found = parse_tree(data, self._name_size).get(name, (b"", b""))
                return found.hex().encode() if mode == TREE_MODE else None
        self._last[depth] = (data, at)
        start = at + len(header)
        return data[start : start + self._name_size].hex().encode()

    def _whole(self, data: bytes, limit: int) -> int:
        match = _ENTRIES[self._name_size].match(data, 0, limit)
        return match.end() if match else 0
