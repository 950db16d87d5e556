"""Reads objects through ``git cat-file --batch``: every repository that git can read.

One process a repository. Object names go in on stdin; no file name is ever an argument.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import subprocess
import sys
import tempfile
from types import TracebackType
from typing import IO, Self, cast

from docs_sitemap.history.change import Reason, RepositoryError
from docs_sitemap.history.objects import (
    Commit,
    Entry,
    MissingObjectError,
    parse_commit,
    parse_tree,
)
from docs_sitemap.history.repository import Repository

# Only these GIT_* variables stay: they carry `safe.directory`, by which a user allows a repository
# of another owner. Nothing else that configuration can say changes what cat-file answers.
_CONFIG_VARIABLES = ("GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM", "GIT_CONFIG_NOSYSTEM", "GIT_CONFIG_COUNT")
_CONFIG_PREFIXES = ("GIT_CONFIG_KEY_", "GIT_CONFIG_VALUE_")


class CatFile:
    """An ``ObjectReader`` over one ``git cat-file --batch`` process; a context manager.

    Raises ``RepositoryError`` with a ``Reason`` as its second argument where git is missing or
    refuses the repository.
    """

    def __init__(self, repository: Repository) -> None:
        self._repository = repository
        git = find_git()
        if git is None:
            raise RepositoryError("no git program is on the PATH", Reason.NO_GIT)
        # A file, not a pipe: nobody reads it while the process runs, and a full pipe would block git.
        self._errors = tempfile.TemporaryFile()  # noqa: SIM115 - closed with the process
        try:
            self._process = subprocess.Popen(
                [git, "-c", "protocol.allow=never", "cat-file", "--batch"],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=self._errors,
                cwd=self._repository.root,
                env=git_environment(repository),
            )
        except OSError as problem:
            self._errors.close()
            raise RepositoryError(f"git cannot be started: {problem}", Reason.NO_GIT) from None
        self._in = cast(IO[bytes], self._process.stdin)
        self._out = cast(IO[bytes], self._process.stdout)
        self._trees: dict[bytes, dict[bytes, Entry]] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for pipe in (self._in, self._out):
            with contextlib.suppress(OSError):  # git may have gone already
                pipe.close()
        self._process.kill()
        self._process.wait()
        self._errors.close()

    def head(self) -> bytes | None:
        """Return the name of HEAD's commit, or ``None`` where there is no commit yet."""
        found = self._request(b"HEAD^{commit}")
        if found is None and self._repository.names_a_commit():
            raise RepositoryError(f"{self._repository.root}: the commit of HEAD is missing")
        return found[0] if found else None

    def commit(self, name: bytes) -> Commit:
        """Return a commit; raises ``MissingObjectError``."""
        return parse_commit(self._object(name, b"commit"))

    def tree(self, name: bytes) -> dict[bytes, Entry]:
        """Return a tree's entries by name; raises ``MissingObjectError``."""
        entries = self._trees.get(name)
        if entries is None:
            entries = parse_tree(self._object(name, b"tree"), len(name) // 2)
            if len(self._trees) > 4096:
                self._trees.clear()
            self._trees[name] = entries
        return entries

    def _object(self, name: bytes, kind: bytes) -> bytes:
        found = self._request(name)
        if found is None or found[1] != kind:
            raise MissingObjectError(f"{self._repository.root}: {kind.decode()} {name.decode()} is missing")
        return found[2]

    def _request(self, name: bytes) -> tuple[bytes, bytes, bytes] | None:
        """Return name, type and content of an object, or ``None`` where git has no such object."""
        try:
            self._in.write(name + b"\n")
            self._in.flush()
            header = self._out.readline()
        except OSError:
            header = b""
        if not header.endswith(b"\n"):
            raise self._refusal()
        fields = header.split()
        if len(fields) != 3 or not fields[2].isdigit():
            return None  # "NAME missing", "NAME ambiguous"
        size = int(fields[2])
        content = self._out.read(size + 1)
        if len(content) != size + 1:
            raise self._refusal()
        return fields[0], fields[1], content[:-1]

    def _refusal(self) -> RepositoryError:
        self._process.wait()
        self._errors.seek(0)
        text = self._errors.read().decode(errors="replace").strip()
        reason = Reason.OTHER_OWNER if "dubious ownership" in text else Reason.UNREADABLE
        return RepositoryError(f"{self._repository.root}: {text or 'git cat-file ended early'}", reason)


def find_git() -> str | None:
    """Return the git program on the PATH, never one that lies in the current folder."""
    git = shutil.which("git")
    if git and sys.platform == "win32" and os.path.dirname(os.path.abspath(git)) == os.getcwd():
        return None  # Windows looks into the current folder first, which may be a hostile checkout
    return git


def git_environment(repository: Repository) -> dict[str, str]:
    """Return an environment in which no variable changes an answer and nothing is fetched."""
    environment = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith("GIT_") or name in _CONFIG_VARIABLES or name.startswith(_CONFIG_PREFIXES)
    }
    environment.update(
        # the messages are read to tell causes apart
        LC_ALL="C",
        # the repository that was found, and none further up
        GIT_CEILING_DIRECTORIES=os.fspath(repository.root.parent),
        # a partial clone must not fetch what it lacks; git before 2.44 does not know this variable,
        # but no transport is allowed by the next
        GIT_NO_LAZY_FETCH="1",
        GIT_ALLOW_PROTOCOL="",
        GIT_TERMINAL_PROMPT="0",
        GIT_OPTIONAL_LOCKS="0",
    )
    return environment
