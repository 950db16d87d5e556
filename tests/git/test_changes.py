"""The history on repositories made by hand, each shape on its own; git log is the truth."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from docs_sitemap.git import (
    Answer,
    Change,
    Reason,
    RepositoryError,
    Rules,
    Skip,
    Unknown,
    find_repository,
    last_additions,
    last_changes,
    search,
    tracked_changes,
)
from docs_sitemap.git.explanation import explain_files
from docs_sitemap.git.head import untracked
from tests.support.gitrepo import FIRST, Repo


def all_changes(repo: Repo) -> dict[str, Answer]:
    repository = find_repository(repo.root)
    assert repository is not None
    return {os.fsdecode(name): answer for name, answer in tracked_changes(repository, [b""])[b""].items()}


def assert_equals_git_log(repo: Repo) -> None:
    """Every tracked file has the commit and the date that git log gives."""
    found = all_changes(repo)
    assert sorted(found) == sorted(
        repo.git("ls-tree", "-r", "-z", "--name-only", "HEAD").rstrip("\0").split("\0")
    )
    for name, answer in found.items():
        assert answer == Change(repo.log_commit(name), repo.log_date(name)), name


def unknown(answer: Answer) -> Reason:
    assert isinstance(answer, Unknown)
    return answer.reason


def test_a_plain_line_of_commits(repo: Repo) -> None:
    repo.commit("a.md", "guide/b.md", "guide/deep/c.md")
    repo.commit("guide/b.md")
    repo.commit("a.md")
    assert_equals_git_log(repo)
    assert len(set(all_changes(repo).values())) == 3


def test_a_merge_that_touches_nothing_dates_nothing(repo: Repo) -> None:
    repo.commit("a.md", "b.md")
    repo.git("checkout", "-q", "-b", "topic")
    changed = repo.commit("b.md")
    repo.git("checkout", "-q", "main")
    repo.commit("a.md")
    repo.merge("topic")
    merge = repo.commit()
    assert len(repo.git("rev-list", "--parents", "-1", merge).split()) == 3
    found = all_changes(repo)
    assert found["b.md"] == Change(changed, repo.log_date("b.md"))
    assert_equals_git_log(repo)


def test_a_conflict_resolution_is_a_change_of_the_merge(repo: Repo) -> None:
    repo.commit("a.md", "b.md")
    repo.git("checkout", "-q", "-b", "topic")
    repo.commit("a.md")
    repo.git("checkout", "-q", "main")
    repo.commit("a.md")
    repo.merge("topic")
    repo.write("a.md", "resolved\n")
    merge = repo.commit()
    found = all_changes(repo)["a.md"]
    assert isinstance(found, Change)
    assert found.commit == merge
    assert_equals_git_log(repo)


def test_an_evil_merge_that_edits_what_nobody_changed(repo: Repo) -> None:
    repo.commit("a.md", "b.md")
    repo.git("checkout", "-q", "-b", "topic")
    repo.commit("b.md")
    repo.git("checkout", "-q", "main")
    repo.commit()
    repo.merge("topic")
    repo.write("a.md", "evil\n")
    merge = repo.commit()
    found = all_changes(repo)["a.md"]
    assert isinstance(found, Change)
    assert found.commit == merge
    assert_equals_git_log(repo)


def test_a_merge_that_keeps_one_side_follows_that_side(repo: Repo) -> None:
    repo.commit("a.md")
    repo.git("checkout", "-q", "-b", "topic")
    repo.commit("a.md")
    repo.git("checkout", "-q", "main")
    ours = repo.commit("a.md")
    repo.merge("topic", strategy=("-s", "ours"))
    repo.commit()
    found = all_changes(repo)["a.md"]
    assert isinstance(found, Change)
    assert found.commit == ours
    assert_equals_git_log(repo)


def test_files_that_part_at_merges_meet_again(repo: Repo) -> None:
    """Two merges each take one file's old text from a branch, and both branches begin at one commit."""
    repo.commit("x.md", "y.md")
    for _ in range(9):
        fork = repo.commit("z.md")
    for name, other in (("x", "y"), ("y", "x")):
        repo.git("checkout", "-q", "-b", f"keep-{name}", fork)
        repo.commit(f"{other}.md")
    repo.git("checkout", "-q", "main")
    repo.commit("x.md", "y.md")
    repo.merge("keep-x", "keep-y", strategy=("-s", "ours"))
    repo.git("checkout", "keep-x", "--", "x.md")
    repo.git("checkout", "keep-y", "--", "y.md")
    repo.commit()
    assert_equals_git_log(repo)


def test_files_that_come_to_a_merge_on_two_ways_at_once(repo: Repo) -> None:
    """Those of the second way had no other parent to go to, and the merge itself was the answer."""
    repo.commit("x.md", "y.md", "z.md")
    repo.git("checkout", "-q", "-b", "feature")
    feature = repo.commit("x.md", "y.md")
    repo.git("checkout", "-q", "main")
    repo.commit("z.md")
    repo.merge("feature")
    repo.commit()
    repo.git("checkout", "-q", "-b", "develop")
    repo.commit("z.md")
    repo.git("checkout", "-q", "main")
    repo.commit("x.md")
    repo.merge("develop", strategy=("-s", "ours"))
    repo.git("checkout", "develop", "--", "x.md", "z.md")
    repo.commit()
    found = all_changes(repo)
    assert [getattr(found[name], "commit", "") for name in ("x.md", "y.md")] == [feature] * 2
    assert_equals_git_log(repo)


