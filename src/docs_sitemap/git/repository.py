"""Finds the repository of a file. What git says of it is asked once, until one of its files changes."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from functools import cache, partial
from pathlib import Path
from typing import Final

from docs_sitemap.git.answers import AnyPath, Reason, Repository, RepositoryError, Unknown
from docs_sitemap.git.process import run


def by_repository(
    paths: Iterable[AnyPath], *, resolve: bool = False
) -> tuple[dict[Repository, dict[AnyPath, bytes]], dict[AnyPath, Unknown]]:
    """Return paths with their names in the repository, by repository, and the answer for the others.

    Links in parent folders are resolved, the last name only with ``resolve``: a tracked symbolic link is
    itself a file. A path that no file can have, with a NUL or half a character, is in no repository.
    """
    found: dict[Repository, dict[AnyPath, bytes]] = {}
    outside: dict[AnyPath, Unknown] = {}
    real, repository_of = cache(os.path.realpath), cache(partial(_repository_of, describe=cache(describe)))
    for path in paths:
        with suppress(OSError, ValueError):  # also where the working folder has been removed
            folder, name = os.path.split(os.path.realpath(path) if resolve else os.path.abspath(path))
            if repository := repository_of(real(folder)):
                below = os.fsencode(os.path.relpath(os.path.join(real(folder), name), repository.root))
                found.setdefault(repository, {})[path] = below.replace(os.fsencode(os.sep), b"/")
                continue
        outside[path] = Unknown(Reason.NO_REPOSITORY, os.fspath(path))
    return found, outside


def find_repository(folder: Path) -> Repository | None:
    """Return the repository that contains a folder, or the bare repository that it is, or ``None``.

    Parent folders are never searched for a bare one: a checkout can contain one as a folder.
    """
    try:
        real = os.path.realpath(folder)
        found = _repository_of(real, describe)
        if found is None and os.path.isfile(os.path.join(real, "HEAD")):
            found = describe(Path(real), is_bare=True)
    except (OSError, ValueError):  # no folder can have such a name
        return None
    return found


def _repository_of(folder: str, describe: Callable[[Path], Repository | None]) -> Repository | None:
    """Return the repository that contains a folder without links."""
    for place in (Path(folder), *Path(folder).parents):
        if os.path.lexists(place / ".git") and (found := describe(place)):
            return found
    return None


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
        is_none = problem.reason is Reason.NO_REPOSITORY
        return None if is_none else Repository(root, is_bare=is_bare, fault=problem)
    except (OSError, ValueError) as problem:  # a name with a line break, or a file that cannot be read
        return Repository(root, is_bare=is_bare, fault=RepositoryError(f"{root}: {problem}"))
    if found.head:  # otherwise git does not say which file will have it
        _described[root, is_bare] = files, _stamps(files), found
    return found


def _ask(root: Path, is_bare: bool) -> tuple[Repository, list[Path]]:
    """Return what git says of a repository, and the files that this depends on."""
    options = ["--absolute-git-dir", "--git-common-dir", *([] if is_bare else ["--show-toplevel"])]
    # HEAD's commit, and the name of its branch: nothing if there is no commit
    revisions = ("--revs-only", "HEAD", "--symbolic-full-name", "HEAD")
    lines = run(Repository(root, is_bare=is_bare), "rev-parse", *options, *revisions).splitlines()
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
