"""Histories made by hand, each shape on its own: every file has the commits that git log names."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from docs_sitemap.git import (
    Answer,
    Change,
    Reason,
    Rules,
    Skip,
    Unknown,
    find_repository,
    tracked_additions,
    tracked_changes,
)
from tests.support.gitrepo import FIRST, Repo

Shape = Callable[[Repo], dict[str, Reason] | None]
"""Makes a history; returns the files whose addition is unknown, since git log shows none or guesses."""

SHAPES: list[Shape] = []


def shape(build: Shape) -> Shape:
    SHAPES.append(build)
    return build


def answers(repo: Repo, rules: Rules | None = None, *, added: bool = False) -> dict[str, Answer]:
    repository = find_repository(repo.root)
    assert repository is not None
    ask = tracked_additions if added else tracked_changes
    found = ask(repository, [b""], rules or Rules())[b""]
    return {os.fsdecode(name): answer for name, answer in found.items()}


def log(repo: Repo, name: str, *options: str) -> str:
    return repo.git("log", "-1", "--format=%H %ct", *options, "--", name)


def text_of(answer: Answer) -> str:
    return f"{answer.commit} {answer.time}" if isinstance(answer, Change) else answer.reason.name


def branch(repo: Repo, name: str, start: str = "HEAD") -> None:
    repo.git("checkout", "-q", "-b", name, start)


def main(repo: Repo) -> None:
    repo.git("checkout", "-q", "main")


@pytest.mark.parametrize("object_format", ["sha1", "sha256"])
def test_a_line_of_commits(tmp_path: Path, object_format: str) -> None:
    repo = Repo(tmp_path / "repo", object_format=object_format)
    first = repo.commit("a.md", "guide/b.md", "guide/deep/c.md")
    second = repo.commit("guide/b.md")
    third = repo.commit("a.md", "d.md")
    changes = {"a.md": third, "guide/b.md": second, "guide/deep/c.md": first, "d.md": third}
    assert {name: text_of(answer) for name, answer in answers(repo).items()} == {
        name: f"{commit} {repo.git('show', '-s', '--format=%ct', commit)}" for name, commit in changes.items()
    }
    assert_equals_git_log(repo, {})


def assert_equals_git_log(repo: Repo, unknown: dict[str, Reason]) -> None:
    changes, additions = answers(repo), answers(repo, added=True)
    names = {*repo.git("ls-tree", "-r", "-z", "--name-only", "HEAD").rstrip("\0").split("\0")}
    assert changes.keys() == additions.keys() == names
    for name in names:
        assert text_of(changes[name]) == log(repo, name), name
        wanted = unknown[name].name if name in unknown else log(repo, name, "--diff-filter=A")
        assert text_of(additions[name]) == wanted, name


@shape
def merge_that_touches_nothing(repo: Repo) -> None:
    repo.commit("a.md", "b.md")
    branch(repo, "topic")
    repo.commit("b.md", "new.md")
    main(repo)
    repo.commit("a.md")
    repo.merge("topic")
    repo.commit()


@shape
def conflict_that_a_merge_resolves_and_an_edit_that_nobody_made(repo: Repo) -> None:
    repo.commit("a.md", "b.md")
    branch(repo, "topic")
    repo.commit("a.md")
    main(repo)
    repo.commit("a.md")
    repo.merge("topic")
    repo.write("a.md", "resolved\n")
    repo.commit("b.md")


@shape
def merge_that_keeps_one_side(repo: Repo) -> None:
    repo.commit("a.md")
    branch(repo, "topic")
    repo.commit("a.md")
    main(repo)
    repo.commit("a.md")
    repo.merge("topic", strategy=("-s", "ours"))
    repo.commit()


@shape
def files_that_part_at_merges_and_meet_again(repo: Repo) -> None:
    """Two merges each take one file's old text from a branch, and both branches begin at one commit."""
    repo.commit("x.md", "y.md")
    for _ in range(3):
        fork = repo.commit("z.md")
    for name, other in (("x", "y"), ("y", "x")):
        branch(repo, f"keep-{name}", fork)
        repo.commit(f"{other}.md")
    main(repo)
    repo.commit("x.md", "y.md")
    repo.merge("keep-x", "keep-y", strategy=("-s", "ours"))
    repo.git("checkout", "keep-x", "--", "x.md")
    repo.git("checkout", "keep-y", "--", "y.md")
    repo.commit()


