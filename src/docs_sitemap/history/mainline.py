"""Reads the first parents of one commit as a stream, from ``git rev-list``.

``git cat-file`` can name them too (``COMMIT~7``), but reads each commit twice. So on a long history, a second
process reads ahead, on another processor if there is one.
"""

from __future__ import annotations

from contextlib import suppress
from itertools import islice

from docs_sitemap.history.process import GitProcess
from docs_sitemap.history.repository import Repository


class Mainline:
    """Commits and their trees along first parents; ``position`` is the next commit."""

    def __init__(self, repository: Repository, start: bytes) -> None:
        words = "rev-list", "--first-parent", "--format=%T", "--stdin"
        self._process = GitProcess(repository, *words)
        with suppress(OSError):  # the process has ended: then there is nothing to read
            self._process.stdin.write(start + b"\n")
            self._process.stdin.close()
        self._number = 0
        self._last: list[tuple[bytes, bytes]] = []
        self.position: bytes | None = start

    def close(self) -> None:
        """End the stream."""
        self._process.close()

    def take(self, number: int) -> tuple[list[tuple[bytes, bytes]], bool]:
        """Return the next ``number`` commits with their trees, and whether the last has no parents.

        The last of them is the first of the next call, as in a run. If a commit is missing, the
        stream ends before it.
        """
        # two lines each: `commit NAME`, and the tree's name
        lines = list(islice(self._process.stdout, 2 * (number - len(self._last))))
        if lines and not lines[-1].endswith(b"\n"):
            lines.pop()
        start = len(b"commit ")
        new = [(commit[start:-1], tree[:-1]) for commit, tree in zip(lines[::2], lines[1::2], strict=False)]
        self._number += len(new)
        taken = self._last + new
        if len(taken) < number:
            self.position = None
            return taken, self._process.wait() == 0
        self._last = taken[-1:]
        self.position = taken[-1][0]
        return taken, False
