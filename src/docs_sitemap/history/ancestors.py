"""Reads commits and all their ancestors as a stream, from ``git rev-list``, in the order of ``git log``."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import suppress

from docs_sitemap.history.objects import Ancestor, MissingObjectError
from docs_sitemap.history.process import GitProcess
from docs_sitemap.history.repository import Repository


class Ancestors:
    """The stream, an iterator; ``close`` ends it."""

    def __init__(self, repository: Repository, starts: Iterable[bytes]) -> None:
        self._root = repository.root
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
        """Yield the commits; raises ``MissingObjectError`` before one that is missing."""
        read = self._process.stdout.readline
        while (line := read()) and (tree := read()).endswith(b"\n"):
            # "TIME commit NAME PARENT...", and the tree's name
            date, _, name, *parents = line.split()
            yield Ancestor(name, int(date), tree[:-1], parents)
        if self._process.wait() != 0:
            raise MissingObjectError(f"{self._root}: a commit is missing")
