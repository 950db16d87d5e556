"""Objects that a small pack unfolds to, or that git takes and nobody writes: few steps, little memory."""

from __future__ import annotations

import hashlib
import sys
import time
import zlib
from collections.abc import Callable, Mapping, Sequence, Set
from contextlib import AbstractContextManager
from pathlib import Path

import pytest

from docs_sitemap import history
from docs_sitemap.history import (
    Change,
    Reason,
    Rules,
    Unknown,
    additions,
    ancestors,
    count,
    last_additions,
    last_changes,
    renames,
    requests,
    session,
    trees,
    walk,
    wanted,
)
from docs_sitemap.history.catfile import open_reader
from docs_sitemap.history.explanation import describe
from docs_sitemap.history.objects import Ancestor, ObjectReader
from docs_sitemap.history.repository import Repository, open_repository
from docs_sitemap.limits import MAX_OBJECT, MAX_POINTER, MAX_SUBJECT
from tests.support.bounded import ask_measured, run_bounded
from tests.support.gitrepo import Repo

BLOB = bytes(20)


def stored(repo: Repo, kind: str, data: bytes) -> str:
    """Store an object as it is, whatever git would say of it; return its name."""
    whole = b"%b %d\0" % (kind.encode(), len(data)) + data
    name = hashlib.sha1(whole, usedforsecurity=False).hexdigest()
    file = repo.root / ".git/objects" / name[:2] / name[2:]
    if not file.exists():
        file.parent.mkdir(exist_ok=True)
        file.write_bytes(zlib.compress(whole))
    return name


def committed(repo: Repo, tree: str, *parents: str, number: int = 0, message: bytes = b"x\n") -> str:
    """Store a commit, and return its name."""
    person = b"A <a@example.org> %d +0000" % (1_700_000_000 + number)
    lines = b"".join(b"parent %b\n" % parent.encode() for parent in parents)
    text = b"tree %b\n%bauthor %b\ncommitter %b\n\n%b" % (tree.encode(), lines, person, person, message)
    return stored(repo, "commit", text)


def seconds(read: object, *given: object) -> float:
    """Return the fastest of three calls, which may raise ``ValueError``."""
    best = 1e9
    for _ in range(3):
        start = time.process_time()
        with pytest.raises(ValueError, match="malformed"):
            read(*given)  # type: ignore[operator]
        best = min(best, time.process_time() - start)
    return best


