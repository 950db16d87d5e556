"""How time and memory grow: with the pages of a site, and with the files and commits of a repository."""

from __future__ import annotations

import math
import os
import statistics
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from benchmarks import synthetic
from benchmarks.check import BASE as SITE_URL
from benchmarks.check import Size, make_site
from benchmarks.measure import Sample, Tool, apart, interleave, run_process
from benchmarks.table import row
from benchmarks.target import Target
from benchmarks.tools import BASE, HERE, Command, LastModified, missing

SIZES = {
    "pages": (1_000, 10_000, 100_000),
    "files": (1_000, 10_000, 100_000, 200_000),
    "commits": (1_000, 10_000, 100_000),
}
_KILOBYTES = 12
"""Of a page: most of it are the links of its navigation."""

Report = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Point:
    """What one tool took at one size: seconds of each run, and the peak of its largest process in MB.

    ``memory`` is unknown for tools whose answers this process keeps: its own peak counts in those that it
    starts later.
    """

    axis: str
    tool: str
    count: int
    seconds: list[float]
    memory: float | None

    @property
    def median(self) -> float:
        return statistics.median(self.seconds)


@dataclass(slots=True)
class Result:
    """What one call measured, as it goes to JSON."""

    git: str
    runs: int
    points: list[Point] = field(default_factory=list)

    def json(self) -> dict[str, Any]:
        """Return it as plain values."""
        return asdict(self)


@dataclass(frozen=True)
class OnSite:
    """A command of ours, run on a built site."""

    name: str
    site: Path
    options: Sequence[str] = ()
    exact: bool = True

    def run(self) -> Sample:
        """Measure the whole process."""
        command = [sys.executable, "-m", "docs_sitemap", self.name, *self.options, os.fspath(self.site)]
        done = run_process(command, cwd=HERE, env=os.environ)
        return Sample(done.seconds, done.memory, {})


def measure(git: Path, runs: int, report: Report, sizes: Mapping[str, Iterable[int]] = SIZES) -> Result:
    """Measure each axis at its sizes, on what is made in a temporary folder, the tools of one in turn."""
    result = Result("", runs)
    for axis, counts in sizes.items():
        for count in counts:
            report(f"{count:,} {axis}")
            with _MADE[axis](count, git) as tools:
                for name, samples in interleave(tools, runs, report).items():
                    seconds = [round(sample.seconds, 3) for sample in samples]
                    memory = None if samples[0].answers else round(max(each.memory for each in samples), 1)
                    result.points.append(Point(axis, name, count, seconds, memory))
    result.git = Target.find(HERE, [], os.fspath(git)).ask("version").strip()
    return result


@contextmanager
def _pages(count: int, _git: Path) -> Iterator[list[Tool]]:
    with tempfile.TemporaryDirectory() as folder:
        apart(make_site, Path(folder), Size(count, _KILOBYTES), SITE_URL)
        yield [OnSite("build", Path(folder), ["--base-url", SITE_URL]), OnSite("check", Path(folder))]


@contextmanager
def _files(count: int, git: Path) -> Iterator[list[Tool]]:
    with tempfile.TemporaryDirectory() as folder:
        synthetic.make_site(Path(folder, "site"), count, git)
        yield _dating(Path(folder, "site"), "guide", git)


@contextmanager
def _commits(count: int, git: Path) -> Iterator[list[Tool]]:
    with tempfile.TemporaryDirectory() as folder:
        synthetic.make(Path(folder, "made.git"), count, git)
        yield _dating(Path(folder, "made.git"), "docs", git)


_MADE = {"pages": _pages, "files": _files, "commits": _commits}


def _dating(repository: Path, folder: str, git: Path) -> list[Tool]:
    target = Target.find(repository, [folder], os.fspath(git))
    return [Command(target), *([] if missing(target, BASE) else [LastModified(target)])]


TOOLS = {
    "build": "`docs-sitemap build`",
    "check": "`docs-sitemap check`",
    "command": "`docs-sitemap lastmod`",
    BASE: "`git last-modified`",
}


def text(result: Result) -> str:
    """Return a table in Markdown: a row a tool and size."""
    lines = [row(["", "of", "median", "exponent", "peak memory"]), row(["---", *["--:"] * 4])]
    smaller: dict[tuple[str, str], Point] = {}
    for point in sorted(result.points, key=lambda point: (point.axis, list(TOOLS).index(point.tool))):
        before = smaller.get((point.axis, point.tool))
        smaller[point.axis, point.tool] = point
        exponent = "" if before is None else f"{_exponent(before, point):.2f}"
        memory = "" if point.memory is None else f"{point.memory:.0f} MB"
        cells = [f"{point.count:,} {point.axis}", f"{point.median:.2f} s", exponent, memory]
        lines.append(row([TOOLS[point.tool], *cells]))
    return "\n".join(lines)


def _exponent(smaller: Point, larger: Point) -> float:
    """Return by which power of the count the time grows: 1 is linear."""
    return math.log(larger.median / smaller.median) / math.log(larger.count / smaller.count)
