from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from docs_sitemap.errors import OutputError
from docs_sitemap.files.output import OutputFolder

LEFT = ".docs-sitemap-0123456789abcdef.tmp"
"""What a killed build leaves beside a file."""


def contents(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()
    }


def end_long_ago(folder: Path) -> None:
    """Let a killed build be as long ago as it must be to leave nothing."""
    for path in folder.rglob("*.tmp"):
        os.utime(path, (0, 0))


def put(
    folder: Path, files: Mapping[str, bytes | None], meanwhile: Callable[[], object] = lambda: None
) -> list[str]:
    """Make all changes in one go; ``None`` removes. ``meanwhile`` runs before the commit."""
    with OutputFolder(folder).changes() as changes:
        for name, data in files.items():
            if data is None:
                changes.drop(name)
            else:
                changes.write(name, data)
        meanwhile()
        return changes.commit()


def test_files_are_written_replaced_and_removed(tmp_path: Path) -> None:
    (tmp_path / "old").write_bytes(b"1")
    (tmp_path / "gone").write_bytes(b"1")
    written = put(tmp_path, {"old": b"2", "sub/a/new": b"3", "empty": b"", "gone": None, "never": None})
    assert written == ["old", "sub/a/new", "empty"]
    assert contents(tmp_path) == {"old": b"2", "sub/a/new": b"3", "empty": b""}


def test_before_the_commit_no_file_is_touched(tmp_path: Path) -> None:
    before = {"a": b"old", "b": b"old", "sub/c": b"old"}
    put(tmp_path, before)
    with OutputFolder(tmp_path).changes() as changes:
        changes.write("a", b"new")
        changes.write("sub/c", b"new")
        changes.drop("b")
        now = contents(tmp_path)
        assert {name: data for name, data in now.items() if not name.endswith(".tmp")} == before
        assert sorted(now.values()) == [b"new", b"new", b"old", b"old", b"old"]  # on disk beside their places
    assert contents(tmp_path) == before


def test_what_is_not_committed_leaves_no_file_behind(tmp_path: Path) -> None:
    def interrupt() -> None:
        assert len(contents(tmp_path)) == 2
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        put(tmp_path, {"a": b"1", "new/c/d": b"1"}, interrupt)
    assert contents(tmp_path) == {}


def test_files_are_replaced_in_the_order_of_their_calls_and_removed_last(tmp_path: Path) -> None:
    """A folder that comes into the place of each file in turn shows what was done before it."""
    names = ["c", "a", "d", "b"]
    for stop, name in enumerate(names):
        root = tmp_path / name
        root.mkdir()
        (root / "gone").write_bytes(b"old")
        with pytest.raises(OutputError):
            put(root, {"gone": None, **dict.fromkeys(names, b"new")}, (root / name).mkdir)
        assert contents(root) == {"gone": b"old"} | dict.fromkeys(names[:stop], b"new")


def test_the_last_call_for_a_name_counts(tmp_path: Path) -> None:
    put(tmp_path, {"a": b"old", "b": b"old", "c": b"old"})
    with OutputFolder(tmp_path).changes() as changes:
        changes.write("a", b"new")
        changes.write("a", b"old")
        changes.write("b", b"new")
        changes.drop("b")
        changes.drop("c")
        changes.write("c", b"new")
        changes.write("d", b"1")
        changes.write("d", b"2")
        assert changes.commit() == ["c", "d"]
    assert contents(tmp_path) == {"a": b"old", "c": b"new", "d": b"2"}


def test_a_file_that_has_its_content_is_not_touched(tmp_path: Path) -> None:
    data = os.urandom(3 << 20)
    for name, content in {"same": data, "empty": b"", "other": data}.items():
        (tmp_path / name).write_bytes(content)
        os.utime(tmp_path / name, (5, 5))
    assert put(tmp_path, {"same": data, "empty": b"", "other": data[:-1] + bytes([data[-1] ^ 1])}) == [
        "other"
    ]
    assert (tmp_path / "same").stat().st_mtime == 5
    assert (tmp_path / "empty").stat().st_mtime == 5
    assert contents(tmp_path)["other"] != data


@pytest.mark.skipif(os.name == "nt", reason="Windows has no umask for published files")
@pytest.mark.parametrize(("umask", "mode"), [(0o022, 0o644), (0o077, 0o600), (0o002, 0o664)])
def test_a_published_file_follows_the_umask(tmp_path: Path, umask: int, mode: int) -> None:
    before = os.umask(umask)
    try:
        put(tmp_path, {"a": b"1"})
    finally:
        os.umask(before)
    assert (tmp_path / "a").stat().st_mode & 0o777 == mode


NAMES = [
    "a%20b%.xml",
    "sítemap-目录-🗺.xml",
    "[ab]*?.xml" if os.name != "nt" else "[ab].xml",
    "x" * 251 + ".xml",
]


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("folder", ["", "a b%/目录/"])
def test_any_name_can_be_written_replaced_and_removed(tmp_path: Path, folder: str, name: str) -> None:
    name = folder + name
    for data in (b"1", b"22"):
        assert put(tmp_path, {name: data}) == [name]
        assert contents(tmp_path) == {name: data}
    put(tmp_path, {name: None})
    assert contents(tmp_path) == {}


