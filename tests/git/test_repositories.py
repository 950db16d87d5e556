"""Which repository answers for a file, why it has no answer, and what is asked of git how often."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from docs_sitemap.explain.explanation import explain_files
from docs_sitemap.git import (
    Answer,
    Change,
    Reason,
    Rules,
    Unknown,
    find_repository,
    last_additions,
    last_changes,
    search,
)
from docs_sitemap.git.repository import tracked, untracked
from tests.git.test_shapes import answers, text_of
from tests.support.gitrepo import FIRST, Repo


def answer_for(path: Path) -> Answer:
    return last_changes([path])[path]


def said_of(path: Path) -> str:
    """The commit's name, or that of the reason."""
    return text_of(answer_for(path)).partition(" ")[0]


def repo_at(root: Path) -> Repo:
    repo = Repo.__new__(Repo)
    repo.root, repo._clock = root, FIRST + 1_000_000
    return repo


# Files without an answer


def test_reasons_of_files_that_have_no_commit(repo: Repo, tmp_path: Path) -> None:
    new = repo.write("new.md")
    assert said_of(new) == "NO_COMMIT"
    commit = repo.commit("guide/a.md", "old.md")
    assert said_of(repo.write("new2.md")) == said_of(repo.root / "never.md") == "UNTRACKED"
    assert said_of(repo.root / "guide") == "UNTRACKED"
    assert said_of(tmp_path / "outside.md") == "NO_REPOSITORY"
    repo.write("old.md", "edited")
    repo.git("add", "old.md")
    assert said_of(repo.root / "old.md") == commit
    paths = [repo.root / "old.md", repo.root / "new2.md", tmp_path / "outside.md"]
    found = last_additions(paths)
    assert [text_of(found[path]).split()[0] for path in paths] == [commit, "UNTRACKED", "NO_REPOSITORY"]


@pytest.mark.parametrize("name", ["a\0b", "a\0b/c.md", "\ud800", "\ud800/c.md", f"{'n' * 300}/a.md"])
def test_a_path_that_no_file_can_have_raises_nothing(repo: Repo, name: str) -> None:
    """Notes are files that anybody may write; in JSON, a text can have half of a character."""
    repo.commit("a.md")
    path = repo.root / name
    found = last_changes([repo.root / "a.md", path])
    assert isinstance(found[repo.root / "a.md"], Change)
    assert isinstance(found[path], Unknown)
    assert isinstance(explain_files([path], Rules())[path].answer, Unknown)
    assert untracked([path]) <= {path}


