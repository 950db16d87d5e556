"""``python -m tests.fuzz [SECONDS] [TARGET ...]``: feed all readers what nobody would write, for so long.

An input that crashes a reader, holds it up or fills its memory is kept in ``tests/fuzz/cases/``, from where
the ordinary tests read it from then on. The exit code is 1 where there is one.
"""

from __future__ import annotations

import gzip
import hashlib
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Final, NamedTuple

from tests.fuzz.worker import SECONDS

HERE: Final = Path(__file__).parent
CASES: Final = HERE / "cases"
TARGETS: Final = sorted(path.stem for path in (HERE / "targets").glob("*.py") if path.stem != "__init__")
_COUNT: Final = 2_000
"""Inputs of one process: what it leaves in memory counts against none of the next ones."""

_PLAIN: Final = 4_096
"""Bytes up to which a case is kept as it is."""


class Round(NamedTuple):
    """What became of one process: how many inputs it read, and what was wrong with the last one."""

    number: int
    problem: str = ""
    data: bytes = b""


def fuzz(target: str, seed: int, seconds: int, count: int = _COUNT) -> Round:
    """Run one process for so long, or for so many inputs; the last one has all the time that an input has."""
    with tempfile.TemporaryDirectory() as folder:
        current, said = Path(folder, "input"), Path(folder, "said")
        command: list[str | Path] = [sys.executable, "-m", "tests.fuzz.worker", target, current]
        command += map(str, (seed, count, seconds))
        with said.open("w+b") as output:
            done = subprocess.run(command, check=False, stdout=output, stderr=subprocess.PIPE)
        number = int([b"0", *said.read_bytes().split()][-1])
        if done.returncode == 0:
            return Round(number)
        return Round(number, _problem(done), current.read_bytes() if current.exists() else b"")


def problem_of(target: str, file: Path) -> str:
    """Return what is wrong with a case, empty where nothing is any more."""
    command: list[str | Path] = [sys.executable, "-m", "tests.fuzz.worker", target, file]
    done = subprocess.run(command, capture_output=True, check=False, timeout=20 * SECONDS)
    return "" if done.returncode == 0 else _problem(done)


def _problem(done: subprocess.CompletedProcess[bytes]) -> str:
    """Return the last line of a traceback, or the signal that ended a process, whatever it left behind."""
    lines = done.stderr.decode(errors="replace").strip().splitlines()
    return lines[-1] if lines and done.returncode > 0 else f"ended with {done.returncode}"


def keep(target: str, data: bytes) -> Path:
    """Write an input into the folder of cases, by its digest; a long one is packed."""
    name = hashlib.sha256(data).hexdigest()[:16]
    is_long = len(data) > _PLAIN
    file = CASES / target / (f"{name}.gz" if is_long else name)
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(gzip.compress(data, mtime=0) if is_long else data)
    return file


def main(seconds: float, targets: list[str]) -> int:
    """Go through the targets again and again, a few seconds each."""
    counts = dict.fromkeys(targets, 0)
    seed = first = int(time.time())
    end = time.monotonic() + seconds
    found = 0
    while (left := end - time.monotonic()) > 0:
        for target in targets:
            share = min(left, max(3.0, seconds / (3 * len(targets))))
            result = fuzz(target, seed, round(share) + 1)
            counts[target] += result.number
            if result.problem:
                found += 1
                print(f"{target}: {result.problem[:300]}\n  kept in {keep(target, result.data)}", flush=True)
        seed += 1
    for target, count in counts.items():
        print(f"{target}: {count:,} inputs")
    print(f"{sum(counts.values()):,} inputs in all, from seed {first}; {found} of them kept")
    return 1 if found else 0


if __name__ == "__main__":
    words = sys.argv[1:]
    given = float(words.pop(0)) if words and words[0].replace(".", "", 1).isdigit() else 120.0
    if unknown := set(words) - set(TARGETS):
        sys.exit(f"there is no target {', '.join(sorted(unknown))}; there are {', '.join(TARGETS)}")
    sys.exit(main(given, words or TARGETS))
