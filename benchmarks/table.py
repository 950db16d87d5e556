"""One Markdown table of several results of ``dates``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from benchmarks.measure import geometric_mean
from benchmarks.tools import BASE, NAMES

HEADINGS = {
    "cat-file": "ours, `git cat-file`",
    "command": "`docs-sitemap lastmod`",
    BASE: "`git last-modified`",
    "log": "`git log -1` a file",
    "sphinx-last-updated-by-git": "sphinx-last-updated-by-git",
}


def table(results: Sequence[Mapping[str, Any]]) -> str:
    """Return a row a result: median seconds, and the ratio to ``git last-modified`` beside them.

    The last row has the geometric means of the ratios; a tool that did not run everywhere has none.
    """
    found = [{row["name"]: row for row in result["tools"]} for result in results]
    names = [BASE, *(name for name in NAMES if name != BASE)]
    names = [name for name in names if any(name in rows for rows in found)]
    lines = [
        row(["repository", "files", "commits", *(HEADINGS[name] for name in names)]),
        row(["---", *["--:"] * (2 + len(names))]),
    ]
    for result, rows in zip(results, found, strict=True):
        where = " ".join([result["repository"], *(f"`{path}`" for path in result["paths"])])
        cells = [_cell(rows.get(name)) for name in names]
        lines.append(row([where, f"{result['files']:,}", f"{result['commits']:,}", *cells]))
    means = [geometric_mean(rows.get(name, {}).get("ratio") for rows in found) for name in names]
    cells = ["" if mean is None else f"**{mean:.2f}**" for mean in means]
    lines.append(row(["geometric mean of the ratios", "", "", *cells]))
    return "\n".join(lines)


def _cell(row: Mapping[str, Any] | None) -> str:
    if row is None:
        return ""
    seconds = f"{row['median']:.3f} s"
    return seconds if row["ratio"] is None or row["name"] == BASE else f"{seconds} ({row['ratio']:.2f})"


def row(cells: Sequence[str]) -> str:
    """Return one row of a Markdown table."""
    return f"| {' | '.join(cells)} |"
