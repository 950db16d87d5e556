"""Finds which commit last changed each of many files, and which commit added it.

For one file, ``git log -1 -- FILE`` follows a single way: it starts at HEAD and goes from each commit to the
first parent that has the same file; if no parent has, that commit is the answer. Here, files go their ways
together, from children to parents. Those that stand at a commit and are the same in its first parent move
there. Only for the others, git is asked in what a merge differs from its other parents.

``git log --diff-filter=A -1 -- FILE`` goes the same way until a file differs from each parent. If that commit
added it, it is the answer; otherwise, the search goes on at all parents.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from heapq import heappop, heappush
from typing import NamedTuple

from docs_sitemap.git.answers import Reason, RepositoryError, Skip
from docs_sitemap.git.history import Differences, History

Standing = dict[bytes, list[bytes]]
"""Files that have come to a commit: by their names there, the names that they have at HEAD."""


class Question(NamedTuple):
    """How to ask; see ``Rules``. With ``added``, it asks which commit added each file."""

    clock: str = "committer"
    ignored: frozenset[bytes] = frozenset()
    follow_renames: bool = False
    added: bool = False


class Walk:
    """One walk through the history, for all files.

    ``found`` has the number of the commit that last changed each file. ``unknown`` has those for which no
    commit is right, with the reason. ``changed`` is only of ``AdditionWalk``.
    """

    def __init__(self, history: History, question: Question, shallow: frozenset[bytes]) -> None:
        self.found: dict[bytes, int] = {}
        self.unknown: dict[bytes, Reason] = {}
        self.changed: dict[bytes, int | None] = {}
        self._skips: defaultdict[bytes, list[Skip]] = defaultdict(list)
        self._history = history
        self._question = question
        self._shallow = shallow
        self._standing: dict[int, Standing] = {}
        self._next: list[int] = []  # a heap of the commits where files stand

    def run(self, head: bytes, names: Iterable[bytes]) -> None:
        """Walk until each file has its answer; if an object is missing, the others are unknown."""
        files = {name: [name] for name in names}
        try:
            self._stand(head, files)
            while self._next:
                number = self._next[0]
                self._pass(number, self._standing[number])
                del self._standing[heappop(self._next)]
        except RepositoryError as problem:
            reason = Reason.TIMEOUT if problem.reason is Reason.TIMEOUT else Reason.INCOMPLETE
            for here in self._standing.values() or [files]:
                self.unknown.update((name, reason) for names in here.values() for name in names)

    def skips_of(self, name: bytes) -> tuple[Skip, ...]:
        """Return what was skipped for a file, newest first."""
        return tuple(self._skips.get(name, ()))

    def _stand(self, commit: bytes, files: Standing) -> None:
        """Let files stand at a commit, together with those that are there."""
        if not files:
            return
        number = self._history.number(commit)
        there = self._standing.get(number)
        if there is None:
            self._standing[number] = files
            heappush(self._next, number)
            return
        if len(there) < len(files):
            there, files = files, there
            self._standing[number] = there
        for name, names in files.items():
            there[name] = list(dict.fromkeys(there[name] + names)) if name in there else names

    def _pass(self, number: int, here: Standing) -> None:
        """Move the files of a commit to the first parent that has the same; settle the others."""
        parents = self._history.parents(number)
        if not parents or self._history.name(number) in self._shallow:
            self._end(number, here)
            return
        differences = [self._history.first_differences(number)]
        turned = _take(here, differences[0])
        self._stand(parents[0], here)
        for parent in parents[1:]:
            if turned:
                differences.append(self._history.differences(number, parent))
                same, turned = turned, _take(turned, differences[-1])
                self._stand(parent, same)
        if turned:
            self._settle(number, turned, differences)

    def _end(self, number: int, files: Standing) -> None:
        """Answer all files at a commit without parents."""
        self.found.update((name, number) for names in files.values() for name in names)

    def _settle(self, number: int, files: Standing, differences: Sequence[Differences]) -> None:
        """Answer files that differ from each parent, unless the commit is ignored or renames them."""
        commit, parents = self._history.name(number), self._history.parents(number)
        former = self._former_names(files, differences)
        for name, names in files.items():
            position, old_name = former.get(name, (0, b""))
            having = [
                parent for parent, each in zip(parents, differences, strict=True) if not _adds(each, name)
            ]
            if commit in self._question.ignored and having:
                self._skip(Skip("ignored", commit.decode(), having[0].decode()), name, names)
            elif old_name:
                parent = parents[position].decode()
                self._skip(Skip("renamed", commit.decode(), parent, old_name), name, names)
            else:
                self.found.update(dict.fromkeys(names, number))

    def _skip(self, skip: Skip, name: bytes, names: list[bytes]) -> None:
        """Let the search for a file go on at a parent."""
        for each in names:
            self._skips[each].append(skip)
        self._stand(skip.parent.encode(), {skip.old_name or name: names})

    def _former_names(
        self, files: Iterable[bytes], differences: Sequence[Differences]
    ) -> dict[bytes, tuple[int, bytes]]:
        """Return the position of the first parent from which a file was renamed, and its name there.

        A parent has the same blob and mode there under a name that the commit no longer has. Of several, it
        is the first with the same last name; if none has that, the first of all.
        """
        found: dict[bytes, tuple[int, bytes]] = {}
        for position, each in enumerate(differences if self._question.follow_renames else ()):
            added = [name for name in files if name not in found and _adds(each, name)]
            gone = _gone(each) if added else {}
            for name in added:
                old_names = gone.get(tuple(each[name].split(b" ")[1:4:2]), ())
                if old_names:
                    last = name.rpartition(b"/")[2]
                    old = min(old_names, key=lambda old: (old.rpartition(b"/")[2] != last, old))
                    found[name] = position, old
        return found


class AdditionWalk(Walk):
    """Walks like ``Walk``; ``found`` has the commits that added the files.

    ``changed`` has those that last changed them, or ``None`` where another walk has to tell.
    """

    def __init__(self, history: History, question: Question, shallow: frozenset[bytes]) -> None:
        super().__init__(history, question, shallow)
        self._additions: defaultdict[bytes, list[int]] = defaultdict(list)

    def run(self, head: bytes, names: Iterable[bytes]) -> None:
        """Walk until all additions of each file are known; of several, git says which is the last."""
        super().run(head, names)
        for name in self._additions.keys() - self.unknown.keys():
            numbers = self._additions[name]
            cut_off = [number for number in numbers if self._history.name(number) in self._shallow]
            if cut_off or len(numbers) == 1:
                self.found[name] = (cut_off or numbers)[0]
                continue
            commit = b"" if name in self._skips else self._history.first_addition(name)
            if commit:
                self.found[name] = self._history.number(commit)
            else:
                self.unknown[name] = Reason.SAME_TIME

    def _end(self, number: int, files: Standing) -> None:
        """Note the files that a commit without parents has; beyond a shallow boundary, all can be."""
        if self._history.name(number) not in self._shallow:
            files = _take(files, self._history.first_differences(number))
        self._add(number, [name for names in files.values() for name in names])

    def _add(self, number: int, names: list[bytes]) -> None:
        for name in names:
            self._additions[name].append(number)
            self.changed.setdefault(name, number)

    def _settle(self, number: int, files: Standing, differences: Sequence[Differences]) -> None:
        """Note files that differ from each parent and were added; the others move to all parents."""
        commit, parents = self._history.name(number), self._history.parents(number)
        created = {name for name in files if all(_adds(each, name) for each in differences)}
        former = self._former_names(created, differences)
        folders = set().union(*map(_folders_gone, differences))
        for name, names in files.items():
            if name in former:
                position, old_name = former[name]
                skip = Skip("renamed", commit.decode(), parents[position].decode(), old_name)
                self._skip(skip, name, names)
            elif name in created and len(parents) == 1 and name not in folders:
                self._add(number, names)
            else:
                changed = None if self._may_go_on(commit, name, differences) else number
                for each in names:
                    self.changed.setdefault(each, changed)
                if name in created or name in folders:
                    reason = Reason.MERGED if len(parents) > 1 and name in created else Reason.FOLDER
                    self.unknown.update(dict.fromkeys(names, reason))
                    continue
                for parent in parents:
                    self._stand(parent, {name: names})

    def _may_go_on(self, commit: bytes, name: bytes, differences: Sequence[Differences]) -> bool:
        """Tell whether a search for the last change may go on here: this walk goes other ways then."""
        adds = [_adds(each, name) for each in differences]
        is_ignored = commit in self._question.ignored
        return not all(adds) and (is_ignored or (self._question.follow_renames and any(adds)))


def _take(files: Standing, differences: Differences) -> Standing:
    """Take those files out that differ, and return them."""
    if len(files) < len(differences):
        return {name: files.pop(name) for name in [*files] if name in differences}
    return {name: files.pop(name) for name in differences if name in files}


def _adds(differences: Differences, name: bytes) -> bool:
    return differences[name].endswith(b"A")


def _gone(differences: Differences) -> dict[tuple[bytes, ...], list[bytes]]:
    """Return the names of the files that a parent has and the commit has not, by mode and blob."""
    found: defaultdict[tuple[bytes, ...], list[bytes]] = defaultdict(list)
    for name, word in differences.items():
        if word.endswith(b"D"):
            mode, _, blob, *_ = word.removeprefix(b":").split(b" ")
            found[mode, blob].append(name)
    return found


def _folders_gone(differences: Differences) -> set[bytes]:
    """Return the folders of files that a parent has and the commit has not."""
    found: set[bytes] = set()
    for name, word in differences.items():
        if word.endswith(b"D"):
            while (name := name.rpartition(b"/")[0]) and name not in found:
                found.add(name)
    return found
