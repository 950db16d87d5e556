"""What readers see below the pages of a site with git-revision-date-localized and with us, and the time."""

from __future__ import annotations

import os
import re
import statistics
import subprocess
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from benchmarks.measure import BenchmarkError
from benchmarks.table import row

_ROOT = Path(__file__).resolve().parents[1]
_FOOTER = re.compile(r'<aside class="?md-source-file"?>(.*?)</aside>', re.DOTALL)
_FACT = re.compile(
    r'<span class="?md-source-file__fact"?>(.*?)</span>\s*(?=<span class="?md-source|<nav|\Z)', re.DOTALL
)
_TAG = re.compile(r"<[^>]*>")
WHICH = ("none", "theirs", "ours")


@dataclass(frozen=True)
class Build:
    """How to build a site: its source folder, its configuration, the Python that it needs."""

    source: Path
    config: str
    python: str
    without: Sequence[str] = ()

    def run(self, out: Path, which: str) -> float:
        """Build with one of the plugins, and return the seconds."""
        named = ",".join([which, *self.without])
        child = ["-m", "benchmarks.moving_child", named]
        command = [self.python, *child, "build", "--quiet", "-f", self.config, "-d", str(out)]
        paths = [str(_ROOT), str(_ROOT / "src"), os.environ.get("PYTHONPATH", "")]
        env = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, paths))}
        started = time.perf_counter()
        done = subprocess.run(command, cwd=self.source, env=env, capture_output=True, text=True, check=False)
        if done.returncode:
            raise BenchmarkError(f"{which}: {done.stderr[-800:]}")
        return time.perf_counter() - started


@dataclass
class Moved:
    """The seconds of each build, and what each page shows: ``(theirs, ours)``."""

    seconds: dict[str, list[float]] = field(default_factory=dict)
    pages: dict[str, tuple[str, str]] = field(default_factory=dict)

    def equal(self) -> int:
        """Return on how many pages both show the same."""
        return sum(theirs == ours for theirs, ours in self.pages.values())

    def figures(self, label: str) -> dict[str, Any]:
        """Return what is kept as a result."""
        seconds = {which: [round(time, 2) for time in times] for which, times in self.seconds.items()}
        kinds = Counter(_kind(*each) for each in self.pages.values())
        shown = {kind: kinds[kind] for kind in _KINDS}
        return {"site": label, "seconds": seconds, "pages": len(self.pages), "shown": shown}


def move(build: Build, out: Path, rounds: int, say: Callable[[str], None]) -> Moved:
    """Build a site by turns with each plugin; the order changes from round to round."""
    moved = Moved({which: [] for which in WHICH})
    for number in range(rounds):
        for which in [*WHICH[number % 3 :], *WHICH[: number % 3]]:
            moved.seconds[which].append(build.run(out / which, which))
            say(f"{which}: {moved.seconds[which][-1]:.1f} s")
    shown = [dict(_shown(out / which)) for which in ("theirs", "ours")]
    for name in sorted(shown[0].keys() | shown[1].keys()):
        moved.pages[name] = (shown[0].get(name, ""), shown[1].get(name, ""))
    return moved


def _shown(site: Path) -> Iterator[tuple[str, str]]:
    for file in sorted(site.rglob("*.html")):
        if found := _FOOTER.search(file.read_text("utf-8", "replace")):
            fact = _FACT.search(found[1])
            yield (
                file.relative_to(site).as_posix(),
                " ".join(_TAG.sub(" ", fact[1] if fact else found[1]).split()),
            )


_KINDS = ("the same", "another", "theirs only", "ours only")


def _kind(theirs: str, ours: str) -> str:
    if theirs == ours:
        return "the same"
    if not ours:
        return "theirs only"
    return "another" if theirs else "ours only"


def lines_of(moved: Moved) -> Iterator[str]:
    """Yield what to print."""
    figures = moved.figures("")
    for which in WHICH:
        yield f"{which}: {statistics.median(figures['seconds'][which]):.2f} s in the median"
    for kind, count in figures["shown"].items():
        yield f"{count} of {figures['pages']} pages: {kind}"
    for name, (theirs, ours) in moved.pages.items():
        if theirs != ours:
            yield f"  {name}: {theirs or 'none'} -> {ours or 'none'}"


def table(results: Sequence[Mapping[str, Any]]) -> str:
    """Return a row a result: the median seconds, with the ratio to neither plugin, and what pages show."""
    heads = ["site", "neither", "git-revision-date-localized", "docs-sitemap", "pages", *_KINDS]
    lines = [row(heads), row(["---", *["--:"] * (len(heads) - 1)])]
    for result in results:
        medians = [statistics.median(result["seconds"][which]) for which in WHICH]
        cells = [f"{medians[0]:.1f} s", *(f"{time:.1f} s ({time / medians[0]:.2f})" for time in medians[1:])]
        shown = [result["pages"], *(result["shown"][kind] for kind in _KINDS)]
        lines.append(row([result["site"], *cells, *(f"{number:,}" for number in shown)]))
    return "\n".join(lines)
