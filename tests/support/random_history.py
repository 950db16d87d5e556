"""Random histories of every shape, written straight into a repository with git fast-import."""

from __future__ import annotations

import os
import subprocess
from dataclasses import dataclass
from pathlib import Path

from hypothesis import strategies as st

State = dict[str, tuple[str, int]]
"""A whole tree: path to mode and number of a content."""

# `d` is a file in some commits and a folder in others; the last name is one that quoting breaks
PATHS = ("a", "b", "d", "d/a", "d/b", "d/e/a", 'e/ü "x" &.md')
MODES = ("100644", "100644", "100644", "100755", "120000", "160000")
CONTENTS = 3
TIMES = st.one_of(
    st.integers(1_600_000_000, 1_600_000_006),  # equal and skewed clocks are the rule here
    st.integers(1_500_000_000, 1_700_000_000),
)


@dataclass(frozen=True)
class CommitPlan:
    parents: tuple[int, ...]
    state: State
    committed: int
    authored: int


def _valid(state: State) -> State:
    """Drop files that stand where another path needs a folder."""
    folders = {"/".join(path.split("/")[:depth]) for path in state for depth in range(1, path.count("/") + 1)}
    return {path: entry for path, entry in state.items() if path not in folders}


@st.composite
def histories(draw: st.DrawFn, max_commits: int = 14) -> list[CommitPlan]:
    """Draw commits in an order in which parents come first; the last one is HEAD."""
    commits: list[CommitPlan] = []
    for number in range(draw(st.integers(1, max_commits))):
        # near parents make long chains, far ones make branches; none makes a further root
        candidates = st.integers(max(0, number - draw(st.sampled_from((1, 1, 3, 14)))), number - 1)
        count = draw(st.sampled_from((1, 1, 1, 2, 2, 3, 0))) if number else 0
        parents = (
            tuple(dict.fromkeys(draw(st.lists(candidates, min_size=count, max_size=count)))) if count else ()
        )
        state: State = {}
        for path in PATHS:
            # each file from any parent: a clean merge, a conflict, "ours", or an evil one below
            if parents:
                entry = commits[draw(st.sampled_from(parents))].state.get(path)
                if entry is not None:
                    state[path] = entry
        for path in draw(st.lists(st.sampled_from(PATHS), max_size=2 if number else 5)):
            change = draw(st.integers(-1, CONTENTS - 1))
            if change < 0:
                state.pop(path, None)
            else:
                state[path] = (draw(st.sampled_from(MODES)), change)
        if draw(st.integers(0, 5)) == 0 and state:
            old = draw(st.sampled_from(sorted(state)))
            state[draw(st.sampled_from(PATHS))] = state.pop(old)  # a pure rename
        commits.append(CommitPlan(parents, _valid(state), draw(TIMES), draw(TIMES)))
    return commits


def build(root: Path, commits: list[CommitPlan]) -> None:
    """Make a repository at ``root`` whose HEAD is the last of the commits; it has no work tree files."""
    subprocess.run(["git", "init", "--quiet", "--initial-branch=main", os.fspath(root)], check=True)
    lines: list[bytes] = []
    for number in range(CONTENTS):
        text = b"content %d" % number
        lines.append(b"blob\nmark :%d\ndata %d\n%s\n" % (number + 1, len(text), text))
    for number, commit in enumerate(commits):
        # each on a ref of its own: `from` is then the only thing that makes a parent
        lines.append(b"commit refs/heads/c%d\nmark :%d\n" % (number, number + 100))
        lines.append(b"author A <a@example.org> %d +0100\n" % commit.authored)
        lines.append(b"committer C <c@example.org> %d -0700\n" % commit.committed)
        message = b"commit %d" % number
        lines.append(b"data %d\n%s\n" % (len(message), message))
        for position, parent in enumerate(commit.parents):
            lines.append(b"%s :%d\n" % (b"merge" if position else b"from", parent + 100))
        lines.append(b"deleteall\n")
        for path, (mode, content) in commit.state.items():
            data = b":%d" % (content + 1)
            if mode == "160000":
                data = (b"%02d" % content) * 20
            quoted = path.replace("\\", "\\\\").replace('"', '\\"')
            lines.append(b'M %s %s "%s"\n' % (mode.encode(), data, quoted.encode()))
        lines.append(b"\n")
    lines.append(b"reset refs/heads/main\nfrom :%d\n\n" % (len(commits) + 99))
    subprocess.run(
        ["git", "-C", os.fspath(root), "fast-import", "--quiet", "--force"], input=b"".join(lines), check=True
    )
