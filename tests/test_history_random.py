"""Against git itself, on random histories. HISTORIES=5000 makes the run as long as you like."""

from __future__ import annotations

import os
import subprocess
import tempfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from docs_sitemap.history import Change, Unknown, find_repository, tracked_changes
from tests.random_history import CommitPlan, build, histories

EXAMPLES = int(os.environ.get("HISTORIES", "120"))
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


def answers(root: Path, clock: str = "committer") -> dict[bytes, Change | Unknown]:
    repository = find_repository(root)
    assert repository is not None
    return tracked_changes(repository, [b""], clock=clock)[b""]


@thorough
@given(commits=histories(), clock=st.sampled_from(("committer", "author")))
@pytest.mark.parametrize("object_format", ["sha1", "sha256"])
def test_every_answer_is_that_of_git_log(object_format: str, commits: list[CommitPlan], clock: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        build(root, commits, object_format=object_format)
        found = answers(root, clock)
        assert {os.fsdecode(name) for name in found} == set(commits[-1].state)
        for name, answer in found.items():
            log = git(
                root,
                "log",
                "-1",
                f"--format=%H {'%at' if clock == 'author' else '%ct'}",
                "--",
                os.fsdecode(name),
            )
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
                assert answer.not_after is not None
