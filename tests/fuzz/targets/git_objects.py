"""Commits and trees as they are stored, and what parts two trees."""

from __future__ import annotations

from contextlib import suppress

from docs_sitemap.history.change import RepositoryError
from docs_sitemap.history.objects import parse_commit
from docs_sitemap.history.trees import Tree, differing_entries, parse_tree

_NAME = b"\x01" * 20

SEEDS = [
    b"tree " + b"a" * 40 + b"\nparent " + b"b" * 40 + b"\nauthor A <a@b> 1600000000 +0100\n"
    b"committer C <c@d> 1600000001 -0000\ngpgsig -----BEGIN\n a\n\nmessage\n",
    b"tree " + b"a" * 64 + b"\nauthor  <> 99999999999999999999 +9999\ncommitter >> -1 x\n\n",
    b"100644 a.md\0" + _NAME + b"40000 b\0" + _NAME + b"\n\n100755 a.md\0" + _NAME + b"120000 c\0" + _NAME,
    b"100664 a b\0" + _NAME + b"040000 b\0" + _NAME + b"160000 \xff\0" + _NAME,
    b"".join(b"100644 %04d\0" % number + _NAME for number in range(60)),
]


def read(data: bytes) -> None:
    """Read an input as a commit, as a tree, and as two trees of which one begins like the other."""
    half = len(data) // 2
    with suppress(RepositoryError, ValueError):
        parse_commit(data)
    for size in (20, 32):
        with suppress(ValueError):
            parse_tree(data, size)
        for other in (data[:half] + data[half + 1 :], data[half:], data[:half]):
            with suppress(ValueError):
                differing_entries(Tree(data), Tree(other), size)