@shape
def files_that_come_to_a_merge_on_two_ways_at_once(repo: Repo) -> None:
    """Those of the second way had no other parent to go to, and the merge itself was the answer."""
    repo.commit("x.md", "y.md", "z.md")
    branch(repo, "feature")
    repo.commit("x.md", "y.md")
    main(repo)
    repo.commit("z.md")
    repo.merge("feature")
    repo.commit()
    branch(repo, "develop")
    repo.commit("z.md")
    main(repo)
    repo.commit("x.md")
    repo.merge("develop", strategy=("-s", "ours"))
    repo.git("checkout", "develop", "--", "x.md", "z.md")
    repo.commit()


@shape
def octopus(repo: Repo) -> None:
    repo.commit("a.md", "b.md", "c.md", "d.md")
    for topic in "bcd":
        branch(repo, topic, "main")
        repo.commit(f"{topic}.md")
    main(repo)
    repo.commit("a.md")
    repo.merge("b", "c", "d")
    merge = repo.commit()
    assert len(repo.git("rev-list", "--parents", "-1", merge).split()) == 5


@shape
def rename(repo: Repo) -> None:
    repo.commit("old.md", "b.md")
    repo.git("mv", "old.md", "new.md")
    repo.commit()
    repo.commit("b.md")


@shape
def file_that_is_deleted_and_added_again_with_the_same_text(repo: Repo) -> None:
    repo.write("docs/a.md", "same\n")
    repo.commit("b.md")
    repo.git("rm", "-q", "docs/a.md")
    repo.commit()
    repo.save("docs/a.md", "same\n")
    repo.commit("b.md")


@shape
def new_mode_and_new_type(repo: Repo) -> None:
    repo.commit("a.md", "b.md", "c.md")
    repo.git("update-index", "--chmod=+x", "a.md")
    repo.git("commit", "-q", "-m", "mode", when=repo.tick())
    repo.git("checkout", "-q", "--", "a.md")
    (repo.root / "b.md").unlink()
    (repo.root / "b.md").symlink_to("c.md")
    repo.commit()


@shape
def folder_that_was_a_file_and_a_submodule(repo: Repo) -> None:
    repo.commit("docs", "other.md")
    repo.git("rm", "-q", "docs")
    repo.git("update-index", "--add", "--cacheinfo", f"160000,{'1' * 40},docs")
    repo.git("commit", "-q", "-m", "submodule", when=repo.tick())
    repo.git("rm", "-q", "--cached", "docs")
    (repo.root / "docs").rmdir() if (repo.root / "docs").is_dir() else None
    repo.commit("docs/a.md")


@shape
def names_that_look_like_something_else(repo: Repo) -> None:
    names = ['ü "x" &.md', ":(exclude)d.rst", "--help", "-", "tab\there.md", "line\nbreak.md", "back\\slash"]
    repo.commit(*names, "*.md", "HEAD", "docs\r/a.md", "docs/a.md", "other.md")
    repo.commit("other.md", "docs\r/a.md", "--help")


@shape
def name_outside_utf8(repo: Repo) -> None:
    repo.commit("caf\udce9.md")  # os.fsdecode(b"caf\xe9.md"), which Windows refuses


def two_branches_add_it(repo: Repo, kept: str) -> None:
    repo.commit("a.md")
    branch(repo, "topic")
    repo.commit("b.md")
    main(repo)
    repo.commit("b.md")
    repo.git("checkout", "-q", "topic")
    repo.commit("b.md")
    main(repo)
    repo.merge("topic")
    if kept == "both":
        repo.write("b.md", "resolved\n")
    else:
        repo.git("checkout", f"--{kept}", "b.md")
    repo.commit()


@shape
def two_branches_add_it_and_a_merge_keeps_ours(repo: Repo) -> None:
    two_branches_add_it(repo, "ours")


@shape
def two_branches_add_it_and_a_merge_keeps_theirs(repo: Repo) -> None:
    two_branches_add_it(repo, "theirs")


