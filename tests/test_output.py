from __future__ import annotations

import os
from pathlib import Path

import pytest

from docs_sitemap.errors import OutputError
from docs_sitemap.output import OutputFolder


def contents(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()
    }


def test_files_are_written_replaced_and_removed(tmp_path: Path) -> None:
    (tmp_path / "old").write_bytes(b"1")
    (tmp_path / "gone").write_bytes(b"1")
    written = OutputFolder(tmp_path).replace({"old": b"2", "sub/new": b"3", "gone": None, "never": None})
    assert written == ["old", "sub/new"]
    assert contents(tmp_path) == {"old": b"2", "sub/new": b"3"}


def test_a_file_that_has_its_content_is_not_touched(tmp_path: Path) -> None:
    (tmp_path / "same").write_bytes(b"1")
    os.utime(tmp_path / "same", (5, 5))
    assert OutputFolder(tmp_path).replace({"same": b"1"}) == []
    assert (tmp_path / "same").stat().st_mtime == 5


@pytest.mark.parametrize(("umask", "mode"), [(0o022, 0o644), (0o077, 0o600), (0o002, 0o664)])
def test_a_published_file_follows_the_umask(tmp_path: Path, umask: int, mode: int) -> None:
    before = os.umask(umask)
    try:
        OutputFolder(tmp_path).replace({"a": b"1"})
    finally:
        os.umask(before)
    assert (tmp_path / "a").stat().st_mode & 0o777 == mode


def test_a_failure_leaves_each_old_file_and_nothing_half_written(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"old")
    (tmp_path / "b").write_bytes(b"a file where a folder is needed")
    with pytest.raises(OutputError, match="cannot write a, b/c") as caught:
        OutputFolder(tmp_path).replace({"a": b"new", "b/c": b"new"})
    assert isinstance(caught.value, OSError)
    assert contents(tmp_path) == {"a": b"old", "b": b"a file where a folder is needed"}


def test_a_link_inside_the_output_does_not_lead_out(tmp_path: Path) -> None:
    outside, root = tmp_path / "outside", tmp_path / "site"
    outside.mkdir()
    root.mkdir()
    (root / "maps").symlink_to(outside)
    with pytest.raises(OutputError, match="leads out of"):
        OutputFolder(root).replace({"maps/sitemap.xml": b"1"})
    assert contents(outside) == {}


def test_a_linked_file_is_replaced_and_its_target_left_alone(tmp_path: Path) -> None:
    target, root = tmp_path / "target", tmp_path / "site"
    target.write_bytes(b"theirs")
    root.mkdir()
    (root / "sitemap.xml").symlink_to(target)
    OutputFolder(root).replace({"sitemap.xml": b"ours"})
    assert target.read_bytes() == b"theirs"
    assert not (root / "sitemap.xml").is_symlink()
