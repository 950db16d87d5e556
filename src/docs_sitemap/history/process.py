"""Starts git, the only program that is run, in an environment that cannot change an answer."""

from __future__ import annotations

import contextlib
import io
import os
import select
import signal
import subprocess
import sys
from typing import IO, TYPE_CHECKING, Final, cast

from docs_sitemap.history.change import Reason, RepositoryError
from docs_sitemap.history.repository import Repository
from docs_sitemap.limits import (
    MAX_GIT_ALLOCATION,
    MAX_GIT_MESSAGE,
    MAX_GIT_SILENCE,
)

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

# Only these GIT_* variables are kept: they may have `safe.directory`, with which a user allows a repository
# of another owner. No other configuration changes the answers of the commands here.
_CONFIG_VARIABLES: Final = (
    "GIT_CONFIG_GLOBAL",
    "GIT_CONFIG_SYSTEM",
    "GIT_CONFIG_NOSYSTEM",
    "GIT_CONFIG_COUNT",
)
_CONFIG_PREFIXES: Final = ("GIT_CONFIG_KEY_", "GIT_CONFIG_VALUE_")

_SETTINGS: Final = (
    # allows no transport, so that git before 2.44 fetches nothing for a partial clone
    *("-c", "protocol.allow=never"),
    # a walk reads the packs once, so less of them in memory is enough, and faster; but with half of this, git
    # took twice as long for a pack of 118 MB with folders of 11 levels
    *("-c", "core.packedGitWindowSize=1m", "-c", "core.packedGitLimit=64m"),
    *("-c", "core.deltaBaseCacheLimit=32m"),
    # a cache of trees, parents and dates, which git believes without a look at the commits
    *("-c", "core.commitGraph=false"),
    # rev-list writes all that it says of a commit in this one
    *("-c", "i18n.logOutputEncoding=UTF-8"),
)

_CAUSES: Final = {
    "dubious ownership": Reason.OTHER_OWNER,
    # git before 2.44 exits if it may not fetch what a partial clone lacks
    "from promisor remote": Reason.INCOMPLETE,
    "over limit": Reason.TOO_LARGE,
    "out of memory": Reason.TOO_LARGE,
    **dict.fromkeys(
        (
            *("not a git repository", "git repo version", "unknown repository extension"),
            *("bad config", "bad shallow line", "unexpected line in", "object directory"),
            *("is corrupt", "unable to read", "unable to unpack", "bad object", "too small"),
            *("broken ref", "permission denied"),
        ),
        Reason.UNREADABLE,
    ),
}
"""Text in git's messages, in the C locale and in lower case. No other text of them is shown.

They contain lines of git's own files, and a hostile repository may have a link to a secret in their place.
"""

_SILENT: Final = "git does not answer"

UNKNOWN_OPTION: Final = 129
"""git's exit code for wrong usage: an option that this version does not have."""


class GitProcess:
    """A running git command with pipes to its stdin and stdout.

    The arguments are fixed: object names are written to stdin, and no file name is ever an argument. One
    that works beside another one gets half of its share of the time and the memory: all that run at once
    stay within both. Raises ``RepositoryError`` if git cannot be started, or was silent before.
    """

    def __init__(self, repository: Repository, *arguments: str) -> None:
        self._repository = repository
        self._command = arguments[0]
        git = find_git()
        if git is None:
            raise RepositoryError("no git program is on the PATH", Reason.NO_GIT)
        repository.refuse_special()
        try:
            self._errors = _open_scratch()
        except OSError as problem:
            raise RepositoryError(f"cannot create a temporary file: {problem}") from None
        try:
            self._process = subprocess.Popen(
                [git, *_SETTINGS, *_bare(repository), *arguments],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=self._errors,
                bufsize=1 << 16,
                cwd=repository.root,
                env=git_environment(repository),
                # a group can be killed together: a git that is a script has children
                process_group=None if sys.platform == "win32" else 0,
            )
        except OSError as problem:
            self._errors.close()
            raise RepositoryError(f"cannot start git: {problem}", Reason.NO_GIT) from None
        _enlarge(self._process.stdin, self._process.stdout)
        self.stdin: IO[bytes] = cast(IO[bytes], self._process.stdin)
        answers = _Answers(self._process.stdout, repository)
        self.stdout: IO[bytes] = io.BufferedReader(answers, 1 << 16)

    def close(self) -> None:
        """Kill the process and its children."""
        self._kill()  # first: a pipe that git does not read could block
        self._reap()
        for pipe in (self.stdin, self.stdout):
            with contextlib.suppress(OSError):  # nobody reads them any more
                pipe.close()
        self._errors.close()

    def wait(self) -> int:
        """Wait for a process whose output has ended, and return its exit code."""
        try:
            return self._reap(MAX_GIT_SILENCE)
        except subprocess.TimeoutExpired:
            self._kill()
            return self._reap()

    def exit_code(self) -> int | None:
        """Return the exit code of a process that has ended, and ``None`` for one that runs."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            return self._reap(0)
        return None

    def _reap(self, seconds: float | None = None) -> int:
        """Wait for the process to end."""
        return self._process.wait(seconds)

    def _kill(self) -> None:
        if sys.platform == "win32":  # pragma: no cover: only Windows gets here
            self._process.kill()
        elif self.exit_code() is None:
            with contextlib.suppress(OSError):  # it has just ended
                os.killpg(self._process.pid, signal.SIGKILL)

    def refusal(self) -> RepositoryError:
        """Return why a process has ended, as its stderr tells, as an error with its reason."""
        code = self.wait()
        self._errors.seek(0)
        found = self._errors.read(MAX_GIT_MESSAGE).rstrip(b"\0").decode(errors="replace")
        text = " ".join(found.lower().split())
        words = next((words for words in _CAUSES if words in text), "")
        told = f"git {self._command} ended with code {code}" + (f": … {words} …" if words else "")
        reason = _CAUSES.get(words, Reason.UNREADABLE)
        return RepositoryError(f"{self._repository.root}: {told}", reason)


class _Answers(io.FileIO):
    """git's standard output, with a time limit for each read."""

    def __init__(self, pipe: IO[bytes] | None, repository: Repository) -> None:
        stream = cast(io.BufferedReader, pipe)
        super().__init__(stream.fileno(), closefd=False)
        self._pipe = stream
        self._repository = repository
        self._poll = None
        if sys.platform != "win32":  # Windows cannot poll pipes, and has none in folders
            self._poll = select.poll()
            self._poll.register(self, select.POLLIN)

    def readinto(self, buffer: WriteableBuffer, /) -> int | None:
        if self._poll and not self._poll.poll(1000 * MAX_GIT_SILENCE):
            raise RepositoryError(f"{self._repository.root}: {_SILENT}", Reason.SILENT)
        return super().readinto(buffer)

    def close(self) -> None:
        super().close()
        self._pipe.close()


