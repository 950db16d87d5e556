"""Files that others may have written are read without waiting and without end."""

from __future__ import annotations

import errno
import os
import socket
from collections.abc import Callable
from pathlib import Path

import pytest

from docs_sitemap.history import Unknown, last_changes
from docs_sitemap.readers.files import Resolver, open_plain, read_named, read_plain, read_start, real_path

pytestmark = pytest.mark.core


def link_to_pipe(path: Path) -> None:
    os.mkfifo("pipe")
    path.symlink_to("pipe")


def bind(path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as unix:
        unix.bind(path.name)


KINDS: dict[str, Callable[[Path], object]] = {
    "a pipe": os.mkfifo,
    "a folder": os.mkdir,
    "a link to an endless device": lambda path: path.symlink_to("/dev/zero"),
    "a link to a pipe": link_to_pipe,
    "a socket": bind,
}


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_no_regular_file_is_not_read(
    kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    KINDS[kind](tmp_path / "file")
    with pytest.raises(OSError, match=r"file|address"):
        read_start(tmp_path / "file", 10)
    with pytest.raises(OSError, match=r"file|address"):
        open_plain(tmp_path / "file")


def test_a_file_is_read_up_to_its_limit(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_bytes(b"x" * 3_000_000)
    assert len(read_start(file, 2_500_000)) == 2_500_000
    assert len(read_start(file, 5_000_000)) == len(read_plain(file, 3_000_000)) == 3_000_000
    with pytest.raises(OSError, match="larger than 2,999,999 bytes") as caught:
        read_plain(file, 2_999_999)
    assert caught.value.errno == errno.EFBIG
    assert caught.value.filename == str(file)


def test_a_link_counts_where_it_leads(tmp_path: Path) -> None:
    site = tmp_path / "site"
    (site / "within").mkdir(parents=True)
    (tmp_path / "secret").write_text("secret", "utf-8")
    (site / "within/file").write_text("said", "utf-8")
    for name, target in {"out": "../secret", "up": "..", "in": "within/file", "round": "round"}.items():
        (site / name).symlink_to(target)
    assert read_plain(site / "in", 10, below=site) == b"said"
    assert read_plain(site / "out", 10) == b"secret"
    for name in ("out", "up/secret", "../secret"):
        with pytest.raises(OSError, match="leads out of"):
            read_plain(site / name, 10, below=site)
    with pytest.raises(OSError, match=r"round"):
        read_plain(site / "round", 10, below=site)
    with pytest.raises(ValueError, match="null"):
        read_plain(site / "a\0b", 10)


@pytest.mark.skipif(not os.path.isdir("/dev/fd"), reason="no names of open files")
def test_a_named_file_may_be_a_pipe_of_the_shell_but_has_a_limit() -> None:
    for size, limit in ((10, 10), (11, 10)):
        read, write = os.pipe()
        os.write(write, b"x" * size)
        os.close(write)
        if size <= limit:
            assert read_named(f"/dev/fd/{read}", limit) == b"x" * size
        else:
            with pytest.raises(OSError, match="larger than 10 bytes"):
                read_named(f"/dev/fd/{read}", limit)
        os.close(read)


def test_for_no_other_pipe_is_waited(tmp_path: Path) -> None:
    """A repository may have a link to the terminal in the place of a baseline."""
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "link").symlink_to("/dev/stdin")
    (tmp_path / "endless").symlink_to("/dev/zero")
    read, write = os.pipe()
    (tmp_path / "open").symlink_to(f"/dev/fd/{read}")
    for name in ("pipe", "endless", "open", "link" if not os.path.isfile("/dev/stdin") else "pipe"):
        with pytest.raises(OSError, match="not a regular file"):
            read_named(tmp_path / name, 1000)
    os.close(read)
    os.close(write)


def test_a_path_through_links_leads_to_a_file_of_the_folder(tmp_path: Path) -> None:
    root = tmp_path / "site"
    (root / "a").mkdir(parents=True)
    (tmp_path / "other.html").touch()
    (root / "a/b.html").touch()
    links = {"c": "a", "a/d": "..", "e.html": "c/b.html", "out": "..", "loop": "loop", "gone": "nowhere"}
    for name, target in links.items():
        (root / name).symlink_to(target)
    resolver = Resolver(root)
    for path in ("a/b.html", "c/b.html", "c/d/a//d/./c/b.html", "e.html"):
        assert resolver.file(path) == os.path.realpath(root / "a/b.html")
    for path in ("", "a", "c/", "c/../e.html", "out/other.html", "loop", "gone", "a/b.html/x"):
        assert resolver.file(path) is None
    assert resolver.file("new.html") is resolver.file("\0") is None
    (root / "new.html").touch()
    assert resolver.file("new.html")


def test_an_absolute_path_needs_no_working_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "gone").mkdir()
    monkeypatch.chdir(tmp_path / "gone")
    (tmp_path / "gone").rmdir()
    assert real_path(tmp_path / "x") == str(tmp_path / "x")
    assert real_path("/nul\0") == os.path.abspath("/nul\0")
    file = tmp_path / "x"
    assert isinstance(last_changes([file])[file], Unknown)
