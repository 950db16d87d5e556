"""Choosing the reader of a repository."""

from __future__ import annotations

from contextlib import AbstractContextManager

from docs_sitemap.history.catfile import CatFile
from docs_sitemap.history.objects import ObjectReader
from docs_sitemap.history.repository import Repository


def open_reader(repository: Repository) -> AbstractContextManager[ObjectReader]:
    """Return a reader for a repository; raises ``RepositoryError`` where nothing can read it."""
    return CatFile(repository)