def test_a_name_that_is_too_long_is_found_before_any_file_is_replaced(tmp_path: Path) -> None:
    with pytest.raises(OutputError, match=r"cannot write x{300}: .*too long"):
        put(tmp_path, {"a": b"1", "x" * 300: b"1"})
    assert contents(tmp_path) == {}


@pytest.mark.parametrize("folder", ["", "sub/"])
@pytest.mark.parametrize("data", [b"1", b"2", None])
def test_what_a_killed_build_left_goes(tmp_path: Path, folder: str, data: bytes | None) -> None:
    """Also where the file has its content already, or is to be removed; in sub-folders as well."""
    put(tmp_path, {folder + "a": b"1"})
    killed = OutputFolder(tmp_path).changes()
    killed.write(folder + "a", b"half")
    assert len(contents(tmp_path)) == 2
    end_long_ago(tmp_path)
    put(tmp_path, {folder + "a": data})
    assert contents(tmp_path) == ({} if data is None else {folder + "a": data})


def test_only_our_temporary_files_go(tmp_path: Path) -> None:
    others = [LEFT + "~", LEFT[1:], LEFT.replace("f", "0f"), LEFT.replace("f", "g"), "unused/" + LEFT]
    put(tmp_path, dict.fromkeys(others, b"theirs"))
    folder, link = (tmp_path / LEFT.replace("0", number) for number in "12")
    folder.mkdir()
    link.symlink_to(tmp_path / others[0])
    (tmp_path / LEFT).write_bytes(b"ours")
    end_long_ago(tmp_path)
    put(tmp_path, {"a": b"1"})
    assert contents(tmp_path).keys() == {*others, "a", link.name}
    assert folder.is_dir()


def test_a_failure_leaves_each_old_file_and_nothing_half_written(tmp_path: Path) -> None:
    before = {"a": b"old", "b": b"a file where a folder is needed"}
    put(tmp_path, before)
    with pytest.raises(OutputError) as caught:
        put(tmp_path, {"a": b"new", "maps/x": b"new", "b/c": b"new"})
    assert isinstance(caught.value, OSError)
    assert str(caught.value) == (
        f"{tmp_path}: cannot write b/c: Not a directory. No file is half written, "
        "and no old file was changed."
    )
    assert contents(tmp_path) == before


def test_a_folder_in_the_place_of_a_file_is_found_before_any_file_is_replaced(tmp_path: Path) -> None:
    (tmp_path / "robots.txt").mkdir()
    with pytest.raises(OutputError, match=r"cannot write robots\.txt: robots\.txt is a folder\. No file"):
        put(tmp_path, {"a": b"new", "robots.txt": b"new"})
    assert contents(tmp_path) == {}
    put(tmp_path, {"robots.txt": None})
    assert (tmp_path / "robots.txt").is_dir()


def test_a_failure_amid_the_commit_says_how_far_it_came_and_the_next_build_mends_it(tmp_path: Path) -> None:
    put(tmp_path, {"a": b"old", "gone": b"old"})
    files = {"a": b"new", "b": b"new", "c": b"new", "gone": None}
    with pytest.raises(OutputError) as caught:
        put(tmp_path, files, (tmp_path / "b").mkdir)
    assert str(caught.value) == (
        f"{tmp_path}: cannot write b: Is a directory. No file is half written: 1 of 3 files are new, "
        "the others are old, and all are complete. The next build fixes this."
    )
    assert contents(tmp_path) == {"a": b"new", "gone": b"old"}
    (tmp_path / "b").rmdir()
    assert put(tmp_path, files) == ["b", "c"]
    assert contents(tmp_path) == {"a": b"new", "b": b"new", "c": b"new"}


def test_a_file_that_cannot_be_removed_is_said_when_all_new_ones_are_in_place(tmp_path: Path) -> None:
    def meanwhile() -> None:
        (tmp_path / "gone").unlink()
        (tmp_path / "gone").mkdir()

    put(tmp_path, {"gone": b"old"})
    with pytest.raises(OutputError) as caught:
        put(tmp_path, {"gone": None, "a": b"new"}, meanwhile)
    assert "cannot remove gone: " in str(caught.value)
    assert "all new files are in place" in str(caught.value)
    assert contents(tmp_path) == {"a": b"new"}


def test_a_link_inside_the_output_does_not_lead_out(tmp_path: Path) -> None:
    outside, root = tmp_path / "outside", tmp_path / "site"
    outside.mkdir()
    root.mkdir()
    (outside / "theirs").write_bytes(b"theirs")
    (outside / LEFT).write_bytes(b"theirs")
    (root / "maps").symlink_to(outside)
    for name in ("maps/sitemap.xml", "maps/new/sitemap.xml", "../outside/a", f"{outside}/a"):
        with pytest.raises(OutputError, match=r"cannot write .* leads out of the build output\. No file"):
            put(root, {name: b"1"})
    with pytest.raises(OutputError, match=r"cannot remove maps/theirs: .*maps leads out"):
        put(root, {"maps/theirs": None})
    assert OutputFolder(root).names("maps") == []
    assert contents(outside) == dict.fromkeys(("theirs", LEFT), b"theirs")
    assert [path.name for path in outside.iterdir() if path.is_dir()] == []


