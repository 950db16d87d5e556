"""Starting git: the one place that runs a program, in an environment where nothing changes an answer."""

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
from docs_sitemap.limits import MAX_GIT_ALLOCATION, MAX_GIT_MEMORY, MAX_GIT_MESSAGE, MAX_GIT_SILENCE

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

# Only these GIT_* variables stay: they carry `safe.directory`, by which a user allows a repository
# of another owner. Nothing else that configuration can say changes what the commands here answer.
_CONFIG_VARIABLES: Final = (
    "GIT_CONFIG_GLOBAL",
    "GIT_CONFIG_SYSTEM",
    "GIT_CONFIG_NOSYSTEM",
    "GIT_CONFIG_COUNT",
)
_CONFIG_PREFIXES: Final = ("GIT_CONFIG_KEY_", "GIT_CONFIG_VALUE_")

_SETTINGS: Final = (
    # no transport is allowed, so that git before 2.44 fetches nothing for a partial clone
    *("-c", "protocol.allow=never"),
    # a walk goes through the packs once: less of them in memory is enough, and faster
    *("-c", "core.packedGitWindowSize=1m", "-c", "core.packedGitLimit=32m"),
    *("-c", "core.deltaBaseCacheLimit=32m"),
)

_CAUSES: Final = {
    "dubious ownership": Reason.OTHER_OWNER,
    # before 2.44 git ends where it may not fetch what a partial clone lacks
    "from promisor remote": Reason.INCOMPLETE,
    "over limit": Reason.TOO_LARGE,
    "ut of memory": Reason.TOO_LARGE,
}
"""Words of git's own messages, in the C locale."""

UNKNOWN_OPTION: Final = 129
"""git's exit code for wrong usage: an option that this version does not have."""


class GitProcess:
    """A running git command with pipes to it and from it.

    Arguments are ours alone: object names go in on stdin, and no file name is ever an argument.
    Raises ``RepositoryError`` where git cannot be started.
    """

    def __init__(self, repository: Repository, *arguments: str) -> None:
        self._repository = repository
        git = find_git()
        if git is None:
            raise RepositoryError("no git program is on the PATH", Reason.NO_GIT)
        try:
            self._errors = _open_scratch()
        except OSError as problem:
            raise RepositoryError(f"no temporary file can be made: {problem}") from None
        try:
            self._process = subprocess.Popen(
                [git, *_SETTINGS, *_bare(repository), *arguments],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=self._errors,
                bufsize=1 << 16,
                cwd=repository.root,
                env=git_environment(repository),
                # a group, which can be ended together: a git that is a script has children
                process_group=None if sys.platform == "win32" else 0,
            )
        except OSError as problem:
            self._errors.close()
            raise RepositoryError(f"git cannot be started: {problem}", Reason.NO_GIT) from None
        _enlarge(self._process.stdin, self._process.stdout)
        _limit_memory(self._process.pid)
        self.stdin: IO[bytes] = cast(IO[bytes], self._process.stdin)
        answers = _Answers(self._process.stdout, f"{repository.root}: git does not answer")
        self.stdout: IO[bytes] = io.BufferedReader(answers, 1 << 16)

    def close(self) -> None:
        """End the process and its children, whatever they are doing."""
        self._kill()  # first: a pipe that git does not read could block
        self._process.wait()
        for pipe in (self.stdin, self.stdout):
            with contextlib.suppress(OSError):  # nobody reads any more
                pipe.close()
        self._errors.close()

    def wait(self) -> int:
        """Wait for the end of a process that has said its last word, and return its exit code."""
        try:
            return self._process.wait(MAX_GIT_SILENCE)
        except subprocess.TimeoutExpired:
            self._kill()
            return self._process.wait()

    def exit_code(self) -> int | None:
        """Return the exit code of a process that has ended, and ``None`` for one that runs."""
        return self._process.poll()

    def _kill(self) -> None:
        if sys.platform == "win32":  # pragma: no cover: only Windows gets here
            self._process.kill()
        elif self._process.poll() is None:
            with contextlib.suppress(OSError):  # it has ended meanwhile
                os.killpg(self._process.pid, signal.SIGKILL)

    def refusal(self) -> RepositoryError:
        """Return what a process that has ended said on stderr, with its cause."""
        self.wait()
        self._errors.seek(0)
        text = " ".join(self._errors.read(MAX_GIT_MESSAGE).decode(errors="replace").split())
        reason = next((reason for words, reason in _CAUSES.items() if words in text), Reason.UNREADABLE)
        return RepositoryError(f"{self._repository.root}: {text or 'git ended early'}", reason)


class _Answers(io.FileIO):
    """git's standard output, whose end is not waited for without end."""

    def __init__(self, pipe: IO[bytes] | None, silent: str) -> None:
        stream = cast(io.BufferedReader, pipe)
        super().__init__(stream.fileno(), closefd=False)
        self._pipe = stream
        self._silent = silent
        self._poll = None
        if sys.platform != "win32":  # there, pipes cannot be polled, and none can stand in a folder
            self._poll = select.poll()
            self._poll.register(self, select.POLLIN)

    def readinto(self, buffer: WriteableBuffer, /) -> int | None:
        if self._poll and not self._poll.poll(1000 * MAX_GIT_SILENCE):
            raise RepositoryError(self._silent, Reason.SILENT)
        return super().readinto(buffer)

    def close(self) -> None:
        super().close()
        self._pipe.close()


def _bare(repository: Repository) -> list[str]:
    """Allow a bare repository: it was named by the user, never found above a page."""
    return ["-c", "safe.bareRepository=all"] if repository.git_dir == repository.root else []


def find_git() -> str | None:
    """Return the git program on the PATH, never one that lies in the current folder.

    That may be a hostile checkout: Windows looks there first, others where PATH has an empty or a
    relative entry.
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
    """Let git be a mebibyte ahead of us where the system allows it: Linux, and not for each user."""
    with contextlib.suppress(ImportError, AttributeError, OSError):
        import fcntl

        for pipe in pipes:
            if pipe is not None:
                fcntl.fcntl(pipe, fcntl.F_SETPIPE_SZ, 1 << 20)


def _limit_memory(process: int) -> None:
    """Limit git's own data where the system can: what it maps of packs does not count."""
    with contextlib.suppress(ImportError, AttributeError, OSError, ValueError):
        import resource

        resource.prlimit(process, resource.RLIMIT_DATA, (MAX_GIT_MEMORY, MAX_GIT_MEMORY))


def _open_scratch() -> IO[bytes]:
    """Return a file for git's messages: nobody reads them while it runs, and a full pipe would block it."""
    if hasattr(os, "memfd_create"):  # Linux: in memory, and without the imports of tempfile
        return os.fdopen(os.memfd_create("git-messages"), "w+b")
    import tempfile  # pragma: no cover: macOS and Windows

    return tempfile.TemporaryFile()  # pragma: no cover: macOS and Windows


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
        # a partial clone must not fetch what it lacks; git before 2.44 does not know the first
        GIT_NO_LAZY_FETCH="1",
        GIT_ALLOW_PROTOCOL="",
        GIT_TERMINAL_PROMPT="0",
        GIT_OPTIONAL_LOCKS="0",
        GIT_ALLOC_LIMIT=str(MAX_GIT_ALLOCATION),
    )
    return environment
