"""Broken and hostile repositories: no date, or a right one; nothing is run, and the build goes on."""

from __future__ import annotations

import ast
import os
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from docs_sitemap.cli import main
from docs_sitemap.explain.explanation import explain_files
from docs_sitemap.git import Change, Rules, Unknown, last_additions, last_changes, repository
from tests.git.test_repositories import answer_for, said_of
from tests.git.test_shapes import answers, log, text_of
from tests.support.gitrepo import Repo


def loose(repo: Repo, name: str) -> Path:
    commit = repo.git("rev-parse", name)
    return repo.root / ".git/objects" / commit[:2] / commit[2:]


PLACES = ("HEAD", "config", "packed-refs", "shallow", "refs/heads/main", "HEAD~1", "HEAD~1^{tree}")


def test_damage_to_any_file_leaves_dates_right_or_absent(tmp_path: Path) -> None:
    original = Repo(tmp_path / "original")
    commits = {"a.md": original.commit("docs/a.md"), "b.md": original.commit("docs/b.md")}
    for number, name in enumerate(PLACES):
        repo = original.clone(tmp_path / str(number))
        place = loose(repo, name) if name.startswith("HEAD~") else repo.root / ".git" / name
        place.parent.mkdir(exist_ok=True)
        place.unlink(missing_ok=True)
        place.write_bytes(b"\0nonsense\n" * 9)
        paths = {repo.root / "docs" / page: commit for page, commit in commits.items()}
        for found in (last_changes(paths), last_additions(paths, Rules(follow_renames=True))):
            for path, answer in found.items():
                assert isinstance(answer, Unknown) or answer.commit == paths[path]
        assert {type(each.answer) for each in explain_files(paths, Rules()).values()} <= {Change, Unknown}


