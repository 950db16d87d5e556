"""Finds the repository of a file. What git says of it is asked once, until one of its files changes."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from docs_sitemap.git.answers import Reason, RepositoryError
from docs_sitemap.git.process import run

_PLACES: Final = ("--absolute-git-dir", "--git-common-dir", "--show-toplevel")
_REVISIONS: Final = (
    # HEAD, and the commits that replace others; then the names of all
    *("--revs-only", "HEAD", "--glob=refs/replace/*"),
    *("--symbolic-full-name", "--glob=refs/replace/*", "HEAD"),
)

_Stamp = tuple[int, int, int]


@dataclass(frozen=True, slots=True)
class Repository:
    """A repository at one commit, as git describes it; equal ones have the same history.

    ``root`` is the top of its work tree, or a bare repository; ``top`` is the folder where git finds it, which
    is another one if ``core.worktree`` says so. ``head`` is the commit of HEAD in hex, empty
    if there is none yet. ``shallow`` are the commits whose parents a shallow clone does not have.
    ``replaced`` has all that gives other parents to commits. ``fault`` says why git cannot read it.
    """

    root: Path
    top: Path
    head: bytes = b""
    shallow: frozenset[bytes] = frozenset()
    replaced: bytes = b""
    is_bare: bool = False
    fault: RepositoryError | None = field(default=None, compare=False)


class Finder:
    """Finds the repository of each path; searches each folder only once."""

    def __init__(self) -> None:
        self._by_folder: dict[str, Repository | None] = {}
        self._real: dict[str, str] = {}

    def locate(self, path: os.PathLike[str], *, resolve: bool = False) -> tuple[Repository, bytes] | None:
        """Return the repository and the path from its root, as git stores it; or ``None``.

        Links in parent folders are resolved, the last name only with ``resolve``: a tracked symbolic link is
        itself a file. A path that no file can have, with a NUL or half a character, is in no repository.
        """
        try:
            folder, name = os.path.split(os.path.realpath(path) if resolve else os.path.abspath(path))
            if folder not in self._real:
                self._real[folder] = os.path.realpath(folder)
            repository = self.repository_of(self._real[folder])
            if repository is None:
                return None
            below = os.path.relpath(os.path.join(self._real[folder], name), repository.root)
            return repository, os.fsencode(below).replace(os.fsencode(os.sep), b"/")
        except (OSError, ValueError):  # also where the working folder has been removed
            return None

    def repository_of(self, folder: str) -> Repository | None:
        """Return the repository that contains a folder, whose path has no links."""
        passed: list[str] = []
        found = None
        while folder not in self._by_folder:
            passed.append(folder)
            found = describe(Path(folder)) if os.path.lexists(os.path.join(folder, ".git")) else None
            parent = os.path.dirname(folder)
            if found is not None or parent == folder:
                break
            folder = parent
        else:
            found = self._by_folder[folder]
        self._by_folder.update(dict.fromkeys(passed, found))
        return found


def find_repository(folder: Path) -> Repository | None:
    """Return the repository that contains a folder, or the bare repository that it is, or ``None``.

    Parent folders are never searched for a bare one: a checkout can contain one as a folder.
    """
    try:
        real = Path(os.path.realpath(folder))
        found = Finder().repository_of(os.fspath(real))
        if found is None and (real / "HEAD").exists() and (real / "objects").is_dir():
            return describe(real, is_bare=True)
    except (OSError, ValueError):  # no folder can have such a name
        return None
    return found


_described: Final[dict[tuple[Path, bool], tuple[list[Path], list[_Stamp], Repository]]] = {}
"""What git has said of folders, with the files that it depends on and their stamps then."""


def describe(top: Path, *, is_bare: bool = False) -> Repository | None:
    """Return the repository whose ``.git`` is in a folder, or that is this folder, with ``is_bare``.

    Returns ``None`` for a ``.git`` that git does not take for one.
    """
    key = top, is_bare
    if key in _described:
        files, stamps, known = _described[key]
        if stamps == [_stamp(file) for file in files]:
            return known
    try:
        found, files = _ask(top, is_bare)
    except RepositoryError as problem:
        if problem.reason is Reason.NO_REPOSITORY:
            return None
        return Repository(top, top, is_bare=is_bare, fault=problem)
    except (OSError, ValueError) as problem:  # a name with a line break, or a file that cannot be read
        return Repository(top, top, is_bare=is_bare, fault=RepositoryError(f"{top}: {problem}"))
    if found.head:  # otherwise git does not say which file will have it
        _described[key] = files, [_stamp(file) for file in files], found
    return found


def _ask(top: Path, is_bare: bool) -> tuple[Repository, list[Path]]:
    """Return what git says of a repository, and the files that this depends on."""
    places = _PLACES[:2] if is_bare else _PLACES  # a bare repository has no top
    data = run(top, "rev-parse", *places, *_REVISIONS, is_bare=is_bare).splitlines()
    git_dir, common_dir, *roots = (top / os.fsdecode(line) for line in data[: len(places)])
    head, *replaced, branch = data[len(places) :] or [b"", b""]
    found = Repository(
        root=top if is_bare or os.path.samefile(roots[0], top) else roots[0],
        top=top,
        head=head,
        shallow=frozenset(line.lower() for line in _lines_of(common_dir / "shallow")),
        replaced=b"\n".join([*replaced, *_lines_of(common_dir / "info" / "grafts")]),
        is_bare=is_bare,
    )
    own = ("HEAD", os.fsdecode(branch), "config.worktree", "reftable/tables.list")
    shared = ("config", "packed-refs", "shallow", "info/grafts", "refs/replace", *own)
    files = [top / ".git", *(git_dir / name for name in own), *(common_dir / name for name in shared)]
    return found, files


def renewed(repository: Repository) -> Repository:
    """Return a repository as it is now; raises ``RepositoryError`` if git cannot read it."""
    found = describe(repository.top, is_bare=repository.is_bare) or repository
    if found.fault:
        raise found.fault
    return found


def _lines_of(file: Path) -> list[bytes]:
    return file.read_bytes().splitlines() if file.is_file() else []


def _stamp(file: Path) -> _Stamp:
    try:
        status = file.stat()
    except OSError:
        return (0, 0, 0)
    return (status.st_mtime_ns, status.st_size, status.st_ino)
