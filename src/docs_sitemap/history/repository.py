"""Finds the repository of a file, and reads everything in its folder but objects.

Reads only a few files that gitrepository-layout(5) documents, and runs nothing.
"""

from __future__ import annotations

import contextlib
import errno
import hashlib
import os
import re
import stat
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Final

from docs_sitemap.brief import shown
from docs_sitemap.history.change import Reason, RepositoryError
from docs_sitemap.history.objects import Packs
from docs_sitemap.history.remembered import once
from docs_sitemap.limits import (
    MAX_COMMIT_LIST,
    MAX_DEPTH,
    MAX_GIT_FILE,
    MAX_MESSAGE,
    MAX_POINTER,
    MAX_REPOSITORIES,
    MAX_WORKTREES,
)
from docs_sitemap.untrusted import RealPaths, read_plain, read_start

_HEAD: Final = re.compile(rb"ref:[ \t\n\r]*refs/|[0-9a-fA-F]{40}")
"""The format of HEAD that git requires of a repository (validate_headref)."""

_READ_OF_HEAD: Final = 255
"""Bytes of HEAD in which that has to be."""

_GITFILE: Final = b"gitdir: "
"""What a file in place of ``.git`` begins with (gitrepository-layout)."""

_BLANKS: Final = b" \t\r\n"
"""What git takes for white space (git-compat-util.h, isspace)."""

_OWN_REFS: Final = ("refs/bisect/", "refs/rewritten/", "refs/worktree/")
"""Refs that each linked worktree has of its own (git-worktree, "Refs")."""

_SYMREF_DEPTH: Final = 5
"""How many symbolic refs git follows (refs.c, SYMREF_MAXDEPTH)."""

_BLOCK: Final = 512
"""Bytes of the blocks that ``st_blocks`` counts (POSIX leaves it open; so on Linux, macOS and the BSDs)."""

_STORES: Final = 9
"""Stores whose packs are looked at."""

_INDEXED: Final = 40
"""Bytes of an object in a pack's index: 28, or 40 under SHA-256 (gitformat-pack, version 2)."""

_PACKED: Final = 10
"""Bytes of an object in a pack, at least: its header, and what zlib makes of nothing (gitformat-pack)."""

_SHALLOW: Final = re.compile(rb"^(?:[0-9a-fA-F]{64}|[0-9a-fA-F]{40})", re.MULTILINE)
"""A name in ``shallow``; git ignores what follows it on the line (shallow.c, is_repository_shallow)."""

_WORKTREE: Final = re.compile(
    rb"(?:\A(?:\xef\xbb\xbf)?|[\]\s])worktree[ \t]*="
    rb"(?:[ \t]*(?:\"(?! )([^\"\\\t\r\n]++)(?<! )\"|([^#;\"\\\t\r\n]++)(?<! ))\r?$)?",
    re.MULTILINE | re.IGNORECASE,
)
"""The setting ``core.worktree``, and its value if it is written in the usual way (git-config, "Syntax")."""

_OWN_CONFIG: Final = b"worktreeconfig"
"""The setting that lets a linked worktree have a ``core.worktree``, also that of the main one."""

_GRAFT: Final = re.compile(
    rb"^(?:([0-9a-f]{40})((?:[ \t\r][0-9a-f]{40})*+)|([0-9a-f]{64})((?:[ \t\r][0-9a-f]{64})*+))"
    rb"(?:[ \t\r]*|\0.*)$",
    re.MULTILINE,
)
"""A line of info/grafts up to a NUL; git ignores others (commit.c, read_graft_line)."""


_READ_BY_GIT: Final = (
    *("HEAD", "commondir", "config", "config.worktree", "index", "packed-refs"),
    *("objects/info/alternates", "objects/info/commit-graph", "objects/info/packs"),
    *("objects/info/commit-graphs/commit-graph-chain", "objects/pack/multi-pack-index", "refs/replace"),
)


