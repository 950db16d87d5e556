"""The benchmarks as a person runs them, on tiny repositories and sites; no time is tested."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("click")  # one environment is enough

from benchmarks import check, growth, synthetic
from benchmarks.measure import BenchmarkError
from benchmarks.tools import Target, why_no_last_modified

from tests.support.gitrepo import Repo

ROOT = Path(__file__).parents[2]
PATHS = ["docs/a.md", "docs/sub/b.md", "docs/sub/naïve page.md"]

pytestmark = [
    pytest.mark.skipif(sys.platform == "win32", reason="measured by getrusage and wait4"),
    pytest.mark.slow,
]


@pytest.fixture(scope="module")
def documented(tmp_path_factory: pytest.TempPathFactory) -> Repo:
    repo = Repo(tmp_path_factory.mktemp("dates") / "repo")
    repo.commit(*PATHS, "src/code.py")
    repo.commit("docs/a.md")
    repo.git("switch", "--quiet", "--create", "side", "HEAD~1")
    repo.commit("docs/sub/b.md")
    repo.git("switch", "--quiet", "main")
    repo.merge("side")
    repo.commit()
    return repo


def benchmarks(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "benchmarks", *arguments],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )


def fake_git(folder: Path, commits: dict[str, str] | None) -> Path:
    """Return git with a ``last-modified`` that says what it is told, or with none."""
    folder.mkdir()
    said = folder / "said"
    said.write_bytes(b"".join(f"{commit}\t{path}\0".encode() for path, commit in (commits or {}).items()))
    usage = 'echo "usage: git last-modified"; exit 129' if commits else "exit 1"
    program = folder / "git"
    program.write_text(
        "#!/bin/sh\n"
        f'if [ "$1" != last-modified ]; then exec "{shutil.which("git")}" "$@"; fi\n'
        f'if [ "$2" = -h ]; then {usage}; fi\n'
        f'exec cat "{said}"\n'
    )
    program.chmod(0o755)
    return program


def measured(file: Path) -> dict[str, Any]:
    result: dict[str, Any] = json.loads(file.read_text("utf-8"))
    return result


@pytest.mark.core
def test_all_tools_date_the_files_and_agree(documented: Repo, tmp_path: Path) -> None:
    git = fake_git(tmp_path / "bin", {path: documented.log_commit(path) for path in PATHS})
    file = tmp_path / "found.json"
    done = benchmarks("dates", documented.root, "docs", "--rounds", "1", "--git", git, "--json", file)
    assert done.returncode == 0, done.stderr
    result = measured(file)
    assert (result["files"], result["commits"], result["paths"]) == (3, 4, ["docs"])
    assert (result["reference"], result["differences"]) == (
        "log",
        {"command": 0, "walk": 0, "last-modified": 0},
    )
    assert [tool["name"] for tool in result["tools"]] == ["command", "walk", "last-modified", "log"]
    for tool in result["tools"]:
        assert len(tool["seconds"]) == 1
        assert min(tool["median"], tool["memory"] - 1, tool["ratio"]) > 0
    assert "| repo `docs` | 3 | 4 |" in done.stdout
    assert "**1.00**" in done.stdout


@pytest.mark.core
def test_a_tool_that_names_another_commit_is_found_out(documented: Repo, tmp_path: Path) -> None:
    """Exit code 1, the number of files and an example, and the JSON is written all the same."""
    truth = {path: documented.log_commit(path) for path in PATHS}
    git = fake_git(tmp_path / "bin", truth | {"docs/a.md": "f" * 40})
    file = tmp_path / "found.json"
    done = benchmarks("dates", documented.root, "docs", "--rounds", "1", "--git", git, "--json", file)
    assert done.returncode == 1, done.stderr
    assert "different commits" in done.stderr
    assert "last-modified: 1 files differ from log" in done.stdout
    assert f"docs/a.md: last-modified {'f' * 40}, log {truth['docs/a.md']}" in done.stdout
    assert measured(file)["differences"] == {"command": 0, "walk": 0, "last-modified": 1}


def test_growth_has_a_point_for_each_tool_and_size(tmp_path: Path) -> None:
    """Histories made for it have the commits that they should, and all tools can read them."""
    pytest.importorskip("protego")  # for check
    git = Path(shutil.which("git") or "git")
    synthetic.make(tmp_path / "made.git", 30, git)
    target = Target.find(tmp_path / "made.git", ["docs"], git)
    assert (target.commits(), len(target.files())) == (30, synthetic.FILES)
    sizes = {"pages": (200, 400), "files": (300,), "commits": (30, 300)}
    result = growth.measure(git, 1, lambda _: None, sizes)
    dating = {"command", "walk", *({"last-modified"} if why_no_last_modified(target) is None else ())}
    for axis, tools in {"pages": {"build", "check"}, "files": dating, "commits": dating}.items():
        points = [point for point in result["points"] if point["axis"] == axis]
        assert {(point["tool"], point["count"]) for point in points} == {
            (tool, count) for tool in tools for count in sizes[axis]
        }
        assert all(min(point["seconds"]) > 0 for point in points)
        assert {point["memory"] is None for point in points} == {axis != "pages"}
    assert growth.text(result).count("| `docs-sitemap build` |") == 2


def test_the_exponent_says_how_time_grows() -> None:
    """Ten times the pages in a hundred times the time: the square."""
    times = {10: [0.2, 0.3, 0.1], 100: [20.0, 30.0, 0.1]}
    points = [
        {"axis": "pages", "tool": "check", "count": count, "seconds": seconds, "memory": 1.0}
        for count, seconds in times.items()
    ]
    assert "| 100 pages | 20.00 s | 2.00 | 1 MB |" in growth.text({"points": points})


@pytest.mark.parametrize("host", ["mkdocs", "sphinx"])
def test_builds_say_what_each_plugin_takes(host: str, tmp_path: Path) -> None:
    """Without us, with us and with each that is installed; all of them publish all pages."""
    pytest.importorskip(host)
    file = tmp_path / "found.json"
    done = benchmarks("builds", host, "--pages", "3", "--commits", "4", "--rounds", "1", "--json", file)
    assert done.returncode == 0, done.stderr
    result = measured(file)
    assert (result["host"], result["pages"], result["commits"]) == (host, 3, 4)
    without, ours = result["rows"][:2]
    assert (without["name"], without["share"], without["times"]) == ("without", 0, 1)
    assert ours["name"] == "docs-sitemap"
    assert 0 < ours["share"] < 100
    assert "| docs-sitemap |" in done.stdout


def test_check_says_what_each_way_takes(tmp_path: Path) -> None:
    pytest.importorskip("protego")
    file = tmp_path / "found.json"
    arguments = ["check", "--pages", "30", "--kilobytes", "20", "--rounds", "1", "--json", os.fspath(file)]
    done = benchmarks(*arguments)
    assert done.returncode == 0, done.stderr
    result = measured(file)
    assert [way["name"] for way in result["ways"]] == [*check.WAYS]
    assert all(min(*way["seconds"], way["processor"], way["memory"] - 1) > 0 for way in result["ways"])
    assert 0.5 < result["megabytes"] < 0.7
    assert "30 pages" in done.stdout


def test_a_site_with_faults_is_not_measured(tmp_path: Path) -> None:
    pytest.importorskip("protego")
    check.make_site(tmp_path, 3, 1)
    (tmp_path / "sitemap.xml").unlink()
    with pytest.raises(BenchmarkError, match="exit code 1"):
        check.OnSite("check", tmp_path, check.CHECK).run()
