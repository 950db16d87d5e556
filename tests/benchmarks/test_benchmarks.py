"""The benchmarks as a person runs them, on tiny repositories; no time is tested."""

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

from benchmarks import additions, emit, everything, growth, kept, synthetic
from benchmarks.measure import BenchmarkError
from benchmarks.target import Target
from benchmarks.tools import missing

from tests.support.gitrepo import Repo

ROOT = Path(__file__).parents[2]
PATHS = ["docs/a.md", "docs/sub/b.md", "docs/sub/naïve page.md"]

pytestmark = [
    pytest.mark.skipif(sys.platform == "win32", reason="measured by getrusage and wait4"),
    pytest.mark.slow,
]


@pytest.fixture
def documented(repo: Repo) -> Repo:
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


def fake_git(folder: Path, documented: Repo, commits: dict[str, str]) -> Path:
    """Return a git whose ``last-modified`` says what it is told; all else goes to the real one."""
    folder.mkdir()
    said = folder / "said"
    said.write_bytes(b"".join(f"{commit}\t{path}\0".encode() for path, commit in commits.items()))
    program = folder / "git"
    program.write_text(
        "#!/bin/sh\n"
        f'if [ "$1" != last-modified ]; then exec "{shutil.which("git")}" "$@"; fi\n'
        'if [ "$2" = -h ]; then echo "usage: git last-modified"; exit 129; fi\n'
        f'exec cat "{said}"\n'
    )
    program.chmod(0o755)
    return program


def measured(file: Path) -> dict[str, Any]:
    result: dict[str, Any] = json.loads(file.read_text("utf-8"))
    return result


@pytest.mark.core
def test_every_tool_that_is_there_runs_and_agrees(documented: Repo, tmp_path: Path) -> None:
    """Exit code 0, a table, and JSON with the figures of each tool that is installed."""
    truth = {path: documented.log_commit(path) for path in PATHS}
    git = fake_git(tmp_path / "bin", documented, truth)
    file = tmp_path / "found.json"
    done = benchmarks("dates", documented.root, "docs", "--runs", "1", "--git", git, "--json", file)
    assert done.returncode == 0, done.stderr
    result = measured(file)
    assert (result["files"], result["commits"], result["paths"]) == (3, 4, ["docs"])
    assert result["agree"]
    assert result["reference"] == "log"
    expected = ["cat-file", "command", "last-modified", "log", "sphinx-last-updated-by-git"]
    names = [tool["name"] for tool in result["tools"]]
    assert names == [name for name in expected if name not in result["skipped"]]
    assert result["visited"]["cat-file"] == 4
    for tool in result["tools"]:
        assert set(tool) == {"name", "seconds", "memory", "own_memory", "median", "ratio"}
        assert len(tool["seconds"]) == 1
        assert tool["median"] > 0
        assert tool["memory"] > 1
        assert tool["ratio"] > 0
        assert tool["name"] in done.stdout

    table = benchmarks("table", file, file)
    assert table.returncode == 0, table.stderr
    lines = table.stdout.splitlines()
    assert len(lines) == 5
    assert lines[2].startswith("| repo `docs` | 3 | 4 |")
    assert lines[-1].startswith("| geometric mean of the ratios |")
    assert "**1.00**" in lines[-1]


@pytest.mark.core
def test_a_tool_that_names_another_commit_is_found_out(documented: Repo, tmp_path: Path) -> None:
    """Exit code 1, the number of files and an example, and the JSON is written all the same."""
    truth = {path: documented.log_commit(path) for path in PATHS}
    git = fake_git(tmp_path / "bin", documented, truth | {"docs/a.md": "f" * 40})
    file = tmp_path / "found.json"
    only = ["--only", "cat-file,last-modified"]
    done = benchmarks("dates", documented.root, "docs", "--git", git, "--runs", "1", *only, "--json", file)
    assert done.returncode == 1, done.stderr
    assert "different commits" in done.stderr
    assert "cat-file: 1 files differ from last-modified" in done.stdout
    assert f"docs/a.md: cat-file {truth['docs/a.md']}, last-modified {'f' * 40}" in done.stdout
    result = measured(file)
    assert not result["agree"]
    assert result["differences"] == {"cat-file": 1}


@pytest.mark.core
def test_what_cannot_run_is_skipped_with_its_reason(documented: Repo, tmp_path: Path) -> None:
    """A git without ``last-modified``: no ratio, one line, exit code 0."""
    git = fake_git(tmp_path / "bin", documented, {})
    git.write_text(git.read_text().replace("exit 129", "exit 1").replace("usage:", "unknown"))
    done = benchmarks(
        "dates", documented.root, ".", "--git", git, "--runs", "1", "--only", "command,last-modified"
    )
    assert done.returncode == 0, done.stderr
    assert "last-modified: skipped, git version" in done.stdout
    assert "4 files" in done.stdout


