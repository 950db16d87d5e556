"""Reads the first parents of one commit as a stream, from ``git rev-list``.

``git cat-file`` can name them too (``COMMIT~7``), but reads each commit twice. So on a long history, a second
process reads ahead, on another processor if there is one.
"""

from __future__ import annotations

from contextlib import suppress

from docs_sitemap.history.change import RepositoryError
from docs_sitemap.history.process import GitProcess
from docs_sitemap.history.repository import Repository


class Mainline:
    """Commits and their trees along first parents; ``position`` is the next commit."""

    def __init__(self, repository: Repository, start: bytes) -> None:
        self._process = GitProcess(repository, "rev-list", "--first-parent", "--format=%T", "--stdin")
        with suppress(OSError):  # the process has ended: then there is nothing to read
            self._process.stdin.write(start + b"\n")
            self._process.stdin.close()
        self._broken = False
        self.position: bytes | None = start
        try:
            self._next = self._read()
        except RepositoryError:
            self._process.close()
            raise

    def close(self) -> None:
        """End the stream."""
        self._process.close()

    def take(self, number: int) -> tuple[list[tuple[bytes, bytes]], bool]:
        """Return the next ``number`` commits with their trees, and whether the last has no parents.

        The last of them is the first of the next call, as in a run. If a commit is missing, the
        stream ends before it.
        """
        taken = []
        while self._next is not None:
            taken.append(self._next)
            if len(taken) == number:
                self.position = self._next[0]
                return taken, False
            self._next = self._read()
        self.position = None
        return taken, not self._broken

    def _read(self) -> tuple[bytes, bytes] | None:
        """Return the next commit and its tree: two lines, ``commit NAME`` and the tree's name."""
        commit = self._process.stdout.readline()
        tree = self._process.stdout.readline()
        if not tree.endswith(b"\n"):
            self._broken = self._process.wait() != 0
            return None
        return commit[len(b"commit ") : -1], tree[:-1]
