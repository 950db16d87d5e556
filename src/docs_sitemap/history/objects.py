"""What the walk reads: commits and trees, from any ``ObjectReader``."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Protocol

from docs_sitemap.history.change import RepositoryError

Entry = tuple[bytes, bytes]
"""Mode (``b"100644"``; ``b"40000"`` is a tree) and binary object name of a tree entry."""

TREE_MODE = b"40000"


@dataclass(frozen=True, slots=True)
class Commit:
    """A commit: names in hex, dates in POSIX seconds (UTC)."""

    tree: bytes
    parents: tuple[bytes, ...]
    committer_time: int
    author_time: int


class MissingObjectError(RepositoryError):
    """An object that the history names is not there: a partial clone, or damage."""


class ObjectReader(Protocol):
    """Reads objects of one repository; names are lower-case hex in ASCII bytes."""

    def head(self) -> bytes | None:
        """Return the name of HEAD's commit, or ``None`` where there is no commit yet."""

    def commit(self, name: bytes) -> Commit:
        """Return a commit; raises ``MissingObjectError``."""

    def tree(self, name: bytes) -> dict[bytes, Entry]:
        """Return a tree's entries by name; raises ``MissingObjectError``."""


def parse_commit(data: bytes) -> Commit:
    """Parse a commit's header; raises ``ValueError`` where it is none."""
    header = data[: data.find(b"\n\n") + 1] or data
    tree = b""
    parents: list[bytes] = []
    committer_time = author_time = 0
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
    if not tree:
        raise ValueError("a commit without a tree")
    return Commit(tree, tuple(parents), committer_time, author_time)


_TIME = re.compile(rb"> (\d+) [+-]\d+\Z")


def _time(person: bytes) -> int:
    match = _TIME.search(person)
    # git shows 0, the epoch, for a date that it cannot read
    return int(match[1]) if match else 0


_ENTRY = {size: re.compile(rb"(\d+) ([^\0]+)\0(.{%d})" % size, re.DOTALL) for size in (20, 32)}


def parse_tree(data: bytes, name_size: int) -> dict[bytes, Entry]:
    """Parse a tree; ``name_size`` is the length of binary object names: 20, or 32 for SHA-256."""
    return {name: (mode, object_name) for mode, name, object_name in _ENTRY[name_size].findall(data)}
