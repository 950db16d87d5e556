"""Files of commits that change no content, as ``git blame --ignore-revs-file`` reads them."""

from __future__ import annotations

import os
import re
from contextlib import suppress
from pathlib import Path
from typing import Final

from docs_sitemap.history.repository import Repository
from docs_sitemap.limits import MAX_COMMIT_LIST
from docs_sitemap.untrusted import read_plain

DEFAULT_NAME = ".git-blame-ignore-revs"
_MAX_KNOWN: Final = 1_000
_FULL_NAME = re.compile(rb"[0-9a-f]{40}|[0-9a-f]{64}")

_known: dict[tuple[int, ...], frozenset[bytes]] = {}
"""The lists of repositories, by their files: hundreds of repositories may have links to one of megabytes."""


def read_ignored(file: Path) -> frozenset[bytes]:
    """Return the commits that a file lists: one full name per line, with ``#`` before comments.

    Raises ``OSError``, and ``ValueError`` with the number of a line that is malformed, but never its content:
    a hostile configuration may name a file of secrets, and logs may be public.
    """
    names = set()
    data = read_plain(file, MAX_COMMIT_LIST).removeprefix(b"\xef\xbb\xbf")
    for number, line in enumerate(data.splitlines(), 1):
        name = line.partition(b"#")[0].strip().lower()
        if name and not _FULL_NAME.fullmatch(name):
            raise ValueError(f"line {number}: expected the full name of a commit")
        names.add(name)
    return frozenset(names - {b""})


def default_ignored(repository: Repository) -> frozenset[bytes]:
    """Return the commits in the repository's own ``.git-blame-ignore-revs``; none if it is malformed."""
    file = repository.root / DEFAULT_NAME
    try:
        status = os.stat(file)
    except (OSError, ValueError):
        return frozenset()
    key = status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns
    if key not in _known:
        if len(_known) >= _MAX_KNOWN:
            _known.clear()
        _known[key] = frozenset()
        with suppress(OSError, ValueError):
            _known[key] = read_ignored(file)
    return _known[key]
