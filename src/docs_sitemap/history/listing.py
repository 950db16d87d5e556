"""Finds paths in a tree, and lists its content. Pure: reads only through its reader."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from docs_sitemap.history.change import Reason, RepositoryError
from docs_sitemap.history.objects import ObjectReader
from docs_sitemap.history.trees import TREE_MODE, Entry, count_entries, differing_entries, parse_tree
from docs_sitemap.history.wanted import Names
from docs_sitemap.limits import MAX_FILES, MAX_PATHS

_LARGE: Final = 1 << 20
"""Bytes of a tree that is worth counting first."""


def entries(reader: ObjectReader, tree: bytes) -> dict[bytes, Entry]:
    """Return the entries of the tree with this hex name."""
    return parse_tree(reader.trees([tree])[tree], len(tree) // 2)


def find(reader: ObjectReader, tree: bytes, path: bytes) -> Entry | None:
    """Return the entry at a path, or ``None``; ``b""`` is the tree itself."""
    entry = (TREE_MODE, bytes.fromhex(tree.decode()))
    for name in path.split(b"/") if path else ():
        if entry[0] != TREE_MODE:
            return None
        found = entries(reader, hex_name(entry)).get(name)
        if found is None:
            return None
        entry = found
    return entry


class Count:
    """Limits what is listed of a tree: a dozen trees that contain each other can have billions of files."""

    def __init__(self) -> None:
        self._files = self._bytes = 0

    def expect(self, data: bytes, name_size: int) -> None:
        """Refuse a large tree before it is parsed: that takes some twenty times its memory."""
        if len(data) > _LARGE:
            self._check(self._files + count_entries(data, name_size))

    def add(self, paths: Iterable[bytes]) -> None:
        """Count paths of files and folders; raises ``RepositoryError`` if there are too many."""
        for path in paths:
            self._files += 1
            self._bytes += len(path)
        self._check(self._files)
        if self._bytes > MAX_PATHS:
            raise RepositoryError(f"the paths of a tree have more than {MAX_PATHS:,} bytes", Reason.TOO_LARGE)

    @staticmethod
    def _check(files: int) -> None:
        if files > MAX_FILES:
            raise RepositoryError(f"a tree has more than {MAX_FILES:,} files", Reason.TOO_LARGE)


def list_files(reader: ObjectReader, tree: bytes, folder: bytes = b"") -> list[bytes]:
    """Return the path of every file, link and submodule that a tree has at or below ``folder``."""
    entry = find(reader, tree, folder)
    return [path for path, _ in below(reader, {folder: entry}, Count())] if entry else []


def below(reader: ObjectReader, pending: dict[bytes, Entry], count: Count) -> Iterator[tuple[bytes, Entry]]:
    """Yield path and entry of every file at or below the ``pending`` entries, by path.

    All trees of one depth are read at once, and each only once. Raises the same errors as ``Count.add``.
    """
    while pending:
        folders = {path: hex_name(entry) for path, entry in pending.items() if entry[0] == TREE_MODE}
        yield from ((path, entry) for path, entry in pending.items() if path not in folders)
        trees = reader.trees({*folders.values()})
        parsed: dict[bytes, dict[bytes, Entry]] = {}
        pending = {}
        for folder, name in folders.items():
            if name not in parsed:
                count.expect(trees[name], len(name) // 2)
                parsed[name] = parse_tree(trees[name], len(name) // 2)
            found = parsed[name]
            paths = [folder + b"/" + child if folder else child for child in found]
            count.add(paths)
            pending.update(zip(paths, found.values(), strict=True))


def files_among(reader: ObjectReader, tree: bytes, wanted: Names) -> Iterator[tuple[bytes, Entry]]:
    """Yield those wanted paths that are files, links or submodules in a tree, with their entries."""
    found = entries(reader, tree)
    for name, child in wanted.items():
        entry = found.get(name)
        if entry is None:
            continue
        if isinstance(child, bytes):
            if entry[0] != TREE_MODE:
                yield child, entry
        elif entry[0] == TREE_MODE:
            yield from files_among(reader, hex_name(entry), child)


def vanished(reader: ObjectReader, ours: bytes, theirs: bytes) -> Iterator[tuple[bytes, Entry]]:
    """Yield path and entry of every file in ``theirs`` but not in ``ours``; raises like ``Count.add``."""
    count = Count()
    pending = {b"": (ours, theirs)}
    gone: dict[bytes, Entry] = {}
    while pending:
        data = reader.trees({name for pair in pending.values() for name in pair})
        deeper: dict[bytes, tuple[bytes, bytes]] = {}
        for path, pair in pending.items():
            for name, our, their in differing_entries(data[pair[0]], data[pair[1]], len(ours) // 2):
                child = path + b"/" + name if path else name
                if their is None or (our and our[0] != TREE_MODE != their[0]):
                    continue
                if our and our[0] == their[0]:
                    deeper[child] = hex_name(our), hex_name(their)
                else:
                    gone[child] = their
        count.add(deeper)
        pending = deeper
    yield from below(reader, gone, count)


def hex_name(entry: Entry) -> bytes:
    """Return the hex name of an entry's object."""
    return entry[1].hex().encode()
