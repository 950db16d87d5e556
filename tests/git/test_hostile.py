"""A hostile repository changes no answer and runs nothing: a tripwire in each place that names a program."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from docs_sitemap.git import (
    Answer,
    Change,
    Reason,
    Rules,
    Unknown,
    find_repository,
    last_changes,
    tracked_additions,
    tracked_changes,
)
from tests.support.gitrepo import Repo

LONG = 400
"""Commits after which the second git process is at work too."""


@pytest.fixture
def tripwire(tmp_path: Path) -> Path:
    """A program that leaves a trace of whoever runs it."""
    if sys.platform == "win32":
        pytest.skip("the tripwire is a shell script")
    program = tmp_path / "tripwire.sh"
    program.write_text(f'#!/bin/sh\necho "$0 $@" >> {tmp_path / "tripped"}\nexit 1\n')
    program.chmod(0o755)
    return program


def tripped(program: Path) -> str:
    trace = program.with_name("tripped")
    return trace.read_text() if trace.exists() else ""


@pytest.fixture
def hostile(tmp_path: Path, tripwire: Path) -> Repo:
    """A repository whose every setting, hook and attribute names the tripwire."""
    repo = Repo(tmp_path / "hostile")
    stream = ["blob\nmark :1\ndata 1\nx\nblob\nmark :2\ndata 1\ny\n"]
    for number in range(LONG):
        stream.append(
            f"commit refs/heads/main\ncommitter C <c@e> {1_600_000_000 + number} +0000\ndata 1\n.\n"
        )
        stream.append(f"M 100644 :{number % 2 + 1} docs/a.md\n")
        if number in (3, 200):
            stream.append(
                f"M 100644 :{number % 2 + 1} docs/--output=x\nM 100644 :1 docs/:(top)b.md\nM 100644 :2 HEAD\n"
            )
        stream.append("\n")
    subprocess.run(
        ["git", "fast-import", "--quiet"], cwd=repo.root, input="".join(stream).encode(), check=True
    )
    wire = os.fspath(tripwire)
    included = tmp_path / "included"
    included.write_text(f'[alias]\n\trev-list = "!{wire} included"\n')
    (repo.root / ".git" / "config").write_text(
        f"""
[core]
    repositoryformatversion = 0
    fsmonitor = {wire}
    pager = {wire}
    editor = {wire}
    sshCommand = {wire}
    gitProxy = {wire}
    askPass = {wire}
    hooksPath = {repo.root / ".git" / "hooks"}
    attributesFile = {repo.root / "attributes"}
    alternateRefsCommand = {wire}
[include]
    path = {included}
[alias]
    cat-file = "!{wire} alias"
    rev-list = "!{wire} alias"
    log = "!{wire} alias"
[log]
    showSignature = true
    showRoot = false
    follow = true
    diffMerges = off
[gpg]
    program = {wire}
[gpg "ssh"]
    program = {wire}
[diff]
    external = {wire}
[diff "trap"]
    textconv = {wire}
    command = {wire}
[filter "trap"]
    clean = {wire}
    smudge = {wire}
    process = {wire}
    required = true
[credential]
    helper = !{wire}
[uploadpack]
    packObjectsHook = {wire}
[remote "origin"]
    url = ext::{wire}
    promisor = true
    partialclonefilter = tree:0
    uploadpack = {wire}
    vcs = trap
[protocol]
    allow = always
[protocol "ext"]
    allow = always
[extensions]
    partialClone = origin
[trace2]
    normalTarget = {tmp_path / "trace"}
