"""The tools that date files, one small class each, and the repository that they are run in."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import NamedTemporaryFile

from benchmarks.measure import BenchmarkError, Sample, run_process

OURS = "command"
WALK = "walk"
"""The same without ``git last-modified``: what older git gets."""
BASE = "last-modified"
"""The tool that all ratios are to."""
LOG = "log"


@dataclass(frozen=True)
class Target:
    """The tracked files at or below some paths of a repository, at HEAD.

    ``paths`` are from its root; none of them means all files. ``git`` is the program.
    """

    root: Path
    paths: tuple[str, ...]
    git: Path

    @classmethod
    def find(cls, folder: Path, paths: Sequence[str], git: Path) -> Target:
        """Return the repository in or around a folder, bare or not; raises ``BenchmarkError``."""
        program = git.absolute()
        if program.name != "git":
            raise BenchmarkError(f"{git}: expected a program of the name git, which is found on a PATH")
        cleaned = tuple(path.strip("/") for path in paths)
        here = cls(folder, () if "." in cleaned or "" in cleaned else cleaned, program)
        if here.ask("rev-parse", "--is-shallow-repository").strip() == "true":
            raise BenchmarkError(f"{folder} is a shallow clone: what git itself says of it is not true")
        is_bare = here.ask("rev-parse", "--is-bare-repository").strip() == "true"
        root = here.ask("rev-parse", "--absolute-git-dir" if is_bare else "--show-toplevel")
        return cls(Path(root.rstrip("\n")), here.paths, program)

    @property
    def environment(self) -> dict[str, str]:
        """Return the environment of all tools: the same git, no commit-graph, paths taken literally."""
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

    def ask(self, *arguments: str) -> str:
        """Return what a git command says; raises ``BenchmarkError`` where it fails."""
        done = subprocess.run(
            [self.git, *arguments], cwd=self.root, env=self.environment, capture_output=True, check=False
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


@dataclass(frozen=True)
class Dating:
    """One way to date the files."""

    name: str
    target: Target

    def run(self) -> Sample:
        """Measure whole processes, Python's start included."""
        return _RUN[self.name](self.target)


def _run_ours(target: Target, *options: str) -> Sample:
    """Run ``docs-sitemap lastmod``; -P, because nothing in the repository is to be imported."""
    words = ("docs_sitemap", "lastmod", "--json", *options, *(target.paths or "."))
    command = [sys.executable, "-P", "-m", *words]
    done = run_process(command, cwd=target.root, env=target.environment)
    answers = {row["path"]: row["commit"] or "unknown" for row in json.loads(done.output)}
    return Sample(done.seconds, done.memory, answers=answers)


def _run_walk(target: Target) -> Sample:
    """Run the same with a commit to ignore that is not there: git cannot tell then."""
    with NamedTemporaryFile("w") as file:
        file.write("0" * 40)
        file.flush()
        return _run_ours(target, "--ignore-revs", file.name)


def _run_last_modified(target: Target) -> Sample:
    """Run ``git last-modified``: all files in one walk of git's own (2.52 and newer)."""
    command = [os.fspath(target.git), "last-modified", "-r", "-z", "HEAD", "--", *target.paths]
    done = run_process(command, cwd=target.root, env=target.environment)
    lines = os.fsdecode(done.output).split("\0")[:-1]
    answers = {path: commit for commit, _, path in (line.partition("\t") for line in lines)}
    return Sample(done.seconds, done.memory, answers=answers)


def _run_log_each(target: Target) -> Sample:
    """Run ``git log -1 -- FILE``, one process a file: the truth."""
    seconds, memory, answers = 0.0, 0.0, {}
    for path in target.files():
        command = [os.fspath(target.git), "log", "-1", "--format=%H", "--", path]
        done = run_process(command, cwd=target.root, env=target.environment)
        answers[path] = done.output.decode().strip()
        seconds += done.seconds
        memory = max(memory, done.memory)
    return Sample(seconds, memory, answers=answers)


_RUN = {OURS: _run_ours, WALK: _run_walk, BASE: _run_last_modified, LOG: _run_log_each}


def why_no_last_modified(target: Target) -> str | None:
    """Return why ``git last-modified`` cannot run here, or ``None``."""
    # git says its usage on stdout and ends with 129; without the command, with 1
    done = subprocess.run([target.git, BASE, "-h"], cwd=target.root, capture_output=True, check=False)
    if b"usage:" in done.stdout:
        return None
    return f"{target.ask('version').strip()} has no such command, 2.52 has: --git PROGRAM"
