"""Finding the repository of a file, and what its folder says besides objects.

Reads the few files that gitrepository-layout(5) documents and runs nothing.
"""

from __future__ import annotations

import contextlib
import os
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

_SYMREF_DEPTH: Final = 5
"""How many symbolic refs git follows (refs.c, SYMREF_MAXDEPTH)."""


@dataclass(frozen=True, slots=True)
class Repository:
    """A repository on disk. ``root`` is the top of its work tree."""

    root: Path
    git_dir: Path = field(compare=False)
    common_dir: Path = field(compare=False)

    @property
    def shallow(self) -> frozenset[bytes]:
        """Commits whose parents a shallow clone does not have, as hex object names."""
        try:
            return frozenset((self.common_dir / "shallow").read_bytes().split())
        except OSError:
            return frozenset()

    @property
    def grafts(self) -> dict[bytes, tuple[bytes, ...]]:
        """Commits to which info/grafts gives other parents: deprecated, and followed by git still."""
        try:
            lines = (self.common_dir / "info" / "grafts").read_bytes().splitlines()
        except OSError:
            return {}
        names = [line.split() for line in lines if line and not line.startswith(b"#")]
        return {commit: tuple(parents) for commit, *parents in filter(None, names)}

    def fingerprint(self) -> tuple[object, ...]:
        """Return what differs as soon as HEAD names another commit or the history has other parents."""
        names = [_content(self.git_dir / "HEAD")]
        while names[-1].startswith(b"ref: refs/") and len(names) < _SYMREF_DEPTH:
            names.append(_content(self.common_dir / os.fsdecode(names[-1][len(b"ref: ") :].strip())))
        return (
            tuple(names),
            _stamp(self.common_dir / "packed-refs"),
            _content(self.common_dir / "reftable" / "tables.list"),
            _content(self.git_dir / "reftable" / "tables.list"),
            self.shallow,
            _content(self.common_dir / "info" / "grafts"),
            _stamp(self.common_dir / "refs" / "replace"),
        )

    def has_replacements(self) -> bool:
        """Tell whether some object may be replaced by another (git-replace)."""
        loose = self.common_dir / "refs" / "replace"
        if loose.is_dir() and any(loose.iterdir()):
            return True
        return b" refs/replace/" in _content(self.common_dir / "packed-refs")

    def names_a_commit(self) -> bool:
        """Tell whether HEAD is on a branch that exists: without one there is no commit yet."""
        try:
            head = (self.git_dir / "HEAD").read_bytes()
            if not head.startswith(b"ref:"):
                return True
            branch = head[len(b"ref:") :].strip()
            if (self.common_dir / os.fsdecode(branch)).is_file():
                return True
            return b" " + branch + b"\n" in (self.common_dir / "packed-refs").read_bytes()
        except OSError:
            return False


class RepositoryFinder:
    """Finds the repository of each path; looks into each folder once."""

    def __init__(self) -> None:
        self._by_folder: dict[str, Repository | None] = {}
        self._real: dict[str, str] = {}

    def locate(self, path: Path) -> tuple[Repository, bytes] | None:
        """Return the repository and the path from its root, as git stores it; or ``None``.

        The folders on the way are resolved, the last name is not: a tracked symbolic link is a
        file of its own.
        """
        folder, name = os.path.split(os.path.abspath(path))
        real = self._real.get(folder)
        if real is None:
            real = self._real[folder] = os.path.realpath(folder)
        repository = self.repository_of(real)
        if repository is None:
            return None
        below = os.path.relpath(os.path.join(real, name), repository.root)
        return repository, os.fsencode(below).replace(os.fsencode(os.sep), b"/")

    def repository_of(self, folder: str) -> Repository | None:
        """Return the repository that a real folder lies in."""
        try:
            return self._by_folder[folder]
        except KeyError:
            pass
        found = open_repository(Path(folder))
        if found is None:
            parent = os.path.dirname(folder)
            found = self.repository_of(parent) if parent != folder else None
        self._by_folder[folder] = found
        return found


def open_repository(root: Path) -> Repository | None:
    """Return the repository whose work tree starts in ``root``, or ``None`` where none does.

    ``.git`` is a folder, or a file that names one: linked worktrees and submodules.
    """
    git_dir = root / ".git"
    if git_dir.is_file():
        try:
            text = git_dir.read_bytes()
        except OSError:
            return None
        if not text.startswith(b"gitdir:"):
            return None
        git_dir = root / os.fsdecode(text[len(b"gitdir:") :].strip())
    common_dir = git_dir
    with contextlib.suppress(OSError):  # only linked worktrees have that file
        common_dir = git_dir / os.fsdecode((git_dir / "commondir").read_bytes().strip())
    return Repository(root, git_dir, common_dir) if _is_git_dir(git_dir, common_dir) else None


def open_bare(folder: Path) -> Repository | None:
    """Return the bare repository that ``folder`` itself is, or ``None``.

    Never looked for above a page: a checkout may carry a hostile one as an ordinary folder.
    """
    return Repository(folder, folder, folder) if _is_git_dir(folder, folder) else None


def _content(file: Path) -> bytes:
    try:
        return file.read_bytes()
    except OSError:
        return b""


def _stamp(file: Path) -> tuple[int, int, int]:
    try:
        status = file.stat()
    except OSError:
        return (0, 0, 0)
    return (status.st_mtime_ns, status.st_size, status.st_ino)


def _is_git_dir(git_dir: Path, common_dir: Path) -> bool:
    """Ask what git itself asks; it passes over anything less and looks further up, and so must we."""
    return (
        os.path.lexists(git_dir / "HEAD")
        and (common_dir / "objects").is_dir()
        and (common_dir / "refs").is_dir()
    )