def test_an_octopus(repo: Repo) -> None:
    repo.commit("a.md", "b.md", "c.md", "d.md")
    for topic in "bcd":
        repo.git("checkout", "-q", "-b", topic, "main")
        repo.commit(f"{topic}.md")
    repo.git("checkout", "-q", "main")
    repo.commit("a.md")
    repo.merge("b", "c", "d")
    merge = repo.commit()
    assert len(repo.git("rev-list", "--parents", "-1", merge).split()) == 5
    assert_equals_git_log(repo)


def test_a_rename_is_a_change(repo: Repo) -> None:
    repo.commit("old.md", "b.md")
    repo.git("mv", "old.md", "new.md")
    renamed = repo.commit()
    repo.commit("b.md")
    found = all_changes(repo)["new.md"]
    assert isinstance(found, Change)
    assert found.commit == renamed
    assert_equals_git_log(repo)


def test_a_file_added_again_is_not_dated_by_its_first_life(repo: Repo) -> None:
    repo.write("a.md", "same\n")
    repo.commit("b.md")
    repo.git("rm", "-q", "a.md")
    repo.commit()
    repo.write("a.md", "same\n")
    again = repo.commit()
    repo.commit("b.md")
    found = all_changes(repo)["a.md"]
    assert isinstance(found, Change)
    assert found.commit == again
    assert_equals_git_log(repo)


def test_a_mode_change_is_a_change(repo: Repo) -> None:
    repo.commit("a.md", "b.md")
    repo.git("update-index", "--chmod=+x", "a.md")
    repo.git("commit", "-q", "-m", "mode", when=repo.tick())
    assert_equals_git_log(repo)
    assert all_changes(repo)["a.md"] != all_changes(repo)["b.md"]


def test_a_folder_that_was_a_file_and_a_submodule(repo: Repo, tmp_path: Path) -> None:
    repo.commit("docs", "other.md")
    repo.git("rm", "-q", "docs")
    repo.git("update-index", "--add", "--cacheinfo", f"160000,{'1' * 40},docs")
    repo.git("commit", "-q", "-m", "submodule", when=repo.tick())
    repo.git("rm", "-q", "--cached", "docs")
    (repo.root / "docs").rmdir() if (repo.root / "docs").is_dir() else None
    repo.commit("docs/a.md")
    path = repo.root / "docs" / "a.md"
    assert last_changes([path]) == {path: Change(repo.log_commit("docs/a.md"), repo.log_date("docs/a.md"))}
    assert_equals_git_log(repo)


def test_a_folder_that_was_a_file_before(repo: Repo) -> None:
    repo.commit("docs", "other.md")
    (repo.root / "docs").unlink()
    commit = repo.commit("docs/a.md")
    answer = ask_with(repo, b"docs/a.md")
    assert isinstance(answer, Change)
    assert answer.commit == commit == repo.log_commit("docs/a.md")


def test_equal_and_skewed_clocks(repo: Repo) -> None:
    repo.commit("a.md", "b.md", when=FIRST)
    repo.commit("a.md", when=FIRST)
    repo.git("checkout", "-q", "-b", "topic")
    repo.commit("b.md", when=FIRST - 9_000_000)
    repo.git("checkout", "-q", "main")
    repo.commit("c.md", when=FIRST + 5)
    repo.merge("topic", when=FIRST - 5)
    repo.commit(when=FIRST - 5)
    assert_equals_git_log(repo)


NAMES = [
    'ü "x" &.md',
    ":(exclude)d.rst",
    "--help",
    "-",
    "a b/c d.md",
    "tab\there.md",
    "line\nbreak.md",
    "back\\slash.md",
    "*.md",
    "HEAD",
]


@pytest.mark.parametrize("name", NAMES)
def test_a_name_is_only_ever_a_name(repo: Repo, name: str) -> None:
    repo.commit(name, "other.md")
    repo.commit("other.md")
    assert_equals_git_log(repo)


def test_a_name_outside_utf8(repo: Repo) -> None:
    name = "caf\udce9.md"  # os.fsdecode(b"caf\xe9.md"), which Windows refuses
    repo.commit(name)
    assert list(all_changes(repo)) == [name]


def test_twelve_thousand_long_names_need_no_command_line(repo: Repo) -> None:
    names = [f"{'n' * 200}-{number}.md" for number in range(12_000)]
    for name in names:
        (repo.root / name).touch()
    repo.commit()
    found = last_changes([repo.root / name for name in names])
    assert {type(answer) for answer in found.values()} == {Change}


