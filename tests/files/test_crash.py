"""Builds that are killed, and disks that fail: in real processes, on real file systems."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from docs_sitemap.files import output
from docs_sitemap.files.output import OutputFolder

pytestmark = pytest.mark.slow

INDEX = "sitemap.xml"
LEFT = ".docs-sitemap-0123456789abcdef.tmp"
TEMPORARY = re.compile(r"\.docs-sitemap-[0-9a-f]{16}\.tmp")
CALLS = ("open", "fsync", "close", "mkdir", "replace", "unlink")

needs_fork = pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork and SIGKILL")


def part_names(generation: int) -> list[str]:
    """Six parts and four by turns, so that parts come and go; some lie in a folder of their own."""
    return [f"{'maps/' if n % 3 == 0 else ''}sitemap-{n}.xml" for n in range(4 if generation % 2 else 6)]


def part(generation: int, name: str, size: int) -> bytes:
    text = f"{generation} {name}\n".encode()
    return text + b"x" * (size - 2 * len(text)) + text


def index(generation: int) -> bytes:
    return "\n".join([str(generation), *part_names(generation)]).encode()


def publish(root: Path, generation: int, size: int) -> None:
    """What a build does: parts, then the index that names them, then what is no longer named."""
    with OutputFolder(root).changes() as changes:
        for name in part_names(generation):
            changes.write(name, part(generation, name, size))
        changes.write(INDEX, index(generation))
        for name in part_names(generation - 1):
            if name not in part_names(generation):
                changes.drop(name)
        changes.commit()


def files(root: Path) -> dict[str, bytes]:
    return {
        path.relative_to(root).as_posix(): path.read_bytes() for path in root.rglob("*") if path.is_file()
    }


def check_is_whole(root: Path, old: int, size: int) -> int:
    """Each file is wholly old or new, and what the index names is there; return how many are new."""
    found = files(root)
    new_parts = 0
    for name, data in found.items():
        if TEMPORARY.fullmatch(name.rpartition("/")[2]):
            continue
        states = (
            [index(old), index(old + 1)] if name == INDEX else [part(g, name, size) for g in (old, old + 1)]
        )
        assert data in states, f"{name} is neither old nor new"
        new_parts += data == states[1]
    assert found.keys() >= set(found[INDEX].decode().split("\n")[1:]), "the index names what is not there"
    if found[INDEX] == index(old + 1):
        assert all(found[name] == part(old + 1, name, size) for name in part_names(old + 1))
    return new_parts


def check_is_complete(root: Path, generation: int, size: int) -> None:
    """All files are of this generation, and there is nothing else: no temporary file, no part of before."""
    wanted = {name: part(generation, name, size) for name in part_names(generation)}
    assert files(root) == {**wanted, INDEX: index(generation)}


def left(root: Path) -> list[str]:
    return [name for name in files(root) if TEMPORARY.fullmatch(name.rpartition("/")[2])]


def in_child(run: Callable[[], object]) -> int:
    """Run in a child process, which is left running; return its id."""
    with warnings.catch_warnings():
        # from 3.12 on, where another test has left a thread; this child touches files only
        warnings.simplefilter("ignore", DeprecationWarning)
        pid = os.fork()
    if pid:
        return pid
    try:
        run()
        os._exit(0)
    finally:
        os._exit(1)


def ended_by(pid: int) -> int:
    """Wait for a child; return 0, the code of its exit, or minus the signal that killed it."""
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])


def die_before(count: int, log: Path) -> None:
    """Let this process kill itself before the system call of this number."""
    seen = 0

    def wrap(name: str, call: Callable[..., Any]) -> Callable[..., Any]:
        def counted(*args: Any, **kwargs: Any) -> Any:
            nonlocal seen
            seen += 1
            if seen == count:
                log.write_text(name)
                os.kill(os.getpid(), signal.SIGKILL)
            return call(*args, **kwargs)

        return counted

    for name in CALLS:
        setattr(os, name, wrap(name, getattr(os, name)))


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Path]:
    """A folder in memory, where there is one: a kill loses nothing that was written, so it tells as much."""
    if not os.access("/dev/shm", os.W_OK):
        yield tmp_path
        return
    with tempfile.TemporaryDirectory(dir="/dev/shm") as folder:
        yield Path(folder)


@needs_fork
@pytest.mark.parametrize("first", [0, 1], ids=["fewer parts", "more parts"])
def test_a_build_killed_at_any_system_call_leaves_whole_files(
    memory: Path, first: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(output, "_SECONDS_TO_LEFTOVER", 0.0)
    root, log, size = memory / "site", memory / "log", 40_000
    (root / "maps").mkdir(parents=True)
    died: list[str] = []
    states = set()
    while True:
        shutil.rmtree(root)
        root.mkdir()
        publish(root, first, size)
        (root / LEFT).write_bytes(b"of a build that was killed before")

        def run(count: int = len(died) + 1) -> None:
            die_before(count, log)
            publish(root, first + 1, size)

        code = ended_by(in_child(run))
        if not code:
            break
        assert code == -signal.SIGKILL
        died.append(log.read_text())
        states.add(check_is_whole(root, first, size))
        ended_by(in_child(run))  # and once more, amid the mending
        check_is_whole(root, first, size)
        publish(root, first + 1, size)
        check_is_complete(root, first + 1, size)
    parts = len(part_names(first + 1))
    assert died.count("replace") == died.count("fsync") == parts + 1
    assert died.count("unlink") >= 1 + (2 if first == 0 else 0)
    assert states == set(range(parts + (2 if first == 0 else 1)))  # removing comes last
    check_is_complete(root, first + 1, size)


# Disks that fail: what a build says of them, as a program of its own.

BUILD = """
import sys
from pathlib import Path
from tests.files.test_crash import publish
{before}
publish(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]))
"""


def build(root: Path, generation: int, size: int, before: str = "") -> subprocess.CompletedProcess[str]:
    environ = {name: value for name, value in os.environ.items() if not name.startswith("COVERAGE_")}
    return subprocess.run(
        [sys.executable, "-c", BUILD.format(before=before), str(root), str(generation), str(size)],
        env=environ,  # a limit on the size of files would meet what coverage writes, too
        cwd=Path(__file__).parents[2],
        capture_output=True,
        text=True,
        check=False,
    )


def check_failed(done: subprocess.CompletedProcess[str], root: Path, reason: str) -> None:
    """The program has failed, and its last line says where, what and why."""
    message = done.stderr.rstrip().splitlines()[-1]
    expected = rf"docs_sitemap\.errors\.OutputError: {re.escape(str(root))}: cannot write \S+: {reason}\. "
    assert re.match(expected + "No file is half written, and no old file was changed", message), done.stderr
    assert done.returncode == 1
    assert not left(root)


@pytest.fixture
def mount(tmp_path: Path) -> Iterator[Callable[..., Path]]:
    """Mounts a small file system of its own; may be called again to change its options."""
    root = tmp_path / "disk"
    root.mkdir()
    if not sys.platform.startswith("linux"):
        pytest.skip("mounts a tmpfs, which Linux has")

    def mount_tmpfs(options: str) -> Path:
        kind = [] if os.path.ismount(root) else ["-t", "tmpfs"]
        done = subprocess.run(
            ["mount", *kind, "-o", options, "tmpfs", str(root)], capture_output=True, text=True, check=False
        )
        if done.returncode:
            pytest.skip(f"mounting is refused: {done.stderr.splitlines()[0]}")
        return root

    yield mount_tmpfs
    if os.path.ismount(root):
        subprocess.run(["umount", str(root)], check=True)


def test_a_full_disk_leaves_the_old_files(mount: Callable[..., Path]) -> None:
    root, size = mount("size=1m"), 140_000
    publish(root, 0, size)
    check_failed(build(root, 1, size), root, "No space left on device")
    check_is_complete(root, 0, size)
    (root / LEFT).write_bytes(b"x" * 100_000)  # what a killed build left does not keep it full
    os.utime(root / LEFT, (0, 0))
    mount("remount,size=16m")
    assert build(root, 1, size).returncode == 0
    check_is_complete(root, 1, size)
