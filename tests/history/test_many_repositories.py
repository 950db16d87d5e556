"""A site with thousands of repositories, or with thousands of folders that are one."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from docs_sitemap import history
from docs_sitemap.budget import budget, histories
from docs_sitemap.history import Change, Reason, Unknown, last_changes, session
from docs_sitemap.history.repository import open_repository
from tests.support.gitrepo import Repo


def work_trees(repo: Repo, folder: Path) -> None:
    """Make a folder whose ``.git`` names that of the repository."""
    folder.mkdir()
    (folder / ".git").write_text(f"gitdir: {repo.root / '.git'}\n")


def borrowing(repo: Repo, folder: Path) -> None:
    """Make a repository that borrows the objects of one that borrows them."""
    between = folder.with_name(f"{folder.name}-between")
    for path, store in ((between, repo.root / ".git/objects"), (folder, between / ".git/objects")):
        (path / ".git/refs").mkdir(parents=True)
        (path / ".git/objects/info").mkdir(parents=True)
        (path / ".git/objects/info/alternates").write_text(f"{store}\n")
        (path / ".git/HEAD").write_text(repo.git("rev-parse", "HEAD"))


def with_a_common_folder(repo: Repo, folder: Path) -> None:
    """Make what a linked work tree has."""
    (folder / ".git").mkdir(parents=True)
    (folder / ".git/commondir").write_text(f"{repo.root / '.git'}\n")
    (folder / ".git/HEAD").write_text(repo.git("rev-parse", "HEAD"))


def with_linked_packs(repo: Repo, folder: Path) -> None:
    """Make a repository whose packs are other names of the same files."""
    (folder / ".git/refs").mkdir(parents=True)
    (folder / ".git/objects/pack").mkdir(parents=True)
    for file in (repo.root / ".git/objects/pack").iterdir():
        os.link(file, folder / ".git/objects/pack" / file.name)
    (folder / ".git/HEAD").write_text(repo.git("rev-parse", "HEAD"))


@pytest.mark.limit("MAX_SAME_OBJECTS")
@pytest.mark.parametrize("make", [work_trees, borrowing, with_a_common_folder, with_linked_packs])
def test_so_many_repositories_with_the_same_objects_are_asked(
    repo: Repo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, make: Callable[[Repo, Path], None]
) -> None:
    """1,000 folders of one repository of 8,000 commits took 159 seconds, and the repository itself 0.4."""
    repo.commit("a.md")
    repo.git("gc", "--quiet")
    for number in range(8):
        make(repo, tmp_path / f"copy{number}")
    paths = [tmp_path / f"copy{number}" / "a.md" for number in range(8)]
    monkeypatch.setattr(histories, "MAX_SAME_OBJECTS", 5)
    known = []
    for order in (paths, paths[::-1]):
        monkeypatch.setattr(history, "_SESSION", session.Session())
        with budget.Budget():
            found = last_changes(order)
            assert found == last_changes(order)  # those that were counted are asked again
        known.append([path for path in paths if isinstance(found[path], Change)])
        reasons = {answer.reason for answer in found.values() if isinstance(answer, Unknown)}
        assert reasons == {Reason.TOO_MANY}
    assert known == [paths[:5]] * 2
    monkeypatch.setenv("DOCS_SITEMAP_UNLIMITED", "1")
    monkeypatch.setattr(history, "_SESSION", session.Session())
    with budget.Budget():
        assert all(isinstance(answer, Change) for answer in last_changes(paths).values())


@pytest.mark.limit("MAX_SAME_HISTORY")
def test_the_same_history_is_walked_again_up_to_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    """50 work trees of a repository of 30,000 commits took 20 seconds, and the repository itself 0.4."""
    monkeypatch.setattr(histories, "MAX_SAME_HISTORY", 250)
    run = histories.Histories()
    asked = [run.add(str(number), {1: (0, 0), 2: (9_999, 100), 10 + number: (9, 9)}) for number in range(5)]
    assert asked == [True, True, True, False, False]
    assert run.add("1", {1: (0, 0), 2: (9_999, 100), 11: (9, 9)})
    assert run.add("another", {3: (9_999, 9_999)})


def test_the_objects_of_a_pack_are_not_more_than_its_bytes_can_be(repo: Repo) -> None:
    """60 MB in an index without a pack, or with a small one, explained half a minute."""
    repo.commit("a.md")
    repo.git("gc", "--quiet")
    found = open_repository(repo.root)
    assert found
    before = found.packs
    assert before.objects <= before.size // 10
    folder = repo.root / ".git/objects/pack"
    (folder / "one.idx").write_bytes(os.urandom(1 << 20))
    (folder / "two.pack").write_bytes(os.urandom(1 << 10))
    assert found.packs == before
    (folder / "one.pack").write_bytes(b"a" * 4_000)
    assert found.packs.objects - before.objects <= 400


@pytest.mark.limit("MAX_REPOSITORIES")
def test_so_many_repositories_are_asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """6,000 with a page each took 68 seconds."""
    paths = []
    for number in range(4):
        each = Repo(tmp_path / f"repo{number}")
        each.commit("a.md")
        paths.append(each.root / "a.md")
    monkeypatch.setattr(histories, "MAX_REPOSITORIES", 3)
    with budget.Budget():
        *known, other = last_changes(paths).values()
    assert all(isinstance(answer, Change) for answer in known)
    assert isinstance(other, Unknown)
    assert other.reason is Reason.TOO_MANY


def test_what_several_repositories_share_explains_time_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(histories, "_WALKS", 2)
    monkeypatch.setattr(histories, "OBJECT_SECONDS", 1.0)
    monkeypatch.setattr(histories, "_BYTE_SECONDS", 1.0)
    monkeypatch.setattr(histories, "COMMIT_SECONDS", 1.0)
    run = histories.Histories()
    assert run.add("one", {1: (0, 0), 2: (100, 30)})
    assert run.add("two", {3: (0, 0), 2: (100, 30)})
    assert run.add("one", {1: (0, 0), 2: (100, 30)})
    assert [run.seconds_for(25, 0) for _ in range(4)] == [25, 25, 10, 0]
    assert [run.seconds_for(0, 150) for _ in range(2)] == [150, 50]
    before = run.git_seconds
    run.count_git(2.5, 50)  # a third commit explains the rest of it
    assert run.git_seconds == before
    run.count_git(40.0, 50)
    assert before - run.git_seconds == pytest.approx(40 - 27)
    run.count_git(1.0, 0)
    assert before - run.git_seconds == pytest.approx(40 - 27 + 1)
