"""Compares two trees without parsing what is equal. Pure; knows only git's tree format.

Malformed trees raise ``ValueError``, and so do entries out of order: some of git's own commands find them,
others do not.
"""

from __future__ import annotations

import re
import sys
from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Final

from docs_sitemap.limits import MAX_PATH

Entry = tuple[bytes, bytes]
"""Mode (``b"100644"``; ``b"40000"`` is a tree) and binary object name of a tree entry."""

Difference = tuple[bytes, Entry | None, Entry | None]
"""A name, and the entry with that name in our tree and in their tree, or ``None``."""

TREE_MODE: Final = b"40000"

_MODES: Final = frozenset({b"100644", b"100755", b"120000", b"160000", TREE_MODE})

_LONGEST_MODE: Final = 16
"""Digits of a mode: it has six, and git reads any number of leading zeros."""

# "MODE NAME\0OBJECT"; object names have 20 bytes, or 32 under SHA-256
# (git takes longer names, but a file cannot have one, and each comparison would copy it)
_PATTERN: Final = rb"(\d{1,%d}+) ([^\0]{1,%d}+)\0(.{%%d})" % (_LONGEST_MODE, MAX_PATH)
_ENTRY: Final = {size: re.compile(_PATTERN % size, re.DOTALL) for size in (20, 32)}
# Possessive: matches only whole entries, and keeps no positions to backtrack to
_ENTRIES: Final = {
    size: re.compile(rb"(?:%b)*+" % (_PATTERN % size).translate(None, b"()"), re.DOTALL) for size in (20, 32)
}

_DISORDER: Final = "a tree with entries out of order"
_DUPLICATE: Final = "a tree with a duplicate name, or with a path for a name"

_PIECE: Final = 512
"""Bytes that are compared at once."""

_LONGEST_PIECE: Final = 1 << 16

_MANY: Final = 64
"""Differences after which only the wanted names are looked up: a build may commit all that it makes."""

_FEW: Final = 64
"""Entries for each name that is looked up: to find one takes as long as to parse so many."""

_DENSE: Final = 8
"""The part of all entries from which on they are parsed: that takes as long as to merge so many."""

SHORTEST: Final = 9
"""Bytes of an entry with a name of one letter, beside the name of its object."""

_POSITION: Final = "I"
"""The type of a position in a tree, which has at most ``MAX_OBJECT`` bytes."""


def parse_tree(data: bytes, name_size: int) -> dict[bytes, Entry]:
    """Return a tree's entries by name; ``name_size`` is the length of binary object names.

    Raises ``ValueError`` for a malformed tree.
    """
    found = _parse(data, name_size)
    _check_order(found)
    return found


def count_entries(data: bytes, name_size: int) -> int:
    """Return how many entries a tree has, without parsing them; raises ``ValueError`` if it is malformed."""
    _check_entries(data, name_size)
    return sum(1 for _ in _ENTRY[name_size].finditer(data))


def _parse(data: bytes, name_size: int) -> dict[bytes, Entry]:
    _check_entries(data, name_size)
    listed = _ENTRY[name_size].findall(data)
    found = {
        name: (mode if mode in _MODES else canonical(mode), object_name) for mode, name, object_name in listed
    }
    if len(found) != len(listed) or b"/" in b"".join(found):
        raise ValueError(_DUPLICATE)
    return found


def _check_order(entries: Mapping[bytes, Entry], before: bytes = b"") -> None:
    keys = [_key(mode, name) for name, (mode, _) in entries.items()]
    if keys != sorted(keys) or (keys and keys[0] <= before):
        raise ValueError(_DISORDER)


def _check_entries(data: bytes, name_size: int) -> None:
    # before anything looks for the next entry, which takes quadratic time where there is none
    if _end_of_entries(data, name_size) != len(data):
        raise ValueError("a tree with a malformed entry")


