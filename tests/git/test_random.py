"""Against git itself, on random histories. HISTORIES=5000 makes the run as long as you like."""

from __future__ import annotations

import os
import random
import subprocess
import tempfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from docs_sitemap.git import Answer, Change, Clock, Reason, Rules, find_repository
from docs_sitemap.git.search import search
from tests.support.random_history import CommitPlan, State, build, histories, moving, workflow

pytestmark = pytest.mark.slow

EXAMPLES = int(os.environ.get("HISTORIES", "10"))
thorough = settings(
    max_examples=EXAMPLES,
    deadline=None,
    # the fixture only clears the environment, which no example changes
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
)

long_branches = st.builds(workflow, st.integers(0, 1 << 30))
"""Where they are merged, files come to one commit at once on several ways."""

renamings = st.one_of(histories(), st.builds(moving, st.integers(0, 1 << 30)))
"""Histories with renames of files, and of folders."""


def git(root: Path, *args: str) -> str:
    env = {**os.environ, "GIT_LITERAL_PATHSPECS": "1"}
    done = subprocess.run(["git", *args], cwd=root, env=env, check=True, capture_output=True)
    return done.stdout.decode().strip()


def answers(
    root: Path, rules: Rules | None = None, *, added: bool = False, changes: dict[bytes, Answer] | None = None
) -> dict[bytes, Answer]:
    repository = find_repository(root)
    assert repository is not None
    found, passed = search(repository, None, rules or Rules(), added=added)
    if changes is not None:
        changes.update(passed)
    return found


@thorough
@given(commits=st.one_of(histories(), long_branches), clock=st.sampled_from(("committer", "author")))
def test_every_answer_is_that_of_git_log(commits: list[CommitPlan], clock: Clock) -> None:
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        build(root, commits)
        found = answers(root, Rules(clock))
        assert {os.fsdecode(name) for name in found} == set(commits[-1].state)
        time = "%at" if clock == "author" else "%ct"
        for name, answer in found.items():
            log = git(root, "log", "-1", f"--format=%H {time}", "--", os.fsdecode(name))
            assert isinstance(answer, Change)
            assert f"{answer.commit} {answer.time}" == log, name