@dataclass(frozen=True, slots=True)
class Repository:
    """A repository on disk. ``root`` is the top of its work tree; ``fault`` says why it is not read.

    Methods that read its files raise ``RepositoryError`` if a file exists and cannot be read.
    """

    root: Path
    git_dir: Path = field(compare=False)
    common_dir: Path = field(compare=False)
    fault: str = field(default="", compare=False)

    @property
    def shallow(self) -> frozenset[bytes]:
        """Commits whose parents a shallow clone does not have, as hex object names."""
        return once(self.common_dir / "shallow", _read_shallow)

    @property
    def grafts(self) -> dict[bytes, tuple[bytes, ...]]:
        """Commits with other parents in info/grafts, which is deprecated, but git still follows it."""
        return once(self.common_dir / "info" / "grafts", _read_grafts)

    @property
    def packs(self) -> Packs:
        """How many bytes packs have on disk, and at least how many objects."""
        found = self.stored.values()
        return Packs(sum(size for size, _ in found), sum(number for _, number in found))

    @property
    def stored(self) -> dict[int, Packs]:
        """What each folder of objects and each file in it has of ``packs``, by its number on disk.

        Those of stores that it borrows from too, as ``git clone --shared`` and ``--reference`` name them, and
        of stores that these borrow from.
        """
        stores = [self.common_dir / "objects"]
        found: dict[int, Packs] = {}
        for store in stores:  # which grows meanwhile
            found |= _packs_in(store)
            with contextlib.suppress(RepositoryError):
                lines = _content(store / "info" / "alternates", MAX_POINTER).split(b"\n")
                more = (store / os.fsdecode(line) for line in lines[:_STORES] if line)
                stores += islice(more, _STORES - len(stores))
        return found

    def refuse_special(self) -> None:
        """Raise ``RepositoryError`` for a pipe or a device in place of a file that git reads as a whole.

        git would wait for the writer of a pipe, and read a device for as long as there is memory. Also if the
        repository has a ``fault``.
        """
        if self.fault:
            raise RepositoryError(self.fault)
        for file in [folder / name for folder in {self.git_dir, self.common_dir} for name in _READ_BY_GIT]:
            try:
                mode = file.stat().st_mode
            except OSError:
                continue
            if not (stat.S_ISREG(mode) or stat.S_ISDIR(mode)):
                name = shown(str(file), MAX_MESSAGE)
                raise RepositoryError(f"{name}: not a regular file", Reason.NOT_REGULAR)

    def fingerprint(self) -> tuple[object, ...]:
        """Return a value that changes if HEAD names another commit or the history has other parents."""
        return (
            tuple(self._head_refs()),
            _stamp(self.common_dir / "packed-refs"),
            once(self.common_dir / "reftable" / "tables.list", _digest),
            once(self.git_dir / "reftable" / "tables.list", _digest),
            self.shallow,
            once(self.common_dir / "info" / "grafts", _digest),
            _stamp(self.common_dir / "refs" / "replace"),
        )

    def is_of_root(self) -> bool:
        """Return whether git too takes ``root`` for the top of the work tree (git-config, core.worktree).

        Settings in included files are not seen. git takes the last of several values; here, all must name
        ``root``, because one may be in another section, or be part of another value. One with other spaces,
        quotes or escapes than usual names another folder. The system follows links, and only so many.
        """
        shared = _content(self.common_dir / "config")
        if self.git_dir != self.common_dir and _OWN_CONFIG not in shared.lower():
            shared = b""  # that of the main one
        own = _content(self.git_dir / "config.worktree")
        settings = [match for content in (shared, own) for match in _WORKTREE.finditer(content)]
        found = {match[1] or match[2] or b"" for match in settings}
        try:
            return len(found) <= MAX_WORKTREES and all(
                os.path.samefile(self.git_dir / os.fsdecode(path), self.root) for path in found
            )
        except (OSError, ValueError):  # no such folder: git refuses the repository
            return False

    def head_name(self) -> bytes:
        """Return the object that HEAD resolves to, or nothing if its branch does not exist."""
        refs = self._head_refs()
        if not refs[-1] and len(refs) > 1:
            branch = os.fsencode(_branch(refs[-2]))
            packed = _content(self.common_dir / "packed-refs")
            match = re.search(rb"^(\S+) %b$" % re.escape(branch), packed, re.MULTILINE)
            return match[1] if match else b""
        return refs[-1].strip()

    def _head_refs(self) -> list[bytes]:
        """Return the content of HEAD, and of each ref that it leads to."""
        head = self.git_dir / "HEAD"
        found = [
            b"ref: " + os.fsencode(os.readlink(head)) if head.is_symlink() else _content(head, MAX_POINTER)
        ]
        while (branch := _branch(found[-1])) and len(found) < _SYMREF_DEPTH:
            folder = self.git_dir if branch.startswith(_OWN_REFS) else self.common_dir
            found.append(_content(folder / branch, MAX_POINTER))
        return found


