"""All dates of a folder: every tool in turn, whether they agree, and what each costs."""

from __future__ import annotations

import statistics
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field

from benchmarks.measure import Sample, interleave, median_ratio
from benchmarks.target import Target
from benchmarks.tools import BASE, Walk, interleaved, missing, once

SHOWN = 5
"""Differences that are printed for each tool."""


@dataclass(frozen=True, slots=True)
class Figures:
    """One tool: seconds of each run, the peak in MB of its largest process, its ratio to the base.

    ``own_memory`` is the peak of our Python process alone, where it is known.
    """

    name: str
    seconds: list[float]
    memory: float
    own_memory: float | None
    median: float
    ratio: float | None


@dataclass(slots=True)
class Result:
    """What one call measured, as it goes to JSON.

    ``differences`` has, for each exact tool but the ``reference``, the number of files for which it
    names another commit, and ``examples`` some of them. ``inexact`` has the other tools' errors.
    """

    repository: str
    paths: list[str]
    git: str
    files: int
    commits: int
    runs: int
    skipped: dict[str, str] = field(default_factory=dict)
    tools: list[Figures] = field(default_factory=list)
    visited: dict[str, int] = field(default_factory=dict)
    reference: str | None = None
    differences: dict[str, int] = field(default_factory=dict)
    examples: list[str] = field(default_factory=list)
    inexact: dict[str, dict[str, float | None]] = field(default_factory=dict)

    @property
    def agree(self) -> bool:
        """Tell whether all exact tools name the same commits."""
        return not any(self.differences.values())

    def json(self) -> dict[str, object]:
        """Return it as plain values."""
        return asdict(self) | {"agree": self.agree}


def measure(
    target: Target, label: str, names: Sequence[str], runs: int, report: Callable[[str], None]
) -> Result:
    """Run the named tools, those that can; raises ``BenchmarkError``."""
    files = target.files()
    version = target.ask("version").strip()
    result = Result(label, list(target.paths), version, len(files), target.commits(), runs)
    found = {name: missing(target, name) for name in names}
    result.skipped = {name: reason for name, reason in found.items() if reason}
    able = [name for name in names if name not in result.skipped]
    tools = list(interleaved(target, able))
    samples = interleave(tools, runs, report)
    for tool in tools:
        if isinstance(tool, Walk):
            result.visited[tool.name] = tool.visited()
    singles = list(once(target, able, files))
    for tool in singles:
        samples[tool.name] = [tool.run()]
        report(f"once: {tool.name} {samples[tool.name][0].seconds:.3f} s")
    result.tools = figures(samples)
    answers = {tool.name: samples[tool.name][0].answers for tool in (*tools, *singles) if tool.exact}
    compare(result, answers)
    for tool in singles:
        if not tool.exact and result.reference is not None:
            reference = answers[result.reference]
            dates = target.author_dates(reference.values())
            truth = {path: dates[commit] for path, commit in reference.items() if commit in dates}
            result.inexact[tool.name] = errors(samples[tool.name][0].answers, truth)
    return result


def figures(samples: Mapping[str, Sequence[Sample]]) -> list[Figures]:
    """Return the figures of each tool."""
    base = [sample.seconds for sample in samples.get(BASE, ())]
    rows = []
    for name, runs in samples.items():
        seconds = [sample.seconds for sample in runs]
        memory = max(sample.memory for sample in runs)
        own = max((sample.own_memory for sample in runs if sample.own_memory), default=None)
        rows.append(
            Figures(name, seconds, memory, own, statistics.median(seconds), median_ratio(seconds, base))
        )
    return rows


def compare(result: Result, answers: Mapping[str, Mapping[str, str]]) -> None:
    """Compare exact tools with the one that is nearest to the truth: git's own log, where it ran."""
    result.reference = next((name for name in ("log", BASE, *answers) if name in answers), None)
    if result.reference is None:
        return
    truth = answers[result.reference]
    for name, found in answers.items():
        if name == result.reference:
            continue
        different = sorted(path for path in truth.keys() | found if truth.get(path) != found.get(path))
        result.differences[name] = len(different)
        result.examples += [
            f"{path}: {name} {found.get(path, 'nothing')}, {result.reference} {truth.get(path, 'nothing')}"
            for path in different[:SHOWN]
        ]


def errors(dates: Mapping[str, str], truth: Mapping[str, int]) -> dict[str, float | None]:
    """Return how far dates are from the truth: number of files, and the median error in days."""
    wrong = [abs(int(dates[path]) - time) for path, time in truth.items() if path in dates]
    wrong = [seconds for seconds in wrong if seconds]
    return {
        "other_date": len(wrong),
        "no_date": len(truth.keys() - dates),
        "median_error_days": statistics.median(wrong) / 86400 if wrong else None,
    }


def text(result: Result) -> str:
    """Return the table and what stands below it."""
    lines = [
        f"{result.repository} {' '.join(result.paths)}: {result.files} files, {result.commits} commits; "
        f"{result.git}, no commit-graph",
        "",
        f"{'':28}{'median s':>10}{'min':>10}{'max':>10}{'ratio':>8}{'peak MB':>9}",
    ]
    for row in result.tools:
        ratio = "-" if row.ratio is None else f"{row.ratio:.2f}"
        lines.append(
            f"{row.name:28}{row.median:>10.3f}{min(row.seconds):>10.3f}{max(row.seconds):>10.3f}"
            f"{ratio:>8}{row.memory:>9.0f}"
        )
    lines += ["", *_below(result)]
    return "\n".join(lines)


def _below(result: Result) -> list[str]:
    lines = [
        f"ratio: to git {BASE}, the median of the ratios within each of {result.runs} interleaved rounds",
        "cat-file: our walk without Python's start and imports; command: the whole process",
    ]
    if any(row.name in ("log", "sphinx-last-updated-by-git") for row in result.tools):
        lines.append("log (one process a file), sphinx-last-updated-by-git: run once, not interleaved")
    lines.append("peak: of the largest process, with what it has read of mapped packs")
    for row in result.tools:
        if row.own_memory is not None:
            visited = result.visited[row.name]
            lines.append(
                f"{row.name}: {visited} commits visited; {row.own_memory:.0f} MB in Python's process"
            )
    lines += [f"{name}: skipped, {reason}" for name, reason in result.skipped.items()]
    for name, number in result.differences.items():
        lines.append(f"{name}: {number} files differ from {result.reference}")
    lines += [f"  {example}" for example in result.examples]
    for name, error in result.inexact.items():
        days = error["median_error_days"]
        lines.append(
            f"{name}: {error['other_date']} files with another date, {error['no_date']} with none"
            + ("" if days is None else f"; median error {days:.1f} days")
        )
    return lines
