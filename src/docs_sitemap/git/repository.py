"""Finds the repository of a file. What git says of it is asked once, until one of its files changes."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Final

from docs_sitemap.git.answers import AnyPath, Reason, RepositoryError
from docs_sitemap.git.process import GitProcess

_REVISIONS: Final = ("--revs-only", "HEAD", "--symbolic-full-name", "HEAD")
"""HEAD's commit, and the name of its branch: nothing if there is no commit."""


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


def by_repository(
    paths: Iterable[AnyPath], *, resolve: bool = False
) -> tuple[dict[Repository, dict[AnyPath, bytes]], list[AnyPath]]:
    """Return paths with their names in the repository, by repository, and those that are in none.

    Links in parent folders are resolved, the last name only with ``resolve``: a tracked symbolic link is
    itself a file. A path that no file can have, with a NUL or half a character, is in no repository.
    """
    found: dict[Repository, dict[AnyPath, bytes]] = {}
    outside: list[AnyPath] = []
    real, repository_of = cache(os.path.realpath), _finder()
    for path in paths:
        try:
            folder, name = os.path.split(os.path.realpath(path) if resolve else os.path.abspath(path))
            repository = repository_of(real(folder))
            if repository is not None:
                below = os.fsencode(os.path.relpath(os.path.join(real(folder), name), repository.root))
                found.setdefault(repository, {})[path] = below.replace(os.fsencode(os.sep), b"/")
                continue
        except (OSError, ValueError, RecursionError):  # also where the working folder has been removed
            pass
        outside.append(path)
    return found, outside


def find_repository(folder: Path) -> Repository | None:
    """Return the repository that contains a folder, or the bare repository that it is, or ``None``.

    Parent folders are never searched for a bare one: a checkout can contain one as a folder.
    """
    try:
        real = os.path.realpath(folder)
        found = _finder()(real)
        if found is None and os.path.isfile(os.path.join(real, "HEAD")):
            found = describe(Path(real), is_bare=True)
    except (OSError, ValueError, RecursionError):  # no folder can have such a name
        return None
    return found


def _finder() -> Callable[[str], Repository | None]:
    """Return a function that finds the repository of a folder without links, and searches each only once."""

    @cache
    def repository_of(folder: str) -> Repository | None:
        if os.path.lexists(os.path.join(folder, ".git")) and (found := describe(Path(folder))):
            return found
        parent = os.path.dirname(folder)
        return repository_of(parent) if parent != folder else None

    return repository_of


_described: Final[dict[tuple[Path, bool], tuple[Sequence[Path], object, Repository]]] = {}
"""What git has said of folders, with the files that it depends on and their stamps then."""


def describe(root: Path, *, is_bare: bool = False) -> Repository | None:
    """Return the repository whose ``.git`` is in a folder, or that is this folder, with ``is_bare``.

    Returns ``None`` for a ``.git`` that git does not take for one.
    """
    files, stamps, known = _described.get((root, is_bare), ((), None, None))
    if known and stamps == _stamps(files):
        return known
    try:
        found, files = _ask(root, is_bare)
    except RepositoryError as problem:
        missing = problem.reason is Reason.NO_REPOSITORY
        return None if missing else Repository(root, is_bare=is_bare, fault=problem)
    except (OSError, ValueError) as problem:  # a name with a line break, or a file that cannot be read
        return Repository(root, is_bare=is_bare, fault=RepositoryError(f"{root}: {problem}"))
    if found.head:  # otherwise git does not say which file will have it
        _described[root, is_bare] = files, _stamps(files), found
    return found


def _ask(root: Path, is_bare: bool) -> tuple[Repository, list[Path]]:
    """Return what git says of a repository, and the files that this depends on."""
    options = ["--absolute-git-dir", "--git-common-dir", *([] if is_bare else ["--show-toplevel"])]
    lines = run_in(Repository(root, is_bare=is_bare), "rev-parse", *options, *_REVISIONS).splitlines()
    git_dir, common_dir, *tops = (root / os.fsdecode(line) for line in lines[: len(options)])
    if tops and not os.path.samefile(tops[0], root):
        own = root / ".git"
        is_other = own.is_dir() and not own.samefile(git_dir)  # one around it: this is no repository
        reason = Reason.NO_REPOSITORY if is_other else Reason.UNREADABLE
        raise RepositoryError(f"{root}: its work tree is elsewhere (core.worktree)", reason)
    head, branch = lines[len(options) :] or (b"", b"")
    shallow = common_dir / "shallow"
    boundary = shallow.read_bytes().lower().split() if shallow.is_file() else ()
    names = ("HEAD", os.fsdecode(branch), "config", "config.worktree", "packed-refs", "reftable/tables.list")
    files = [root / ".git", shallow, *(folder / name for folder in (git_dir, common_dir) for name in names)]
    return Repository(root, head, frozenset(boundary), is_bare), files


def renewed(repository: Repository) -> Repository:
    """Return a repository as it is now."""
    return describe(repository.root, is_bare=repository.is_bare) or repository


def start_in(repository: Repository, *arguments: str | bytes) -> GitProcess:
    """Start a git command in a repository; raises ``RepositoryError`` if git cannot read it."""
    if repository.fault:
        raise repository.fault
    return GitProcess(repository.root, *arguments, is_bare=repository.is_bare)


def run_in(repository: Repository, *arguments: str | bytes, lines: Iterable[bytes] = ()) -> bytes:
    """Return what a git command prints in a repository, with ``lines`` on its stdin."""
    with closing(start_in(repository, *arguments)) as process:
        return process.answer(lines)


def _stamps(files: Iterable[Path]) -> list[object]:
    """Return a value that changes with the files: git writes a new one in the place of each."""
    found: list[object] = []
    for file in files:
        try:
            status = os.stat(file)
            found.append((status.st_mtime_ns, status.st_size, status.st_ino))
        except OSError:
            found.append(None)
    return found
