"""Allow one run at a time in a folder, so that a run knows which temporary files are left from ended runs.

Uses a system lock (flock) on the folder itself: it needs no file that could be published, and ends with its
process in any case. Process ids in file names would not be reliable: ids are reused, and processes in
containers that share a volume can have the same id. The lock is on the folder's inode, so it works between
such containers. It does not work between machines that share a folder over a network, and Windows does not
have it: there the age of a file decides.
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

if sys.platform != "win32":
    import fcntl

_PAUSE = 0.02
_MAX_SECONDS = 30.0


class FolderLock:
    """A folder's lock, held until ``release`` or until the object is deleted; a context manager.

    ``is_held`` is false if the system has no lock, or if another run has held it for longer than
    ``_MAX_SECONDS``: any user who can read the folder can lock it, and must not block others forever.
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
    end = time.monotonic() + _MAX_SECONDS
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
