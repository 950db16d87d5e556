"""How time and memory grow: with the pages of a site, and with the files and commits of a repository."""

from __future__ import annotations

import math
import statistics
from collections.abc import Iterable, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from benchmarks import synthetic
from benchmarks.check import BUILD, CHECK, OnSite, make_site
from benchmarks.measure import ROOT, Report, Tool, interleave, markdown, run_apart
from benchmarks.tools import BASE, OURS, WALK, Dating, Target, why_no_last_modified

SIZES = {
    "pages": (1_000, 10_000, 100_000),
    "files": (1_000, 10_000, 100_000),
    "commits": (1_000, 10_000, 100_000),
}
_KILOBYTES = 12
"""Of a page: most of it are the links of its navigation."""
TOOLS = {
    "build": "`docs-sitemap build`",
    "check": "`docs-sitemap check`",
    OURS: "`docs-sitemap lastmod`",
    WALK: "the same with its own walk",
    BASE: "`git last-modified`",
}


def measure(
    git: Path, runs: int, report: Report, sizes: Mapping[str, Iterable[int]] = SIZES
) -> dict[str, Any]:
    """Measure each axis at its sizes, on what is made in a temporary folder; return what goes to JSON.

    A point's ``memory`` is the peak in MB of its largest process. It is unknown for tools whose answers
    this process keeps: its own peak counts in those that it starts later.
    """
    points = []
    for axis, counts in sizes.items():
        for count in counts:
            report(f"{count:,} {axis}")
            with TemporaryDirectory() as folder:
                tools = _make(axis, Path(folder, "made"), count, git)
                found = interleave(tools, runs, report)
            points += [
                {
                    "axis": axis,
                    "tool": name,
                    "count": count,
                    "seconds": [round(sample.seconds, 3) for sample in samples],
                    "memory": round(max(each.memory for each in samples), 1) if axis == "pages" else None,
                }
                for name, samples in found.items()
            ]
    version = Target(ROOT, (), git).ask("version").strip()
    return {"git": version, "runs": runs, "points": points}


def _make(axis: str, folder: Path, count: int, git: Path) -> list[Tool]:
    """Make a site or a repository in a new folder; return what is measured on it."""
    if axis == "pages":
        run_apart(make_site, folder, count, _KILOBYTES)
        return [OnSite("build", folder, BUILD), OnSite("check", folder, CHECK)]
    if axis == "files":
        synthetic.make_site(folder, count, git)
    else:
        synthetic.make(folder, count, git)
    target = Target.find(folder, ["docs"], git)
    return [Dating(name, target) for name in (OURS, WALK, *([] if why_no_last_modified(target) else [BASE]))]


def text(result: Mapping[str, Any]) -> str:
    """Return a table in Markdown: a row a tool and size.

    The exponent is the power of the count with which the time grows: 1 is linear.
    """
    rows = []
    before: dict[str, Any] = {}
    order = list(TOOLS)
    for point in sorted(result["points"], key=lambda point: (point["axis"], order.index(point["tool"]))):
        exponent = ""
        if (before.get("axis"), before.get("tool")) == (point["axis"], point["tool"]):
            times = statistics.median(point["seconds"]) / statistics.median(before["seconds"])
            exponent = f"{math.log(times, point['count'] / before['count']):.2f}"
        memory = "" if point["memory"] is None else f"{point['memory']:.0f} MB"
        median = f"{statistics.median(point['seconds']):.2f} s"
        rows.append([TOOLS[point["tool"]], f"{point['count']:,} {point['axis']}", median, exponent, memory])
        before = point
    return "\n".join(markdown(["", "of", "median", "exponent", "peak memory"], rows))
