"""The two answers for a file: the commit that last changed it, or why that is unknown."""

from __future__ import annotations

import enum
import os
import shlex
from dataclasses import dataclass, field
from typing import Final, Literal, NamedTuple, TypeVar

from docs_sitemap.errors import DocsSitemapError

TIMEOUT: Final = 120
"""Seconds for which git may be silent. Of a million commits, it sorts for half a minute."""


class Skip(NamedTuple):
    """A commit that was skipped: ``ignored``, or ``renamed`` from ``old_name``.

    The search continued at its ``parent``. Both are full commit names in hex; ``old_name`` is a
    path from the repository's root, or empty if the file kept its name.
    """

    why: Literal["ignored", "renamed"]
    commit: str
    parent: str
    old_name: bytes = b""


@dataclass(frozen=True, slots=True)
class Change:
    """The commit that last changed a file.

    ``commit`` is its full object name in hex; ``time`` is its date in POSIX seconds (UTC), by the
    requested clock. ``skips`` are the commits that were skipped before it, newest first; they do not matter
    when changes are compared.

    >>> from datetime import UTC, datetime
    >>> change = Change("51f7d3a9f4a9e0c1a9f0b9a4f2d1c7e6b5a49382", 1787220672)
    >>> datetime.fromtimestamp(change.time, UTC).isoformat()
    '2026-08-20T10:11:12+00:00'
    """

    commit: str
    time: int
    skips: tuple[Skip, ...] = field(default=(), compare=False)


class Reason(enum.Enum):
    """Why a date is unknown: ``text`` is the reason, and ``cure`` is the fix.

    ``cure`` is empty if nothing is wrong.

    >>> Reason.UNTRACKED.text
    'no commit has it'
    """

    UNTRACKED = ("no commit has it", "")
    GENERATED = ("no known file makes it", "")
    NO_DATE = ("its commit has no date that git can read", "")
    FUTURE = ("its commit is dated in the future", "")
    BOUNDARY = (
        "its commit lies beyond the boundary of a shallow clone",
        "fetch the whole history: `fetch-depth: 0` in a workflow, or `git fetch --unshallow`; "
        "`--filter=blob:none` makes that cheap",
    )
    MERGED = ("a merge added it, and `git log` shows no additions in merges", "")
    FOLDER = ("a folder had its name, and its files may have been renamed", "")
    SAME_TIME = ("branches added it, and their commits have the same date", "")
    NO_REPOSITORY = ("it is in no git repository", "build from a git checkout")
    NO_COMMIT = ("the repository has no commit yet", "commit the documentation")
    NO_GIT = ("no git program is on the PATH", "install git on the machine that builds")
    OTHER_OWNER = (
        "the repository belongs to another user, and git refuses to read it",
        "run `git config --global --add safe.directory DIRECTORY`",
    )
    INCOMPLETE = (
        "objects of the history are missing",
        "run `git fetch --refetch --filter=blob:none` in a clone that was made with `--filter=tree:0`, or "
        "find the damage with `git fsck`",
    )
    UNREADABLE = ("git cannot read the repository", "run `git fsck` to find out what is wrong with it")
    TIMEOUT = (
        f"git has not answered for {TIMEOUT} seconds",
        "check that `.git` has only files and folders, no pipes, and that its disk responds",
    )

    def __init__(self, text: str, cure: str) -> None:
        self.text = text
        self.cure = cure

    def cure_of(self, folder: str) -> str:
        """Return the fix for a repository, with its folder where a command needs it.

        >>> Reason.OTHER_OWNER.cure_of("/srv/my site")
        "run `git config --global --add safe.directory '/srv/my site'`"
        """
        return self.cure.replace("DIRECTORY", shlex.quote(folder)) if folder else self.cure


@dataclass(frozen=True, slots=True)
class Unknown:
    """A file whose last change is not known.

    ``where`` is the repository, or the path if there is none. At a shallow boundary, ``not_after`` is
    the boundary commit's date in POSIX seconds: the file's last change is not later.
    """

    reason: Reason
    where: str
    not_after: int | None = None
    skips: tuple[Skip, ...] = field(default=(), compare=False)

    @property
    def cure(self) -> str:
        """The fix, ready to copy; empty if nothing is wrong."""
        return self.reason.cure_of(self.where)


Answer = Change | Unknown
"""The answer for one file."""

AnyPath = TypeVar("AnyPath", bound=os.PathLike[str])
"""The kind of paths that are asked for, which the answers have too."""


class RepositoryError(DocsSitemapError):
    """A repository cannot be read; ``reason`` applies to all of its files, and ``cure`` is the fix.

    ``where`` is the folder that git has named, or empty.
    """

    def __init__(self, message: str, reason: Reason = Reason.UNREADABLE, where: str = "") -> None:
        super().__init__(message)
        self.reason = reason
        self.where = where

    @property
    def cure(self) -> str:
        """The fix, ready to copy."""
        return self.reason.cure_of(self.where)
