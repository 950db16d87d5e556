"""The commits of a repository and their differences, from ``git rev-list`` and ``git diff-tree``.

Commits have numbers: 0 is HEAD, and parents have larger numbers than their children.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable
from types import TracebackType
from typing import Final, NamedTuple

from docs_sitemap.git.answers import Reason, RepositoryError
from docs_sitemap.git.process import GitProcess, run
from docs_sitemap.git.repository import Repository

Differences = dict[bytes, bytes]
"""How git describes what a commit changes, by name; it ends in the status: ``A``, ``D``, ``M`` or ``T``."""

_MAX_PATHS: Final = 32
"""Folders that git is asked for; of more, those above them."""

_PIPE: Final = 2048 if sys.platform == "win32" else 14_000
"""Bytes of questions that a pipe is certain to hold: otherwise, git and Python could wait for each other."""

_END: Final = b"//\n"
"""A line that is no question: git repeats it, after all answers, and no path contains it."""


class Dates(NamedTuple):
    """A commit's dates in POSIX seconds; ``None`` if git cannot read one."""

    committer: int | None
    author: int | None


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
        # paths on the command line start from the folder where git runs
        is_at_root = repository.top == repository.root
        paths = [] if names is None or not is_at_root else paths_of(names)
        form = "--raw" if names is None else "--name-status"
        options = ("-r", "-z", form, "--no-abbrev", "--no-renames", "--root", "--always")
        self._commits = self._start("rev-list", "--topo-order", "--parents", repository.head)
        try:
            self._trees = self._start(
                "diff-tree", "--stdin", *options, "--ignore-submodules=none", "--", *paths
            )
        except RepositoryError:
            self._commits.close()
            raise

    def __enter__(self) -> History:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._commits.close()
        self._trees.close()

    def _start(self, *arguments: str | bytes) -> GitProcess:
        return GitProcess(self._repository.top, *arguments, is_bare=self._repository.is_bare)

    def name(self, number: int) -> bytes:
        """Return the commit with this number."""
        return self._lines[number][: self._size]

    def parents(self, number: int) -> list[bytes]:
        """Return the commit's parents, as grafts and replacements say."""
        return self._lines[number][self._size :].split()

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

    def first_differences(self, number: int) -> Differences:
        """Return in what a commit differs from its first parent, or from nothing; only once for each."""
        if number not in self._firsts:
            self._read_ahead(number)
        return self._firsts.pop(number)

    def differences(self, number: int, parent: bytes) -> Differences:
        """Return in what a commit differs from a parent."""
        found, problem = self._ask([(self.name(number), parent)])
        if not found:
            raise problem
        return found[0]

    def _read_ahead(self, number: int) -> None:
        """Ask for a commit and those to which its files move if nothing changes."""
        numbers: list[int] = []
        questions: list[tuple[bytes, ...]] = []
        most = min(self._together, _PIPE // (2 * self._size + 2))
        self._together *= 2
        while len(numbers) < most and number not in self._firsts:
            parents = self.parents(number)
            numbers.append(number)
            questions.append((self.name(number), *parents[:1]))
            if not parents:
                break
            number = self.number(parents[0])
        found, problem = self._ask(questions)
        if not found:
            raise problem
        self._firsts.update(zip(numbers, found, strict=False))

    def _ask(self, questions: Iterable[tuple[bytes, ...]]) -> tuple[list[Differences], RepositoryError]:
        """Return the answers to questions, each a commit and a parent, and why there are no more.

        An object can be missing: then the answers before it are returned.
        """
        self._trees.write(b"".join(b" ".join(each) + b"\n" for each in questions) + _END)
        data = bytearray()
        problem = RepositoryError(f"{self._repository.root}: an object is missing", Reason.INCOMPLETE)
        while not data.endswith(_END):
            try:
                piece = self._trees.read()
            except RepositoryError as refusal:
                problem, piece = refusal, b""
            if not piece:
                return _parse(bytes(data)), problem
            data += piece
        return _parse(bytes(data[: -len(_END)])), problem

    def first_addition(self, name: bytes) -> bytes:
        """Return the commit that ``git log --diff-filter=A -1`` names for a file, or nothing.

        This asks for one file alone, in git's own order of commits: a whole walk.
        """
        commits = self._run("rev-list", self._repository.head, "--", name).splitlines()
        options = ("--stdin", "-r", "--name-only", "--diff-filter=A", "--root")
        found = self._run("diff-tree", *options, "--", name, lines=commits)
        return found[: self._size]

    def dates(self, numbers: Iterable[int]) -> dict[int, Dates]:
        """Return the dates of commits."""
        names = {self.name(number): number for number in numbers}
        options = ("--no-walk=unsorted", "--stdin", "--format=%ct %at")
        lines = self._run("rev-list", *options, lines=names).splitlines() if names else []
        found = {}
        for commit, times in zip(lines[::2], lines[1::2], strict=True):
            committer, _, author = times.partition(b" ")
            found[names[commit.removeprefix(b"commit ")]] = Dates(_time(committer), _time(author))
        return found

    def _run(self, *arguments: str | bytes, lines: Iterable[bytes] = ()) -> bytes:
        repository = self._repository
        return run(repository.top, *arguments, lines=lines, is_bare=repository.is_bare)


def tracked(repository: Repository, paths: Iterable[bytes] = ()) -> dict[bytes, tuple[bytes, bytes]]:
    """Return mode and blob of the files, links and submodules that HEAD has at or below paths, or of all.

    Raises ``RepositoryError`` if git cannot read it.
    """
    if not repository.head:
        return {}
    words = ("ls-tree", "-r", "-z", "--full-tree", repository.head, "--")
    data = run(repository.top, *words, *paths, is_bare=repository.is_bare)
    found = {}
    for entry in data.split(b"\0")[:-1]:
        description, _, name = entry.partition(b"\t")
        mode, _, blob = description.split(b" ")
        found[name] = mode, blob
    return found


def paths_of(names: Iterable[bytes]) -> list[bytes]:
    """Return few paths at or below which all names are; none means everywhere.

    >>> paths_of([b"mkdocs.yml", b"docs/a.md", b"docs/guide/b.md"])
    [b'docs', b'docs/guide', b'mkdocs.yml']
    """
    parts = [name.split(b"/") for name in names]
    for depth in (4, 3, 2, 1):
        found = {b"/".join(each[: max(1, min(depth, len(each) - 1))]) for each in parts}
        if len(found) <= _MAX_PATHS:
            return sorted(found)
    return []


def _parse(data: bytes) -> list[Differences]:
    """Parse the answers: each is a commit, and then pairs of a description and a name."""
    found: list[Differences] = []
    words = iter(data.split(b"\0")[:-1])
    for word in words:
        if word[-1:].isupper():  # a status; names of commits are lower case
            found[-1][next(words)] = word
        else:
            found.append({})
    return found


def _time(text: bytes) -> int | None:
    """Return a date, or ``None`` if git finds none or one that it cannot show (date.c, gm_time_t)."""
    return int(text) if text.isdigit() and len(text) <= 16 else None
