"""Starts git, and finds the repository of a file.

git is the only program that is run, in an environment that cannot change an answer, and only plumbing: it
runs no hook, filter, external diff or alias, and heeds no ``log.*`` or ``diff.*``. What git says of a
repository is asked once, until one of its files changes.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable, Sequence
from contextlib import ExitStack, closing, suppress
from functools import cache, partial
from pathlib import Path
from typing import IO, Final, cast

from docs_sitemap.git.answers import AnyPath, Reason, Repository, RepositoryError, Unknown
from docs_sitemap.limits import MAX_FILE
from docs_sitemap.readers.files import read_plain, status_of

_CONFIGURATION: Final = re.compile(r"GIT_CONFIG_(?:GLOBAL|SYSTEM|NOSYSTEM|COUNT|KEY_\d+|VALUE_\d+)")
"""Variables that are kept: with ``safe.directory``, a user allows a repository of another owner."""

_SETTINGS: Final = (
    "--no-pager",
    "--literal-pathspecs",
    *("-c", "core.fsmonitor=false"),
    *("-c", "i18n.logOutputEncoding=UTF-8"),
)

_IN_EVERY_GIT: Final = frozenset(("--list-cmds=builtins", "diff-tree", "ls-tree", "rev-list", "rev-parse"))
"""What git is asked for without a question before: commands that it had before it could list them."""

_REASONS: Final = {
    "dubious ownership": Reason.OTHER_OWNER,
    "promisor remote": Reason.INCOMPLETE,
    "not a tree object": Reason.INCOMPLETE,  # what git 2.55 says in its place
    "not a git repository": Reason.NO_REPOSITORY,
    "invalid gitfile format": Reason.NO_REPOSITORY,
}
"""Text in git's messages, in the C locale. Its other text is not shown: it can quote files of ``.git``."""


class GitProcess:
    """A running git command in a repository, with pipes to its stdin and stdout.

    A bare repository is read only if it was named: a checkout can contain one as a folder.
    Raises ``RepositoryError`` if git cannot be started, has no such command, or cannot read the repository.
    """

    def __init__(self, repository: Repository, *arguments: str | bytes) -> None:
        if repository.fault:
            raise repository.fault
        folder = self._folder = repository.root
        self._command = os.fsdecode(arguments[0])
        git = find_git()
        if git is None:
            raise RepositoryError("no git program is on the PATH", Reason.NO_GIT)
        if self._command not in _IN_EVERY_GIT and self._command not in _builtins(git):
            raise RepositoryError(f"{git} has no command {self._command}")
        bare = f"safe.bareRepository={'all' if repository.is_bare else 'explicit'}"
        try:
            with ExitStack() as opened:
                self._errors = opened.enter_context(tempfile.TemporaryFile())  # a full pipe would block git
                self._process = subprocess.Popen(
                    [git, *_SETTINGS, "-c", bare, *map(os.fsdecode, arguments)],
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    stderr=self._errors,
                    bufsize=0,
                    cwd=folder,
                    env=_environment(),
                )
                opened.pop_all()
        except (OSError, ValueError) as problem:
            raise RepositoryError(f"cannot start git: {problem}", Reason.NO_GIT) from None
        self.stdin = cast(IO[bytes], self._process.stdin)
        self._stdout = cast(IO[bytes], self._process.stdout)

    def write(self, data: bytes) -> None:
        """Write to its stdin; if it has ended, the next ``read`` says why."""
        with suppress(OSError):
            while data:
                data = data[self.stdin.write(data) :]

    def read(self) -> bytes:
        """Return what comes next on its stdout, and nothing at its end. Raises ``RepositoryError``."""
        data = os.read(self._stdout.fileno(), 1 << 20)
        if not data and self._process.wait():
            raise self._refusal()
        return data

    def close(self) -> None:
        """Kill the process."""
        self._process.kill()
        self._process.wait()
        for pipe in (self.stdin, self._stdout, self._errors):
            with suppress(OSError):
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
    with closing(GitProcess(repository, *arguments)) as process:
        process.write(b"".join(line + b"\n" for line in lines))
        process.stdin.close()
        return b"".join(iter(process.read, b""))


