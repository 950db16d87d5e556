"""Reads commits and all their ancestors as a stream, from ``git rev-list``, in the order of ``git log``."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import suppress
from functools import partial
from typing import Final

from docs_sitemap.history.change import Reason, RepositoryError
from docs_sitemap.history.objects import Ancestor, MissingObjectError
from docs_sitemap.history.process import GitProcess
from docs_sitemap.history.repository import Repository
from docs_sitemap.limits import MAX_OBJECT, MAX_PARENTS

_MANY: Final = 4_096


class Ancestors:
    """The stream, an iterator; ``close`` ends it.

    What ``reader`` reads of the commits takes time for each of them, too.
    """

    def __init__(self, repository: Repository, starts: Iterable[bytes], reader: GitProcess) -> None:
        self._reader = reader
        self._root = repository.root
        self._names: dict[bytes, bytes] = {}
        self._process = GitProcess(
            repository, "rev-list", "--timestamp", "--parents", "--format=%T", "--stdin"
        )
        with suppress(OSError):  # the process has ended: then there is nothing to read
            self._process.stdin.writelines([start + b"\n" for start in starts])
            self._process.stdin.close()

    def close(self) -> None:
        """End the stream."""
        self._process.close()

    def __iter__(self) -> Iterator[Ancestor]:
        """Yield the commits; raises ``MissingObjectError`` at a missing one, else ``RepositoryError``."""
        read = partial(self._process.stdout.readline, MAX_OBJECT)
        while (line := read()).endswith(b"\n") and (tree := read()).endswith(b"\n"):
            # "TIME commit NAME PARENT...", and the tree's name
            date, _, name, *parents = line.split()
            yield Ancestor(name, int(date), tree[:-1], self._few(parents))
        if len(line) >= MAX_OBJECT:
            raise RepositoryError(f"{self._root}: a commit names too many parents", Reason.TOO_LARGE)
        if self._process.wait() != 0:
            raise MissingObjectError(f"{self._root}: a commit is missing")

    def _few(self, parents: list[bytes]) -> list[bytes]:
        """Return the parents without those that are named again, but for one in place of a merge's second.

        A small pack can have thousands of commits with very many, of which thousands are in memory.
        """
        if len(parents) < 3:
            return parents
        different = [self._names.setdefault(name, name) for name in dict.fromkeys(parents)]
        if len(different) > MAX_PARENTS:
            text = f"a commit has more than {MAX_PARENTS:,} parents"
            raise RepositoryError(f"{self._root}: {text}", Reason.TOO_LARGE)
        return different if len(different) > 1 else different * 2
