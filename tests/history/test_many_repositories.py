"""A site with thousands of repositories, or with thousands of folders that are one."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from docs_sitemap.budget import histories
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
