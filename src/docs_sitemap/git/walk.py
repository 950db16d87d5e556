"""Finds which commit last changed each of many files, and which commit added it.

For one file, ``git log -1 -- FILE`` follows a single way: it starts at HEAD and goes from each commit to the
first parent that has the same file; if no parent has, that commit is the answer. Here, files go their ways
together, from children to parents. Those that stand at a commit and are the same in its first parent move
there. Only for the others, git is asked in what a merge differs from its other parents.

``git log --diff-filter=A -1 -- FILE`` goes the same way until a file differs from each parent. If that commit
added it, it is the answer; otherwise, the search goes on at all parents.

``History`` reads the commits and their differences from ``git rev-list`` and ``git diff-tree``. Commits have
numbers: 0 is HEAD, and parents have larger numbers than their children.
"""

from __future__ import annotations

import sys
from collections import defaultdict
from collections.abc import Iterable, Sequence
from heapq import heappop, heappush
from typing import Final, NamedTuple

from docs_sitemap.git.answers import Reason, Repository, RepositoryError, Rules, Skip
from docs_sitemap.git.repository import GitProcess, paths_of, run

Differences = dict[bytes, bytes]
"""How git describes what a commit changes, by name; it ends in the status: ``A``, ``D``, ``M`` or ``T``."""

_PIPE: Final = 2048 if sys.platform == "win32" else 14_000
"""Bytes of questions that a pipe is certain to hold: otherwise, git and Python could wait for each other."""

_END: Final = b"//\n"
"""A line that is no question: git repeats it, after all answers, and no path contains it."""


class Commit(NamedTuple):
    """A commit with its parents, as grafts and replacements say: none at the boundary of a shallow clone."""

    number: int
    name: bytes
    parents: list[bytes]
    is_boundary: bool


