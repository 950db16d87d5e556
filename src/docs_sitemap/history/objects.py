"""What the walk reads: commits, trees, and runs of first parents, from any ``ObjectReader``."""

# pyright: reportReturnType=false
# It wants `...` in a protocol's methods, which need none beside their docstrings; mypy checks the rest.

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple, Protocol

from docs_sitemap.history.change import Reason, RepositoryError


class Commit(NamedTuple):
    """A commit: names in hex, and the whole object as it is stored.

    Dates are in POSIX seconds (UTC), ``None`` where git cannot read them.
    """

    tree: bytes
    parents: tuple[bytes, ...]
    committer_time: int | None
    author_time: int | None
    data: bytes = b""


class Run(NamedTuple):
    """A commit and those that follow it along first parents.

    ``folders[i]`` is the tree at the asked folder in ``commits[i]``, or ``None`` where that commit
    has none. ``ends`` says that the last commit has no parents.
    """

    commits: Sequence[bytes]
    folders: Sequence[bytes | None]
    ends: bool


class MissingObjectError(RepositoryError):
    """An object that the history names is not there: a partial clone, or damage."""

    def __init__(self, message: str) -> None:
        super().__init__(message, Reason.INCOMPLETE)


class ObjectReader(Protocol):
    """Reads objects of one repository; names are lower-case hex in ASCII bytes.

    Many objects are asked for at once, because waiting for each costs more than reading it. All
    methods raise ``MissingObjectError``, or ``RepositoryError`` where nothing can be read.
    """

    def head(self) -> bytes | None:
        """Return the name of HEAD's commit, or ``None`` where there is no commit yet."""

    def runs(self, starts: Sequence[tuple[bytes, int]], folder: bytes) -> list[Run]:
        """Return, for each commit and number, the run of so many steps from there.

        ``folder`` is a path from the root, ``b""`` for the root itself. A commit at the boundary
        of a shallow clone has no parents here.
        """

    def commits(self, names: Iterable[bytes]) -> Mapping[bytes, Commit]:
        """Return commits by name, with the parents that git follows: none at a shallow boundary."""

    def trees(self, names: Iterable[bytes]) -> Mapping[bytes, bytes]:
        """Return the content of trees by name."""


def parse_commit(data: bytes) -> Commit:
    """Parse a commit's header; raises ``MissingObjectError`` where it is none."""
    header = data[: data.find(b"\n\n") + 1] or data
    tree = b""
    parents: list[bytes] = []
    committer_time = author_time = None
    for line in header.split(b"\n"):
        key, _, value = line.partition(b" ")
        if key == b"tree" and not tree:
            tree = value
        elif key == b"parent":
            parents.append(value)
        elif key == b"author":
            author_time = _time(value)
        elif key == b"committer":
            committer_time = _time(value)
            break  # what follows is not needed: encoding, signatures, the message
    if len(tree) not in (40, 64):
        raise MissingObjectError("a commit without a tree")
    return Commit(tree, tuple(parents), committer_time, author_time, data)


# As git's split_ident_line: digits behind the last `>`, then a zone and whatever follows
_TIME = re.compile(rb">\s*(\d+)\s+[+-]\d+[^>]*\Z")
_LONGEST_TIME = 18
"""Digits: what is longer may not fit into git's 64 bits."""


def _time(person: bytes) -> int | None:
    match = _TIME.search(person)
    if not match or len(match[1]) > _LONGEST_TIME:
        return None
    return int(match[1])
