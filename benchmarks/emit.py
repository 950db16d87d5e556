"""From pages to files: our writing against the standard library's, and what a whole site costs."""

from __future__ import annotations

import json
import os
import platform
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from statistics import median as _median
from typing import Any

from benchmarks import synthetic
from benchmarks.measure import BenchmarkError, Sample, interleave, median_ratio, run_process
from benchmarks.table import row
from benchmarks.tools import HERE

FORMATS = ("xml", "xml+gz")
WRITERS = {"etree": "`xml.etree.ElementTree`", "ours": "ours, with fsync"}
_STEPS = {"pages": (100, 10, 1), "git": (10, 1)}
"""By where dates come from: a whole site is measured with so many times fewer pages, too."""


@dataclass(frozen=True, slots=True)
class Size:
    """How large it all is: entries, pages with dates from git, and entries of one file at most."""

    urls: int
    git_urls: int
    max_urls: int


@dataclass(frozen=True)
class Writing:
    """Ready entries to files, by ``ours`` or ``etree``; the files of its last run stay in ``folder``."""

    name: str
    size: Size
    folder: Path
    exact: bool = True

    def run(self) -> Sample:
        """Write into a new folder, inside a fresh Python process."""
        arguments = (self.name, str(self.size.urls), str(self.size.max_urls))
        return _sample(_child("write", *arguments, _emptied(self.folder)))


@dataclass(frozen=True)
class Emitting:
    """The whole way of a site; with dates from ``repo``, or else from the pages."""

    urls: int
    formats: str
    max_urls: int
    folder: Path
    repo: Path | None = None
    exact: bool = True

    @property
    def dates(self) -> str:
        """Return where the dates come from."""
        return "git" if self.repo else "pages"

    @property
    def name(self) -> str:
        """Return what tells it from the others."""
        return f"{self.formats}, {self.urls:,} URLs, dates from {self.dates}"

    def run(self) -> Sample:
        """Write into a new folder, inside a fresh Python process."""
        repo = [os.fspath(self.repo)] if self.repo else []
        arguments = (self.formats, str(self.urls), str(self.max_urls), _emptied(self.folder))
        return _sample(_child("emit", *arguments, *repo))


@dataclass(frozen=True)
class Pages:
    """The pages alone, which stream into ``emit``."""

    urls: int
    name: str = "pages"
    exact: bool = True

    def run(self) -> Sample:
        """Make them all inside a fresh Python process."""
        return _sample(_child("pages", str(self.urls)))


@dataclass(frozen=True, slots=True)
class Writer:
    """One way to write the entries; ``times`` is how many times as long as ours it took."""

    name: str
    seconds: list[float]
    median: float
    processor: float
    times: float | None


@dataclass(frozen=True, slots=True)
class Whole:
    """The whole way of one site. Memory in MB: the peak, and that of the same process before.

    ``processor`` is the median of what the processors had to do, with git's part.
    """

    dates: str
    formats: str
    urls: int
    seconds: list[float]
    median: float
    processor: float
    memory: float
    baseline: float

    @property
    def bytes_per_url(self) -> float:
        """Return how much the peak grows with each page."""
        return (self.memory - self.baseline) * 1e6 / self.urls


@dataclass(slots=True)
class Result:
    """What one call measured, as it goes to JSON; ``pages`` are the seconds of the pages alone.

    ``files`` and ``megabytes`` are of what the writers wrote, and ``read_back`` the entries in those.
    """

    urls: int
    git_urls: int
    runs: int
    cores: int
    python: str
    same_bytes: bool = False
    read_back: dict[str, int] = field(default_factory=dict)
    files: int = 0
    megabytes: float = 0
    pages: float = 0
    writers: list[Writer] = field(default_factory=list)
    sites: list[Whole] = field(default_factory=list)

    def json(self) -> dict[str, object]:
        """Return it as plain values."""
        sites = [asdict(site) | {"bytes_per_url": site.bytes_per_url} for site in self.sites]
        return asdict(self) | {"sites": sites}


