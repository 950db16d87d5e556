"""The tools that are compared: one small class each."""

from __future__ import annotations

import importlib.util
import json
import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.measure import BenchmarkError, Sample, Tool, run_process
from benchmarks.peer import MODULE
from benchmarks.target import Target

HERE = Path(__file__).resolve().parents[1]
WALK = "cat-file"
BASE = "last-modified"
"""The tool that all ratios are to."""


@dataclass(frozen=True)
class Walk:
    """Our walk, without Python's own start and imports."""

    target: Target
    name: str = WALK
    exact: bool = True
    added: bool = False

    def run(self) -> Sample:
        """Measure inside a fresh Python process."""
        found = self._child("added" if self.added else "0")
        memory = max(found["memory"], found["children_memory"])
        return Sample(found["seconds"], memory, found["answers"], found["memory"])

    def visited(self) -> int:
        """Return how many commits the walk reads: in a run of its own, because counting costs time."""
        return int(self._child("1")["visited"])

    def _child(self, count: str) -> Any:
        arguments = ["-m", "benchmarks.child", os.fspath(self.target.root), count]
        done = run_process(
            [sys.executable, *arguments, *self.target.paths], cwd=HERE, env=self.target.environment
        )
        return json.loads(done.output)


@dataclass(frozen=True)
class Command:
    """``docs-sitemap lastmod`` as a user runs it, Python's start included."""

    target: Target
    name: str = "command"
    exact: bool = True

    def run(self) -> Sample:
        """Measure the whole process; -P, because nothing in the repository is to be imported."""
        arguments = [sys.executable, "-P", "-m", "docs_sitemap", "lastmod", "--json"]
        paths = self.target.paths or (".",)
        done = run_process([*arguments, *paths], cwd=self.target.root, env=self.target.environment)
        answers = {row["path"]: row["commit"] or "unknown" for row in json.loads(done.output)}
        return Sample(done.seconds, done.memory, answers)


@dataclass(frozen=True)
class LastModified:
    """``git last-modified``: all files in one walk of git's own (2.52 and newer)."""

    target: Target
    name: str = BASE
    exact: bool = True

    def run(self) -> Sample:
        """Measure the whole process."""
        arguments = [os.fspath(self.target.git), "last-modified", "-r", "-z", "HEAD", "--"]
        done = run_process(
            [*arguments, *self.target.paths], cwd=self.target.root, env=self.target.environment
        )
        lines = os.fsdecode(done.output).split("\0")[:-1]
        answers = {path: commit for commit, _, path in (line.partition("\t") for line in lines)}
        return Sample(done.seconds, done.memory, answers)


@dataclass(frozen=True)
class LogEach:
    """``git log -1 -- FILE``, once for each file: the truth, one process a file."""

    target: Target
    files: Sequence[str]
    name: str = "log"
    exact: bool = True
    options: Sequence[str] = ()

    def run(self) -> Sample:
        """Measure all processes together."""
        git, env, answers = os.fspath(self.target.git), self.target.environment, {}
        seconds = memory = 0.0
        for path in self.files:
            command = [git, "log", "-1", "--format=%H", *self.options, "--", path]
            done = run_process(command, cwd=self.target.root, env=env)
            answers[path] = done.output.decode().strip()
            seconds += done.seconds
            memory = max(memory, done.memory)
        return Sample(seconds, memory, answers)


@dataclass(frozen=True)
class Peer:
    """sphinx-last-updated-by-git: an extension with the same purpose; its answers are author dates."""

    target: Target
    files: Sequence[str]
    name: str = "sphinx-last-updated-by-git"
    exact: bool = False

    def run(self) -> Sample:
        """Measure its function inside a fresh Python process."""
        done = subprocess.run(
            [sys.executable, "-m", "benchmarks.peer", self.target.root],
            cwd=HERE,
            env=self.target.environment,
            input=os.fsencode("\0".join(self.files)),
            stdout=subprocess.PIPE,
            check=False,
        )
        if done.returncode:
            raise BenchmarkError(f"{self.name} ended with exit code {done.returncode}")
        found = json.loads(done.stdout)
        return Sample(found["seconds"], found["memory"], found["answers"])


NAMES = (WALK, "command", BASE, "log", "sphinx-last-updated-by-git")


def missing(target: Target, name: str) -> str | None:
    """Return why a tool cannot run here, or ``None``."""
    if name == BASE:
        # git says its usage on stdout and ends with 129; without the command, with 1
        done = subprocess.run([target.git, BASE, "-h"], cwd=target.root, capture_output=True, check=False)
        if b"usage:" not in done.stdout:
            return f"{target.ask('version').strip()} has no such command, 2.52 has: --git PROGRAM"
    if name == "sphinx-last-updated-by-git":
        if importlib.util.find_spec(MODULE) is None:
            return f"not installed: pip install {name}"
        if target.bare:
            return "it needs a work tree, and this repository is bare"
    return None


def interleaved(target: Target, names: Sequence[str]) -> Iterator[Tool]:
    """Yield the named tools that run in rounds."""
    for name in names:
        if name == WALK:
            yield Walk(target)
        elif name == "command":
            yield Command(target)
        elif name == BASE:
            yield LastModified(target)


def once(target: Target, names: Sequence[str], files: Sequence[str]) -> Iterator[Tool]:
    """Yield the named tools that are too slow for rounds."""
    if "log" in names:
        yield LogEach(target, files)
    if "sphinx-last-updated-by-git" in names:
        yield Peer(target, files)
