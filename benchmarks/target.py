"""What is measured: the tracked files at or below some paths of one repository, at HEAD."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from benchmarks.measure import BenchmarkError
from docs_sitemap.git import find_repository


@dataclass(frozen=True)
class Target:
    """``paths`` are from the repository's root; none of them means all files. ``git`` is the program."""

    root: Path
    paths: tuple[str, ...]
    git: Path

    @classmethod
    def find(cls, folder: Path, paths: Iterable[str], git: str) -> Target:
        """Return the repository in or around a folder, bare or not; raises ``BenchmarkError``."""
        repository = find_repository(folder)
        if repository is None:
            raise BenchmarkError(f"{folder} is in no git repository")
        if repository.shallow:
            raise BenchmarkError(f"{folder} is a shallow clone: what git itself says of it is not true")
        program = Path(git).absolute()
        if program.name != "git":
            raise BenchmarkError(f"{git}: expected a program of the name git, which is found on a PATH")
        cleaned = tuple(path.strip("/") for path in paths)
        return cls(repository.root, () if "." in cleaned or "" in cleaned else cleaned, program)

    @property
    def bare(self) -> bool:
        """Tell whether there is no work tree."""
        return not (self.root / ".git").exists()

    @property
    def environment(self) -> dict[str, str]:
        """Return the environment of all tools: the same git, no commit-graph, paths taken literally.

        The commit-graph is off by the variables that our own git processes get too.
        """
        number = int(os.environ.get("GIT_CONFIG_COUNT") or 0)
        return os.environ | {
            "PATH": os.pathsep.join([os.fspath(self.git.parent), os.environ.get("PATH", os.defpath)]),
            "GIT_CONFIG_COUNT": str(number + 1),
            f"GIT_CONFIG_KEY_{number}": "core.commitGraph",
            f"GIT_CONFIG_VALUE_{number}": "false",
            "GIT_LITERAL_PATHSPECS": "1",
            "GIT_NO_LAZY_FETCH": "1",
            "GIT_OPTIONAL_LOCKS": "0",
        }

    def ask(self, *arguments: str, text: str = "") -> str:
        """Return what a git command says; raises ``BenchmarkError`` where it fails."""
        done = subprocess.run(
            [self.git, *arguments],
            cwd=self.root,
            env=self.environment,
            input=os.fsencode(text),
            capture_output=True,
            check=False,
        )
        if done.returncode:
            raise BenchmarkError(f"git {' '.join(arguments[:4])}: {os.fsdecode(done.stderr).strip()}")
        return os.fsdecode(done.stdout)

    def files(self) -> list[str]:
        """Return the tracked files, from the root; raises ``BenchmarkError`` where there are none."""
        found = self.ask("ls-tree", "-r", "-z", "--name-only", "HEAD", "--", *self.paths).split("\0")[:-1]
        if not found:
            raise BenchmarkError(f"HEAD has no file at {', '.join(self.paths)}")
        return found

    def commits(self) -> int:
        """Return the number of commits in HEAD's history."""
        return int(self.ask("rev-list", "--count", "HEAD"))

    def author_dates(self, commits: Iterable[str]) -> dict[str, int]:
        """Return the author dates of commits in POSIX seconds."""
        asked = "".join(f"{commit}\n" for commit in sorted(set(commits)))
        lines = self.ask("log", "--no-walk=unsorted", "--stdin", "--format=%H %at", text=asked).splitlines()
        return {commit: int(date) for commit, _, date in (line.partition(" ") for line in lines)}