class History:
    """A repository's commits, read as far as they are asked for.

    ``names`` are the files in which differences are of interest; ``None`` are all, and then differences have
    modes and blobs too. Methods raise ``RepositoryError`` if objects are missing or git fails.
    """

    def __init__(self, repository: Repository, names: Iterable[bytes] | None) -> None:
        self._repository = repository
        self._numbers: dict[bytes, int] = {}
        self._lines: list[bytes] = []
        self._rest = b""
        self._size = len(repository.head)
        self._firsts: dict[int, Differences] = {}
        self._together = 16
        form, paths = ("--raw", []) if names is None else ("--name-status", paths_of(names))
        options = ("-r", "-z", form, "--no-abbrev", "--no-renames", "--root", "--always")
        self._commits = GitProcess(repository, "rev-list", "--topo-order", "--parents", repository.head)
        self._trees = GitProcess(repository, "diff-tree", "--stdin", *options, "--", *paths)

    def close(self) -> None:
        """End both processes."""
        self._commits.close()
        self._trees.close()

    def commit(self, number: int) -> Commit:
        """Return the commit with this number, which ``number`` has returned."""
        name, *parents = self._lines[number].split()
        return Commit(number, name, parents, name in self._repository.shallow)

    def number(self, name: bytes) -> int:
        """Return a commit's number; reads as many commits as that takes."""
        while name not in self._numbers:
            data = self._commits.read()
            if not data:
                raise RepositoryError(f"{self._repository.root}: a commit is missing", Reason.INCOMPLETE)
            *lines, self._rest = (self._rest + data).split(b"\n")
            start = len(self._lines)
            self._lines += lines
            self._numbers.update((line[: self._size], start + at) for at, line in enumerate(lines))
        return self._numbers[name]

    def first_differences(self, commit: Commit) -> Differences:
        """Return in what a commit differs from its first parent, or from nothing; only once for each."""
        if commit.number not in self._firsts:
            # and those to which its files move if nothing changes, each time more
            ahead = [commit]
            most = min(self._together, _PIPE // (2 * self._size + 2))
            self._together *= 2
            while len(ahead) < most and ahead[-1].parents:
                number = self.number(ahead[-1].parents[0])
                if number in self._firsts:
                    break
                ahead.append(self.commit(number))
            found = self.answers((each.name, *each.parents[:1]) for each in ahead)
            self._firsts.update((each.number, one) for each, one in zip(ahead, found, strict=False))
        return self._firsts.pop(commit.number)

    def answers(self, questions: Iterable[tuple[bytes, ...]]) -> list[Differences]:
        """Return in what commits differ from parents, one of each in a question."""
        self._trees.write(b"".join(b" ".join(each) + b"\n" for each in questions) + _END)
        data = bytearray()
        while not data.endswith(_END):
            data += self._trees.read() or _END
        return _parse(data.removesuffix(_END))

    def first_addition(self, name: bytes) -> bytes:
        """Return the commit that ``git log --diff-filter=A -1`` names for a file, or nothing.

        This asks for one file alone, in git's own order of commits: a whole walk.
        """
        commits = run(self._repository, "rev-list", self._repository.head, "--", name).splitlines()
        options = ("--stdin", "-r", "--name-only", "--diff-filter=A", "--root", "--", name)
        found = run(self._repository, "diff-tree", *options, lines=commits)
        return found[: self._size]


def _parse(data: bytearray) -> list[Differences]:
    """Parse the answers: each is a commit, and then pairs of a description and a name."""
    found: list[Differences] = []
    words = iter(bytes(data).split(b"\0")[:-1])
    for word in words:
        if word[-1:].isupper():  # a status; names of commits are lower case
            found[-1][next(words, b"")] = word
        else:
            found.append({})
    return found


Standing = dict[bytes, list[bytes]]
"""Files that have come to a commit: by their names there, the names that they have at HEAD."""


class Walk:
    """One walk through the history, for all files, by rules that say which commits are ignored.

    A file stands at one commit at a time, under its name there. Commits are taken by their numbers, so that
    all children of a commit have sent it their files before it is its turn. As git simplifies history, a file
    goes to the first parent that has the same, and to no other: other parents are asked about only where a
    file differs from the first one, since a merge differs from them in thousands of files.

    ``found`` has the commit that last changed each file, ``skips`` what was skipped before it, and
    ``unknown`` why no commit is right. ``changed`` is only of ``AdditionWalk``.
    """

    def __init__(self, rules: Rules) -> None:
        self.found: dict[bytes, Commit] = {}
        self.unknown: dict[bytes, Reason] = {}
        self.changed: dict[bytes, Commit | None] = {}
        self.skips: defaultdict[bytes, list[Skip]] = defaultdict(list)
        self._ignored = rules.ignored or frozenset()
        self._follow_renames = rules.follow_renames
        self._additions: defaultdict[bytes, list[Commit]] = defaultdict(list)  # only of ``AdditionWalk``
        self._standing: dict[int, Standing] = {}
        self._next: list[int] = []  # a heap of the commits where files stand

    def run(self, history: History, head: bytes, names: Iterable[bytes]) -> None:
        """Walk until each file has its answer; if an object is missing, the others are unknown."""
        self._history = history
        files = {name: [name] for name in names}
        try:
            self._stand(head, files)
            while self._next:
                number = self._next[0]
                self._pass(self._history.commit(number), self._standing[number])
                del self._standing[heappop(self._next)]
        except RepositoryError:
            for here in self._standing.values() or [files]:
                self.unknown.update((name, Reason.INCOMPLETE) for names in here.values() for name in names)

    def _stand(self, commit: bytes, files: Standing) -> None:
        """Let files stand at a commit, together with those that are there; takes the mapping over."""
        if not files:
            return
        number = self._history.number(commit)
        if number not in self._standing:
            heappush(self._next, number)
        fewer, more = sorted((files, self._standing.get(number, {})), key=len)
        self._standing[number] = more
        for name, names in fewer.items():
            more[name] = list(dict.fromkeys(more[name] + names)) if name in more else names

    def _pass(self, commit: Commit, here: Standing) -> None:
        """Move the files of a commit to the first parent that has the same; settle the others."""
        if not commit.parents:
            self._end(commit, here)
            return
        differences = [self._history.first_differences(commit)]
        differing = here.keys() & differences[0].keys()
        for parent in commit.parents[1:]:
            if differing:
                differences.append(self._history.answers([(commit.name, parent)])[0])
                differing &= differences[-1].keys()
        asked = commit.parents[: len(differences)]
        for parent in asked:
            self._history.number(parent)
        # from here on, git is not asked: no file is lost on its way where git fails
        for parent, each in zip(asked, differences, strict=True):
            same, here = here, _take(here, each)
            self._stand(parent, same)
        if here:
            self._settle(commit, here, differences)

    def _end(self, commit: Commit, files: Standing) -> None:
        """Answer all files at a commit without parents: a root, or the boundary of a shallow clone."""
        self.found.update((name, commit) for names in files.values() for name in names)

    def _settle(self, commit: Commit, files: Standing, differences: Sequence[Differences]) -> None:
        """Answer files that differ from each parent, unless the commit is ignored or renames them."""
        skips = self._renames(commit, files, differences)
        for name, names in files.items():
            having = [
                it for it, each in zip(commit.parents, differences, strict=True) if not _adds(each, name)
            ]
            if commit.name in self._ignored and having:
                skips[name] = Skip("ignored", commit.name.decode(), having[0].decode())
            if name in skips:
                self._go_on(skips[name], name, names)
            else:
                self.found.update(dict.fromkeys(names, commit))

    def _go_on(self, skip: Skip, name: bytes, names: list[bytes]) -> None:
        """Let the search for a file go on at the parent, perhaps under another name."""
        for each in names:
            self.skips[each].append(skip)
        self._stand(skip.parent.encode(), {skip.old_name or name: names})

    def _renames(
        self, commit: Commit, files: Iterable[bytes], differences: Sequence[Differences]
    ) -> dict[bytes, Skip]:
        """Return which files are renamed: a parent has them under a name that the commit has not.

        Of several parents, the first; of several names, the first with the same last part, or the first.
        """
        found: dict[bytes, Skip] = {}
        for parent, each in zip(commit.parents, differences, strict=True) if self._follow_renames else ():
            added = [name for name in files if name not in found and _adds(each, name)]
            gone = _gone(each) if added else {}
            for name in added:
                if old_names := gone.get(tuple(each[name].split(b" ")[1:4:2])):
                    last = name.rpartition(b"/")[2]
                    old = min(old_names, key=lambda old: old.rpartition(b"/")[2] != last)
                    found[name] = Skip("renamed", commit.name.decode(), parent.decode(), old)
        return found


class AdditionWalk(Walk):
    """Walks like ``Walk``; ``found`` has the commits that added the files.

    ``changed`` has those that last changed them, or ``None`` where another walk has to tell.
    """

    def run(self, history: History, head: bytes, names: Iterable[bytes]) -> None:
        """Walk until all additions of each file are known; of several, git says which is the last."""
        super().run(history, head, names)
        for name in self._additions.keys() - self.unknown.keys():
            try:
                last = self._last_of(self._additions[name], name)
            except RepositoryError:
                self.unknown[name] = Reason.INCOMPLETE
                continue
            if last:
                self.found[name] = last
            else:
                self.unknown[name] = Reason.BRANCHES

    def _last_of(self, commits: Sequence[Commit], name: bytes) -> Commit | None:
        """Return the last of the commits that added a file; ``None`` if git does not name one of them."""
        boundary = next((commit for commit in commits if commit.is_boundary), None)
        if boundary or len(commits) == 1:  # what came before a boundary is unknown
            return boundary or commits[0]
        if name in self.skips:  # git would have to be asked for each of its names
            return None
        last = self._history.first_addition(name)
        return next((commit for commit in commits if commit.name == last), None)

    def _end(self, commit: Commit, files: Standing) -> None:
        """Note the files that a commit without parents has; beyond a shallow boundary, all can be."""
        there = files if commit.is_boundary else _take(files, self._history.first_differences(commit))
        for names in there.values():
            self._add(commit, names)

    def _add(self, commit: Commit, names: list[bytes]) -> None:
        for name in names:
            self._additions[name].append(commit)
            self.changed.setdefault(name, commit)

    def _settle(self, commit: Commit, files: Standing, differences: Sequence[Differences]) -> None:
        """Note files that differ from each parent and were added; the others move to all parents."""
        created = {name for name in files if all(_adds(each, name) for each in differences)}
        renames = self._renames(commit, created, differences)
        folders = set().union(*map(_folders_gone, differences))
        for name, names in files.items():
            if name in renames:
                self._go_on(renames[name], name, names)
                continue
            # the search for its last change may go on to where this walk does not go
            is_renamed = self._follow_renames and any(_adds(each, name) for each in differences)
            may_go_on = name not in created and (is_renamed or commit.name in self._ignored)
            for each in names:
                self.changed.setdefault(each, None if may_go_on else commit)
            if name in created and len(commit.parents) > 1:
                self.unknown.update(dict.fromkeys(names, Reason.MERGED))
            elif name in folders:
                self.unknown.update(dict.fromkeys(names, Reason.FOLDER))
            elif name in created:
                self._add(commit, names)
            else:
                for parent in commit.parents:
                    self._stand(parent, {name: names})


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