def _end_of_entries(data: bytes, name_size: int, start: int = 0, end: int = sys.maxsize) -> int:
    """Return the end of the last whole entry between ``start`` and ``end``."""
    match = _ENTRIES[name_size].match(data, start, end)
    return match.end() if match else start


def canonical(mode: bytes) -> bytes:
    """Return a mode as git reads it (canon_mode): old tools wrote ``100664``, and ``040000`` for folders."""
    if mode in _MODES:
        return mode
    bits = int(mode, 8)
    kind = bits & 0o170000
    if kind == 0o100000:
        return b"100755" if bits & 0o100 else b"100644"
    return {0o120000: b"120000", 0o040000: TREE_MODE}.get(kind, b"160000")


class _Layout:
    """The modes and names of a tree, and of all others in which only objects differ: where entries end."""

    __slots__ = ("_mask", "ends", "name_size")

    def __init__(self, ends: array[int], name_size: int) -> None:
        self.ends = ends
        self.name_size = name_size
        self._mask = 0

    def find(self, name: bytes, data: bytes) -> Entry | None:
        """Return the entry with this name in ``data``, which has this layout and is in order."""
        for key in (name, name + b"/"):  # the place of a file, and that of a folder
            at = bisect_left(range(len(self.ends)), key, key=lambda index: _key_of(self._head(index, data)))
            if at < len(self.ends):
                head, end = self._head(at, data), self.ends[at]
                if _key_of(head) == key:
                    return canonical(head.partition(b" ")[0]), data[end - self.name_size : end]
        return None

    def _head(self, index: int, data: bytes) -> bytes:
        """Return the mode and the name of an entry, with the blank between them."""
        return data[self.ends[index - 1] if index else 0 : self.ends[index] - self.name_size - 1]

    def is_of(self, ours: bytes, theirs: bytes) -> bool:
        """Tell whether ``theirs`` has this layout too, as ``ours`` does."""
        if len(ours) != len(theirs):
            return False
        if not self._mask:
            mask = bytearray(b"\xff") * len(ours)
            for end in self.ends:
                mask[end - self.name_size : end] = bytes(self.name_size)
            self._mask = int.from_bytes(mask)
        return not (int.from_bytes(ours) ^ int.from_bytes(theirs)) & self._mask


class Tree:
    """A tree that is compared with several others: its ``data``, as it is stored."""

    __slots__ = ("_layout", "data")

    def __init__(self, data: bytes) -> None:
        self.data = data
        self._layout: _Layout | None = None

    def __len__(self) -> int:
        return len(self.data)

    def ends(self, name_size: int) -> array[int]:
        """Return where its entries end; raises ``ValueError`` if it is malformed."""
        return self.layout(name_size).ends

    def layout(self, name_size: int) -> _Layout:
        """Return where its entries are; raises ``ValueError`` if it is malformed."""
        if self._layout is None:
            _check_entries(self.data, name_size)
            ends = array(_POSITION, [each.end() for each in _ENTRY[name_size].finditer(self.data)])
            self._layout = _Layout(ends, name_size)
        return self._layout

    def share_layout(self, other: Tree) -> None:
        """Take over the layout of a tree with the same modes and names."""
        self._layout = other._layout

    def set_ends(self, ends: array[int], name_size: int) -> None:
        """Set where its entries end, as a comparison with another tree has found."""
        self._layout = _Layout(ends, name_size)

    def has_names_of(self, other: Tree) -> bool:
        """Tell whether a comparison has found the same modes and names in both."""
        return self._layout is not None and self._layout is other._layout


