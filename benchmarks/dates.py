"""All dates of a folder: each tool in turn, whether they name the same commits, and what each costs."""

from __future__ import annotations

import statistics
from collections.abc import Mapping, Sequence
from typing import Any

from benchmarks.measure import Report, Sample, interleave, markdown, median_ratio
from benchmarks.tools import BASE, LOG, OURS, WALK, Dating, Target, why_no_last_modified

SHOWN = 5
"""Differences that are printed for each tool."""
HEADINGS = {
    BASE: "`git last-modified`",
    OURS: "`docs-sitemap lastmod`",
    WALK: "the same with its own walk",
    LOG: "`git log -1` a file",
}


def measure(target: Target, label: str, runs: int, report: Report) -> dict[str, Any]:
    """Run each tool that can run; return what goes to JSON. Raises ``BenchmarkError``.

    ``differences`` counts the files for which a tool names another commit than ``git log -1``.
    """
    files = len(target.files())
    skipped = why_no_last_modified(target)
    tools = [Dating(name, target) for name in (OURS, WALK, *([] if skipped else [BASE]))]
    samples = interleave(tools, runs, report)
    samples[LOG] = [Dating(LOG, target).run()]  # too slow for rounds
    base = [sample.seconds for sample in samples.get(BASE, ())]
    answers = {name: found[0].answers for name, found in samples.items()}
    different = {name: _different(found, answers[LOG]) for name, found in answers.items() if name != LOG}
    return {
        "repository": label,
        "paths": list(target.paths),
        "git": target.ask("version").strip(),
        "files": files,
        "commits": target.commits(),
        "runs": runs,
        "skipped": {BASE: skipped} if skipped else {},
        "tools": [_figures(name, found, base) for name, found in samples.items()],
        "reference": LOG,
        "differences": {name: len(paths) for name, paths in different.items()},
        "examples": [
            f"{path}: {name} {answers[name].get(path)}, {LOG} {answers[LOG].get(path)}"
            for name, paths in different.items()
            for path in paths[:SHOWN]
        ],
    }


def _figures(name: str, samples: Sequence[Sample], base: Sequence[float]) -> dict[str, Any]:
    """Return seconds of each run, the peak in MB of the largest process, and the ratio to the base."""
    seconds = [sample.seconds for sample in samples]
    return {
        "name": name,
        "seconds": seconds,
        "memory": max(sample.memory for sample in samples),
        "median": statistics.median(seconds),
        "ratio": median_ratio(seconds, base),
    }


def _different(found: Mapping[str, str], truth: Mapping[str, str]) -> list[str]:
    return sorted(path for path in truth.keys() | found.keys() if truth.get(path) != found.get(path))


def text(result: Mapping[str, Any]) -> str:
    """Return the table of one repository, and what did not run or is different."""
    lines = [table([result]), "", f"{result['git']}, no commit-graph, {result['runs']} interleaved rounds"]
    lines += [f"{name}: skipped, {reason}" for name, reason in result["skipped"].items()]
    for name, number in result["differences"].items():
        lines.append(f"{name}: {number} files differ from {result['reference']}")
    return "\n".join([*lines, *(f"  {example}" for example in result["examples"])])


def table(results: Sequence[Mapping[str, Any]]) -> str:
    """Return a row a repository: median seconds, and in brackets the ratio to ``git last-modified``.

    The last row has the geometric means of the ratios; a tool that did not run everywhere has none.
    """
    found = [{tool["name"]: tool for tool in result["tools"]} for result in results]
    names = [name for name in HEADINGS if any(name in tools for tools in found)]
    rows = []
    for result, tools in zip(results, found, strict=True):
        where = " ".join([result["repository"], *(f"`{path}`" for path in result["paths"])])
        cells = [_cell(tools.get(name)) for name in names]
        rows.append([where, f"{result['files']:,}", f"{result['commits']:,}", *cells])
    ratios = [[tools.get(name, {}).get("ratio") for tools in found] for name in names]
    means = [f"**{statistics.geometric_mean(each):.2f}**" if all(each) else "" for each in ratios]
    rows.append(["geometric mean of the ratios", "", "", *means])
    return "\n".join(markdown(["repository", "files", "commits", *(HEADINGS[name] for name in names)], rows))


def _cell(tool: Mapping[str, Any] | None) -> str:
    if tool is None:
        return ""
    seconds = f"{tool['median']:.3f} s"
    return seconds if tool["ratio"] is None or tool["name"] == BASE else f"{seconds} ({tool['ratio']:.2f})"
