"""Finds paths in a tree, and lists its content. Pure: reads only through its reader."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from docs_sitemap.history.change import Reason, RepositoryError
from docs_sitemap.history.objects import ObjectReader
from docs_sitemap.history.trees import TREE_MODE, Entry, count_entries, differing_entries, parse_tree
from docs_sitemap.history.wanted import Names
from docs_sitemap.limits import (
    MAX_COPIES,
    MAX_DIFFERENCES,
    MAX_FILES,
    MAX_PATHS,
    MAX_SKIPS,
    MAX_STEPS,
    MAX_TURNS,
)

_LARGE: Final = 1 << 20
"""Bytes of a tree that is worth counting first."""

_USUAL_TURNS: Final = 10
"""Turns of a file in a history with many merges: the most in 80 public repositories are 2.4."""

_USUAL_DIFFERENCES: Final = 100
"""Entries that a commit changes in the folders on the way to the files that are looked for."""

_USUAL_WALKS: Final = 10
"""Walks through the whole history: files have few former names, and those are looked for together."""


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
    """Limits the work for one question: a dozen trees that contain each other can have billions of files."""

    def __init__(self) -> None:
        self._files = self._bytes = self._copies = self._turns = self._skips = 0
        self._steps = self._longest = self._differences = 0

    def expect(self, data: bytes, name_size: int) -> None:
        """Refuse a large tree before it is parsed: that takes some twenty times its memory."""
        if len(data) > _LARGE:
            self._check(self._files + count_entries(data, name_size))

    def add(self, paths: Sequence[bytes], *, are_copies: bool = False) -> None:
        """Count paths of files and folders; raises ``RepositoryError`` if there are too many.

        ``are_copies`` tells whether the same tree has been listed in another place.
        """
        self._files += len(paths)
        self._bytes += sum(map(len, paths))
        self._copies += len(paths) * are_copies
        self._check(self._files)
        if self._copies > MAX_COPIES:
            text = f"folders with the same content have more than {MAX_COPIES:,} files"
            raise RepositoryError(text, Reason.TOO_LARGE)
        if self._bytes > MAX_PATHS:
            raise RepositoryError(f"the paths of a tree have more than {MAX_PATHS:,} bytes", Reason.TOO_LARGE)

    def turn(self, files: int, of: int) -> None:
        """Count how many ``of`` the files of a walk change in a commit; raises ``RepositoryError``."""
        self._turns += files
        if self._turns > MAX_TURNS + _USUAL_TURNS * of:
            text = f"more than {MAX_TURNS:,} changes of files are in ignored commits or only in merges"
            raise RepositoryError(text, Reason.TOO_LARGE)

    def differ(self, entries: int, steps: int) -> None:
        """Count entries in which trees differ, in a walk of so many steps; raises ``RepositoryError``."""
        self._differences += entries
        if self._differences > MAX_DIFFERENCES + _USUAL_DIFFERENCES * steps:
            text = f"commits change more than {MAX_DIFFERENCES:,} entries of the folders with the files"
            raise RepositoryError(text, Reason.TOO_LARGE)

    def step(self, commits: int, of: int) -> None:
        """Count commits that a walk passes, which has passed ``of`` in all; raises ``RepositoryError``."""
        self._steps += commits
        self._longest = max(self._longest, of)
        if self._steps > MAX_STEPS + _USUAL_WALKS * self._longest:
            text = f"renames lead through the history again, for more than {MAX_STEPS:,} commits"
            raise RepositoryError(text, Reason.TOO_LARGE)

    def skip(self, commits: int) -> None:
        """Count the skipped commits of a file that was renamed; raises ``RepositoryError``."""
        self._skips += commits
        if self._skips > MAX_SKIPS:
            raise RepositoryError(f"more than {MAX_SKIPS:,} skipped commits of files", Reason.TOO_LARGE)

    @staticmethod
    def _check(files: int) -> None:
        if files > MAX_FILES:
            raise RepositoryError(f"a tree has more than {MAX_FILES:,} files", Reason.TOO_LARGE)


def list_files(reader: ObjectReader, tree: bytes, folders: Iterable[bytes]) -> dict[bytes, list[bytes]]:
    """Return, for each folder, the path of every file, link and submodule that a tree has at or below it.

    Raises the same errors as ``Count.add``, which counts the files of all folders.
    """
    count = Count()
    places: dict[bytes, bytes] = {}
    found: dict[bytes, list[bytes]] = {}
    for folder in folders:
        entry = find(reader, tree, folder)
        pending = {folder: entry} if entry else {}
        found[folder] = [path for path, _ in below(reader, pending, count, places)]
    return found


def below(
    reader: ObjectReader, pending: dict[bytes, Entry], count: Count, places: dict[bytes, bytes] | None = None
) -> Iterator[tuple[bytes, Entry]]:
    """Yield path and entry of every file at or below the ``pending`` entries, by path.

    All trees of one depth are read at once, and each only once. ``places`` are paths of trees that earlier
    calls listed. Raises the same errors as ``Count.add``.
    """
    places = {} if places is None else places
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
            count.add(paths, are_copies=places.setdefault(name, folder) != folder)
            pending.update(zip(paths, found.values(), strict=True))


def files_among(
    reader: ObjectReader, tree: bytes, wanted: Names, seen: set[tuple[bytes, int]] | None = None
) -> Iterator[tuple[bytes, Entry]]:
    """Yield those wanted paths that are files, links or submodules in a tree, with their entries.

    All trees of one depth are read at once, and each only once. Names that were ``seen`` in the same tree, by
    an earlier call with the same ``wanted``, are not looked up again.
    """
    return (each for each in entries_among(reader, tree, wanted, seen) if each[1][0] != TREE_MODE)


def entries_among(
    reader: ObjectReader, tree: bytes, wanted: Names, seen: set[tuple[bytes, int]] | None = None
) -> Iterator[tuple[bytes, Entry]]:
    """Yield the same as ``files_among``, and the wanted paths that are folders."""
    seen = set() if seen is None else seen
    pending = {tree: [wanted]}
    while pending:
        pending = {name: fresh for name, places in pending.items() if (fresh := _fresh(name, places, seen))}
        trees = reader.trees(pending)
        deeper: defaultdict[bytes, list[Names]] = defaultdict(list)
        for tree_name, places in pending.items():
            found = parse_tree(trees[tree_name], len(tree_name) // 2)
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


def vanished(reader: ObjectReader, ours: bytes, theirs: bytes, count: Count) -> Iterator[tuple[bytes, Entry]]:
    """Yield path and entry of every file in ``theirs`` but not in ``ours``; raises like ``Count.add``."""
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
        count.add([*deeper])
        pending = deeper
    yield from below(reader, gone, count)


def hex_name(entry: Entry) -> bytes:
    """Return the hex name of an entry's object."""
    return entry[1].hex().encode()
