"""Replace files atomically, inside one folder; all output is written here."""

from __future__ import annotations

import errno
import os
import re
import secrets
import stat
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Self

from docs_sitemap.errors import OutputError
from docs_sitemap.readers.files import read_plain, read_start
from docs_sitemap.text import show_path

_TEMPORARY = re.compile(r"\.docs-sitemap-[0-9a-f]{16}\.tmp")
_SECONDS_TO_LEFTOVER = 3_600.0  # a younger temporary file may be of a build on its way
_NO_FOLDER = (errno.ENOENT, errno.ENOTDIR, errno.ENAMETOOLONG, errno.ELOOP, errno.EINVAL)

_UNTOUCHED = "No file is half written, and no old file was changed."
_WRITTEN = "No file is half written: all new files are in place, and the next build removes the rest."


class OutputFolder:
    """The folder of a built site. Names are relative, with ``/``.

    Raises ``OutputError`` if the folder does not exist: a deleted build output is not created again,
    because a sitemap alone is not a site.
    """

    def __init__(self, root: Path) -> None:
        self.root = _real(root)
        _check_is_there(self.root)

    def read(self, name: str, limit: int) -> bytes | None:
        """Return the first ``limit`` bytes of a file, or ``None`` if it does not exist.

        Raises ``OutputError`` if it cannot be read, is not a regular file, or is outside the output: then it
        must not be replaced.
        """
        try:
            return read_start(self.root / name, limit, self.root)
        except (FileNotFoundError, NotADirectoryError, IsADirectoryError):
            return None
        except OSError as problem:
            raise _unreadable(self.root / name, problem) from problem

    def read_whole(self, name: str, limit: int) -> bytes | None:
        """Return a file's content, or ``None`` if it does not exist.

        Raises ``OutputError`` like ``read``, and for a folder, and for more than ``limit`` bytes.
        """
        try:
            return read_plain(self.root / name, limit, below=self.root)
        except FileNotFoundError:
            return None
        except OSError as problem:
            raise _unreadable(self.root / name, problem) from problem

    def names(self, folder: str = "") -> list[str]:
        """Return the names of the regular files in a folder of the output, sorted; ``""`` is the root.

        Links are not included. Empty if the folder does not exist or cannot, or is a link that leads out of
        the output. Raises ``OutputError`` if it cannot be read.
        """
        place = _real(self.root / folder)
        if not place.is_relative_to(self.root):
            return []
        try:
            with os.scandir(place) as entries:
                return sorted(entry.name for entry in entries if entry.is_file(follow_symlinks=False))
        except OSError as problem:
            if problem.errno in _NO_FOLDER:
                return []
            raise _unreadable(place, problem) from problem

    def replace(self, name: str, data: bytes) -> None:
        """Replace one file atomically, at once, and keep its permissions; its folder must exist.

        Without flushing it to disk, which takes a hundred times as long for very many files. No link on the
        way is followed: a folder may have become one since its files were listed. Raises ``OutputError``.
        """
        target = self.root / name
        temporary = _temporary(target)
        try:
            if _real(target.parent) != target.parent:
                raise OSError(errno.ELOOP, os.strerror(errno.ELOOP))
            _write_new(temporary, data, flush=False)
            if target.is_file() and not target.is_symlink():
                temporary.chmod(stat.S_IMODE(target.stat().st_mode))
            os.replace(temporary, target)
        except OSError as problem:
            with suppress(OSError):
                temporary.unlink()
            raise OutputError(f"{show_path(target)}: cannot be written: {problem.strerror}.") from problem

    def clear(self, folder: str = "") -> None:
        """Remove the temporary files in a folder that a killed run left; a young one may be in use."""
        oldest = time.time() - _SECONDS_TO_LEFTOVER
        with suppress(OSError), os.scandir(self.root / folder) as entries:
            for entry in entries:
                if _TEMPORARY.fullmatch(entry.name) and entry.is_file(follow_symlinks=False):
                    with suppress(OSError):  # a leftover does no harm
                        if entry.stat().st_mtime < oldest:
                            os.unlink(entry.path)

    def changes(self) -> Changes:
        """Start changing files. Raises ``OutputError`` if the folder is gone."""
        _check_is_there(self.root)
        return Changes(self)


