"""What ``docs-sitemap check`` and ``build`` take of a large site, as whole processes."""

from __future__ import annotations

import json
import os
import statistics
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from benchmarks.measure import BenchmarkError, Report, Sample, interleave, markdown, run_apart, run_process
from docs_sitemap.files.urlset import render_url, render_urlset
from docs_sitemap.pages.entries import Url
from docs_sitemap.timestamps import format_date

BASE_URL = "https://docs.example.org/en/latest/"
_FIRST = 1_500_000_000
_IN_FOLDER = 500
_NAVIGATION = 150
"""Links of a page's navigation: documentation themes repeat the whole section on each of its pages."""


@dataclass(frozen=True)
class OnSite:
    """A command of ours that is run on a built site; ``check`` must find nothing there."""

    name: str
    site: Path
    arguments: Sequence[str]

    def run(self) -> Sample:
        """Measure the whole process."""
        command = [sys.executable, "-m", "docs_sitemap", *self.arguments, os.fspath(self.site)]
        done = run_process(command, cwd=Path.cwd())
        if self.arguments[0] == "check" and (found := json.loads(done.output)):
            raise BenchmarkError(f"{len(found):,} findings in a site without faults, as {found[0]}")
        return Sample(done.seconds, done.memory, done.processor)


CHECK = ("check", "--format", "json")
BUILD = ("build", "--base-url", BASE_URL, "--lastmod", "none")
WAYS = {
    "all rules": CHECK,
    "without C2 and U10 (no links)": [*CHECK, "--ignore", "C2,U10,R7"],
    "files and dates only (F, L)": [*CHECK, "--select", "F,L"],
    "`docs-sitemap build`": BUILD,
    "`docs-sitemap build` with feeds": [*BUILD, "--formats", "xml,gz,atom,rss"],
}
"""``build`` is the same command for sites of any generator: it makes the files that are checked."""


def measure(pages: int, kilobytes: int, rounds: int, report: Report) -> dict[str, Any]:
    """Make a site without faults, and check and build it in each way; return what goes to JSON.

    ``kilobytes`` is the size of a page, in 10^3 bytes. Raises ``BenchmarkError`` where anything is found.
    """
    with TemporaryDirectory(prefix="docs-sitemap-check-") as folder:
        report(f"making {pages:,} pages")
        written = run_apart(make_site, Path(folder), pages, kilobytes)
        tools = [OnSite(name, Path(folder), arguments) for name, arguments in WAYS.items()]
        samples = interleave(tools, rounds, report)
    return {
        "size": {"pages": pages, "kilobytes": kilobytes},
        "megabytes": written / 1e6,
        "rounds": rounds,
        "cores": os.cpu_count(),
        "ways": [
            {
                "name": name,
                "seconds": [sample.seconds for sample in found],
                "processor": statistics.median(sample.processor for sample in found),
                "memory": max(sample.memory for sample in found),
            }
            for name, found in samples.items()
        ],
    }


def make_site(folder: Path, pages: int, kilobytes: int) -> int:
    """Write a site with folders as addresses, each page linked from its neighbours; return its bytes."""
    paths = ["", *(f"part-{number // _IN_FOLDER}/page-{number}/" for number in range(1, pages))]
    written = 0
    for number, path in enumerate(paths):
        file = folder / path / "index.html"
        file.parent.mkdir(parents=True, exist_ok=True)
        written += file.write_bytes(_page(paths, number, kilobytes * 1000))
    urls = [Url(BASE_URL + path, format_date(_FIRST + 60 * at)) for at, path in enumerate(paths)]
    (folder / "sitemap.xml").write_bytes(
        render_urlset(map(render_url, sorted(urls, key=lambda url: url.loc)))
    )
    robots = f"# Written by docs-sitemap\nUser-agent: *\nAllow: /\n\nSitemap: {BASE_URL}sitemap.xml\n"
    (folder / "robots.txt").write_text(robots, "ascii")
    return written


def _page(paths: list[str], number: int, size: int) -> bytes:
    up = "../" * paths[number].count("/")
    text = "".join([*_head(paths[number], up), *_navigation(paths, number, up)])
    paragraph = f'<p>Some words of page {number}, <code>code</code> and <a href="#more">more</a>.</p>\n'
    text += paragraph * max(1, (size - len(text)) // len(paragraph))
    return (text + "</main></body></html>\n").encode("ascii")


def _head(path: str, up: str) -> Iterator[str]:
    yield '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">\n<title>A page</title>\n'
    yield '<meta name="viewport" content="width=device-width,initial-scale=1">\n'
    yield f'<link rel="canonical" href="{BASE_URL}{path}">\n'
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


def text(result: Mapping[str, Any]) -> str:
    """Return a table in Markdown."""
    rows = []
    for way in result["ways"]:
        seconds = way["seconds"]
        figures = [statistics.median(seconds), min(seconds), max(seconds), way["processor"]]
        rows.append([way["name"], *(f"{value:.2f} s" for value in figures), f"{way['memory']:.0f} MB"])
    lines = markdown(["", "median", "fastest", "slowest", "processor", "peak memory"], rows)
    below = (
        f"{result['size']['pages']:,} pages, {result['megabytes']:,.0f} MB of HTML, "
        "in the system's file cache; "
        f"whole processes, {result['rounds']} interleaved rounds, on {result['cores']} cores. "
        "Processor: of all processes. Peak memory: that of the largest one."
    )
    return "\n".join([*lines, "", below])
