"""What the audit hook makes of strange files and folders: an answer, and never an error in ``open``."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from docs_sitemap.dates.evidence.reads import Reads, in_repository
from docs_sitemap.limits import MAX_DEPTH

DEPTH = 1_900
"""Folders within each other, more than Python nests functions; the path is shorter than Linux allows."""


@pytest.fixture
def listening() -> Iterator[Reads]:
    reads = Reads()
    reads.listen()
    yield reads
    reads.close()


def test_folders_may_be_nested_more_deeply_than_functions(tmp_path: Path) -> None:
    (tmp_path / "in" / ".git").mkdir(parents=True)
    assert not in_repository(os.path.join(tmp_path, "in", *["a"] * DEPTH))  # no file there has a date
    assert not in_repository(os.path.join(tmp_path, *["a"] * (MAX_DEPTH // 2)))
    assert in_repository(os.path.join(tmp_path, "in", *["a"] * (MAX_DEPTH // 2)))
    assert in_repository(os.path.join(tmp_path, "in"))
    assert not in_repository(os.path.join(tmp_path, "in", ".git", "objects"))


@pytest.mark.skipif(sys.platform == "win32", reason="no folder is removed while it is used")
@pytest.mark.usefixtures("listening")
def test_what_cannot_be_noted_can_be_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Here, the working folder is gone, so that a relative path has no absolute one."""
    (tmp_path / "there").write_text("text")
    (tmp_path / "gone").mkdir()
    folder = os.open(tmp_path, os.O_RDONLY)
    monkeypatch.chdir(tmp_path / "gone")
    (tmp_path / "gone").rmdir()
    try:
        with open(os.open("there", os.O_RDONLY, dir_fd=folder)) as stream:
            assert stream.read() == "text"
    finally:
        os.close(folder)
