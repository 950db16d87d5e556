"""Finding the repository of a file, and what its folder says besides objects.

Reads the few files that gitrepository-layout(5) documents and runs nothing.
"""

from __future__ import annotations

import errno
import os
import re
import stat
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

_HEAD: Final = re.compile(rb"ref:\s*refs/|[0-9a-fA-F]{40}")
"""What HEAD must look like for git to take a folder for a repository (validate_headref)."""

_LARGEST: Final = 16 << 20
"""Bytes of shallow, packed-refs and their like that are read; the largest are of a few megabytes."""

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
        return frozenset(_content(self.common_dir / "shallow").split())

    @property
    def grafts(self) -> dict[bytes, tuple[bytes, ...]]:
        """Commits to which info/grafts gives other parents: deprecated, and followed by git still."""
        lines = _content(self.common_dir / "info" / "grafts").lower().splitlines()
        names = [line.split() for line in lines if line and not line.startswith(b"#")]
        return {commit: tuple(parents) for commit, *parents in filter(None, names)}

    def fingerprint(self) -> tuple[object, ...]:
        """Return what differs as soon as HEAD names another commit or the history has other parents."""
        names = [_content(self.git_dir / "HEAD")]
        while (branch := _branch(names[-1])) and len(names) < _SYMREF_DEPTH:
            names.append(_content(self.common_dir / branch))
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
        head = _content(self.git_dir / "HEAD")
        branch = _branch(head)
        if not branch:
            return bool(head)
        packed = _content(self.common_dir / "packed-refs")
        return bool(_content(self.common_dir / branch)) or b" " + os.fsencode(branch) + b"\n" in packed


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
        passed: list[str] = []
        found = None
        while folder not in self._by_folder:
            passed.append(folder)
            found = open_repository(Path(folder))
            parent = os.path.dirname(folder)
            if found is not None or parent == folder:
                break
            folder = parent
        else:
            found = self._by_folder[folder]
        self._by_folder.update(dict.fromkeys(passed, found))
        return found


def open_repository(root: Path) -> Repository | None:
    """Return the repository whose work tree starts in ``root``, or ``None`` where none does.

    ``.git`` is a folder, or a file that names one: linked worktrees and submodules.
    """
    git_dir = root / ".git"
    try:
        if git_dir.is_file():
            text = read_small(git_dir)
            if not text.startswith(b"gitdir:"):
                return None
            git_dir = root / os.fsdecode(text[len(b"gitdir:") :].strip())
        common_dir = git_dir
        if (git_dir / "commondir").is_file():  # only linked worktrees have that file
            common_dir = git_dir / os.fsdecode(read_small(git_dir / "commondir").strip())
        return Repository(root, git_dir, common_dir) if _is_git_dir(git_dir, common_dir) else None
    except (OSError, ValueError):  # names that no file can have
        return None


def open_bare(folder: Path) -> Repository | None:
    """Return the bare repository that ``folder`` itself is, or ``None``.

    Never looked for above a page: a checkout may carry a hostile one as an ordinary folder.
    """
    return Repository(folder, folder, folder) if _is_git_dir(folder, folder) else None


def _content(file: Path) -> bytes:
    try:
        return read_small(file)
    except (OSError, ValueError):
        return b""


def read_small(file: Path) -> bytes:
    """Return the content of a regular file; a checkout may have a link to a device, or a pipe, there.

    Raises ``OSError`` for what is none or is larger than such files are, ``ValueError`` for a name
    that no file can have.
    """
    status = os.stat(file)
    if not stat.S_ISREG(status.st_mode) or status.st_size > _LARGEST:
        raise OSError(errno.EINVAL, "not a regular file of a few megabytes", os.fspath(file))
    return file.read_bytes()


def _stamp(file: Path) -> tuple[int, int, int]:
    try:
        status = file.stat()
    except OSError:
        return (0, 0, 0)
    return (status.st_mtime_ns, status.st_size, status.st_ino)


def _is_git_dir(git_dir: Path, common_dir: Path) -> bool:
    """Ask what git itself asks; it passes over anything less and looks further up, and so must we."""
    if not ((common_dir / "objects").is_dir() and (common_dir / "refs").is_dir()):
        return False
    head = git_dir / "HEAD"
    if head.is_symlink():
        return os.readlink(head).startswith("refs/")
    return _HEAD.match(_content(head)) is not None


def _branch(content: bytes) -> str:
    """Return the name after ``ref:``, below ``refs/``, or nothing; git refuses what leads elsewhere."""
    name = os.fsdecode(content[len(b"ref:") :].strip()) if content.startswith(b"ref:") else ""
    return name if name.startswith("refs/") and ".." not in name and "\0" not in name else ""