def _bare(repository: Repository) -> list[str]:
    """Allow a bare repository: it was named by the user, never found in a parent folder of a page."""
    return ["-c", "safe.bareRepository=all"] if repository.git_dir == repository.root else []


def find_git() -> str | None:
    """Return the git program on the PATH, but never one in the current folder.

    The current folder may be a hostile checkout. Windows searches it first, other systems if PATH has an
    empty or relative entry.
    """
    if sys.platform == "win32":  # pragma: no cover: only Windows gets here
        import shutil

        git = shutil.which("git")
        return git if git and os.path.dirname(os.path.abspath(git)) != os.getcwd() else None
    for folder in os.environ.get("PATH", "").split(os.pathsep):
        program = os.path.join(folder, "git")
        if os.path.isabs(folder) and os.path.isfile(program) and os.access(program, os.X_OK):
            return program
    return None


def _enlarge(*pipes: IO[bytes] | None) -> None:
    """Enlarge pipes to a mebibyte if the system allows it: on Linux, but not for every user."""
    with contextlib.suppress(ImportError, AttributeError, OSError):
        import fcntl

        for pipe in pipes:
            if pipe is not None:
                fcntl.fcntl(pipe, fcntl.F_SETPIPE_SZ, 1 << 20)


def _open_scratch() -> IO[bytes]:
    """Return a file for git's messages: they are read only after it ends, and a full pipe would block it.

    On Linux, it is in memory, with room for ``MAX_GIT_MESSAGE`` only: git goes on without the rest.
    """
    if hasattr(os, "memfd_create"):
        import fcntl

        number = os.memfd_create("git-messages", os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING)
        os.truncate(number, MAX_GIT_MESSAGE)
        with contextlib.suppress(OSError):  # a system that only seems to be Linux
            fcntl.fcntl(number, fcntl.F_ADD_SEALS, fcntl.F_SEAL_GROW)
        return os.fdopen(number, "w+b")
    import tempfile  # pragma: no cover: macOS and Windows

    return tempfile.TemporaryFile()  # pragma: no cover: macOS and Windows


def git_environment(repository: Repository) -> dict[str, str]:
    """Return an environment in which no variable changes an answer and git fetches nothing."""
    environment = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith("GIT_") or name in _CONFIG_VARIABLES or name.startswith(_CONFIG_PREFIXES)
    }
    environment.update(
        # causes are detected by git's messages
        LC_ALL="C",
        # use the repository that was found, and none in a parent folder
        GIT_CEILING_DIRECTORIES=os.fspath(repository.root.parent),
        # a partial clone must not fetch what it lacks; git before 2.44 ignores the first variable
        GIT_NO_LAZY_FETCH="1",
        GIT_ALLOW_PROTOCOL="",
        GIT_TERMINAL_PROMPT="0",
        GIT_OPTIONAL_LOCKS="0",
        # rev-list would write each commit on its own
        GIT_FLUSH="0",
        GIT_ALLOC_LIMIT=str(MAX_GIT_ALLOCATION),
    )
    return environment