def measure(size: Size, runs: int, git: Path, report: Callable[[str], None]) -> Result:
    """Measure both; raises ``BenchmarkError``, also where the two writers do not write the same."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    result = Result(size.urls, size.git_urls, runs, cores, platform.python_version())
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        _measure_writing(result, size, folder, report)
        _measure_sites(result, list(_sites(size, folder, git)), report)
    return result


def _measure_writing(result: Result, size: Size, folder: Path, report: Callable[[str], None]) -> None:
    tools = [Writing(name, size, folder / name) for name in WRITERS]
    samples = interleave(tools, result.runs, report)
    result.read_back = {tool.name: check(tool) for tool in tools}
    result.same_bytes = samples["ours"][0].answers == samples["etree"][0].answers
    files = list((folder / "ours").iterdir())
    result.files, result.megabytes = len(files), sum(file.stat().st_size for file in files) / 1e6
    ours = _seconds(samples["ours"])
    for name, found in samples.items():
        seconds = _seconds(found)
        result.writers.append(
            Writer(name, seconds, _median(seconds), _processor(found), median_ratio(seconds, ours))
        )


def check(tool: Writing) -> int:
    """Return how many entries the files hold; raises ``BenchmarkError`` unless they are those given.

    Read in a process of its own: what that takes must not count in those that start later.
    """
    files = [os.fspath(file) for file in sorted(tool.folder.iterdir())]
    found = _child("read", str(tool.size.urls), *files)
    if not found["equal"]:
        raise BenchmarkError(
            f"{tool.name}: expected the {tool.size.urls:,} entries that were to be written, "
            f"got {found['entries']:,} entries, and not the same"
        )
    return int(found["entries"])


def _sites(size: Size, folder: Path, git: Path) -> Iterator[Emitting]:
    for step in _STEPS["pages"]:
        if urls := size.urls // step:
            for formats in FORMATS:
                yield Emitting(urls, formats, size.max_urls, folder / "site")
    for step in _STEPS["git"]:
        if urls := size.git_urls // step:
            repo = folder / f"repository-{urls}"
            synthetic.make_site(repo, urls, git)
            for formats in FORMATS:
                yield Emitting(urls, formats, size.max_urls, folder / "site", repo)


def _measure_sites(result: Result, sites: Sequence[Emitting], report: Callable[[str], None]) -> None:
    pages = Pages(result.urls)
    samples = interleave([pages, *sites], result.runs, report)
    result.pages = _median(_seconds(samples[pages.name]))
    result.sites = [_whole_of(site, samples[site.name]) for site in sites]


def _whole_of(site: Emitting, samples: Sequence[Sample]) -> Whole:
    seconds = _seconds(samples)
    return Whole(
        site.dates,
        site.formats,
        site.urls,
        seconds,
        _median(seconds),
        _processor(samples),
        memory=max(sample.memory for sample in samples),
        baseline=_median([sample.baseline for sample in samples]),
    )


def _seconds(samples: Sequence[Sample]) -> list[float]:
    return [sample.seconds for sample in samples]


def _processor(samples: Sequence[Sample]) -> float:
    return _median([sample.processor for sample in samples])


def _emptied(folder: Path) -> str:
    """Return a folder without files: ours does not write what is there already."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    return os.fspath(folder)


def _child(*arguments: str) -> Any:
    done = run_process([sys.executable, "-m", "benchmarks.emit_child", *arguments], cwd=HERE, env=os.environ)
    return json.loads(done.output)


def _sample(found: Mapping[str, Any]) -> Sample:
    return Sample(
        found["seconds"],
        found["memory"],
        found["answers"],
        baseline=found["baseline"],
        processor=found["processor"],
    )


def text(result: Result) -> str:
    """Return both tables in Markdown, each with what it means."""
    return "\n".join([*_writing(result), "", *_whole(result)])


def _writing(result: Result) -> Iterator[str]:
    yield row(["written by", "median", "fastest", "slowest", "processor", "ratio"])
    yield row(["---", *["--:"] * 5])
    for writer in result.writers:
        times = f"{writer.times:.2f}" if writer.name != "ours" else ""
        seconds = (writer.median, min(writer.seconds), max(writer.seconds), writer.processor)
        yield row([WRITERS[writer.name], *(f"{value:.3f} s" for value in seconds), times])
    yield ""
    same = "the same bytes" if result.same_bytes else "the same entries"
    yield (
        f"{result.urls:,} entries with dates, from memory into {result.files:,} files without gz "
        f"({result.megabytes:,.1f} MB). Both wrote {same}, and read back they were those that were given. "
        "Ratio: to ours, the median of those within each round. Processor: the part of the time in which it "
        "had something to do, which other work on the machine does not lengthen."
    )


def _whole(result: Result) -> Iterator[str]:
    yield row(["dates from", "formats", "URLs", "time", "processor", "peak memory", "a URL"])
    yield row(["---", "---", *["--:"] * 5])
    for site in result.sites:
        seconds = (f"{site.median:.2f} s", f"{site.processor:.2f} s")
        memory, each = f"{site.memory:.0f} MB", f"{site.bytes_per_url:.0f} bytes"
        yield row([site.dates, site.formats, f"{site.urls:,}", *seconds, memory, each])
    yield ""
    yield (
        f"The whole way from pages to files; making {result.urls:,} pages takes {result.pages:.2f} s of it. "
        f"git: the files of a repository with {synthetic.SITE_COMMITS} commits. A URL: by how much the peak "
        f"rises for each. Medians of {result.runs} interleaved rounds, each in a fresh process "
        f"of Python {result.python}, on {result.cores} cores."
    )