def test_a_link_to_a_folder_inside_the_output_is_followed(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "maps").symlink_to("real")
    (tmp_path / "maps").joinpath("b").write_bytes(b"old")
    # the second name takes nothing away that is staged under the first, though it is the same file
    assert put(tmp_path, {"maps/a": b"1", "real/a": b"2", "maps/b": None}) == ["maps/a", "real/a"]
    assert contents(tmp_path / "real") == {"a": b"2"}


def test_a_linked_file_is_replaced_or_removed_and_its_target_left_alone(tmp_path: Path) -> None:
    target, root = tmp_path / "target", tmp_path / "site"
    target.write_bytes(b"theirs")
    root.mkdir()
    for name, to in {
        "sitemap.xml": target,
        "gone": target,
        "nowhere": tmp_path / "x",
        "new": tmp_path / "x",
    }.items():
        (root / name).symlink_to(to)
    put(root, {"sitemap.xml": b"ours", "gone": None, "nowhere": None, "new": b"ours"})
    assert target.read_bytes() == b"theirs"
    assert contents(root) == {"sitemap.xml": b"ours", "new": b"ours"}
    assert not any(path.is_symlink() for path in root.iterdir())
    assert not (tmp_path / "x").exists()


def test_the_names_of_one_folder(tmp_path: Path) -> None:
    put(tmp_path, {"b": b"1", "a": b"1", "sub/c": b"1", "sub/d e%.xml": b"1", "sub/deep/f": b"1"})
    (tmp_path / "link").symlink_to("a")
    (tmp_path / "linked").symlink_to("sub")
    folder = OutputFolder(tmp_path)
    assert folder.names() == ["a", "b"]
    assert folder.names("sub") == folder.names("linked") == ["c", "d e%.xml"]
    assert folder.names("none") == folder.names("a") == folder.names("a/b") == folder.names("..") == []
    (folder.root / "loop").symlink_to("loop")
    for name in ("loop", "loop/sub", "a" * 300, "sub/" + "a" * 5_000):  # a line in robots.txt may name it
        assert folder.names(name) == []


def test_what_is_there_can_be_read_whole_or_in_part(tmp_path: Path) -> None:
    put(tmp_path, {"a": b"12345", "sub/b": b""})
    folder = OutputFolder(tmp_path)
    assert folder.read_whole("a", 5) == b"12345"
    assert folder.read("a", 2) == b"12"
    assert folder.read("sub/b", 9) == folder.read_whole("sub/b", 9) == b""
    assert folder.read("none", 9) is folder.read("sub", 9) is folder.read("a/b", 9) is None
    assert folder.read_whole("none", 9) is None
    with pytest.raises(OutputError, match="a: cannot be read: larger than 4 bytes"):
        folder.read_whole("a", 4)


@pytest.mark.parametrize("is_file", [False, True])
def test_a_build_output_that_is_no_folder_is_not_made(tmp_path: Path, is_file: bool) -> None:
    root = tmp_path / "site"
    if is_file:
        root.touch()
    with pytest.raises(OutputError) as caught:
        OutputFolder(root)
    assert str(caught.value) == f"{root}: the build output is gone, or is not a folder. Build the site again."
    assert root.is_file() == is_file
    assert not root.is_dir()


def test_a_build_output_that_vanishes_is_not_made_anew(tmp_path: Path) -> None:
    root = tmp_path / "site"
    root.mkdir()
    folder = OutputFolder(root)
    with folder.changes() as changes:
        root.rmdir()
        with pytest.raises(OutputError, match=r"cannot write sub/a: .*No file is half written"):
            changes.write("sub/a", b"1")
    with pytest.raises(OutputError, match=r"the build output is gone.* Build the site again\."):
        folder.changes()
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("moved", ["a", "a/b"])
def test_a_folder_that_has_become_a_link_is_not_written_through(tmp_path: Path, moved: str) -> None:
    """Of 12,000 pages of a version that was replaced while they were marked, 11,987 were written outside."""
    outside = tmp_path / "outside"
    for folder in (outside, outside / "b", tmp_path / "site/a/b"):
        folder.mkdir(parents=True)
        (folder / "page.html").write_bytes(b"old")
    output = OutputFolder(tmp_path / "site")
    os.link(tmp_path / "site/a/b/page.html", tmp_path / "old.html")
    output.replace("a/b/page.html", b"new")
    assert (tmp_path / "site/a/b/page.html").read_bytes() == b"new"
    assert (tmp_path / "old.html").read_bytes() == b"old"  # whole at any moment: another file took its place
    before = contents(outside)
    shutil.move(tmp_path / "site" / moved, tmp_path / "moved")
    (tmp_path / "site" / moved).symlink_to(outside, target_is_directory=True)
    with pytest.raises(OutputError, match="cannot be written"):
        output.replace("a/b/page.html", b"newer")
    assert contents(outside) == before
