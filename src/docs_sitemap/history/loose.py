"""Reads loose objects and alternates (gitrepository-layout(5)).

libgit2 would read a truncated loose object forever, and inflate objects to any size.
"""

from __future__ import annotations

import os
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from docs_sitemap.history.objects import check_size
from docs_sitemap.limits import MAX_ALTERNATES, MAX_ALTERNATES_FILE, MAX_OBJECT
from docs_sitemap.untrusted import read_plain

_HEADER: Final = 32
"""Maximum bytes of a header such as ``tree 12345`` with the NUL after it."""


def object_folders(objects: Path) -> list[Path]:
    """Return a folder of objects and its alternates, in the order in which git follows them."""
    found: dict[str, None] = {}
    level = [os.fspath(objects)]
    for _ in range(MAX_ALTERNATES + 1):
        level = [os.path.realpath(folder) for folder in level if os.path.isdir(folder)]
        level = [folder for folder in dict.fromkeys(level) if folder not in found]
        found.update(dict.fromkeys(level))
        level = [os.path.join(folder, line) for folder in level for line in _alternates(folder)]
    return list(map(Path, found))


def _alternates(folder: str) -> Iterator[str]:
    try:
        lines = read_plain(os.path.join(folder, "info", "alternates"), MAX_ALTERNATES_FILE).split(b"\n")
    except OSError:  # as in git: objects in these alternates are missing
        return
    for line in lines:
        if line and not line.startswith(b"#") and b"\0" not in line:
            yield os.fsdecode(line)


class LooseObjects:
    """The loose objects in several folders, one file each."""

    def __init__(self, folders: list[Path]) -> None:
        # most objects are in packs: then no file is looked for
        self._folders: dict[bytes, list[Path]] = {}
        for folder in folders:
            for name in os.listdir(folder):
                if len(name) == 2:
                    self._folders.setdefault(os.fsencode(name), []).append(folder / name)

    def read(self, name: bytes) -> tuple[bytes, bytes] | None:
        """Return kind and content of an object, or ``None`` if it has no file.

        Raises ``RepositoryError`` for an object that is too large, ``ValueError`` or ``zlib.error`` for a
        broken one, and ``OSError`` for a file that cannot be read.
        """
        for folder in self._folders.get(name[:2], ()):
            file = folder / name[2:].decode()
            try:
                data = read_plain(file, MAX_OBJECT)
            except (FileNotFoundError, NotADirectoryError):
                continue
            unpacker = zlib.decompressobj()
            header, _, content = unpacker.decompress(data, MAX_OBJECT + _HEADER).partition(b"\0")
            kind, size = header.split(b" ")
            check_size(int(size), file)
            if not unpacker.eof or len(content) != int(size):
                raise ValueError(f"{file}: a truncated object")
            return kind, content
        return None
