"""One run at a time in a folder, so that a run knows which temporary files are those of ended runs.

A lock of the system (flock) on the folder itself: it needs no file that could be published, and ends with
its process, however that ends. A process id in a file's name would tell less: ids are used again, and in
containers that share a volume several processes have the same one. The lock is on the folder's inode, so that
it holds between such containers as well. It does not reach other machines that share a folder over a network,
and Windows has none: there the age of a file decides.
"""

from __future__ import annotations

import os
import sys
import time
import weakref
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Self

from docs_sitemap.limits import MAX_LOCK_SECONDS

if sys.platform != "win32":
    import fcntl

_PAUSE = 0.02


class FolderLock:
    """A folder's lock, until ``release`` or until nobody refers to it; a context manager.

    ``is_held`` is false where the system gives none, and where another run has had it for longer than
    ``MAX_LOCK_SECONDS``: any user who may read a folder can lock it, and must hold up nobody for good.
    """

    def __init__(self, folder: Path) -> None:
        self.is_held = False
        self.release: Callable[[], object] = lambda: None
        with suppress(OSError):
            descriptor = os.open(folder, os.O_RDONLY)
            self.release = weakref.finalize(self, os.close, descriptor)
            self.is_held = _lock(descriptor)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.release()


def _lock(descriptor: int) -> bool:
    if sys.platform == "win32":
        return False
    end = time.monotonic() + MAX_LOCK_SECONDS
    while True:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if time.monotonic() > end:
                return False
            time.sleep(_PAUSE)
        except OSError:  # a file system without locks
            return False
        else:
            return True
