"""Broken and slow repositories: no date, or a right one, and the build goes on."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from docs_sitemap.cli import main
from docs_sitemap.git import Change, Reason, Rules, Unknown, last_additions, last_changes, repository
from docs_sitemap.git.explanation import explain_files
from tests.support.gitrepo import Repo


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A git that is silent for a second is not waited for any longer."""
    if sys.platform == "win32":
        pytest.skip("Windows cannot wait for pipes")
    monkeypatch.setattr(repository, "TIMEOUT", 1)
    yield
    repository._silent.clear()


def reason_of(path: Path) -> Reason | None:
    answer = last_changes([path])[path]
    return answer.reason if isinstance(answer, Unknown) else None


def loose(repo: Repo, name: str) -> Path:
    commit = repo.git("rev-parse", name)
    return repo.root / ".git/objects" / commit[:2] / commit[2:]


PLACES: dict[str, Callable[[Repo], Path]] = {
    **{
        name: lambda repo, name=name: repo.root / ".git" / name  # type: ignore[misc]
        for name in ("HEAD", "config", "packed-refs", "shallow", "commondir", "objects/info/alternates")
    },
    "branch": lambda repo: repo.root / ".git/refs/heads/main",
    "commit": lambda repo: loose(repo, "HEAD~1"),
    "tree": lambda repo: loose(repo, "HEAD~1^{tree}"),
}


def put_pipe(place: Path) -> None:
    os.mkfifo(place)


def put_device(place: Path) -> None:
    place.symlink_to("/dev/full")


def put_nonsense(place: Path) -> None:
    place.write_bytes(b"\0nonsense\n" * 9)


def put_folder(place: Path) -> None:
    place.mkdir()


@pytest.mark.skipif(sys.platform == "win32", reason="there are no pipes in folders")
@pytest.mark.parametrize("put", [put_pipe, put_device, put_nonsense, put_folder])
@pytest.mark.parametrize("name", PLACES)
@pytest.mark.usefixtures("impatient")
def test_no_file_of_a_repository_ends_or_stops_a_build(
    repo: Repo, put: Callable[[Path], None], name: str
) -> None:
    """Each date is right or absent, and after one time out, git is not asked again."""
    first = repo.commit("docs/a.md")
    second = repo.commit("docs/b.md")
    place = PLACES[name](repo)
    place.parent.mkdir(exist_ok=True, parents=True)
    place.unlink(missing_ok=True)
    put(place)
    paths = {repo.root / "docs/a.md": first, repo.root / "docs/b.md": second}
    start = time.monotonic()
    for rules in (Rules(), Rules(follow_renames=True)):
        for found in (last_changes(paths, rules), last_additions(paths, rules)):
            for path, answer in found.items():
                assert isinstance(answer, Unknown) or answer.commit == paths[path]
    assert {type(each.answer) for each, _ in explain_files(paths, Rules()).values()} <= {Change, Unknown}
    assert time.monotonic() - start < 10


@pytest.mark.usefixtures("impatient")
def test_a_git_that_says_nothing_is_ended_with_its_children_and_not_started_again(
    repo: Repo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    repo.commit("a.md")
    wrapper = tmp_path / "bin" / "git"
    wrapper.parent.mkdir()
    wrapper.write_text(f"#!/bin/sh\nsleep 1000 &\necho $! >> {tmp_path / 'child'}\nwait\n")
    wrapper.chmod(0o755)
    monkeypatch.setenv("PATH", f"{wrapper.parent}{os.pathsep}{os.environ['PATH']}")
    assert [reason_of(repo.root / "a.md") for _ in range(3)] == [Reason.TIMEOUT] * 3
    (child,) = (tmp_path / "child").read_text().split()
    state = subprocess.run(["ps", "-o", "stat=", "-p", child], capture_output=True, text=True, check=False)
    assert state.stdout.strip()[:1] in ("", "Z")


def test_a_broken_repository_is_one_line(repo: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    repo.commit("a.md")
    for file in (repo.root / ".git/objects").rglob("*"):
        if file.is_file():
            file.unlink()
    monkeypatch.chdir(repo.root)
    done = CliRunner().invoke(main, ["lastmod", "a.md"])
    assert done.exit_code == 1
    assert done.stdout == ""
    assert len(done.stderr.splitlines()) == 1
    assert "git fsck" in done.stderr


@pytest.mark.parametrize("ask", [last_changes, last_additions])
def test_a_file_at_a_merge_is_unknown_where_git_fails(repo: Repo, ask: Callable[..., Any]) -> None:
    """It differs from the first parent, and the tree of the second is missing."""
    names = ["of-side", "of-main", "old"]
    repo.commit(*names)
    repo.git("switch", "--quiet", "--create", "side")
    repo.commit("of-side")
    repo.git("switch", "--quiet", "main")
    repo.commit("of-main")
    repo.merge("side")
    repo.commit()
    loose(repo, "side^{tree}").unlink()
    found = ask(repo.root / name for name in names)
    assert {answer.reason for answer in found.values()} == {Reason.INCOMPLETE}


def test_a_pack_that_is_cut_short_is_unknown(repo: Repo) -> None:
    for _ in range(20):
        repo.commit("a.md", "b.md")
    repo.git("gc", "--quiet")
    (pack,) = (repo.root / ".git/objects/pack").glob("*.pack")
    pack.chmod(0o644)
    pack.write_bytes(pack.read_bytes()[: pack.stat().st_size // 2])
    assert reason_of(repo.root / "a.md") in (Reason.UNREADABLE, Reason.INCOMPLETE)


def test_alternates_of_alternates_and_relative_ones(repo: Repo, tmp_path: Path) -> None:
    """As git clone --shared makes them, and as someone may who moves all together."""
    commit = repo.commit("a.md")
    source = repo
    for name in ("one", "two"):
        target = tmp_path / name
        subprocess.run(["git", "clone", "-q", "--shared", source.root, target], check=True)
        source = Repo(target)
    source.write(".git/objects/info/alternates", "../../../one/.git/objects\n")
    assert reason_of(source.root / "a.md") is None
    assert source.log_commit("a.md") == commit


def test_texts_of_a_repository_move_no_cursor(repo: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    name = "a\x1b[31m\nb.md"
    repo.commit(name)
    repo.git("mv", name, "page.md")
    person = "\x1b[2JA <a@example.org> 1700000000 +0000"
    repo.git("add", "--all")
    header = f"tree {repo.git('write-tree')}\nparent {repo.git('rev-parse', 'HEAD')}\n"
    text = f"{header}author {person}\ncommitter {person}\n\n\x1b[2J{'a' * 4_000_000}"
    repo.git("update-ref", "HEAD", repo.hash_object("commit", text.encode()))
    monkeypatch.chdir(repo.root)
    for options in ([], ["--follow-renames"]):
        done = CliRunner().invoke(main, ["explain", *options, "page.md"])
        lines = done.stdout.splitlines()
        assert max(map(len, lines)) < 2000
        assert all(map(str.isprintable, lines))
        assert any("a\\x1b[31m\\x0ab.md" in line for line in lines) == bool(options)


def test_a_line_in_a_list_of_commits_is_not_shown(repo: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    """It may be any file: a checkout's configuration can name one of secrets, and logs are public."""
    repo.commit("a.md")
    repo.write("revs", "# a remark\nmachine example.org password sesame\n")
    monkeypatch.chdir(repo.root)
    done = CliRunner().invoke(main, ["lastmod", "--ignore-revs", "revs", "a.md"])
    assert done.exit_code == 2
    assert "revs: line 2: expected the full name of a commit" in done.stderr
    assert "sesame" not in done.output
