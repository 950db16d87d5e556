"""How the cost grows: with the number of files, and with the number of commits."""

from __future__ import annotations

import random
import statistics
import tempfile
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from benchmarks import synthetic
from benchmarks.measure import interleave
from benchmarks.target import Target
from benchmarks.tools import BASE, WALK, interleaved, missing, once

TOOLS = (WALK, BASE, "log")
_SEED = 11
_STEPS = (1, 10, 100)
_COMMITS = (1_000, 5_000, 20_000)
_LOG_FILES = 200
"""Files up to which one process a file is measured; beyond, it goes on in proportion."""

Report = Callable[[str], None]


def measure(target: Target, label: str, runs: int, report: Report) -> dict[str, Any]:
    """Return both curves: a list of points with ``tool``, ``count`` and ``median`` (seconds) each."""
    return {
        "repository": label,
        "git": target.ask("version").strip(),
        "runs": runs,
        "synthetic_files": synthetic.FILES,
        "skipped": {name: reason for name in TOOLS if (reason := missing(target, name))},
        "files": against_files(target, runs, report),
        "commits": against_commits(target.git, _COMMITS, runs, report),
    }


def against_files(target: Target, runs: int, report: Report) -> list[dict[str, Any]]:
    """Measure 1, 10, 100 and all of the files, in one random order that is always the same.

    All of them are asked for by the PATHs that were given, as a user would.
    """
    files = sorted(target.files())
    total = len(files)
    random.Random(_SEED).shuffle(files)  # noqa: S311 - the same order each time
    points = []
    for count in (*(step for step in _STEPS if step < total), total):
        part = target if count == total else replace(target, paths=tuple(files[:count]))
        report(f"{count} files")
        points += _point(part, files[:count], count, runs, report)
    return points


def against_commits(git: Path, sizes: Iterable[int], runs: int, report: Report) -> list[dict[str, Any]]:
    """Measure histories of so many commits, made in a temporary folder."""
    points = []
    with tempfile.TemporaryDirectory() as folder:
        for commits in sizes:
            report(f"{commits} commits")
            repository = Path(folder, f"{commits}.git")
            synthetic.make(repository, commits, git)
            target = Target.find(repository, ["docs"], str(git))
            points += _point(target, target.files(), commits, runs, report)
    return points


def _point(
    target: Target, files: Sequence[str], count: int, runs: int, report: Report
) -> list[dict[str, Any]]:
    names = [name for name in TOOLS if not missing(target, name)]
    if len(files) > _LOG_FILES:
        names.remove("log")
    samples = interleave(list(interleaved(target, names)), runs, report)
    samples |= {tool.name: [tool.run()] for tool in once(target, names, files)}
    return [
        {"tool": name, "count": count, "median": statistics.median(sample.seconds for sample in found)}
        for name, found in samples.items()
    ]


def text(result: dict[str, Any]) -> str:
    """Return both curves as tables of median seconds."""
    lines = []
    for axis in ("files", "commits"):
        points = {(point["tool"], point["count"]): point["median"] for point in result[axis]}
        counts = sorted({count for _, count in points})
        lines.append(f"{axis:16}" + "".join(f"{count:>12}" for count in counts))
        for name in dict.fromkeys(tool for tool, _ in points):
            cells = (points.get((name, count)) for count in counts)
            lines.append(f"{name:16}" + "".join(f"{'-' if s is None else f'{s:.3f}':>12}" for s in cells))
        lines.append("")
    lines += [f"{name}: skipped, {reason}" for name, reason in result["skipped"].items()]
    lines.append(f"median seconds of {result['runs']} interleaved runs; log (one process a file): one run")
    return "\n".join(lines)
