"""Builds a site without us and with us; finds the pages that are not the same."""

from __future__ import annotations

import filecmp
import json
import os
import subprocess
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from benchmarks.measure import ROOT, BenchmarkError, Report
from benchmarks.sites import inventory_of
from benchmarks.sphinx_inventory import VARIABLE

_STEADY: Final = {"PYTHONHASHSEED": "0", "SOURCE_DATE_EPOCH": str(int(time.time()))}
"""So that two builds of one source are the same, where that is for the environment to say."""


@dataclass(frozen=True)
class Build:
    """A site to build: its source folder, and how."""

    source: Path
    builder: str
    base_url: str
    python: str
    definitions: Sequence[str] = ()
    mkdocs: str | None = None
    """The configuration file of a site by MkDocs, from ``source``."""
    without: Sequence[str] = ()

    def run(self, out: Path, *, ours: bool) -> None:
        """Build into a folder, and write its inventory beside it."""
        job = {
            "inventory": os.fspath(inventory_of(out)),
            "ours": ours,
            "base_url": self.base_url,
            "without": list(self.without),
        }
        places = [os.fspath(ROOT), os.fspath(ROOT / "src"), os.environ.get("PYTHONPATH", "")]
        own = {VARIABLE: json.dumps(job), "PYTHONPATH": os.pathsep.join(filter(None, places))}
        done = subprocess.run(
            [self.python, "-m", *(self._mkdocs(out) if self.mkdocs else self._sphinx(out))],
            cwd=self.source if self.mkdocs else self.source.parent,
            env={**_STEADY, **os.environ, **own},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            check=False,
        )
        if done.returncode:
            raise BenchmarkError(f"the build failed:\n{os.fsdecode(done.stderr)[-3000:]}")

    def _sphinx(self, out: Path) -> list[str]:
        arguments = ["-q", "-b", self.builder, "-d", f"{out}.doctrees"]
        for definition in self.definitions:
            arguments += ["-D", definition]
        return ["benchmarks.sphinx_inventory", *arguments, self.source.name, os.fspath(out)]

    def _mkdocs(self, out: Path) -> list[str]:
        return ["benchmarks.mkdocs_inventory", "build", "-q", "-f", str(self.mkdocs), "-d", os.fspath(out)]


def build_twice(build: Build, out: Path, report: Report) -> list[str]:
    """Build without us and with us; return the HTML files that are not the same.

    Those that also differ between two builds without us are not among them. The folder must be new or
    empty, so that nothing in it is left from an older build.
    """
    if out.exists() and any(out.iterdir()):
        raise BenchmarkError(f"{out} is not empty")
    out.parent.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory(dir=out.parent) as name:
        without, again = Path(name, "without"), Path(name, "again")
        report("building without us and with us")
        build.run(without, ours=False)
        build.run(out, ours=True)
        changed = _changed(without, out)
        if not changed:
            return []
        report(f"{len(changed)} files differ: are they the same in two builds without us?")
        build.run(again, ours=False)
        return sorted(changed - _changed(without, again))


def _changed(one: Path, other: Path) -> set[str]:
    """Return the HTML files that are not the same in both folders."""
    names = {path.relative_to(root).as_posix() for root in (one, other) for path in root.rglob("*.html")}
    _, different, missing = filecmp.cmpfiles(one, other, names, shallow=False)
    return {*different, *missing}
