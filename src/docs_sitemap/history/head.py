"""Reads HEAD without its history: which files it does not have, and the blobs of those that it has."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from docs_sitemap.history.catfile import open_reader
from docs_sitemap.history.change import RepositoryError
from docs_sitemap.history.count import Count
from docs_sitemap.history.listing import below, entries, files_among, hex_name
from docs_sitemap.history.objects import ObjectReader
from docs_sitemap.history.repository import Repository, RepositoryFinder
from docs_sitemap.history.wanted import nest

_REGULAR: Final = frozenset({b"100644", b"100755"})


def untracked(paths: Iterable[Path]) -> set[Path]:
    """Return the paths that are in a repository whose HEAD does not have them.

    Reads each repository once; paths in a repository that cannot be read are not returned.
    """
    finder = RepositoryFinder()
    groups: dict[Repository, dict[bytes, Path]] = defaultdict(dict)
    for path in paths:
        if found := finder.locate(path):
            repository, name = found
            groups[repository][name] = path
    return {path for repository, names in groups.items() for path in _absent(repository, names)}


def _absent(repository: Repository, names: dict[bytes, Path]) -> list[Path]:
    try:
        with open_reader(repository) as reader:
            tree = _tree(reader)
            found = files_among(reader, tree, nest(names), Count()) if tree else ()
            tracked = {name for name, _ in found}
    except RepositoryError:
        return []
    return [path for name, path in names.items() if name not in tracked]


def head_blobs(repository: Repository) -> dict[bytes, bytes]:
    """Return the blob of each file of HEAD, in hex, by its path from the root.

    That of a link or a submodule is empty. Raises ``RepositoryError`` if the repository cannot be read, or
    has more than ``MAX_FILES`` files.
    """
    with open_reader(repository) as reader:
        tree = _tree(reader)
        count = Count()
        files = below(reader, entries(reader, tree, count), count) if tree else ()
        return {path: hex_name(entry) if entry[0] in _REGULAR else b"" for path, entry in files}


def _tree(reader: ObjectReader) -> bytes | None:
    """Return the tree of HEAD, or ``None`` if there is no commit yet."""
    head = reader.head()
    return reader.commits([head])[head].tree if head else None
