"""What readers see below the pages of a site with git-revision-date-localized and with us, and the time."""

from __future__ import annotations

import os
import re
import statistics
import subprocess
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from benchmarks.measure import BenchmarkError

_ROOT = Path(__file__).resolve().parents[1]
_FOOTER = re.compile(r'<aside class="?md-source-file"?>(.*?)</aside>', re.DOTALL)
_FACT = re.compile(
    r'<span class="?md-source-file__fact"?>(.*?)</span>\s*(?=<span class="?md-source|<nav|\Z)', re.DOTALL
)
_TAG = re.compile(r"<[^>]*>")
WHICH = ("none", "theirs", "ours")


@dataclass
class Moved:
    """The seconds of each build, and what each page shows: ``(theirs, ours)``."""

    seconds: dict[str, list[float]] = field(default_factory=dict)
    pages: dict[str, tuple[str, str]] = field(default_factory=dict)

    def equal(self) -> int:
        """Return on how many pages both show the same."""
        return sum(theirs == ours for theirs, ours in self.pages.values())

    def figures(self) -> dict[str, Any]:
        """Return what is kept as a result."""
        medians = {which: round(statistics.median(times), 2) for which, times in self.seconds.items()}
        kinds = Counter(_kind(*each) for each in self.pages.values())
        return {"seconds": medians, "pages": len(self.pages), "shown": dict(sorted(kinds.items()))}


def move(
    source: Path, config: str, *, out: Path, python: str, rounds: int, say: Callable[[str], None]
) -> Moved:
    """Build a site by turns with each plugin; the order changes from round to round."""
    moved = Moved({which: [] for which in WHICH})
    for number in range(rounds):
        for which in [*WHICH[number % 3 :], *WHICH[: number % 3]]:
            moved.seconds[which].append(_build(source, config, out / which, python, which))
            say(f"{which}: {moved.seconds[which][-1]:.1f} s")
    shown = [dict(_shown(out / which)) for which in ("theirs", "ours")]
    for name in sorted(shown[0].keys() | shown[1].keys()):
        moved.pages[name] = (shown[0].get(name, ""), shown[1].get(name, ""))
    return moved


def _build(source: Path, config: str, out: Path, python: str, which: str) -> float:
    command = [
        python,
        "-m",
        "benchmarks.moving_child",
        which,
        "build",
        "--quiet",
        "-f",
        config,
        "-d",
        str(out),
    ]
    paths = [str(_ROOT), str(_ROOT / "src"), os.environ.get("PYTHONPATH", "")]
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, paths))}
    started = time.perf_counter()
    done = subprocess.run(command, cwd=source, env=env, capture_output=True, text=True, check=False)
    if done.returncode:
        raise BenchmarkError(f"{which}: {done.stderr[-800:]}")
    return time.perf_counter() - started


def _shown(site: Path) -> Iterator[tuple[str, str]]:
    for file in sorted(site.rglob("*.html")):
        if found := _FOOTER.search(file.read_text("utf-8", "replace")):
            fact = _FACT.search(found[1])
            yield (
                file.relative_to(site).as_posix(),
                " ".join(_TAG.sub(" ", fact[1] if fact else found[1]).split()),
            )


def _kind(theirs: str, ours: str) -> str:
    if theirs == ours:
        return "the same"
    if not ours:
        return "a date with theirs only"
    return "another date" if theirs else "a date with ours only"


def lines_of(moved: Moved, names: Sequence[str] = WHICH) -> Iterator[str]:
    """Yield what to print."""
    figures = moved.figures()
    for which in names:
        yield f"{which}: {figures['seconds'][which]} s in the median"
    for kind, count in figures["shown"].items():
        yield f"{count} of {figures['pages']} pages: {kind}"
    for name, (theirs, ours) in moved.pages.items():
        if theirs != ours:
            yield f"  {name}: {theirs or 'none'} -> {ours or 'none'}"
