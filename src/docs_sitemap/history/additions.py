"""Finds which commit added each of many files: like ``git log --diff-filter=A -1 -- FILE``.

git passes commits from the newest to the oldest, by date. From a merge, it follows a file to the first parent
that has the same there, and to all parents if none has. The first commit with one parent or none that has the
file, and whose parent does not, is the answer; git shows no changes of merges. So this walk takes the commits
in the order of one stream, with the files that have come to each; a file can be at several commits.
What it passes on the way tells each file's last change too. Pure: reads only through its reader.
"""

from __future__ import annotations

import heapq
from collections import defaultdict
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Final, NamedTuple, cast

from docs_sitemap.history.change import Reason, RepositoryError
from docs_sitemap.history.count import Count
from docs_sitemap.history.listing import below, entries_among, files_among, hex_name
from docs_sitemap.history.objects import Ancestor, Commit, ObjectReader
from docs_sitemap.history.renames import Renames
from docs_sitemap.history.trees import TREE_MODE, Entry, Tree
from docs_sitemap.history.walk import Walk
from docs_sitemap.history.wanted import Names, nest

_TOGETHER: Final = 1024
"""Commits of the stream whose folders are read together."""
_FIRST: Final = 32
"""Those that are read first: most files that are looked for under former names are answered soon."""
_RECENT: Final = 8 * _TOGETHER
"""Commits that are kept: where dates are not in order, some are passed again."""
_PAIRS: Final = 4 * _TOGETHER
"""Commits and parents that are compared together: very many merges may have very many parents."""
_LATE_TOGETHER: Final = 32
_LATE_STEPS: Final = 50
"""What a commit costs that is passed again, in steps. Grafts can form a cycle, which would never end."""
_DENSE: Final = 0.5
"""Share of steps that change a folder, above which a deeper folder is used."""
_WORK_OF_A_TURN: Final = 16
_LOOKUPS_OF_WORK: Final = 32
_FEW: Final = 31
_NONE: Final = b""
"""In the place of a tree that does not exist: one without entries."""


class Difference(NamedTuple):
    """The wanted paths at which two folders differ: in ours, ``new`` are not in theirs at all.

    At those in ``folders``, ours or theirs is a folder, in which git looks for additions too.
    """

    changed: set[bytes]
    new: set[bytes]
    folders: set[bytes]


_SAME: Final = Difference(set(), set(), set())


