"""Files of commits that change no content, as ``git blame --ignore-revs-file`` reads them."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

from docs_sitemap.untrusted import read_plain

_FULL_NAME: Final = re.compile(rb"[0-9a-f]{40}|[0-9a-f]{64}|")
_MAX_BYTES: Final = 4 << 20  # 100,000 commits


def read_ignored(file: Path) -> frozenset[bytes]:
    """Return the commits that a file lists: one full name per line, with ``#`` before comments.

    Raises ``OSError``, and ``ValueError`` with the number of a line that is malformed, but never its content:
    a configuration may name a file of secrets, and logs may be public.
    """
    lines = read_plain(file, _MAX_BYTES).removeprefix(b"\xef\xbb\xbf").splitlines()
    names = [line.partition(b"#")[0].strip().lower() for line in lines]
    for number, name in enumerate(names, 1):
        if not _FULL_NAME.fullmatch(name):
            raise ValueError(f"line {number}: expected the full name of a commit")
    return frozenset(names) - {b""}


def read_own(root: Path) -> frozenset[bytes]:
    """Return the commits in a repository's own ``.git-blame-ignore-revs``; none if it is malformed."""
    try:
        return read_ignored(root / ".git-blame-ignore-revs")
    except (OSError, ValueError):
        return frozenset()
