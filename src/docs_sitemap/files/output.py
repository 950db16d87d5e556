"""Replace files atomically, inside one folder; all output is written here."""

from __future__ import annotations

import errno
import hashlib
import io
import os
import re
import secrets
import stat
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from types import TracebackType
from typing import Self

from docs_sitemap.brief import shown
from docs_sitemap.errors import OutputError
from docs_sitemap.files.folder_lock import FolderLock
from docs_sitemap.limits import MAX_PATH
from docs_sitemap.readers import open_plain, read_plain, read_start

_TEMPORARY = re.compile(r"\.(.+)\.[0-9a-f]{16}\.tmp", re.DOTALL)
_LONGEST = 255 - len(".." + 16 * "f" + ".tmp")  # the longest name in bytes whose temporary name still fits
_CHUNK = 1 << 20
_SECONDS_TO_LEFTOVER = 86_400.0  # where a folder has no lock, a younger file may be of a build on its way
_NO_FOLDER = (errno.ENOENT, errno.ENOTDIR, errno.ENAMETOOLONG, errno.ELOOP, errno.EINVAL)

_UNTOUCHED = "No file is half written, and no old file was changed."
_WRITTEN = "No file is half written: all new files are in place, and the next build removes the rest."


class OutputFolder:
    """The folder of a built site. Names are relative, with ``/``.

    Raises ``OutputError`` if the folder does not exist: a deleted build output is not created again,
    because a sitemap alone is not a site.
    """

    def __init__(self, root: Path) -> None:
        self._root = _real(root)
        _check_is_there(self._root)

    def read(self, name: str, limit: int) -> bytes | None:
        """Return the first ``limit`` bytes of a file, or ``None`` if it does not exist.

        Raises ``OutputError`` if it cannot be read, is not a regular file, or is outside the output: then it
        must not be replaced.
        """
        try:
            return read_start(self._root / name, limit, self._root)
        except (FileNotFoundError, NotADirectoryError, IsADirectoryError):
            return None
        except OSError as problem:
            raise _unreadable(self._root / name, problem) from problem

    def read_whole(self, name: str, limit: int) -> bytes | None:
        """Return a file's content, or ``None`` if it does not exist.

        Raises ``OutputError`` like ``read``, and for a folder, and for more than ``limit`` bytes.
        """
        try:
            return read_plain(self._root / name, limit, below=self._root)
        except FileNotFoundError:
            return None
        except OSError as problem:
            raise _unreadable(self._root / name, problem) from problem

    def names(self, folder: str = "") -> list[str]:
        """Return the names of the regular files in a folder of the output, sorted; ``""`` is the root.

        Links are not included. Empty if the folder does not exist or cannot, or is a link that leads out of
        the output. Raises ``OutputError`` if it cannot be read.
        """
        place = _real(self._root / folder)
        if not place.is_relative_to(self._root):
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
        target = self._root / name
        try:
            if _real(target.parent) != target.parent:
                raise OSError(errno.ELOOP, os.strerror(errno.ELOOP))
            _replace(target, data)
        except OSError as problem:
            raise OutputError(f"{_path(target)}: cannot be written: {problem.strerror}.") from problem

    def drop(self, name: str) -> None:
        """Remove one file or link at once, if it exists. Raises ``OutputError``."""
        target = self._root / name
        try:
            target.unlink(missing_ok=True)
        except OSError as problem:
            raise OutputError(f"{_path(target)}: cannot be removed: {problem.strerror}.") from problem

    def lock(self) -> FolderLock:
        """Keep other runs out until the lock is released, as ``changes`` does; for ``replace``."""
        return FolderLock(self._root)

    def clear(self, folder: str, *, is_alone: bool) -> None:
        """Remove the temporary files that a killed run left in a folder; ``is_alone`` if the lock is held."""
        for paths in _temporaries(self._root / folder, 0.0 if is_alone else _SECONDS_TO_LEFTOVER).values():
            for path in paths:
                with suppress(OSError):
                    path.unlink()

    def changes(self) -> Changes:
        """Start changing files, when no other run does. Raises ``OutputError`` if the folder is gone."""
        _check_is_there(self._root)
        return Changes(self._root)