class AdditionWalk(Walk):
    """Walks like ``Walk``; ``answered`` has the files by the commit that added them.

    ``changed`` has, beside that, the files by the commit that last changed them, if it is no rename and
    no ignored commit. ``undecided`` has the files for which no commit is right, with the reason.
    """

    def __init__(
        self,
        reader: ObjectReader,
        files: set[bytes],
        renames: Renames | None,
        count: Count,
        shallow: frozenset[bytes],
    ) -> None:
        # files that are answered, and at other commits too: the commit, and the oldest date passed before
        self._decided: dict[bytes, tuple[bytes, int]] = {}
        super().__init__(reader, files, renames=renames, count=count)
        self._shallow = shallow
        self._unchanged = set(self.unanswered)
        self._live: dict[bytes, set[bytes]] = {}
        self._folders: dict[bytes, bytes] = {}
        self._differences: dict[bytes, list[Difference]] = {}
        # by folders and the identity of names: histories may have the same few trees in each commit
        self._compared: dict[tuple[bytes, bytes, int], Difference] = {}
        self._below: dict[int, Names] = {}
        self._passed: set[bytes] = set()
        self._recent: dict[bytes, Ancestor] = {}
        self._coming: dict[bytes, Ancestor] = {}
        self._late: list[tuple[int, int, Ancestor]] = []
        self._lowest = self._newest = 1 << 63
        self._work = 0
        self._branched: set[bytes] = set()

    def run(self, starts: Mapping[bytes, set[bytes]]) -> None:
        """Answer all files, which are given by the commit to start from; no file has two starts.

        If broken objects raise an error, the remaining files stay unanswered.
        """
        self._live = {commit: set(files) for commit, files in starts.items() if files}
        try:
            with self._reader.ancestors([*self._live]) as stream:
                self._follow_stream(stream)
        except Exception:  # but not the end of the budget, in whose place there would be another error
            self._read_commits()
            raise
        self._read_commits()

    def _follow_stream(self, stream: Iterator[Ancestor]) -> None:
        broken = None
        together = _FIRST
        while broken is None and self._is_open():
            nodes: list[Ancestor] = []
            try:
                nodes.extend(islice(stream, together))
            except RepositoryError as problem:  # what came before is passed first
                broken = problem
            if not nodes:
                break
            together = min(2 * together, _TOGETHER)
            self._count.step(len(nodes), len(self._passed) + len(nodes))
            self._pass_all(nodes)
            self._differences.clear()
            self._forget_compared()
            self._forget_decided()
            self._newest = nodes[-1].date
            if len(self.unanswered) * 2 <= self._nested:
                self._nest()
        while self._late:
            self._pass_late()
        if broken is not None:
            raise broken

    def _is_open(self) -> bool:
        """Tell whether a file is not answered, or another commit may still precede its answer."""
        return bool(self.unanswered) or any(lowest <= self._newest for _, lowest in self._decided.values())

    def _read_commits(self) -> None:
        """Read the commits that are answers; files whose commit cannot be read are not answered."""
        names = self.answered.keys() | self.changed.keys()
        try:
            found = self._reader.commits(names - self.commits.keys())
            self.commits.update({name: commit._replace(data=b"") for name, commit in found.items()})
        finally:
            for name in names - self.commits.keys():
                self.unanswered |= self.answered.pop(name, set())
                self.changed.pop(name, None)

    def _wanted(self) -> Iterable[bytes]:
        """Return the files whose answer another commit may still precede too."""
        return self.unanswered | self._decided.keys()

    def _use(self, folder: bytes, names: Names) -> None:
        super()._use(folder, names)
        self._folders = {}
        self._forget_compared()

    def _forget_compared(self) -> None:
        """Forget all comparisons together: keys are identities of names that others keep."""
        self._compared = {}
        self._below = {}

    def _pass_all(self, nodes: Sequence[Ancestor]) -> None:
        for number, node in enumerate(nodes):
            while self._late and -self._late[0][0] > node.date:
                self._pass_late()
            self._passed.add(node.name)
            self._recent[node.name] = node
            if node.name in self._live:
                self._pass(node, nodes, number)
            self._folders.pop(node.name, None)
        for name in [*islice(self._recent, max(0, len(self._recent) - _RECENT))]:
            del self._recent[name]

    def _pass_late(self) -> None:
        node = heapq.heappop(self._late)[2]
        self._count.step(_LATE_STEPS, len(self._passed))
        chain = {node.name: node}
        parent = self._recent.get(node.parents[0]) if node.parents else None
        while parent and parent.name not in chain and len(chain) < _LATE_TOGETHER:
            chain[parent.name] = parent
            parent = self._recent.get(parent.parents[0]) if parent.parents else None
        self._pass(node, [*chain.values()])

    def _pass(self, node: Ancestor, nodes: Sequence[Ancestor], number: int = 0) -> None:
        """Move the files that have come to a commit to its parents, or answer them."""
        files = self._live.pop(node.name)
        self._lowest = min(self._lowest, node.date)
        if self._decided:  # very many files may be answered, and wait at an old commit for all others to pass
            self._charge(min(len(self._decided), len(files)) // _LOOKUPS_OF_WORK)
        if not self._decided.keys().isdisjoint(files):
            self._drop_decided(node, files)
        if not files:
            return
        if not node.parents:
            self._end(node, files)
            return
        if node.name not in self._differences:
            self._live[node.name] = files
            self._prepare(nodes[number:])
            del self._live[node.name]
        differences = self._differences.pop(node.name)
        turned = files & differences[0].changed if differences[0].changed else set()
        if turned:
            self._charge(len(turned) * len(node.parents))
            files -= turned  # a copy, at each commit that changes one of very many files, would take minutes
            if len(node.parents) > 1:
                self._pass_merge(node, turned, differences)
            else:
                files |= self._pass_change(node, turned, differences[0])
        self._move(node.parents[0], files)

    def _pass_change(self, node: Ancestor, files: set[bytes], difference: Difference) -> set[bytes]:
        """Answer the files that a commit adds; return the others."""
        self._note(node, files)
        added = files & difference.new
        odd = (files & difference.folders) - added
        if odd:
            added = added | self._added_among(node, odd)
            self._give_up(node, odd - added, Reason.FOLDER)
        if added:
            self._settle_added(node, added)
        return files - added - odd

    def _pass_merge(self, node: Ancestor, files: set[bytes], differences: list[Difference]) -> None:
        """Move each file to the first parent that has the same, or to all parents."""
        parents = node.parents
        for parent, difference in zip(parents[1:], differences[1:], strict=True):
            if not files:
                return
            self._move(parent, files - difference.changed)
            files = files & difference.changed
        if not files:
            return
        self._count.turn(len(files) * len(parents), self._number)
        created = files.intersection(*(each.new for each in differences))
        if self._renames:  # that of a file with another name in a parent may be before, and is not looked for
            self._unchanged -= files.intersection(set().union(*(each.new for each in differences))) - created
        self._note(node, files)
        followed: set[bytes] = set()
        if created and self._renames:
            open_ones = created - self._decided.keys()
            followed = self._follow(self._renames, node.name, self._commit(node), open_ones)
            self._stop(followed, node.name)
        self._give_up(node, created - followed, Reason.MERGED)
        odd = files.intersection(set().union(*(each.folders for each in differences))) - created
        self._give_up(node, odd, Reason.FOLDER)
        files = files - created - odd
        self._branched |= files
        for parent in parents:
            self._move(parent, set(files))

    def _end(self, node: Ancestor, files: set[bytes]) -> None:
        """Answer the files at a commit without parents: those that it has."""
        here = {path for path, _ in files_among(self._reader, node.tree, nest(files), self._count)}
        if node.name in self._shallow:
            here = files
        if here:
            self._note(node, here)
            self._settle_added(node, here)

    def _settle_added(self, node: Ancestor, files: set[bytes]) -> None:
        again = files & self._decided.keys()
        for path in again:
            if self._decided[path][0] != node.name:
                self.undecided.setdefault(path, Reason.SAME_TIME)
        files = files - again
        self._stop(files, node.name)
        if self._renames:
            files = files - self._follow(self._renames, node.name, self._commit(node), files)
        self.answered.setdefault(node.name, set()).update(files)
        self.unanswered -= files

    def _commit(self, node: Ancestor) -> Commit:
        return self._reader.commits([node.name])[node.name]

    def _stop(self, files: Iterable[bytes], commit: bytes) -> None:
        """Record that files are answered, which may be at other commits too."""
        branched = self._branched.intersection(files)
        self._decided.update(dict.fromkeys(branched, (commit, self._lowest)))

    def _drop_decided(self, node: Ancestor, files: set[bytes]) -> None:
        """Drop the files that are answered, except those whose answer another commit may still precede.

        Of commits with one date, git passes first the one that it has met first on the way of this file
        alone, and then the ancestors of that one that are not older.
        """
        answered = files & self._decided.keys()
        self._charge(len(answered))
        files -= {path for path in answered if node.date < self._decided[path][1]}

    def _forget_decided(self) -> None:
        """Forget the answered files that are at no other commit, which costs time at each commit."""
        found: set[bytes] = set()
        for files in self._live.values():
            found |= self._decided.keys() & files
        self._decided = {path: self._decided[path] for path in found}

    def _give_up(self, node: Ancestor, files: set[bytes], reason: Reason) -> None:
        self._stop(files, node.name)
        self.undecided.update(dict.fromkeys(files, reason))
        self.unanswered -= files
        if reason is Reason.FOLDER and self._renames and node.name in self.changed:
            self.changed[node.name] -= files  # a rename may have brought them here, and is not looked for

    def _charge(self, work: int) -> None:
        """Count work with single files that takes far less time than a turn of ``Walk``."""
        self._work += work
        self._count.turn(self._work // _WORK_OF_A_TURN, self._number)
        self._work %= _WORK_OF_A_TURN

    def _note(self, node: Ancestor, files: set[bytes]) -> None:
        """Record a file's last change: the first commit that changes it."""
        first = files & self._unchanged
        if first:
            self._unchanged -= first
            self.changed.setdefault(node.name, set()).update(first)

    def _move(self, parent: bytes, files: set[bytes]) -> None:
        """Add files to those of a parent; a parent that has been passed is passed again, in its turn."""
        if not files:
            return
        there = self._live.get(parent)
        if there is None:
            self._live[parent] = files
            if parent in self._passed:
                node = self._recent.get(parent) or self._ancestor(parent)
                heapq.heappush(self._late, (-node.date, len(self._late), node))
        elif len(there) < len(files):
            files |= there
            self._live[parent] = files
        else:
            there |= files

    def _ancestor(self, name: bytes) -> Ancestor:
        commit = self._reader.commits([name])[name]
        return Ancestor(name, commit.committer_time or 0, commit.tree, commit.parents)

    def _added_among(self, node: Ancestor, paths: Iterable[bytes]) -> set[bytes]:
        """Return the files in the place of a folder that are additions, not perhaps renamed files of it."""
        names = nest(paths)
        ours = dict(files_among(self._reader, node.tree, names, self._count))
        before = self._reader.commits(node.parents)[node.parents[0]].tree
        there = entries_among(self._reader, before, names, self._count)
        theirs = {path: entry for path, entry in there if path in ours}
        trees = {hex_name(entry): entry for entry in theirs.values()}  # many folders may have the same
        had: defaultdict[bytes, set[object]] = defaultdict(set)
        for path, entry in below(self._reader, trees, self._count):
            had[path.partition(b"/")[0]].add(_likeness(entry))
        return {path for path, entry in theirs.items() if _likeness(ours[path]) not in had[hex_name(entry)]}

    def _prepare(self, nodes: Sequence[Ancestor]) -> None:
        """Read what changes in the commits that files will pass, as far as these are known."""
        if len(self._compared) > _PAIRS:
            self._forget_compared()
        by_name = self._coming = {node.name: node for node in nodes}
        frontier: Iterable[bytes] = dict.fromkeys((nodes[0].name, *self._live))
        room = _PAIRS
        while frontier and room > 0:
            chain: dict[bytes, Ancestor] = {}
            for name in frontier:
                node = by_name.get(name)
                while node and room > 0 and not self._is_read(node, chain):
                    chain[node.name] = node
                    room -= len(node.parents)
                    node = by_name.get(node.parents[0])
            frontier = self._read_differences([*chain.values()]) if chain else ()

    def _is_read(self, node: Ancestor, chain: Container[bytes]) -> bool:
        return not node.parents or node.name in chain or node.name in self._differences

    def _read_differences(self, nodes: Sequence[Ancestor]) -> list[bytes]:
        """Read in what commits differ from their parents; return the parents to which files may move."""
        self._read_folders([*nodes], [node.parents[0] for node in nodes])
        firsts = self._differ([(node.name, node.parents[0], self._names) for node in nodes])
        merges = []
        for node, first in zip(nodes, firsts, strict=True):
            self._differences[node.name] = [first]
            if first.changed and len(node.parents) > 1:
                merges.append(node)
        if merges:
            self._read_others(merges)
        if len(nodes) > _FEW and sum(first is not _SAME for first in firsts) > _DENSE * len(nodes):
            self._deepen()
        return [parent for node in merges for parent in node.parents[1:]]

    def _read_others(self, merges: Sequence[Ancestor]) -> None:
        """Read in what merges differ from their further parents, of what differs from the first."""
        self._read_folders([], [parent for node in merges for parent in node.parents[1:]])
        asked = []
        for node in merges:
            first = self._differences[node.name][0]
            if id(first) not in self._below:
                self._below[id(first)] = self._below_folder(first.changed)
            names = self._below[id(first)]
            asked += [(node.name, parent, names) for parent in node.parents[1:]]
        for (name, _, _), found in zip(asked, self._differ(asked), strict=True):
            self._differences[name].append(found)

    def _below_folder(self, paths: Iterable[bytes]) -> Names:
        names = nest(paths)
        for part in self._folder.split(b"/") if self._folder else ():
            names = cast(Names, names[part])
        return names

    def _read_folders(self, nodes: Iterable[Ancestor], parents: Iterable[bytes]) -> None:
        """Read the name of the folder's tree in each commit."""
        trees = {node.name: node.tree for node in nodes if node.name not in self._folders}
        for name in parents:
            if name not in self._folders and name not in trees:
                node = self._recent.get(name) or self._coming.get(name)
                trees[name] = node.tree if node else name
        found = self._reader.folders({*trees.values()}, self._folder)
        self._folders.update({name: found[tree] or _NONE for name, tree in trees.items()})

    def _differ(self, asked: Iterable[tuple[bytes, bytes, Names]]) -> list[Difference]:
        """Return in which of the names the folders of each two commits differ."""
        result = []
        pending: list[tuple[Difference, bytes, bytes, Names]] = []
        for our_commit, their_commit, names in asked:
            ours, theirs = self._folders[our_commit], self._folders[their_commit]
            if ours == theirs:
                result.append(_SAME)
                continue
            key = ours, theirs, id(names)
            if key not in self._compared:
                self._compared[key] = Difference(set(), set(), set())
                pending.append((self._compared[key], ours, theirs, names))
            result.append(self._compared[key])
        depth = 0
        while pending:
            deeper: list[tuple[Difference, bytes, bytes, Names]] = []
            for part in self._in_parts(pending, depth):
                self._trees[_NONE] = Tree(b"")
                deeper += [each for compared in part for each in self._sort_out(*compared)]
            pending = deeper
            depth += 1
        return result

    def _sort_out(
        self, found: Difference, ours: bytes, theirs: bytes, names: Names
    ) -> Iterator[tuple[Difference, bytes, bytes, Names]]:
        """Add in what two folders differ to ``found``; yield the sub-folders to compare next."""
        size = len(ours or theirs) // 2
        for name, our, their in self._count.compare(self._trees[ours], self._trees[theirs], size, names):
            child = names.get(name)
            if child is None:
                continue
            if isinstance(child, bytes):
                found.changed.add(child)
                if _is_tree(our) or _is_tree(their):
                    found.folders.add(child)
                elif their is None:
                    found.new.add(child)
            elif _is_tree(our) or _is_tree(their):
                yield found, _tree(our), _tree(their), child


def _likeness(entry: Entry) -> object:
    """Return what a file has in common with its former name: of regular files, git compares contents too."""
    return b"100" if entry[0].startswith(b"100") else entry


def _is_tree(entry: Entry | None) -> bool:
    return entry is not None and entry[0] == TREE_MODE


def _tree(entry: Entry | None) -> bytes:
    return hex_name(entry) if entry is not None and entry[0] == TREE_MODE else _NONE
