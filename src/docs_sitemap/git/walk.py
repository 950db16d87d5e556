"""Finds which commit last changed each of many files, and which commit added it.

For one file, ``git log -1 -- FILE`` starts at HEAD and goes from each commit to the first parent that has the
same file; if no parent has, that commit is the answer. Here, all files move together, from children to
parents. Those that a commit has as its first parent has them move there. Only for the others, git is asked in
what a merge differs from its other parents.

``git log --diff-filter=A -1 -- FILE`` goes the same way until a file differs from each parent. If that commit
added it, it is the answer; otherwise, the search goes on at all parents.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import Final, NamedTuple

from docs_sitemap.git.answers import Reason, Repository, RepositoryError, Rules, Skip
from docs_sitemap.git.repository import GitProcess, paths_of, run

Differences = dict[bytes, bytes]
"""How git describes what a commit changes, by name; it ends in the status: ``A``, ``D``, ``M`` or ``T``."""

_END: Final = b"//\n"
"""A line that is no question: git repeats it, after its answer, and no path contains it."""


class Commit(NamedTuple):
    """A commit with its parents, as grafts and replacements say: none at the boundary of a shallow clone."""

    name: bytes
    parents: Sequence[bytes] = ()
    is_boundary: bool = False


class History:
    """A repository's commits, children before parents: ``git rev-list | git diff-tree``.

    ``names`` are the files in which differences are of interest; ``None`` are all, and then differences have
    modes and blobs too. Methods raise ``RepositoryError`` if objects are missing or git fails.
    """

    def __init__(self, repository: Repository, names: Iterable[bytes] | None) -> None:
        self._repository = repository
        self._paths = None if names is None else paths_of(names)
        self._processes: list[GitProcess] = []
        self._merges: GitProcess | None = None

    def _start(self, *arguments: str | bytes, source: GitProcess | None = None) -> GitProcess:
        self._processes.append(GitProcess(self._repository, *arguments, source=source))
        return self._processes[-1]

    def _diff_tree(self, *options: str, source: GitProcess | None = None) -> GitProcess:
        form, paths = ("--raw", []) if self._paths is None else ("--name-status", self._paths)
        options += ("-r", "-z", form, "--no-abbrev", "--no-renames", "--root", "--always")
        return self._start("diff-tree", "--stdin", *options, "--", *paths, source=source)

    def close(self) -> None:
        """End the processes."""
        for process in self._processes:
            process.close()

    def __iter__(self) -> Iterator[tuple[Commit, Differences]]:
        """Yield each commit, with its differences from its only parent or from nothing; none for merges."""
        commits = self._start("rev-list", "--topo-order", "--parents", self._repository.head)
        trees = self._diff_tree("--format=%H %P", source=commits)
        commit, differences = None, Differences()
        words = _words(trees)
        for word in words:
            if word[-1:].isupper():  # a status; names of commits are lower case
                differences[next(words)] = word.lstrip()
                continue
            if commit:
                yield commit, differences
            name, *parents = word.split()
            commit, differences = Commit(name, parents, name in self._repository.shallow), {}
        commits.check()
        if commit:
            yield commit, differences

    def differences(self, commit: Commit, parent: bytes) -> Differences:
        """Return in what a merge differs from one of its parents."""
        self._merges = self._merges or self._diff_tree()
        self._merges.write(commit.name + b" " + parent + b"\n" + _END)
        data = b""
        while not data.endswith(_END):
            data += self._merges.read() or _END
        _, *words = data.removesuffix(_END).split(b"\0")[:-1]
        return dict(zip(words[1::2], words[::2], strict=True))

    def first_addition(self, name: bytes) -> bytes:
        """Return the commit that ``git log --diff-filter=A -1`` names for a file, or nothing.

        This asks for one file alone, in git's own order of commits: a whole walk.
        """
        commits = run(self._repository, "rev-list", self._repository.head, "--", name).splitlines()
        options = ("--stdin", "-r", "--name-only", "--diff-filter=A", "--root", "--", name)
        return run(self._repository, "diff-tree", *options, lines=commits)[: len(self._repository.head)]


def _words(process: GitProcess) -> Iterator[bytes]:
    rest = b""
    while data := process.read():
        *words, rest = (rest + data).split(b"\0")
        yield from words


Standing = dict[bytes, list[bytes]]
"""Files that have come to a commit: by their names there, the names that they have at HEAD."""


class Walk:
    """One walk through the history, for all files, by rules that say which commits are ignored.

    A file stands at one commit at a time, under its name there. As git simplifies history, it goes to the
    first parent that has the same, and to no other: other parents are asked about only where a file differs
    from the first one, since a merge differs from them in thousands of files.

    ``found`` has the commit that last changed each file, ``skips`` what was skipped before it, and
    ``unknown`` why no commit is right.
    """

    def __init__(self, rules: Rules) -> None:
        self.found: dict[bytes, Commit] = {}
        self.unknown: dict[bytes, Reason] = {}
        self.skips: defaultdict[bytes, list[Skip]] = defaultdict(list)
        self._ignored = rules.ignored or frozenset()
        self._follow_renames = rules.follow_renames
        self._standing: dict[bytes, Standing] = {}

    def run(self, history: History, head: bytes, names: Iterable[bytes]) -> None:
        """Walk until each file has its answer; if an object is missing, the others are unknown."""
        self._history = history
        self._stand(head, {name: [name] for name in names})
        try:
            for commit, differences in history:
                if commit.name in self._standing:
                    self._move(commit, self._standing[commit.name], differences)
                    del self._standing[commit.name]
                if not self._standing:
                    return
            raise RepositoryError("a commit is missing", Reason.INCOMPLETE)
        except RepositoryError as problem:
            for files in self._standing.values():
                self.unknown.update((name, _why(problem)) for names in files.values() for name in names)

    def _stand(self, commit: bytes, files: Standing) -> None:
        """Let files stand at a commit, together with those that are there; takes the mapping over."""
        fewer, more = sorted((files, self._standing.get(commit, {})), key=len)
        for name, names in fewer.items():
            more[name] = list(dict.fromkeys(more[name] + names)) if name in more else names
        if more:
            self._standing[commit] = more

    def _move(self, commit: Commit, files: Standing, differences: Differences) -> None:
        """Move the files of a commit to the first parent that has the same; answer the others."""
        if not commit.parents:
            self._end(commit, files, differences)
            return
        asked = [differences]
        if len(commit.parents) > 1:
            asked = [self._history.differences(commit, commit.parents[0])]
            differing = files.keys() & asked[0].keys()
            for parent in commit.parents[1:]:
                if differing:
                    asked.append(self._history.differences(commit, parent))
                    differing &= asked[-1].keys()
        # from here on, git is not asked: no file is lost on its way where git fails
        for parent, each in zip(commit.parents, asked, strict=False):
            same, files = files, _take(files, each)
            self._stand(parent, same)
        if files:
            self._answer(commit, files, asked)

    def _end(self, commit: Commit, files: Standing, differences: Differences) -> None:
        """Answer all files at a commit without parents: a root, or the boundary of a shallow clone."""
        self.found.update((name, commit) for names in files.values() for name in names)

    def _answer(self, commit: Commit, files: Standing, differences: Sequence[Differences]) -> None:
        """Answer files that differ from each parent, unless the commit is ignored or renames them."""
        skips = self._renames(commit, files, differences)
        for name, names in files.items():
            having = [
                parent
                for parent, each in zip(commit.parents, differences, strict=True)
                if not _adds(each, name)
            ]
            if commit.name in self._ignored and having:
                skips[name] = Skip("ignored", commit.name.decode(), having[0].decode())
            if name in skips:
                self._continue(skips[name], name, names)
            else:
                self.found.update(dict.fromkeys(names, commit))

    def _continue(self, skip: Skip, name: bytes, names: list[bytes]) -> None:
        """Continue the search for a file at the parent, perhaps under another name."""
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
    """Walks like ``Walk``; ``found`` has the commits that added the files."""

    def __init__(self, rules: Rules) -> None:
        super().__init__(rules)
        self._additions: defaultdict[bytes, list[Commit]] = defaultdict(list)

    def run(self, history: History, head: bytes, names: Iterable[bytes]) -> None:
        """Walk until all additions of each file are known; of several, git says which is the last."""
        super().run(history, head, names)
        for name in self._additions.keys() - self.unknown.keys():
            try:
                last = self._last_of(self._additions[name], name)
            except RepositoryError as problem:
                self.unknown[name] = _why(problem)
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

    def _end(self, commit: Commit, files: Standing, differences: Differences) -> None:
        """Note the files that a commit without parents has; beyond a shallow boundary, all can be."""
        there = files if commit.is_boundary else _take(files, differences)
        for names in there.values():
            self._add(commit, names)

    def _add(self, commit: Commit, names: list[bytes]) -> None:
        for name in names:
            self._additions[name].append(commit)

    def _answer(self, commit: Commit, files: Standing, differences: Sequence[Differences]) -> None:
        """Note files that differ from each parent and were added; the others move to all parents."""
        created = {name for name in files if all(_adds(each, name) for each in differences)}
        renames = self._renames(commit, created, differences)
        folders = set().union(*map(_folders_gone, differences))
        for name, names in files.items():
            if name in renames:
                self._continue(renames[name], name, names)
            elif name in created and len(commit.parents) > 1:
                self.unknown.update(dict.fromkeys(names, Reason.MERGED))
            elif name in folders:
                self.unknown.update(dict.fromkeys(names, Reason.FOLDER))
            elif name in created:
                self._add(commit, names)
            else:
                for parent in commit.parents:
                    self._stand(parent, {name: names})


def _why(problem: RepositoryError) -> Reason:
    return Reason.TIMEOUT if problem.reason is Reason.TIMEOUT else Reason.INCOMPLETE


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
