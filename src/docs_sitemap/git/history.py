"""The commits of a repository and their differences, from ``git rev-list`` and ``git diff-tree``.

Commits have numbers: 0 is HEAD, and parents have larger numbers than their children.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable
from typing import Final, NamedTuple

from docs_sitemap.git.answers import Reason, Repository, RepositoryError
from docs_sitemap.git.head import paths_of
from docs_sitemap.git.process import GitProcess, run

Dates = tuple[int | None, int | None]
"""When a commit was committed and authored, in POSIX seconds; ``None`` if git cannot read it."""

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

    def differences(self, commit: Commit, parent: bytes) -> Differences:
        """Return in what a commit differs from a parent."""
        return self._ask([(commit.name, parent)])[0]

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
            found = self._ask((each.name, *each.parents[:1]) for each in ahead)
            self._firsts.update((each.number, one) for each, one in zip(ahead, found, strict=False))
        return self._firsts.pop(commit.number)

    def _ask(self, questions: Iterable[tuple[bytes, ...]]) -> list[Differences]:
        """Return the answers to questions, each a commit and a parent.

        If git fails, return those before that, without the last, which may be cut short.
        """
        self._trees.write(b"".join(b" ".join(each) + b"\n" for each in questions) + _END)
        data = bytearray()
        try:
            while not data.endswith(_END):
                data += self._trees.read() or _END
        except RepositoryError:
            if found := _parse(data)[:-1]:
                return found
            raise
        return _parse(data.removesuffix(_END))

    def first_addition(self, name: bytes) -> bytes:
        """Return the commit that ``git log --diff-filter=A -1`` names for a file, or nothing.

        This asks for one file alone, in git's own order of commits: a whole walk.
        """
        commits = run(self._repository, "rev-list", self._repository.head, "--", name).splitlines()
        options = ("--stdin", "-r", "--name-only", "--diff-filter=A", "--root")
        found = run(self._repository, "diff-tree", *options, "--", name, lines=commits)
        return found[: self._size]


def dates_of(repository: Repository, commits: Iterable[bytes]) -> dict[bytes, Dates]:
    """Return when commits were committed and authored."""
    options = ("--no-walk=unsorted", "--stdin", "--format=%ct%n%at")
    lines = run(repository, "rev-list", *options, lines=commits).split(b"\n")
    found = zip(lines[::3], lines[1::3], lines[2::3], strict=False)  # "commit NAME", and the two dates
    return {line.split()[1]: (_date(committed), _date(authored)) for line, committed, authored in found}


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


def _date(text: bytes) -> int | None:
    """Return a date; git prints none, or one of more digits, where it can show none."""
    return int(text) if text.isdigit() and len(text) <= 16 else None
