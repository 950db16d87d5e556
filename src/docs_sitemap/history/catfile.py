"""Reads objects through ``git cat-file``: every repository that git can read.

There is one process per repository; for a long history, a second one lists the commits ahead. Objects that
are likely to be needed next are requested while git is idle.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from itertools import chain, islice, pairwise
from types import TracebackType
from typing import Final, Self

from docs_sitemap.history.ancestors import Ancestors
from docs_sitemap.history.change import RepositoryError
from docs_sitemap.history.count import Count
from docs_sitemap.history.listing import Finder
from docs_sitemap.history.mainline import Mainline
from docs_sitemap.history.objects import (
    Ancestor,
    Commit,
    MissingObjectError,
    ObjectReader,
    Packs,
    Run,
    check_size,
    parse_commit,
    parsing,
)
from docs_sitemap.history.process import UNKNOWN_OPTION, GitProcess
from docs_sitemap.history.repository import Repository
from docs_sitemap.history.requests import PIPE, Requests, Ticket
from docs_sitemap.history.trees import TREE_MODE
from docs_sitemap.limits import MAX_OBJECTS

_BATCH: Final = 24 if sys.platform == "win32" else 64
"""Objects or steps in one request."""
_AHEAD: Final = 3
"""Runs along the longest path that are requested before they are needed."""
_TREES_AHEAD: Final = 16 << 20
"""Bytes of trees of one run that are requested before they are needed."""
_WORTH_AHEAD: Final = 8
_WORTH_MAINLINE: Final = _BATCH
"""Steps that make a run long enough to look ahead, and a path long enough for a second process."""

_KINDS: Final = (b" tree ", b" commit ")
"""Kinds of the objects in a step of a run, as they follow the name in a header.

