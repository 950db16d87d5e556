"""The one place that writes files: replaces them atomically, inside one folder."""

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

from docs_sitemap.errors import OutputError
from docs_sitemap.files.folder_lock import FolderLock
from docs_sitemap.limits import MIN_LEFTOVER_SECONDS
from docs_sitemap.untrusted import open_plain, read_plain, read_start

_TEMPORARY = re.compile(r"\.(.+)\.[0-9a-f]{16}\.tmp", re.DOTALL)
_LONGEST = 255 - len(".." + 16 * "f" + ".tmp")  # bytes of a name beside which its temporary name fits
_CHUNK = 1 << 20

_UNTOUCHED = "No file is half written, and no old one was touched."
_WRITTEN = "No file is half written: all new ones are in their places, and the next build removes the rest."


class OutputFolder:
    """The folder of a built site. Names are relative, with ``/``.

    Raises ``OutputError`` where the folder is not there: a build output that has vanished is not
    made anew, because a sitemap alone is no site.
    """

    def __init__(self, root: Path) -> None:
        self._root = _real(root)
        _check_is_there(self._root)

    def read(self, name: str, limit: int) -> bytes | None:
        """Return the first ``limit`` bytes of a file, or ``None`` where there is none.

        Raises ``OutputError`` where there is one that cannot be read, is no regular file, or lies outside of
        the output: it is not ours to replace.
        """
        try:
            return read_start(self._root / name, limit, below=self._root)
        except (FileNotFoundError, NotADirectoryError, IsADirectoryError):
            return None
        except OSError as problem:
            raise _unreadable(self._root / name, problem) from problem

    def read_whole(self, name: str, limit: int) -> bytes | None:
        """Return a file's content, or ``None`` where nothing has that name.

        Raises ``OutputError`` as ``read`` does, and for a folder, and for more than ``limit`` bytes.
        """
        try:
            return read_plain(self._root / name, limit, below=self._root)
        except FileNotFoundError:
            return None
        except OSError as problem:
            raise _unreadable(self._root / name, problem) from problem

    def names(self, folder: str = "") -> list[str]:
        """Return the names of the plain files in one folder of the output, sorted; ``""`` is its root.

        Links are no plain files. Empty where there is no such folder, or where it is a link that
        leads out of the output. Raises ``OutputError`` where it cannot be read.
        """
        place = _real(self._root / folder)
        if not place.is_relative_to(self._root):
            return []
        try:
            with os.scandir(place) as entries:
                return sorted(entry.name for entry in entries if entry.is_file(follow_symlinks=False))
        except (FileNotFoundError, NotADirectoryError):
            return []
        except OSError as problem:
            raise _unreadable(place, problem) from problem

    def changes(self) -> Changes:
        """Begin to change files, once no other run does. Raises ``OutputError`` where the folder is gone."""
        _check_is_there(self._root)
        return Changes(self._root)


