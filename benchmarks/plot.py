"""Plots, by matplotlib where it is installed; the file's suffix (.png, .svg) says which format."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from benchmarks.measure import BenchmarkError
from benchmarks.table import HEADINGS


def require() -> None:
    """Raise ``BenchmarkError`` where matplotlib is missing.

    It is imported only after all is measured: each process that we start would seem to need as
    much memory as this one.
    """
    if find_spec("matplotlib") is None:
        raise BenchmarkError("--plot needs matplotlib: pip install matplotlib")


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
    drawing.savefig(file)


def plot_growth(result: Mapping[str, Any], file: Path) -> None:
    """Draw two panels: cost against files, and against commits."""
    drawing = _figure()
    left, right = drawing.subplots(1, 2, sharey=True)
    _curves(left, result["files"], f"files ({result['repository']})")
    _curves(right, result["commits"], f"commits ({result['synthetic_files']} files, made for this)")
    left.set_ylabel("seconds")
    left.legend(fontsize="small")
    drawing.savefig(file)


def _curves(axes: Any, points: Sequence[Mapping[str, Any]], label: str) -> None:
    curves: dict[str, list[tuple[int, float]]] = defaultdict(list)
    for point in points:
        curves[point["tool"]].append((point["count"], point["median"]))
    for name, curve in curves.items():
        axes.plot(*zip(*curve, strict=True), marker="o", label=_label(name))
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.set_xlabel(label)
    axes.grid(visible=True, alpha=0.3)


def _label(name: str) -> str:
    return HEADINGS[name].replace("`", "")
