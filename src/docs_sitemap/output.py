"""The one place that writes files: replaces them atomically, inside one folder."""

from __future__ import annotations

import os
import secrets
from collections.abc import Mapping
from pathlib import Path

from docs_sitemap.errors import OutputError


class OutputFolder:
    """The folder of a built site. Names are relative, with ``/``."""

    def __init__(self, root: Path) -> None:
        self._root = root.resolve()

    def read(self, name: str, limit: int = -1) -> bytes | None:
        """Return a file's content, up to ``limit`` bytes, or ``None`` where there is none.

        Raises ``OutputError`` where there is one that cannot be read: it is not ours to replace.
        """
        try:
            with open(self._root / name, "rb") as stream:
                return stream.read(limit)
        except (FileNotFoundError, NotADirectoryError, IsADirectoryError):
            return None
        except OSError as problem:
            raise OutputError(f"{self._root / name}: cannot be read: {problem.strerror}.") from problem

    def replace(self, contents: Mapping[str, bytes | None]) -> list[str]:
        """Write the files, and remove those whose content is ``None``; return what was written.

        Every byte is on disk beside its place before the first file is replaced: a failure
        before that leaves all old files as they were. A file that has its content already is
        not touched. Raises ``OutputError``.
        """
        written = [name for name, data in contents.items() if data is not None and self.read(name) != data]
        staged: list[tuple[Path, Path]] = []
        try:
            for name in written:
                target = self._target(name)
                staged.append((_stage(target, contents[name] or b""), target))
            while staged:
                os.replace(*staged[0])
                staged.pop(0)
            for name, data in contents.items():
                if data is None:
                    (self._root / name).unlink(missing_ok=True)
        except OutputError:
            raise
        except OSError as problem:
            raise OutputError(
                f"{self._root}: cannot write {', '.join(contents)}: {problem.strerror or problem}. "
                "No file is half written."
            ) from problem
        finally:
            for temporary, _ in staged:
                temporary.unlink(missing_ok=True)
        return written

    def _target(self, name: str) -> Path:
        """Return where a file goes; a link inside the folder must not lead out of it."""
        target = self._root / name
        target.parent.mkdir(parents=True, exist_ok=True)
        if not target.parent.resolve().is_relative_to(self._root):
            raise OutputError(f"{name}: {target.parent} leads out of the build output {self._root}.")
        if target.is_dir():  # found while staging, so that nothing has been replaced yet
            raise OutputError(f"{self._root}: cannot write {name}: {name} is a folder there.")
        return target


def _stage(target: Path, data: bytes) -> Path:
    temporary = target.with_name(f".{target.name}.{secrets.token_hex(8)}.tmp")
    # not tempfile: its files are private, but a published file follows the user's umask
    descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o666)
    try:
        with open(descriptor, "wb") as stream:
            stream.write(data)
            stream.flush()
            os.fsync(stream.fileno())
    except OSError:
        temporary.unlink(missing_ok=True)
        raise
    return temporary
