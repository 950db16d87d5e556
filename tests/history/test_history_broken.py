"""Trees and commits with broken bytes: a date is that of git log, or unknown. HISTORIES makes it longer."""

from __future__ import annotations

import os
import subprocess
import tempfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from docs_sitemap.history import Answer, Change, Rules, last_additions, last_changes
from tests.support.gitrepo import FIRST, Repo

pytestmark = pytest.mark.slow

EXAMPLES = int(os.environ.get("HISTORIES", "20"))
FILES = ("docs/a.md", "docs/b.md", "page.md", "z.md")
COMMITS = 4
PLACES = [(number, part) for number in range(COMMITS) for part in ("commit", "root", "docs")]

Mutation = tuple[str, int, bytes]
"""What is done, at which byte (modulo the size), and the bytes that are put there."""

WORDS = [
    b"999 ",
    b"0100644 ",
    b"040000 ",
    b"100664 ",
    b"tree ",
    b"parent ",
    b"\0",
    b"\n",
    b" ",
    b"/",
    b">",
    b"<",
]
WORDS += [
    b"committer C <c@e> 1 +0000\n",
    b"author A <a@e> x\n",
    b"40000 docs\0",
    b"100644 a.md\0" + b"1" * 20,
]
MUTATIONS = st.tuples(
    st.sampled_from(["put", "insert", "cut", "end", "repeat"]),
    st.integers(0, 400),
    st.sampled_from(WORDS) | st.binary(min_size=1, max_size=3),
)


def mutated(data: bytes, mutations: list[Mutation]) -> bytes:
    for what, place, piece in mutations:
        at = place % (len(data) + 1)
        after = {
            "put": piece + data[at + len(piece) :],
            "insert": piece + data[at:],
            "cut": data[at + len(piece) :],
            "end": b"",
            "repeat": data[max(0, at - 31) :],
        }
        data = data[:at] + after[what]
    return data


def build(repo: Repo, broken: dict[tuple[int, str], list[Mutation]]) -> None:
    """Write a line of commits, each of which changes a file; what is broken keeps the name of its bytes."""
    blobs = {name: repo.hash_object("blob", name.encode()) for name in FILES}
    parent = ""
    for number, changed in enumerate((None, "docs/a.md", "page.md", "docs/b.md")):
        if changed:
            blobs[changed] = repo.hash_object("blob", b"%d" % number)

        def tree(part: str, *entries: tuple[bytes, str], number: int = number) -> str:
            data = b"".join(start + b"\0" + bytes.fromhex(name) for start, name in entries)
            return repo.hash_object("tree", mutated(data, broken.get((number, part), [])))

        docs = tree("docs", *((b"100644 " + name[5:].encode(), blobs[name]) for name in FILES[:2]))
        files = ((b"100644 " + name.encode(), blobs[name]) for name in FILES[2:])
        root = tree("root", (b"40000 docs", docs), *files)
        people = f"author A <a@e> {FIRST + number} +0000\ncommitter C <c@e> {FIRST + number} +0000\n"
        text = f"tree {root}\n{parent}{people}\nmessage {number}\n"
        commit = repo.hash_object("commit", mutated(text.encode(), broken.get((number, "commit"), [])))
        parent = f"parent {commit}\n"
    repo.write(".git/refs/heads/main", commit + "\n")


INTACT = {"docs/a.md": FIRST + 1, "docs/b.md": FIRST + 3, "page.md": FIRST + 2, "z.md": FIRST}
"""When each file changed before anything was broken."""


def assert_right_or_unknown(repo: Repo, answers: dict[Path, Answer], *options: str) -> None:
    """A date is that of git log, and where git cannot read so far, that of what was broken afterwards."""
    for path, answer in answers.items():
        if not isinstance(answer, Change):
            continue
        name = path.relative_to(repo.root).as_posix()
        log = ["git", "log", "-1", "--format=%H %ct", *options, "--", name]
        done = subprocess.run(log, cwd=repo.root, capture_output=True, check=False)
        if done.returncode == 0:
            assert f"{answer.commit} {answer.time}" == done.stdout.decode().strip(), name
        else:
            assert answer.time == (FIRST if options else INTACT[name]), name


def ask(repo: Repo, rules: Rules) -> dict[Path, Answer]:
    return last_changes([repo.root / name for name in FILES], rules)


thorough = settings(
    max_examples=EXAMPLES,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
)


@thorough
@given(
    st.dictionaries(
        st.sampled_from(PLACES), st.lists(MUTATIONS, min_size=1, max_size=2), min_size=1, max_size=2
    )
)
@example({(2, "root"): [("put", 0, b"999 ")]})
@example({(1, "docs"): [("put", 0, b"100999")]})
@example({(3, "docs"): [("end", 30, b"")]})
def test_whatever_bytes_a_tree_or_a_commit_has_each_date_is_right_or_unknown(
    broken: dict[tuple[int, str], list[Mutation]],
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        repo = Repo(Path(folder))
        build(repo, broken)
        assert_right_or_unknown(repo, ask(repo, Rules()))
        ask(repo, Rules(follow_renames=True))
        paths = [repo.root / name for name in FILES]
        assert_right_or_unknown(repo, last_additions(paths), "--diff-filter=A")
        last_additions(paths, Rules(follow_renames=True))


@pytest.mark.parametrize("place", ["one", "both", "head"])
@pytest.mark.parametrize("number", [0, 200])
@pytest.mark.parametrize("text", ["page", "another"])
def test_a_file_beside_a_folder_of_its_name(tmp_path: Path, place: str, number: int, text: str) -> None:
    """``git mktree`` writes such trees; the file had the date of the commit that added the folder."""
    repo = Repo(tmp_path)
    blobs = {name: bytes.fromhex(repo.hash_object("blob", name.encode())) for name in ("page", "another")}
    folder = b"40000 page.md\0" + bytes.fromhex(repo.hash_tree(b"100644 x\0" + blobs["page"]))
    others = b"".join(b"100644 page.md.%04d\0" % each + blobs["page"] for each in range(number))
    both = repo.hash_tree(b"100644 page.md\0" + blobs[text] + others + folder)
    file = repo.hash_tree(b"100644 page.md\0" + blobs["page"] + others)
    parent = ""
    for tree in {"one": [file, both, file], "both": [file, both, both, file], "head": [file, both]}[place]:
        when = f"{repo.tick()} +0000"
        lines = [f"tree {tree}", *([f"parent {parent}"] if parent else [])]
        lines += [f"author A <a> {when}", f"committer A <a> {when}", "", "x"]
        parent = repo.hash_object("commit", "\n".join(lines).encode())
    repo.git("update-ref", "HEAD", parent)
    path = repo.write("page.md")
    for rules in (Rules(), Rules(follow_renames=True)):
        answer = last_changes([path], rules)[path]
        if not isinstance(answer, Change):
            continue
        assert place != "head"
        assert answer.commit == repo.log_commit("page.md")
