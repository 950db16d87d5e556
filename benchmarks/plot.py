"""Plots, by matplotlib where it is installed; the file's suffix (.png, .svg) says which format."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from benchmarks.builds import OURS
from benchmarks.growth import TOOLS
from benchmarks.growth import Result as Growth
from benchmarks.measure import BenchmarkError
from benchmarks.table import HEADINGS
from benchmarks.tools import BASE


def require() -> None:
    """Raise ``BenchmarkError`` where matplotlib is missing.

    It is imported only after all is measured: each process that we start would seem to need as
    much memory as this one.
    """
    if find_spec("matplotlib") is None:
        raise BenchmarkError("plots need matplotlib: pip install matplotlib")


def _figure() -> Any:
    return import_module("matplotlib.figure").Figure(figsize=(10, 4), layout="constrained")


def plot_dates(result: Mapping[str, Any], file: Path) -> None:
    """Draw a bar a tool: the median, and from the fastest to the slowest run."""
    drawing = _figure()
    axes = drawing.subplots()
    rows = result["tools"][::-1]
    medians = [row["median"] for row in rows]
    below = [row["median"] - min(row["seconds"]) for row in rows]
    above = [max(row["seconds"]) - row["median"] for row in rows]
    axes.barh([_label(row["name"]) for row in rows], medians, xerr=(below, above), color="#4c78a8")
    axes.set_xscale("log")
    axes.set_xlabel("seconds")
    paths = " ".join(result["paths"])
    axes.set_title(
        f"{result['repository']} {paths}: {result['files']:,} files, {result['commits']:,} commits"
    )
    _save(drawing, file)


def plot_growth(result: Growth, file: Path) -> None:
    """Draw a panel an axis: the time of each tool against the number of pages, files or commits."""
    drawing = _figure()
    axes = list(dict.fromkeys(point.axis for point in result.points))
    for panel, axis in zip(drawing.subplots(1, len(axes), sharey=True), axes, strict=True):
        curves: dict[str, list[tuple[int, float]]] = defaultdict(list)
        for point in result.points:
            if point.axis == axis:
                curves[point.tool].append((point.count, point.median))
        for name, curve in curves.items():
            panel.plot(*zip(*curve, strict=True), marker="o", label=TOOLS[name].replace("`", ""))
        panel.set_xscale("log")
        panel.set_yscale("log")
        panel.set_xlabel(axis)
        panel.grid(visible=True, alpha=0.3)
        panel.legend(fontsize="small")
    _save(drawing, file)


def plot_table(results: Sequence[Mapping[str, Any]], file: Path) -> None:
    """Draw a group of bars a result of ``dates``: each tool's median to that of ``git last-modified``."""
    drawing = _figure()
    axes = drawing.subplots()
    names = [name for name in HEADINGS if all(_ratio(result, name) for result in results)]
    height = 0.8 / len(names)
    for place, name in enumerate(names):
        at = [row + height * place for row in range(len(results))]
        axes.barh(at, [_ratio(result, name) for result in results], height, label=_label(name))
    axes.set_yticks(
        [row + 0.4 - height / 2 for row in range(len(results))],
        [f"{result['repository']}\n{result['files']:,} files" for result in results],
    )
    axes.invert_yaxis()
    axes.set_xscale("log")
    axes.set_xlim(left=0.5)
    axes.xaxis.set_major_formatter("{x:g}")
    axes.set_xlabel(f"time, as a multiple of {_label(BASE)}")
    axes.legend(fontsize="small")
    _save(drawing, file)


def _ratio(result: Mapping[str, Any], name: str) -> float | None:
    return next((row["ratio"] for row in result["tools"] if row["name"] == name), None)


def plot_builds(results: Sequence[Mapping[str, Any]], file: Path) -> None:
    """Draw a bar a plugin that ``builds`` has measured: its own share of the build in percent."""
    drawing = _figure()
    axes = drawing.subplots()
    rows = [(row, result["host"]) for result in results for row in result["rows"] if row["share"]]
    colours = ["#4c78a8" if row["name"] == OURS else "#bbbbbb" for row, _ in rows]
    names = [f"{row['name']} ({host})" for row, host in rows]
    drawn = axes.barh(names, [row["share"] for row, _ in rows], color=colours)
    axes.bar_label(drawn, fmt="%.1f %%", padding=3)
    axes.margins(x=0.1)
    axes.invert_yaxis()
    axes.set_xlabel("own share of the build in percent")
    _save(drawing, file)


def _save(drawing: Any, file: Path) -> None:
    """Write a picture; the same figures give the same bytes."""
    with import_module("matplotlib").rc_context({"svg.hashsalt": "docs-sitemap"}):
        drawing.savefig(file, metadata={"Date": None} if file.suffix == ".svg" else None)


def _label(name: str) -> str:
    return HEADINGS[name].replace("`", "")