@thorough
@given(commits=histories(), depth=st.integers(1, 6))
def test_a_shallow_clone_gives_the_date_of_the_full_one_or_none(
    commits: list[CommitPlan], depth: int
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        full, shallow = Path(folder, "full"), Path(folder, "shallow")
        build(full, commits)
        git(full, "clone", "--quiet", "--no-checkout", f"--depth={depth}", full.as_uri(), os.fspath(shallow))
        truth = answers(full)
        found = answers(shallow)
        assert found.keys() == truth.keys()
        for name, answer in found.items():
            if isinstance(answer, Change):
                assert answer == truth[name]
            else:
                assert answer.reason is Reason.BOUNDARY
                assert answer.not_after is not None


def expected(
    commits: list[CommitPlan], path: str, ignored: set[int], follow_renames: bool
) -> tuple[int, list[tuple[str, int, str]]]:
    """Walk one file alone, straight from the definition; return the commit and what was passed over."""
    here, passed = len(commits) - 1, []
    while True:
        commit = commits[here]
        entry = commit.state[path]
        parents = [(number, commits[number].state) for number in commit.parents]
        same = [number for number, state in parents if state.get(path) == entry]
        if same:
            here = same[0]
            continue
        having = [number for number, state in parents if path in state]
        if here in ignored and having:
            passed.append(("ignored", here, ""))
            here = having[0]
            continue
        moved = None
        if follow_renames:
            moved = next(
                filter(None, (_old_name(path, commit.state, number, state) for number, state in parents)),
                None,
            )
        if moved is None:
            return here, passed
        passed.append(("renamed", here, moved[1]))
        here, path = moved


def _old_name(path: str, state: State, number: int, parent: State) -> tuple[int, str] | None:
    if path in parent:
        return None
    gone = [old for old, entry in parent.items() if entry == state[path] and old not in state]
    if not gone:
        return None
    base = path.rpartition("/")[2]
    return number, min(gone, key=lambda old: (old.rpartition("/")[2] != base, old.encode()))


@thorough
@given(
    commits=st.one_of(renamings, long_branches),
    seed=st.integers(0, 1 << 30),
    share=st.sampled_from((0, 0.1, 0.4)),
    follow_renames=st.booleans(),
)
def test_ignored_commits_and_pure_renames_are_passed_over(
    commits: list[CommitPlan], seed: int, share: float, follow_renames: bool
) -> None:
    chance = random.Random(seed)  # noqa: S311  # no secret
    ignored = {number for number in range(len(commits)) if chance.random() < share}
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        build(root, commits)
        names = git(root, "rev-parse", *[f"c{number}" for number in range(len(commits))]).split()
        rules = Rules(
            ignored=frozenset(names[number].encode() for number in ignored), follow_renames=follow_renames
        )
        for name, answer in answers(root, rules).items():
            number, passed = expected(commits, name.decode(), ignored, follow_renames)
            assert isinstance(answer, Change)
            assert (answer.commit, answer.time) == (names[number], commits[number].committed), name
            assert [(skip.why, skip.commit, skip.old_name.decode()) for skip in answer.skips] == [
                (why, names[at], old) for why, at, old in passed
            ]
            # and so git says from there on
            if answer.skips:
                last = answer.skips[-1]
                path = next((skip.old_name for skip in answer.skips[::-1] if skip.old_name), name)
                assert (
                    git(root, "log", "-1", "--format=%H", last.parent, "--", path.decode()) == answer.commit
                )


def _may_be_unknown(commits: list[CommitPlan], path: str) -> set[Reason]:
    """Return for which reasons git's answer need not be found: what some commit does to the path."""
    reasons = set()
    for commit in commits:
        parents = [commits[number].state for number in commit.parents]
        if len(parents) > 1 and path in commit.state and not any(path in state for state in parents):
            reasons.add(Reason.MERGED)
        if any(name.startswith(f"{path}/") for name in commit.state):
            reasons.add(Reason.FOLDER)
    return reasons


@thorough
@given(commits=histories())
def test_every_addition_is_that_of_git_log(commits: list[CommitPlan]) -> None:
    """Nearly always: few histories have what is left open. The last changes beside it are exact too."""
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        build(root, commits)
        changes: dict[bytes, Answer] = {}
        found = answers(root, added=True, changes=changes)
        assert {os.fsdecode(name) for name in found} == set(commits[-1].state)
        plain = answers(root)
        for name, answer in found.items():
            path = os.fsdecode(name)
            if isinstance(answer, Change):
                log = git(root, "log", "--diff-filter=A", "-1", "--format=%H %ct", "--", path)
                assert f"{answer.commit} {answer.time}" == log, name
            else:
                assert answer.reason in _may_be_unknown(commits, path), name
            if name in changes:
                assert changes[name] == plain[name]
        assert changes.keys() >= {name for name, answer in found.items() if isinstance(answer, Change)}


@thorough
@given(commits=histories(), depth=st.integers(1, 6), follow_renames=st.booleans())
def test_a_shallow_clone_gives_the_addition_of_the_full_one_or_none(
    commits: list[CommitPlan], depth: int, follow_renames: bool
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        full, shallow = Path(folder, "full"), Path(folder, "shallow")
        build(full, commits)
        git(full, "clone", "--quiet", "--no-checkout", f"--depth={depth}", full.as_uri(), os.fspath(shallow))
        rules = Rules(follow_renames=follow_renames)
        truth = answers(full, rules, added=True)
        for name, answer in answers(shallow, rules, added=True).items():
            if isinstance(answer, Change) and isinstance(truth[name], Change):
                assert answer == truth[name], name


@thorough
@given(commits=renamings)
def test_additions_follow_pure_renames(commits: list[CommitPlan]) -> None:
    """From the addition of a name, git says the same of the old name as the answer."""
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        build(root, commits)
        plain = answers(root, added=True)
        for name, answer in answers(root, Rules(follow_renames=True), added=True).items():
            if not answer.skips:
                assert answer == plain[name]
            elif isinstance(answer, Change):
                # of several branches that have it from elsewhere, git names any
                passed = {answer.commit, *(skip.commit for skip in answer.skips)}
                assert getattr(plain[name], "commit", answer.commit) in passed
                last = answer.skips[-1]
                log = ("log", "--diff-filter=A", "-1", "--format=%H", last.parent, "--")
                assert git(root, *log, os.fsdecode(last.old_name)) == answer.commit
