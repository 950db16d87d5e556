"""What the audit hook makes of strange files and folders: an answer, and never an error in ``open``."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from docs_sitemap.dates.evidence.reads import Reads


@pytest.fixture
def listening() -> Iterator[Reads]:
    recording = Reads()
    recording.listen()
    yield recording
    recording.close()


def test_only_what_git_has_counts(tmp_path: Path, listening: Reads) -> None:
    (tmp_path / "in/sub").mkdir(parents=True)
    (tmp_path / "in/.git/objects").mkdir(parents=True)
    names = [tmp_path / name for name in ("in/a", "in/sub/b", "in/.git/objects/c", "d")]
    for name in names:
        name.write_text("")
        name.read_text()
    assert listening.take() == {str(name): __name__ for name in names[:2]}


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
