"""The files of a server, as if they were a folder."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from docs_sitemap.check.tree import Tree


class AnswerTree(Tree):
    """Files by their paths from the root of the host; pages are not among them."""

    def __init__(self, files: Mapping[str, bytes]) -> None:
        super().__init__(Path("/nonexistent"))
        self.files.update(files)
        self._content = files

    def read(self, name: str, limit: int) -> bytes | None:
        """Return the first ``limit`` bytes of a file."""
        data = self._content.get(name)
        return None if data is None else data[:limit]

    def real(self, name: str) -> str:
        """Return the name: there are no links."""
        return name

    def modified(self, name: str) -> float | None:
        """Return ``None``: the time of a file is not known."""
        return None
