"""The benchmark of ``check``, on a tiny site; no time is tested."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from benchmarks import check
from benchmarks.measure import BenchmarkError

pytestmark = [
    pytest.mark.skipif(sys.platform == "win32", reason="measured by getrusage and wait4"),
    pytest.mark.slow,
]

ROOT = Path(__file__).parents[2]


@pytest.fixture(autouse=True)
def libraries() -> None:
    for name in ("lxml", "protego"):
        pytest.importorskip(name)


def test_the_benchmark_says_what_each_way_takes(tmp_path: Path) -> None:
    file = tmp_path / "found.json"
    arguments = ["check", "--pages", "30", "--kilobytes", "20", "--rounds", "2", "--json", os.fspath(file)]
    done = subprocess.run(
        [sys.executable, "-m", "benchmarks", *arguments],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    result = json.loads(file.read_text("utf-8"))
    assert [way["name"] for way in result["ways"]] == [*check.WAYS, *check.BUILD]
    assert all(
        len(way["seconds"]) == 2 and way["processor"] > 0 and way["memory"] > 1 for way in result["ways"]
    )
    assert 0.5 < result["megabytes"] < 0.7
    assert "30 pages" in done.stdout


def test_a_site_with_faults_is_not_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(check, "BASE", "https://example.com/")
    with pytest.raises(BenchmarkError, match="exit code 1"):
        check.measure(check.Size(3, 1), 1, lambda _: None)
