"""Starts git, the only program that is run, in an environment that cannot change an answer.

Only plumbing: it runs no hook, filter, external diff or alias, and heeds no ``log.*`` or ``diff.*``.
"""

from __future__ import annotations

import contextlib
import os
import re
import select
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import IO, Final, cast

from docs_sitemap.git.answers import TIMEOUT, Reason, Repository, RepositoryError

_CONFIGURATION: Final = re.compile(r"GIT_CONFIG_(?:GLOBAL|SYSTEM|NOSYSTEM|COUNT|KEY_\d+|VALUE_\d+)")
"""Variables that are kept: with ``safe.directory``, a user allows a repository of another owner."""

_SETTINGS: Final = (
    "--no-pager",
    "--literal-pathspecs",
    *("-c", "core.fsmonitor=false"),
    *("-c", "i18n.logOutputEncoding=UTF-8"),
)

_REASONS: Final = {
    "dubious ownership": Reason.OTHER_OWNER,
    "promisor remote": Reason.INCOMPLETE,
    "not a git repository": Reason.NO_REPOSITORY,
    "invalid gitfile format": Reason.NO_REPOSITORY,
}
"""Text in git's messages, in the C locale. Its other text is not shown: it can quote files of ``.git``."""

_NO_GIT: Final = "no git program is on the PATH", Reason.NO_GIT
_SILENT: Final = "git does not answer", Reason.TIMEOUT

_silent: Final[set[Path]] = set()
"""Folders in which git did not answer: there, each further command would wait again."""


class GitProcess:
    """A running git command in a repository, with pipes to its stdin and stdout.

    A bare repository is read only if it was named: a checkout can contain one as a folder.
    Raises ``RepositoryError`` if git cannot be started, or cannot read the repository.
    """

    def __init__(self, repository: Repository, *arguments: str | bytes) -> None:
        if repository.fault:
            raise repository.fault
        folder = self._folder = repository.root
        self._command = os.fsdecode(arguments[0])
        git = find_git()
        if folder in _silent or git is None:
            raise RepositoryError(*_SILENT if git else _NO_GIT)
        bare = f"safe.bareRepository={'all' if repository.is_bare else 'explicit'}"
        try:
            with contextlib.ExitStack() as opened:
                self._errors = opened.enter_context(tempfile.TemporaryFile())  # a full pipe would block git
                self._process = subprocess.Popen(
                    [git, *_SETTINGS, "-c", bare, *map(os.fsdecode, arguments)],
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    stderr=self._errors,
                    bufsize=0,
                    cwd=folder,
                    env=_environment(),
                    # a group can be killed together: a git that is a script has children
                    process_group=None if sys.platform == "win32" else 0,
                )
                opened.pop_all()
        except (OSError, ValueError) as problem:
            raise RepositoryError(f"cannot start git: {problem}", Reason.NO_GIT) from None
        self.stdin = cast(IO[bytes], self._process.stdin)
        self._stdout = cast(IO[bytes], self._process.stdout)

    def write(self, data: bytes) -> None:
        """Write to its stdin; if it has ended, the next ``read`` says why."""
        with contextlib.suppress(OSError):
            while data:
                data = data[self.stdin.write(data) :]

    def read(self) -> bytes:
        """Return what comes next on its stdout, and nothing at its end.

        Raises ``RepositoryError`` if the command failed, or if nothing comes for ``TIMEOUT`` seconds.
        """
        if sys.platform != "win32":  # which cannot wait for pipes
            waiting = select.poll()
            waiting.register(self._stdout, select.POLLIN)
            if not waiting.poll(1000 * TIMEOUT):
                _silent.add(self._folder)
                raise RepositoryError(*_SILENT)
        data = os.read(self._stdout.fileno(), 1 << 20)
        if not data and self._process.wait():
            raise self._refusal()
        return data

    def close(self) -> None:
        """Kill the process and its children."""
        if sys.platform == "win32":  # pragma: no cover: only Windows gets here
            self._process.kill()
        elif self._process.poll() is None:
            with contextlib.suppress(OSError):  # it has just ended
                os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        for pipe in (self.stdin, self._stdout, self._errors):
            with contextlib.suppress(OSError):
                pipe.close()

    def _refusal(self) -> RepositoryError:
        """Return why the process has failed, as its stderr says."""
        self._errors.seek(0)
        message = os.fsdecode(self._errors.read(1 << 14))
        reason = next((_REASONS[text] for text in _REASONS if text in message), Reason.UNREADABLE)
        text = f"{self._folder}: git {self._command} ended with code {self._process.returncode}"
        found = re.search(r"safe\.directory (.+)", message)  # as a shell reads it
        return RepositoryError(text, reason, "".join(shlex.split(found[1])) if found else str(self._folder))


def run(repository: Repository, *arguments: str | bytes, lines: Iterable[bytes] = ()) -> bytes:
    """Return what a git command prints, with ``lines`` on its stdin; raises ``RepositoryError``."""
    with contextlib.closing(GitProcess(repository, *arguments)) as process:
        process.write(b"".join(line + b"\n" for line in lines))
        process.stdin.close()
        return b"".join(iter(process.read, b""))


def find_git() -> str | None:
    """Return the git program on the PATH, but never one in the current folder: a stranger's checkout.

    Windows searches it first, other systems if PATH has an empty or relative entry.
    """
    folders = filter(os.path.isabs, os.environ.get("PATH", "").split(os.pathsep))
    git = shutil.which("git", path=os.pathsep.join(folders) or os.devnull)
    is_here = sys.platform == "win32" and git and os.path.dirname(os.path.abspath(git)) == os.getcwd()
    return None if is_here else git


def _environment() -> dict[str, str]:
    """Return an environment in which no variable changes an answer and git fetches nothing."""
    environment = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith("GIT_") or _CONFIGURATION.fullmatch(name)
    }
    return environment | {
        "LC_ALL": "C",  # reasons are detected by git's messages
        "GIT_NO_LAZY_FETCH": "1",
        "GIT_ALLOW_PROTOCOL": "",  # no transport: before 2.44, git fetches what a partial clone lacks
        "GIT_TERMINAL_PROMPT": "0",
        "GIT_OPTIONAL_LOCKS": "0",
        "GIT_FLUSH": "0",  # rev-list would write each commit on its own
    }