class Changes:
    """Files that are replaced together; a context manager, whose end drops what is not committed.

    Until ``commit`` all old files are untouched. Each file is replaced atomically: at any instant,
    also where the process is killed, it is wholly old or wholly new. The files are replaced in the
    order of their ``write`` and removed last, so that with parts before the index that names them
    every state between is a complete site map. After ``commit`` the folders' entries are on disk
    too, as far as the platform can be asked for that.

    A file that has its content already is not touched. Where a name is given twice, the last call
    counts. Temporary files that a killed build left beside the names given here are removed. Those of a
    build that is under way stay: from its beginning to its end each build has the folder's lock, so that
    builds at once come one after the other, and the files are those of one of them.

    Every failure is an ``OutputError`` that names the folder and the file, gives the system's
    reason, and says what state the files are in.
    """

    def __init__(self, root: Path) -> None:
        self._root = root
        self._staged: dict[str, tuple[Path, Path]] = {}  # by name: the temporary file, and its place
        self._removed: dict[str, Path] = {}
        self._left: dict[Path, dict[str, list[Path]]] = {}  # by folder and stem: what a killed build left
        self._made: list[Path] = []
        self._entries: set[Path] = set()  # the folders whose entries change
        self._lock = FolderLock(root)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Remove the temporary files, and the folders that were made for nothing."""
        for name in list(self._staged):
            self._forget(name)
        for folder in reversed(self._made):
            with suppress(OSError):  # not empty, as a rule: then it is in use
                folder.rmdir()
        self._lock.release()

    def write(self, name: str, data: bytes) -> None:
        """Put the bytes on disk, beside their place, unless the file there has them already."""
        with self._told(f"cannot write {name}", _UNTOUCHED):
            self._forget(name)
            target = self._place(name)
            there = _stat(target)
            if there and stat.S_ISDIR(there.st_mode):  # found now, so that nothing has been replaced yet
                raise OSError(errno.EISDIR, f"{name} is a folder there")
            self._clear(target)
            if there and there.st_size == len(data) and _holds(target, data, self._root):
                return
            self._make_folder(target.parent)
            temporary = target.with_name(f".{_stem(target.name)}.{secrets.token_hex(8)}.tmp")
            self._staged[name] = temporary, target
            self._entries.add(target.parent)
            try:
                _write_new(temporary, data)
            except BaseException:
                self._forget(name)
                raise

    def drop(self, name: str) -> None:
        """Have the file removed at the end; there need not be one. A folder of that name stays."""
        with self._told(f"cannot remove {name}", _UNTOUCHED):
            self._forget(name)
            target = self._place(name)
            self._clear(target)
            if target.is_symlink() or (target.exists() and not target.is_dir()):
                self._removed[name] = target
                self._entries.add(target.parent)

    def commit(self) -> list[str]:
        """Replace the files in their order, then remove; return the names of those written."""
        written = list(self._staged)
        for done, name in enumerate(written):
            with self._told(f"cannot write {name}", _state(done, len(written))):
                os.replace(*self._staged[name])
            del self._staged[name]
        for name, target in self._removed.items():
            with self._told(f"cannot remove {name}", _WRITTEN):
                target.unlink(missing_ok=True)
        self._removed.clear()
        for folder in self._entries:
            _sync(folder)
        return written

    @contextmanager
    def _told(self, what: str, state: str) -> Iterator[None]:
        try:
            yield
        except OSError as problem:
            reason = problem.strerror or problem
            if not os.path.isdir(self._root):
                reason = f"{reason}; the build output is gone"
                state = "No file is half written. Build the site again."
            raise OutputError(f"{self._root}: {what}: {reason}. {state}") from problem

    def _forget(self, name: str) -> None:
        self._removed.pop(name, None)
        if name in self._staged:
            with suppress(OSError):  # its folder may have vanished, or the disk be read-only by now
                self._staged[name][0].unlink()
            del self._staged[name]

    def _place(self, name: str) -> Path:
        """Return where a file goes; a link inside the folder must not lead out of it."""
        target = self._root / name
        folder = _real(target.parent)
        if not folder.is_relative_to(self._root):
            raise OSError(errno.EPERM, f"{target.parent} leads out of the build output")
        return folder / target.name

    def _make_folder(self, folder: Path) -> None:
        """Make a folder below the root, and those above it; never the root itself."""
        if folder == self._root or folder.is_dir():
            return
        self._make_folder(folder.parent)
        folder.mkdir(exist_ok=True)  # another run may have made it just now
        self._made.append(folder)
        self._entries.add(folder.parent)

    def _clear(self, target: Path) -> None:
        """Remove what a killed build left for a file; a folder is read once, before we add to it."""
        if target.parent not in self._left:
            age = 0.0 if self._lock.is_held else MIN_LEFTOVER_SECONDS
            self._left[target.parent] = _temporaries(target.parent, age)
        for path in self._left[target.parent].pop(_stem(target.name), []):
            with suppress(OSError):  # it disturbs no reader
                path.unlink()


def _state(done: int, count: int) -> str:
    if not done:
        return _UNTOUCHED
    return (
        f"No file is half written: {done} of {count} files are new, the others old, each of them whole. "
        "The next build mends it."
    )


def _check_is_there(root: Path) -> None:
    if not os.path.isdir(root):
        raise OutputError(f"{root}: the build output is gone, or is no folder. Build the site again.")


def _real(path: Path) -> Path:
    return Path(os.path.realpath(path))  # Path.resolve raises for a circle of links before Python 3.13


def _stat(path: Path) -> os.stat_result | None:
    """Return what is at a place, behind links, or ``None`` for nothing."""
    try:
        return path.stat()
    except FileNotFoundError:
        return None


def _unreadable(path: Path, problem: OSError) -> OutputError:
    return OutputError(f"{path}: cannot be read: {problem.strerror}.")


def _stem(name: str) -> str:
    """Return what stands for a file's name in its temporary name, where it may be too long."""
    encoded = os.fsencode(name)
    return name if len(encoded) <= _LONGEST else hashlib.sha256(encoded).hexdigest()


def _temporaries(folder: Path, age: float) -> dict[str, list[Path]]:
    """Return the temporary files of one folder that are so many seconds old, by stem."""
    newest = time.time() - age if age else float("inf")  # not by the clock where that need not be right
    found: dict[str, list[Path]] = {}
    with suppress(OSError), os.scandir(folder) as entries:
        for entry in entries:
            match = _TEMPORARY.fullmatch(entry.name)
            if match and entry.is_file(follow_symlinks=False) and entry.stat().st_mtime < newest:
                found.setdefault(match[1], []).append(folder / entry.name)
    return found


def _holds(path: Path, data: bytes, root: Path) -> bool:
    """Tell whether a file has this content; it is read in pieces, so that memory holds it only once."""
    with suppress(OSError), open_plain(path, below=root) as plain, io.BufferedReader(plain) as stream:
        return all(stream.read(_CHUNK) == data[at : at + _CHUNK] for at in range(0, len(data) + 1, _CHUNK))
    return False


def _write_new(path: Path, data: bytes) -> None:
    """Write a new file through to the disk."""
    # not tempfile: its files are private, but a published file follows the user's umask
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o666)
    try:
        rest = memoryview(data)
        while rest:
            rest = rest[os.write(descriptor, rest) :]
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _sync(folder: Path) -> None:
    """Put a folder's entries on disk. Windows and some file systems know no such thing."""
    with suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
