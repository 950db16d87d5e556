"""The walk: which commit last changed each of many files, over any ``ObjectReader``.

For one file the answer of ``git log -1 -- FILE`` follows a single chain of commits: from HEAD,
at each commit on to the first parent that has the same blob and mode at the file's path; where
no parent has, that commit is the answer. So all files walk together, grouped by the commit they
stand on. The order of visits changes what the walk costs and never an answer: clock skew is
harmless. Pure: reads through its reader only.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Iterator

from docs_sitemap.history.change import Answer, Change, Reason, Unknown
from docs_sitemap.history.objects import TREE_MODE, Commit, MissingObjectError, ObjectReader

Wanted = dict[bytes, "bytes | Wanted"]
"""Wanted files as nested names; a leaf holds the whole path."""


def walk(
    reader: ObjectReader,
    paths: Iterable[bytes],
    shallow: frozenset[bytes] = frozenset(),
    *,
    clock: str = "committer",
    where: str = "",
) -> dict[bytes, Answer]:
    """Return for each path, from the repository's root, its last change or why it is unknown.

    ``shallow`` are the commits whose parents are cut off; ``where`` names the repository in
    unknown answers. Raises ``RepositoryError`` where HEAD cannot be read; an object missing
    further down leaves only the files that stand there unknown.
    """
    wanted = set(paths)
    head = reader.head()
    if head is None:
        return dict.fromkeys(wanted, Unknown(Reason.NO_COMMIT, where))
    commit = reader.commit(head)
    tracked = set(files_among(reader, commit.tree, nest(wanted)))
    answers: dict[bytes, Answer] = dict.fromkeys(wanted - tracked, Unknown(Reason.UNTRACKED, where))
    answers.update(_Walk(reader, shallow, clock, where).run(head, commit, tracked))
    return answers


def list_files(reader: ObjectReader, folder: bytes = b"") -> list[bytes]:
    """Return the path of every file, link and submodule that HEAD has at or below ``folder``."""
    head = reader.head()
    if head is None:
        return []
    entry = (TREE_MODE, reader.commit(head).tree)
    for name in folder.split(b"/") if folder else ():
        if entry[0] != TREE_MODE:
            return []
        found = reader.tree(entry[1]).get(name)
        if found is None:
            return []
        entry = (found[0], found[1].hex().encode())
    return list(_below(reader, entry, folder))


def _below(reader: ObjectReader, entry: tuple[bytes, bytes], path: bytes) -> Iterator[bytes]:
    mode, object_name = entry
    if mode != TREE_MODE:
        yield path
        return
    for name, (child_mode, child) in reader.tree(object_name).items():
        yield from _below(reader, (child_mode, child.hex().encode()), path + b"/" + name if path else name)


def nest(paths: Iterable[bytes]) -> Wanted:
    """Turn paths into nested names, so that trees can be compared side by side with them."""
    root: Wanted = {}
    for path in paths:
        *folders, name = path.split(b"/")
        node = root
        for folder in folders:
            child = node.setdefault(folder, {})
            if isinstance(child, bytes):  # also wanted as a file: only one of them can be tracked
                child = node[folder] = {}
            node = child
        node.setdefault(name, path)
    return root


def files_among(reader: ObjectReader, tree: bytes, wanted: Wanted) -> Iterator[bytes]:
    """Yield those wanted paths that are files, links or submodules in the tree."""
    entries = reader.tree(tree)
    for name, child in wanted.items():
        entry = entries.get(name)
        if entry is None:
            continue
        if isinstance(child, bytes):
            if entry[0] != TREE_MODE:
                yield child
        elif entry[0] == TREE_MODE:
            yield from files_among(reader, entry[1].hex().encode(), child)


class _Group:
    """The files that stand on one commit."""

    __slots__ = ("commit", "files", "nested", "nested_size")

    def __init__(self, commit: Commit, files: set[bytes]) -> None:
        self.commit = commit
        self.files = files
        self.nested: Wanted = {}
        self.nested_size = 0

    def wanted(self) -> Wanted:
        """Return the files as nested names; there may be some more of them than are here now."""
        if self.nested_size == 0 or self.nested_size > 2 * len(self.files):
            self.nested = nest(self.files)
            self.nested_size = len(self.files)
        return self.nested


class _Walk:
    def __init__(self, reader: ObjectReader, shallow: frozenset[bytes], clock: str, where: str) -> None:
        self._reader = reader
        self._shallow = shallow
        self._by_author = clock == "author"
        self._where = where
        self._groups: dict[bytes, _Group] = {}
        self._queue: list[tuple[int, bytes]] = []
        self._answers: dict[bytes, Answer] = {}

    def run(self, head: bytes, commit: Commit, files: set[bytes]) -> dict[bytes, Answer]:
        if files:
            self._arrive(head, _Group(commit, files))
        while self._queue:
            # the newest first, so that files which part at a merge meet again before they go on
            _, name = heapq.heappop(self._queue)
            group = self._groups.pop(name)
            try:
                self._leave(name, group)
            except MissingObjectError:
                self._answer(group.files, Unknown(Reason.UNREADABLE, self._where))
        return self._answers

    def _arrive(self, name: bytes, group: _Group) -> None:
        there = self._groups.get(name)
        if there is None:
            self._groups[name] = group
            heapq.heappush(self._queue, (-group.commit.committer_time, name))
        else:
            there.files |= group.files
            there.nested_size = 0

    def _leave(self, name: bytes, group: _Group) -> None:
        """Send each file on to the first parent that has it unchanged; the rest is answered."""
        commit = group.commit
        if name in self._shallow:
            self._answer(group.files, Unknown(Reason.BOUNDARY, self._where, commit.committer_time))
            return
        for parent_name in commit.parents:
            parent = self._reader.commit(parent_name)
            changed = group.files.intersection(self._changed(commit.tree, parent.tree, group.wanted()))
            if not changed:
                group.commit = parent
                self._arrive(parent_name, group)
                return
            if len(changed) < len(group.files):
                self._arrive(parent_name, _Group(parent, group.files - changed))
                group.files = changed
        time = commit.author_time if self._by_author else commit.committer_time
        self._answer(group.files, Change(name.decode(), time))

    def _answer(self, files: set[bytes], answer: Answer) -> None:
        self._answers.update(dict.fromkeys(files, answer))

    def _changed(self, tree: bytes, parent_tree: bytes, wanted: Wanted) -> list[bytes]:
        """Return the wanted paths at which the two trees differ in blob or mode."""
        changed: list[bytes] = []
        pending = [(tree, parent_tree, wanted)]
        while pending:
            ours, theirs, names = pending.pop()
            if ours == theirs:
                continue
            our_entries, their_entries = self._reader.tree(ours), self._reader.tree(theirs)
            for name, child in names.items():
                our, their = our_entries.get(name), their_entries.get(name)
                if our == their or our is None:
                    continue  # a name that our tree has not belongs to files that have gone on
                if isinstance(child, bytes):
                    changed.append(child)
                elif our[0] == TREE_MODE and their is not None and their[0] == TREE_MODE:
                    pending.append((our[1].hex().encode(), their[1].hex().encode(), child))
                else:
                    changed.extend(_leaves(child))
        return changed


def _leaves(wanted: Wanted) -> Iterator[bytes]:
    for child in wanted.values():
        if isinstance(child, bytes):
            yield child
        else:
            yield from _leaves(child)
