"""What ``docs-sitemap versions`` takes of a large deployed tree, beside ``grep -r`` and ``sed -i``."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from benchmarks.check import Size, Way, make_site, summed_up
from benchmarks.measure import Process, apart, processor_seconds, run_process
from benchmarks.table import row

_ROOT_URL: Final = "https://docs.example.org/"
_GREP: Final = "grep -r"
_SED: Final = """find "$0" -name '*.html' -print0 | xargs -0 sed -i 's/<title>/<title>/'"""
_GONE: Final = 10
"""One of so many pages is not in the current version."""


@dataclass(frozen=True, slots=True)
class Result:
    size: Size
    versions: int
    megabytes: float
    rounds: int
    cores: int | None
    ways: list[Way]

    def json(self) -> dict[str, Any]:
        return {**asdict(self), "medians": {way.name: way.median for way in self.ways}}


def measure(size: Size, versions: int, rounds: int, report: Callable[[str], None]) -> Result:
    """Make a tree of versions, mark it and remove the marks, beside grep and sed; one round is not counted.

    ``size`` is that of one version. Raises ``BenchmarkError`` if a command fails.
    """
    with TemporaryDirectory(prefix="docs-sitemap-versions-") as folder:
        root = Path(folder)
        report(f"making {versions} versions of {size.pages:,} pages")
        written = apart(_make, root, size, versions)
        samples: dict[str, list[tuple[Process, float]]] = {}
        for number in range(rounds + 1):
            for name, command in _ways(root).items():
                before = processor_seconds()
                done = run_process(command, cwd=Path.cwd(), env=os.environ)
                report(f"round {number or 'for warming up'}: {name} {done.seconds:.2f} s")
                if number:
                    samples.setdefault(name, []).append((done, processor_seconds() - before))
    return Result(size, versions, written / 1e6, rounds, os.cpu_count(), summed_up(samples))


def _ways(root: Path) -> dict[str, list[str]]:
    """Return the commands in their order: the first run has all pages to mark, the last removes the marks.

    ``sed -i`` writes each page again, as a first run does.
    """
    mark = [sys.executable, "-m", "docs_sitemap", "versions", "--base-url", _ROOT_URL, os.fspath(root)]
    return {
        _GREP: ["grep", "-rc", "canonical", os.fspath(root)],
        "sed -i": ["sh", "-c", _SED, os.fspath(root)],
        "dry run": [*mark, "--dry-run"],
        "first run": mark,
        "second run": mark,
        "undo": [*mark, "--undo"],
    }


def _make(root: Path, size: Size, versions: int) -> int:
    written = 0
    for number in range(1, versions + 1):
        folder = root / f"{number}.0"
        written += make_site(folder, size, f"{_ROOT_URL}{number}.0/")
    current = sorted(folder.rglob("*.html"))
    for file in current[::_GONE]:
        if file.parent != folder:
            file.unlink()
    return written


def text(result: Result) -> str:
    """Return a table in Markdown."""
    columns = ["", "median", "fastest", "slowest", "of grep", "processor", "peak memory"]
    lines = [row(columns), row(["---", *["--:"] * (len(columns) - 1)])]
    grep = next(way.median for way in result.ways if way.name == _GREP)
    for way in result.ways:
        seconds = [f"{value:.2f} s" for value in (way.median, min(way.seconds), max(way.seconds))]
        ratio = f"{way.median / grep:.1f}"
        lines.append(row([way.name, *seconds, ratio, f"{way.processor:.2f} s", f"{way.memory:.0f} MB"]))
    lines.append("")
    lines.append(
        f"{result.versions} versions of {result.size.pages:,} pages, {result.megabytes:,.0f} MB of HTML, in "
        f"the system's file cache; whole processes, {result.rounds} interleaved rounds, "
        f"on {result.cores} cores. Processor: of all processes. Peak memory: that of the largest one."
    )
    return "\n".join(lines)