@cache
def _builtins(git: str) -> frozenset[str]:
    """Return the commands that a git has built in: 2.18 and newer list them.

    For any other, it would run an alias of the repository, or a program ``git-NAME`` that it finds.
    """
    try:
        return frozenset(run(Repository(Path(git).parent), "--list-cmds=builtins").decode().split())
    except RepositoryError:
        return frozenset()


def describe_commits(
    repository: Repository, commits: Iterable[bytes], first: str, second: str
) -> dict[bytes, tuple[bytes, bytes]]:
    """Return two things that git shows of each commit, in its format, on a line each."""
    options = ("--no-walk=unsorted", "--stdin", f"--format={first}%n{second}")
    wanted = [*commits]
    lines = iter(run(repository, "rev-list", *options, lines=wanted).split(b"\n") if wanted else ())
    # "commit NAME", and the two
    return {line[7:]: (one, two) for line, one, two in zip(lines, lines, lines, strict=False)}


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


def by_repository(
    paths: Iterable[AnyPath], *, resolve: bool = False
) -> tuple[dict[Repository, dict[AnyPath, bytes]], dict[AnyPath, Unknown]]:
    """Return paths with their names in the repository, by repository, and the answer for the others.

    Links in parent folders are resolved, the last name only with ``resolve``: a tracked symbolic link is
    itself a file. A path that no file can have, with a NUL or half a character, is in no repository.
    """
    found: dict[Repository, dict[AnyPath, bytes]] = {}
    outside: dict[AnyPath, Unknown] = {}
    real, repository_of = cache(os.path.realpath), cache(partial(_repository_of, describe=cache(describe)))
    for path in paths:
        with suppress(OSError, ValueError):  # also where the working folder has been removed
            folder, name = os.path.split(os.path.realpath(path) if resolve else os.path.abspath(path))
            if "\0" not in name and (repository := repository_of(real(folder))):
                below = os.fsencode(os.path.relpath(os.path.join(real(folder), name), repository.root))
                found.setdefault(repository, {})[path] = below.replace(os.fsencode(os.sep), b"/")
                continue
        outside[path] = Unknown(Reason.NO_REPOSITORY, os.fspath(path))
    return found, outside


def find_repository(folder: Path) -> Repository | None:
    """Return the repository that contains a folder, or the bare repository that it is, or ``None``.

    Parent folders are never searched for a bare one: a checkout can contain one as a folder.
    """
    with suppress(OSError, ValueError):  # no folder can have such a name
        real = os.path.realpath(folder)
        if found := _repository_of(real, describe):
            return found
        if os.path.isfile(os.path.join(real, "HEAD")):
            return describe(Path(real), is_bare=True)
    return None


def _repository_of(folder: str, describe: Callable[[Path], Repository | None]) -> Repository | None:
    """Return the repository that contains a folder without links."""
    for place in (Path(folder), *Path(folder).parents):
        if os.path.lexists(place / ".git") and (found := describe(place)):
            return found
    return None


_described: Final[dict[tuple[Path, bool], tuple[Sequence[Path], object, Repository]]] = {}
"""What git has said of folders, with the files that it depends on and their stamps then."""


def describe(root: Path, *, is_bare: bool = False) -> Repository | None:
    """Return the repository whose ``.git`` is in a folder, or that is this folder, with ``is_bare``.

    Returns ``None`` for a ``.git`` that git does not take for one.
    """
    files, stamps, known = _described.get((root, is_bare), ((), None, None))
    if known and stamps == _stamps(files):
        return known
    try:
        found, files = _rev_parse(root, is_bare)
    except RepositoryError as problem:
        is_none = problem.reason is Reason.NO_REPOSITORY
        return None if is_none else Repository(root, is_bare=is_bare, fault=problem)
    except (OSError, ValueError) as problem:  # a name with a line break, or a file that cannot be read
        return Repository(root, is_bare=is_bare, fault=RepositoryError(f"{root}: {problem}"))
    if found.head:  # otherwise git does not say which file will have it
        _described[root, is_bare] = files, _stamps(files), found
    return found


