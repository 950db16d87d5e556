"""Which commit added a file, on repositories made by hand; ``git log --diff-filter=A -1`` is the truth."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

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
    tracked_additions,
)
from tests.support.gitrepo import FIRST, Repo


def all_additions(repo: Repo, rules: Rules | None = None) -> dict[str, Answer]:
    repository = find_repository(repo.root)
    assert repository is not None
    found = tracked_additions(repository, [b""], rules or Rules())[b""]
    return {os.fsdecode(name): answer for name, answer in found.items()}


def truth(repo: Repo, name: str) -> str:
    return repo.git("log", "--diff-filter=A", "-1", "--format=%H %ct", "--", name)


def assert_equals_git_log(repo: Repo) -> None:
    """Every tracked file has the commit and the date that git log gives."""
    found = all_additions(repo)
    assert sorted(found) == sorted(
        repo.git("ls-tree", "-r", "-z", "--name-only", "HEAD").rstrip("\0").split("\0")
    )
    for name, answer in found.items():
        assert isinstance(answer, Change), name
        assert f"{answer.commit} {answer.time}" == truth(repo, name), name


def commit_of(answer: Answer) -> str:
    assert isinstance(answer, Change), answer
    return answer.commit


def reason_of(answer: Answer) -> Reason:
    assert isinstance(answer, Unknown), answer
    return answer.reason


def test_changes_after_it_do_not_matter(repo: Repo) -> None:
    first = repo.commit("a.md", "docs/b.md")
    second = repo.commit("a.md", "docs/c.md")
    repo.commit("a.md", "docs/b.md", "docs/c.md")
    (repo.root / "a.md").chmod(0o755)
    repo.git("add", "--chmod=+x", "a.md")
    repo.commit()
    found = all_additions(repo)
    assert {name: commit_of(answer) for name, answer in found.items()} == {
        "a.md": first,
        "docs/b.md": first,
        "docs/c.md": second,
    }
    assert_equals_git_log(repo)


def test_a_file_that_was_deleted_and_added_again(repo: Repo) -> None:
    repo.commit("docs/a.md", "b.md")
    repo.git("rm", "-q", "docs/a.md")
    repo.commit()
    again = repo.commit("docs/a.md")
    repo.commit("docs/a.md")
    assert commit_of(all_additions(repo)["docs/a.md"]) == again
    assert_equals_git_log(repo)


def test_a_new_type_is_no_addition(repo: Repo) -> None:
    first = repo.commit("a.md", "b.md")
    (repo.root / "a.md").unlink()
    (repo.root / "a.md").symlink_to("b.md")
    repo.commit()
    assert commit_of(all_additions(repo)["a.md"]) == first
    assert_equals_git_log(repo)


def test_a_file_of_a_branch_is_not_dated_by_its_merge(repo: Repo) -> None:
    repo.commit("a.md")
    repo.git("checkout", "-q", "-b", "topic")
    added = repo.commit("b.md")
    repo.commit("b.md")
    repo.git("checkout", "-q", "main")
    repo.commit("a.md")
    repo.merge("topic")
    repo.commit()
    assert commit_of(all_additions(repo)["b.md"]) == added
    assert_equals_git_log(repo)


@pytest.mark.parametrize("kept", ["ours", "theirs", "both"])
def test_a_file_that_two_branches_add(repo: Repo, kept: str) -> None:
    """A merge that keeps one side follows that side; otherwise, git names the newer one."""
    repo.commit("a.md")
    repo.git("checkout", "-q", "-b", "topic")
    theirs = repo.commit("b.md")
    repo.git("checkout", "-q", "main")
    ours = repo.commit("b.md")
    repo.git("checkout", "-q", "topic")
    repo.commit("b.md")
    repo.git("checkout", "-q", "main")
    repo.merge("topic")
    if kept == "both":
        repo.write("b.md", "resolved\n")
    else:
        repo.git("checkout", f"--{kept}", "b.md")
    repo.commit()
    assert commit_of(all_additions(repo)["b.md"]) == (theirs if kept == "theirs" else ours)
    assert_equals_git_log(repo)


def test_a_branch_without_the_file_is_left_at_a_merge_that_changes_it(repo: Repo) -> None:
    """git walks there too, where an earlier file of this name may be, but the addition is newer."""
    repo.commit("a.md", "b.md")
    repo.git("rm", "-q", "b.md")
    repo.commit()
    repo.git("branch", "side")
    added = repo.commit("b.md")
    repo.git("checkout", "-q", "side")
    repo.commit("c.md")
    repo.git("checkout", "-q", "main")
    repo.merge("side")
    repo.write("b.md", "evil\n")
    repo.commit()
    assert commit_of(all_additions(repo)["b.md"]) == added
    assert_equals_git_log(repo)


@pytest.mark.parametrize("into", ["main", "side"])
def test_a_newer_life_of_the_file_in_a_branch_that_has_lost_it(repo: Repo, into: str) -> None:
    """There, git finds another addition first."""
    repo.commit("a.md")
    repo.git("branch", "side")
    repo.commit("b.md")
    repo.git("checkout", "-q", "side")
    there = repo.commit("b.md")
    repo.git("rm", "-q", "b.md")
    repo.commit()
    side = repo.git("rev-parse", "side")
    repo.git("checkout", "-q", into)
    repo.merge("side" if into == "main" else "main")
    repo.write("b.md", "evil\n")
    repo.commit()
    assert truth(repo, "b.md").split()[0] == there
    assert_equals_git_log(repo)
    repo.write(".git/shallow", side + "\n")  # what lies beyond may be newer
    assert reason_of(all_additions(repo)["b.md"]) is Reason.BOUNDARY


def test_a_file_that_only_a_merge_added_is_unknown(repo: Repo) -> None:
    """git log shows nothing of it, or an older file of the same name."""
    repo.commit("a.md", "old.md")
    repo.git("rm", "-q", "old.md")
    repo.commit()
    repo.git("checkout", "-q", "-b", "topic")
    repo.commit("b.md")
    repo.git("checkout", "-q", "main")
    repo.commit("a.md")
    repo.merge("topic")
    repo.commit("new.md", "old.md")
    repo.commit("new.md")
    assert truth(repo, "new.md") == ""
    found = all_additions(repo)
    assert reason_of(found["new.md"]) is reason_of(found["old.md"]) is Reason.MERGED
    assert isinstance(found["b.md"], Change)


def test_a_file_in_the_place_of_a_folder(repo: Repo, tmp_path: Path) -> None:
    """git may take it for a renamed file of that folder, by contents that are not read here."""
    other = Repo(tmp_path / "other")
    other.commit("x")
    repo.commit("doc/a.md", "module/a.md", "link/a.md", "b.md")
    repo.git("rm", "-q", "-r", "doc", "module", "link")
    (repo.root / "doc").write_text("a file")
    (repo.root / "link").symlink_to("b.md")
    repo.git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", other.root.as_uri(), "module")
    commit = repo.commit()
    found = all_additions(repo)
    assert {reason_of(found[name]) for name in ("doc", "module", "link")} == {Reason.FOLDER}
    assert commit_of(found["b.md"]) == truth(repo, "b.md").split()[0] != commit


def test_a_file_in_the_place_of_a_folder_whose_name_comes_later(repo: Repo) -> None:
    """In a tree, ``guide.md`` is between the file ``guide`` and a folder of that name."""
    pages = [f"page-{number}.md" for number in range(40)]  # so large a tree is compared without parsing
    first = repo.commit("guide/a.md", "guide.md", *pages)
    text = (repo.root / "guide/a.md").read_text()
    repo.git("rm", "-q", "-r", "guide")
    repo.write("guide", text)
    repo.commit()
    assert truth(repo, "guide").split()[0] == first  # a rename, for git
    assert reason_of(all_additions(repo)["guide"]) is Reason.FOLDER


def test_clocks_that_run_backwards(repo: Repo) -> None:
    """git passes commits by their dates: a parent may come long before its child."""
    repo.commit("a.md", when=FIRST + 5000)
    repo.git("checkout", "-q", "-b", "topic")
    for when in (900, 800, 950):
        repo.commit("b.md", when=FIRST + when)
    repo.git("checkout", "-q", "main")
    for when in (700, 6000, 100):
        repo.commit("b.md", "c.md", when=FIRST + when)
    repo.merge("topic")
    repo.write("b.md", "resolved\n")
    repo.write("a.md", "evil\n")
    repo.commit(when=FIRST + 7000)
    assert_equals_git_log(repo)


def test_two_branches_add_it_in_the_same_second(repo: Repo) -> None:
    """git has an order of its own then: it is asked."""
    repo.commit("a.md", when=FIRST)
    for branch in ("one", "two"):
        repo.git("checkout", "-q", "-b", branch, "main")
        repo.commit("b.md", when=FIRST + 1)
    repo.merge("one")
    repo.write("b.md", "resolved\n")
    repo.commit(when=FIRST + 2)
    assert_equals_git_log(repo)


def test_branches_of_the_same_second_that_lead_to_one_addition(repo: Repo) -> None:
    added = repo.commit("b.md", when=FIRST)
    for branch in ("one", "two"):
        repo.git("checkout", "-q", "-b", branch, "main")
        repo.commit("b.md", when=FIRST)
    repo.merge("one")
    repo.write("b.md", "resolved\n")
    repo.commit(when=FIRST)
    assert commit_of(all_additions(repo)["b.md"]) == added
    assert_equals_git_log(repo)


@pytest.mark.parametrize("depth", [1, 3])
def test_at_a_shallow_boundary_nothing_is_invented(repo: Repo, tmp_path: Path, depth: int) -> None:
    for name in ("a.md", "b.md", "c.md", "d.md", "e.md"):
        repo.commit(name)
    shallow = repo.clone(tmp_path / "shallow", f"--depth={depth}")
    full, found = all_additions(repo), all_additions(shallow)
    known = [name for name, answer in found.items() if isinstance(answer, Change)]
    assert known == ["d.md", "e.md"][3 - depth :]
    boundary = repo.log_date({1: "e.md", 3: "c.md"}[depth])
    for name, answer in found.items():
        if isinstance(answer, Unknown):
            assert (answer.reason, answer.not_after) == (Reason.BOUNDARY, boundary)
        else:
            assert answer == full[name]


def test_a_pure_rename_is_followed_to_the_oldest_name(repo: Repo) -> None:
    first = repo.commit("a.md", "x.md")
    repo.git("mv", "a.md", "b.md")
    renamed = repo.commit()
    repo.commit("b.md")
    repo.git("mv", "b.md", "docs.md")
    again = repo.commit()
    repo.commit("docs.md")
    assert commit_of(all_additions(repo)["docs.md"]) == again
    found = all_additions(repo, Rules(follow_renames=True))["docs.md"]
    assert commit_of(found) == first
    assert [(skip.why, skip.commit, skip.old_name) for skip in found.skips] == [
        ("renamed", again, b"b.md"),
        ("renamed", renamed, b"a.md"),
    ]


def test_a_rename_with_a_change_is_an_addition(repo: Repo) -> None:
    repo.commit("a.md")
    repo.git("mv", "a.md", "b.md")
    renamed = repo.commit("b.md")
    assert commit_of(all_additions(repo, Rules(follow_renames=True))["b.md"]) == renamed


def test_a_folder_that_a_merge_moves_is_followed(repo: Repo) -> None:
    """As ``git subtree add`` brings another project into a folder."""
    repo.commit("a.md")
    repo.git("checkout", "-q", "--orphan", "other")
    repo.git("rm", "-q", "-r", "--cached", ".")
    (repo.root / "a.md").unlink()
    theirs = repo.commit("page.md")
    repo.git("checkout", "-q", "main")
    repo.git("merge", "-q", "-s", "ours", "--no-commit", "--allow-unrelated-histories", "other")
    repo.git("read-tree", "--prefix=sub/", "-u", "other")
    repo.commit()
    assert reason_of(all_additions(repo)["sub/page.md"]) is Reason.MERGED
    assert commit_of(all_additions(repo, Rules(follow_renames=True))["sub/page.md"]) == theirs


def test_an_ignored_commit_adds_what_it_adds(repo: Repo) -> None:
    added = repo.commit("a.md")
    repo.commit("a.md")
    rules = Rules(ignored=frozenset({added.encode()}))
    assert commit_of(all_additions(repo, rules)["a.md"]) == added


def test_the_author_clock(repo: Repo) -> None:
    repo.commit("a.md")
    repo.commit("a.md")
    answer = all_additions(repo, Rules("author"))["a.md"]
    assert isinstance(answer, Change)
    assert f"{answer.commit} {answer.time}" == repo.git(
        "log", "--diff-filter=A", "-1", "--format=%H %at", "--", "a.md"
    )


def test_the_last_changes_come_with_the_additions(repo: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    """Except where the last change does not count: that needs a walk of its own."""
    repo.commit("a.md", "b.md", "c.md", "docs/d.md")
    repo.git("mv", "c.md", "moved.md")
    repo.commit()
    reformatted = repo.commit("b.md")
    repo.commit("docs/d.md")
    repo.write(".git-blame-ignore-revs", reformatted + "\n")
    paths = [repo.root / name for name in ("a.md", "b.md", "moved.md", "docs/d.md")]
    rules = Rules(ignored=None, follow_renames=True)
    plain = last_changes(paths, rules)
    monkeypatch.setattr(search, "_known", {})
    added = last_additions(paths, rules)
    assert added != plain
    monkeypatch.setenv("PATH", "")  # nobody can walk now
    assert last_additions(paths, rules) == added
    for path in (paths[0], *paths[2:]):
        assert last_changes([path], rules) == {path: plain[path]}
    assert reason_of(last_changes(paths[1:2], rules)[paths[1]]) is Reason.NO_GIT
    monkeypatch.undo()
    assert last_changes(paths, rules) == plain


def test_paths_in_several_places(repo: Repo, tmp_path: Path) -> None:
    repo.commit("a.md")
    paths = [repo.root / "a.md", repo.root / "new.md", tmp_path / "none.md"]
    repo.write("new.md")
    found = last_additions(paths)
    assert commit_of(found[paths[0]]) == repo.log_commit("a.md")
    assert reason_of(found[paths[1]]) is Reason.UNTRACKED
    assert reason_of(found[paths[2]]) is Reason.NO_REPOSITORY


def test_a_missing_commit_leaves_no_dates(repo: Repo) -> None:
    repo.commit("old.md")
    lost = repo.commit("middle.md")
    repo.commit("middle.md")
    repo.commit("new.md")
    (repo.root / ".git/objects" / lost[:2] / lost[2:]).unlink()
    found = all_additions(repo)
    assert (
        reason_of(found["new.md"])
        is reason_of(found["old.md"])
        is reason_of(found["middle.md"])
        is Reason.INCOMPLETE
    )


def test_a_missing_tree_is_not_an_absent_folder(repo: Repo) -> None:
    repo.commit("docs/a.md")
    repo.commit("docs/a.md")
    tree = repo.git("rev-parse", "HEAD~1^{tree}")
    (repo.root / ".git/objects" / tree[:2] / tree[2:]).unlink()
    assert reason_of(all_additions(repo)["docs/a.md"]) is Reason.INCOMPLETE


def test_a_treeless_clone_is_unknown_and_fetches_nothing(repo: Repo, tmp_path: Path) -> None:
    repo.git("config", "uploadpack.allowFilter", "true")
    for _ in range(3):
        repo.commit("docs/a.md")
    clone = repo.clone(tmp_path / "clone", "--filter=tree:0")
    objects = clone.git("count-objects", "-v")
    assert reason_of(all_additions(clone)["docs/a.md"]) is Reason.INCOMPLETE
    assert clone.git("count-objects", "-v") == objects


def test_a_circle_of_grafts_ends(repo: Repo) -> None:
    first = repo.commit("f.md")
    second = repo.commit("g.md")
    repo.commit("h.md")
    grafts = repo.root / ".git" / "info" / "grafts"
    grafts.parent.mkdir(exist_ok=True)
    grafts.write_text(f"{first} {second}\n")
    assert reason_of(all_additions(repo)["f.md"]) is Reason.INCOMPLETE


def test_grafts_and_replaced_commits_are_followed_as_git_does(repo: Repo) -> None:
    first = repo.commit("a.md", "b.md")
    repo.commit("a.md")
    third = repo.commit("a.md")
    fourth = repo.commit("b.md")
    repo.git("replace", "--graft", third, first)
    grafts = repo.root / ".git" / "info" / "grafts"
    grafts.parent.mkdir(exist_ok=True)
    grafts.write_text(f"{fourth}\n")
    assert commit_of(all_additions(repo)["b.md"]) == fourth
    assert_equals_git_log(repo)


def test_a_merge_that_names_a_parent_twice_is_a_merge_for_git(repo: Repo) -> None:
    first = repo.commit("a.md")
    repo.write("b.md")
    repo.git("add", "b.md")
    tree = repo.git("write-tree")
    person = "A <a@example.org> 1700000000 +0000"
    text = f"tree {tree}\nparent {first}\nparent {first}\nauthor {person}\ncommitter {person}\n\nx\n"
    repo.git("update-ref", "HEAD", repo.hash_object("commit", text.encode()))
    assert truth(repo, "b.md") == ""
    assert reason_of(all_additions(repo)["b.md"]) is Reason.MERGED


def test_a_long_history_of_branches_with_clocks_that_run_backwards(repo: Repo) -> None:
    repo.commit("docs/a.md", "docs/b.md", "other/c.md")
    for number in range(6):
        repo.git("checkout", "-q", "-b", f"t{number}")
        repo.commit(f"docs/{number}.md", "docs/a.md", when=FIRST - number)
        repo.commit("docs/b.md")
        repo.git("checkout", "-q", "main")
        repo.commit("other/c.md", f"other/{number}.md")
        if number % 2:
            repo.merge(f"t{number - 1}", f"t{number}", strategy=("-X", "ours"))
            repo.commit("docs/b.md")
    assert_equals_git_log(repo)


def test_names_are_only_ever_names(repo: Repo) -> None:
    repo.commit("--output=x", ":(top)b.md", "HEAD", "docs\r/a.md", 'docs/ü "x".md')
    repo.commit("--output=x")
    assert_equals_git_log(repo)


def test_sha256(tmp_path: Path) -> None:
    repo = Repo(tmp_path / "repo", object_format="sha256")
    repo.commit("docs/a.md")
    repo.commit("docs/a.md", "docs/b.md")
    assert_equals_git_log(repo)


def test_a_clone_without_commits(repo: Repo) -> None:
    subprocess.run(["git", "init", "-q", repo.root], check=True)
    path = repo.root / "a.md"
    assert reason_of(last_additions([path])[path]) is Reason.NO_COMMIT


@pytest.mark.parametrize("is_merge", [False, True])
def test_a_rename_in_place_of_a_folder_is_a_rename(repo: Repo, is_merge: bool) -> None:
    first = repo.commit("old.md", "page.md/x.txt")
    if is_merge:
        repo.git("checkout", "--quiet", "-b", "side")
        repo.commit("side.md")
        repo.git("checkout", "--quiet", "main")
        repo.commit("main.md")
        repo.git("merge", "--quiet", "--no-commit", "side")
    repo.git("rm", "--quiet", "-r", "page.md")
    repo.git("mv", "old.md", "page.md")
    repo.commit()
    rules, page = Rules(follow_renames=True), repo.root / "page.md"
    assert commit_of(last_additions([page], rules)[page]) == first
    assert commit_of(last_changes([page], rules)[page]) == first
    assert reason_of(last_additions([page])[page]) is (Reason.MERGED if is_merge else Reason.FOLDER)


def test_beside_creation_a_file_that_a_merge_brings_to_its_new_name_is_no_change(
    repo: Repo, monkeypatch: pytest.MonkeyPatch
) -> None:
    """git merges an edit of the old name into the new one; that edit is the last change."""
    text = "".join(f"line {number}\n" for number in range(20))
    repo.write("old.md", text)
    repo.commit()
    repo.git("checkout", "--quiet", "-b", "side")
    repo.write("old.md", text + "more\n")
    edit = repo.commit()
    repo.git("checkout", "--quiet", "main")
    repo.git("mv", "old.md", "new.md")
    repo.commit()
    repo.git("merge", "--quiet", "--no-ff", "-m", "merge", "side", when=FIRST + 90_000)
    rules, page = Rules(follow_renames=True), repo.root / "new.md"
    plain = last_changes([page], rules)[page]
    assert commit_of(plain) == edit
    monkeypatch.setattr(search, "_known", {})
    last_additions([page], rules)
    assert last_changes([page], rules)[page] == plain
