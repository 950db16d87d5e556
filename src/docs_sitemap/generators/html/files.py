"""List the files of a folder."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path


def files_below(folder: Path) -> Iterator[str]:
    """Yield the files below a folder, sorted, with ``/``; skip hidden files and links."""
    for place, folders, files in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        below = Path(place).relative_to(folder).as_posix()
        prefix = "" if below == "." else f"{below}/"
        for name in sorted(files):
            path = os.path.join(place, name)
            if not name.startswith(".") and not os.path.islink(path) and os.path.isfile(path):
                yield prefix + name