@pytest.mark.core
@pytest.mark.parametrize(
    ("arguments", "message", "code"),
    [
        (["docs", "--only", "cat"], "--only: expected some of cat-file, ", 2),
        (["nowhere"], "HEAD has no file at nowhere", 1),
        (["docs", "--git", os.fspath(ROOT / "README.md")], "expected a program of the name git", 1),
    ],
)
def test_bad_input_is_named(documented: Repo, arguments: list[str], message: str, code: int) -> None:
    done = benchmarks("dates", documented.root, *arguments)
    assert done.returncode == code
    assert message in done.stderr


@pytest.mark.core
def test_a_shallow_clone_is_refused(documented: Repo, tmp_path: Path) -> None:
    clone = documented.clone(tmp_path / "clone", "--depth", "1")
    done = benchmarks("dates", clone.root, "docs")
    assert done.returncode == 1
    assert "shallow" in done.stderr


@pytest.mark.core
def test_additions_are_compared_with_git_log(documented: Repo, tmp_path: Path) -> None:
    file = tmp_path / "found.json"
    done = benchmarks("additions", documented.root, "docs", "--runs", "1", "--json", file)
    assert done.returncode == 0, done.stderr
    result = measured(file)
    assert (result["files"], result["compared"], result["differences"]) == (3, 3, [])
    assert min(*result["changes"], *result["additions"], result["log"]) > 0
    assert "git log, 3 files" in done.stdout


def test_an_addition_that_git_log_does_not_name_is_found_out(documented: Repo) -> None:
    """A file is unknown rightly where git knows nothing either."""
    commit = documented.git("rev-parse", "HEAD").strip()
    result = additions.Result("here", ["docs"], "2", 3, 4, 1)
    ours = {PATHS[0]: commit, PATHS[1]: "unknown: a merge", PATHS[2]: "unknown: a merge"}
    additions.compare(result, ours, {PATHS[0]: "another", PATHS[1]: "", PATHS[2]: commit})
    assert result.unknown == {"unknown: a merge": 2}
    assert result.differences == [
        f"{PATHS[0]}: {commit}, git log another",
        f"{PATHS[2]}: unknown: a merge, git log {commit}",
    ]


def test_growth_has_a_point_for_each_tool_and_size(tmp_path: Path) -> None:
    """Histories made for it have the commits that they should, and all tools can read them."""
    pytest.importorskip("protego")  # for check
    git = Path(shutil.which("git") or "git")
    target = made(tmp_path / "made.git", 30, git)
    assert (target.commits(), len(target.files()), target.bare) == (30, synthetic.FILES, True)
    sizes = {"pages": (200, 400), "files": (300,), "commits": (30, 300)}
    result = growth.measure(git, 1, lambda _: None, sizes)
    dating = {"command", *({"last-modified"} if missing(target, "last-modified") is None else ())}
    for axis, tools in {"pages": {"build", "check"}, "files": dating, "commits": dating}.items():
        points = {(point.tool, point.count) for point in result.points if point.axis == axis}
        assert points == {(tool, count) for tool in tools for count in sizes[axis]}
    assert all(point.median > 0 for point in result.points)
    assert all((point.memory is not None) == (point.axis == "pages") for point in result.points)
    again = kept.revive(growth.Result, json.loads(json.dumps(result.json())))
    assert again == result
    assert growth.text(again).count("| `docs-sitemap build` |") == 2


def test_the_exponent_says_how_time_grows() -> None:
    """Ten times the pages in a hundred times the time: the square."""
    points = [
        growth.Point("pages", "check", count, [time, 9.0, 0.1], 1) for count, time in ((10, 0.2), (100, 20))
    ]
    points[0].seconds[1] = 0.3
    points[1].seconds[1] = 30.0
    assert "| 100 pages | 20.00 s | 2.00 |" in growth.text(growth.Result("git version 2", 3, points))


def made(folder: Path, commits: int, git: Path) -> Target:
    synthetic.make(folder, commits, git)
    return Target.find(folder, ["docs"], os.fspath(git))


def test_all_names_the_repositories_that_are_missing(tmp_path: Path) -> None:
    """Before it measures anything, and only those that are needed."""
    (tmp_path / "git").mkdir()
    done = benchmarks(
        "all", tmp_path, "--only", "dates-git", "--only", "additions-s", "--only", "moving-hatch"
    )
    assert done.returncode == 1
    assert done.stderr.count("git clone") == 3
    for line in ("scipy/scipy", "sphinx-doc/sphinx", "pypa/hatch"):
        assert f"git clone https://github.com/{line} {tmp_path}" in done.stderr