def differing_entries(
    ours: Tree, theirs: Tree, name_size: int, wanted: Collection[bytes] | None = None
) -> list[Difference]:
    """Return the entries in which two trees differ; empty if they are the same.

    Of very many, it may return only those of ``wanted`` names. ``ours`` is known to be in order. Raises
    ``ValueError`` if ``theirs`` is not, or if one is malformed.
    """
    if ours.data == theirs.data:
        return []
    few = wanted if wanted is not None and _FEW * len(wanted) < len(ours) // (name_size + SHORTEST) else None
    try:
        found = None
        if len(ours) == len(theirs):
            found = _other_objects(ours, theirs, name_size, sys.maxsize if few is None else _MANY)
        if found is None:
            most = _MANY if few is not None else max(_MANY, len(ours.ends(name_size)) // _DENSE)
            found = _merged(ours, theirs, name_size, most)
    except _ManyDifferencesError:
        found = _parsed(ours, theirs, name_size) if few is None else _looked_up(ours, theirs, name_size, few)
    return found


class _ManyDifferencesError(Exception):
    """Two trees differ in more entries than are wanted."""


def _check_number(found: Sequence[Difference], most: int) -> None:
    if len(found) > most:
        raise _ManyDifferencesError


def _parsed(ours: Tree, theirs: Tree, name_size: int) -> list[Difference]:
    """Compare two trees entry by entry, which is faster where very many differ."""
    our, their = (_parse(tree.data, name_size) for tree in (ours, theirs))
    _check_order(their)
    found: list[Difference] = [
        (name, entry, their.get(name)) for name, entry in our.items() if their.get(name) != entry
    ]
    return found + [(name, None, entry) for name, entry in their.items() if name not in our]


def _looked_up(ours: Tree, theirs: Tree, name_size: int, wanted: Iterable[bytes]) -> list[Difference]:
    """Return those of the wanted names at which two trees differ."""
    if ours.layout(name_size).is_of(ours.data, theirs.data):
        theirs.share_layout(ours)
    else:
        _check_order(_parse(theirs.data, name_size))
    found = []
    for name in wanted:
        our, their = (tree.layout(name_size).find(name, tree.data) for tree in (ours, theirs))
        if our != their:
            found.append((name, our, their))
    return found


def _other_objects(ours: Tree, theirs: Tree, name_size: int, most: int) -> list[Difference] | None:
    """Return in which objects two trees differ, or ``None`` if they differ in modes or names.

    Nearly all commits only change files. So of a tree and the next one, the entries end at the same places,
    which are found once for all of them.
    """
    our, their, ends = ours.data, theirs.data, ours.ends(name_size)
    found: list[Difference] = []
    start = end = 0
    size = _PIECE
    while start < len(our):
        piece, other = our[start : start + size], their[start : start + size]
        if piece == other:
            start += size
            size = min(2 * size, _LONGEST_PIECE)
            continue
        if size > _PIECE:
            size = max(size // 8, _PIECE)
            continue
        start = stop = start + len(piece)
        # as numbers, their first different bit is found without a loop
        differ = int.from_bytes(piece) ^ int.from_bytes(other)
        while differ := differ & ((1 << 8 * max(0, stop - end)) - 1):
            first = stop - (differ.bit_length() + 7) // 8
            index = bisect_right(ends, first)
            begin, end = ends[index - 1] if index else 0, ends[index]
            middle = end - name_size
            if first < middle:
                return None
            mode, _, name = our[begin : middle - 1].partition(b" ")
            mode = canonical(mode)
            found.append((name, (mode, our[middle:end]), (mode, their[middle:end])))
        _check_number(found, most)
    theirs.share_layout(ours)
    return found


def any_moves(found: Iterable[Difference]) -> bool:
    """Tell whether a name is a folder in one of two trees only: folders have another place in the order."""
    return any(our and their and (our[0] == TREE_MODE) != (their[0] == TREE_MODE) for _, our, their in found)


def _merged(our_tree: Tree, their_tree: Tree, name_size: int, most: int) -> list[Difference]:
    """Compare trees of which entries were added, removed or renamed.

    Equal bytes are skipped up to the last whole entry. Both trees are sorted, so they are merged from there.
    Where their entries end follows from where ours do: to look for each of a folder's entries again, for each
    commit that adds one, takes several times as long as all else.
    """
    ours, theirs, ends = our_tree.data, their_tree.data, our_tree.ends(name_size)
    entry = _ENTRY[name_size].match
    found: list[Difference] = []
    their_ends = array(_POSITION)
    at = there = 0
    last = b""  # the key of the previous entry
    while True:
        _check_number(found, most)
        index = bisect_right(ends, at + _common(ours, at, theirs, there))
        end = ends[index - 1] if index else 0
        if end > at:
            their_ends += _shifted(ends[bisect_right(ends, at) : index], there - at)
            there += end - at
            at = end
            last = _key_of(ours[ends[index - 2] if index > 1 else 0 : end - name_size - 1])
        our, their = entry(ours, at), entry(theirs, there)
        if our is None or their is None:
            break
        our_name, our_entry = our[2], (canonical(our[1]), our[3])
        their_name, their_entry = their[2], (canonical(their[1]), their[3])
        our_key, their_key = _key(our_entry[0], our_name), _key(their_entry[0], their_name)
        if our_name == their_name:
            if our_entry != their_entry:
                found.append((our_name, our_entry, their_entry))
            at, there, last = our.end(), their.end(), their_key
            their_ends.append(there)
        elif our_key < their_key:
            found.append((our_name, our_entry, None))
            at, last = our.end(), our_key
        else:
            if b"/" in their_name or their_key <= last:
                raise ValueError(_DISORDER)
            found.append((their_name, None, their_entry))
            there, last = their.end(), their_key
            their_ends.append(there)
    found += [(name, each, None) for name, each in _parse(ours[at:], name_size).items()]
    rest = _parse(theirs[there:], name_size)
    if rest:
        _check_order(rest, last)
        their_ends.extend(each.end() for each in _ENTRY[name_size].finditer(theirs, there))
    found = _joined(found + [(name, None, each) for name, each in rest.items()])
    if any_moves(found):
        _check_order(_parse(theirs, name_size))
    their_tree.set_ends(their_ends, name_size)
    return found


def _shifted(ends: array[int], by: int) -> array[int]:
    """Return the positions, each with so much added; they stay above zero, and in the range of their type.

    As one number, of which each position is a part: that takes a hundredth of the time of a loop.
    """
    if not by:
        return ends
    shift = int.from_bytes(array(_POSITION, [abs(by)]) * len(ends), sys.byteorder)
    number = int.from_bytes(ends, sys.byteorder) + (shift if by > 0 else -shift)
    return array(_POSITION, number.to_bytes(len(ends) * ends.itemsize, sys.byteorder))


def _joined(found: Iterable[Difference]) -> list[Difference]:
    """Join the two places that a name has if it is a folder in one tree: before ``a.md``, and behind it.

    Raises ``ValueError`` if one tree has both.
    """
    joined: dict[bytes, tuple[Entry | None, Entry | None]] = {}
    for name, our, their in found:
        our_before, their_before = joined.get(name, (None, None))
        if (our and our_before) or (their and their_before):
            raise ValueError(_DUPLICATE)
        joined[name] = our or our_before, their or their_before
    return [(name, our, their) for name, (our, their) in joined.items()]


def _key_of(mode_and_name: bytes) -> bytes:
    mode, _, name = mode_and_name.partition(b" ")
    return _key(canonical(mode), name)


def _key(mode: bytes, name: bytes) -> bytes:
    return name + b"/" if mode == TREE_MODE else name


def _common(ours: bytes, at: int, theirs: bytes, there: int) -> int:
    """Return the number of equal bytes from these positions on."""
    limit = min(len(ours) - at, len(theirs) - there)
    low, size = 0, _PIECE
    while low < limit:
        size = min(size, limit - low)
        our, their = ours[at + low : at + low + size], theirs[there + low : there + low + size]
        if our == their:
            low += size
            size = min(2 * size, _LONGEST_PIECE)
        elif size > _PIECE:
            size = max(size // 8, _PIECE)
        else:
            # as numbers, their first different bit is found without a loop
            differ = int.from_bytes(our) ^ int.from_bytes(their)
            return low + size - (differ.bit_length() + 7) // 8
    return limit