class Changes:
    """Files that are replaced together; a context manager that discards uncommitted changes on exit.

    Old files are unchanged until ``commit``. Each file is replaced atomically: at any time, even if the
    process is killed, it is either old or new. Files are replaced in the order of ``write``, and removed
    last, so if parts come before the index that names them, every intermediate state is a complete set
    of sitemaps.

    A file that already has its content is not changed. If a name is given twice, the last call counts.
    Temporary files that a killed build left are removed.

    Every failure is an ``OutputError`` with the folder, the file, the system's reason, and the state of
    the files.
    """

    def __init__(self, output: OutputFolder) -> None:
        self._output = output
        self._root = output.root
        self._staged: dict[str, tuple[Path, Path]] = {}  # by name: the temporary file and its target
        self._removed: dict[str, Path] = {}
        self._cleared: set[Path] = set()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        for name in list(self._staged):
            self._forget(name)

    def write(self, name: str, data: bytes) -> None:
        """Write the bytes to a temporary file next to the target, unless the target already has them."""
        with self._reported(f"cannot write {name}", _UNTOUCHED):
            target = self._target(name)
            if target.is_dir():  # checked now, before anything is replaced
                raise OSError(errno.EISDIR, f"{name} is a folder")
            if _has_content(target, data):
                return
            self._make_folder(target.parent)
            temporary = _temporary(target)
            self._staged[name] = temporary, target
            _write_new(temporary, data)

    def drop(self, name: str) -> None:
        """Remove the file on commit, if it exists. A folder with that name is kept."""
        with self._reported(f"cannot remove {name}", _UNTOUCHED):
            target = self._target(name)
            if target.is_symlink() or target.is_file():
                self._removed[name] = target

    def commit(self) -> list[str]:
        """Replace the files in order, then remove; return the names of those written."""
        written = list(self._staged)
        for done, name in enumerate(written):
            with self._reported(f"cannot write {name}", _state(done, len(written))):
                os.replace(*self._staged[name])
            del self._staged[name]
        for name, target in self._removed.items():
            with self._reported(f"cannot remove {name}", _WRITTEN):
                target.unlink(missing_ok=True)
        self._removed.clear()
        return written

    @contextmanager
    def _reported(self, what: str, state: str) -> Iterator[None]:
        try:
            yield
        except OSError as problem:
            reason = show_path(str(problem.strerror or problem))
            raise OutputError(f"{show_path(self._root)}: {show_path(what)}: {reason}. {state}") from problem

    def _forget(self, name: str) -> None:
        self._removed.pop(name, None)
        if name in self._staged:
            with suppress(OSError):  # the folder may be gone, or the disk read-only
                self._staged[name][0].unlink()
            del self._staged[name]

    def _target(self, name: str) -> Path:
        """Return the path of a file that is to change; a link inside the folder must not lead out of it.

        Takes back an earlier call for the same name, and clears the folder before the first file in it.
        """
        self._forget(name)
        target = self._root / name
        folder = _real(target.parent)
        if not folder.is_relative_to(self._root):
            raise OSError(errno.EPERM, f"{target.parent} leads out of the build output")
        if folder not in self._cleared:
            self._output.clear(os.path.relpath(folder, self._root))
            self._cleared.add(folder)
        return folder / target.name

    def _make_folder(self, folder: Path) -> None:
        """Create a folder below the root, with its parents, but never the root itself."""
        if folder != self._root and not folder.exists():
            self._make_folder(folder.parent)
            folder.mkdir(exist_ok=True)  # another run may have just created it


def _state(done: int, count: int) -> str:
    if not done:
        return _UNTOUCHED
    return (
        f"No file is half written: {done} of {count} files are new, the others are old, and all are "
        "complete. The next build fixes this."
    )


def _check_is_there(root: Path) -> None:
    if not os.path.isdir(root):
        raise OutputError(
            f"{show_path(root)}: the build output is gone, or is not a folder. Build the site again."
        )


def _real(path: Path) -> Path:
    return Path(os.path.realpath(path))  # Path.resolve raises on link loops before Python 3.13


def _unreadable(path: Path, problem: OSError) -> OutputError:
    return OutputError(f"{show_path(path)}: cannot be read: {problem.strerror}.")


def _has_content(target: Path, data: bytes) -> bool:
    """Tell whether a regular file has this content."""
    with suppress(OSError):
        status = target.lstat()
        return stat.S_ISREG(status.st_mode) and status.st_size == len(data) and target.read_bytes() == data
    return False


def _temporary(target: Path) -> Path:
    return target.with_name(f".docs-sitemap-{secrets.token_hex(8)}.tmp")


def _write_new(path: Path, data: bytes, *, flush: bool = True) -> None:
    # not tempfile: its files are private, but a published file must follow the user's umask
    with open(path, "xb") as stream:
        stream.write(data)
        if flush:
            stream.flush()
            os.fsync(stream.fileno())
