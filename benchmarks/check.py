"""What ``docs-sitemap check`` and ``build`` take of a large site, as whole processes."""

from __future__ import annotations

import json
import os
import statistics
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from benchmarks.measure import BenchmarkError, Process, apart, processor_seconds, run_process
from benchmarks.table import row
from docs_sitemap.files.formats.xml import render_urlset
from docs_sitemap.pages.entries import Url
from docs_sitemap.timestamps import format_date

BASE = "https://docs.example.org/en/latest/"
_FIRST = 1_500_000_000
_IN_FOLDER = 500
_NAVIGATION = 150
"""Links of a page's navigation: documentation themes repeat the whole section on each of its pages."""

WAYS = {
    "all rules, 1 process": ["--jobs", "1"],
    "all rules, 2 processes": ["--jobs", "2"],
    "without C2 (no links), 1 process": ["--jobs", "1", "--ignore", "C2"],
    "without C2 (no links), 2 processes": ["--jobs", "2", "--ignore", "C2"],
    "files and dates only (F, L), 1 process": ["--jobs", "1", "--select", "F,L"],
}
BUILD = {
    "`docs-sitemap build`": [],
    "`docs-sitemap build` with feeds": ["--formats", "xml,gz,atom,rss"],
}
"""What makes the files that are checked; the same command for sites of any generator."""


@dataclass(frozen=True, slots=True)
class Size:
    """A site: ``kilobytes`` is the size of a page, in 10^3 bytes."""

    pages: int
    kilobytes: int


@dataclass(frozen=True, slots=True)
class Way:
    """Seconds and megabytes of one way to check; ``memory`` is that of the largest process.

    ``processor`` are the seconds of the processors, which other work on the machine does not lengthen.
    """

    name: str
    seconds: list[float]
    processor: float
    memory: float

    @property
    def median(self) -> float:
        return statistics.median(self.seconds)


@dataclass(frozen=True, slots=True)
class Result:
    size: Size
    megabytes: float
    rounds: int
    cores: int | None
    ways: list[Way]

    def json(self) -> dict[str, Any]:
        return {**asdict(self), "medians": {way.name: way.median for way in self.ways}}


def measure(size: Size, rounds: int, report: Callable[[str], None]) -> Result:
    """Make a site without faults, and check and build it in each way, interleaved.

    One round is not counted.

    Raises ``BenchmarkError`` where anything is found in it.
    """
    with TemporaryDirectory(prefix="docs-sitemap-check-") as folder:
        site = Path(folder)
        report(f"making {size.pages:,} pages")
        written = apart(make_site, site, size, BASE)
        runs = {name: partial(_check, site, arguments) for name, arguments in WAYS.items()}
        runs |= {name: partial(_build, site, arguments) for name, arguments in BUILD.items()}
        samples: dict[str, list[tuple[Process, float]]] = {name: [] for name in runs}
        for number in range(rounds + 1):
            for name, run in runs.items():
                before = processor_seconds()
                done = run()
                report(f"round {number or 'for warming up'}: {name} {done.seconds:.2f} s")
                if number:
                    samples[name].append((done, processor_seconds() - before))
    return Result(size, written / 1e6, rounds, os.cpu_count(), summed_up(samples))


def summed_up(samples: Mapping[str, Sequence[tuple[Process, float]]]) -> list[Way]:
    """Return the figures of each way, of its processes with the seconds of all processors."""
    return [
        Way(
            name,
            [done.seconds for done, _ in found],
            statistics.median(processor for _, processor in found),
            max(done.memory for done, _ in found),
        )
        for name, found in samples.items()
    ]


def _check(site: Path, arguments: list[str]) -> Process:
    command = [sys.executable, "-m", "docs_sitemap", "check", "--format", "json", *arguments, os.fspath(site)]
    done = run_process(command, cwd=Path.cwd(), env=os.environ)
    if found := json.loads(done.output):
        raise BenchmarkError(f"{len(found):,} findings in a site without faults, as {found[0]}")
    return done


def _build(site: Path, arguments: list[str]) -> Process:
    command = [sys.executable, "-m", "docs_sitemap", "build", "--base-url", BASE, *arguments]
    return run_process([*command, os.fspath(site)], cwd=Path.cwd(), env=os.environ)


def make_site(folder: Path, size: Size, base: str) -> int:
    """Write a site with folders as addresses, each page linked from its neighbours; return its bytes."""
    paths = ["", *(_path(number) for number in range(1, size.pages))]
    written = 0
    for number, path in enumerate(paths):
        file = folder / path / "index.html"
        file.parent.mkdir(parents=True, exist_ok=True)
        written += file.write_bytes(_page(paths, number, size.kilobytes * 1000, base))
    urls = [Url(base + path, format_date(_FIRST + 60 * at)) for at, path in enumerate(paths)]
    (folder / "sitemap.xml").write_bytes(render_urlset(sorted(urls, key=lambda url: url.loc)))
    robots = f"# Written by docs-sitemap\nUser-agent: *\nAllow: /\n\nSitemap: {base}sitemap.xml\n"
    (folder / "robots.txt").write_text(robots, "ascii")
    return written


def _path(number: int) -> str:
    return f"part-{number // _IN_FOLDER}/page-{number}/"


def _page(paths: list[str], number: int, size: int, base: str) -> bytes:
    up = "../" * paths[number].count("/")
    text = "".join([*_head(paths[number], up, base), *_navigation(paths, number, up)])
    paragraph = f'<p>Some words of page {number}, <code>code</code> and <a href="#more">more</a>.</p>\n'
    text += paragraph * max(1, (size - len(text)) // len(paragraph))
    return (text + "</main></body></html>\n").encode("ascii")


def _head(path: str, up: str, base: str) -> Iterator[str]:
    yield '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">\n<title>A page</title>\n'
    yield '<meta name="viewport" content="width=device-width,initial-scale=1">\n'
    yield f'<link rel="canonical" href="{base}{path}">\n'
    yield "".join(f'<link rel="stylesheet" href="{up}assets/style-{at}.css">\n' for at in range(6))
    yield f"<style>{':root{--colour:#123456}' * 40}</style>\n"
    yield "".join(f'<script>var a{at} = "</p>";</script>\n' for at in range(6))
    yield "</head>\n<body>\n"


def _navigation(paths: list[str], number: int, up: str) -> Iterator[str]:
    first = max(0, min(number - _NAVIGATION // 2, len(paths) - _NAVIGATION))
    yield "<nav><ul>\n"
    for path in paths[first : first + _NAVIGATION]:
        yield f'<li class="nav-item"><a href="{up + path or "."}" class="nav-link">A page</a></li>\n'
    yield "</ul></nav>\n<main>\n"


def text(result: Result) -> str:
    """Return a table in Markdown."""
    columns = ["", "median", "fastest", "slowest", "processor", "peak memory"]
    lines = [row(columns), row(["---", *["--:"] * (len(columns) - 1)])]
    for way in result.ways:
        seconds = (way.median, min(way.seconds), max(way.seconds), way.processor)
        lines.append(row([way.name, *(f"{value:.2f} s" for value in seconds), f"{way.memory:.0f} MB"]))
    lines.append("")
    lines.append(
        f"{result.size.pages:,} pages, {result.megabytes:,.0f} MB of HTML, in the system's file cache; "
        f"whole processes, {result.rounds} interleaved rounds, on {result.cores} cores. "
        "Processor: of all processes. Peak memory: that of the largest one."
    )
    return "\n".join(lines)
