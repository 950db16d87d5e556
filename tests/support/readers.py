"""The readers of objects by name; the one that is not installed skips its tests."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager

import pytest

from docs_sitemap.history.catfile import CatFile
from docs_sitemap.history.objects import ObjectReader
from docs_sitemap.history.repository import Repository


def _libgit2(repository: Repository) -> AbstractContextManager[ObjectReader]:
    pytest.importorskip("pygit2")
    from docs_sitemap.history.libgit2 import LibGit2

    return LibGit2(repository)


READERS: dict[str, Callable[[Repository], AbstractContextManager[ObjectReader]]] = {
    "catfile": CatFile,
    "libgit2": _libgit2,
}
