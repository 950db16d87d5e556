"""Finds paths in a tree, and lists its content. Pure: reads only through its reader."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from docs_sitemap.history.count import Count
from docs_sitemap.history.objects import ObjectReader
from docs_sitemap.history.trees import TREE_MODE, Entry, Tree
from docs_sitemap.history.wanted import Names

_ENTRIES_KEPT: Final = 10_000
"""Entries of trees that are kept to find more paths, and those of the last one."""


def entries(reader: ObjectReader, tree: bytes, count: Count) -> dict[bytes, Entry]:
    """Return the entries of the tree with this hex name."""
    return count.parse(reader.trees([tree])[tree], len(tree) // 2)


class Finder:
    """Finds paths in the trees of a commit; of trees that many of them pass, it keeps some."""

    def __init__(self, reader: ObjectReader, count: Count) -> None:
        self._reader = reader
        self._count = count
        self._known: dict[bytes, dict[bytes, Entry]] = {}
        self._kept = 0

    def find(self, tree: bytes, path: bytes) -> Entry | None:
        """Return the entry at a path, or ``None``; ``b""`` is the tree itself."""
        entry = (TREE_MODE, bytes.fromhex(tree.decode()))
        for name in path.split(b"/") if path else ():
            found = self._entries(hex_name(entry)).get(name) if entry[0] == TREE_MODE else None
            if found is None:
                return None
            entry = found
        return entry

    def _entries(self, tree: bytes) -> dict[bytes, Entry]:
        if tree not in self._known:
            if self._kept > _ENTRIES_KEPT:
                self._known.clear()
                self._kept = 0
            self._known[tree] = entries(self._reader, tree, self._count)
            self._kept += len(self._known[tree])
        return self._known[tree]


def list_files(reader: ObjectReader, tree: bytes, folders: Iterable[bytes]) -> dict[bytes, list[bytes]]:
    """Return, for each folder, the path of every file, link and submodule that a tree has at or below it.

    Raises the same errors as ``Count.add``, which counts the files of all folders.
    """
    count = Count()
    places: dict[bytes, bytes] = {}
    found: dict[bytes, list[bytes]] = {}
    finder = Finder(reader, count)
    for folder in folders:
        entry = finder.find(tree, folder)
        pending = {folder: entry} if entry else {}
        found[folder] = [path for path, _ in below(reader, pending, count, places)]
    return found


def below(
    reader: ObjectReader, pending: dict[bytes, Entry], count: Count, places: dict[bytes, bytes] | None = None
) -> Iterator[tuple[bytes, Entry]]:
    """Yield path and entry of every file at or below the ``pending`` entries, by path.

    All trees of one depth are read at once, and each only once. ``places`` are paths of trees that earlier
    calls listed for the user; to find renames, trees are listed without them. Raises the same errors as
    ``Count.add``.
    """
    places = {} if places is None else places
    yield from ((path, entry) for path, entry in pending.items() if entry[0] != TREE_MODE)
    folders = {path: hex_name(entry) for path, entry in pending.items() if entry[0] == TREE_MODE}
    while folders:
        trees = reader.trees({*folders.values()})
        parsed: dict[bytes, dict[bytes, Entry]] = {}
        deeper: dict[bytes, bytes] = {}
        for folder, name in folders.items():
            if name not in parsed:
                parsed[name] = count.parse(trees[name], len(name) // 2)
            found = parsed[name]
            paths = [folder + b"/" + child if folder else child for child in found]
            are_copies = places.setdefault(name, folder) != folder
            count.add(paths, are_copies=are_copies)
            for path, entry in zip(paths, found.values(), strict=True):
                if entry[0] == TREE_MODE:
                    deeper[path] = hex_name(entry)
                else:  # at once: of very many files, no other list has them all
                    yield path, entry
        folders = deeper


def files_among(
    reader: ObjectReader, tree: bytes, wanted: Names, count: Count
) -> Iterator[tuple[bytes, Entry]]:
    """Yield those wanted paths that are files, links or submodules in a tree, with their entries.

    All trees of one depth are read at once, and each only once.
    """
    return (each for each in entries_among(reader, tree, wanted, count) if each[1][0] != TREE_MODE)


def entries_among(
    reader: ObjectReader, tree: bytes, wanted: Names, count: Count
) -> Iterator[tuple[bytes, Entry]]:
    """Yield the same as ``files_among``, and the wanted paths that are folders."""
    return _entries_among(reader, {tree: [wanted]}, count)


def _entries_among(
    reader: ObjectReader, pending: Mapping[bytes, Sequence[Names]], count: Count
) -> Iterator[tuple[bytes, Entry]]:
    seen: set[tuple[bytes, int]] = set()
    while pending:
        pending = {name: fresh for name, places in pending.items() if (fresh := _fresh(name, places, seen))}
        trees = reader.trees(pending)
        deeper: defaultdict[bytes, list[Names]] = defaultdict(list)
        for tree_name, places in pending.items():
            found = count.parse(trees[tree_name], len(tree_name) // 2)
            # a common part is found by way of the smaller one
            for name, child in [(name, each[name]) for each in places for name in each.keys() & found.keys()]:
                entry = found[name]
                if isinstance(child, bytes):
                    yield child, entry
                elif entry[0] == TREE_MODE:
                    deeper[hex_name(entry)].append(child)
        pending = deeper


def _fresh(tree: bytes, places: Sequence[Names], seen: set[tuple[bytes, int]]) -> list[Names]:
    """Return the names that were not looked up in this tree before, and record them."""
    fresh = [names for names in places if (tree, id(names)) not in seen]
    seen.update((tree, id(names)) for names in fresh)
    return fresh


class Added(NamedTuple):
    """The wanted files that a tree has and another has not: ``files``, and those in ``folders`` of only ours.

    ``folders`` have the wanted names in each tree, by its hex name; they are not read yet.
    """

    files: dict[bytes, Entry]
    folders: dict[bytes, list[Names]]

    def all(self, reader: ObjectReader, count: Count) -> Iterator[tuple[bytes, Entry]]:
        """Yield path and entry of each file; raises the same errors as ``Count.parse``."""
        yield from self.files.items()
        for path, entry in _entries_among(reader, self.folders, count):
            if entry[0] != TREE_MODE:
                yield path, entry


def added_among(
    reader: ObjectReader,
    ours: bytes,
    theirs: bytes,
    wanted: Names,
    count: Count,
    *,
    known: Mapping[bytes, Tree],
) -> Added:
    """Return those wanted paths, all of them files in ``ours``, that are no files in ``theirs``.

    ``known`` are trees by name, which need not be read. Raises the same errors as ``Count.compare``.
    """
    added = Added({}, defaultdict(list))
    pending = [(ours, theirs, wanted)]
    while pending:
        data = read_trees(reader, {name for *pair, _ in pending for name in pair}, known)
        deeper: list[tuple[bytes, bytes, Names]] = []
        for our_tree, their_tree, names in pending:
            for name, our, their in count.compare(data[our_tree], data[their_tree], len(ours) // 2, names):
                child = names.get(name)
                if child is None or our is None:
                    continue
                is_folder = their is not None and their[0] == TREE_MODE
                if isinstance(child, bytes):
                    if their is None or is_folder:
                        added.files[child] = our
                elif our[0] != TREE_MODE:
                    continue
                elif their and is_folder:
                    deeper.append((hex_name(our), hex_name(their), child))
                else:
                    added.folders[hex_name(our)].append(child)
        pending = deeper
    return added


def read_trees(reader: ObjectReader, names: set[bytes], known: Mapping[bytes, Tree]) -> dict[bytes, Tree]:
    """Return trees by name; those that are ``known`` are not read."""
    unknown = [name for name in names if name not in known]  # ``-`` would go through all known ones
    read = reader.trees(unknown)
    return {name: Tree(read[name]) if name in read else known[name] for name in names}


def hex_name(entry: Entry) -> bytes:
    """Return the hex name of an entry's object."""
    return entry[1].hex().encode()
