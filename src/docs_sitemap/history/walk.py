"""Finds which commit last changed each of many files, over any ``ObjectReader``.

For one file, the answer of ``git log -1 -- FILE`` follows a single chain of commits: it starts at HEAD and
goes from each commit to the first parent that has the same blob and mode at the file's path; if no parent
has, that commit is the answer. So files walk together in groups, along runs of first parents; a group only
splits if a merge took some of its files from another parent. The changes between a commit and its first
parent are computed once, for all files not yet answered, so that a group reads nothing again at a commit
that another group has passed. The order of the groups affects the cost of the walk, but never an answer.
Pure: reads only through its reader.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from itertools import pairwise
from typing import Any, NamedTuple, TypeVar

from docs_sitemap.history.change import Reason, Skipped
from docs_sitemap.history.count import Count
from docs_sitemap.history.listing import added_among, hex_name
from docs_sitemap.history.objects import Commit, ObjectReader
from docs_sitemap.history.renames import Renames
from docs_sitemap.history.trees import TREE_MODE, Tree
from docs_sitemap.history.wanted import Names, common_folder, leaves, nest

_FIRST_RUN = 2
_LONGEST_RUN = 63
_FEW = 4
"""Parents of a merge that are compared without being counted: of those with more, there are few."""
_DENSE = 0.5
"""Share of steps that change a folder, above which a deeper folder is used."""
_TREES_KEPT = 16 << 20
"""Bytes of trees that are kept for the next comparison."""
_TREES_TOGETHER = 32 << 20
"""Bytes of trees that are read at once, if those of one depth have about the same size."""
_LEAST_SIZE = 64
_SIZE = 1 << 20
"""The size of a tree at a depth of which none has been read."""

_PARTS_OF_A_TURN = 4

Pair = tuple[bytes | None, bytes | None]
Comparison = TypeVar("Comparison", bound=tuple[Any, bytes, bytes, Names])
_NOTHING: frozenset[bytes] = frozenset()


class Move(NamedTuple):
    """A rename: ``old_names`` of files that a commit has and its ``parent`` has under those names."""

    commit: bytes
    parent: bytes
    old_names: dict[bytes, bytes]


class _Found(NamedTuple):
    """In what two folders differ: single ``files``, and all wanted files of ``folders`` that theirs lacks.

    ``lacked`` are those of the single files that theirs has not at all.
    """

    files: set[bytes]
    folders: list[frozenset[bytes]]
    lacked: set[bytes]


class _Changes(NamedTuple):
    """The wanted files in which our folder differs from theirs, and those of them that theirs lacks.

    The second is only known if some commits are ignored.
    """

    files: frozenset[bytes]
    lacked: frozenset[bytes]


class _Group:
    """Files that have reached the same commit, and the length of the next run to ask for."""

    __slots__ = ("commit", "files", "length")

    def __init__(self, commit: bytes, files: set[bytes]) -> None:
        self.commit = commit
        self.files = files
        self.length = _FIRST_RUN


class Walk:
    """Walks from one commit, which must have all the files, or from several, each with files of its own.

    ``answered`` has the files by the commit that last changed them, and ``commits`` has those commits
    without their content. With ``renames``, those are followed: ``moved`` has each, and its files are not
    followed further. ``unanswered`` has the files that are left if an object is missing or broken. ``skips``
    has the ignored commits that were skipped for each file. ``undecided`` and ``changed`` are only of
    ``AdditionWalk``.
    """

    def __init__(
        self,
        reader: ObjectReader,
        files: set[bytes],
        ignored: frozenset[bytes] = frozenset(),
        renames: Renames | None = None,
        count: Count | None = None,
    ) -> None:
        self.answered: dict[bytes, set[bytes]] = {}
        self.commits: dict[bytes, Commit] = {}
        self.moved: list[Move] = []
        self.unanswered: set[bytes] = files
        self._number = len(files)
        self.skips: dict[bytes, list[Skipped]] = {}
        self.undecided: dict[bytes, Reason] = {}
        self.changed: dict[bytes, set[bytes]] = {}
        self._reader = reader
        self._ignored = ignored
        self._renames = renames
        self._count = count or Count()
        # by commit: its first parent (or None), and the files that differ from it
        self._steps: dict[bytes, tuple[bytes | None, frozenset[bytes]]] = {}
        # by the first commit of a run: its last one, and the files that differ in any of its steps
        self._jumps: dict[bytes, tuple[bytes, frozenset[bytes]]] = {}
        # by an ignored commit and a parent of it: the files that only the commit has
        self._lacked: dict[tuple[bytes, bytes], frozenset[bytes]] = {}
        self._trees: dict[bytes, Tree] = {}
        self._turned: dict[bytes, set[bytes]] = {}
        self._kept = 0
        self._largest: dict[int, int] = {}
        self._depth = 1
        self._nest()

    def run(self, starts: Mapping[bytes, set[bytes]]) -> None:
        """Answer all files, which are given by the commit to start from; no file has two starts.

        If broken objects raise an error, the remaining files stay unanswered.
        """
        groups = [_Group(commit, set(files)) for commit, files in starts.items() if files]
        while groups:
            turning = [turn for group in groups for turn in self._advance(group)]
            groups = [group for group in groups if group.files]
            groups = _joined(groups + self._turn(turning))
            if len(self.unanswered) * 2 <= self._nested:
                self._nest()
            self._read_steps(groups)

    def _nest(self) -> None:
        """Nest the unanswered files; repeated each time half of them are answered."""
        self._all_names = nest(self._wanted())
        self._nested = len(self.unanswered)
        self._use(*common_folder(self._all_names, self._depth))

    def _wanted(self) -> Iterable[bytes]:
        return self.unanswered

    def _deepen(self) -> None:
        """Use a deeper folder, if one has all names; they are not nested again, which takes time for each."""
        self._depth += 1
        folder, names = common_folder(self._all_names, self._depth)
        if folder != self._folder:
            self._use(folder, names)

    def _use(self, folder: bytes, names: Names) -> None:
        self._folder, self._names = folder, names
        self._largest = {}
        self._leaves: dict[int, frozenset[bytes]] = {}

    def _advance(self, group: _Group) -> list[tuple[bytes, set[bytes]]]:
        """Follow the known steps; return the commits at which files differ."""
        turning: list[tuple[bytes, set[bytes]]] = []
        limit = len(self._steps) + 1
        while group.files and group.commit in self._steps:
            limit -= 1
            if limit < 0:  # grafts and replacements can form a cycle, in which no file is ever answered
                group.files = set()
                break
            # past the whole run, if none of its steps changes these files: many groups may follow it
            last, differing = self._jumps.get(group.commit, (b"", _NOTHING))
            if last and differing.isdisjoint(group.files):
                group.commit = last
                continue
            parent, changed = self._steps[group.commit]
            if parent is None:
                turning.append((group.commit, group.files))
                group.files = set()
                break
            if changed and not changed.isdisjoint(group.files):
                turned = group.files & changed
                turning.append((group.commit, turned))
                group.files -= turned
            group.commit = parent
        return turning

    def _turn(self, turning: list[tuple[bytes, set[bytes]]]) -> list[_Group]:
        """Move files that differ from the first parent to another parent, or answer them."""
        groups: list[_Group] = []
        turning = _together(turning)
        commits = self._reader.commits({name for name, _ in turning})
        compared: dict[bytes, set[bytes | None]] = {}
        position = 1
        while turning:
            merges: list[tuple[bytes, Sequence[bytes], set[bytes]]] = []
            for name, arrived in turning:
                commit = commits[name]
                files = self._once(name, arrived) if position == 1 else arrived
                if not files:
                    continue
                if commit.parents and self._steps[name][0] is None:
                    continue  # its first parent is missing: these files stay unanswered
                # twice as many each time: a merge may have thousands of parents
                if parents := commit.parents[position : 2 * position]:
                    merges.append((name, parents, files))
                else:
                    groups += self._settle(name, commit, files)
            turning = self._compare_parents(merges, groups, compared)
            position *= 2
        return groups

    def _once(self, name: bytes, files: set[bytes]) -> set[bytes]:
        """Return the files that have not turned at this commit before; the others are in a cycle."""
        before = self._turned.setdefault(name, set())
        files = files - before
        before |= files
        self._count.turn(len(files), self._number)
        return files

    def _compare_parents(
        self,
        merges: list[tuple[bytes, Sequence[bytes], set[bytes]]],
        groups: list[_Group],
        compared: dict[bytes, set[bytes | None]],
    ) -> list[tuple[bytes, set[bytes]]]:
        """Move files to the first parent that has them unchanged; return those that differ from all.

        Of the parents with the same folder, only the first is ``compared``.
        """
        asked = list({commit for name, parents, _ in merges for commit in (name, *parents)})
        runs = self._reader.runs([(commit, 0) for commit in asked], self._folder)
        folders = {commit: run.folders[0] for commit, run in zip(asked, runs, strict=True)}
        different: list[tuple[bytes, list[bytes], set[bytes]]] = []
        for name, parents, files in merges:
            self._count.look(len(parents) if len(parents) > 1 else 0)
            before = compared.setdefault(name, set())
            by_folder = dict(reversed([(folders[parent], parent) for parent in parents]))
            first = [p for p in parents if by_folder[folders[p]] == p and folders[p] not in before]
            before.update(by_folder)
            if len(before) > _FEW:
                self._count.turn(len(files) * len(first), self._number)
            different.append((name, first, files))
        changes = self._changes(
            (folders[name], folders[parent]) for name, parents, _ in different for parent in parents
        )
        rest = []
        for name, parents, arrived in different:
            files = arrived
            for parent in parents:
                between = changes[folders[name], folders[parent]]
                self._keep_lacked(name, parent, between)
                differ = files & between.files
                if len(differ) < len(files):
                    groups.append(_Group(parent, files - differ))
                files = differ
                if not files:
                    break
            if files:
                rest.append((name, files))
        return rest

    def _settle(self, name: bytes, commit: Commit, files: set[bytes]) -> list[_Group]:
        """Answer files that differ from every parent, unless the commit is ignored or renames them."""
        groups = []
        if name in self._ignored:
            for parent in commit.parents:
                if not files:
                    break
                # without it, the parent has the same folder as another one before it
                lacked = self._lacked.get((name, parent), files)
                if there := files - lacked:
                    groups.append(_Group(parent, there))
                    skipped: Skipped = ("ignored", name.decode(), parent.decode(), b"")
                    for path in there:
                        self.skips.setdefault(path, []).append(skipped)
                files = files - there
        if files and self._renames:
            files = files - self._follow(self._renames, name, commit, files)
        if files:
            self.answered.setdefault(name, set()).update(files)
            self.commits[name] = commit._replace(data=b"")
            self.unanswered -= files
        return groups

    def _follow(self, renames: Renames, name: bytes, commit: Commit, files: set[bytes]) -> set[bytes]:
        """Record the files that a parent has with the same blob under a name that the commit removes."""
        followed: set[bytes] = set()
        trees: set[bytes] = set()
        for parent in commit.parents:
            tree = self._reader.commits([parent])[parent].tree
            if tree in trees:
                continue
            if trees:  # with very many parents, the same files again and again
                self._count.turn(len(files), self._number)
            trees.add(tree)
            # names of more than half of them are not nested again, which takes memory for each
            some = files - followed
            wanted = self._all_names if 2 * len(some) > self._nested else nest(some)
            added = added_among(self._reader, commit.tree, tree, wanted, self._count, known=self._trees)
            if not added.files and not added.folders:  # most commits only change files
                continue
            old_names = renames.old_names(commit.tree, tree, added, some, self._trees)
            if old_names:
                self.moved.append(Move(name, parent, old_names))
                followed |= old_names.keys()
        self.unanswered -= followed
        return followed

    def _read_steps(self, groups: list[_Group]) -> None:
        """Read the next run of each group, and what changed in each of its steps."""
        starts = [(group.commit, group.length) for group in groups if group.commit not in self._steps]
        for group in groups:
            group.length = min(2 * group.length, _LONGEST_RUN)
        runs = self._reader.runs(starts, self._folder)
        changes = self._changes(pair for run in runs for pair in pairwise(run.folders))
        steps = changed = 0
        for run in runs:
            new = [changes[pair].files for pair in pairwise(run.folders) if pair[0] != pair[1]]
            if len(run.commits) > 1:
                self._jumps[run.commits[0]] = run.commits[-1], self._united(new)
            for commit, parent, pair in zip(
                run.commits, run.commits[1:], pairwise(run.folders), strict=False
            ):
                self._steps[commit] = (parent, changes[pair].files)
                self._keep_lacked(commit, parent, changes[pair])
                changed += pair[0] != pair[1]
            steps += len(run.commits)
            if run.ends:
                self._steps[run.commits[-1]] = (None, _NOTHING)
        self._count.step(steps, len(self._steps))
        if steps > _LONGEST_RUN // 2 and changed > _DENSE * steps:
            self._deepen()

    def _keep_lacked(self, name: bytes, parent: bytes, changes: _Changes) -> None:
        if name in self._ignored:
            self._lacked[name, parent] = changes.lacked

    def _changes(self, pairs: Iterable[Pair]) -> dict[Pair, _Changes]:
        """Return the wanted paths at which the folders of each pair differ in blob or mode.

        All pairs are compared together, one depth at a time, so that each depth is one request.
        """
        changed: dict[Pair, _Found] = {}
        pending: list[tuple[_Found, bytes, bytes, Names]] = []
        for pair in pairs:
            ours, theirs = pair
            if pair in changed:
                continue
            found = changed[pair] = _Found(set(), [], set())
            if ours is None or ours == theirs:
                continue
            if theirs is None:
                found.folders.append(self._all_below(self._names))
            else:
                pending.append((found, ours, theirs, self._names))
        depth = 0
        while pending:
            parts = self._in_parts(pending, depth)
            pending = [deeper for part in parts for each in part for deeper in self._compare(*each)]
            depth += 1
        return {
            pair: _Changes(
                self._unanswered(found.files, found.folders),
                self._unanswered(found.lacked, found.folders) if self._ignored else _NOTHING,
            )
            for pair, found in changed.items()
        }

    def _unanswered(self, files: set[bytes], folders: Sequence[frozenset[bytes]]) -> frozenset[bytes]:
        """Return those of the files, and all in folders; names are nested again only after half of them."""
        some = files & self.unanswered
        return self._united([some, *folders]) if folders else frozenset(some)

    def _compare(
        self, found: _Found, ours: bytes, theirs: bytes, names: Names
    ) -> list[tuple[_Found, bytes, bytes, Names]]:
        """Add what differs in two folders to ``found``; return the sub-folders to compare next."""
        deeper: list[tuple[_Found, bytes, bytes, Names]] = []
        trees = self._trees[ours], self._trees[theirs]
        for name, our, their in self._count.compare(*trees, len(ours) // 2, names):
            child = names.get(name)
            if child is None:
                continue
            if our is None:
                # its files have moved on, unless theirs has a folder beside the file: git log sees a change
                if isinstance(child, bytes) and their and their[0] == TREE_MODE:
                    found.files.add(child)
            elif isinstance(child, bytes):
                found.files.add(child)
                if their is None or their[0] == TREE_MODE:
                    found.lacked.add(child)
            elif our[0] == TREE_MODE and their is not None and their[0] == TREE_MODE:
                deeper.append((found, hex_name(our), hex_name(their), child))
            else:
                found.folders.append(self._all_below(child))
        return deeper

    def _all_below(self, names: Names) -> frozenset[bytes]:
        """Return all files of a folder, the same object each time: thousands of steps may differ in them."""
        if id(names) not in self._leaves:
            self._leaves[id(names)] = frozenset(leaves(names))
        return self._leaves[id(names)]

    def _united(self, parts: Sequence[Set[bytes]]) -> frozenset[bytes]:
        """Return what is in any of the parts: the largest itself, if that has all."""
        largest = max(parts, key=len, default=_NOTHING)
        others = [part for part in parts if part and part is not largest]
        has_all = all(part <= largest for part in others)
        found = frozenset(largest) if has_all else _NOTHING.union(*parts)
        work = sum(map(len, others)) + (0 if has_all else len(found))
        self._count.turn(work // _PARTS_OF_A_TURN, self._number)
        return found

    def _in_parts(self, pending: Sequence[Comparison], depth: int) -> Iterator[Sequence[Comparison]]:
        """Yield comparisons of one depth in parts, and load the trees of each.

        All at once may be too much: a folder of 3,000 pages has a hundred kilobytes, in each commit.
        """
        at = 0
        while at < len(pending):
            part = pending[at : at + max(1, _TREES_TOGETHER // (2 * self._largest.get(depth, _SIZE)))]
            names = {tree for _, *trees, _ in part for tree in trees if tree}
            self._load(names)
            sizes = [len(self._trees[name]) for name in names]
            self._largest[depth] = max(self._largest.get(depth, 0), _LEAST_SIZE, *sizes)
            yield part
            at += len(part)

    def _load(self, names: set[bytes]) -> None:
        """Load the trees, and drop others if there are too many."""
        if self._kept > _TREES_KEPT:
            self._trees = {name: tree for name, tree in self._trees.items() if name in names}
            self._kept = sum(map(len, self._trees.values()))
        read = self._reader.trees([name for name in names if name not in self._trees])
        self._count.read(read.values())
        self._kept += sum(map(len, read.values()))
        self._trees.update((name, Tree(data)) for name, data in read.items())


def _together(turning: Iterable[tuple[bytes, set[bytes]]]) -> list[tuple[bytes, set[bytes]]]:
    """Unite the files that have come to the same commit at once: each commit is compared only once."""
    found: dict[bytes, set[bytes]] = {}
    for name, files in turning:
        found.setdefault(name, set()).update(files)
    return [*found.items()]


def _joined(groups: list[_Group]) -> list[_Group]:
    """Join the groups that have reached the same commit."""
    by_commit: dict[bytes, _Group] = {}
    for group in groups:
        there = by_commit.setdefault(group.commit, group)
        if there is not group:
            # the fewer files into the others, which may have been joined to many groups before
            fewer, there.files = sorted((there.files, group.files), key=len)
            there.files |= fewer
            there.length = max(there.length, group.length)
    return list(by_commit.values())