@pytest.mark.parametrize("piece", [b"1", b"1 ", b"1 a", b"0"])
def test_a_tree_without_entries_is_refused_in_linear_time(piece: bytes) -> None:
    """A megabyte of digits took minutes to be counted."""
    small, large = (piece * (size // len(piece)) for size in (100_000, 1_600_000))
    assert seconds(trees.count_entries, large, 20) < 100 * max(seconds(trees.count_entries, small, 20), 1e-4)
    assert seconds(count.Count().parse, large, 20) < 1


def test_a_mode_of_megabytes_is_not_parsed_for_each_entry() -> None:
    """git takes any number of zeros: a mode of 4 MB beside 1,000 entries took ten seconds."""
    others = b"".join(b"100644 a%04d\0" % number + BLOB for number in range(1_000))
    last = b"100644 z\0" + BLOB
    long_mode = b"0" * 4_000_000 + last
    start = time.process_time()
    with pytest.raises(ValueError, match="malformed"):
        trees.differing_entries(trees.Tree(others + last), trees.Tree(long_mode), 20)
    assert time.process_time() - start < 2


def test_a_commit_that_names_one_parent_very_often_is_held_once(repo: Repo) -> None:
    """40 commits of 200,000 names each took 720 MB for dates of creation; the second tells git of a merge."""
    repo.commit("x")
    tree = repo.git("rev-parse", "HEAD^{tree}")
    names = [repo.git("rev-parse", "HEAD")]
    for number in range(20):
        names.append(committed(repo, tree, *[names[-1]] * 50_000, number=number))
    repo.git("update-ref", "HEAD", names[-1])
    repository = open_repository(repo.root)
    assert repository
    with open_reader(repository) as reader, reader.ancestors([names[-1].encode()]) as stream:
        parents = [each.parents for each in stream]
    assert {len(each) for each in parents} == {0, 2}
    assert (
        last_additions([repo.root / "x"])[repo.root / "x"] == last_changes([repo.root / "x"])[repo.root / "x"]
    )


def test_a_line_of_parents_is_read_up_to_a_limit(repo: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    """git writes all that a commit names in one line."""
    first = repo.commit("x")
    tree = repo.git("rev-parse", "HEAD^{tree}")
    repo.git("update-ref", "HEAD", committed(repo, tree, *[first] * 30, number=9))
    monkeypatch.setattr(ancestors, "MAX_OBJECT", 1_000)
    answer = last_additions([repo.root / "x"])[repo.root / "x"]
    assert isinstance(answer, Unknown)
    assert answer.reason is Reason.TOO_LARGE


def alternating(repo: Repo, commits: int, *, adds: bool) -> Path:
    """Make commits that each change or add a page, and all files of another folder; return a page."""
    for name in "vwxy":
        repo.write(name, f"the text of {name}")
    repo.commit(*"vwxy")
    blobs = [bytes.fromhex(repo.git("rev-parse", f"HEAD:{name}")) for name in "vwxy"]
    large = [
        bytes.fromhex(
            stored(repo, "tree", b"".join(b"100644 %b%04d\0" % (name, at) + blob for at in range(2_000)))
        )
        for blob, name in zip(blobs, (b"a", b"b"), strict=False)
    ]
    parent = repo.git("rev-parse", "HEAD")
    for number in range(commits):
        pages = b"".join(
            b"100644 %04d.md\0" % page + blobs[2 if adds else 2 + number % 2]
            for page in range(number + 1 if adds else 1)
        )
        inner = bytes.fromhex(stored(repo, "tree", pages))
        root = stored(repo, "tree", b"40000 big\0" + large[number % 2] + b"40000 pages\0" + inner)
        parent = committed(repo, root, parent, number=number)
    repo.git("update-ref", "HEAD", parent)
    repo.write("pages/0000.md", "")
    return repo.root / "pages/0000.md"


def test_no_former_name_is_looked_for_where_a_file_only_changes(
    repo: Repo, monkeypatch: pytest.MonkeyPatch
) -> None:
    """300 commits that change one page, and 30,000 other files, took 34 seconds."""
    page = alternating(repo, 6, adds=False)
    monkeypatch.delattr(renames, "_gone")
    answer = last_changes([page], Rules(follow_renames=True))[page]
    assert isinstance(answer, Change)


@pytest.mark.parametrize("ask", [last_changes, last_additions])
def test_former_names_are_looked_for_up_to_a_limit(
    repo: Repo, monkeypatch: pytest.MonkeyPatch, ask: history._Ask
) -> None:
    """200 commits that each add a page, and change 30,000 other files, took 20 seconds."""
    alternating(repo, 12, adds=True)
    asked = [repo.root / f"pages/{page:04d}.md" for page in range(12)]
    for limit, known in ((100_000, 12), (20_000, 5)):
        monkeypatch.setattr(count, "MAX_DIFFERENCES", limit)
        monkeypatch.setattr(history, "_SESSION", session.Session())
        found = ask(asked, Rules(follow_renames=True))  # type: ignore[call-arg, arg-type]
        answers = [found[path] for path in asked]  # type: ignore[index]
        assert sum(isinstance(answer, Change) for answer in answers) == known
        reasons = {answer.reason for answer in answers if isinstance(answer, Unknown)}
        assert reasons <= {Reason.TOO_LARGE}


def test_a_name_that_becomes_a_folder_has_the_whole_tree_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    """Then the order of all entries is checked."""
    others = b"".join(b"100644 f%04d\0" % number + BLOB for number in range(500))
    as_file, as_folder = (mode + b" z\0" + BLOB for mode in (b"100644", b"40000"))
    counted = count.Count()
    assert len(counted.compare(trees.Tree(others + as_file), trees.Tree(others + as_folder), 20)) == 1
    monkeypatch.setattr(count, "MAX_PARSED", 500)
    with pytest.raises(history.RepositoryError, match="more than 500 entries"):
        counted.compare(trees.Tree(others + as_file), trees.Tree(others + as_folder), 20)


def test_a_branch_of_megabytes_is_not_kept(repo: Repo) -> None:
    """A session keeps what HEAD says, for each repository below a site."""
    repo.commit("x")
    branch = repo.root / ".git" / repo.git("symbolic-ref", "HEAD")
    branch.write_bytes(branch.read_bytes() + b"\n" * MAX_POINTER)
    answer = last_changes([repo.root / "x"])[repo.root / "x"]
    assert isinstance(answer, Unknown)
    assert answer.reason is Reason.UNREADABLE


def test_a_subject_of_millions_of_lines_takes_little_memory() -> None:
    """5 million lines took 725 MB before the first thousand bytes were taken."""
    lines = b"ab\n" * 3_000_000
    person = b"A <a@example.org> 1700000000 +0000"
    data = b"tree %b\nauthor %b\ncommitter %b\n%bencoding latin-1\n\n%b" % (
        *(b"0" * 40, person, person),
        *(b"gpgsig %b" % (b" x\n" * 1_000_000), lines),
    )
    code = """
from docs_sitemap.history.catfile import open_reader
from docs_sitemap.history.explanation import describe
person = b"A <a@example.org> 1700000000 +0000"
print(*describe(b"tree x\\nauthor %b\\n%b\\n\\n%b" % (person, b" x\\n" * 3_000_000, b"ab\\n" * 5_000_000)))
"""
    said = run_bounded(code, memory=300 << 20)
    assert said.startswith("A <a@example.org> ab ab ab")
    author, subject = describe(data)
    assert author == "A <a@example.org>"
    assert len(subject) == MAX_SUBJECT


def test_three_folders_of_hundreds_of_thousands_of_files_take_little_memory(repo: Repo) -> None:
    """Folders of a million files each took 800 MB."""
    repo.commit("x")
    blob = bytes.fromhex(repo.git("rev-parse", "HEAD:x"))
    files = b"".join(b"100644 %06d\0" % number + blob for number in range(MAX_OBJECT // 34 - 10))
    folders = [
        bytes.fromhex(stored(repo, "tree", files + b"100644 z%d\0" % number + blob)) for number in range(3)
    ]
    root = b"".join(b"40000 d%d\0" % number + tree for number, tree in enumerate(folders))
    repo.git("update-ref", "HEAD", committed(repo, stored(repo, "tree", root)))
    asked = [repo.root / f"d{number}/z{number}" for number in range(3)]
    measured = ask_measured(asked)
    assert set(measured["said"]) == {repo.git("rev-parse", "HEAD")}
    if sys.platform == "linux":
        assert measured["peak"] < 450 << 20


@pytest.mark.parametrize("length", [40, 250])
def test_no_request_is_larger_than_a_pipe(repo: Repo, monkeypatch: pytest.MonkeyPatch, length: int) -> None:
    """git before 2.36 answers each line at once: it would wait for us to read, and we for it."""
    repo.commit("x")
    repo.write("y", "another text")
    repo.commit("y")
    blobs = [bytes.fromhex(repo.git("rev-parse", f"HEAD:{name}")) for name in "xy"]
    parent = first = ""
    for number in range(300):
        inner = stored(repo, "tree", b"100644 x.md\0" + blobs[0] + b"100644 y.md\0" + blobs[number % 2])
        root = stored(repo, "tree", b"40000 %b\0" % (b"d" * length) + bytes.fromhex(inner))
        parent = committed(repo, root, *[parent] * bool(parent), number=number)
        first = first or parent
    repo.git("update-ref", "HEAD", parent)
    sizes: list[int] = []
    ask = requests.Requests.ask

    def counted(self: requests.Requests, request: bytes, read: Callable[[], object]) -> requests.Ticket:
        sizes.append(len(request))
        return ask(self, request, read)

    monkeypatch.setattr(requests.Requests, "ask", counted)
    file = repo.root / ("d" * length) / "x.md"
    answer = last_changes([file])[file]
    assert isinstance(answer, Change)
    assert answer.commit == first
    assert requests.PIPE // 4 < max(sizes) <= requests.PIPE
    assert len(wanted.common_folder(wanted.nest([b"/".join([b"d" * length] * 9 + [b"x"])]), 9)[0]) <= 256


def test_merges_of_very_many_parents_are_compared_in_parts(
    repo: Repo, monkeypatch: pytest.MonkeyPatch
) -> None:
    """800 merges of the same 800 other parents took 730 MB."""
    roots = [
        stored(repo, "tree", b"100644 a.md\0" + bytes.fromhex(stored(repo, "blob", b"%d" % number)))
        for number in range(70)
    ]
    parents = [committed(repo, root, number=number) for number, root in enumerate(roots[:30])]
    commit = committed(repo, roots[30], number=100)
    for number, root in enumerate(roots[31:]):
        commit = committed(repo, root, commit, *parents, number=101 + number)
    repo.git("update-ref", "HEAD", commit)
    monkeypatch.setattr(additions, "_PAIRS", 100)
    most = 0
    read = additions.AdditionWalk._read_differences

    def counted(walk: additions.AdditionWalk, nodes: Sequence[Ancestor]) -> list[bytes]:
        nonlocal most
        found = read(walk, nodes)
        most = max(most, len(walk._compared))
        return found

    monkeypatch.setattr(additions.AdditionWalk, "_read_differences", counted)
    asked = repo.root / "a.md"
    answer = last_additions([asked])[asked]
    assert isinstance(answer, Change)
    assert answer.commit == repo.git("log", "--diff-filter=A", "-1", "--format=%H", "--", "a.md")
    assert 100 < most < 300


def test_branches_whose_root_lacks_the_folder_share_the_names_of_its_files(
    repo: Repo, monkeypatch: pytest.MonkeyPatch
) -> None:
    """2,000 such branches and 20,000 files, a pack of 8 MB, took 4 GB."""
    blobs = [bytes.fromhex(stored(repo, "blob", b"%d" % number)) for number in range(31)]
    empty = stored(repo, "tree", b"100644 a\0" + blobs[0])
    main = committed(repo, empty)
    files = [b"100644 %03d.md\0" % number + blobs[0] for number in range(200)]
    for number in range(30):
        files[number] = b"100644 %03d.md\0" % number + blobs[number + 1]
        folder = bytes.fromhex(stored(repo, "tree", b"".join(files)))
        root = stored(repo, "tree", b"40000 docs\0" + folder + b"40000 more\0" + folder)
        start = committed(repo, empty, number=10 * number)
        branch = committed(repo, root, start, number=10 * number + 1)
        main = committed(repo, root, main, branch, number=10 * number + 2)
    repo.git("update-ref", "HEAD", main)
    kept: list[frozenset[bytes]] = []
    united = walk.Walk._united

    def noted(self: walk.Walk, parts: Sequence[Set[bytes]]) -> frozenset[bytes]:
        kept.append(united(self, parts))
        return kept[-1]

    monkeypatch.setattr(walk.Walk, "_united", noted)
    for folders in (["docs"], ["docs", "more"]):
        kept.clear()
        asked = [repo.root / folder / f"{number:03d}.md" for folder in folders for number in range(200)]
        found = last_changes(asked)
        for path in (asked[5], asked[29], asked[-1]):
            answer = found[path]
            assert isinstance(answer, Change)
            name = path.relative_to(repo.root).as_posix()
            assert answer.commit == repo.git("log", "-1", "--format=%H", "--", name)
        large = {id(each) for each in kept if len(each) >= 200}
        assert len([each for each in kept if len(each) >= 200]) > 30
        assert len(large) < 10 or len(folders) > 1


def test_names_that_are_united_are_counted(monkeypatch: pytest.MonkeyPatch, repo: Repo) -> None:
    repo.commit("x")
    repository = open_repository(repo.root)
    assert repository
    with open_reader(repository) as reader:
        walking = walk.Walk(reader, {b"x"})
        many, more = (frozenset(b"%d" % number for number in range(at, at + 900)) for at in (0, 500))
        assert walking._united([many, {b"5"}, many]) is many
        monkeypatch.setattr(count, "MAX_TURNS", 300)
        with pytest.raises(history.RepositoryError, match="changes of files"):
            walking._united([many, more])


@pytest.mark.parametrize("name", ["a\0b", "a" * 5_000], ids=["NUL", "long"])
def test_a_folder_that_cannot_be_is_in_no_repository(tmp_path: Path, name: str) -> None:
    assert history.find_repository(tmp_path / name) is None


def test_a_history_that_fails_before_its_walk_is_not_asked_for_each_page(
    repo: Repo, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of ten trees of 16 MB above a missing one, each page took a second."""
    tree = stored(repo, "tree", b"40000 d\0" + b"\1" * 20)
    repo.git("update-ref", "HEAD", committed(repo, tree))
    opened: list[object] = []

    def counted(repository: Repository) -> AbstractContextManager[ObjectReader]:
        opened.append(repository)
        return open_reader(repository)

    monkeypatch.setattr("docs_sitemap.history.open_reader", counted)
    monkeypatch.setattr(history, "_SESSION", session.Session())
    for number in range(20):
        file = repo.root / f"d/{number}"
        answer = last_changes([file])[file]
        assert isinstance(answer, Unknown)
        assert answer.reason is Reason.INCOMPLETE
    assert len(opened) == 5


def test_a_session_keeps_the_names_of_few_repositories(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of four repositories of 100,000 files each, a megabyte together, it took a gigabyte."""
    kept = session.Session()
    monkeypatch.setattr(history, "_SESSION", kept)
    monkeypatch.setattr(session, "_MOST_KEPT", 100)
    repositories = [Repo(tmp_path / name) for name in "abcd"]
    for repo in repositories:
        repo.commit("x", "y")
        for name in ("x" * 40, "y" * 40, "x"):
            assert last_changes([repo.root / name])
    assert {repository.root.name for repository, _ in kept._known} == {"d"}


def test_trees_on_the_way_to_many_paths_are_read_once(repo: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    """400 paths below one tree of 16 MB took 35 s, and 4,000 files named one by one were too many."""
    repo.commit(*(f"docs/{number:03d}.md" for number in range(300)))
    repository = history.find_repository(repo.root)
    assert repository
    parsed: list[int] = []
    parse = trees.parse_tree

    def counted(data: bytes, name_size: int) -> dict[bytes, trees.Entry]:
        parsed.append(len(data))
        return parse(data, name_size)

    monkeypatch.setattr(count, "parse_tree", counted)
    paths = [b"docs/%03d.md" % number for number in range(300)]
    found = history.tracked_changes(repository, paths)
    assert all(isinstance(found[path][path], Change) for path in paths)
    assert len(parsed) < 10


def test_steps_keep_no_names_that_are_answered(repo: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    """120,000 commits that change 78 files each took 555 MB."""
    blobs = [bytes.fromhex(stored(repo, "blob", b"%d" % number)) for number in range(8)]
    commit = ""
    for number in range(300):
        files = b"".join(b"100644 %02d\0" % at + blobs[(number % 8) if at < 8 else 0] for at in range(20))
        commit = committed(repo, stored(repo, "tree", files), *[commit] * bool(commit), number=number)
    repo.git("update-ref", "HEAD", commit)
    walks: list[walk.Walk] = []
    run = walk.Walk.run

    def noted(self: walk.Walk, starts: Mapping[bytes, set[bytes]]) -> None:
        walks.append(self)
        run(self, starts)

    monkeypatch.setattr(walk.Walk, "run", noted)
    asked = [repo.root / f"{at:02d}" for at in range(20)]
    assert all(isinstance(answer, Change) for answer in last_changes(asked).values())
    [walked] = walks
    assert sum(len(changed) for _, changed in walked._steps.values()) < 8 * 70