@shape
def two_branches_add_it_and_a_merge_keeps_both(repo: Repo) -> None:
    two_branches_add_it(repo, "both")


@shape
def two_branches_add_it_in_the_same_second(repo: Repo) -> None:
    """git has an order of its own then: it is asked."""
    repo.commit("a.md", when=FIRST)
    for name in ("one", "two"):
        branch(repo, name, "main")
        repo.commit("b.md", when=FIRST + 1)
    repo.merge("one")
    repo.write("b.md", "resolved\n")
    repo.commit(when=FIRST + 2)


@shape
def branch_without_the_file_at_a_merge_that_changes_it(repo: Repo) -> None:
    """git walks there too, where an earlier file of this name may be, but the addition is newer."""
    repo.commit("a.md", "b.md")
    repo.git("rm", "-q", "b.md")
    repo.commit()
    repo.git("branch", "side")
    repo.commit("b.md")
    repo.git("checkout", "-q", "side")
    repo.commit("c.md")
    main(repo)
    repo.merge("side")
    repo.save("b.md", "evil\n")


@shape
def files_that_only_a_merge_added(repo: Repo) -> dict[str, Reason]:
    """git log shows nothing of the first, and an older file of the name of the second."""
    repo.commit("a.md", "old.md")
    repo.git("rm", "-q", "old.md")
    repo.commit()
    branch(repo, "topic")
    repo.commit("b.md")
    main(repo)
    repo.commit("a.md")
    repo.merge("topic")
    repo.commit("new.md", "old.md")
    repo.commit("new.md")
    return {"new.md": Reason.MERGED, "old.md": Reason.MERGED}


@shape
def merge_that_names_a_parent_twice(repo: Repo) -> dict[str, Reason]:
    first = repo.commit("a.md")
    repo.write("b.md")
    repo.git("add", "b.md")
    tree = repo.git("write-tree")
    person = "A <a@example.org> 1700000000 +0000"
    text = f"tree {tree}\nparent {first}\nparent {first}\nauthor {person}\ncommitter {person}\n\nx\n"
    repo.git("update-ref", "HEAD", repo.hash_object("commit", text.encode()))
    return {"b.md": Reason.MERGED}


@shape
def files_in_the_place_of_folders(repo: Repo) -> dict[str, Reason]:
    """git may take each for a renamed file of that folder, by contents that are not read here."""
    # in a tree, ``guide.md`` is between the file ``guide`` and a folder of that name
    repo.commit("doc/a.md", "link/a.md", "guide/a.md", "guide.md", "b.md")
    text = (repo.root / "guide/a.md").read_text()
    repo.git("rm", "-q", "-r", "doc", "link", "guide")
    (repo.root / "doc").write_text("a file")
    (repo.root / "link").symlink_to("b.md")
    repo.save("guide", text)
    return dict.fromkeys(("doc", "link", "guide"), Reason.FOLDER)


@shape
def clocks_that_run_backwards(repo: Repo) -> None:
    """git passes commits by their dates: a parent may come long before its child."""
    repo.commit("a.md", "docs/b.md", when=FIRST + 5000)
    for number, merge in enumerate((False, True, False, True)):
        branch(repo, f"t{number}")
        repo.commit(f"docs/{number}.md", "a.md", when=FIRST - number)
        repo.commit("docs/b.md", when=FIRST + 900)
        main(repo)
        repo.commit("c.md", f"other/{number}.md", when=FIRST + 700 - number)
        if merge:
            repo.merge(f"t{number - 1}", f"t{number}", strategy=("-X", "ours"))
            repo.commit("docs/b.md", when=FIRST - 5)


@shape
def grafts_and_replaced_commits(repo: Repo) -> None:
    first = repo.commit("a.md", "b.md")
    repo.commit("a.md")
    third = repo.commit("a.md")
    fourth = repo.commit("b.md")
    repo.git("replace", "--graft", third, first)
    grafts = repo.root / ".git" / "info" / "grafts"
    grafts.parent.mkdir(exist_ok=True)
    grafts.write_text(f"{fourth}\n")


@pytest.mark.parametrize("build", SHAPES, ids=lambda build: build.__name__)
def test_every_answer_is_that_of_git_log(repo: Repo, build: Shape) -> None:
    assert_equals_git_log(repo, build(repo) or {})


