"""The two answers for a file: the commit that last changed it, or why that is unknown."""

from __future__ import annotations

import enum
import os
from dataclasses import dataclass, field
from typing import Literal, NamedTuple, TypeVar

from docs_sitemap.errors import DocsSitemapError
from docs_sitemap.limits import MAX_GIT_SILENCE


class Skip(NamedTuple):
    """A commit that was skipped: ``ignored``, or ``renamed`` from ``old_name``.

    The walk continued at its ``parent``. Both are full commit names in hex; ``old_name`` is a
    path from the repository's root, or empty if the file kept its name.
    """

    why: Literal["ignored", "renamed"]
    commit: str
    parent: str
    old_name: bytes = b""


Skipped = tuple[Literal["ignored", "renamed"], str, str, bytes]
"""What a ``Skip`` has: a plain tuple of texts costs Python no time each time that it looks for garbage."""


@dataclass(frozen=True, slots=True)
class Change:
    """The commit that last changed a file.

    ``commit`` is its full object name in hex; ``time`` is its date in POSIX seconds (UTC), by the
    requested clock. ``skips`` are the commits that were skipped before it, newest first, made of what was
    ``skipped``; they do not matter when changes are compared.

    >>> from datetime import UTC, datetime
    >>> change = Change("51f7d3a9f4a9e0c1a9f0b9a4f2d1c7e6b5a49382", 1787220672)
    >>> datetime.fromtimestamp(change.time, UTC).isoformat()
    '2026-08-20T10:11:12+00:00'
    """

    commit: str
    time: int
    skipped: tuple[Skipped, ...] = field(default=(), compare=False)

    @property
    def skips(self) -> tuple[Skip, ...]:
        """The commits that were skipped, newest first."""
        return tuple(Skip(*each) for each in self.skipped)


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
    NOT_REGULAR = ("`.git` has a pipe or a device in place of a file", "remove it")
    SILENT = (
        f"git has not answered for {MAX_GIT_SILENCE} seconds",
        "check that `.git` has only files and folders, no pipes, and that its disk responds",
    )
    TOO_LARGE = (
        "the history exceeds a limit: too many files, folders too deep, or an object too large",
        "remove from the history what exceeds the limits in the documentation",
    )

    def __init__(self, text: str, cure: str) -> None:
        self.text = text
        self.cure = cure


@dataclass(frozen=True, slots=True)
class Unknown:
    """A file whose last change is not known.

    ``where`` is the repository, or the path if there is none. At a shallow boundary, ``not_after`` is
    the boundary commit's date in POSIX seconds: the file's last change is not later.
    """

    reason: Reason
    where: str
    not_after: int | None = None
    skipped: tuple[Skipped, ...] = field(default=(), compare=False)

    @property
    def skips(self) -> tuple[Skip, ...]:
        """The commits that were skipped, newest first."""
        return tuple(Skip(*each) for each in self.skipped)


Answer = Change | Unknown
"""The answer for one file."""

AnyPath = TypeVar("AnyPath", bound=os.PathLike[str])
"""The kind of paths that are asked for, which the answers have too."""


class RepositoryError(DocsSitemapError):
    """A repository cannot be read; ``reason`` applies to all of its files."""

    def __init__(self, message: str, reason: Reason = Reason.UNREADABLE) -> None:
        super().__init__(message)
        self.reason = reason
