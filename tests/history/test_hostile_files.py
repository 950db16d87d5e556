"""Pipes, devices, bombs and broken objects in .git: a commit or a reason, in bounded time and memory."""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import subprocess
import sys
import time
import zlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

from docs_sitemap import history
from docs_sitemap.history import (
    Answer,
    Change,
    Reason,
    RepositoryError,
    Rules,
    Unknown,
    additions,
    catfile,
    count,
    last_additions,
    last_changes,
    listing,
    process,
    read_ignored,
    renames,
    repository,
    session,
    walk,
    wanted,
)
from docs_sitemap.history.additions import AdditionWalk
from docs_sitemap.history.catfile import CatFile, open_reader
from docs_sitemap.history.head import untracked
from docs_sitemap.history.objects import ObjectReader
from docs_sitemap.history.repository import Repository, open_repository
from docs_sitemap.history.trees import Entry, Tree
from docs_sitemap.history.walk import Pair, Walk
from docs_sitemap.history.wanted import nest
from docs_sitemap.limits import MAX_COMMIT_LIST, MAX_GIT_SILENCE, MAX_OBJECT
from tests.support.bounded import ask_bounded, ask_measured, run_bounded
from tests.support.gitrepo import Repo

pytestmark = pytest.mark.slow

if sys.platform == "win32":
    pytest.skip("no pipes in folders, and no limits of processes", allow_module_level=True)


def loose(repo: Repo, revision: str) -> Path:
    name = repo.git("rev-parse", revision)
    return repo.root / ".git" / "objects" / name[:2] / name[2:]


def replace_by_pipe(file: Path) -> None:
    if file.is_dir():
        file.rmdir()
    file.unlink(missing_ok=True)
    file.parent.mkdir(parents=True, exist_ok=True)
    os.mkfifo(file)


def replace_by_device(file: Path) -> None:
    if file.is_dir():
        file.rmdir()
    file.unlink(missing_ok=True)
    file.parent.mkdir(parents=True, exist_ok=True)
    file.symlink_to("/dev/zero")


PLACES: dict[str, Callable[[Repo], Path]] = {
    **{
        name: lambda repo, name=name: repo.root / ".git" / name  # type: ignore[misc]
        for name in (
            *("HEAD", "config", "commondir", "shallow", "packed-refs", "index", "refs/heads/main"),
            *("info/grafts", "objects/info/alternates", "objects/info/commit-graph", "refs/replace"),
            *("objects/info/commit-graphs/commit-graph-chain", "objects/pack/multi-pack-index"),
        )
    },
    "a commit": lambda repo: loose(repo, "HEAD"),
    "a tree": lambda repo: loose(repo, "HEAD:docs"),
    "a parent": lambda repo: loose(repo, "HEAD~1"),
    "a pack": lambda repo: repo.root / ".git/objects/pack/pack-{}.pack".format("1" * 40),
    "an index of a pack": lambda repo: repo.root / ".git/objects/pack/pack-{}.idx".format("1" * 40),
}


def copies(repo: Repo, count: int) -> list[Repo]:
    """Return copies of a repository, to break each in another way and ask them all in one process."""
    found = []
    for number in range(count):
        copy = Repo.__new__(Repo)
        copy.root = repo.root.with_name(f"copy-{number}")
        shutil.copytree(repo.root, copy.root)
        found.append(copy)
    return found


@pytest.mark.parametrize("replace", [replace_by_pipe, replace_by_device])
def test_what_is_no_regular_file_in_git_is_not_waited_for_and_not_read(
    repo: Repo, replace: Callable[[Path], None]
) -> None:
    """git itself waits for the writer of a pipe, and reads a device for as long as there is memory."""
    first = repo.commit("docs/a.md")
    second = repo.commit("docs/b.md")
    broken = copies(repo, len(PLACES))
    for copy, place in zip(broken, PLACES.values(), strict=True):
        replace(place(copy))
    paths = [copy.root / "docs" / name for copy in broken for name in ("a.md", "b.md")]
    found = ask_measured(paths, memory=3 << 30, patience=1)
    assert found["peak"] < 600 << 20
    for path, said in zip(paths, found["said"], strict=True):
        assert said == (first if path.name == "a.md" else second) or said.isupper(), path


def test_git_is_not_started_for_a_pipe_that_it_reads_first(repo: Repo) -> None:
    """It waited for the writer of info/alternates for a minute."""
    repo.commit("docs/a.md")
    names = [name for name in PLACES if name.startswith(("objects/", "c", "packed", "index", "refs/rep"))]
    broken = copies(repo, len(names))
    for copy, name in zip(broken, names, strict=True):
        replace_by_pipe(PLACES[name](copy))
    said = ask_bounded(*[copy.root / "docs/a.md" for copy in broken], patience=1)
    assert dict(zip(names, said, strict=True)) == dict.fromkeys(names, "NOT_REGULAR")


