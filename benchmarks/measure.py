"""Run programs, interleaved and several times, and sum up what they took; knows nothing of dates or git."""

from __future__ import annotations

import multiprocessing
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any, Final, Protocol, cast

ROOT: Final = Path(__file__).resolve().parents[1]
"""The folder of the project."""
_MAXRSS_UNIT: Final = 1 if sys.platform == "darwin" else 1024
"""Bytes in which the system counts ``ru_maxrss``."""

Report = Callable[[str], None]


class BenchmarkError(Exception):
    """Nothing can be measured, or what was measured means nothing."""


@dataclass(frozen=True, slots=True)
class Process:
    """A process that has ended: wall-clock and processor seconds, its peak in MB (10^6 bytes), its output."""

    seconds: float
    processor: float
    memory: float
    output: bytes


@dataclass(frozen=True, slots=True)
class Sample:
    """One run of a tool; ``share`` is the percentage of the time that a plugin took in a build."""

    seconds: float
    memory: float
    processor: float = 0.0
    answers: Mapping[str, str] = field(default_factory=dict, repr=False)
    share: float = 0.0


class Tool(Protocol):
    """One way to do what is measured."""

    @property
    def name(self) -> str:
        """Return the name by which the tool is shown."""

    def run(self) -> Sample:
        """Do all of it once."""


def run_process(arguments: Sequence[str], *, cwd: Path, env: Mapping[str, str] = os.environ) -> Process:
    """Run a program to its end; raises ``BenchmarkError`` unless it exits with 0.

    The time goes from the start to the last byte and the exit. The peak is at least that of this
    process (some 20 MB), because the system hands that on. What git has mapped of its packs counts too.
    """
    start = time.perf_counter()
    with subprocess.Popen(
        arguments, cwd=cwd, env=env, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE
    ) as process:
        output = cast(IO[bytes], process.stdout).read()
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    seconds = time.perf_counter() - start
    if process.returncode:
        raise BenchmarkError(f"{' '.join(arguments[:6])} ... ended with exit code {process.returncode}")
    memory = usage.ru_maxrss * _MAXRSS_UNIT / 1e6
    return Process(seconds, usage.ru_utime + usage.ru_stime, memory, output)


def run_apart(function: Callable[..., Any], *arguments: Any) -> Any:
    """Call a function in a process of its own: what it takes of memory would count in later peaks here."""
    with ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as pool:
        return pool.submit(function, *arguments).result()


def interleave(tools: Sequence[Tool], rounds: int, report: Report) -> dict[str, list[Sample]]:
    """Run A B C A B C ..., so that whatever else the machine does meets all of them alike.

    One round before that fills the system's file cache and is not counted. Raises ``BenchmarkError``
    where a tool gives other answers in a later round.
    """
    first: dict[str, Mapping[str, str]] = {}
    samples: dict[str, list[Sample]] = {tool.name: [] for tool in tools}
    for number in range(rounds + 1):
        for tool in tools:
            sample = tool.run()
            report(f"round {number or 'for warming up'}: {tool.name} {sample.seconds:.3f} s")
            if sample.answers != first.setdefault(tool.name, sample.answers):
                raise BenchmarkError(f"{tool.name} gave other answers in round {number} than before")
            if number:
                samples[tool.name].append(sample)
    return samples


def median_ratio(seconds: Sequence[float], base: Sequence[float]) -> float | None:
    """Return the median of the ratios within each round; below 1 is faster than ``base``.

    Of tools that ran in no common rounds, the ratio of the medians; ``None`` without a base.
    """
    if not base or not seconds:
        return None
    if len(seconds) == len(base):
        return statistics.median(ours / theirs for ours, theirs in zip(seconds, base, strict=True))
    return statistics.median(seconds) / statistics.median(base)


def markdown(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> list[str]:
    """Return the lines of a table in Markdown; all columns but the first have figures."""
    lines = [heads, ["---", *["--:"] * (len(heads) - 1)], *rows]
    return [f"| {' | '.join(cells)} |" for cells in lines]
