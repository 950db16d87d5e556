"""The two answers that the history gives for a file: the commit, or why there is none."""

from __future__ import annotations

import enum
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from docs_sitemap.errors import DocsSitemapError
from docs_sitemap.limits import MAX_GIT_SILENCE


class Skip(NamedTuple):
    """A commit that was passed over: ``ignored``, or ``renamed`` from ``old_name``.

    The walk went on at its ``parent``. Both names of commits are in full, in hex; ``old_name`` is a
    path from the repository's root, and empty where the file kept its name.
    """

    why: Literal["ignored", "renamed"]
    commit: str
    parent: str
    old_name: bytes = b""


@dataclass(frozen=True, slots=True)
class Change:
    """The commit that last changed a file.

    ``commit`` is its full object name in hex; ``time`` its date in POSIX seconds (UTC), by the
    clock that was asked for. ``skips`` are the commits that were passed over before it, newest first;
    two changes are equal whatever was passed over.

    >>> from datetime import UTC, datetime
    >>> change = Change("51f7d3a9f4a9e0c1a9f0b9a4f2d1c7e6b5a49382", 1787220672)
    >>> datetime.fromtimestamp(change.time, UTC).isoformat()
    '2026-08-20T10:11:12+00:00'
    """

    commit: str
    time: int
    skips: tuple[Skip, ...] = field(default=(), compare=False)


class Reason(enum.Enum):
    """Why a date is unknown: ``text`` says it, and ``cure`` what a user can do.

    The cure is empty where nothing is wrong.

    >>> Reason.UNTRACKED.text
    'no commit has it'
    """

    UNTRACKED = ("no commit has it", "")
    GENERATED = ("no file is known that makes it", "")
    NO_DATE = ("its commit has no date that git can read", "")
    FUTURE = ("its commit is dated in the future", "")
    BOUNDARY = (
        "its last change lies beyond the boundary of a shallow clone",
        "fetch the whole history: `fetch-depth: 0` in a workflow, or `git fetch --unshallow`; "
        "`--filter=blob:none` makes that cheap",
    )
    NO_REPOSITORY = ("it is in no git repository", "build from a git checkout")
    NO_COMMIT = ("the repository has no commit yet", "commit the documentation")
    NO_GIT = ("no git program is on the PATH", "install git on the machine that builds")
    OTHER_OWNER = (
        "the repository belongs to another user, and git refuses to read it",
        "`git config --global --add safe.directory DIRECTORY`",
    )
    INCOMPLETE = (
        "objects of the history are missing",
        "`git fetch --refetch --filter=blob:none` in a clone that was made with `--filter=tree:0`, or "
        "`git fsck`",
    )
    UNREADABLE = ("git cannot read the repository", "`git fsck` says what is wrong with it")
    SILENT = (
        f"git has answered nothing for {MAX_GIT_SILENCE} seconds",
        "see that all in `.git` are files and folders, no pipes, and that their disk answers",
    )
    TOO_LARGE = (
        "the history has more files, deeper folders or a larger object than are read",
        "take out of it what is larger than the limits that the documentation lists",
    )

    def __init__(self, text: str, cure: str) -> None:
        self.text = text
        self.cure = cure


@dataclass(frozen=True, slots=True)
class Unknown:
    """A file whose last change is not known.

    ``where`` is the repository, or the path where there is none. ``not_after`` is, at a shallow
    boundary, the boundary commit's date in POSIX seconds: the file's last change is not later.
    """

    reason: Reason
    where: str
    not_after: int | None = None
    skips: tuple[Skip, ...] = field(default=(), compare=False)


Answer = Change | Unknown
"""What the history says of one file."""


class RepositoryError(DocsSitemapError):
    """A repository cannot be read; ``reason`` is the cause, for all of its files."""

    def __init__(self, message: str, reason: Reason = Reason.UNREADABLE) -> None:
        super().__init__(message)
        self.reason = reason
