"""Choosing the reader of a repository."""

from __future__ import annotations

from contextlib import AbstractContextManager

from docs_sitemap.history.catfile import CatFile
from docs_sitemap.history.change import Reason, RepositoryError
from docs_sitemap.history.objects import ObjectReader
from docs_sitemap.history.repository import Repository


def open_reader(repository: Repository) -> AbstractContextManager[ObjectReader]:
    """Return a reader for a repository; raises ``RepositoryError`` where nothing can read it.

    git comes first: it reads every repository, and on a processor of its own it is the faster
    one. libgit2 takes its place where there is no git program and pygit2 is installed.
    """
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
        return None  # what libgit2 cannot open, git could: the cure is to install git
