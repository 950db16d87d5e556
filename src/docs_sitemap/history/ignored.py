"""Files of commits that change no content, as ``git blame --ignore-revs-file`` reads them."""

from __future__ import annotations

import re
from pathlib import Path

from docs_sitemap.history.remembered import once
from docs_sitemap.history.repository import Repository
from docs_sitemap.limits import MAX_COMMIT_LIST
from docs_sitemap.untrusted import read_plain

DEFAULT_NAME = ".git-blame-ignore-revs"
_FULL_NAME = re.compile(rb"[0-9a-f]{40}|[0-9a-f]{64}")


def read_ignored(file: Path) -> frozenset[bytes]:
    """Return the commits that a file lists: one full name per line, with ``#`` before comments.

    Raises ``OSError``, and ``ValueError`` with the number of a line that is malformed, but never its content:
    a hostile configuration may name a file of secrets, and logs may be public.
    """
    return once(file, _read)


def _read(file: Path) -> frozenset[bytes]:
    lines = read_plain(file, MAX_COMMIT_LIST).removeprefix(b"\xef\xbb\xbf").splitlines()
    # in no order, but without a step for each of four million empty lines
    names = {_name_in(line) for line in set(lines)} - {b""}
    if not all(map(_FULL_NAME.fullmatch, names)):
        found = enumerate(map(_name_in, lines), 1)
        wrong = next(number for number, name in found if name and not _FULL_NAME.fullmatch(name))
        raise ValueError(f"line {wrong}: expected the full name of a commit")
    return frozenset(names)


def _name_in(line: bytes) -> bytes:
    return line.partition(b"#")[0].strip().lower()


def default_ignored(repository: Repository) -> frozenset[bytes]:
    """Return the commits in the repository's own ``.git-blame-ignore-revs``; none if it is malformed."""
    return once(repository.root / DEFAULT_NAME, _read_own)


def _read_own(file: Path) -> frozenset[bytes]:
    try:
        return read_ignored(file)
    except (OSError, ValueError):
        return frozenset()
