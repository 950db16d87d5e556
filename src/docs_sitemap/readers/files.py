"""Reads untrusted files, and follows links of paths.

In a checkout or a built site, any file may be a pipe, a device, an endless file, or a link that leads out of
it. Opening a pipe waits for a writer, so files are opened without waiting before their type is checked.
Knows no format.
"""

from __future__ import annotations

import errno
import io
import os
import re
import stat
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

from docs_sitemap.limits import MAX_TEXT

_OPEN_FILE = re.compile(r"/dev/stdin|/(dev|proc/self)/fd/[0-9]+")
"""What this process has open: a link to it, in a repository, is none that the user named."""

_FLAGS = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)


def open_plain(path: str | os.PathLike[str], below: Path | None = None) -> io.FileIO:
    """Open a regular file for reading, without a buffer; links are followed.

    Raises ``OSError`` if the file is not regular, cannot be opened, or is not in the folder ``below`` after
    all links are followed, and ``ValueError`` for a name that no file can have.
    """
    found = path if below is None else real_below(path, below)
    if not found:
        raise OSError(errno.EACCES, f"a link that leads out of {below}", os.fspath(path))
    descriptor = os.open(found, _FLAGS)
    try:
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode):
            number = errno.EISDIR if stat.S_ISDIR(status.st_mode) else errno.EINVAL
            raise OSError(number, "not a regular file", os.fspath(path))
        return io.FileIO(descriptor)
    except BaseException:
        os.close(descriptor)
        raise


def read_plain(path: str | os.PathLike[str], limit: int, below: Path | None = None) -> bytes:
    """Return the content of a regular file of at most ``limit`` bytes.

    Raises ``OSError`` with ``EFBIG`` for a larger file, of which only one byte more is read; otherwise raises
    the same errors as ``open_plain``.
    """
    data = read_start(path, limit + 1, below)
    if len(data) > limit:
        raise OSError(errno.EFBIG, f"larger than {limit:,} bytes", os.fspath(path))
    return data


def read_start(path: str | os.PathLike[str], limit: int, below: Path | None = None) -> bytes:
    """Return up to ``limit`` bytes of a regular file; raises the same errors as ``open_plain``."""
    with open_plain(path, below) as stream:
        pieces = []
        while limit > 0 and (piece := stream.read(min(limit, 1 << 20))):
            pieces.append(piece)
            limit -= len(piece)
        return b"".join(pieces)


def read_any(path: str | os.PathLike[str], limit: int) -> bytes:
    """Return up to ``limit`` bytes of a regular file; nothing if it cannot be read."""
    try:
        return read_start(path, limit)
    except (OSError, ValueError):
        return b""


def read_text(path: str | os.PathLike[str]) -> str:
    """Return the text of a file, which is UTF-8, up to ``MAX_TEXT`` bytes; empty if it cannot be read."""
    return read_any(path, MAX_TEXT).decode("utf-8", "replace")


def is_open_file(path: str | os.PathLike[str]) -> bool:
    """Tell whether a path is the name that a shell has for a pipe, as for ``<(command)``."""
    return bool(_OPEN_FILE.fullmatch(os.path.abspath(path)))


def read_named(path: str | os.PathLike[str], limit: int) -> bytes:
    """Return the content, of at most ``limit`` bytes, of a file that the user names: a regular one.

    Or of a pipe, see ``is_open_file``: reading waits for its writer.
    Raises the same errors as ``read_plain``.
    """
    if not is_open_file(path):
        return read_plain(path, limit)
    with open(path, "rb") as stream:
        data = stream.read(limit + 1)
    if len(data) > limit:
        raise OSError(errno.EFBIG, f"larger than {limit:,} bytes", os.fspath(path))
    return data


def status_of(path: str | os.PathLike[str]) -> os.stat_result | None:
    """Return what ``os.stat`` does, or ``None`` if there is nothing, or a link to itself."""
    try:
        return os.stat(path)
    except (OSError, ValueError):
        return None


def real_path(path: str | os.PathLike[str]) -> str:
    """Return a path without links; what is missing, or a link to itself, counts as a file."""
    try:
        return os.path.realpath(path)
    except ValueError:  # a name that no file can have
        return os.path.abspath(path)


def real_below(path: str | os.PathLike[str], folder: str | os.PathLike[str]) -> str:
    """Return a path without links if it is a folder's or below it, otherwise nothing."""
    real, root = real_path(path), real_path(folder)
    return real if real == root or real.startswith(os.path.join(root, "")) else ""


class Resolver:
    """What paths below a folder lead to: ``None`` for what is missing, or behind a link that leads out."""

    def __init__(self, root: Path) -> None:
        self._root = os.path.realpath(root)

    def file(self, path: str) -> str | None:
        """Return the real path of a file.

        ``path`` is relative to the folder, with ``/``. One with ``..`` leads to nothing.
        """
        real = self.real(path)
        return real if real and os.path.isfile(real) else None

    def real(self, path: str) -> str | None:
        """Return the real path of a file or folder; see ``file``."""
        names = [name for name in path.split("/") if name not in ("", ".")]
        if ".." in names:
            return None
        real = real_below(os.path.join(self._root, *names), self._root)
        return real if real and os.path.lexists(real) and not os.path.islink(real) else None


def entries_below(
    root: Path, folder: str = "", is_other: Callable[[str], bool] = lambda name: False
) -> Iterator[tuple[str, os.DirEntry[str]]]:
    """Yield all but folders below a folder, with their paths from the root, which have ``/``, in no order.

    Links are not followed, and ``.git`` and ``is_other`` folders passed over.
    """
    pending = [folder]
    while pending:
        place = pending.pop()
        with suppress(OSError), os.scandir(os.path.join(root, place)) as entries:
            for entry in entries:  # those of an unreadable folder are not published either
                name = f"{place}/{entry.name}" if place else entry.name
                if not entry.is_dir(follow_symlinks=False):
                    yield name, entry
                elif entry.name != ".git" and not is_other(name):
                    pending.append(name)


def files_below(folder: Path, skipped: str = "") -> Iterator[str]:
    """Yield the files below a folder, sorted, with ``/``; skip hidden files, links, and folders of a name."""
    pending = [""]
    while pending:
        prefix = pending.pop()
        files, folders = [], []
        # an unreadable folder is not published either
        with suppress(OSError), os.scandir(os.path.join(folder, prefix)) as entries:
            for entry in entries:
                if entry.name.startswith(".") or entry.name == skipped:
                    continue
                if entry.is_dir(follow_symlinks=False):
                    folders.append(entry.name)
                elif entry.is_file(follow_symlinks=False):
                    files.append(entry.name)
        yield from (prefix + name for name in sorted(files))
        pending += [f"{prefix}{name}/" for name in sorted(folders, reverse=True)]