class Changes:
    """Files that are replaced together; a context manager that discards uncommitted changes on exit.

    Old files are unchanged until ``commit``. Each file is replaced atomically: at any time, even if the
    process is killed, it is either old or new. Files are replaced in the order of ``write``, and removed
    last, so if parts come before the index that names them, every intermediate state is a complete set
    of sitemaps. ``commit`` also writes the folders' entries to disk, if the platform supports that.

    A file that already has its content is not changed. If a name is given twice, the last call counts.
    Temporary files that a killed build left for the given names are removed. Those of a running build are
    kept: a build holds the folder's lock from start to end, so concurrent builds run one after the other,
    and the files are all from one of them.

    Every failure is an ``OutputError`` with the folder, the file, the system's reason, and the state of
    the files.
    """

    def __init__(self, root: Path) -> None:
        self._root = root
        self._staged: dict[str, tuple[Path, Path]] = {}  # by name: the temporary file and its target
        self._removed: dict[str, Path] = {}
        self._left: dict[Path, dict[str, list[Path]]] = {}  # by folder and stem: files left by a killed build
        self._made: list[Path] = []
        self._entries: set[Path] = set()  # the folders whose entries change
        self._lock = FolderLock(root)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Remove the temporary files, and new folders that are empty."""
        for name in list(self._staged):
            self._forget(name)
        for folder in reversed(self._made):
            with suppress(OSError):  # usually not empty: then it is in use
                folder.rmdir()
        self._lock.release()

    def write(self, name: str, data: bytes) -> None:
        """Write the bytes to a temporary file next to the target, unless the target already has them."""
        with self._reported(f"cannot write {name}", _UNTOUCHED):
            self._forget(name)
            target = self._place(name)
            there = _stat(target)
            if there and stat.S_ISDIR(there.st_mode):  # checked now, before anything is replaced
                raise OSError(errno.EISDIR, f"{name} is a folder")
            self._clear(target)
            if there and there.st_size == len(data) and self._holds(target, data):
                return
            self._make_folder(target.parent)
            temporary = _temporary(target)
            self._staged[name] = temporary, target
            self._entries.add(target.parent)
            try:
                _write_new(temporary, data)
            except BaseException:
                self._forget(name)
                raise

    def drop(self, name: str) -> None:
        """Remove the file on commit, if it exists. A folder with that name is kept."""
        with self._reported(f"cannot remove {name}", _UNTOUCHED):
            self._forget(name)
            target = self._place(name)
            self._clear(target)
            if target.is_symlink() or (target.exists() and not target.is_dir()):
                self._removed[name] = target
                self._entries.add(target.parent)

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
        for folder in self._entries:
            _sync(folder)
        return written

    @contextmanager
    def _reported(self, what: str, state: str) -> Iterator[None]:
        try:
            yield
        except OSError as problem:
            reason = problem.strerror or problem
            if not os.path.isdir(self._root):
                reason = f"{reason}; the build output is gone"
                state = "No file is half written. Build the site again."
            raise OutputError(
                f"{_path(self._root)}: {_path(what)}: {_path(str(reason))}. {state}"
            ) from problem

    def _forget(self, name: str) -> None:
        self._removed.pop(name, None)
        if name in self._staged:
            with suppress(OSError):  # the folder may be gone, or the disk read-only
                self._staged[name][0].unlink()
            del self._staged[name]

    def _place(self, name: str) -> Path:
        """Return the target of a file; a link inside the folder must not lead out of it."""
        target = self._root / name
        folder = _real(target.parent)
        if not folder.is_relative_to(self._root):
            raise OSError(errno.EPERM, f"{target.parent} leads out of the build output")
        return folder / target.name

    def _holds(self, target: Path, data: bytes) -> bool:
        """Tell whether a file has this content; read it in chunks, to save memory."""
        if target.is_symlink():
            return False
        with suppress(OSError), open_plain(target, self._root) as plain, io.BufferedReader(plain) as stream:
            chunks = range(0, len(data) + 1, _CHUNK)
            return all(stream.read(_CHUNK) == data[at : at + _CHUNK] for at in chunks)
        return False

    def _make_folder(self, folder: Path) -> None:
        """Create a folder below the root, with its parents, but never the root itself."""
        missing = []
        while folder != self._root and not folder.is_dir():
            missing.append(folder)
            folder = folder.parent
        for each in reversed(missing):
            each.mkdir(exist_ok=True)  # another run may have just created it
            self._made.append(each)
            self._entries.add(each.parent)

    def _clear(self, target: Path) -> None:
        """Remove what a killed build left for a file; read each folder once, before adding files to it."""
        if target.parent not in self._left:
            age = 0.0 if self._lock.is_held else _SECONDS_TO_LEFTOVER
            self._left[target.parent] = _temporaries(target.parent, age)
        for path in self._left[target.parent].pop(_stem(target.name), []):
            with suppress(OSError):  # a leftover does no harm
                path.unlink()


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
            f"{_path(root)}: the build output is gone, or is not a folder. Build the site again."
        )


def _real(path: Path) -> Path:
    return Path(os.path.realpath(path))  # Path.resolve raises on link loops before Python 3.13


def _stat(path: Path) -> os.stat_result | None:
    """Return the status of a file, following links, or ``None`` if it does not exist."""
    try:
        return path.stat()
    except FileNotFoundError:
        return None


def _unreadable(path: Path, problem: OSError) -> OutputError:
    return OutputError(f"{_path(path)}: cannot be read: {problem.strerror}.")


def _path(path: str | os.PathLike[str]) -> str:
    """Return a path, or a text that has one, as text that any terminal can show."""
    return shown(os.fspath(path), MAX_PATH)


def _stem(name: str) -> str:
    """Return a file's name for use in its temporary name, hashed if it is too long."""
    encoded = os.fsencode(name)
    return name if len(encoded) <= _LONGEST else hashlib.sha256(encoded).hexdigest()


