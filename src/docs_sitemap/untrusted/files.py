"""Reading files that others may have written: regular files alone, and no more of them than a limit.

A checkout or a built site may hold a pipe, a device or an endless file in the place of any file, and a
link that leads out of it. Opening a pipe waits for a writer, so the kind is asked of what was opened
without waiting. Knows no format.
"""

from __future__ import annotations

import errno
import io
import os
import stat
from pathlib import Path

_FLAGS = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)


def open_plain(path: str | os.PathLike[str], below: Path | None = None) -> io.FileIO:
    """Open a regular file for reading, without a buffer; links are followed.

    Raises ``OSError`` for what is no regular file, what cannot be opened, and what does not lie in the
    folder ``below`` once all links are followed; ``ValueError`` for a name that no file can have.
    """
    if below is not None:
        path = _within(Path(path), below)
    descriptor = os.open(path, _FLAGS)
    try:
        mode = os.fstat(descriptor).st_mode
        if not stat.S_ISREG(mode):
            number = errno.EISDIR if stat.S_ISDIR(mode) else errno.EINVAL
            raise OSError(number, "not a regular file", os.fspath(path))
        return io.FileIO(descriptor)
    except BaseException:
        os.close(descriptor)
        raise


def read_plain(path: str | os.PathLike[str], limit: int, below: Path | None = None) -> bytes:
    """Return the content of a regular file of at most ``limit`` bytes.

    Raises ``OSError`` with ``EFBIG`` for a larger one, of which no more than that is read; otherwise as
    ``open_plain`` does.
    """
    data = read_start(path, limit + 1, below)
    if len(data) > limit:
        raise OSError(errno.EFBIG, f"larger than {limit:,} bytes", os.fspath(path))
    return data


def read_start(path: str | os.PathLike[str], limit: int, below: Path | None = None) -> bytes:
    """Return the first ``limit`` bytes of a regular file, or all; raises as ``open_plain`` does."""
    with open_plain(path, below) as stream:
        pieces = []
        while limit > 0 and (piece := stream.read(min(limit, 1 << 20))):
            pieces.append(piece)
            limit -= len(piece)
    return b"".join(pieces)


def read_named(path: str | os.PathLike[str], limit: int) -> bytes:
    """Return the content of a file that the user names, which may be a pipe, of at most ``limit`` bytes.

    A shell's ``<(command)`` is the name of a pipe, and its writer is waited for. Raises ``OSError``, with
    ``EFBIG`` for more bytes.
    """
    with open(path, "rb") as stream:
        data = stream.read(limit + 1)
    if len(data) > limit:
        raise OSError(errno.EFBIG, f"larger than {limit:,} bytes", os.fspath(path))
    return data


def _within(path: Path, folder: Path) -> Path:
    real = Path(os.path.realpath(path))
    if not real.is_relative_to(os.path.realpath(folder)):
        raise OSError(errno.EACCES, f"a link that leads out of {folder}", os.fspath(path))
    return real
