"""What HEAD has: asked of real repositories."""

from __future__ import annotations

from pathlib import Path

from docs_sitemap.git import find_repository
from docs_sitemap.git.head import head_blobs, untracked
from tests.support.gitrepo import Repo


def blobs_of(repo: Repo) -> dict[bytes, bytes]:
    repository = find_repository(repo.root)
    assert repository
    return head_blobs(repository)


def test_head_has_the_blobs_that_git_lists_and_none_of_links(tmp_path: Path) -> None:
    repo = Repo(tmp_path)
    assert blobs_of(repo) == {}
    repo.commit("a.txt", "sub/deep/b.py", "sub/c.py")
    (tmp_path / "link").symlink_to("a.txt")
    repo.commit()
    repo.write("sub/new.py")
    lines = [line.split() for line in repo.git("ls-tree", "-r", "HEAD").splitlines()]
    assert blobs_of(repo) == {
        name.encode(): b"" if mode == "120000" else blob.encode() for mode, _, blob, name in lines
    }


def test_what_no_commit_has_is_untracked_and_what_lies_in_no_repository_is_not(tmp_path: Path) -> None:
    repo = Repo(tmp_path / "repo")
    paths = [repo.write("a.txt"), repo.write("sub/b.txt")]
    assert untracked(paths) == {*paths}
    repo.commit()
    new = repo.write("sub/new.txt")
    (tmp_path / "outside.txt").touch()
    assert untracked([*paths, new, tmp_path / "outside.txt"]) == {new}
    (repo.root / ".git/objects").rename(tmp_path / "objects")
    (repo.root / ".git/objects").mkdir()
    assert untracked([new]) == set()