@pytest.mark.parametrize("into", ["main", "side"])
def test_a_newer_life_of_the_file_in_a_branch_that_has_lost_it(repo: Repo, into: str) -> None:
    """There, git finds another addition first."""
    repo.commit("a.md")
    repo.git("branch", "side")
    repo.commit("b.md")
    repo.git("checkout", "-q", "side")
    repo.commit("b.md")
    repo.git("rm", "-q", "b.md")
    repo.commit()
    side = repo.git("rev-parse", "side")
    repo.git("checkout", "-q", into)
    repo.merge("side" if into == "main" else "main")
    repo.save("b.md", "evil\n")
    assert_equals_git_log(repo, {})
    repo.write(".git/shallow", side + "\n")  # what lies beyond may be newer
    assert text_of(answers(repo, added=True)["b.md"]) == "BOUNDARY"


@pytest.mark.parametrize("added", [False, True])
@pytest.mark.parametrize("depth", [1, 3])
def test_at_a_shallow_boundary_nothing_is_invented(
    repo: Repo, tmp_path: Path, depth: int, added: bool
) -> None:
    for name in ("a.md", "b.md", "c.md", "d.md", "e.md"):
        repo.commit(name)
    shallow = repo.clone(tmp_path / "shallow", f"--depth={depth}")
    full, found = answers(repo, added=added), answers(shallow, added=added)
    boundary = repo.log_date({1: "e.md", 3: "c.md"}[depth])
    for name, answer in found.items():
        if name in ["d.md", "e.md"][3 - depth :]:
            assert answer == full[name]
        else:
            assert isinstance(answer, Unknown)
            assert (answer.reason, answer.not_after) == (Reason.BOUNDARY, boundary)
    shallow.git("fetch", "-q", "--unshallow")
    assert answers(shallow, added=added) == full


@pytest.mark.parametrize("added", [False, True])
def test_the_author_clock(repo: Repo, added: bool) -> None:
    repo.commit("a.md", when=FIRST)
    repo.commit("a.md", when=FIRST + 5)
    answer = answers(repo, Rules("author"), added=added)["a.md"]
    assert isinstance(answer, Change)
    assert answer.time == (FIRST if added else FIRST + 5) - 86400


# Ignored commits and pure renames: git log has no word for them


def ignoring(*commits: str) -> Rules:
    return Rules(ignored=frozenset(commit.encode() for commit in commits), follow_renames=True)


def commit_and_skips(answer: Answer) -> tuple[str, tuple[Skip, ...]]:
    return getattr(answer, "commit", str(answer)), answer.skips


def test_what_was_skipped_is_listed_once_from_the_newest(repo: Repo) -> None:
    first = repo.commit("a.md")
    repo.git("mv", "a.md", "b.md")
    renamed = repo.commit()
    ignored = repo.commit("b.md")
    rename = Skip("renamed", renamed, first, b"a.md")
    for rules in (ignoring(ignored), ignoring(ignored, renamed)):  # an ignored rename is still a rename
        skips = (Skip("ignored", ignored, renamed, b""), rename)
        assert commit_and_skips(answers(repo, rules)["b.md"]) == (first, skips)
        assert commit_and_skips(answers(repo, rules, added=True)["b.md"]) == (first, (rename,))


def test_an_ignored_commit_adds_what_it_adds_and_a_rename_with_a_change_is_an_addition(repo: Repo) -> None:
    first = repo.commit("a.md", "c.md")
    repo.commit("a.md")
    repo.git("mv", "c.md", "d.md")
    renamed = repo.commit("d.md")
    found = answers(repo, ignoring(first), added=True)
    assert [commit_and_skips(found[name]) for name in ("a.md", "d.md")] == [(first, ()), (renamed, ())]


def test_past_an_ignored_merge_the_search_goes_on_at_the_first_parent(repo: Repo) -> None:
    repo.commit("a.md")
    branch(repo, "side")
    repo.commit("a.md")
    main(repo)
    ours = repo.commit("a.md")
    repo.merge("side")
    merge = repo.save("a.md", "resolved")
    assert commit_and_skips(answers(repo, ignoring(merge))["a.md"]) == (ours, (Skip("ignored", merge, ours),))