def test_a_git_that_says_nothing_is_ended_with_its_children(
    repo: Repo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    repo.commit("a.md")
    wrapper = tmp_path / "bin" / "git"
    wrapper.parent.mkdir()
    wrapper.write_text(f"#!/bin/sh\nsleep 1000 &\necho $! > {tmp_path / 'child'}\nwait\n")
    wrapper.chmod(0o755)
    monkeypatch.setenv("PATH", f"{wrapper.parent}{os.pathsep}{os.environ['PATH']}")
    assert ask_bounded(repo.root / "a.md", patience=1) == ["SILENT"]
    child = int((tmp_path / "child").read_text())
    state = subprocess.run(
        ["ps", "-o", "stat=", "-p", str(child)], capture_output=True, text=True, check=False
    )
    assert state.stdout.strip()[:1] in ("", "Z")


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux limits another process")
def test_a_git_has_more_time_for_more_commits(repo: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    import resource

    repo.commit("first.md")
    for _ in range(300):
        repo.commit("a.md")
    limits: list[int] = []
    limit = resource.prlimit

    def counted(pid: int, kind: int, values: tuple[int, int] | None = None) -> object:
        if values and kind == resource.RLIMIT_CPU:
            limits.append(values[0])
        return limit(pid, kind, values) if values else limit(pid, kind)

    monkeypatch.setattr(resource, "prlimit", counted)
    monkeypatch.setattr(process, "COMMIT_SECONDS", 1)
    assert isinstance(last_changes([repo.root / "first.md"])[repo.root / "first.md"], Change)
    assert max(limits) > 300


def test_many_repositories_with_a_silent_git_are_not_waited_for_one_by_one(
    tmp_path: Path, silences: list[Path]
) -> None:
    """A site may contain any number, and each took a minute, and one more to look for generated documents."""
    files = []
    for number in range(5):
        repo = Repo(tmp_path / str(number))
        repo.commit("a.md")
        replace_by_pipe(loose(repo, "HEAD"))
        files.append(repo.root / "a.md")
    assert untracked(files[:1]) == set()
    answers = last_changes(files)
    for number, file in enumerate(files):
        answer = answers[file]
        assert isinstance(answer, Unknown)
        assert answer.reason is Reason.SILENT
        assert answer.where == str(tmp_path / str(number if number < 2 else 0))
    assert untracked(files) == set()
    assert silences == [tmp_path / "0", tmp_path / "1"]


def test_a_git_that_falls_silent_amid_a_walk_is_not_asked_again(repo: Repo, silences: list[Path]) -> None:
    """What was answered before stays known."""
    old = repo.commit("b.md")
    names = [f"{number}.md" for number in range(200)]
    for name in names:
        repo.write(name)
    repo.commit_each(*names)
    repo.commit("a.md")
    replace_by_pipe(loose(repo, old))
    for _ in range(2):
        answers = last_changes([repo.root / "a.md", repo.root / "b.md"])
        assert isinstance(answers[repo.root / "a.md"], Change)
        answer = answers[repo.root / "b.md"]
        assert isinstance(answer, Unknown)
        assert answer.reason is Reason.SILENT
    assert silences == [repo.root]


def test_a_commit_that_is_too_large_is_answered_at_once(repo: Repo) -> None:
    """Not after the seconds that a git may be silent: it is blocked by what nobody reads."""
    repo.commit("a.md")
    commit = repo.git("cat-file", "commit", "HEAD").encode() + b"a" * (MAX_OBJECT + 1)
    repo.write(".git/refs/heads/main", repo.hash_object("commit", commit))
    started = time.monotonic()
    assert ask_bounded(repo.root / "a.md") == ["TOO_LARGE"]
    assert time.monotonic() - started < MAX_GIT_SILENCE / 2


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux limits another process")
@pytest.mark.parametrize("ask", [last_changes, last_additions])
def test_commits_of_megabytes_have_little_memory_together(
    repo: Repo, monkeypatch: pytest.MonkeyPatch, ask: Callable[[list[Path]], Mapping[Path, Answer]]
) -> None:
    """git keeps each that it has read: 120 of 8 MB, changes of one another in 176 kB, took a gigabyte."""
    repo.commit("a.md")
    small = repo.git("rev-parse", "HEAD")
    tree = repo.git("rev-parse", "HEAD^{tree}")

    def commit_of(size: int, *parents: str) -> str:
        lines = "".join(f"parent {parent}\n" for parent in parents)
        people = "author A <a@e.org> 1700000000 +0000\ncommitter C <c@e.org> 1700000000 +0000"
        return repo.hash_object("commit", f"tree {tree}\n{lines}{people}\n\n".encode() + b"x" * size)

    large = small
    many = []
    for number in range(20):
        large = commit_of((2 << 20) + number, large)
        many.append(commit_of((2 << 20) + number, small))
    large = commit_of(0, large, *many)
    monkeypatch.setattr(process, "MAX_GIT_MEMORY", 60 << 20)
    for commit, known in ((small, True), (large, False)):
        repo.git("update-ref", "refs/heads/main", commit)
        [answer] = ask([repo.root / "a.md"]).values()
        assert isinstance(answer, Change) == known
    assert isinstance(answer, Unknown)
    assert answer.reason is Reason.TOO_LARGE


def bomb(repo: Repo, width: int = 10, depth: int = 10) -> str:
    """Return a tree that names ``width ** depth`` files, in ``depth`` objects."""
    tree = repo.hash_tree(b"100644 x\0" + bytes.fromhex(repo.git("rev-parse", "HEAD:x")))
    for _ in range(depth):
        tree = repo.hash_tree(
            b"".join(b"40000 %04d\0" % number + bytes.fromhex(tree) for number in range(width))
        )
    return tree


def commit_tree(repo: Repo, tree: str, *parents: str) -> str:
    options = [option for parent in parents for option in ("-p", parent)]
    commit = repo.git("commit-tree", tree, "-m", "x", *options, when=repo.tick())
    repo.git("update-ref", "HEAD", commit)
    return commit


def counted_paths(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Return a list that gets the number of paths each time that a walk nests some."""
    nested: list[int] = []

    def counted(paths: Iterable[bytes]) -> wanted.Names:
        paths = list(paths)
        nested.append(len(paths))
        return wanted.nest(paths)

    monkeypatch.setattr(walk, "nest", counted)
    return nested


def run_command(repo: Repo, *arguments: str) -> list[str]:
    """Return the lines that a command writes, and its exit code."""
    code = "from docs_sitemap.cli import main\nos.chdir(root)\nsys.argv[1:] = arguments\n"
    code += "sys.stderr = sys.stdout\n"
    code += "try:\n    main()\nexcept SystemExit as end:\n    print(end.code)\n    sys.stdout.flush()\n"
    return run_bounded(code, root=os.fspath(repo.root), arguments=arguments).splitlines()


def large_tree(repo: Repo, files: int, blob: str = "HEAD:x") -> bytes:
    """Return the object name of a tree of so many files."""
    entry = bytes.fromhex(repo.git("rev-parse", blob))
    return bytes.fromhex(
        repo.hash_tree(b"".join(b"100644 %07d\0" % number + entry for number in range(files)))
    )


def test_the_folders_of_one_question_have_their_limits_together(
    repo: Repo, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ten folders of a bomb of trees took half a minute and a gigabyte."""
    for name in ("a/x/1", "b/x/1", "c/2"):
        repo.write(name, "same")
    repo.commit()
    found = open_repository(repo.root)
    assert found
    monkeypatch.setattr(count, "MAX_COPIES", 0)
    names = history.tracked_changes(found, [b"a", b"a/x", b"c"])
    assert {folder: [*files] for folder, files in names.items()} == {
        b"a": [b"a/x/1"],
        b"a/x": [b"a/x/1"],
        b"c": [b"c/2"],
    }
    for limit in ("MAX_COPIES", "MAX_FILES"):
        monkeypatch.setattr(count, limit, 0 if limit == "MAX_COPIES" else 3)
        with pytest.raises(RepositoryError) as refused:
            history.tracked_changes(found, [b"a", b"b"])
        assert refused.value.reason is Reason.TOO_LARGE
        monkeypatch.undo()


def in_turn(repo: Repo, files: int) -> list[str]:
    """Return two trees with the same files, of which none is the same."""
    repo.commit("x")
    repo.write("y", "another text")
    repo.commit("y")
    trees = (large_tree(repo, files, blob) for blob in ("HEAD:x", "HEAD:y"))
    return [repo.hash_tree(b"40000 docs\0" + tree) for tree in trees]


def commits_of(repo: Repo, lines: Iterable[str]) -> list[str]:
    """Create commits, each with a tree and parents; ``-1`` is the commit before."""
    names: list[str] = []
    for number, line in enumerate(lines):
        tree, *parents = line.split()
        parents = [names[int(parent)] for parent in parents]
        person = f"A <a@example.org> {1_700_000_000 + number} +0000"
        head = "".join(f"parent {parent}\n" for parent in parents)
        text = f"tree {tree}\n{head}author {person}\ncommitter {person}\n\nx\n"
        data = b"commit %d\0" % len(text) + text.encode()
        name = hashlib.sha1(data, usedforsecurity=False).hexdigest()
        file = repo.root / ".git/objects" / name[:2] / name[2:]
        file.parent.mkdir(exist_ok=True)
        file.write_bytes(zlib.compress(data))
        names.append(name)
    repo.git("update-ref", "HEAD", names[-1])
    return names


def test_renames_are_looked_for_up_to_a_limit_in_a_whole_history(repo: Repo) -> None:
    """Each commit adds a page and removes a bomb of trees, which took a second."""
    repo.commit("x")
    removed = b"40000 z\0" + bytes.fromhex(bomb(repo, depth=4))
    repo.commit("y.md")
    blob = bytes.fromhex(repo.git("rev-parse", "HEAD:y.md"))
    lines: list[str] = []
    for number in range(1, 40):
        pages = b"".join(b"100644 %02d.md\0" % page + blob for page in range(number))
        with_bomb = repo.hash_tree(pages.rpartition(b"100644 ")[0] + removed)
        lines += [f"{with_bomb} {'-1' if lines else ''}", f"{repo.hash_tree(pages)} -1"]
    commits_of(repo, lines)
    *files, cause, _ = run_command(repo, "lastmod", "--follow-renames", ".")
    assert "files without a date: the history exceeds a limit" in cause
    known = [not line.startswith("-") for line in files]
    assert known == sorted(known)
    assert any(known)


def test_an_author_and_a_subject_are_shown_up_to_a_limit_and_move_no_cursor(repo: Repo) -> None:
    repo.commit("x")
    tree = repo.git("rev-parse", "HEAD^{tree}")
    person = b"\x1b[2JA <a@example.org> 1700000000 +0000"
    header = b"tree %b\nauthor %b\ncommitter %b\n\n" % (tree.encode(), person, person)
    text = b"\x1b[2J" + b"a" * 4_000_000
    repo.write(".git/refs/heads/main", repo.hash_object("commit", header + text))
    said = run_command(repo, "explain", "x")
    assert [line.split()[0] for line in said].count("subject") == 1
    assert max(map(len, said)) < 2000
    assert "\x1b" not in "".join(said)


def test_an_old_name_in_an_explanation_moves_no_cursor(repo: Repo) -> None:
    repo.commit("a\x1b[31m\nb.md")
    repo.git("mv", "a\x1b[31m\nb.md", "page.md")
    repo.git("commit", "-q", "-m", "x", when=repo.tick())
    said = run_command(repo, "explain", "--follow-renames", "page.md")
    assert sum("a\\x1b[31m\\x0ab.md" in line for line in said) == 2
    assert all(map(str.isprintable, said))


def test_a_line_in_a_list_of_commits_is_not_shown(repo: Repo) -> None:
    """It may be any file: a checkout's configuration can name one of secrets, and logs are public."""
    repo.commit("a.md")
    for secret in ("machine example.org password sesame", "sesame" * 500_000):
        repo.write("revs", f"# a remark\n{secret}\n")
        (error, code) = run_command(repo, "lastmod", "--ignore-revs", "revs", "a.md")
        assert error.endswith("revs: line 2: expected the full name of a commit")
        assert code == "2"


def test_empty_lines_of_a_list_of_commits_take_no_step_each(tmp_path: Path) -> None:
    """Four million of them took nearly two seconds in each repository."""
    called: Counter[str] = Counter()

    def count(_frame: FrameType, event: str, _arg: object) -> None:
        called[event] += 1

    (tmp_path / "revs").write_bytes(b"\n" * 5_000 + b"# x\n" * 5_000 + b"A" * 40 + b" # y\n")
    sys.setprofile(count)
    try:
        found = read_ignored(tmp_path / "revs")
    finally:
        sys.setprofile(None)
    assert found == {b"a" * 40}
    assert called.total() < 500


def test_a_name_of_a_megabyte_is_not_compared_with_each_of_40_000(repo: Repo) -> None:
    """Its tree is in the past alone: no file can have such a name."""
    repo.commit("x")
    blob = bytes.fromhex(repo.git("rev-parse", "HEAD:x"))
    page = b"100644 page.md\0" + blob
    many = b"".join(b"100644 a%07d\0" % number + blob for number in range(40_000))
    commits: list[str] = []
    for entries in (b"100644 " + b"b" * 1_000_000 + b"\0" + blob + page, many + page, page):
        tree = repo.hash_tree(b"40000 docs\0" + bytes.fromhex(repo.hash_tree(entries)))
        commits.append(commit_tree(repo, tree, *commits[-1:]))
    code = "import resource\nresource.setrlimit(resource.RLIMIT_CPU, (15, 15))\n"
    code += "print([*last_changes([Path(root, 'docs/page.md')]).values()][0])\n"
    assert "UNREADABLE" in run_bounded(code, root=os.fspath(repo.root))


def test_a_rename_is_not_looked_for_in_a_bomb(repo: Repo) -> None:
    repo.commit("x")
    first = commit_tree(repo, bomb(repo))
    blob = bytes.fromhex(repo.git("rev-parse", "main~0:0000/0000/0000/0000/0000/0000/0000/0000/0000/0000/x"))
    second = commit_tree(repo, repo.hash_tree(b"100644 page.md\0" + blob), first)
    path = repo.root / "page.md"
    assert ask_bounded(path) == [second]
    assert ask_bounded(path, follow=True) == ["TOO_LARGE"]


def test_a_merge_of_very_many_parents_is_compared_with_few_questions(repo: Repo) -> None:
    """Each parent by itself would take minutes; one that is named ten thousand times is one."""
    first = repo.commit("a.md")
    tree = repo.git("rev-parse", "HEAD^{tree}")
    person = b"A <a@example.org> 1700000000 +0000"
    header = b"author %b\ncommitter %b\n\nx" % (person, person)
    other = repo.hash_tree(b"")
    parents = [
        repo.hash_object("commit", b"tree %b\n" % other.encode() + header + b"%d" % number)
        for number in range(200)
    ]
    named = "".join(f"parent {parent}\n" for parent in [*parents, *parents[:1] * 10_000, first]).encode()
    merge = repo.hash_object("commit", b"tree %b\n" % tree.encode() + named + header)
    repo.write(".git/refs/heads/main", merge)
    assert ask_bounded(repo.root / "a.md") == [first]
    assert repo.log_commit("a.md") == first


def test_files_are_compared_once_with_parents_that_have_the_same_folder(
    repo: Repo, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A merge of 4,000 parents with one tree, of which 80,000 files all differ, took 72 seconds."""
    repo.commit("x")
    repo.write("y", "another text")
    repo.commit("y")
    one, two = (large_tree(repo, 50, blob) for blob in ("HEAD:x", "HEAD:y"))
    other = repo.hash_tree(b"40000 docs\0" + two)
    three = repo.hash_tree(b"40000 docs\0" + two + b"100644 z\0" + one)
    lines = [other] * 40 + [three] + [other] * 40
    head = repo.hash_tree(b"40000 docs\0" + one)
    names = commits_of(repo, [*lines, f"{head} {' '.join(map(str, range(len(lines))))}"])
    compared: list[object] = []
    changes = Walk._changes

    class Counted(dict[Pair, Any]):
        def __getitem__(self, pair: Pair) -> Any:
            compared.append(pair)
            return super().__getitem__(pair)

    monkeypatch.setattr(Walk, "_changes", lambda self, pairs: Counted(changes(self, pairs)))
    paths = [repo.root / "docs" / f"{number:07}" for number in range(50)]
    found = last_changes(paths)
    assert {each.commit for each in found.values() if isinstance(each, Change)} == {names[-1]}
    assert len(compared) < 6


def test_steps_that_change_none_of_a_group_s_files_are_passed_together(
    repo: Repo, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of 1,500 files, each came by itself to the same 60,000 known steps, which took 33 seconds."""
    repo.commit("x")
    repo.write("y", "another text")
    repo.commit("y")
    blobs = [bytes.fromhex(repo.git("rev-parse", f"HEAD:{name}")) for name in "xy"]

    def tree(files: int, last: int) -> str:
        entries = [b"100644 %02d\0" % number + blobs[number >= files] for number in range(30)]
        return repo.hash_tree(b"".join(entries) + b"100644 z\0" + blobs[last])

    whole = tree(30, 0)
    lines = [f"{whole} {'-1' if number else ''}" for number in range(600)]
    lines += [f"{tree(0, 1)} 599", *(f"{whole} 599" for _ in range(31))]
    lines += [f"{tree(1, 1)} 600 601", *(f"{tree(n, 1)} -1 {600 + n}" for n in range(2, 31))]
    lines += [*(f"{tree(30, 1)} -1" for _ in range(700)), f"{whole} -1 631"]
    names = commits_of(repo, lines)
    looked_up: list[object] = []

    class Counted(dict[bytes, tuple[bytes | None, frozenset[bytes]]]):
        def __contains__(self, commit: object) -> bool:
            looked_up.append(commit)
            return super().__contains__(commit)

    nest = Walk._nest

    def counted(self: Walk) -> None:
        self._steps = self._steps or Counted()
        nest(self)

    monkeypatch.setattr(Walk, "_nest", counted)
    paths = [repo.root / name for name in ("z", *(f"{number:02}" for number in range(30)))]
    found = last_changes(paths)
    assert {each.commit for each in found.values() if isinstance(each, Change)} == {names[0]}
    assert repo.log_commit("07") == names[0]
    assert 100 < len(looked_up) < 6_000


def busy(repo: Repo, files: int, commits: int) -> list[str]:
    """Create commits that each change a page, and none of so many files of another folder."""
    large = large_tree(repo, files, repo.hash_object("blob", b""))
    pages = (bytes.fromhex(repo.git("rev-parse", f"{tree}:docs")) for tree in in_turn(repo, 1))
    roots = [repo.hash_tree(b"40000 docs\0" + page + b"40000 files\0" + large) for page in pages]
    return commits_of(repo, [f"{roots[number % 2]} {'-1' if number else ''}" for number in range(commits)])


def test_files_without_a_common_folder_are_not_nested_again_in_each_run(
    repo: Repo, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of 3 MB, 100,000 files and 20,000 commits took 34 seconds."""
    names = busy(repo, 100, 500)
    monkeypatch.setattr(additions, "_TOGETHER", 50)
    found = open_repository(repo.root)
    assert found
    for ask in (history.tracked_changes, history.tracked_additions):
        monkeypatch.setattr(history, "_SESSION", session.Session())
        nested = counted_paths(monkeypatch)
        answers = ask(found, [b""])[b""].values()
        assert {each.commit for each in answers if isinstance(each, Change)} >= {names[0]}
        assert sum(nested) < 300


def sets_passed_on(monkeypatch: pytest.MonkeyPatch) -> list[set[bytes]]:
    """Return a list that gets the files that walks pass on from a commit, each time."""
    passed: list[set[bytes]] = []
    advance, move = Walk._advance, AdditionWalk._move

    def advanced(self: Walk, group: walk._Group) -> list[tuple[bytes, set[bytes]]]:
        passed.append(group.files)
        return advance(self, group)

    def moved(self: AdditionWalk, parent: bytes, files: set[bytes]) -> None:
        passed.append(files)
        move(self, parent, files)

    monkeypatch.setattr(Walk, "_advance", advanced)
    monkeypatch.setattr(AdditionWalk, "_move", moved)
    return passed


def test_files_that_stay_the_same_are_not_copied_at_each_commit(
    repo: Repo, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of 20,000 files, each added by a commit of its own, the last changes took 12 seconds."""
    blob = bytes.fromhex(repo.hash_object("blob", b""))
    files = [b"100644 %03d\0" % number + blob for number in range(200)]
    trees = [repo.hash_tree(b"".join(files[: number + 1])) for number in range(len(files))]
    names = commits_of(repo, [f"{tree} {'-1' if number else ''}" for number, tree in enumerate(trees)])
    passed = sets_passed_on(monkeypatch)
    found = open_repository(repo.root)
    assert found
    for ask in (history.tracked_changes, history.tracked_additions):
        monkeypatch.setattr(history, "_SESSION", session.Session())
        passed.clear()
        answers = ask(found, [b""])[b""].values()
        assert {each.commit for each in answers if isinstance(each, Change)} == {*names}
        assert len(passed) > 5
        assert len({id(each) for each in passed}) == 1


def test_files_are_not_copied_while_another_commit_may_precede_an_answer(
    repo: Repo, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In any number of commits of one second, of which git may pass each first."""
    second = repo.tick()
    repo.commit("a.md")
    repo.git("branch", "side")
    for number in range(20):
        repo.commit("c.md" if number else "b.md", when=second)
    repo.git("checkout", "-q", "side")
    repo.commit("b.md", when=second)
    repo.git("checkout", "-q", "main")
    repo.merge("side")
    repo.commit("b.md")
    passed = sets_passed_on(monkeypatch)
    answer = last_additions([repo.root / name for name in ("a.md", "b.md", "c.md")])[repo.root / "b.md"]
    assert isinstance(answer, Unknown)
    assert answer.reason is Reason.SAME_TIME
    assert len(passed) > 20
    assert len({id(each) for each in passed}) < 8


@pytest.mark.parametrize("numbers", [(1, 100), (100, 1)])
def test_the_fewer_files_join_the_others(numbers: tuple[int, int]) -> None:
    """Of 20,000 files, half may come one by one to where the others are."""
    first, second = ({b"%d %d" % (number, n) for n in range(number)} for number in numbers)
    more = max(first, second, key=len)
    (group,) = walk._joined([walk._Group(b"a", first), walk._Group(b"a", second)])
    assert group.files is more
    assert len(group.files) == 101


def test_a_merge_takes_files_from_the_first_of_its_parents_that_has_them(repo: Repo) -> None:
    """Also where several parents have one folder."""
    one, two = in_turn(repo, 3)
    middle = repo.hash_tree(b"100644 other\0" + bytes.fromhex(repo.git("rev-parse", "HEAD:x")))
    names = commits_of(repo, [middle, two, one, one, two, one, f"{one} 0 1 2 3 4 5"])
    assert repo.log_commit("docs/0000000") == names[2]
    assert ask_bounded(repo.root / "docs/0000000") == [names[2]]


@pytest.mark.parametrize("kind", ["ignored", "renames"])
def test_files_are_looked_up_once_for_all_parents_of_a_merge(
    repo: Repo, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    """An ignored merge of 1,000 parents that do not have its 20,000 files took 30 seconds."""
    repo.commit("x")
    blob = bytes.fromhex(repo.git("rev-parse", "HEAD:x"))
    docs = b"40000 docs\0" + large_tree(repo, 100)
    old = b"40000 docs\0" + bytes.fromhex(repo.hash_tree(b"100644 old.md\0" + blob))
    trees = [repo.hash_tree(old + b"100644 z%03d\0" % (number // 2) + blob) for number in range(60)]
    names = commits_of(repo, [*trees, f"{repo.hash_tree(docs)} {' '.join(map(str, range(60)))}"])
    nested = counted_paths(monkeypatch)
    ignored = frozenset({names[-1].encode()}) if kind == "ignored" else frozenset()
    paths = [repo.root / "docs" / f"{number:07}" for number in range(100)]
    found = last_changes(paths, Rules("committer", ignored, follow_renames=kind == "renames"))
    assert sum(nested) < 1_000
    expected = names[-1] if kind == "ignored" else names[0]
    assert {each.commit for each in found.values() if isinstance(each, Change)} == {expected}


def test_few_large_trees_are_requested_ahead(repo: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    """600 commits of a folder with 2 MB of names took 644 MB, with git's, and had no date."""
    last = b"100644 last.md\0" + bytes(20)
    trees = []
    for number in range(200):
        docs = repo.hash_tree(b"100644 %b\0" % (b"a" * 900) + number.to_bytes(20) + last)
        trees.append(repo.hash_tree(b"40000 docs\0" + bytes.fromhex(docs)))
    names = commits_of(repo, [f"{tree} {'-1' if at else ''}" for at, tree in enumerate(trees)])
    repo.write("docs/last.md", "")
    most: list[int] = []

    class Recorded(dict[bytes, object]):
        def update(self, *others: Any) -> None:
            super().update(*others)
            most.append(len(self))

    opened = CatFile.__init__

    def init(self: CatFile, repository: Repository) -> None:
        opened(self, repository)
        self._coming = Recorded()  # type: ignore[assignment]

    monkeypatch.setattr(CatFile, "__init__", init)
    monkeypatch.setattr(catfile, "_TREES_AHEAD", 10_000)
    answer = last_changes([repo.root / "docs/last.md"])[repo.root / "docs/last.md"]
    assert isinstance(answer, Change)
    assert answer.commit == names[0]
    assert 0 < max(most) <= 3 * 10


def test_an_ignored_commit_reads_no_tree_beyond_those_that_are_compared(
    repo: Repo, monkeypatch: pytest.MonkeyPatch
) -> None:
    """100,000 ignored commits below six folders took 27 seconds, and had no date."""
    for number in range(20):
        for page in range(3):
            repo.write(f"a/b/c/d/{page}.md", f"{number} {page}")
        repo.commit()
    ignored = frozenset(repo.git("rev-list", "HEAD").encode().split())
    first = repo.git("rev-list", "--max-parents=0", "HEAD")
    read: Counter[bytes] = Counter()
    trees = CatFile.trees

    def counted(self: CatFile, names: Iterable[bytes]) -> Mapping[bytes, bytes]:
        names = list(names)
        read.update(names)
        return trees(self, names)

    monkeypatch.setattr(CatFile, "trees", counted)
    paths = [repo.root / "a/b/c/d" / f"{page}.md" for page in range(3)]
    found = last_changes(paths, Rules(ignored=ignored))
    assert {each.commit for each in found.values() if isinstance(each, Change)} == {first}
    assert all(len(found[path].skips) == 19 for path in paths)
    assert read.total() <= 20 * 5 + 5, "the folders of each commit, once"


def test_a_file_that_is_renamed_among_copies_has_the_name_that_is_most_like_its_own(repo: Repo) -> None:
    repo.write("a/b.md", "copy")
    repo.write("c/d.md", "copy")
    repo.write("e/d.md", "copy")
    repo.commit()
    for old, new in (("a/b.md", "x.md"), ("c/d.md", "y/d.md"), ("e/d.md", "z.md")):
        (repo.root / new).parent.mkdir(exist_ok=True)
        repo.git("mv", old, new)
    repo.commit()
    paths = [repo.root / name for name in ("x.md", "y/d.md", "z.md")]
    found = last_changes(paths, Rules(follow_renames=True))
    assert [found[path].skips[0].old_name for path in paths] == [b"a/b.md", b"c/d.md", b"a/b.md"]


def test_files_that_are_renamed_one_by_one_are_walked_together(
    repo: Repo, monkeypatch: pytest.MonkeyPatch
) -> None:
    names = [f"{number}.md" for number in range(30)]
    commit = repo.commit(*names)
    for name in names:
        repo.git("mv", name, f"new-{name}")
        repo.git("commit", "-q", "-m", name, when=repo.tick())
    walks: list[int] = []
    run = Walk.run

    def counted(walk: Walk, starts: Mapping[bytes, set[bytes]]) -> None:
        walks.append(len(starts))
        run(walk, starts)

    monkeypatch.setattr(Walk, "run", counted)
    found = last_changes([repo.root / f"new-{name}" for name in names], Rules(follow_renames=True))
    assert {answer.commit for answer in found.values() if isinstance(answer, Change)} == {commit}
    assert walks == [1, 30]


def test_the_size_of_packs_is_what_they_have_on_disk(repo: Repo) -> None:
    repo.commit("x")
    found = open_repository(repo.root)
    assert found
    assert found.packs == (0, 0)
    repo.git("gc", "--quiet")
    [pack] = (repo.root / ".git/objects/pack").glob("*.pack")
    size, objects = found.packs
    assert 0 < size <= pack.stat().st_size
    assert objects <= pack.with_suffix(".idx").stat().st_size // 28
    shared = repo.root.parent / "shared"
    repo.git("clone", "--quiet", "--shared", ".", os.fspath(shared))
    borrowed = open_repository(shared)
    assert borrowed
    assert borrowed.packs == (size, objects)
    alternates = shared / ".git/objects/info/alternates"
    for text in (b"\0", b"\xff\n\n/no/such/folder\n", b"x" * 1_000_000):
        alternates.write_bytes(text)
        assert borrowed.packs == (0, 0)
    replace_by_pipe(alternates)
    assert borrowed.packs == (0, 0)
    for name in ("hole.pack", "hole.idx"):
        with (pack.parent / name).open("wb") as hole:
            hole.truncate(1 << 40)
    assert found.packs[0] < size + (1 << 20)
    assert found.packs[1] < objects + (1 << 20)
    shutil.rmtree(pack.parent)
    assert found.packs == (0, 0)


def releases(repo: Repo, number: int) -> dict[str, str]:
    """Make releases that each rename the list of changes; return the last change of each."""
    blobs = [repo.git("rev-parse", f"{repo.commit(name)}:{name}") for name in "abcdefgh"]
    lists: dict[str, str] = {}
    trees: list[str] = []
    for release in range(number):
        for blob in (blobs[release % 7], blobs[release % 7 + 1]):
            entries = dict(sorted({**lists, "next.md": blob}.items()))
            trees.append(_flat_tree(repo, entries))
        lists[f"{release:03d}.md"] = blobs[release % 7 + 1]
        trees.append(_flat_tree(repo, lists))
    names = commits_of(repo, [f"{tree} {'-1' if at else ''}" for at, tree in enumerate(trees)])
    return {name: names[3 * at + 1] for at, name in enumerate(lists)}


def _flat_tree(repo: Repo, entries: Mapping[str, str]) -> str:
    return repo.hash_tree(
        b"".join(b"100644 %b\0" % name.encode() + bytes.fromhex(blob) for name, blob in entries.items())
    )


def note_steps(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Return a list that gets the commits of each step."""
    passed: list[int] = []
    step = count.Count.step

    def counted(self: count.Count, commits: int, of: int) -> None:
        passed.append(commits)
        step(self, commits, of)

    monkeypatch.setattr(count.Count, "step", counted)
    return passed


@pytest.mark.parametrize("ask", [last_changes, last_additions])
def test_a_name_that_each_release_gives_up_is_followed(
    repo: Repo, monkeypatch: pytest.MonkeyPatch, ask: Callable[[list[Path], Rules], dict[Path, Answer]]
) -> None:
    """Of 260 releases, only 100 had a date; and each walk read a thousand commits at once."""
    changed = releases(repo, 120)
    passed = note_steps(monkeypatch)
    asked = [repo.root / name for name in changed]
    found = ask(asked, Rules(follow_renames=True))
    commits = {path.name: answer.commit for path, answer in found.items() if isinstance(answer, Change)}
    assert len(commits) == len(changed)
    if ask is last_changes:
        assert commits == changed
    assert sum(passed) < 60 * len(changed)


def test_what_a_commit_removes_is_listed_once(repo: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of 4,000 files of which 60 commits each rename 500, this took 30 seconds."""
    names = {number: f"{number}.md" for number in range(16)}
    repo.commit(*names.values())
    for turn in range(4):
        for number in [each for each in names if each >> turn & 1]:
            moved = f"v{turn}/{number}.md"
            (repo.root / moved).parent.mkdir(exist_ok=True)
            repo.git("mv", names[number], moved)
            names[number] = moved
        repo.commit()
    listed: list[tuple[bytes, bytes]] = []
    gone = renames._gone

    def noted(reader: ObjectReader, ours: bytes, theirs: bytes, *args: Any) -> Iterator[tuple[bytes, Entry]]:
        listed.append((ours, theirs))
        return gone(reader, ours, theirs, *args)

    monkeypatch.setattr(renames, "_gone", noted)
    asked = [repo.root / name for name in names.values()]
    for kept, is_once in ((100, True), (0, False)):
        listed.clear()
        monkeypatch.setattr(renames, "_KEPT", kept)
        monkeypatch.setattr(history, "_SESSION", session.Session())
        found = last_changes(asked, Rules(follow_renames=True))
        assert all(isinstance(answer, Change) for answer in found.values())
        assert (len(listed) == len(set(listed))) == is_once


def test_what_is_found_before_an_error_is_not_taken_for_all_that_a_commit_removes(
    repo: Repo, monkeypatch: pytest.MonkeyPatch
) -> None:
    repo.commit("a.md", "b.md")
    before = repo.git("rev-parse", "HEAD^{tree}").encode()
    for name in "ab":
        repo.git("mv", f"{name}.md", f"new-{name}.md")
    repo.commit()
    after = repo.git("rev-parse", "HEAD^{tree}").encode()
    gone = renames._gone

    def broken(*args: Any) -> Iterator[tuple[bytes, Entry]]:
        yield next(iter(gone(*args)))
        raise RepositoryError("x")

    found = open_repository(repo.root)
    assert found
    with open_reader(found) as reader:
        known = renames.Renames(reader, count.Count())
        files = {b"new-a.md", b"new-b.md"}
        added = listing.added_among(reader, after, before, nest(files), count.Count(), known={})
        monkeypatch.setattr(renames, "_gone", broken)
        with pytest.raises(RepositoryError, match="x"):
            known.old_names(after, before, added, files, {})
        monkeypatch.undo()
        old_names = known.old_names(after, before, added, files, {})
        assert old_names == {b"new-a.md": b"a.md", b"new-b.md": b"b.md"}


def test_of_two_removed_files_the_one_with_the_same_last_name_is_followed(repo: Repo) -> None:
    """Also if another one comes first by its path, and lies deeper."""
    for name in ("a/z/deep.md", "b/x.md"):
        repo.write(name, "same text")
        repo.commit()
    repo.git("mv", "b/x.md", "c.md")
    repo.git("rm", "--quiet", "a/z/deep.md")
    repo.git("mv", "c.md", "n-x.md")
    (repo.root / "n").mkdir()
    repo.git("mv", "n-x.md", "n/x.md")
    repo.commit()
    [answer] = last_changes([repo.root / "n/x.md"], Rules(follow_renames=True)).values()
    assert [skip.old_name for skip in answer.skips] == [b"b/x.md"]


def test_known_trees_are_looked_up_by_their_name(repo: Repo) -> None:
    """Of 2,000 pages eight folders deep, to go through all of them for each page took 13 of 15 seconds."""

    class Known(dict[bytes, Tree]):
        def __iter__(self) -> Iterator[bytes]:
            raise AssertionError

    repo.commit("x")
    tree = repo.git("rev-parse", "HEAD^{tree}").encode()
    found = open_repository(repo.root)
    assert found
    with open_reader(found) as reader:
        read = listing.read_trees(reader, {tree}, {})
        assert listing.read_trees(reader, {tree}, Known(read)) == read


def test_of_a_long_history_more_and_more_is_read_at_once(repo: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    repo.commit("x")
    tree = repo.git("rev-parse", "HEAD^{tree}")
    commits_of(repo, [f"{tree} {'-1' if number else ''}" for number in range(4_000)])
    passed = note_steps(monkeypatch)
    assert isinstance(last_additions([repo.root / "x"])[repo.root / "x"], Change)
    assert passed == [32, 64, 128, 256, 512, 1024, 1024, 960]


@pytest.mark.parametrize("encoding", ["UTF-7", "UTF-16", "IBM1047", "ISO-2022-JP", "cp037", "cp1361", "x"])
def test_a_commit_in_an_encoding_without_ascii_has_no_date(repo: Repo, encoding: str) -> None:
    """git converts it before it looks for the committer, who may be another one then."""
    repo.commit("a.md")
    tree = repo.git("rev-parse", "HEAD^{tree}")
    people = "author a <a@b> 1000000000 -0000\ncommitter a <a@b> 1000000000 -0000\n"
    other = "+AGMAbwBtAG0AaQB0AHQAZQBy- a <a@b> 1500000000 -0000\n"  # committer, in UTF-7
    for line, said in ((f"encoding {encoding}\n", "NO_DATE"), ("encoding ISO-8859-15\n", ""), ("", "")):
        data = f"tree {tree}\n{people}{other}{line}\nmessage\n".encode()
        commit = repo.hash_object("commit", data)
        repo.write(".git/refs/heads/main", commit)
        assert ask_bounded(repo.root / "a.md") == [said or commit], line


def test_a_list_of_shallow_commits_is_read_up_to_a_limit(repo: Repo, tmp_path: Path) -> None:
    """Each word of 58 megabytes was a name; what is none is ignored, as what follows a name."""
    repo.commit("a.md")
    commit = repo.commit("a.md")
    clone = repo.clone(tmp_path / "clone", "--depth=1")
    shallow = clone.root / ".git/shallow"
    found = open_repository(clone.root)
    assert found
    assert found.shallow == {commit.encode()}
    shallow.write_text(f"{commit} and more words\n{'b ' * 1_000}\n")
    assert found.shallow == {commit.encode()}
    shallow.write_bytes(b"b " * MAX_COMMIT_LIST)
    assert ask_bounded(clone.root / "a.md") == ["UNREADABLE"]


def test_a_work_tree_that_is_elsewhere_has_no_dates(repo: Repo) -> None:
    """git would look for the page at another place."""
    repo.commit("a.md", "docs/a.md")
    path = repo.root / "docs/a.md"
    config = repo.root / ".git/config"
    plain = config.read_text()
    for place in ("../docs", "/", "../../x"):
        config.write_text(f"{plain}[Core]\n\tWorkTree = {place} # a remark\n")
        assert ask_bounded(path) == ["UNREADABLE"]
    config.write_text(f'{plain}[remote "a"]\n\turl = https://example.org/?worktree=../docs\n')
    assert ask_bounded(path) == [repo.log_commit("docs/a.md")]
    config.write_text(f"{plain}[core] worktree = ../docs\n")
    assert ask_bounded(path) == ["UNREADABLE"]
    for place in ("..", f"{repo.root}/", "../docs/.."):
        config.write_text(f'{plain}[core]\n\tworktree="{place}"\n')
        assert ask_bounded(path) == [repo.log_commit("docs/a.md")]


@pytest.mark.parametrize(
    "setting",
    [
        '[core]\n\tworktree = .."/docs"',
        '[core]\n\tworktree = ".."/docs',
        '[core]\n\tworktree = "../docs "',
        "[core]\n\tworktree = ../do\\\ncs",
        "[a] [core] worktree = ../docs",
        "[core]\n\r worktree = ../docs",
        "[core]\r worktree = ../docs",
        "[core]worktree=../docs\r",
    ],
)
def test_a_work_tree_that_is_elsewhere_is_seen_however_it_is_written(repo: Repo, setting: str) -> None:
    """The date was that of the file of this name in the folder that has `.git`."""
    repo.commit("docs/a.md", "a.md")
    with (repo.root / ".git/config").open("ab") as config:
        config.write(f"{setting}\n".encode())
    assert ask_bounded(repo.root / "a.md") == ["UNREADABLE"]


@pytest.mark.parametrize(
    "line", ["{} {} {}", "{}\t{}\t{}", "{}\r{} {}\r", "{} {}\t{}\0x", "{}\v{} {}", "{} {} {}\f"]
)
def test_a_graft_is_read_as_git_reads_it(repo: Repo, line: str) -> None:
    commits = []
    for text in ("new", "old", "new"):
        repo.write("a.md", text)
        commits.append(repo.commit())
    first, second, third = commits
    grafts = repo.root / ".git/info/grafts"
    grafts.parent.mkdir(exist_ok=True)
    grafts.write_bytes(line.format(third.upper(), second, first).encode() + b"\n")
    expected = repo.log_commit("a.md")
    assert expected == (third if {"\v", "\f"} & {*line} else first)
    assert ask_bounded(repo.root / "a.md") == [expected]


def test_the_boundary_of_a_shallow_clone_may_be_in_capitals(repo: Repo) -> None:
    repo.commit("a.md")
    boundary = repo.commit("b.md")
    repo.commit("b.md")
    (repo.root / ".git/shallow").write_text(f"{boundary.upper()}\n")
    assert repo.log_commit("a.md") == boundary  # which has all files, as it seems
    assert ask_bounded(repo.root / "a.md") == ["BOUNDARY"]


_LONG = 20_000


@pytest.mark.parametrize(
    ("file", "text", "is_read"),
    [
        (".git", "gitdir: ../g", True),
        (".git", "gitdir: ../g\0 \n", True),
        (".git", "gitdir: ../g\r\n\n", True),
        (".git", f"gitdir: ../g{_LONG * chr(10)}", False),
        (".git/HEAD", f"ref: refs/heads/main{_LONG * ' '}", False),
        (".git/HEAD", f"{{}}{_LONG * chr(10)}", False),
        (".git/commondir", "../../h \n", True),
        (".git/commondir", "../../h \0x", True),
        (".git/commondir", f"../../h {_LONG * chr(10)}", False),
    ],
)
def test_the_repository_is_that_which_git_takes(repo: Repo, file: str, text: str, is_read: bool) -> None:
    """Where another file than usual named it, the date was that of the repository around it."""
    repo.commit("n/a.md")
    inner = Repo(repo.root / "n")
    head = inner.commit("a.md")
    git_dir = inner.root / ".git"
    for copy in ("g", "h "):
        shutil.copytree(git_dir, repo.root / copy)
    if file == ".git":
        shutil.rmtree(git_dir)
    (inner.root / file).write_bytes(text.format(head).encode())
    assert inner.log_commit("a.md") == head
    assert ask_bounded(inner.root / "a.md") == ([head] if is_read else ["UNREADABLE"])


@pytest.mark.parametrize("way", ["../" + "g/../" * 130, "x/../../"])
@pytest.mark.parametrize("is_link", [True, False])
def test_links_to_the_repository_are_those_of_the_system(repo: Repo, way: str, is_link: bool) -> None:
    """More folders than a page may be below; and a folder that is missing, before one that is above it."""
    outer = repo.commit("n/a.md")
    inner = Repo(repo.root / "n")
    head = inner.commit("a.md")
    shutil.move(inner.root / ".git", repo.root / "g")
    (repo.root / "file").write_text(f"gitdir: {repo.root}/g\n")
    if is_link:
        (inner.root / ".git").symlink_to(f"{way}file")
    else:
        (inner.root / ".git").write_text(f"gitdir: {way}g\n")
    expected = outer if way.startswith("x") else head
    if is_link or expected == head:  # git fails where a file names no folder
        assert inner.log_commit("a.md") == expected
    assert ask_bounded(inner.root / "a.md") == [expected]


def test_links_in_place_of_git_are_followed_up_to_a_number(
    repo: Repo, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Sixteen thousand, of which each takes the system milliseconds, took 23 seconds; as many folders 4."""
    monkeypatch.setattr(repository, "MAX_REPOSITORIES", 2)
    paths = [f"{number}/a.md" for number in range(3)]
    commit = repo.commit(*paths)
    for path in paths:
        (repo.root / path).with_name(".git").symlink_to("nowhere")
    found = last_changes([repo.root / path for path in paths])
    assert [getattr(answer, "commit", None) for answer in found.values()] == [commit, commit, None]
    assert getattr(found[repo.root / paths[2]], "reason", None) is Reason.UNREADABLE


def test_the_common_folder_is_behind_links_of_the_system(repo: Repo) -> None:
    repo.commit("a.md")
    shutil.copytree(repo.root / ".git", repo.root / "g")
    (repo.root / ".git/objects").rename(repo.root / ".git/other")
    (repo.root / "file").write_text("../g\n")
    (repo.root / ".git/commondir").symlink_to("../" + "g/../" * 130 + "file")
    assert ask_bounded(repo.root / "a.md") == [repo.log_commit("a.md")]


def test_the_work_tree_of_all_counts_where_each_may_have_its_own(repo: Repo, tmp_path: Path) -> None:
    """In a linked worktree, git ignores ``core.worktree``, unless ``extensions.worktreeConfig`` is set."""
    commit = repo.commit("a.md", "docs/a.md")
    linked = tmp_path / "linked"
    repo.git("worktree", "add", "-q", os.fspath(linked))
    config = repo.root / ".git/config"
    plain = config.read_text()
    extension = "[extensions]\n\tWorktreeConfig = true\n"
    for place, more, said in (
        (tmp_path, "", commit),
        (tmp_path, extension, "UNREADABLE"),
        (linked, extension, commit),
    ):
        config.write_text(f"{plain}[core]\n\tworktree = {place}\n{more}")
        assert ask_bounded(linked / "a.md") == [said]


@pytest.mark.parametrize("text", ["gitdir:../g", "gitdir:\t../g", "GITDIR: ../g"])
def test_a_file_that_names_no_folder_for_git_names_none(repo: Repo, text: str) -> None:
    outer = repo.commit("n/a.md")
    inner = Repo(repo.root / "n")
    inner.commit("a.md")
    shutil.move(inner.root / ".git", repo.root / "g")
    (inner.root / ".git").write_text(text)
    assert ask_bounded(inner.root / "a.md") == [outer]


def test_a_branch_with_an_endless_name_makes_a_short_message(repo: Repo) -> None:
    repo.commit("a.md")
    repo.write(".git/HEAD", f"ref: refs/heads/\x1b[31m{'A' * 9_000}\nline2\nline3")
    (error, code) = run_command(repo, "lastmod", "a.md")
    assert code == "1"
    assert len(error) < 1_000
    assert error.isprintable()


def test_what_git_takes_for_no_head_is_no_repository(repo: Repo) -> None:
    """git goes on to the repository above; so do we, and with the same answer."""
    repo.commit("page.md")
    inner = Repo(repo.root / "inner")
    inner.commit("page.md")
    inner.write(".git/HEAD", "ref:\x0brefs/heads/main\n")
    assert ask_bounded(inner.root / "page.md") == ["UNTRACKED"]
    assert repo.git("log", "-1", "--", "inner/page.md") == ""


def test_a_path_that_stood_for_two_files_is_walked_twice(repo: Repo) -> None:
    """What is a.md now was b.md, and before that time another file was called a.md."""
    repo.write("a.md", "first")
    first = repo.commit()
    repo.git("mv", "a.md", "c.md")
    repo.git("commit", "-q", "-m", "x", when=repo.tick())
    repo.write("a.md", "second")
    second = repo.commit()
    repo.git("mv", "a.md", "b.md")
    repo.git("commit", "-q", "-m", "x", when=repo.tick())
    paths = [repo.root / name for name in ("b.md", "c.md")]
    found = last_changes(paths, Rules(follow_renames=True)).values()
    assert [answer.commit for answer in found if isinstance(answer, Change)] == [second, first]


@pytest.mark.parametrize("ask", [last_changes, last_additions])
def test_a_path_that_stood_for_a_file_and_for_a_folder_is_walked_twice(
    repo: Repo, ask: Callable[[list[Path], Rules], dict[Path, Answer]]
) -> None:
    """What is b.md now was guide, and before that time c.md was guide/a.md."""
    repo.write("guide/a.md", "first")
    first = repo.commit("x")
    repo.git("mv", "guide/a.md", "c.md")
    repo.commit("x")
    (repo.root / "guide").rmdir()
    repo.write("guide", "second")
    second = repo.commit()
    repo.git("mv", "guide", "b.md")
    repo.commit("x")
    found = ask([repo.root / name for name in ("b.md", "c.md")], Rules(follow_renames=True)).values()
    assert [answer.commit for answer in found if isinstance(answer, Change)] == [second, first]


def test_a_date_beyond_all_calendars_is_none(repo: Repo) -> None:
    """git shows 1970 for it."""
    repo.commit("a.md")
    commit = repo.git("cat-file", "commit", "HEAD") + "\n"
    late = re.sub(r"> \d+ ", "> 99999999999999999 ", commit)
    repo.write(".git/refs/heads/main", repo.hash_object("commit", late.encode()))
    assert ask_bounded(repo.root / "a.md") == ["NO_DATE"]


def test_a_path_is_dated_beside_a_bomb(repo: Repo) -> None:
    repo.commit("x")
    blob = bytes.fromhex(repo.git("rev-parse", "HEAD:x"))
    tree = repo.hash_tree(b"40000 bomb\0" + bytes.fromhex(bomb(repo)) + b"100644 page.md\0" + blob)
    commit = commit_tree(repo, tree)
    assert ask_bounded(repo.root / "page.md", repo.root / "bomb") == [commit, "UNTRACKED"]


def inflating(kind: bytes, start: bytes, size: int) -> bytes:
    """Return a loose object of so many bytes, most of them spaces."""
    packer = zlib.compressobj(1)
    pieces = [packer.compress(b"%b %d\0" % (kind, size) + start)]
    pieces += [packer.compress(b" " * ((size - len(start)) // 100)) for _ in range(100)]
    return b"".join([*pieces, packer.flush()])


def test_a_commit_with_a_message_of_megabytes_is_read(repo: Repo) -> None:
    repo.commit("a.md")
    (repo.root / "message").write_bytes(b"x" * (8 << 20))
    repo.git("commit", "--quiet", "--amend", "-F", "message", when=repo.tick())
    assert ask_bounded(repo.root / "a.md") == [repo.git("rev-parse", "HEAD")]


def cut_short(file: Path, share: float) -> None:
    file.chmod(0o644)
    file.write_bytes(file.read_bytes()[: int(file.stat().st_size * share)])


def test_an_object_that_is_cut_short_is_unknown(repo: Repo) -> None:
    repo.commit("docs/a.md")
    second = repo.commit("docs/b.md")
    cuts = [
        (revision, share)
        for revision in ("HEAD", "HEAD:docs", "HEAD~1", "HEAD~1:docs")
        for share in (0, 0.5, 0.9)
    ]
    broken = copies(repo, len(cuts))
    for copy, (revision, share) in zip(broken, cuts, strict=True):
        cut_short(loose(copy, revision), share)
    said = ask_bounded(*(copy.root / "docs" / name for copy in broken for name in ("a.md", "b.md")))
    assert all(each.isupper() for each in said[::2])
    assert all(each == second or each.isupper() for each in said[1::2])


def test_a_pack_that_is_cut_short_is_unknown(repo: Repo) -> None:
    commits = [repo.commit("docs/a.md") for _ in range(6)]
    commits.append(repo.commit("docs/b.md"))
    repo.git("gc", "--quiet", "--prune=now")
    cuts = [(suffix, share) for suffix in ("pack", "idx") for share in (0, 0.2, 0.5, 0.95)]
    broken = copies(repo, len(cuts))
    for copy, (suffix, share) in zip(broken, cuts, strict=True):
        (file,) = (copy.root / ".git/objects/pack").glob(f"*.{suffix}")
        cut_short(file, share)
    said = ask_bounded(*(copy.root / "docs" / name for copy in broken for name in ("a.md", "b.md")))
    assert all(each == commits[-2] or each.isupper() for each in said[::2])
    assert all(each == commits[-1] or each.isupper() for each in said[1::2])


def write_alternates(repo: Repo, *lines: str) -> None:
    file = repo.root / ".git/objects/info/alternates"
    file.parent.mkdir(exist_ok=True)
    file.write_text("".join(f"{line}\n" for line in lines))


def test_alternates_that_lead_in_a_circle(repo: Repo, tmp_path: Path) -> None:
    commit = repo.commit("a.md")
    other = repo.clone(tmp_path / "other")
    write_alternates(repo, os.fspath(other.root / ".git/objects"), os.fspath(repo.root / ".git/objects"))
    write_alternates(other, os.fspath(repo.root / ".git/objects"))
    assert ask_bounded(repo.root / "a.md") == [commit]


def test_alternates_that_are_a_folder_are_none(repo: Repo) -> None:
    commit = repo.commit("a.md")
    (repo.root / ".git/objects/info/alternates").mkdir(parents=True)
    assert ask_bounded(repo.root / "a.md") == [commit]


def test_alternates_of_alternates_and_relative_ones(repo: Repo, tmp_path: Path) -> None:
    """As git clone --shared makes them, and as someone may who moves all together."""
    commit = repo.commit("a.md")
    for name, origin in (("second", "repo"), ("third", "second")):
        subprocess.run(["git", "clone", "-q", "--shared", tmp_path / origin, tmp_path / name], check=True)
    third = Repo.__new__(Repo)
    third.root = tmp_path / "third"
    write_alternates(third, "# a remark", "../../../second/.git/objects", '"quoted\\ttab"')
    assert ask_bounded(third.root / "a.md") == [commit]


def test_files_named_git_that_lead_in_a_circle_begin_no_repository(tmp_path: Path) -> None:
    for name, target in (("a", "../b/.git"), ("b", "../a/.git"), ("c", ".git")):
        (tmp_path / name).mkdir()
        (tmp_path / name / ".git").write_text(f"gitdir: {target}\n")
    (tmp_path / "d").mkdir()
    (tmp_path / "d/.git").symlink_to(".git")
    paths = [tmp_path / name / "x.md" for name in "abcd"]
    assert ask_bounded(*paths) == ["NO_REPOSITORY"] * 4


def test_an_included_configuration_that_is_a_pipe(repo: Repo) -> None:
    repo.commit("a.md")
    os.mkfifo(repo.root / "pipe")
    with (repo.root / ".git/config").open("a") as stream:
        stream.write(f"[include]\n\tpath = {repo.root / 'pipe'}\n")
    (said,) = ask_bounded(repo.root / "a.md", patience=1)
    assert said.isupper()
