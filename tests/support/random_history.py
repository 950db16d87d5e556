"""Random histories of every shape, written straight into a repository with git fast-import."""

from __future__ import annotations

import os
import random
import subprocess
from collections.abc import Sequence
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


_AT_ONCE = 1_600_000_000, 1_600_000_000


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


def workflow(seed: int) -> list[CommitPlan]:  # noqa: C901  # one step a branch
    """Return a history as teams make it: two long branches, to which others and each other are merged."""
    draw = random.Random(seed)  # noqa: S311  # no secret
    names = [f"{folder}{number}" for folder in ("", "d/") for number in range(10)]
    commits = [CommitPlan((), dict.fromkeys(names, ("100644", 0)), *_AT_ONCE)]

    def edit(tip: int, files: int) -> int:
        changed = {name: ("100644", draw.randrange(CONTENTS)) for name in draw.sample(names, files)}
        commits.append(CommitPlan((tip,), {**commits[tip].state, **changed}, *_AT_ONCE))
        return len(commits) - 1

    def merge(tip: int, other: int) -> int:
        if tip == other:
            return tip
        base, state = _base(commits, tip, other), dict(commits[tip].state)
        for name in names:
            ours, theirs = state[name], commits[other].state[name]
            # what only they have changed is theirs; of a conflict, one side, and now and then the wrong one
            if ours == base[name] or (theirs != base[name] and draw.random() < 0.5):
                state[name] = theirs
            if draw.random() < 0.1:
                state[name] = draw.choice((ours, theirs))
        commits.append(CommitPlan((tip, other), state, *_AT_ONCE))
        return len(commits) - 1

    main = develop = 0
    for _ in range(draw.randint(3, 30)):
        what = draw.choice(("feature", "feature", "hotfix", "release", "back"))
        if what == "feature":
            topic = edit(edit(develop, 2), 1)
            develop = merge(edit(develop, 1) if draw.random() < 0.5 else develop, topic)
        elif what == "hotfix":
            main = merge(main, edit(main, 1))
        elif what == "release":
            main = merge(main, develop)
        else:
            develop = merge(develop, main)
    merge(main, develop)
    return commits


def moving(seed: int) -> list[CommitPlan]:
    """Return a history whose folders are renamed, with all their files, while branches edit some of these."""
    draw = random.Random(seed)  # noqa: S311  # no secret
    names = [f"{folder}/{number}" for folder in "ab" for number in range(4)]
    commits = [CommitPlan((), {name: ("100644", draw.randrange(CONTENTS)) for name in names}, *_AT_ONCE)]
    for number in range(1, draw.randint(4, 20)):
        parents = (
            {number - 1, draw.randrange(number)}
            if draw.random() < 0.3
            else {max(0, number - draw.choice((1, 1, 1, 2, 3)))}
        )
        ours, *others = sorted(parents, reverse=True)
        state = dict(commits[ours].state)
        for other in others:
            theirs = commits[other].state
            state.update({name: theirs[name] for name in theirs if name not in state or draw.random() < 0.3})
        if draw.random() < 0.5 and state:
            old, new = draw.choice(sorted(state)).partition("/")[0], draw.choice("abcd")
            state = {
                name.replace(old, new, 1) if name.startswith(old) else name: entry
                for name, entry in state.items()
            }
        for name in draw.sample(sorted(state), draw.choice((0, 0, 1, 2))):
            state[name] = ("100644", draw.randrange(CONTENTS))
        commits.append(CommitPlan(tuple(sorted(parents, reverse=draw.random() < 0.5)), state, *_AT_ONCE))
    return commits


def _base(commits: Sequence[CommitPlan], one: int, other: int) -> State:
    """Return the newest commit that both have: good enough for one base."""
    both = _ancestors(commits, one) & _ancestors(commits, other)
    return commits[max(both)].state


def _ancestors(commits: Sequence[CommitPlan], start: int) -> set[int]:
    found: set[int] = set()
    open_ones = [start]
    while open_ones:
        commit = open_ones.pop()
        if commit not in found:
            found.add(commit)
            open_ones += commits[commit].parents
    return found


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