def test_the_author_clock(repo: Repo) -> None:
    commit = repo.commit("a.md", when=FIRST)
    path = repo.root / "a.md"
    assert last_changes([path]) == {path: Change(commit, FIRST)}
    assert last_changes([path], Rules("author")) == {path: Change(commit, FIRST - 86400)}


def test_a_clock_that_is_none_gives_no_date(repo: Repo) -> None:
    repo.commit("a.md")
    wrong: Any = "auhtor"
    with pytest.raises(ValueError, match=r"clock: expected one of committer, author, got 'auhtor'"):
        last_changes([repo.root / "a.md"], Rules(wrong))


def test_uncommitted_edits_do_not_count(repo: Repo) -> None:
    repo.commit("a.md")
    before = last_changes([repo.root / "a.md"])
    repo.write("a.md", "edited\n")
    repo.git("add", "a.md")
    assert last_changes([repo.root / "a.md"]) == before


def test_an_untracked_file_is_unknown(repo: Repo) -> None:
    repo.commit("a.md")
    path = repo.write("new.md")
    assert unknown(last_changes([path])[path]) is Reason.UNTRACKED
    missing = repo.root / "never.md"
    assert unknown(last_changes([missing])[missing]) is Reason.UNTRACKED


def test_a_folder_is_not_a_file(repo: Repo) -> None:
    repo.commit("guide/a.md")
    folder = repo.root / "guide"
    assert unknown(last_changes([folder])[folder]) is Reason.UNTRACKED


def test_no_repository(tmp_path: Path) -> None:
    path = tmp_path / "a.md"
    assert unknown(last_changes([path])[path]) is Reason.NO_REPOSITORY


def test_an_unborn_head(repo: Repo) -> None:
    path = repo.write("a.md")
    assert unknown(last_changes([path])[path]) is Reason.NO_COMMIT