@pytest.mark.skipif(sys.platform == "win32", reason="there, what starts is told by its suffix")
def test_without_a_git_that_starts_there_are_no_dates_until_it_does(
    repo: Repo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    repo.commit("a.md")
    program = tmp_path / "bin" / "git"
    program.parent.mkdir()
    program.write_bytes(b"\x7fELF of another machine")
    program.chmod(0o755)
    for path in ("", str(program.parent)):
        with monkeypatch.context() as context:
            context.setenv("PATH", path)
            assert said_of(repo.root / "a.md") == "NO_GIT"
    assert isinstance(answer_for(repo.root / "a.md"), Change)


def test_a_repository_of_another_owner_comes_with_the_command_that_allows_it(repo: Repo) -> None:
    repo.commit("a.md")
    path = repo.root / "a.md"
    if not hasattr(os, "getuid") or os.getuid() != 0:
        pytest.skip("only root can give a folder to another user")
    for folder in (repo.root, repo.root / ".git"):
        os.chown(folder, 12345, 12345)
    answer = answer_for(path)
    assert isinstance(answer, Unknown)
    assert answer.reason is Reason.OTHER_OWNER
    assert f"`git config --global --add safe.directory {repo.root}`" in answer.cure
    subprocess.run(["git", "config", "--global", "--add", "safe.directory", repo.root], check=True)
    assert isinstance(answer_for(path), Change)


def test_a_clock_that_is_none_gives_no_date(repo: Repo) -> None:
    wrong: Any = "auhtor"
    with pytest.raises(ValueError, match=r"clock: expected one of committer, author, got 'auhtor'"):
        last_changes([repo.root / "a.md"], Rules(wrong))


# Kinds of repositories


def test_a_nested_repository_a_submodule_and_a_worktree_answer_for_their_own_files(
    repo: Repo, tmp_path: Path
) -> None:
    other = Repo(tmp_path / "other")
    theirs = other.commit("b.md")
    own = repo.commit("a.md")
    repo.git("worktree", "add", "-q", "-b", "topic", os.fspath(tmp_path / "linked"))
    repo.git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", other.root.as_uri(), "sub")
    added = repo.commit()
    inner = Repo(repo.root / "inner")
    nested = inner.commit("b.md", when=FIRST + 77)
    repo.commit("a.md")
    assert said_of(inner.root / "b.md") == nested
    assert said_of(repo.root / "sub" / "b.md") == theirs
    assert said_of(tmp_path / "linked" / "a.md") == own
    assert said_of(repo.root / "a.md") == repo.log_commit("a.md")
    assert text_of(answers(repo)["sub"]).split()[0] == added


def test_links_in_folders_are_followed_and_a_link_is_a_file_of_its_own(repo: Repo, tmp_path: Path) -> None:
    first = repo.commit("docs/a.md")
    (repo.root / "docs/link.md").symlink_to("a.md")
    linked = repo.commit()
    (tmp_path / "link").symlink_to(repo.root / "docs")
    assert said_of(tmp_path / "link" / "a.md") == first
    assert said_of(tmp_path / "link" / "link.md") == linked


def test_a_folder_or_file_named_git_begins_no_repository(repo: Repo) -> None:
    commit = repo.commit("a/b.md", "docs/a.md")
    (repo.root / "a" / ".git").mkdir()
    repo.write("docs/.git", "not a gitdir line\n")
    assert said_of(repo.root / "a" / "b.md") == said_of(repo.root / "docs" / "a.md") == commit


def test_a_bare_repository_is_read_only_where_it_is_named(repo: Repo, tmp_path: Path) -> None:
    repo.commit("a.md")
    bare = tmp_path / "bare"
    subprocess.run(["git", "clone", "-q", "--bare", repo.root, bare], check=True)
    Path(os.environ["HOME"], ".gitconfig").write_text("[safe]\n\tbareRepository = explicit\n")
    assert answers(repo_at(bare)) == answers(repo)
    assert said_of(bare / "a.md") == "NO_REPOSITORY"
    shutil.copytree(bare, repo.root / "docs")
    path = repo.write("docs/page.md")
    assert said_of(path) == "UNTRACKED"
    (repo.root / ".git").rename(repo.root / "moved")
    assert said_of(path) == "NO_REPOSITORY"


def test_a_sparse_checkout_and_a_blobless_clone_have_all_dates(repo: Repo, tmp_path: Path) -> None:
    repo.commit("docs/a.md", "src/b.py")
    repo.commit("src/b.py")
    before = answers(repo)
    repo.git("config", "uploadpack.allowFilter", "true")
    clone = repo.clone(tmp_path / "partial", "--filter=blob:none", "--no-checkout")
    repo.git("sparse-checkout", "set", "docs")
    assert not (repo.root / "src").exists()
    assert answers(repo) == before
    shutil.move(repo.root, tmp_path / "gone")
    assert answers(clone) == before


@pytest.mark.parametrize("added", [False, True])
def test_a_treeless_clone_is_unknown_and_fetches_nothing(repo: Repo, tmp_path: Path, added: bool) -> None:
    Path(os.environ["HOME"], ".gitconfig").write_text('[protocol "file"]\n\tallow = always\n')
    repo.commit("a.md")
    repo.commit("b.md")
    repo.git("config", "uploadpack.allowFilter", "true")
    clone = repo.clone(tmp_path / "partial", "--filter=tree:0")
    before = sorted((clone.root / ".git" / "objects").rglob("*"))
    assert text_of(answers(clone, added=added)["a.md"]) == "INCOMPLETE"
    assert sorted((clone.root / ".git" / "objects").rglob("*")) == before


# What HEAD has


def test_head_has_the_blobs_that_git_lists_and_none_of_links(repo: Repo, tmp_path: Path) -> None:
    def blobs() -> dict[bytes, bytes]:
        repository = find_repository(repo.root)
        assert repository
        return tracked(repository)

    assert blobs() == {}
    paths = [repo.write("a.txt"), repo.write("sub/deep/b.py")]
    assert untracked(paths) == {*paths}
    (repo.root / "link").symlink_to("a.txt")
    repo.commit()
    new = repo.write("sub/new.py")
    lines = [line.split() for line in repo.git("ls-tree", "-r", "HEAD").splitlines()]
    assert blobs() == {
        name.encode(): b"" if mode == "120000" else blob.encode() for mode, _, blob, name in lines
    }
    (tmp_path / "outside.txt").touch()
    assert untracked([*paths, new, tmp_path / "outside.txt"]) == {new}


# Settings of a user


CONFIGURATION = """
[log]
    showRoot = false
    diffMerges = off
    showSignature = true
    follow = true
    date = relative
[core]
    quotePath = false
    pager = false
    commentChar = x
[diff]
    renames = copies
[alias]
    cat-file = log
    log = status
[color]
    ui = always
[i18n]
    commitEncoding = UTF-16
    logOutputEncoding = UTF-16
"""


def test_configuration_and_variables_change_nothing(
    repo: Repo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    repo.commit("a.md", "b.md")
    repo.commit("b.md")
    repo.merge("main")
    before = answers(repo), answers(repo, added=True)
    other = Repo(tmp_path / "other")
    other.commit("a.md")
    Path(os.environ["HOME"], ".gitconfig").write_text(CONFIGURATION)
    variables: dict[str, str | Path] = {
        "GIT_DIR": other.root / ".git",
        "GIT_WORK_TREE": other.root,
        "GIT_OBJECT_DIRECTORY": tmp_path,
        "GIT_INDEX_FILE": tmp_path / "none",
        "GIT_NAMESPACE": "x",
        "GIT_NO_REPLACE_OBJECTS": "1",
        "GIT_CEILING_DIRECTORIES": repo.root,
        "GIT_TRACE": "1",
    }
    for name, value in variables.items():
        monkeypatch.setenv(name, str(value))
    monkeypatch.setattr(search, "_known", {})
    assert (answers(repo), answers(repo, added=True)) == before


# How often git is asked


@pytest.mark.skipif(sys.platform == "win32", reason="the git that counts is a shell script")
def test_few_processes_a_repository_however_many_files_and_none_again(
    repo: Repo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Counted by a git on the PATH that notes each call and then is git; it has each command called."""
    builtins = subprocess.check_output(["git", "--list-cmds=builtins"], text=True).split()
    names = [f"{number}/page.md" for number in range(40)]
    repo.commit(*names)
    repo.commit()
    calls = tmp_path / "calls"
    wrapper = tmp_path / "bin" / "git"
    wrapper.parent.mkdir()
    wrapper.write_text(f'#!/bin/sh\necho "$@" >> {calls}\nexec {shutil.which("git")} "$@"\n')
    wrapper.chmod(0o755)
    monkeypatch.setenv("PATH", f"{wrapper.parent}{os.pathsep}{os.environ['PATH']}")
    for _ in range(2):
        found = last_changes([repo.root / name for name in names])
        assert {type(answer) for answer in found.values()} == {Change}
        lines = calls.read_text().splitlines()
        assert "page.md" not in calls.read_text()  # 12,000 names would be too long for a command
        assert len(lines) == (5 if "last-modified" in builtins else 6)
    last_additions(found)
    explain_files([*found], Rules(follow_renames=True))
    called = {
        line.partition("safe.bareRepository=explicit ")[2].split()[0]
        for line in calls.read_text().splitlines()
    }
    assert called - {"--list-cmds=builtins"} <= {*builtins}


def test_answers_are_remembered_for_as_long_as_head_stands(
    repo: Repo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The build of a server asks again and again."""
    repo.commit("a.md", "b.md")
    paths = [repo.root / name for name in ("a.md", "b.md")]
    before = last_changes(paths)
    monkeypatch.setenv("PATH", "")  # nobody can walk now
    assert last_changes(paths) == before
    assert text_of(last_changes(paths, Rules("author"))[paths[0]]) == "NO_GIT"
    monkeypatch.undo()
    for _ in range(2):
        assert repo.commit("b.md") == said_of(paths[1])
        repo.git("pack-refs", "--all")
        assert last_changes(paths)[paths[0]] == before[paths[0]]
    repo.git("checkout", "-q", "HEAD~2")
    assert last_changes(paths) == before
    repo.git("worktree", "add", "-q", os.fspath(tmp_path / "linked"))
    linked = repo_at(tmp_path / "linked")
    for _ in range(2):
        assert linked.commit("a.md") == said_of(linked.root / "a.md")


@pytest.fixture
def walked(monkeypatch: pytest.MonkeyPatch) -> list[int | None]:
    """How many files each search was for, ``None`` for all; nothing is remembered from other tests."""
    found: list[int | None] = []
    original = search.search

    def counted(repository: Any, names: set[bytes] | None, *rest: Any, **more: Any) -> Any:
        found.append(None if names is None else len(names))
        return original(repository, names, *rest, **more)

    monkeypatch.setattr(search, "_known", {})
    monkeypatch.setattr(search, "search", counted)
    return found


def ask_each(paths: Sequence[Path]) -> list[str]:
    return [said_of(path) for path in paths]


def test_after_some_walks_one_answers_all_files(repo: Repo, walked: list[int | None]) -> None:
    """A host may name the files of each page when the page's turn comes: 300 of them were 300 walks."""
    names = [f"{number}.md" for number in range(7)]
    commits = [repo.commit(name) for name in names]
    assert ask_each([repo.root / name for name in [*names, *names]]) == [*commits, *commits]
    assert said_of(repo.root / "new.md") == "UNTRACKED"
    assert walked == [1, 1, 1, 1, None]
    repo.commit("9.md")
    ask_each([repo.root / "9.md"])
    assert walked == [1, 1, 1, 1, None, 1]


def test_an_incomplete_history_is_not_walked_for_each_file(repo: Repo, walked: list[int | None]) -> None:
    names = [f"{number}.md" for number in range(7)]
    first = repo.commit(*names)
    repo.commit("other.md")
    (repo.root / ".git/objects" / first[:2] / first[2:]).unlink()
    assert ask_each([repo.root / name for name in names]) == ["INCOMPLETE"] * 7
    assert walked == [1, 1, 1, 1, None]