def test_a_file_that_is_changed_after_its_folder_was_renamed_keeps_its_date(repo: Repo) -> None:
    """The others are looked for at the rename with the names of all, and it has been renamed there too."""
    names = [f"{name}.md" for name in "abcdef"]
    for name in names:
        repo.write(f"old/{name}", name)
    first = repo.commit()
    repo.git("mv", "old", "new")
    repo.commit()
    repo.write("new/f.md", "another text")
    changed = repo.commit()
    for added in (False, True):
        found = answers(repo, ignoring(), added=added)
        commits = [commit_and_skips(found[f"new/{name}"])[0] for name in names]
        assert commits == [first] * 5 + [first if added else changed]


def test_copies_of_a_folder_that_are_renamed_at_once_are_all_followed(repo: Repo) -> None:
    for name in ("one/a.md", "one/b.md", "two/a.md", "two/b.md"):
        repo.write(name, name[-4:])
    first = repo.commit()
    repo.git("mv", "one", "three")
    repo.git("mv", "two", "four")
    repo.commit()
    assert {commit_and_skips(answer)[0] for answer in answers(repo, ignoring()).values()} == {first}


def test_of_two_removed_files_the_one_with_the_same_last_name_is_followed(repo: Repo) -> None:
    """Also if another one comes first by its path; without one of that name, it is the first."""
    for name in ("a/x.md", "z/deep/page.md", "b/y.md"):
        repo.save(name, "same")
    removed = repo.git("log", "--format=%H").split()
    repo.git("rm", "-q", "-r", "a", "b", "z")
    repo.write("page.md", "same")
    repo.save("other.md", "same")
    found = [commit_and_skips(answers(repo, ignoring())[name]) for name in ("page.md", "other.md")]
    assert [(commit, skips[0].old_name) for commit, skips in found] == [
        (removed[1], b"z/deep/page.md"),
        (removed[2], b"a/x.md"),
    ]


def test_a_folder_that_a_merge_moves_is_followed(repo: Repo) -> None:
    """As ``git subtree add`` brings another project into a folder."""
    repo.commit("a.md")
    repo.git("checkout", "-q", "--orphan", "other")
    repo.git("rm", "-q", "-r", "--cached", ".")
    (repo.root / "a.md").unlink()
    theirs = repo.commit("page.md")
    main(repo)
    repo.git("merge", "-q", "-s", "ours", "--no-commit", "--allow-unrelated-histories", "other")
    repo.git("read-tree", "--prefix=sub/", "-u", "other")
    repo.commit()
    assert text_of(answers(repo, added=True)["sub/page.md"]) == "MERGED"
    assert commit_and_skips(answers(repo, ignoring(), added=True)["sub/page.md"])[0] == theirs


@pytest.mark.parametrize("is_merge", [False, True])
def test_a_rename_in_place_of_a_folder_is_a_rename(repo: Repo, is_merge: bool) -> None:
    first = repo.commit("old.md", "page.md/x.txt")
    if is_merge:
        branch(repo, "side")
        repo.commit("side.md")
        main(repo)
        repo.commit("main.md")
        repo.git("merge", "--quiet", "--no-commit", "side")
    repo.git("rm", "--quiet", "-r", "page.md")
    repo.git("mv", "old.md", "page.md")
    repo.commit()
    for added in (False, True):
        assert commit_and_skips(answers(repo, ignoring(), added=added)["page.md"])[0] == first
    assert text_of(answers(repo, added=True)["page.md"]) == ("MERGED" if is_merge else "FOLDER")


def test_an_edit_of_the_old_name_that_a_merge_brings_to_the_new_one_is_the_last_change(repo: Repo) -> None:
    text = "".join(f"line {number}\n" for number in range(20))
    repo.save("old.md", text)
    branch(repo, "side")
    repo.write("old.md", text + "more\n")
    edit = repo.commit()
    main(repo)
    repo.git("mv", "old.md", "new.md")
    repo.commit()
    repo.git("merge", "--quiet", "--no-ff", "-m", "merge", "side", when=FIRST + 90_000)
    assert commit_and_skips(answers(repo, ignoring())["new.md"])[0] == edit