def test_all_makes_each_result_that_is_kept(tmp_path: Path) -> None:
    """And no other: a figure of a step that is gone would never be made anew."""
    done = benchmarks("all", tmp_path, "--list")
    names = set(done.stdout.split())
    assert {file.stem for file in kept.RESULTS.glob("*.json")} <= names
    assert {f"plot-{name}" for name in ("dates", "builds")} < names


@pytest.mark.parametrize("only", ["plot-dates"])
def test_all_stops_at_a_step_that_fails(tmp_path: Path, only: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(everything, "_IMAGES", tmp_path / "missing")
    with pytest.raises(BenchmarkError, match=r"benchmarks plot .* ended with exit code"):
        everything.run(tmp_path, "git", [only], lambda _: None)


@pytest.mark.core
def test_emit_says_what_both_writers_and_a_whole_site_cost(tmp_path: Path) -> None:
    """The same bytes from both, in parts under an index, and a row a size, format and kind of dates."""
    file = tmp_path / "found.json"
    sizes = ["--urls", "2000", "--max-urls", "700", "--git-urls", "30"]
    done = benchmarks("emit", *sizes, "--rounds", "1", "--json", file)
    assert done.returncode == 0, done.stderr
    result = measured(file)
    assert result["same_bytes"]
    assert result["read_back"] == {"etree": 2000, "ours": 2000}
    assert result["files"] == 4  # three parts and their index
    assert result["megabytes"] > 0.2
    assert {writer["name"]: len(writer["seconds"]) for writer in result["writers"]} == {"etree": 1, "ours": 1}
    etree, ours = result["writers"]
    assert etree["processor"] > 0
    assert etree["times"] == etree["median"] / ours["median"]
    sites = [(site["dates"], site["formats"], site["urls"]) for site in result["sites"]]
    expected = [("pages", 20), ("pages", 200), ("pages", 2000), ("git", 3), ("git", 30)]
    assert sites == [(dates, formats, urls) for dates, urls in expected for formats in ("xml", "xml+gz")]
    for site in result["sites"]:
        assert site["memory"] >= site["baseline"] > 1
        assert site["processor"] > 0
        assert site["bytes_per_url"] == (site["memory"] - site["baseline"]) * 1e6 / site["urls"]
    assert result["pages"] > 0
    assert "2,000 entries with dates" in done.stdout
    assert "Both wrote the same bytes" in done.stdout
    assert "| git | xml+gz | 30 |" in done.stdout
    assert f"on {result['cores']} cores" in done.stdout


@pytest.mark.core
@pytest.mark.parametrize("name", emit.WRITERS)
def test_a_writer_that_loses_an_entry_is_found_out(tmp_path: Path, name: str) -> None:
    writing = emit.Writing(name, emit.Size(200, 0, 70), tmp_path / name)
    writing.run()
    emit.check(writing)
    part = writing.folder / "sitemap-2.xml"
    head, _, rest = part.read_text("utf-8").partition("  <url>")
    part.write_text(head + "  <url>" + rest.partition("  <url>")[2], "utf-8")
    with pytest.raises(BenchmarkError, match=f"{name}: expected the 200 entries .* got 199"):
        emit.check(writing)


@pytest.mark.parametrize("host", ["mkdocs", "sphinx"])
def test_builds_say_what_each_plugin_takes(host: str, tmp_path: Path) -> None:
    """Without us, with us and with each that is installed; all of them publish all pages."""
    pytest.importorskip(host)
    file = tmp_path / "found.json"
    done = benchmarks(
        "builds", host, "--pages", "3", "--commits", "4", "--rounds", "1", "--json", os.fspath(file)
    )
    assert done.returncode == 0, done.stderr
    result = measured(file)
    assert (result["host"], result["pages"], result["commits"]) == (host, 3, 4)
    without, ours = result["rows"][:2]
    assert (without["name"], without["share"], without["times"]) == ("without", 0, 1)
    assert ours["name"] == "docs-sitemap"
    assert 0 < ours["share"] < 100
    assert "| docs-sitemap |" in done.stdout


def test_serve_says_how_long_rebuilds_take(tmp_path: Path) -> None:
    pytest.importorskip("mkdocs")
    file = tmp_path / "found.json"
    done = benchmarks("serve", "--pages", "3", "--commits", "4", "--rounds", "1", "--json", file)
    assert done.returncode == 0, done.stderr
    result = measured(file)
    assert result["seconds"].keys() == {"without", "docs-sitemap"}
    assert "| docs-sitemap |" in done.stdout