def test_a_repository_without_objects_is_one_line(repo: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    repo.commit("a.md")
    for file in (repo.root / ".git/objects").rglob("*"):
        if file.is_file():
            file.unlink()
    assert said_of(repo.root / "a.md") == "INCOMPLETE"
    monkeypatch.chdir(repo.root)
    done = CliRunner().invoke(main, ["lastmod", "a.md"])
    assert done.exit_code == 1
    assert done.stdout == ""
    assert len(done.stderr.splitlines()) == 1
    assert "git fsck" in done.stderr


@pytest.mark.parametrize("date", ["-100 +0000", "abc +0000", "99999999999999999999999 +0000"])
def test_a_date_that_git_cannot_read_is_none(repo: Repo, date: str) -> None:
    repo.commit("a.md")
    tree = repo.git("rev-parse", "HEAD^{tree}")
    author, committer = (f"A <a@example.org> {each}" for each in ("1500000000 +0000", date))
    text = f"tree {tree}\nauthor {author}\ncommitter {committer}\n\nx\n"
    repo.git("update-ref", "HEAD", repo.hash_object("commit", text.encode()))
    said = log(repo, "a.md").partition(" ")[2]
    answer = answer_for(repo.root / "a.md")
    if isinstance(answer, Change):
        assert str(answer.time) == said
    else:
        assert text_of(answer) == "NO_DATE"
        assert said == "" or len(said) > 16
    repo.write(".git/shallow", repo.git("rev-parse", "HEAD") + "\n")
    boundary = answer_for(repo.root / "a.md")
    assert isinstance(boundary, Unknown)
    # without a date, what lies beyond may be of any time
    assert boundary.not_after == (answer.time if isinstance(answer, Change) else 2**63)


def test_a_line_in_a_list_of_commits_is_not_shown(repo: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    """It may be any file: a checkout's configuration can name one of secrets, and logs are public."""
    repo.commit("a.md")
    repo.write("revs", "# a remark\nmachine example.org password sesame\n")
    monkeypatch.chdir(repo.root)
    done = CliRunner().invoke(main, ["lastmod", "--ignore-revs", "revs", "a.md"])
    assert done.exit_code == 2
    assert "revs: line 2: expected the full name of a commit" in done.stderr
    assert "sesame" not in done.output
    (repo.root / ".git-blame-ignore-revs").symlink_to("/dev/zero")  # which is not read
    path = repo.root / "a.md"
    assert isinstance(last_changes([path], Rules(ignored=None))[path], Change)


# A tripwire in each place that names a program


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


PROGRAMS = """
[core]
    repositoryformatversion = 0
    fsmonitor = {wire}
    pager = {wire}
    editor = {wire}
    sshCommand = {wire}
    gitProxy = {wire}
    askPass = {wire}
    hooksPath = {hooks}
    attributesFile = {attributes}
    alternateRefsCommand = {wire}
[include]
    path = {included}
[help]
    autocorrect = immediate
[log]
    showSignature = true
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
    normalTarget = {trace}
"""


def git_commands() -> set[str]:
    """Return the commands of git that the source calls, wherever it does."""
    found = set()
    for file in Path(repository.__file__).parents[1].rglob("*.py"):
        for call in ast.walk(ast.parse(file.read_text("utf-8"))):
            if isinstance(call, ast.Call) and ast.unparse(call.func) in ("run", "GitProcess"):
                command = call.args[1]
                assert isinstance(command, ast.Constant | ast.Starred), ast.unparse(call)
                found |= {str(command.value)} if isinstance(command, ast.Constant) else set()
    return {command for command in found if not command.startswith("-")}


@pytest.fixture
def hostile(repo: Repo, tmp_path: Path, tripwire: Path, monkeypatch: pytest.MonkeyPatch) -> Repo:
    """A repository whose every setting, hook, attribute, alias and ``git-NAME`` is the tripwire."""
    for number in range(6):
        repo.commit("docs/a.md", *(["docs/--output=x", "docs/:(top)b.md", "HEAD"] if number < 2 else []))
    included = repo.write(".git/included", f'[alias]\n\trev-list = "!{tripwire} included"\n')
    attributes = repo.write(".git/attributes", "* diff=trap filter=trap\n")
    hooks = repo.root / ".git" / "hooks"
    for name in ("post-checkout", "reference-transaction", "fsmonitor-watchman", "post-index-change"):
        repo.write(f".git/hooks/{name}", tripwire.read_text()).chmod(0o755)
    settings = PROGRAMS.format(
        wire=tripwire, hooks=hooks, attributes=attributes, included=included, trace=tmp_path / "trace"
    )
    settings += "[alias]\n"
    for command in git_commands():
        # a command that is not there, and one that git takes for a misspelling of it
        settings += "".join(f'    {name} = "!{tripwire} alias"\n' for name in (command, command[:-1]))
        (repo.root / f"git-{command}").symlink_to(tripwire)
    (repo.root / ".git" / "config").write_text(settings)
    monkeypatch.setenv("PATH", f"{os.environ['PATH']}{os.pathsep}.")
    return repo


def test_nothing_is_run_or_fetched_and_no_answer_changes(hostile: Repo, tripwire: Path) -> None:
    assert {"last-modified", "rev-list", "rev-parse"} <= git_commands()
    config = hostile.root / ".git" / "config"
    text = config.read_text()
    config.write_text("[core]\n\trepositoryformatversion = 0\n")
    truth = [
        {name: log(hostile, name, *options) for name in answers(hostile)}
        for options in ([], ["--diff-filter=A"])
    ]
    config.write_text(text)
    for added in (False, True):
        found = answers(hostile, added=added)
        assert {name: text_of(answer) for name, answer in found.items()} == truth[added]
    # the configuration says that a promisor remote has it, behind a transport that runs a program
    loose(hostile, "HEAD~5").unlink()
    for added in (False, True):
        for answer in (last_additions if added else last_changes)([hostile.root / "HEAD"]).values():
            assert isinstance(answer, Change | Unknown)
    assert tripped(tripwire) == ""
    # git itself runs some of them: else this would prove nothing
    hostile.git("status", check=False)
    hostile.git("fetch", "origin", check=False)
    assert "tripwire" in tripped(tripwire) or "fsmonitor" in tripped(tripwire)


def test_a_git_file_that_points_elsewhere_gives_no_foreign_dates(repo: Repo, tmp_path: Path) -> None:
    """It names another repository, and then that one has no such file, or it names nothing."""
    repo.commit("a.md", "docs/a.md")
    site = tmp_path / "site"
    site.mkdir()
    (site / "page.md").touch()
    for target in (repo.root / ".git", tmp_path, "/etc", "../../../..", tmp_path / "none", "\xff" * 5000):
        (site / ".git").write_text(f"gitdir: {target}\n")
        assert said_of(site / "page.md") in ("UNTRACKED", "NO_REPOSITORY", "UNREADABLE")
    # git would look for the page at another place
    repo.git("config", "core.worktree", "../docs")
    assert said_of(repo.root / "docs/a.md") == "UNREADABLE"
    repo.git("config", "core.worktree", "..")
    assert isinstance(answer_for(repo.root / "docs/a.md"), Change)


def test_a_folder_with_a_broken_head_gives_no_dates_of_the_one_above(tmp_path: Path) -> None:
    """Also below a colon, where GIT_CEILING_DIRECTORIES cannot name a folder."""
    outer = Repo(tmp_path / "x-y")
    outer.commit("f.md")
    inner = Repo(outer.root / "inner")
    (inner.root / ".git" / "HEAD").write_text("")
    path = inner.write("f.md")
    assert isinstance(answer_for(path), Unknown)


def test_a_git_in_the_checkout_is_not_run(
    repo: Repo, tripwire: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also where PATH begins with the current folder, or has an empty entry, which means the same."""
    repo.commit("a.md")
    repo.write("git", tripwire.read_text()).chmod(0o755)
    monkeypatch.chdir(repo.root)
    monkeypatch.setenv("PATH", f".{os.pathsep}{os.pathsep}{os.environ['PATH']}")
    assert isinstance(answer_for(repo.root / "a.md"), Change)
    assert tripped(tripwire) == ""
