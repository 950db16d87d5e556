"""Against git itself, on random histories. HISTORIES=5000 makes the run as long as you like."""

from __future__ import annotations

import os
import subprocess
import tempfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from docs_sitemap.git import Answer, Change, Clock, Reason, Rules, Unknown, find_repository
from docs_sitemap.git.search import search
from tests.support.random_history import CommitPlan, build, histories

pytestmark = pytest.mark.slow

EXAMPLES = int(os.environ.get("HISTORIES", "10"))
thorough = settings(
    max_examples=EXAMPLES,
    deadline=None,
    # the fixture only clears the environment, which no example changes
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
)


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
@given(commits=histories(), clock=st.sampled_from(("committer", "author")))
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
@given(commits=histories(), depth=st.integers(1, 6), added=st.booleans())
def test_a_shallow_clone_gives_the_date_of_the_full_one_or_none(
    commits: list[CommitPlan], depth: int, added: bool
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        full, shallow = Path(folder, "full"), Path(folder, "shallow")
        build(full, commits)
        git(full, "clone", "--quiet", "--no-checkout", f"--depth={depth}", full.as_uri(), os.fspath(shallow))
        truth = answers(full, added=added)
        found = answers(shallow, added=added)
        assert found.keys() == truth.keys()
        for name, answer in found.items():
            if isinstance(answer, Change):
                assert answer == truth[name] or isinstance(truth[name], Unknown)
            elif not added:
                assert answer.reason is Reason.BOUNDARY
                assert answer.not_after is not None


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
