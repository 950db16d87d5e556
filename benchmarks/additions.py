"""The commits that added a folder's files: what they cost beside last changes, and whether git agrees."""

from __future__ import annotations

import random
import statistics
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from benchmarks.measure import interleave, median_ratio
from benchmarks.table import row
from benchmarks.target import Target
from benchmarks.tools import WALK, LogEach, Walk

SHOWN = 5
"""Differences that are printed."""


@dataclass(slots=True)
class Result:
    """What one call measured, as it goes to JSON: seconds of each run, and of git for the ``compared``.

    ``unknown`` has the reasons for which files have no answer, and how many there are. ``differences`` are
    the files for which git names another commit, or only one of both names one.
    """

    repository: str
    paths: list[str]
    git: str
    files: int
    commits: int
    runs: int
    changes: list[float] = field(default_factory=list)
    additions: list[float] = field(default_factory=list)
    ratio: float | None = None
    log: float = 0.0
    compared: int = 0
    differences: list[str] = field(default_factory=list)
    unknown: dict[str, int] = field(default_factory=dict)

    def json(self) -> dict[str, Any]:
        """Return it as plain values."""
        return asdict(self)


def measure(target: Target, label: str, runs: int, most: int | None, report: Callable[[str], None]) -> Result:
    """Ask for last changes and additions in turn, and git for ``most`` files, drawn by lot, or for all."""
    files = target.files()
    result = Result(
        label, list(target.paths), target.ask("version").strip(), len(files), target.commits(), runs
    )
    walk = Walk(target, "additions", added=True)
    samples = interleave([Walk(target), walk], runs, report)
    result.changes = [sample.seconds for sample in samples[WALK]]
    result.additions = [sample.seconds for sample in samples[walk.name]]
    result.ratio = median_ratio(result.additions, result.changes)
    some = files
    if most is not None:
        some = random.Random(0).sample(files, min(most, len(files)))  # noqa: S311
    log = LogEach(target, some, options=("--diff-filter=A",)).run()
    result.log, result.compared = log.seconds, len(some)
    compare(result, samples[walk.name][0].answers, log.answers)
    return result


def compare(result: Result, ours: Mapping[str, str], theirs: Mapping[str, str]) -> None:
    """Count what is unknown here, and note each file for which ``git log`` names another commit."""
    for reason in ours.values():
        if reason.startswith("unknown"):
            result.unknown[reason] = result.unknown.get(reason, 0) + 1
    for path, commit in theirs.items():
        if ours[path] != commit and (commit or not ours[path].startswith("unknown")):
            result.differences.append(f"{path}: {ours[path]}, git log {commit or 'nothing'}")


def text(result: Result) -> str:
    """Return what is printed."""
    changes, additions = statistics.median(result.changes), statistics.median(result.additions)
    lines = [
        f"{result.repository} {' '.join(result.paths)}: {result.files} files, {result.commits} commits",
        f"last changes {changes:.3f} s, additions {additions:.3f} s, ratio {result.ratio:.2f}",
        f"git log, {result.compared} files: {result.log:.3f} s, {len(result.differences)} differ",
        *(f"{number} {reason}" for reason, number in result.unknown.items()),
        *result.differences[:SHOWN],
    ]
    return "\n".join(lines)


def table(results: Sequence[Mapping[str, Any]]) -> str:
    """Return a row a result of several."""
    heads = ["repository", "files", "commits", "last changes", "additions", "`git log` a file", "unknown"]
    lines = [row(heads), row(["---", *["--:"] * 6])]
    for result in results:
        where = " ".join([result["repository"], *(f"`{path}`" for path in result["paths"])])
        changes, additions = (statistics.median(result[name]) for name in ("changes", "additions"))
        each = result["log"] / result["compared"] * result["files"]
        cells = [
            *(f"{result[name]:,}" for name in ("files", "commits")),
            *(f"{changes:.3f} s", f"{additions:.3f} s ({result['ratio']:.2f})"),
            *(f"{each:.0f} s", str(sum(result["unknown"].values()))),
        ]
        lines.append(row([where, *cells]))
    return "\n".join(lines)
