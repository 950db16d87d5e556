"""Chooses the reader of a repository."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager

from docs_sitemap.history.catfile import CatFile
from docs_sitemap.history.change import Reason, RepositoryError
from docs_sitemap.history.objects import ObjectReader, parsing
from docs_sitemap.history.repository import Repository


@contextmanager
def open_reader(repository: Repository) -> Iterator[ObjectReader]:
    """Yield a reader for a repository; raises ``RepositoryError`` if no reader can read it.

    Errors from malformed data while the reader is open are converted to ``RepositoryError`` too.

    git is preferred: it reads every repository, and is faster if it has another processor. libgit2 is
    used if there is no git program and pygit2 is installed.
    """
    with parsing(repository.root), _choose(repository) as reader:
        yield reader


def _choose(repository: Repository) -> AbstractContextManager[ObjectReader]:
    try:
        return CatFile(repository)
    except RepositoryError as problem:
        if problem.reason is not Reason.NO_GIT:
            raise
        reader = _open_libgit2(repository)
        if reader is None:
            raise
        return reader


def _open_libgit2(repository: Repository) -> AbstractContextManager[ObjectReader] | None:
    try:
        from docs_sitemap.history.libgit2 import LibGit2
    except ImportError:
        return None
    try:
        return LibGit2(repository)
    except RepositoryError as problem:
        if problem.reason is Reason.OTHER_OWNER:
            raise
        return None  # git could open what libgit2 cannot: the fix is to install git
