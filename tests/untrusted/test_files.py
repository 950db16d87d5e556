"""Files that others may have written are read without waiting and without end."""

from __future__ import annotations

import errno
import os
import random
import socket
from collections.abc import Callable
from pathlib import Path

import pytest

from docs_sitemap.history import Unknown, last_changes
from docs_sitemap.limits import MAX_DEPTH
from docs_sitemap.untrusted.files import open_plain, read_named, read_plain, read_start
from docs_sitemap.untrusted.real_paths import RealPaths
from docs_sitemap.untrusted.resolver import Resolver

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
    (site / "out").symlink_to("../secret")
    (site / "up").symlink_to("..")
    (site / "in").symlink_to("within/file")
    (site / "round").symlink_to("round")
    assert read_plain(site / "in", 10, below=site) == b"said"
    assert read_plain(site / "out", 10) == b"secret"
    for name in ("out", "up/secret", "../secret"):
        with pytest.raises(OSError, match="leads out of"):
            read_plain(site / name, 10, below=site)
    with pytest.raises(OSError, match=r"round"):
        read_plain(site / "round", 10, below=site)
    with pytest.raises(ValueError, match="null"):
        read_plain(site / "a\0b", 10)


def test_no_file_stays_open(tmp_path: Path) -> None:
    before = len(os.listdir("/proc/self/fd")) if Path("/proc/self/fd").is_dir() else 0
    for _ in range(20):
        with pytest.raises(OSError, match="not a regular file"):
            read_start(tmp_path, 10)
    assert not before or len(os.listdir("/proc/self/fd")) == before


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
    for path in (
        "",
        "a",
        "c/",
        "c/../e.html",
        "out/other.html",
        "out/site/e.html",
        "loop",
        "gone",
        "a/b.html/x",
    ):
        assert resolver.file(path) is None
    assert resolver.file("new.html") is resolver.file("\0") is None
    (root / "new.html").touch()
    assert resolver.file("new.html")


