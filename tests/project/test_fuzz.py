"""The fuzzer finds what it is for, and what it has found once stays mended."""

from __future__ import annotations

import random
import sys
from pathlib import Path

import pytest

if sys.platform == "win32":
    pytest.skip("a process has no limits there", allow_module_level=True)
pytest.importorskip("lxml")
pytest.importorskip("protego")
pytest.importorskip("yaml")

from tests.fuzz import __main__ as fuzzer
from tests.fuzz.mutation import LONGEST, mutate

pytestmark = pytest.mark.slow

KEPT = sorted(path for path in fuzzer.CASES.glob("*/*") if path.is_file())

PLANTED = {
    "AssertionError: planted": "assert b'<' not in data, 'planted'",
    "more than 1 seconds": "import re; re.fullmatch(b'(a|aa)*b', b'a' * 200)",
    "MemoryError": "len(data) < 5 or bytes(2 << 30)",
    "ended with -11": "import os; os.kill(os.getpid(), 11)",
}
"""A line that goes wrong for some input or each, and the problem that is told."""


@pytest.mark.parametrize("case", KEPT, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_what_was_found_once_stays_mended(case: Path) -> None:
    assert fuzzer.problem_of(case.parent.name, case) == ""


@pytest.mark.parametrize("target", fuzzer.TARGETS)
def test_a_few_inputs_break_nothing(target: str) -> None:
    """The same ones each time; ``tox -e fuzz`` has new ones."""
    found = fuzzer.fuzz(target, seed=1, seconds=600, count=40)
    assert (found.number, found.problem) == (40, ""), found.data[:200]


@pytest.mark.parametrize("problem", PLANTED)
def test_what_goes_wrong_is_told_and_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, problem: str
) -> None:
    """A crash, a hang, too much memory, and a process that ends."""
    package = tmp_path / "planted"
    package.mkdir()
    (package / "__init__.py").touch()
    (package / "target.py").write_text(f"SEEDS = [b'<a>']\n\n\ndef read(data):\n    {PLANTED[problem]}\n")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path), prepend=":")
    monkeypatch.setenv("FUZZ_SECONDS", "1")  # of the ten that an input has elsewhere
    monkeypatch.setattr(fuzzer, "CASES", tmp_path / "cases")
    found = fuzzer.fuzz("planted.target", seed=1, seconds=60, count=200)
    assert problem in found.problem
    case = fuzzer.keep("planted.target", found.data)
    assert problem in fuzzer.problem_of("planted.target", case)


def test_inputs_are_the_same_for_the_same_seed_and_no_longer_than_the_limit() -> None:
    one, two = ([mutate(random.Random(n), [b"<a>", b"b: c\n"]) for n in range(300)] for _ in "12")  # noqa: S311
    assert one == two
    assert max(map(len, one)) == LONGEST
    assert len(set(one)) > 250


def test_a_long_case_is_packed_and_a_short_one_is_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fuzzer, "CASES", tmp_path)
    short, long = fuzzer.keep("a", b"b"), fuzzer.keep("a", b"b" * 100_000)
    assert short.read_bytes() == b"b"
    assert long.suffix == ".gz"
    assert long.stat().st_size < 1_000