An answer of another kind, such as ``NAME~3 missing``, has no blank at that place.
"""


def _place(folder: bytes) -> bytes:
    """Return a folder's path as it follows the name of a commit and a colon in a request.

    With a slash at its end: without it, git takes all before ``-g`` and some digits, as in ``v1.0-2-g1a2b``,
    for a part of what ``git describe`` writes, and answers with the object 1a2b, for each commit (2.39).
    """
    return folder + b"/" if folder else b""


@contextmanager
def open_reader(repository: Repository) -> Iterator[ObjectReader]:
    """Yield a reader for a repository; raises ``RepositoryError`` if git is missing or refuses it.

    Errors from malformed data while the reader is open are converted to ``RepositoryError`` too.
    """
    with parsing(repository.root), CatFile(repository) as reader:
        yield reader


class CatFile:
    """An ``ObjectReader`` over one ``git cat-file`` process; a context manager.

    Raises ``RepositoryError`` if git is missing or refuses the repository.
    """

    def __init__(self, repository: Repository) -> None:
        self._repository = repository
        self._grafts = repository.grafts
        self._shallow = repository.shallow
        self._info, self._contents_of = b"info ", b"contents "
        process = GitProcess(repository, "cat-file", "--batch-command", "--buffer")
        self._requests = Requests(process, b"flush\n")
        self._ahead: dict[tuple[bytes, bytes], Ticket] = {}
        self._coming: dict[bytes, Ticket] = {}
        self._tree_size = 0  # of the largest one that was read together with the last
        self._resting: tuple[Run, bytes] | None = None
        self._distance = 0
        self._passed = self._kept = 0
        self._mainline: Mainline | None = None
        self._name_size = 0
        self._finder = Finder(self, Count())
        self._head: bytes | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._requests.process.close()
        if self._mainline is not None:
            self._mainline.close()

    def head(self) -> bytes | None:
        """Return the name of HEAD's commit, or ``None`` if there is no commit yet; reads it once."""
        if self._head is None:
            self._head = self._read_head()
        return self._head

    def _read_head(self) -> bytes | None:
        if not self._repository.is_of_root():
            raise RepositoryError(f"{self._repository.root}: core.worktree names another folder")
        try:
            found = self._ask_head()
        except RepositoryError:
            if self._requests.process.exit_code() != UNKNOWN_OPTION:
                raise
            self._use_batch()
            found = self._ask_head()
        name = self._repository.head_name()
        if found is None and name:
            raise RepositoryError(f"{self._repository.root}: HEAD's commit is missing")
        if found is None:
            return None
        if os.pathsep in os.fspath(self._repository.root) and found[0] != name:
            # git stops its search at no folder with such a name, so it may have opened one further up
            raise RepositoryError(f"{self._repository.root}: git may have opened another repository")
        # git echoes a request that it cannot answer, which is longer than any name
        self._name_size = len(found[0])
        return found[0]

    def _ask_head(self) -> tuple[bytes, bytes, bytes] | None:
        request = self._contents_of + b"HEAD^{commit}\n"
        found: tuple[bytes, bytes, bytes] | None
        found = self._requests.take(self._requests.ask(request, self._read_object))
        return found

    def _use_batch(self) -> None:
        """Use ``--batch`` instead, for git before 2.36: it answers each request with the contents."""
        self._requests.process.close()
        self._info = self._contents_of = b""
        self._requests = Requests(GitProcess(self._repository, "cat-file", "--batch"), b"")

    def packs(self) -> Packs:
        """Return what the packs have; see ``ObjectReader``."""
        return self._repository.packs

    def commits(self, names: Iterable[bytes]) -> Mapping[bytes, Commit]:
        """Return commits by name; see ``ObjectReader``."""
        return {
            name: self._followed(name, parse_commit(data)) for name, data in self._objects(names, b"commit")
        }

    def _followed(self, name: bytes, commit: Commit) -> Commit:
        """Return a commit with the parents that git follows."""
        if name in self._shallow:
            return commit._replace(parents=())
        if name in self._grafts:
            return commit._replace(parents=self._grafts[name])
        return commit

    def trees(self, names: Iterable[bytes]) -> Mapping[bytes, bytes]:
        """Return the content of trees by name."""
        return dict(self._objects(names, b"tree"))

    def _objects(self, names: Iterable[bytes], kind: bytes) -> Iterable[tuple[bytes, bytes]]:
        names = list(names)
        coming = {name: self._coming.pop(name) for name in names if name in self._coming}
        tickets = self._ask_objects([name for name in names if name not in coming], kind)
        self._continue()
        found: dict[bytes, bytes] = {}
        total = 0
        for ticket in tickets:
            some = self._requests.take(ticket)
            total += sum(map(len, some.values()))
            check_size(total, self._repository.root, MAX_OBJECTS)
            found.update(some)
        for name, ticket in coming.items():
            found[name] = self._requests.take(ticket)[name]
        return found.items()

    def _ask_objects(self, names: Sequence[bytes], kind: bytes) -> list[Ticket]:
        tickets = []
        for start in range(0, len(names), _BATCH):
            part = names[start : start + _BATCH]
            request = b"".join([b"%b%b\n" % (self._contents_of, name) for name in part])
            tickets.append(self._requests.ask(request, partial(self._read_objects, part, kind)))
        return tickets

    def runs(self, starts: Sequence[tuple[bytes, int]], folder: bytes) -> list[Run]:
        """Return runs along first parents; see ``ObjectReader``. They may be longer or shorter."""
        tickets = []
        known = False
        for commit, steps in starts:
            ticket = self._ahead.pop((commit, folder), None)
            known = known or ticket is not None
            tickets.append(ticket or self._ask_run(commit, steps, folder))
        if not any(ticket.done for ticket in tickets):
            self._continue()
        runs = [self._requests.take(ticket) for ticket in tickets]
        for run in runs:
            self._check(run, folder)
            self._passed += len(run.commits)
        if not (known and self._ahead):
            longest = max(runs, key=lambda run: len(run.commits), default=None)
            if longest and len(longest.commits) >= _WORTH_AHEAD:
                self._ahead.clear()  # requested for a path that is no longer followed
                self._coming.clear()
                self._resting = None
                self._look_ahead(longest, folder)
        return runs

    @contextmanager
    def ancestors(self, starts: Iterable[bytes]) -> Iterator[Iterator[Ancestor]]:
        """Yield a stream of commits; see ``ObjectReader``."""
        stream = Ancestors(self._repository, starts, self._requests.process)
        try:
            yield iter(stream)
        finally:
            stream.close()

    def folders(self, trees: Iterable[bytes], folder: bytes) -> Mapping[bytes, bytes | None]:
        """Return the tree of a folder in each tree or commit; see ``ObjectReader``."""
        names = list(trees)
        tickets = []
        together = self._fitting(1, folder)
        for start in range(0, len(names), together):
            part = names[start : start + together]
            request = b"".join([b"%b%b:%b\n" % (self._info, name, _place(folder)) for name in part])
            tickets.append(self._requests.ask(request, partial(self._read_infos, len(part))))
        found = dict(zip(names, chain.from_iterable(map(self._requests.take, tickets)), strict=True))
        absent = [name for name in names if found[name] is None]
        for name, tree in zip(absent, self._root_trees(absent), strict=True):
            entry = self._finder.find(tree, folder) if tree else None
            if tree is None or (entry is not None and entry[0] == TREE_MODE):
                raise MissingObjectError(f"{self._repository.root}: a tree of {name.decode()} is missing")
        return found

    def _root_trees(self, names: Sequence[bytes]) -> list[bytes | None]:
        """Return the trees of commits, or of trees themselves."""
        tickets = []
        for start in range(0, len(names), _BATCH):
            part = names[start : start + _BATCH]
            request = b"".join([b"%b%b^{tree}\n" % (self._info, name) for name in part])
            tickets.append(self._requests.ask(request, partial(self._read_infos, len(part))))
        return list(chain.from_iterable(map(self._requests.take, tickets)))

    def _look_ahead(self, run: Run, folder: bytes) -> None:
        """Request what follows a run, before it is needed."""
        if run.ends or not run.commits:
            return
        start = run.commits[-1]
        self._distance += len(run.commits)
        if self._distance > _WORTH_MAINLINE and self._mainline is None:
            self._mainline = Mainline(self._repository, start)
        ticket = self._ahead[start, folder] = self._ask_run(start, min(2 * len(run.commits), _BATCH), folder)

        def then(following: Run) -> None:
            if (start, folder) in self._ahead:
                self._resting = (following, folder)
                # trees that differ from the previous one will be compared
                trees = [tree for before, tree in pairwise(following.folders) if tree and tree != before]
                trees = [tree for tree in dict.fromkeys(trees) if tree not in self._coming]
                trees = trees[: _TREES_AHEAD // max(self._tree_size, 1)]
                for number, ticket in enumerate(self._ask_objects(trees, b"tree")):
                    part = trees[number * _BATCH : (number + 1) * _BATCH]
                    self._coming.update(dict.fromkeys(part, ticket))

        ticket.then = then

    def _continue(self) -> None:
        """Request the run after the last one, unless several are not taken yet."""
        if self._resting is not None and len(self._ahead) < _AHEAD:
            run, folder = self._resting
            self._resting = None
            self._look_ahead(run, folder)

    def _fitting(self, lines: int, folder: bytes) -> int:
        """Return how many times so many lines about a folder fit in a request."""
        line = b"%b%b~%d:%b\n" % (self._info, b"f" * self._name_size, _BATCH, _place(folder))
        return min(_BATCH, PIPE // (lines * len(line)))

    def _ask_run(self, commit: bytes, steps: int, folder: bytes) -> Ticket:
        steps = min(steps, self._fitting(2, folder) - 1)
        place = _place(folder)
        if self._mainline is not None and self._mainline.position == commit:
            taken, ends = self._mainline.take(steps + 1)
            request = b"".join([b"%b%b:%b\n" % (self._info, tree, place) for _, tree in taken])
            names = [name for name, _ in taken]
            return self._requests.ask(request, lambda: Run(names, self._read_infos(len(names)), ends))
        request = b"".join(
            [
                b"%b%b~%d\n%b%b~%d:%b\n" % (self._info, commit, step, self._info, commit, step, place)
                for step in range(steps + 1)
            ]
        )
        return self._requests.ask(request, lambda: self._read_run(steps))

    def _read_run(self, steps: int) -> Run:
        found = self._read_infos(2 * steps + 2)
        commits = [name for name in found[::2] if name is not None]
        self._kept += len(commits)  # git does; a run of the main line names only trees
        return Run(commits, found[1 : 2 * len(commits) : 2], len(commits) <= steps)

    def _check(self, run: Run, folder: bytes) -> None:
        """Raise ``MissingObjectError`` if a folder seems absent because a tree is missing."""
        if not run.commits:
            raise MissingObjectError(f"{self._repository.root}: a commit is missing")
        for commit, found in zip(run.commits, run.folders, strict=True):
            if found is None:
                ((_, commit_data),) = self._objects([commit], b"commit")
                entry = self._finder.find(parse_commit(commit_data).tree, folder)
                if entry is None or entry[0] != TREE_MODE:
                    return  # absent: the run is not needed beyond this commit
                raise MissingObjectError(f"{self._repository.root}: a tree of {commit.decode()} is missing")

    def _read_infos(self, number: int) -> list[bytes | None]:
        """Return the names of ``number`` objects, or ``None`` for an object that git does not have."""
        out = self._requests.process.stdout
        if self._info:
            headers = list(islice(out, number))
        else:
            headers = []
            for header in islice(out, number):
                headers.append(header)
                size = header.rpartition(b" ")[2]
                if header.find(b" ") == self._name_size and size[:-1].isdigit():
                    check_size(int(size), self._repository.root)
                    out.read(int(size) + 1)
        if len(headers) < number or not headers[-1].endswith(b"\n"):
            raise self._requests.process.refusal()
        end = self._name_size
        # in other commits, the folder's path may be a file
        return [header[:end] if header.startswith(_KINDS, end) else None for header in headers]

    def _read_objects(self, names: Sequence[bytes], kind: bytes) -> dict[bytes, bytes]:
        found = {}
        missing = None
        total = 0
        for name in names:
            content = self._read_object()
            if content is None or content[1] != kind:
                missing = missing or name
            else:
                found[name] = content[2]
                total += len(content[2])
            check_size(total, self._repository.root, MAX_OBJECTS)
        if kind == b"tree":
            self._tree_size = max(map(len, found.values()), default=0)
        if missing:  # not before the last answer is read
            text = f"{kind.decode()} {missing.decode()} is missing"
            raise MissingObjectError(f"{self._repository.root}: {text}")
        return found

    def _read_object(self) -> tuple[bytes, bytes, bytes] | None:
        """Return name, type and content of an object, or ``None`` if git does not have it."""
        out = self._requests.process.stdout
        header = out.readline()
        fields = header.split()
        if len(fields) == 3 and fields[2].isdigit():
            size = int(fields[2])
            check_size(size, self._repository.root)
            content = out.read(size)
            if out.read(1):  # the line break; to read it with the content would mean a copy without it
                return fields[0], fields[1], content
        elif header.endswith(b"\n"):
            return None
        raise self._requests.process.refusal()
