"""What files of repositories say, read once: hundreds of repositories may have links to one of megabytes."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, TypeVar

_MAX_KNOWN: Final = 1_000

Answer = TypeVar("Answer")

_known: dict[tuple[object, ...], Any] = {}


def once(file: Path, read: Callable[[Path], Answer]) -> Answer:
    """Return ``read(file)``, remembered until the file changes; what it raises is not remembered.

    git writes a new file in the place of the old one, so another content is another inode.
    """
    try:
        status = os.stat(file)
    except (OSError, ValueError):
        return read(file)
    key = read, status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns
    if key not in _known:
        if len(_known) >= _MAX_KNOWN:
            _known.clear()
        _known[key] = read(file)
    found: Answer = _known[key]
    return found
