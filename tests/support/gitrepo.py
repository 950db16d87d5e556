"""A real git repository to build tests on; every commit has the date that the test gives it."""

from __future__ import annotations

import hashlib
import os
import subprocess
import zlib
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path

import pytest

FIRST = 1_700_000_000
"""POSIX seconds of the first commit where a test does not say; each further one is an hour later."""

_SETTINGS = {"maintenance.auto": "false", "core.fsync": "none"}
"""Of the tests' own calls: no commit starts further processes, and none waits for the disk."""

_FAST = {
    "GIT_CONFIG_COUNT": str(len(_SETTINGS)),
    **{f"GIT_CONFIG_KEY_{number}": name for number, name in enumerate(_SETTINGS)},
    **{f"GIT_CONFIG_VALUE_{number}": value for number, value in enumerate(_SETTINGS.values())},
}


class Repo:
    """A repository with a work tree at ``root``."""

    def __init__(self, root: Path, *, object_format: str = "sha1") -> None:
        self.root = root
        self._clock = FIRST
        root.mkdir(parents=True, exist_ok=True)
        self.git("init", "--quiet", "--initial-branch=main", f"--object-format={object_format}")

    def git(self, *args: str, when: int | None = None, check: bool = True) -> str:
        """Run git in the work tree and return its output without the final newline."""
        env = {
            **os.environ,
            "GIT_AUTHOR_NAME": "A",
            "GIT_AUTHOR_EMAIL": "a@example.org",
            "GIT_COMMITTER_NAME": "C",
            "GIT_COMMITTER_EMAIL": "c@example.org",
            "GIT_LITERAL_PATHSPECS": "1",
            **_FAST,
        }
        if when is not None:
            # the author's clock runs a day behind, so that a test sees which of the two it got
            env |= {"GIT_COMMITTER_DATE": f"{when} +0200", "GIT_AUTHOR_DATE": f"{when - 86400} -0500"}
        done = subprocess.run(
            ["git", *args], cwd=self.root, env=env, check=check, capture_output=True, stdin=subprocess.DEVNULL
        )
        return os.fsdecode(done.stdout).rstrip("\n")

    def write(self, name: str, text: str = "") -> Path:
        """Write a file below the root; without text, one that differs from all before."""
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        self._clock += 1
        path.write_text(text or f"{name} {self._clock}\n", "utf-8", "surrogateescape")
        return path

    def commit(self, *names: str, when: int | None = None) -> str:
        """Write the named files anew, commit everything, return the commit."""
        for name in names:
            self.write(name)
        self.git("add", "--all")
        self.git("commit", "--quiet", "--allow-empty", "-m", "change", when=self.tick(when))
        return self._head() or self.git("rev-parse", "HEAD")

    def save(self, name: str, text: str = "") -> str:
        """Write a file, commit everything, return the commit."""
        self.write(name, text)
        return self.commit()

    def commit_each(self, *names: str) -> None:
        """Commit each file as it is now, on its own: what ``commit`` does, in three processes for all."""
        if not names:
            return
        branch = self.git("symbolic-ref", "HEAD")
        stream = b""
        for number, name in enumerate(names):
            when = self.tick()
            content = (self.root / name).read_bytes()
            lines = [
                f"commit {branch}",
                f"author A <a@example.org> {when - 86400} -0500",
                f"committer C <c@example.org> {when} +0200",
                "data 7\nchange\n",
                *([] if number else [f"from {branch}^0"]),
                f"M 100644 inline {name}",
                f"data {len(content)}\n",
            ]
            stream += "\n".join(lines).encode() + content + b"\n"
        command = ["git", "fast-import", "--quiet", "--date-format=raw"]
        subprocess.run(command, cwd=self.root, env={**os.environ, **_FAST}, input=stream, check=True)
        self.git("reset", "--quiet")

    def _head(self) -> str:
        """Return the commit of the branch, read without a process; empty where it is kept elsewhere."""
        with suppress(OSError):
            folder = self.root / ".git"
            kind, _, name = (folder / "HEAD").read_text("utf-8").partition(" ")
            return (folder / name.strip()).read_text("utf-8").strip() if kind == "ref:" else ""
        return ""

    def merge(self, *branches: str, when: int | None = None, strategy: tuple[str, ...] = ()) -> None:
        """Merge without committing, so that a test can add what no parent has; then ``commit``."""
        self.git(
            "merge",
            "--quiet",
            "--no-ff",
            "--no-commit",
            *strategy,
            *branches,
            when=self.tick(when),
            check=False,
        )

    def hash_tree(self, entries: bytes) -> str:
        """Write a tree byte for byte, without a process; return its name."""
        return self.hash_object("tree", entries)

    def hash_object(self, kind: str, content: bytes) -> str:
        """Write any object byte for byte, without a process; return its name."""
        data = b"%b %d\0" % (kind.encode(), len(content)) + content
        name = hashlib.sha1(data).hexdigest()  # noqa: S324
        file = self.root / ".git" / "objects" / name[:2] / name[2:]
        file.parent.mkdir(exist_ok=True)
        file.write_bytes(zlib.compress(data))
        return name

    def tick(self, when: int | None = None) -> int:
        """Return the date of the next commit."""
        self._clock += 3600
        return self._clock if when is None else when

    def log_date(self, name: str, ref: str = "HEAD") -> int:
        """Return what ``git log -1 --format=%ct`` says of a file: the truth to compare with."""
        return int(self.git("log", "-1", "--format=%ct", ref, "--", name))

    def log_commit(self, name: str, ref: str = "HEAD") -> str:
        """Return the commit that ``git log -1`` names for a file."""
        return self.git("log", "-1", "--format=%H", ref, "--", name)

    def clone(self, target: Path, *args: str) -> Repo:
        """Clone over the file protocol, so that ``--depth`` counts."""
        subprocess.run(
            ["git", "clone", "--quiet", *args, self.root.as_uri(), os.fspath(target)],
            check=True,
            capture_output=True,
        )
        return self.at(target)

    def at(self, root: Path) -> Repo:
        """Return the repository at another root, which has a copy or clone of this one."""
        copy = Repo.__new__(Repo)
        copy.root, copy._clock = root, self._clock
        return copy


def without_git(folder: Path) -> dict[str, str]:
    """Return the environment of a machine without git."""
    folder.mkdir()
    return {"PATH": os.fspath(folder)}


def newest(folder: Path, files: list[str]) -> str:
    """Return the newest date of files in this project's own checkout, as a sitemap has it.

    Skips the test where the checkout has no full history.
    """

    def git(*args: str) -> str:
        with suppress(FileNotFoundError):
            done = subprocess.run(["git", *args], cwd=folder, capture_output=True, check=False, text=True)
            return done.stdout.strip()
        return ""

    times = [git("log", "-1", "--format=%ct", "--", file) for file in files]
    if git("rev-parse", "--is-shallow-repository") != "false" or not all(times):
        pytest.skip("the example site is not in a full git checkout, so its dates are not known")
    return datetime.fromtimestamp(max(map(int, times)), UTC).isoformat()
