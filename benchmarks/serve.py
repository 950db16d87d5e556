"""Rebuilds of ``mkdocs serve`` after a page was touched: without us, and with us."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import median as _median
from threading import Timer
from typing import IO

from benchmarks import synthetic
from benchmarks.builds import HOSTS, WITHOUT, Plugin, Size, pages_of
from benchmarks.measure import BenchmarkError, median_ratio
from benchmarks.table import row
from benchmarks.tools import HERE

_PATIENCE = 600
"""Seconds after which a build will not come any more: a large one on a busy machine takes minutes."""


@dataclass(frozen=True, slots=True)
class Result:
    """Seconds of each rebuild."""

    pages: int
    commits: int
    seconds: dict[str, list[float]]

    def json(self) -> dict[str, object]:
        """Return it as plain values."""
        return asdict(self)


class Server:
    """A running ``mkdocs serve``."""

    def __init__(self, process: subprocess.Popen[str], log: IO[str], root: Path) -> None:
        self._process = process
        self._log = log
        self._page = root / "repo" / "docs" / "index.md"
        self._wait("Serving on")
        time.sleep(2)  # MkDocs looks twice a second: what changes before its first look goes unnoticed

    def rebuild(self) -> float:
        """Touch a page; return the seconds of the rebuild."""
        self._page.write_text(self._page.read_text("utf-8") + "\nMore.\n", "utf-8")
        self._wait("Building documentation")
        start = time.perf_counter()
        # MkDocs says its own seconds too, but not those that it has said before
        self._wait("Reloading browsers")
        return time.perf_counter() - start

    def _wait(self, message: str) -> None:
        end = Timer(_PATIENCE, self._process.kill)  # its log ends then: a change can go unnoticed
        end.start()
        try:
            if any(message in line for line in self._log):
                return
        finally:
            end.cancel()
        raise BenchmarkError("mkdocs serve ended, or was ended, before it had built the site")


@contextmanager
def _serving(root: Path, plugin: Plugin | None) -> Iterator[Server]:
    HOSTS["mkdocs"].configure(root, plugin)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        address = f"127.0.0.1:{free.getsockname()[1]}"
    place = os.pathsep.join([os.fspath(HERE), os.fspath(HERE / "src")])
    env = os.environ | {"PYTHONPATH": place, "NO_MKDOCS_2_WARNING": "1", "PYTHONUNBUFFERED": "1"}
    command = [sys.executable, "-m", "mkdocs", "serve", "--livereload", "--dev-addr", address]
    with subprocess.Popen(
        command, cwd=root, env=env, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stderr is not None  # noqa: S101
        try:
            yield Server(process, process.stderr, root)
        finally:
            process.kill()


def measure(size: Size, git: Path, report: Callable[[str], None]) -> Result:
    """Rebuild in turn: a server without us, and one with us, in each round."""
    plugins: Sequence[Plugin | None] = (None, HOSTS["mkdocs"].plugins[0])
    seconds: dict[str, list[float]] = {}
    with tempfile.TemporaryDirectory() as name:
        root = Path(name)
        synthetic.make_documented(root / "repo", dict(pages_of(size.pages, ".md")), size.commits, git)
        for number in range(size.runs):
            for plugin in plugins:
                kind = plugin.name if plugin else WITHOUT
                with _serving(root, plugin) as server:
                    found = [server.rebuild() for _ in range(3)]
                report(f"round {number + 1}: {kind} {found}")
                seconds.setdefault(kind, []).append(_median(found))
    return Result(size.pages, size.commits, seconds)


def text(result: Result) -> str:
    """Return a table in Markdown."""
    base = result.seconds[WITHOUT]
    rounds = f"{len(base)} rounds of 3 rebuilds"
    lines = [
        f"mkdocs serve: {result.pages:,} pages, {result.commits:,} commits, {rounds}",
        "",
        row(["serve", "median of a rebuild", "to the one without"]),
        row(["---", "--:", "--:"]),
    ]
    for name, seconds in result.seconds.items():
        lines.append(row([name, f"{_median(seconds):.2f} s", f"{median_ratio(seconds, base) or 0:.3f}"]))
    return "\n".join(lines)
