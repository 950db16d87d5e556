"""A path in little memory: ``Path`` keeps each name twice, and one emoji makes each character take four."""

from __future__ import annotations

from typing import Final

from docs_sitemap.urls import packed, unpacked


class KeptPath:
    """An ``os.PathLike`` for the sources of very many pages; equal to others of its kind."""

    __slots__ = ("_packed",)

    def __init__(self, path: str) -> None:
        self._packed: Final = packed(path)

    def __fspath__(self) -> str:
        return unpacked(self._packed)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, KeptPath) and self._packed == other._packed

    def __hash__(self) -> int:
        return hash(self._packed)

    def __repr__(self) -> str:
        return f"KeptPath({self.__fspath__()!r})"