def test_no_git_program(repo: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    repo.commit("a.md")
    monkeypatch.setenv("PATH", "")
    path = repo.root / "a.md"
    assert unknown(last_changes([path])[path]) is Reason.NO_GIT


def test_a_repository_of_another_owner(repo: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    repo.commit("a.md")
    path = repo.root / "a.md"
    if not hasattr(os, "getuid") or os.getuid() != 0:
        pytest.skip("only root can give a folder to another user")
    for folder in (repo.root, repo.root / ".git"):
        os.chown(folder, 12345, 12345)
    assert unknown(last_changes([path])[path]) is Reason.OTHER_OWNER
    answer = last_changes([path])[path]
    assert isinstance(answer, Unknown)
    assert f"`git config --global --add safe.directory {repo.root}`" in answer.cure
    subprocess.run(["git", "config", "--global", "--add", "safe.directory", repo.root], check=True)
    assert isinstance(last_changes([path])[path], Change)


def test_a_broken_repository(repo: Repo) -> None:
    repo.commit("a.md")
    path = repo.root / "a.md"
    shutil.rmtree(repo.root / ".git" / "objects")
    (repo.root / ".git" / "objects").mkdir()
    assert unknown(last_changes([path])[path]) is Reason.INCOMPLETE
    repository = find_repository(repo.root)
    assert repository is not None
    with pytest.raises(RepositoryError):
        tracked_changes(repository, [b""])


def test_a_missing_commit_leaves_no_dates(repo: Repo) -> None:
    first = repo.commit("old.md", "new.md", "middle.md")
    repo.commit("middle.md")
    repo.commit("new.md")
    (repo.root / ".git" / "objects" / first[:2] / first[2:]).unlink()
    found = last_changes([repo.root / "old.md", repo.root / "middle.md", repo.root / "new.md"])
    assert {unknown(answer) for answer in found.values()} == {Reason.INCOMPLETE}


def test_a_missing_tree_is_not_an_absent_folder_and_newer_answers_are_kept(repo: Repo) -> None:
    repo.commit("docs/old.md", "docs/new.md", "docs/newest.md")
    lost = repo.commit("docs/new.md")
    repo.commit("docs/other.md")
    repo.commit("docs/other.md")
    newest = repo.commit("docs/newest.md")
    tree = repo.git("rev-parse", f"{lost}:docs")
    (repo.root / ".git" / "objects" / tree[:2] / tree[2:]).unlink()
    found = last_changes([repo.root / "docs" / f"{name}.md" for name in ("old", "new", "newest")])
    old, new, kept = found.values()
    assert unknown(old) is unknown(new) is Reason.INCOMPLETE
    assert isinstance(kept, Change)
    assert kept.commit == newest


def test_a_folder_named_git_is_no_repository(repo: Repo) -> None:
    repo.commit("a/b.md")
    (repo.root / "a" / ".git").mkdir()
    assert isinstance(last_changes([repo.root / "a" / "b.md"])[repo.root / "a" / "b.md"], Change)


def test_a_nested_repository_answers_for_its_own_files(repo: Repo) -> None:
    repo.commit("a.md")
    inner = Repo(repo.root / "inner")
    commit = inner.commit("b.md", when=FIRST + 77)
    paths = [repo.root / "a.md", repo.root / "inner" / "b.md"]
    found = last_changes(paths)
    assert found[paths[1]] == Change(commit, FIRST + 77)
    assert found[paths[0]] == Change(repo.log_commit("a.md"), repo.log_date("a.md"))


def test_a_linked_worktree_has_its_own_head(repo: Repo, tmp_path: Path) -> None:
    repo.commit("a.md", when=FIRST)
    repo.git("worktree", "add", "-q", "-b", "topic", os.fspath(tmp_path / "linked"))
    repo.commit("a.md", when=FIRST + 50)
    path = tmp_path / "linked" / "a.md"
    found = last_changes([path])[path]
    assert isinstance(found, Change)
    assert found.time == FIRST


def test_a_new_commit_is_seen_wherever_head_leads(repo: Repo, tmp_path: Path) -> None:
    """The build of a server remembers dates for as long as HEAD names the same commit."""
    repo.commit("a.md")
    repo.git("worktree", "add", "-q", os.fspath(tmp_path / "linked"))
    linked = Repo.__new__(Repo)
    linked.root, linked._clock = tmp_path / "linked", FIRST
    linked.git("update-ref", "refs/worktree/own", "HEAD")
    linked.git("symbolic-ref", "HEAD", "refs/worktree/own")
    (repo.root / ".git/HEAD").write_bytes(b"ref:\t refs/heads/main\0\n")
    for each in (linked, repo):
        path = each.root / "a.md"
        for _ in range(2):
            path.write_text(f"{time.monotonic_ns()}")
            each.git("commit", "-qam", "change")
            found = last_changes([path])[path]
            assert isinstance(found, Change)
            assert found.commit == each.git("rev-parse", "HEAD")


def test_a_submodule_answers_for_its_own_files(repo: Repo, tmp_path: Path) -> None:
    other = Repo(tmp_path / "other")
    commit = other.commit("b.md")
    repo.commit("a.md")
    repo.git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", other.root.as_uri(), "sub")
    repo.commit()
    path = repo.root / "sub" / "b.md"
    found = last_changes([path])[path]
    assert isinstance(found, Change)
    assert found.commit == commit
    assert_equals_git_log(repo)


def test_a_path_through_a_linked_folder(repo: Repo, tmp_path: Path) -> None:
    repo.commit("docs/a.md")
    (tmp_path / "link").symlink_to(repo.root / "docs")
    path = tmp_path / "link" / "a.md"
    assert isinstance(last_changes([path])[path], Change)


def test_a_link_is_a_file_of_its_own(repo: Repo) -> None:
    repo.commit("a.md")
    (repo.root / "link.md").symlink_to("a.md")
    linked = repo.commit()
    repo.commit("a.md")
    found = last_changes([repo.root / "link.md"])[repo.root / "link.md"]
    assert isinstance(found, Change)
    assert found.commit == linked
    assert_equals_git_log(repo)


@pytest.mark.parametrize("depth", [1, 3])
def test_at_a_shallow_boundary_nothing_is_invented(repo: Repo, tmp_path: Path, depth: int) -> None:
    for name in ("a.md", "b.md", "c.md", "d.md", "e.md"):
        repo.commit(name)
    shallow = repo.clone(tmp_path / "shallow", f"--depth={depth}")
    truth, found = all_changes(repo), all_changes(shallow)
    assert [name for name, answer in found.items() if isinstance(answer, Change)] == ["e.md", "d.md"][
        : depth - 1
    ][::-1]
    boundary = repo.log_date({1: "e.md", 3: "c.md"}[depth])
    for name, answer in found.items():
        if isinstance(answer, Unknown):
            assert (answer.reason, answer.not_after) == (Reason.BOUNDARY, boundary)
        else:
            assert answer == truth[name]
    shallow.git("fetch", "-q", "--unshallow")
    assert all_changes(shallow) == truth


def test_a_boundary_without_a_date_may_be_of_any_time(repo: Repo) -> None:
    repo.commit("a.md")
    people = "author A <a@e> 1 +0000\ncommitter A <a@e> x\n"
    commit = repo.hash_object("commit", f"tree {repo.git('rev-parse', 'HEAD:')}\n{people}\nx\n".encode())
    repo.git("reset", "-q", "--hard", commit)
    repo.write(".git/shallow", f"{commit}\n")
    answer = last_changes([repo.root / "a.md"])[repo.root / "a.md"]
    assert isinstance(answer, Unknown)
    assert (answer.reason, answer.not_after) == (Reason.BOUNDARY, 2**63)


HOSTILE_CONFIG = """
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


def test_the_users_git_configuration_changes_nothing(repo: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    repo.commit("a.md", "b.md")
    repo.write("b.md", "0")
    repo.commit_each(*["b.md"] * 100)  # a longer history is listed ahead
    repo.commit("b.md")
    paths = [repo.root / name for name in ("a.md", "b.md")]
    before = all_changes(repo), last_additions(paths)
    Path(os.environ["HOME"], ".gitconfig").write_text(HOSTILE_CONFIG)
    assert (all_changes(repo), last_additions(paths)) == before


def test_git_variables_change_nothing(repo: Repo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    repo.commit("a.md")
    before = all_changes(repo)
    other = Repo(tmp_path / "other")
    other.commit("a.md")
    for name, value in {
        "GIT_DIR": os.fspath(other.root / ".git"),
        "GIT_WORK_TREE": os.fspath(other.root),
        "GIT_OBJECT_DIRECTORY": os.fspath(tmp_path),
        "GIT_INDEX_FILE": os.fspath(tmp_path / "none"),
        "GIT_NAMESPACE": "x",
        "GIT_LITERAL_PATHSPECS": "1",
        "GIT_NO_REPLACE_OBJECTS": "1",
        "GIT_CEILING_DIRECTORIES": os.fspath(repo.root),
        "GIT_TRACE": "1",
    }.items():
        monkeypatch.setenv(name, value)
    assert all_changes(repo) == before


@pytest.mark.skipif(sys.platform == "win32", reason="the git that counts is a shell script")
def test_few_processes_a_repository_however_many_files_and_none_again(
    repo: Repo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Counted by a git on the PATH that notes each call and then is git."""
    names = [f"{number}/page.md" for number in range(30)]
    repo.commit(*names)
    for _ in range(60):
        repo.commit()
    git = shutil.which("git")
    calls = tmp_path / "calls"
    wrapper = tmp_path / "bin" / "git"
    wrapper.parent.mkdir()
    wrapper.write_text(f'#!/bin/sh\necho "$@" >> {calls}\nexec {git} "$@"\n')
    wrapper.chmod(0o755)
    monkeypatch.setenv("PATH", f"{wrapper.parent}{os.pathsep}{os.environ['PATH']}")
    found = last_changes([repo.root / name for name in names])
    assert {type(answer) for answer in found.values()} == {Change}
    lines = calls.read_text().splitlines()
    assert [line.split()[-1] for line in lines if "page.md" in line] == []
    assert len(lines) in (4, 6)  # with git 2.52 and newer, which have last-modified, and with older ones
    assert len(last_changes([repo.root / name for name in names])) == len(names)
    assert len(calls.read_text().splitlines()) == len(lines)


def test_a_blobless_clone_needs_no_fetch(repo: Repo, tmp_path: Path) -> None:
    repo.commit("a.md")
    repo.commit("b.md")
    repo.git("config", "uploadpack.allowFilter", "true")
    clone = repo.clone(tmp_path / "partial", "--filter=blob:none", "--no-checkout")
    shutil.move(repo.root, tmp_path / "gone")
    assert all_changes(clone) == all_changes_of(tmp_path / "gone")


def all_changes_of(root: Path) -> dict[str, Answer]:
    repo = Repo.__new__(Repo)
    repo.root = root
    return all_changes(repo)


def test_a_treeless_clone_is_unknown_and_fetches_nothing(repo: Repo, tmp_path: Path) -> None:
    Path(os.environ["HOME"], ".gitconfig").write_text('[protocol "file"]\n\tallow = always\n')
    repo.commit("a.md")
    repo.commit("b.md")
    repo.git("config", "uploadpack.allowFilter", "true")
    clone = repo.clone(tmp_path / "partial", "--filter=tree:0", "--no-checkout")
    before = sorted((clone.root / ".git" / "objects").rglob("*"))
    path = clone.root / "a.md"
    assert unknown(last_changes([path])[path]) is Reason.INCOMPLETE
    assert sorted((clone.root / ".git" / "objects").rglob("*")) == before


def test_a_sparse_checkout_has_the_dates_of_all_files(repo: Repo) -> None:
    repo.commit("docs/a.md", "src/b.py")
    repo.commit("src/b.py")
    before = all_changes(repo)
    repo.git("sparse-checkout", "set", "docs")
    assert not (repo.root / "src").exists()
    assert all_changes(repo) == before
    assert_equals_git_log(repo)


def test_a_work_tree_that_is_elsewhere_gives_no_foreign_dates(repo: Repo) -> None:
    """git would look for the page at another place, as a submodule's own setting does not."""
    repo.commit("a.md", "docs/a.md")
    path = repo.root / "docs/a.md"
    repo.git("config", "core.worktree", "../docs")
    assert unknown(last_changes([path])[path]) is Reason.UNREADABLE
    repo.git("config", "core.worktree", "..")
    assert isinstance(last_changes([path])[path], Change)


def test_a_bare_repository_in_a_checkout_is_no_repository_of_its_files(repo: Repo) -> None:
    repo.commit("a.md")
    subprocess.run(["git", "init", "-q", "--bare", repo.root / "docs"], check=True)
    path = repo.write("docs/page.md")
    assert unknown(last_changes([path])[path]) is Reason.UNTRACKED
    (repo.root / ".git").rename(repo.root / "moved")
    assert unknown(last_changes([path])[path]) is Reason.NO_REPOSITORY


def test_a_bare_repository_is_read_where_it_is_named(repo: Repo, tmp_path: Path) -> None:
    repo.commit("a.md")
    subprocess.run(["git", "clone", "-q", "--bare", repo.root, tmp_path / "bare"], check=True)
    assert all_changes_of(tmp_path / "bare") == all_changes(repo)
    inside = tmp_path / "bare" / "a.md"
    assert unknown(last_changes([inside])[inside]) is Reason.NO_REPOSITORY


@pytest.mark.parametrize(
    "date",
    [
        "1700000000 +0000",
        "1700000000",
        "1700000000 +0000 x",
        "-100 +0000",
        "abc +0000",
        "1700000000 UTC",
        "999999999999 +0000",
        "0 +0000",
        "99999999999999999999999 +0000",
        "9" * 5000 + " +0000",
        "18000 -0500",
        "17999 -0500",
        "150-000983",
        "120 -0002",
        "119 -0002",
        "1700000000 +051800",
        "1700000000 -9999999",
        "1700000000 +99999999",
        "67768036191676799 +0000",
        "67768036191676799 +0001",
        "1234567890 +0000\nx-extra a\0b\ncommitter A <a@example.org> 1600000000 +0000",
        "1234567890 +0000\nx-extra a\n\0\ncommitter A <a@example.org> 1600000000 +0000",
    ],
)
def test_a_date_that_git_cannot_read_is_none(repo: Repo, date: str) -> None:
    repo.commit("a.md")
    tree = repo.git("rev-parse", "HEAD^{tree}")
    author, committer = (f"A <a@example.org> {each}" for each in ("1500000000 +0000", date))
    commit = subprocess.run(
        ["git", "hash-object", "-t", "commit", "-w", "--literally", "--stdin"],
        cwd=repo.root,
        input=f"tree {tree}\nauthor {author}\ncommitter {committer}\n\nx\n".encode(),
        capture_output=True,
        check=True,
    ).stdout.decode()
    repo.git("update-ref", "HEAD", commit.strip())
    said = repo.git("log", "-1", "--format=%ct", "--", "a.md")
    answer = last_changes([repo.root / "a.md"])[repo.root / "a.md"]
    if isinstance(answer, Change):
        assert str(answer.time) == said
    else:
        assert answer.reason is Reason.NO_DATE
        assert said == "" or len(said) > 16


def test_a_folder_whose_name_ends_in_a_carriage_return(repo: Repo) -> None:
    repo.commit("a/x", "a\r/x")
    for _ in range(5):
        repo.commit("a\r/x")
    path = repo.root / "a\r" / "x"
    answer = last_changes([path])[path]
    assert isinstance(answer, Change)
    assert answer.commit == repo.git("rev-parse", "HEAD")


def test_a_bare_repository_that_is_named_is_read_under_a_strict_configuration(
    repo: Repo, tmp_path: Path
) -> None:
    repo.commit("a.md")
    subprocess.run(["git", "clone", "-q", "--bare", repo.root, tmp_path / "bare"], check=True)
    Path(os.environ["HOME"], ".gitconfig").write_text("[safe]\n\tbareRepository = explicit\n")
    assert all_changes_of(tmp_path / "bare") == all_changes(repo)


def test_one_walk_for_as_long_as_head_stands(repo: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    names = ["a.md", "b.md"]
    repo.commit(*names)
    paths = [repo.root / name for name in names]
    before = last_changes(paths)
    monkeypatch.setenv("PATH", "")  # nobody can walk now
    assert last_changes(paths) == before
    assert last_changes(paths[:1]) == {paths[0]: before[paths[0]]}
    assert unknown(last_changes(paths, Rules("author"))[paths[0]]) is Reason.NO_GIT
    monkeypatch.undo()
    repo.commit("b.md")
    after = last_changes(paths)
    assert after[paths[0]] == before[paths[0]]
    assert after[paths[1]] == Change(repo.log_commit("b.md"), repo.log_date("b.md"))
    repo.git("pack-refs", "--all")
    repo.commit("a.md")
    repo.git("pack-refs", "--all")
    assert last_changes(paths)[paths[0]] == Change(repo.log_commit("a.md"), repo.log_date("a.md"))
    repo.git("checkout", "-q", "HEAD~2")
    assert last_changes(paths) == before


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


@pytest.mark.parametrize("asked", [last_changes, last_additions])
def test_after_some_walks_one_answers_all_files(repo: Repo, walked: list[int | None], asked: Any) -> None:
    """A host may name the files of each page when the page's turn comes: 300 of them were 300 walks."""
    names = [f"{number}.md" for number in range(9)]
    for name in names:
        repo.commit(name)
    for name in [*names, *names]:
        path = repo.root / name
        assert asked([path]) == {path: Change(repo.log_commit(name), repo.log_date(name))}
    assert unknown(asked([repo.root / "new.md"])[repo.root / "new.md"]) is Reason.UNTRACKED
    assert walked == [1, 1, 1, 1, None]
    repo.commit("9.md")
    asked([repo.root / "9.md"])
    assert walked == [1, 1, 1, 1, None, 1]


def test_an_incomplete_history_is_not_walked_for_each_file(repo: Repo, walked: list[int | None]) -> None:
    names = [f"{number}.md" for number in range(9)]
    first = repo.commit(*names)
    repo.commit("other.md")
    (repo.root / ".git/objects" / first[:2] / first[2:]).unlink()
    for name in names:
        assert unknown(last_changes([repo.root / name])[repo.root / name]) is Reason.INCOMPLETE
    assert walked == [1, 1, 1, 1, None]


def test_a_cause_that_is_cured_is_not_remembered(repo: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    repo.commit("a.md")
    path = repo.root / "a.md"
    with monkeypatch.context() as without:
        without.setenv("PATH", "")
        assert unknown(last_changes([path])[path]) is Reason.NO_GIT
    assert isinstance(last_changes([path])[path], Change)


def ask_with(repo: Repo, *names: bytes) -> Answer:
    repository = find_repository(repo.root)
    assert repository is not None
    return search.search(repository, {*names}, Rules())[0][names[0]]


def test_a_file_and_a_path_below_it_may_both_be_asked_for(repo: Repo) -> None:
    commit = repo.commit("d")
    answer = ask_with(repo, b"d", b"d/a", b"d/a/b")
    assert isinstance(answer, Change)
    assert answer.commit == commit


def test_a_circle_of_grafts_ends(repo: Repo) -> None:
    first = repo.commit("f.md")
    second = repo.commit("g.md")
    repo.commit("h.md")
    grafts = repo.root / ".git" / "info" / "grafts"
    grafts.parent.mkdir(exist_ok=True)
    grafts.write_text(f"{first} {second}\n")
    assert unknown(last_changes([repo.root / "f.md"])[repo.root / "f.md"]) is Reason.INCOMPLETE


@pytest.mark.skipif(sys.platform == "win32", reason="no file there has a colon in its name")
def test_below_a_colon_git_opens_the_repository_that_was_found_or_none(tmp_path: Path) -> None:
    """GIT_CEILING_DIRECTORIES cannot name such a folder, and git reads 256 bytes of a HEAD."""
    outer = Repo(tmp_path / "x:y")
    outer.commit("f.md")
    inner = Repo(outer.root / "inner")
    inner.commit("f.md", when=FIRST + 999)
    paths = [repo.root / "f.md" for repo in (outer, inner)]
    known = last_changes(paths).values()
    assert [each.commit for each in known if isinstance(each, Change)] == [
        repo.log_commit("f.md") for repo in (outer, inner)
    ]
    (inner.root / ".git" / "HEAD").write_text(f"ref:{' ' * 300}refs/heads/main\n")
    assert isinstance(last_changes(paths)[paths[1]], Unknown)


def test_a_folder_with_a_broken_head_gives_no_dates_of_the_one_above(tmp_path: Path) -> None:
    outer = Repo(tmp_path / "x:y")
    outer.commit("f.md")
    inner = Repo(outer.root / "inner")
    (inner.root / ".git" / "HEAD").write_text("")
    path = inner.root / "f.md"
    path.touch()
    assert isinstance(last_changes([path])[path], Unknown)


BROKEN_FILES = [
    ("HEAD", b"ref: refs/heads/main\0\0"),
    ("HEAD", b"ref: refs/../../../../../../../../../../dev/zero\n"),
    ("HEAD", b""),
    ("commondir", b"x" * 5000),
    ("packed-refs", b"\0" * 100),
    ("shallow", b"not a name\n"),
]


@pytest.mark.parametrize(("name", "content"), BROKEN_FILES)
def test_a_broken_file_of_the_repository_raises_nothing(repo: Repo, name: str, content: bytes) -> None:
    repo.commit("a.md")
    (repo.root / ".git" / name).write_bytes(content)
    path = repo.root / "a.md"
    assert isinstance(last_changes([path])[path], Change | Unknown)


def test_a_path_that_no_file_can_have_raises_nothing(repo: Repo) -> None:
    repo.commit("a.md")
    long = repo.root / ("n" * 300) / "a.md"
    found = last_changes([repo.root / "a.md", long])
    assert isinstance(found[repo.root / "a.md"], Change)
    assert isinstance(found[long], Unknown)


@pytest.mark.parametrize("name", ["a\0b", "a\0b/c.md", "\ud800", "\ud800/c.md"])
def test_a_path_that_a_note_makes_up_raises_nothing(repo: Repo, name: str) -> None:
    """Notes are files that anybody may write; in JSON, a text can have half of a character."""
    repo.commit("a.md")
    path = repo.root / name
    assert isinstance(last_changes([path])[path], Unknown)
    assert isinstance(explain_files([path], Rules())[path][0].answer, Unknown)
    assert untracked([path]) <= {path}


def test_an_ignore_file_that_is_a_device_is_not_read(repo: Repo) -> None:
    repo.commit("a.md")
    (repo.root / ".git-blame-ignore-revs").symlink_to("/dev/zero")
    path = repo.root / "a.md"
    assert isinstance(last_changes([path], Rules(ignored=None))[path], Change)


def test_an_ignored_rename_is_still_a_rename(repo: Repo) -> None:
    first = repo.commit("a.md")
    repo.git("mv", "a.md", "b.md")
    renamed = repo.commit()
    path = repo.root / "b.md"
    for ignored in (frozenset[bytes](), frozenset({renamed.encode()})):
        answer = last_changes([path], Rules(ignored=ignored, follow_renames=True))[path]
        assert isinstance(answer, Change)
        assert answer.commit == first


def test_what_was_skipped_is_told_once_from_the_newest(repo: Repo) -> None:
    first = repo.commit("a.md")
    repo.git("mv", "a.md", "b.md")
    renamed = repo.commit()
    ignored = repo.commit("b.md")
    path = repo.root / "b.md"
    answer = last_changes([path], Rules(ignored=frozenset({ignored.encode()}), follow_renames=True))[path]
    assert isinstance(answer, Change)
    assert answer.commit == first
    assert answer.skips == (
        Skip("ignored", ignored, renamed, b""),
        Skip("renamed", renamed, first, b"a.md"),
    )


@pytest.mark.parametrize("last", [last_changes, last_additions])
def test_a_file_that_is_changed_after_its_folder_was_renamed_keeps_its_date(
    repo: Repo, last: Callable[[Sequence[Path], Rules], dict[Path, Answer]]
) -> None:
    """The others are looked for at the rename with the names of all, and it has been renamed there too."""
    names = [f"{name}.md" for name in "abcdef"]
    for name in names:
        repo.write(f"old/{name}", name)
    first = repo.commit()
    repo.git("mv", "old", "new")
    repo.commit()
    repo.write("new/f.md", "another text")
    changed = repo.commit()
    found = last([repo.root / "new" / name for name in names], Rules(follow_renames=True))
    commits = [getattr(found[repo.root / "new" / name], "commit", None) for name in names]
    assert commits == [first] * 5 + [changed if last is last_changes else first]


def test_copies_of_a_folder_that_are_renamed_at_once_are_all_followed(repo: Repo) -> None:
    for name in ("one/a.md", "one/b.md", "two/a.md", "two/b.md"):
        repo.write(name, name[-4:])
    first = repo.commit()
    repo.git("mv", "one", "three")
    repo.git("mv", "two", "four")
    repo.commit()
    paths = [repo.root / name for name in ("three/a.md", "three/b.md", "four/a.md", "four/b.md")]
    found = last_changes(paths, Rules(follow_renames=True))
    assert {getattr(found[path], "commit", None) for path in paths} == {first}


def test_of_two_removed_files_the_one_with_the_same_last_name_is_followed(repo: Repo) -> None:
    """Also if another one comes first by its path; without one of that name, it is the first."""
    for name in ("a/x.md", "z/deep/page.md", "b/y.md"):
        repo.write(name, "same")
        repo.commit()
    removed = repo.git("log", "--format=%H").split()
    repo.git("rm", "-q", "-r", "a", "b", "z")
    repo.write("page.md", "same")
    repo.write("other.md", "same")
    repo.commit()
    found = last_changes([repo.root / "page.md", repo.root / "other.md"], Rules(follow_renames=True))
    assert [(getattr(each, "commit", ""), each.skips[0].old_name) for each in found.values()] == [
        (removed[1], b"z/deep/page.md"),
        (removed[2], b"a/x.md"),
    ]


def test_head_written_without_a_blank(repo: Repo) -> None:
    repo.commit("a.md")
    path = repo.root / "a.md"
    (repo.root / ".git" / "HEAD").write_text("ref:refs/heads/main\n")
    last_changes([path])
    repo.commit("a.md")
    (repo.root / ".git" / "HEAD").write_text("ref:refs/heads/main\n")
    answer = last_changes([path])[path]
    assert isinstance(answer, Change)
    assert answer.commit == repo.git("rev-parse", "refs/heads/main")


def test_a_head_that_is_a_symbolic_link(repo: Repo) -> None:
    """As core.preferSymlinkRefs makes it."""
    repo.commit("a.md")
    head = repo.root / ".git" / "HEAD"
    head.unlink()
    head.symlink_to("refs/heads/main")
    assert_equals_git_log(repo)
    repo.git("pack-refs", "--all")  # the link leads nowhere from here on
    assert_equals_git_log(repo)


def test_a_file_named_git_that_names_no_folder_begins_no_repository(repo: Repo) -> None:
    repo.commit("docs/a.md")
    repo.write("docs/.git", "not a gitdir line\n")
    path = repo.root / "docs" / "a.md"
    assert last_changes([path])[path] == Change(repo.log_commit("docs/a.md"), repo.log_date("docs/a.md"))


@pytest.mark.skipif(sys.platform == "win32", reason="there, what starts is told by its suffix")
def test_a_git_that_does_not_start_is_no_git(
    repo: Repo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As one that was built for another processor."""
    repo.commit("a.md")
    program = tmp_path / "git"
    program.write_bytes(b"\x7fELF of another machine")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    path = repo.root / "a.md"
    assert unknown(last_changes([path])[path]) is Reason.NO_GIT