"""
    )
    (repo.root / "attributes").write_text("* diff=trap filter=trap\n")
    (repo.root / ".gitattributes").write_text("* diff=trap filter=trap\n")
    for hook in (
        "post-checkout",
        "reference-transaction",
        "fsmonitor-watchman",
        "post-index-change",
        "pre-auto-gc",
    ):
        path = repo.root / ".git" / "hooks" / hook
        path.parent.mkdir(exist_ok=True)
        path.write_text(tripwire.read_text())
        path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return repo


def ask_all(repo: Repo, *, added: bool = False) -> dict[bytes, Answer]:
    repository = find_repository(repo.root)
    assert repository is not None
    ask = tracked_additions if added else tracked_changes
    return ask(repository, [b""], Rules(ignored=None))[b""]


def truth(repo: Repo, name: str, *options: str) -> str:
    """What git log says of a copy whose configuration is plain."""
    copy = repo.root.with_name("copy")
    if not copy.exists():
        subprocess.run(["cp", "-r", repo.root, copy], check=True)
        (copy / ".git" / "config").write_text("[core]\n\trepositoryformatversion = 0\n")
    plain = Repo.__new__(Repo)
    plain.root = copy
    return plain.git("log", "-1", "--format=%H", *options, "--", name)


def test_the_tripwires_are_armed(hostile: Repo, tripwire: Path) -> None:
    """git itself runs some of them: else the tests below would prove nothing."""
    hostile.git("status", check=False)
    hostile.git("fetch", "origin", check=False)
    assert "tripwire" in tripped(tripwire) or "fsmonitor" in tripped(tripwire)


def test_nothing_is_run_and_no_answer_changes(hostile: Repo, tripwire: Path) -> None:
    found = ask_all(hostile)
    assert len(found) == 4
    for name, answer in found.items():
        assert isinstance(answer, Change)
        assert answer.commit == truth(hostile, os.fsdecode(name)), name
    for name, answer in ask_all(hostile, added=True).items():
        assert isinstance(answer, Change)
        assert answer.commit == truth(hostile, os.fsdecode(name), "--diff-filter=A"), name
    assert tripped(tripwire) == ""


def test_what_is_missing_is_not_fetched(hostile: Repo, tripwire: Path) -> None:
    """The configuration says that a promisor remote has it, behind a transport that runs a program."""
    oldest = hostile.git("rev-list", "--max-parents=0", "main")
    hostile.git("-c", "gc.auto=0", "unpack-objects", check=False)
    (pack,) = (hostile.root / ".git" / "objects" / "pack").glob("*.pack")
    moved = pack.rename(pack.with_name("moved"))
    for other in (hostile.root / ".git" / "objects" / "pack").glob("pack-*"):
        other.unlink()
    with moved.open("rb") as stream:
        subprocess.run(["git", "unpack-objects", "-q"], cwd=hostile.root, stdin=stream, check=True)
    (hostile.root / ".git" / "objects" / oldest[:2] / oldest[2:]).unlink()
    tripwire.with_name("tripped").unlink(missing_ok=True)
    path = hostile.root / "docs" / "--output=x"
    answer = ask_all(hostile)
    assert isinstance(answer[b"docs/a.md"], Change | Unknown)
    assert tripped(tripwire) == ""
    assert isinstance(last_changes([path])[path], Change | Unknown)
    assert tripped(tripwire) == ""


def test_a_git_file_that_points_elsewhere_gives_no_foreign_dates(repo: Repo, tmp_path: Path) -> None:
    """It names another repository, and then that one has no such file, or it names nothing."""
    repo.commit("other.md")
    site = tmp_path / "site"
    site.mkdir()
    (site / "page.md").touch()
    for target in (repo.root / ".git", tmp_path, Path("/etc"), Path("../../../.."), tmp_path / "none"):
        (site / ".git").write_text(f"gitdir: {target}\n")
        answer = last_changes([site / "page.md"])[site / "page.md"]
        assert isinstance(answer, Unknown)
        assert answer.reason in (Reason.UNTRACKED, Reason.NO_REPOSITORY, Reason.UNREADABLE)
    (site / ".git").write_bytes(b"gitdir: " + b"\xff" * 5000 + b"\n")
    assert isinstance(last_changes([site / "page.md"])[site / "page.md"], Unknown)


def test_a_git_in_the_checkout_is_not_run(
    repo: Repo, tripwire: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also where PATH begins with the current folder, or has an empty entry, which means the same."""
    repo.commit("a.md")
    (repo.root / "git").write_text(tripwire.read_text())
    (repo.root / "git").chmod(0o755)
    monkeypatch.chdir(repo.root)
    monkeypatch.setenv("PATH", f".{os.pathsep}{os.pathsep}{os.environ['PATH']}")
    assert isinstance(last_changes([repo.root / "a.md"])[repo.root / "a.md"], Change)
    assert tripped(tripwire) == ""
