"""What the walk gets from ``git cat-file``, of a git of today and of one without ``--batch-command``."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from docs_sitemap.history import Change, RepositoryError, find_repository, last_additions, last_changes
from docs_sitemap.history.catfile import CatFile
from docs_sitemap.history.objects import MissingObjectError, ObjectReader
from docs_sitemap.history.repository import Repository
from tests.support.gitrepo import Repo


@pytest.fixture(params=["git", "old git"], autouse=True)
def _git(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """``old git`` is git without ``--batch-command``, which came with 2.36."""
    if request.param == "git":
        return
    if sys.platform == "win32":
        pytest.skip("the old git is a shell script")
    wrapper = tmp_path / "old" / "git"
    wrapper.parent.mkdir()
    wrapper.write_text(
        '#!/bin/sh\ncase "$*" in *--batch-command*) echo unknown option >&2; exit 129;; esac\n'
        f'exec {shutil.which("git")} "$@"\n'
    )
    wrapper.chmod(0o755)
    monkeypatch.setenv("PATH", f"{wrapper.parent}{os.pathsep}{os.environ['PATH']}")


def repository_at(root: Path) -> Repository:
    repository = find_repository(root)
    assert repository is not None
    return repository


def names(repo: Repo, *revisions: str) -> list[bytes]:
    return [repo.git("rev-parse", revision).encode() for revision in revisions]


def commit_line(repo: Repo, number: int) -> None:
    for _ in range(number):
        repo.commit("docs/a b.md")


def test_head(repo: Repo) -> None:
    with CatFile(repository_at(repo.root)) as reader:
        assert reader.head() is None
    repo.commit("a.md")
    with CatFile(repository_at(repo.root)) as reader:
        assert [reader.head()] == names(repo, "HEAD")
    repo.git("checkout", "-q", "--detach")
    with CatFile(repository_at(repo.root)) as reader:
        assert [reader.head()] == names(repo, "HEAD")


def test_commits_and_trees(repo: Repo) -> None:
    repo.commit("docs/a.md", when=1_700_000_000)
    repo.git("checkout", "-q", "-b", "topic")
    repo.commit("b.md", when=1_700_000_010)
    repo.git("checkout", "-q", "main")
    repo.commit("c.md", when=1_700_000_020)
    repo.merge("topic")
    repo.commit(when=1_700_000_030)
    head, first, second, tree, docs = names(repo, "HEAD", "HEAD^1", "HEAD^2", "HEAD^{tree}", "HEAD:docs")
    with CatFile(repository_at(repo.root)) as reader:
        reader.head()
        commit = reader.commits([head, first])[head]
        assert (commit.tree, commit.parents) == (tree, (first, second))
        assert (commit.committer_time, commit.author_time) == (1_700_000_030, 1_700_000_030 - 86400)
        assert commit.data.endswith(b"\n\nchange\n")
        assert reader.trees([docs])[docs].startswith(b"100644 a.md\0")
        assert reader.trees([]) == {}


def test_runs_along_first_parents(repo: Repo) -> None:
    commit_line(repo, 5)
    with CatFile(repository_at(repo.root)) as reader:
        reader.head()
        (run,) = reader.runs([(names(repo, "HEAD")[0], 2)], b"docs")
        assert list(run.commits) == names(repo, "HEAD", "HEAD~1", "HEAD~2")
        assert list(run.folders) == names(repo, "HEAD:docs", "HEAD~1:docs", "HEAD~2:docs")
        assert not run.ends
        (whole, other) = reader.runs([(names(repo, "HEAD")[0], 9), (names(repo, "HEAD~1")[0], 0)], b"")
        assert list(whole.commits) == names(repo, *(f"HEAD~{step}" for step in range(5)))
        assert list(whole.folders) == names(repo, *(f"HEAD~{step}^{{tree}}" for step in range(5)))
        assert whole.ends
        assert list(other.commits) == names(repo, "HEAD~1")
        (absent,) = reader.runs([(names(repo, "HEAD")[0], 0)], b"docs/a b.md/none")
        assert list(absent.folders) == [None]


def test_a_long_way_is_read_ahead_and_nothing_is_lost(repo: Repo) -> None:
    """Long enough for the second process, in several runs, with other questions in between."""
    lines = ["blob\nmark :1\ndata 1\nx\nblob\nmark :2\ndata 1\ny\n"]
    for number in range(900):
        lines.append(f"commit refs/heads/main\ncommitter C <c@e> {1_600_000_000 + number} +0000\ndata 1\n.\n")
        lines.append(
            f"M 100644 :{number % 2 + 1} docs/a.md\n"
            f"M 100644 :{number // 2 % 2 + 1} other/{number // 90}.md\n\n"
        )
    subprocess.run(
        ["git", "fast-import", "--quiet"], cwd=repo.root, input="".join(lines).encode(), check=True
    )
    truth = repo.git("rev-list", "HEAD").encode().split()
    with CatFile(repository_at(repo.root)) as reader:
        head = reader.head()
        assert head is not None
        found, steps = [head], 2
        while True:
            (run,) = reader.runs([(found[-1], steps)], b"docs")
            reader.commits(run.commits[:2])
            found += run.commits[1:]
            steps = min(2 * steps, 63)
            if run.ends:
                break
    assert found == truth
    for name in repo.git("ls-files", "--with-tree=HEAD").split():
        answer = last_changes([repo.root / name])[repo.root / name]
        assert isinstance(answer, Change)
        assert answer.commit == repo.log_commit(name)


def test_at_a_shallow_boundary_there_are_no_parents(repo: Repo, tmp_path: Path) -> None:
    commit_line(repo, 5)
    clone = repo.clone(tmp_path / "clone", "--depth=2")
    boundary = names(repo, "HEAD~1")[0]
    with CatFile(repository_at(clone.root)) as reader:
        head = reader.head()
        assert head is not None
        (run,) = reader.runs([(head, 4)], b"docs")
        assert (list(run.commits), run.ends) == ([head, boundary], True)
        assert reader.commits([boundary])[boundary].parents == ()


def test_a_missing_object_is_an_error_and_not_an_absence(repo: Repo) -> None:
    commit_line(repo, 3)
    (gone,) = names(repo, "HEAD~1")
    with CatFile(repository_at(repo.root)) as reader:
        reader.head()
        for call in (
            lambda reader: reader.commits([b"1" * 40]),
            lambda reader: reader.trees([b"1" * 40]),
            lambda reader: reader.runs([(b"1" * 40, 2)], b"docs"),
        ):
            with pytest.raises(MissingObjectError):
                call(reader)
    head = names(repo, "HEAD")[0]
    (repo.root / ".git" / "objects" / gone[:2].decode() / gone[2:].decode()).unlink()
    with CatFile(repository_at(repo.root)) as reader:
        reader.head()
        (run,) = reader.runs([(head, 2)], b"docs")
        # the run ends at a commit that has parents: that is how the walk sees it
        assert list(run.commits) == [head]
        assert run.ends
        assert reader.commits([head])[head].parents == (gone,)


def test_a_linked_worktree(repo: Repo, tmp_path: Path) -> None:
    commit_line(repo, 2)
    repo.git("worktree", "add", "-q", os.fspath(tmp_path / "linked"), "HEAD~1")
    with CatFile(repository_at(tmp_path / "linked")) as reader:
        assert [reader.head()] == names(repo, "HEAD~1")


def test_objects_of_an_alternate(repo: Repo, tmp_path: Path) -> None:
    commit_line(repo, 2)
    subprocess.run(["git", "clone", "-q", "--shared", repo.root, tmp_path / "shared"], check=True)
    with CatFile(repository_at(tmp_path / "shared")) as reader:
        head = reader.head()
        assert head is not None
        assert list(reader.runs([(head, 1)], b"docs")[0].commits) == names(repo, "HEAD", "HEAD~1")


def test_a_packed_repository(repo: Repo) -> None:
    commit_line(repo, 4)
    before = names(repo, "HEAD", "HEAD~1")
    repo.git("gc", "--quiet", "--prune=now")
    with CatFile(repository_at(repo.root)) as reader:
        head = reader.head()
        assert head is not None
        assert list(reader.runs([(head, 1)], b"docs")[0].commits) == before


def test_a_truncated_pack_is_an_error(repo: Repo) -> None:
    commit_line(repo, 4)
    repo.git("gc", "--quiet", "--prune=now")
    (pack,) = (repo.root / ".git" / "objects" / "pack").glob("*.pack")
    pack.chmod(0o644)
    pack.write_bytes(pack.read_bytes()[:40])

    def read(reader: ObjectReader) -> None:
        head = reader.head()
        if head is not None:
            reader.commits([head])

    with pytest.raises(RepositoryError), CatFile(repository_at(repo.root)) as reader:
        read(reader)


def test_gc_during_the_walk(repo: Repo) -> None:
    commit_line(repo, 30)
    truth = repo.git("rev-list", "HEAD").encode().split()
    with CatFile(repository_at(repo.root)) as reader:
        head = reader.head()
        assert head is not None
        first = reader.runs([(head, 2)], b"docs")[0].commits
        repo.git("gc", "--quiet", "--prune=now")
        rest = reader.runs([(first[-1], 40)], b"docs")[0].commits
    assert [*first, *rest[1:]] == truth


def test_a_commit_during_the_walk_changes_nothing(repo: Repo) -> None:
    commit_line(repo, 3)
    with CatFile(repository_at(repo.root)) as reader:
        head = reader.head()
        repo.commit("docs/new.md")
        assert reader.head() == head


def test_replaced_commits_are_followed_as_git_does(repo: Repo) -> None:
    commit_line(repo, 4)
    head, base = names(repo, "HEAD", "HEAD~3")
    repo.git("replace", "--graft", head.decode(), base.decode())
    path = repo.root / "docs" / "a b.md"
    answer = last_changes([path])[path]
    assert isinstance(answer, Change)
    assert answer.commit == repo.log_commit("docs/a b.md")


def test_grafts_are_followed_as_git_does(repo: Repo) -> None:
    repo.commit("a.md")
    repo.commit("b.md")
    repo.commit("c.md")
    (head,) = names(repo, "HEAD")
    grafts = repo.root / ".git" / "info" / "grafts"
    grafts.parent.mkdir(exist_ok=True)
    grafts.write_text(f"{head.decode()}\n")
    answer = last_changes([repo.root / "a.md"])[repo.root / "a.md"]
    assert isinstance(answer, Change)
    assert answer.commit == repo.log_commit("a.md") == head.decode()


def test_sha256(tmp_path: Path) -> None:
    repo = Repo(tmp_path / "repo", object_format="sha256")
    commit = repo.commit("a.md")
    answer = last_changes([repo.root / "a.md"])[repo.root / "a.md"]
    assert isinstance(answer, Change)
    assert answer.commit == commit


@pytest.mark.parametrize(
    "name",
    [
        "v1-g{commit}",
        "v1-g{tree}",
        "v1-g{commit}~1",
        "v1-g{commit}^{{tree}}",
        "b-1-g{commit:.4}",
        "a~1",
        "a^",
        "a^{{tree}}",
        "a@{{1}}",
        "a:b",
        "-g{commit}",
    ],
)
def test_a_folder_s_name_is_no_name_of_an_object(repo: Repo, name: str) -> None:
    """After ``git describe``'s ``-g``, git took the digits for an object: all files had the date of that."""
    first = repo.commit("x.md")
    repo.commit("old/x.md")
    tree = repo.git("rev-parse", "HEAD:old")
    folder = name.format(commit=first[:8], tree=tree[:8])
    files = [f"{folder}/{page}.md" for page in "abc"]
    repo.git("rm", "-q", "-r", "old")
    repo.commit(*files)
    for file in files:
        repo.commit(file)
    repo.commit("x.md")
    found = last_changes([repo.root / file for file in files])
    for file in files:
        answer = found[repo.root / file]
        assert isinstance(answer, Change)
        assert answer.commit == repo.log_commit(file)
    added = last_additions([repo.root / file for file in files])
    commits = {answer.commit for answer in added.values() if isinstance(answer, Change)}
    assert commits == {repo.git("log", "--diff-filter=A", "--format=%H", "--", files[0])}
