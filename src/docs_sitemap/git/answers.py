"""The question about files, and the two answers: the commit that last changed each, or why it is unknown."""

from __future__ import annotations

import enum
import os
import shlex
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, NamedTuple, TypeVar, get_args

from docs_sitemap.errors import DocsSitemapError

Clock = Literal["committer", "author"]
"""Which of a commit's two dates to use."""


class Rules(NamedTuple):
    """What counts as a change; without arguments, what ``git log`` counts.

    ``clock`` is ``committer`` or ``author``. ``ignored`` are full names of commits that do not
    count, as ``read_ignored`` returns them, or ``None`` for those in each repository's own
    ``.git-blame-ignore-revs``: the search continues at the first parent that has the file; if none has it,
    the commit counts after all. With ``follow_renames``, if a parent has the same blob and mode under a name
    that no longer exists, the search continues under that name.
    """

    clock: Clock = "committer"
    ignored: frozenset[bytes] | None = frozenset()
    follow_renames: bool = False

    def check(self) -> None:
        """Raise ``ValueError`` for an invalid clock."""
        if self.clock not in get_args(Clock):
            raise ValueError(f"clock: expected one of {', '.join(get_args(Clock))}, got {self.clock!r}")


class Skip(NamedTuple):
    """A commit that was skipped: the search continued at its ``parent``; both are full names in hex.

    ``old_name`` is a path from the repository's root, or empty if the file kept its name.
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
    """

    commit: str
    time: int
    skips: tuple[Skip, ...] = field(default=(), compare=False)


class Reason(enum.Enum):
    """Why a date is unknown: ``text`` is the reason, and ``cure`` is the fix, empty if nothing is wrong."""

    UNTRACKED = (
        "not committed",
        "commit it; if it is copied from a committed file, set `source_map`; if it is made from one, name "
        "that as `sources` in a rule",
    )
    GENERATED = ("made from no known file", "")
    NO_DATE = ("changed by a commit without a date that git can read", "")
    FUTURE = ("changed by a commit that is dated in the future", "")
    BOUNDARY = (  # on_missing_dates puts "added" in place of "last changed" for dates of creation
        "last changed before this shallow clone begins",
        "fetch the whole history: `fetch-depth: 0` in a workflow, or `git fetch --unshallow`; "
        "`--filter=blob:none` makes that cheap",
    )
    MERGED = ("a merge added it, and `git log` shows no additions in merges", "")
    FOLDER = ("a folder had its name, and its files may have been renamed", "")
    BRANCHES = ("branches added it under several names", "")
    NO_REPOSITORY = ("not in a git repository", "build from a git checkout")
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

    def __init__(self, text: str, cure: str) -> None:
        self.text = text
        self.cure = cure


@dataclass(frozen=True, slots=True)
class Unknown:
    """A file whose last change is not known.

    ``where`` is the repository, or the path if there is none. At a shallow boundary, the file's last change
    is not later than the boundary commit, whose date ``not_after`` is, in POSIX seconds.
    """

    reason: Reason
    where: str
    not_after: int | None = None
    skips: tuple[Skip, ...] = field(default=(), compare=False)

    @property
    def cure(self) -> str:
        """The fix, ready to copy; empty if nothing is wrong.

        >>> Unknown(Reason.OTHER_OWNER, "/srv/my site").cure
        "run `git config --global --add safe.directory '/srv/my site'`"
        """
        folder = shlex.quote(self.where) if self.where.isprintable() else "DIRECTORY"
        return self.reason.cure.replace("DIRECTORY", folder)


Answer = Change | Unknown
"""The answer for one file."""

AnyPath = TypeVar("AnyPath", bound=os.PathLike[str])
"""The kind of paths that are asked for, which the answers have too."""


class RepositoryError(DocsSitemapError):
    """A repository cannot be read; ``reason`` applies to all of its files, and ``cure`` is the fix."""

    def __init__(self, message: str, reason: Reason = Reason.UNREADABLE, where: str = "") -> None:
        super().__init__(message)
        self.reason: Reason = reason
        self.where: str = where
        self.cure: str = Unknown(reason, where).cure

    def answer(self, root: Path) -> Unknown:
        """Return the answer for each file of a repository."""
        return Unknown(self.reason, self.where or os.fspath(root))


@dataclass(frozen=True, slots=True)
class Repository:
    """A repository at one commit, as git describes it.

    ``root`` is the top of its work tree, or a bare repository. ``head`` is the commit of HEAD in hex, empty
    if there is none yet. ``shallow`` are the commits whose parents a shallow clone does not have. ``fault``
    says why git cannot read it.
    """

    root: Path
    head: bytes = b""
    shallow: frozenset[bytes] = frozenset()
    is_bare: bool = False
    fault: RepositoryError | None = field(default=None, compare=False)
