"""Several builds into one folder at once: each succeeds, and what is there at the end is one of them."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import time
from pathlib import Path

import pytest

from docs_sitemap.files import output
from docs_sitemap.files.output import FolderLock, OutputFolder
from tests.files.test_crash import LEFT, needs_fork

pytestmark = pytest.mark.slow

PAGES = 40


def start(site: Path, host: str) -> subprocess.Popen[str]:
    """Start a build of a site in many parts, all of which have the address of this build."""
    options = ["--base-url", f"https://{host}.example.org/", "--max-urls", "2", "--formats", "xml,gz,txt"]
    return subprocess.Popen(
        [sys.executable, "-m", "docs_sitemap", "build", str(site), *options],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def hosts_in(site: Path) -> set[str]:
    """Return which builds the files of the site map are from."""
    files = [*site.glob("sitemap*.xml"), *site.glob("sitemap*.txt"), site / "robots.txt"]
    assert len(files) > PAGES
    return {host for file in files for host in re.findall(r"//(\w+)\.example\.org", file.read_text("utf-8"))}


def test_builds_at_once_all_succeed_and_the_result_is_one_of_them(tmp_path: Path) -> None:
    for number in range(PAGES):
        (tmp_path / f"{number}.html").write_text("<title>A page</title>", "utf-8")
    builds = [start(tmp_path, host) for host in ("one", "two", "three", "four")]
    said = [build.communicate(timeout=120)[1] for build in builds]
    assert [build.returncode for build in builds] == [0] * 4, said
    assert len(hosts_in(tmp_path)) == 1
    assert not list(tmp_path.glob(".*"))


@needs_fork
def test_a_run_that_is_under_way_keeps_its_temporary_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also where the other one no longer waits for it; and its end is all that it takes to remove them."""
    monkeypatch.setattr(output, "_SECONDS_TO_LOCK", 0.05)
    with OutputFolder(tmp_path).changes() as first:
        first.write("sitemap.xml", b"first")
        with OutputFolder(tmp_path).changes() as second:
            second.write("sitemap.xml", b"second")
            second.commit()
        assert (tmp_path / "sitemap.xml").read_bytes() == b"second"
        first.commit()
    assert (tmp_path / "sitemap.xml").read_bytes() == b"first"
    (tmp_path / LEFT).write_bytes(b"of a build that was killed")
    with OutputFolder(tmp_path).changes() as third:
        third.write("sitemap.xml", b"first")
    assert [path.name for path in tmp_path.iterdir()] == ["sitemap.xml"]


def test_without_locks_only_what_is_old_is_a_leftover(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(output, "_SECONDS_TO_LOCK", 0.0)
    left = tmp_path / LEFT
    left.write_bytes(b"of a build that may be under way on another machine")
    for age, is_there in ((3_600, True), (100_000, False)):
        os.utime(left, (time.time() - age,) * 2)
        with OutputFolder(tmp_path).changes() as changes:
            changes.write("sitemap.xml", b"new")
            changes.commit()
        assert left.exists() == is_there


def test_a_lock_that_nobody_gives_back_holds_up_no_build_for_good(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("fcntl")
    monkeypatch.setattr(output, "_SECONDS_TO_LOCK", 0.05)
    stopped, other = FolderLock(tmp_path), FolderLock(tmp_path)
    assert (stopped.is_held, other.is_held) == (True, False)
    stopped.release()
    assert FolderLock(tmp_path).is_held