def _temporaries(folder: Path, age: float) -> dict[str, list[Path]]:
    """Return the temporary files in a folder that are at least ``age`` seconds old, by stem."""
    # without an age, ignore the clock, which may be wrong
    newest = time.time() - age if age else float("inf")
    found: dict[str, list[Path]] = {}
    with suppress(OSError), os.scandir(folder) as entries:
        for entry in entries:
            match = _TEMPORARY.fullmatch(entry.name)
            if match and entry.is_file(follow_symlinks=False) and entry.stat().st_mtime < newest:
                found.setdefault(match[1], []).append(folder / entry.name)
    return found


def _temporary(target: Path) -> Path:
    return target.with_name(f".{_stem(target.name)}.{secrets.token_hex(8)}.tmp")


def _write_new(path: Path, data: bytes, *, flush: bool = True) -> None:
    # not tempfile: its files are private, but a published file must follow the user's umask
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o666)
    try:
        rest = memoryview(data)
        while rest:
            rest = rest[os.write(descriptor, rest) :]
        if flush:
            os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _replace(target: Path, data: bytes) -> None:
    """Replace a file, which keeps its permissions; see ``OutputFolder.replace``."""
    temporary = _temporary(target)
    try:
        _write_new(temporary, data, flush=False)
        with suppress(FileNotFoundError):
            status = target.lstat()
            if stat.S_ISREG(status.st_mode):
                temporary.chmod(stat.S_IMODE(status.st_mode))
        os.replace(temporary, target)
    except BaseException:
        with suppress(OSError):
            temporary.unlink()
        raise


def _sync(folder: Path) -> None:
    """Flush a folder's entries to disk; not supported on Windows and some file systems."""
    with suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