class RepositoryFinder:
    """Finds the repository of each path; searches each folder only once."""

    def __init__(self) -> None:
        self._by_folder: dict[str, Repository | None] = {}
        self._real = RealPaths()
        self._named = 0

    def locate(self, path: os.PathLike[str], *, resolve: bool = False) -> tuple[Repository, bytes] | None:
        """Return the repository and the path from its root, as git stores it; or ``None``.

        Links in parent folders are resolved, the last name only with ``resolve``: a tracked symbolic link is
        itself a file. A path that no file can have, with a NUL or half a character, is in no repository.
        """
        try:
            return self._locate(self._real.of(path) if resolve else os.path.abspath(path))
        except (OSError, ValueError):  # also where the working folder has been removed
            return None

    def _locate(self, path: str) -> tuple[Repository, bytes] | None:
        folder, name = os.path.split(path)
        real = self._real.of(folder)
        repository = self.repository_of(real)
        if repository is None:
            return None
        path, root = os.path.join(real, name), os.path.join(repository.root, "")
        # the usual case, in which relpath takes most of the time
        below = path[len(root) :] if path.startswith(root) else os.path.relpath(path, repository.root)
        return repository, os.fsencode(below).replace(os.fsencode(os.sep), b"/")

    def repository_of(self, folder: str) -> Repository | None:
        """Return the repository that contains a folder, whose path has no links."""
        passed: list[str] = []
        found = None
        if folder.count(os.sep) > MAX_DEPTH:
            return None
        while folder not in self._by_folder:
            passed.append(folder)
            found = self._open(Path(folder))
            parent = os.path.dirname(folder)
            if found is not None or parent == folder:
                break
            folder = parent
        else:
            found = self._by_folder[folder]
        self._by_folder.update(dict.fromkeys(passed, found))
        return found

    def _open(self, folder: Path) -> Repository | None:
        """Open a repository; of those that a file or link names, ``MAX_REPOSITORIES``.

        git follows dozens of links in milliseconds each time, and thousands of folders may have the same.
        """
        git_dir = folder / ".git"
        try:
            self._named += not stat.S_ISDIR(git_dir.lstat().st_mode)
        except OSError:
            return None
        if self._named > MAX_REPOSITORIES:
            what = f"more than {MAX_REPOSITORIES} links or files in place of .git"
            return Repository(folder, folder, folder, what)
        return open_repository(folder)


def open_repository(root: Path) -> Repository | None:
    """Return the repository whose work tree starts in ``root``, or ``None``.

    ``.git`` is a folder, or a file that names one: linked worktrees and submodules. Links are those of the
    system, as for git.
    """
    git_dir = root / ".git"
    try:
        if stat.S_ISREG(git_dir.stat().st_mode):
            text = read_plain(git_dir, MAX_POINTER)
            if not text.startswith(_GITFILE):
                return None
            git_dir = root / _named(text.removeprefix(_GITFILE))
        common_dir = git_dir
        if os.path.isfile(git_dir / "commondir"):  # only linked worktrees have that file
            common_dir = git_dir / _named(read_plain(git_dir / "commondir", MAX_POINTER))
        return Repository(root, git_dir, common_dir) if _is_git_dir(git_dir, common_dir) else None
    except (OSError, ValueError) as problem:  # there is none, or names that no file can have
        if getattr(problem, "errno", None) != errno.EFBIG:
            return None
        # git may read it; what is around it is not the repository then
        return Repository(root, root, root, f"{shown(str(git_dir), MAX_MESSAGE)}: its path is too long")


