"""Names of very many files, kept as bytes: one emoji makes each character of a text take four."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import TypeVar

from docs_sitemap.urls import packed, unpacked

Value = TypeVar("Value")


class KeptNames(Collection[str]):
    """Names, each once, in the order in which they were added."""

    def __init__(self, known: KeptNames | None = None) -> None:
        """Start without any; names that ``known`` has too will take no memory again."""
        self._known = known
        self._packed: dict[bytes, bytes] = {}

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and packed(name) in self._packed

    def __iter__(self) -> Iterator[str]:
        return map(unpacked, self._packed)

    def __len__(self) -> int:
        return len(self._packed)

    def add(self, name: str) -> None:
        """Add a name."""
        self.add_packed(packed(name))

    def add_packed(self, name: bytes) -> None:
        """Add a name that is packed."""
        name = self._known.kept(name) if self._known is not None else name
        self._packed.setdefault(name, name)

    def kept(self, name: bytes) -> bytes:
        """Return a packed name; one of these as the same object."""
        return self._packed.get(name, name)

    def sort(self) -> None:
        """Sort the names."""
        self._packed = {name: name for name in sorted(self._packed)}

    def packed(self) -> list[bytes]:
        """Return all names as they are kept."""
        return [*self._packed]


class ByName(Mapping[str, Value]):
    """Values by names, which are kept as bytes and given as such."""

    def __init__(self, values: Mapping[bytes, Value] | None = None) -> None:
        self._values: dict[bytes, Value] = dict(values or {})

    def __getitem__(self, name: str) -> Value:
        return self._values[packed(name)]

    def __iter__(self) -> Iterator[str]:
        return map(unpacked, self._values)

    def __len__(self) -> int:
        return len(self._values)

    def packed(self) -> list[bytes]:
        """Return all names as they are kept."""
        return [*self._values]
