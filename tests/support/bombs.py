"""Values that are small where they are written and take all memory or time where they are read."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from functools import cache
from itertools import pairwise
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

from tests.support.warm import run_module

MEMORY = 700 << 20
"""Bytes that a process may have: a build of a few pages takes a tenth."""

PATIENCE = 60
"""Seconds after which a loaded machine is not slow: something hangs."""

MESSAGE = 600
"""Characters of one message at most."""


def nested(kind: Callable[[list[Any]], Any] = list) -> Any:
    """A value of 10**30 items that takes a few kilobytes, as nested aliases of YAML make it."""
    value: Any = ["x9"] * 10
    for _ in range(29):
        value = kind([value] * 10)
    return value


def within_itself() -> list[Any]:
    """``&a [*a]`` in YAML."""
    value: list[Any] = []
    value.append(value)
    return value


def deep() -> list[Any]:
    value: list[Any] = []
    for _ in range(50_000):
        value = [value]
    return value


_VALUES: dict[str, Callable[[], object]] = {
    "nested lists": nested,
    "nested mappings": lambda: nested(lambda values: dict(enumerate(values))),
    "a list within itself": within_itself,
    "a deep list": deep,
    "a number of 5,000 digits": lambda: 10**5000,
    "a number of 5,000 digits in a list": lambda: [10**5000],
    "a number of 5,000 digits as a key": lambda: {10**5000: 1},
    "10 MB of text": lambda: "x" * 10_000_000,
    "10 MB of text in a list": lambda: ["x" * 10_000_000],
    "10 MB of text as a key": lambda: {"x" * 10_000_000: 1},
    "10 MB of dots": lambda: "https://" + "a." * 5_000_000 + "!",
    "10 MB of a path": lambda: "a/" * 5_000_000 + ".xml",
    "10 MB of commas": lambda: "," * 10_000_000,
    "10 MB of brackets": lambda: '{"a":' * 2_000_000,
    "a million texts": lambda: ["x"] * 1_000_000,
    "a million empty texts": lambda: [""] * 1_000_000,
    "a million mappings": lambda: [{"match": "x", "priority": 7}] * 1_000_000,
    "many keys": lambda: {f"k{number}": "https://example.org/" for number in range(200_000)},
    "not a number": lambda: float("nan"),
    "infinite": lambda: float("inf"),
    "bytes": lambda: b"\xff" * 1_000_000,
    "no characters": lambda: "\0\ud800\x1b[2J",
    "no characters in a list": lambda: ["\0\ud800\x1b[2J"],
    "the first day": lambda: datetime(1, 1, 1),
    "the last second": lambda: datetime(9999, 12, 31, 23, 59, 59, tzinfo=UTC),
}

VALUES = list(_VALUES)
"""The kinds of values."""


@cache
def value_of(kind: str) -> Any:
    """A value of this kind; nobody changes it."""
    return _VALUES[kind]()


def _resource() -> Any:
    if sys.platform != "linux":
        pytest.skip("only Linux limits the memory of a process so")
    return pytest.importorskip("resource")


@contextmanager
def bounded(memory: int = MEMORY) -> Iterator[None]:
    """Let this process have so much more memory and time, and no more."""
    resource = _resource()

    def hang(_signal: int, _frame: FrameType | None) -> None:
        raise TimeoutError("still at work")

    before, most = resource.getrlimit(resource.RLIMIT_AS)
    pages = int(Path("/proc/self/statm").read_text().split()[0])
    resource.setrlimit(resource.RLIMIT_AS, (memory + pages * 4096, most))
    old = signal.signal(signal.SIGALRM, hang)
    signal.alarm(PATIENCE)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, old)
        resource.setrlimit(resource.RLIMIT_AS, (before, most))


def run(*args: str | Path, cwd: Path) -> subprocess.CompletedProcess[str]:
    """Run a module of Python with bounded memory and time."""
    resource = _resource()
    env = {**os.environ, "NO_COLOR": "1"}
    if args[0] in ("docs_sitemap", "mkdocs", "sphinx"):
        return run_module(*map(str, args), cwd=cwd, env=env, memory=MEMORY)
    return subprocess.run(
        [sys.executable, "-m", *map(str, args)],
        cwd=cwd,
        env=env,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY)),
        capture_output=True,
        check=False,
        encoding="utf-8",
        timeout=PATIENCE,
    )


def assert_brief(messages: Sequence[str]) -> None:
    """Each is one line of text that is no longer than a reader takes."""
    for message in messages:
        assert len(message) < MESSAGE, message[:MESSAGE]
        assert "Traceback" not in message
        assert message.isprintable()


def aliases(last: str = "bomb", lines: int = 9) -> str:
    """YAML in which the anchor ``last`` is a list of 10**lines items; each line begins with two spaces."""
    names = [*(f"a{number}" for number in range(lines)), last]
    text = f"  - &{names[0]} [{', '.join(['x9'] * 10)}]\n"
    for name, other in pairwise(names):
        text += f"  - &{other} [{', '.join([f'*{name}'] * 10)}]\n"
    return text


def merges(lines: int = 9) -> str:
    """YAML in which each mapping merges the one above ten times."""
    text = "  - &m0 {x: 1}\n"
    for number in range(lines):
        text += f"  - &m{number + 1} {{<<: [{', '.join([f'*m{number}'] * 10)}]}}\n"
    return text


WRITTEN = {
    "nested aliases": "*bomb",
    "nested aliases in a mapping": "{a: *bomb}",
    "a list within itself": "&self [*self]",
    "a number of 6,000 digits": "0x" + "f" * 5000,
    "a number of 6,000 digits as a key": "{? 0x" + "f" * 5000 + " : 1}",
    "10,000 characters": "x" * 10_000,
    "not a number": ".nan",
    "infinite": "1e400",
    "bytes": "!!binary /////w==",
    "a set": "!!set {a, b}",
    "pairs": "!!pairs [a: *bomb]",
    "a date": "9999-12-31",
    "no characters": r'"\0\u001b\uFFFE"',
    "a long key": "{? " + "k" * 10_000 + " : 1}",
}
"""Values as they stand in YAML, below ``aliases()``."""