def test_real_paths_are_those_of_python(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("a/b").mkdir(parents=True)
    links = {
        "c": "a/b",
        "a/up": "..",
        "a/b/all": "../up/c/.",
        "root": str(tmp_path),
        "loop": "loop",
        "gone": "x/../c",
    }
    for name, target in links.items():
        Path(name).symlink_to(target)
    found = RealPaths()
    for path in (
        ".",
        "c/d",
        "c/..",
        "a/b/all/all",
        "root/./a/up//c",
        "loop/a",
        "gone/x",
        "nul\0",
        "../" * 99,
    ):
        real = os.path.abspath(path) if "\0" in path else os.path.realpath(path)
        assert [found.of(path), found.of(Path(path)), found.of(tmp_path / path)] == [real] * 3
    Path("l0").symlink_to("a")
    for number in range(100):
        Path(f"l{number + 1}").symlink_to(f"l{number}")
    assert found.of("l30") == str(tmp_path / "a")
    assert RealPaths().of("l100") == str(tmp_path / "l100")  # which nothing can open


@pytest.fixture
def looked(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The links that are read."""
    paths: list[str] = []
    read = os.readlink

    def readlink(path: str) -> str:
        paths.append(path)
        return read(path)

    monkeypatch.setattr(os, "readlink", readlink)
    return paths


def test_folders_on_the_way_of_links_are_looked_at_once(tmp_path: Path, looked: list[str]) -> None:
    """2,000 links through 2,000 folders took minutes."""
    for number in range(50):
        (tmp_path / f"l{number}").symlink_to(f"{'a/' * number}../{'a/' * 200}f")
    found = RealPaths()
    places = {found.of(tmp_path / f"l{number}") for number in range(50)}
    assert len(places) == 50
    assert len(looked) < 1_000  # of 11,000 on the ways of all


def test_folders_below_thousands_are_known_by_their_names(tmp_path: Path) -> None:
    """As whole paths, a dozen chains of 2,000 folders were all that was kept."""
    found = RealPaths()
    path = tmp_path / "/".join(["a" * 9] * 300)
    assert found.of(path) == str(path)
    assert found._size < 300 * 200
    assert found.of(path / "../../b") == str(path.parent.parent / "b")


@pytest.mark.limit("MAX_DEPTH")
def test_a_path_of_so_many_folders_leads_somewhere(tmp_path: Path) -> None:
    """Of 25,000 pages, each with the address of one below 940 folders, seven forms were looked for."""
    folder = tmp_path.joinpath(*["a"] * (MAX_DEPTH + 1))
    folder.mkdir(parents=True)
    for above in (folder, folder.parent):
        (above / "x").touch()
    resolver = Resolver(tmp_path)
    assert resolver.file("a/" * MAX_DEPTH + "x")
    assert resolver.file("a/" * (MAX_DEPTH + 1) + "x") is None


@pytest.mark.limit("MAX_DEPTH")
def test_a_path_is_followed_through_so_many_folders(tmp_path: Path, looked: list[str]) -> None:
    """Of a file below 1,900 folders, each look took 0.7 s."""
    (tmp_path / "x").touch()
    for number, times in enumerate((MAX_DEPTH // 3, MAX_DEPTH)):
        (tmp_path / f"l{number}").symlink_to(f"{'a/../' * times}x")
    (tmp_path / "a").mkdir()
    assert RealPaths().of(tmp_path / "l0") == str(tmp_path / "x")
    assert RealPaths().of(tmp_path / "l1") == str(tmp_path / "l1")
    assert RealPaths().is_file(tmp_path / "l0")
    assert not RealPaths().is_file(tmp_path / "l1")
    del looked[:]
    RealPaths().of(tmp_path / "l1")
    assert len(looked) < 10


@pytest.mark.parametrize("target", ["l", "a/../l", "a/" * 2_000], ids=["links", "folders", "long"])
def test_a_link_that_leads_too_far_is_followed_once(target: str, tmp_path: Path, looked: list[str]) -> None:
    """Each name below followed forty links again, or as many folders."""
    (tmp_path / "a").mkdir()
    (tmp_path / "l").symlink_to(f"{target}0")
    for number in range(100):
        (tmp_path / f"l{number}").symlink_to(f"{target}{number + 1}")
    (tmp_path / "to").symlink_to("l/..")
    found = RealPaths()
    assert found.status(tmp_path / "l/b") is None
    del looked[:]
    for number in range(50):
        assert found.of(tmp_path / f"l/{number}/b") == str(tmp_path / f"l/{number}/b")
        assert found.status(tmp_path / f"l/{number}") is found.status(tmp_path / f"to/{number}/c") is None
    assert looked in ([], [str(tmp_path / "to")])


def test_links_that_are_followed_one_after_the_other_do_not_lead_too_far(tmp_path: Path) -> None:
    """What the first of them takes is not held against the second."""
    for place in ("", "a/"):
        (tmp_path / place / "a").mkdir()
        (tmp_path / place / "l0").symlink_to("a")
        for number in range(29):
            (tmp_path / f"{place}l{number + 1}").symlink_to(f"l{number}")
    found = RealPaths()
    assert found.of(tmp_path / "l29/l29/b") == str(tmp_path / "l29/l29/b")  # which nothing can open
    assert found.of(tmp_path / "a/l29/b") == str(tmp_path / "a/a/b")


def test_paths_of_one_folder_after_the_other_are_those_of_python(tmp_path: Path) -> None:
    """A folder whose parent is known is not looked up from the root."""
    (tmp_path / "a/b/c").mkdir(parents=True)
    for name, target in (("a/up", ".."), ("a/b/to", "../b"), ("a/b/c/far", str(tmp_path)), ("a/gone", "no")):
        (tmp_path / name).symlink_to(target)
    names = random.Random(7).choices(  # noqa: S311
        ["a", "b", "c", "up", "to", "far", "gone", "..", ".", "", "x"], k=9_000
    )
    paths = [os.path.join(tmp_path, "/".join(names[at : at + at % 9 + 1])) for at in range(9_000)]
    found, there = RealPaths(), RealPaths()
    for path in paths:
        if not os.path.relpath(path, tmp_path).startswith(".."):
            assert found.of(path) == os.path.realpath(path), path
            assert there.is_dir(path) == os.path.isdir(path), path


def test_files_are_those_of_the_system(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder/file").touch()
    for name, target in {
        "to-file": "folder/file",
        "to-folder": "folder",
        "gone": "nowhere",
        "loop": "loop",
        "again": "to-file",
    }.items():
        (tmp_path / name).symlink_to(target)
    os.mkfifo(tmp_path / "pipe")
    monkeypatch.chdir(tmp_path)
    found = RealPaths()
    for path in (
        *("folder", "folder/file", "to-file", "to-folder", "to-folder/file", "gone", "loop", "again", "pipe"),
        *("none/x", "folder/file/x", "a\0b", "x" * 300, "to-folder/../folder/file", ""),
    ):
        is_file = "\0" not in path and os.path.isfile(path)
        assert [found.is_file(path), found.is_file(tmp_path / path)] == [is_file] * 2, path
        is_there = "\0" not in path
        assert found.is_dir(tmp_path / path) == (is_there and os.path.isdir(tmp_path / path))
        assert found.is_link(tmp_path / path) == (is_there and os.path.islink(tmp_path / path))


def test_an_absolute_path_needs_no_working_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "gone").mkdir()
    monkeypatch.chdir(tmp_path / "gone")
    (tmp_path / "gone").rmdir()
    assert RealPaths().of(tmp_path / "x") == str(tmp_path / "x")
    file = tmp_path / "x"
    assert isinstance(last_changes([file])[file], Unknown)


def test_real_paths_do_not_fill_the_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("docs_sitemap.untrusted.real_paths._MAX_KNOWN", 10_000)
    found = RealPaths()
    for number in range(500):
        assert found.of(tmp_path / f"{number}") == str(tmp_path / f"{number}")
    assert len(found._known) < 200


def test_real_paths_are_kept_as_bytes(tmp_path: Path) -> None:
    """An emoji makes each character of a text take four."""
    found = RealPaths()
    folder = tmp_path / f"{'x' * 100}\N{GRINNING FACE}"
    folder.mkdir()
    assert found.of(folder / "\udc80/../a") == str(folder / "a")
    for number in range(100):
        assert found.of(folder / f"{number}\N{GRINNING FACE}") == str(folder / f"{number}\N{GRINNING FACE}")
    assert all(isinstance(name, bytes) for _, name in [*found._known, *found._places])


def test_a_file_below_a_folder_is_found_with_each_link_followed_once(
    tmp_path: Path, looked: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Behind 38 links, each through hundreds of folders, reading a file took a third of a second."""
    deep = tmp_path / "/".join("a" * 20)
    deep.mkdir(parents=True)
    (deep / "f").write_text("text")
    (tmp_path / "l0").symlink_to(deep.relative_to(tmp_path))
    for number in range(7):
        (tmp_path / f"l{number + 1}").symlink_to(f"{'a/' * 20}{'../' * 20}l{number}")
    lstat = os.lstat

    def counted(path: str, **values: object) -> os.stat_result:
        looked.append(path)
        return lstat(path)

    monkeypatch.setattr(os, "lstat", counted)
    assert read_plain(tmp_path / "l7/f", 4, below=tmp_path) == b"text"
    assert len(looked) < 60  # of 180 on the way


def test_nothing_behind_too_many_links_is_read_below_a_folder(tmp_path: Path) -> None:
    """Where it leads is unknown, and the system may follow it further than we do."""
    (tmp_path / "a").mkdir()
    (tmp_path / "site").mkdir()
    (tmp_path / "secret").touch()
    (tmp_path / "site/far").symlink_to("../" + "a/../" * MAX_DEPTH + "secret")
    assert read_plain(tmp_path / "site/far", 4) == b""
    with pytest.raises(OSError, match="leads out"):
        read_plain(tmp_path / "site/far", 4, below=tmp_path / "site")