def _rev_parse(root: Path, is_bare: bool) -> tuple[Repository, list[Path]]:
    """Return what git says of a repository, and the files that this depends on."""
    options = ["--absolute-git-dir", "--git-common-dir", *([] if is_bare else ["--show-toplevel"])]
    # HEAD's commit, and the name of its branch: nothing if there is no commit
    revisions = ("--revs-only", "HEAD", "--symbolic-full-name", "HEAD")
    lines = run(Repository(root, is_bare=is_bare), "rev-parse", *options, *revisions).splitlines()
    git_dir, common_dir, *tops = (root / os.fsdecode(line) for line in lines[: len(options)])
    if tops and not os.path.samefile(tops[0], root):
        own = root / ".git"
        is_other = own.is_dir() and not own.samefile(git_dir)  # one around it: this is no repository
        reason = Reason.NO_REPOSITORY if is_other else Reason.UNREADABLE
        raise RepositoryError(f"{root}: its work tree is elsewhere (core.worktree)", reason)
    head, branch = lines[len(options) :] or (b"", b"")
    shallow = common_dir / "shallow"
    boundary = shallow.read_bytes().lower().split() if shallow.is_file() else ()
    names = ("HEAD", os.fsdecode(branch), "config", "config.worktree", "packed-refs", "reftable/tables.list")
    files = [root / ".git", shallow, *(folder / name for folder in (git_dir, common_dir) for name in names)]
    return Repository(root, head, frozenset(boundary), is_bare), files


def _stamps(files: Iterable[Path]) -> list[object]:
    """Return a value that changes with the files: git writes a new one in the place of each."""
    found = map(status_of, files)
    return [status and (status.st_mtime_ns, status.st_size, status.st_ino) for status in found]


_MAX_PATHS: Final = 32
"""Folders that git is asked for; of more, those above them."""


def tracked(repository: Repository, paths: Iterable[bytes] = ()) -> dict[bytes, bytes]:
    """Return the files, links and submodules that HEAD has at or below paths, or all of them.

    Each comes with its blob in hex, a link and a submodule with none. Raises ``RepositoryError``.
    """
    if not repository.head and not repository.fault:
        return {}
    data = run(repository, "ls-tree", "-r", "-z", "--full-tree", repository.head, "--", *paths)
    found = {}
    for entry in data.split(b"\0")[:-1]:
        description, _, name = entry.partition(b"\t")
        found[name] = description.split(b" ")[2] if description.startswith(b"100") else b""
    return found


def paths_of(names: Iterable[bytes]) -> list[bytes]:
    """Return few paths at or below which all names are; none means everywhere.

    >>> paths_of([b"mkdocs.yml", b"docs/a.md", b"docs/guide/b.md"])
    [b'docs', b'docs/guide', b'mkdocs.yml']
    """
    parts = [name.split(b"/") for name in names]
    for depth in (4, 3, 2, 1):
        found = {b"/".join(each[: max(1, min(depth, len(each) - 1))]) for each in parts}
        if len(found) <= _MAX_PATHS:
            return sorted(found)
    return []


def untracked(paths: Iterable[Path]) -> set[Path]:
    """Return the paths that are in a repository whose HEAD does not have them.

    Reads each repository once; paths in a repository that cannot be read are not returned.
    """
    found: set[Path] = set()
    for repository, names in by_repository(paths)[0].items():
        with suppress(RepositoryError):
            known = tracked(repository, paths_of(names.values()))
            found |= {path for path, name in names.items() if name not in known}
    return found


_FULL_NAME: Final = re.compile(rb"[0-9a-f]{40}|[0-9a-f]{64}|")


def read_ignored(file: Path) -> frozenset[bytes]:
    """Return the commits that a file lists: one full name per line, with ``#`` before comments.

    Raises ``OSError``, and ``ValueError`` with the number of a line that is malformed, but never its content:
    a configuration may name a file of secrets, and logs may be public.
    """
    lines = read_plain(file, MAX_FILE).removeprefix(b"\xef\xbb\xbf").splitlines()
    names = [line.partition(b"#")[0].strip().lower() for line in lines]
    for number, name in enumerate(names, 1):
        if not _FULL_NAME.fullmatch(name):
            raise ValueError(f"line {number}: expected the full name of a commit")
    return frozenset(names) - {b""}