def _named(text: bytes) -> str:
    """Return the folder that a file names: to the last line break, and to a NUL (setup.c, read_gitfile)."""
    return os.fsdecode(text.rstrip(b"\r\n").partition(b"\0")[0])


def open_bare(folder: Path) -> Repository | None:
    """Return the bare repository that ``folder`` itself is, or ``None``.

    Parent folders of a page are never searched for one: a checkout may contain a hostile one as a folder.
    """
    return Repository(folder, folder, folder) if _is_git_dir(folder, folder) else None


def _content(file: Path, limit: int = MAX_GIT_FILE) -> bytes:
    """Return the content of a file, or nothing if it does not exist."""
    try:
        return read_plain(file, limit)
    except (FileNotFoundError, NotADirectoryError, ValueError):  # no file can have such a name
        return b""
    except OSError as problem:
        raise RepositoryError(f"{shown(str(file), MAX_MESSAGE)}: {problem.strerror}") from None


def _read_shallow(file: Path) -> frozenset[bytes]:
    return frozenset(name.lower() for name in _SHALLOW.findall(_content(file, MAX_COMMIT_LIST)))


def _read_grafts(file: Path) -> dict[bytes, tuple[bytes, ...]]:
    found: dict[bytes, tuple[bytes, ...]] = {}
    for match in _GRAFT.finditer(_content(file, MAX_COMMIT_LIST).lower()):
        commit, parents = match[1] or match[3], match[2] or match[4] or b""
        found.setdefault(commit, tuple(parents.split()))  # git takes the first of several
    return found


def _digest(file: Path) -> bytes:
    """Return a short value for the content of a file."""
    return hashlib.sha256(_content(file)).digest()


def _packs_in(store: Path) -> dict[int, Packs]:
    """Return how many bytes the packs of a store have, and at least how many objects; see ``stored``."""
    found: dict[int, Packs] = {}
    # there is none, or its name is one that no folder can have
    with contextlib.suppress(OSError, ValueError):
        found[store.stat().st_ino] = Packs(0, 0)
        with os.scandir(store / "pack") as files:
            names = {file.name: file for file in files if file.name.endswith((".pack", ".idx"))}
        for name, pack in names.items():
            index = names.get(name.removesuffix(".pack") + ".idx")
            if name.endswith(".pack") and index:  # git ignores each without the other
                status = pack.stat(follow_symlinks=False)
                size = _size(status)
                objects = _size(index.stat(follow_symlinks=False)) // _INDEXED
                found[status.st_ino] = Packs(size, min(objects, size // _PACKED))
    return found


def _size(status: os.stat_result) -> int:
    """Return the bytes of a file; of one with holes, those that it takes, where the system tells that."""
    return min(status.st_size, getattr(status, "st_blocks", status.st_size) * _BLOCK)


def _stamp(file: Path) -> tuple[int, int, int]:
    try:
        status = file.stat()
    except OSError:
        return (0, 0, 0)
    return (status.st_mtime_ns, status.st_size, status.st_ino)


def _is_git_dir(git_dir: Path, common_dir: Path) -> bool:
    """Apply the same checks as git, which ignores other folders and searches further up."""
    if not all(os.access(common_dir / name, os.X_OK) for name in ("objects", "refs")):
        return False
    head = git_dir / "HEAD"
    if head.is_symlink():
        return os.readlink(head).startswith("refs/")
    try:
        return _HEAD.match(read_start(head, _READ_OF_HEAD)) is not None
    except OSError:
        return False


def _branch(content: bytes) -> str:
    """Return the name after ``ref:``, or nothing if it is not below ``refs/``, which git refuses."""
    text = content.rstrip(_BLANKS).partition(b"\0")[0]
    name = os.fsdecode(text.removeprefix(b"ref:").lstrip(_BLANKS)) if text.startswith(b"ref:") else ""
    return name if name.startswith("refs/") and ".." not in name else ""
