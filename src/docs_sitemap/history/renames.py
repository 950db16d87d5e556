"""Finds which files a commit renames without a change. Pure: reads only through its reader."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Set
from typing import Final

from docs_sitemap.history.count import Count
from docs_sitemap.history.listing import Added, below, hex_name, read_trees
from docs_sitemap.history.objects import ObjectReader
from docs_sitemap.history.trees import TREE_MODE, Entry, Tree

_KEPT: Final = 100_000
"""Removed files that are kept, and those of the last commit."""

_Removed = dict[Entry, "bytes | dict[bytes, bytes]"]
"""Paths of the files that a commit removes, by entry; of several, the first one of all, and by last name."""


class Renames:
    """Finds renames, and keeps which files some commits remove: files come to one commit at many times."""

    def __init__(self, reader: ObjectReader, count: Count) -> None:
        self._reader = reader
        self._count = count
        self._known: dict[tuple[bytes, bytes], _Removed] = {}
        self._kept = 0

    def old_names(
        self, ours: bytes, theirs: bytes, added: Added, files: Set[bytes], known: Mapping[bytes, Tree]
    ) -> dict[bytes, bytes]:
        """Return the names of those added files in their tree, if ours has no longer their entries there.

        Of several, it is the first with the same last name; if none has that, the first of all. ``known`` are
        trees by name, which need not be read. Raises the same errors as ``Count.add``.
        """
        removed = self._removed(ours, theirs, known)
        if not removed:
            return {}
        return {
            path: old
            for path, entry in added.all(self._reader, self._count)
            if path in files and (old := _name_in(removed, entry, path))
        }

    def _removed(self, ours: bytes, theirs: bytes, known: Mapping[bytes, Tree]) -> _Removed:
        found = self._known.get((ours, theirs))
        if found is None:
            if self._kept > _KEPT:
                self._known.clear()
                self._kept = 0
            found = {}
            self._kept += 1
            for path, entry in _gone(self._reader, ours, theirs, self._count, known):
                _add(found, path, entry)
                self._kept += 1
            self._known[ours, theirs] = found  # not before: if that fails, a part would be taken for all
        return found


def _add(removed: _Removed, path: bytes, entry: Entry) -> None:
    before = removed.setdefault(entry, path)
    if before is path:
        return
    if isinstance(before, bytes):
        before = removed[entry] = {b"": before, _last(before): before}
    for last in (b"", _last(path)):
        before[last] = min(path, before.get(last, path))


def _name_in(removed: _Removed, entry: Entry, path: bytes) -> bytes | None:
    found = removed.get(entry)
    return found.get(_last(path), found[b""]) if isinstance(found, dict) else found


def _last(path: bytes) -> bytes:
    return path.rpartition(b"/")[2]


def _gone(
    reader: ObjectReader, ours: bytes, theirs: bytes, count: Count, known: Mapping[bytes, Tree]
) -> Iterator[tuple[bytes, Entry]]:
    """Yield path and entry of every file in ``theirs`` but not in ``ours``."""
    pending = {b"": (ours, theirs)}
    gone: dict[bytes, Entry] = {}
    while pending:
        data = read_trees(reader, {name for pair in pending.values() for name in pair}, known)
        deeper: dict[bytes, tuple[bytes, bytes]] = {}
        for path, pair in pending.items():
            for name, our, their in count.compare(data[pair[0]], data[pair[1]], len(ours) // 2):
                child = path + b"/" + name if path else name
                if their is None or (our and our[0] != TREE_MODE != their[0]):
                    continue
                if our and our[0] == their[0]:
                    deeper[child] = hex_name(our), hex_name(their)
                else:
                    gone[child] = their
        count.add([*deeper])
        pending = deeper
    yield from below(reader, gone, count)
