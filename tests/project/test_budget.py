"""What a command and our part of a build take at most, and what a build does with our own errors."""

from __future__ import annotations

import asyncio
import errno
import gzip
import multiprocessing
import os
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from multiprocessing.context import BaseContext
from multiprocessing.util import Finalize
from pathlib import Path

import pytest

from docs_sitemap.boundary import Boundary, describe
from docs_sitemap.budget import (
    Budget,
    ExhaustedError,
    allow,
    budget,
    count_commits,
    count_git,
    count_pages,
    count_request,
    counting,
    git_seconds,
    look,
)
from docs_sitemap.generators.html.front_matter import read_front_matter
from docs_sitemap.limits import (
    COMMIT_SECONDS,
    FRONT_MATTER_SECONDS,
    MAX_GIT_SECONDS,
    MAX_MEMORY,
    MAX_SECONDS,
    MAX_SECONDS_TOGETHER,
    MEGABYTE_SECONDS,
    NAME_SECONDS,
    PAGE_MEMORY,
    PAGE_SECONDS,
    REQUEST_SECONDS,
    SITEMAP_SECONDS,
    TAGS_SECONDS,
)
from docs_sitemap.notices import Notice
from docs_sitemap.options import Options, PageSettings, place_settings
from docs_sitemap.options.page_settings import Rule
from docs_sitemap.pages import Page
from docs_sitemap.pages.patterns import Patterns, SettingsOf
from docs_sitemap.processes import spread
from docs_sitemap.untrusted import RealPaths, open_plain, read_plain, read_start, read_yaml
from docs_sitemap.untrusted.html import read_images

needs_timer = pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="this system has no timers")


@pytest.fixture(autouse=True)
def short(monkeypatch: pytest.MonkeyPatch) -> None:
    """A quarter of a second, and 60 MB."""
    monkeypatch.setattr(budget, "MAX_SECONDS", 0.25)
    monkeypatch.setattr(budget, "MAX_MEMORY", 60 << 20)
    monkeypatch.delenv("DOCS_SITEMAP_DEBUG", raising=False)


def endless_look() -> None:
    while True:
        look()


def endless() -> None:
    while True:
        pass


def growing() -> None:
    kept = []
    while True:
        kept.append(bytes(1_000))


def backtracking() -> None:
    re.match(r"(a*)*b", "a" * 60)


def swallowing() -> None:
    """Code of a library that takes every error for its own."""
    while True:
        try:
            endless()
        except Exception:
            started.append(time.thread_time())
            if len(started) > 3:
                raise


started: list[float] = []


@pytest.mark.limit("MAX_SECONDS", "MAX_MEMORY")
@needs_timer
@pytest.mark.parametrize("work", [endless, growing, backtracking, swallowing])
def test_no_work_goes_on_for_ever(work: Callable[[], None]) -> None:
    """Not in a loop, nor within one regular expression, nor where an error is swallowed."""
    started.clear()
    before = time.thread_time()
    words = "MiB of memory" if work is growing else "s of processor time"
    with pytest.raises(ExhaustedError, match=words), Budget():
        work()
    assert time.thread_time() - before < 3


@pytest.mark.parametrize("first", ["memory", "time"])
def test_who_cleans_up_is_not_interrupted_by_the_other_limit(
    first: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The end of a part was interrupted, so that ticks went on behind it."""
    taken = [0]
    # not filled in fact: what this process had and gave back hides what others of it take
    monkeypatch.setattr(budget, "resident", lambda: taken[0])
    monkeypatch.setattr(budget, "peak", lambda: taken[0])
    start = time.thread_time()
    whole = Budget()

    def exceed() -> None:
        whole.seconds += 0.15 if first == "memory" else 0.0
        taken[0] += (90 if first == "memory" else 50) << 20
        while first == "time" or time.thread_time() < start + 0.15:
            whole.check()

    with pytest.raises(ExhaustedError, match=first), whole:
        exceed()
    with whole:
        taken[0] += 20 << 20
        while time.thread_time() < start + 0.6:
            whole.check()


@needs_timer
def test_a_text_that_takes_too_long_is_not_called_wrong(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("yaml")
    monkeypatch.setattr(budget, "MAX_MEMORY", 1 << 30)  # its nodes take memory as fast as time
    with pytest.raises(ExhaustedError, match="processor time"), Budget():
        read_yaml(f"[{'[],' * 2_000_000}]")


def test_nothing_is_limited_outside_of_it() -> None:
    with pytest.raises(ExhaustedError), Budget():
        endless()
    end = time.thread_time() + 0.5
    while time.thread_time() < end:
        pass


def test_many_short_parts_are_one() -> None:
    parts = Budget()

    def work() -> None:
        for _ in range(1_000):
            with parts:
                sum(range(200_000))

    with pytest.raises(ExhaustedError):
        work()


def test_an_inner_part_counts_for_the_outer_one() -> None:
    def work() -> None:
        with Budget():
            while True:
                with Budget():
                    sum(range(200_000))

    with pytest.raises(ExhaustedError):
        work()


@needs_timer
def test_a_part_within_itself_ends_once() -> None:
    """An observer of ours may be called by a function that our own handler calls."""

    def work() -> None:
        with Budget() as whole:
            with whole:
                pass
            endless()

    with pytest.raises(ExhaustedError):
        work()
    assert signal.getitimer(signal.ITIMER_PROF) == (0.0, 0.0)


def test_a_handler_within_a_handler_counts_for_it() -> None:
    told: list[Notice] = []
    boundary = Boundary(told.append)

    def work() -> None:
        boundary.around(int)()
        endless()

    boundary.around(work)()
    assert len(told) == 1


@needs_timer
def test_an_error_that_comes_while_a_part_ends_leaves_no_timer(monkeypatch: pytest.MonkeyPatch) -> None:
    """The first bytecode of ``__exit__`` may be where it is raised."""
    monkeypatch.setattr(Budget, "__exit__", lambda *_args: endless())
    told: list[Notice] = []
    Boundary(told.append).around(int)()
    assert len(told) == 1
    assert signal.getitimer(signal.ITIMER_PROF) == (0.0, 0.0)
    assert budget.running() is None


def test_a_user_takes_the_limit_away(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DOCS_SITEMAP_UNLIMITED", "1")
    with Budget():
        end = time.thread_time() + 0.5
        while time.thread_time() < end:
            pass


def test_a_profiler_keeps_its_signal() -> None:
    """Then a budget is looked at when files are counted."""
    code = (
        "import os, signal, time\n"
        "heard = []\n"
        "signal.signal(signal.SIGPROF, lambda *args: heard.append(args))\n"
        "from docs_sitemap.budget import budget, counting\n"
        "budget.MAX_SECONDS = 0.2\n"
        "try:\n"
        "    with budget.Budget():\n"
        "        while True: counting.count_file(os.stat('.'))\n"
        "except budget.ExhaustedError: pass\n"
        "timer = signal.getitimer(signal.ITIMER_PROF)\n"
        "os.kill(os.getpid(), signal.SIGPROF)\n"
        "print(len(heard), timer)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "1 (0.0, 0.0)\n"


def test_another_thread_is_limited_where_it_reads_files(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"a")
    raised = []

    def work() -> None:
        try:
            with Budget():
                while True:
                    read_plain(tmp_path / "a", 10)
        except ExhaustedError as problem:
            raised.append(problem)

    thread = threading.Thread(target=work)
    thread.start()
    thread.join(60)
    assert raised


@pytest.mark.limit("FRONT_MATTER_SECONDS")
def test_more_is_allowed_for_front_matter_that_is_parsed(tmp_path: Path) -> None:
    """6,000 pages of Hugo with 1.7 kB of it take 26 seconds."""
    texts = {"a.md": "sitemap-x: " + "y " * 50_000, "b.md": "x: " + "y " * 50_000 + "sitemap"}
    allowed = {}
    for name, text in texts.items():
        (tmp_path / name).write_text(f"---\n{text[:60_000]}\n---\n")
        with Budget() as whole:
            before = whole.seconds
            read_front_matter(tmp_path / name)
            allowed[name] = whole.seconds - before
    more = allowed["a.md"] - allowed["b.md"]
    assert more == pytest.approx(60_000 / (1 << 20) * FRONT_MATTER_SECONDS, rel=0.01)


@pytest.mark.limit("TAGS_SECONDS")
def test_more_is_allowed_for_pages_whose_images_are_looked_for(tmp_path: Path) -> None:
    """150 pages with a megabyte of highlighted code each take 16 seconds; links to one page count once."""
    page, link = tmp_path / "a.html", tmp_path / "b.html"
    page.write_text("<img src=a.png>" + "x" * 100_000)
    link.symlink_to(page)
    with Budget() as whole:
        read_plain(page, 1 << 20)
        before = whole.seconds
        assert read_images(page, "https://e.org/a.html") == read_images(link, "https://e.org/b.html")
        assert whole.seconds - before == pytest.approx(page.stat().st_size / (1 << 20) * TAGS_SECONDS)


@pytest.mark.limit("REQUEST_SECONDS", "SITEMAP_SECONDS")
def test_more_is_allowed_for_servers_and_sitemaps() -> None:
    """A bomb of a megabyte is not a sitemap of a gigabyte."""
    sitemaps = pytest.importorskip("docs_sitemap.untrusted.sitemaps")
    text = b"<urlset/>" * 100_000
    packed = gzip.compress(text)
    assert len(packed) * 50 < len(text)
    with Budget() as whole:
        for data, size in ((text, len(text)), (packed, 50 * len(packed))):
            seconds, memory = whole.seconds, whole.memory
            sitemaps.unpack(data, "sitemap.xml")
            assert whole.seconds - seconds == pytest.approx(size / (1 << 20) * SITEMAP_SECONDS)
            assert whole.memory - memory == size
        seconds = whole.seconds
        sitemaps.gunzip(packed)  # a page that is sent so is no sitemap
        assert whole.seconds == seconds
        count_request()
        assert whole.seconds - seconds == pytest.approx(REQUEST_SECONDS)


def take(seconds: float) -> None:
    start = time.thread_time()
    while time.thread_time() < start + seconds:
        pass


def test_the_time_of_the_host_makes_up_for_ours(monkeypatch: pytest.MonkeyPatch) -> None:
    """The rebuilds of a server take some each time, and walk again after each commit."""
    monkeypatch.setattr(budget, "MAX_SECONDS", 8.0)
    whole = Budget()
    for _ in range(3):
        with whole:
            left = whole.seconds - whole.spent.taken
            of_git = git_seconds()
            take(0.2)
            count_git(1.3, 0)
        take(0.5)
    assert left == pytest.approx(8 - 2 * (0.2 + 1.3 - 0.5 - 0.5), abs=0.3)
    assert of_git == pytest.approx(8 - 2 * (1.3 - 0.5), abs=0.3)


def test_the_time_of_the_host_is_not_saved_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """A build of 30 seconds let git take 28 for a pack of 620 kB, made to take that."""
    monkeypatch.setattr(budget, "MAX_SECONDS", 8.0)
    whole = Budget()
    with whole:
        assert git_seconds() == MAX_GIT_SECONDS
    take(0.5)
    with whole:
        assert whole.seconds == pytest.approx(8, abs=0.1)
        assert git_seconds() == pytest.approx(MAX_GIT_SECONDS, abs=0.1)


@pytest.mark.limit("MAX_SECONDS_TOGETHER")
def test_git_and_all_else_do_not_take_all_of_both(monkeypatch: pytest.MonkeyPatch) -> None:
    """Small repositories and long patterns took fifteen seconds."""
    monkeypatch.setattr(budget, "MAX_SECONDS", 8.0)
    assert MAX_SECONDS_TOGETHER - MAX_SECONDS == 1
    with Budget() as whole:
        assert git_seconds() == MAX_GIT_SECONDS
        count_git(0.75, 0)
        assert (whole.seconds, git_seconds()) == (8.0, MAX_GIT_SECONDS - 0.75)
        count_git(0.75, 0)
        assert (whole.seconds, git_seconds()) == (7.5, MAX_GIT_SECONDS - 1.5)
        whole.seconds -= 7  # as if that was taken
        assert git_seconds() == pytest.approx(0.5, abs=0.2)
        count_git(0.5, 0)
        assert whole.seconds == 0


def read_all(shared: None, names: list[str]) -> int:
    return sum(len(read_plain(name, 1 << 21)) for name in names)


def test_what_processes_read_is_allowed_where_the_results_are_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(budget, "MAX_SECONDS", 10.0)  # starting processes may take a while
    for name in "ab":
        (tmp_path / name).write_bytes(b"a" * (1 << 20))
    with Budget() as whole:
        seconds, memory = whole.seconds, whole.memory
        assert sum(spread(read_all, None, [[str(tmp_path / name)] for name in "ab"], 2)) == 2 << 20
        # of files, the largest in each process: one may read both
        assert whole.memory - memory - 2 * PAGE_MEMORY in {1 << 20, 2 << 20}
        # and what their own part of Python took between the parts
        assert whole.seconds - seconds > 1.99 * (PAGE_SECONDS + MEGABYTE_SECONDS)


TASKS = """
import asyncio
import errno
from contextlib import suppress
from docs_sitemap.budget import budget, counting
from docs_sitemap.boundary import exhausted_in
budget.MAX_SECONDS = 0.3

async def work():
    async with asyncio.TaskGroup() as group:
        for _ in range(20):
            group.create_task(busy())

async def busy():
    loop = asyncio.get_running_loop()
    while True:
        with suppress(Exception):
            loop.call_soon(sorted, range(1_000))
            await asyncio.wait_for(asyncio.sleep(0), 1)
            counting.allow(size=1)

try:
    with budget.Budget():
        asyncio.run(work(), debug=False)  # which would tell that a busy machine is slow
except BaseExceptionGroup as problem:
    assert exhausted_in(problem)
    print("stopped")
"""


@needs_timer
def test_tasks_of_asyncio_are_stopped_without_a_word() -> None:
    """asyncio logs other errors with a traceback, if they are raised between its tasks, and goes on."""
    for _ in range(5):
        done = subprocess.run([sys.executable, "-c", TASKS], capture_output=True, check=False, text=True)
        assert (done.returncode, done.stdout, done.stderr) == (0, "stopped\n", "")


@needs_timer
def test_a_task_of_asyncio_that_counts_nothing_is_stopped_too() -> None:
    async def work() -> None:
        endless()

    with pytest.raises(ExhaustedError), Budget():
        asyncio.run(work())


def test_the_error_is_found_in_a_group() -> None:
    group = BaseExceptionGroup("a", [ValueError("b"), BaseExceptionGroup("c", [ExhaustedError("stopped")])])
    assert describe(group) == "stopped"
    assert describe(ExceptionGroup("a", [ValueError("b")])).startswith("unexpected error: ExceptionGroup")


def test_the_error_is_found_below_that_of_a_codec(monkeypatch: pytest.MonkeyPatch) -> None:
    """Python 3.11 says "encoding with 'punycode' codec failed" before its text."""

    def fail(*args: object) -> None:
        raise ExhaustedError("stopped")

    monkeypatch.setattr("encodings.punycode.punycode_encode", fail)
    with pytest.raises(ExhaustedError) as caught:
        "\xe9".encode("punycode")
    assert describe(caught.value) == "stopped"


def test_yaml_is_given_up_in_another_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    """Zensical reads its configuration there: a megabyte took twenty seconds."""
    pytest.importorskip("yaml")
    raised = []

    def work() -> None:
        try:
            with Budget():
                read_yaml(f"a: [{'x,' * 100_000}]")
        except ExhaustedError as problem:
            raised.append(problem)

    thread = threading.Thread(target=work)
    thread.start()
    thread.join(60)
    assert raised


@pytest.mark.limit("PAGE_SECONDS", "NAME_SECONDS", "COMMIT_SECONDS", "MEGABYTE_SECONDS", "PAGE_MEMORY")
def test_more_is_allowed_for_what_the_input_has(tmp_path: Path) -> None:
    """A file once, whatever names it has; a history once, however often it is walked through."""
    (tmp_path / "a").write_bytes(b"a" * (1 << 20))
    (tmp_path / "b").symlink_to("a")
    os.link(tmp_path / "a", tmp_path / "c")
    with Budget() as whole:
        seconds, memory = whole.seconds, whole.memory
        for name in "abcab":
            read_plain(tmp_path / name, 1 << 21)
        assert whole.seconds - seconds == pytest.approx(PAGE_SECONDS + MEGABYTE_SECONDS)
        assert whole.memory - memory == PAGE_MEMORY + (1 << 20)
        seconds = whole.seconds
        memory = whole.memory
        for number, passed in ((10, 10), (100, 100), (50, 70), (100, 100)):
            count_commits(number, passed)
        assert whole.seconds - seconds == pytest.approx(100 * COMMIT_SECONDS)
        for passed in (150, 1_000, 2_000):
            count_commits(100, passed)
        assert whole.seconds - seconds == pytest.approx(4 * 100 * COMMIT_SECONDS)
        assert whole.memory - memory == 100 << 10
        seconds = whole.seconds
        for number in (5, 10, 5):
            count_pages(number)
        allow(names=100)
        assert whole.seconds - seconds == pytest.approx(10 * PAGE_SECONDS + 100 * NAME_SECONDS)


def test_a_small_file_allows_no_more_than_it_has(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"a" * 10)
    with Budget() as whole:
        memory = whole.memory
        open_plain(tmp_path / "a").close()
        assert whole.memory - memory == PAGE_MEMORY + 10


def test_many_files_allow_no_more_memory_than_the_largest(tmp_path: Path) -> None:
    """25,000 pages of 8 kB might have taken 450 MB more than usual ones of that size."""
    with Budget() as whole:
        memory = whole.memory
        for size in (1_000, 3_000, 2_000):
            (tmp_path / str(size)).write_bytes(b"a" * size)
            read_plain(tmp_path / str(size), 1 << 20)
        assert whole.memory - memory == 3 * PAGE_MEMORY + 3_000


SHORT_PARTS = """
from docs_sitemap.budget import budget, counting
budget.MAX_MEMORY = 60 << 20
whole, kept = budget.Budget(), []
try:
    while len(kept) < 40:
        with whole:
            kept.append(b"x" * (10 << 20))
except budget.ExhaustedError as problem:
    print(len(kept), problem)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="others tell only the peak of the process")
def test_memory_that_many_short_parts_keep_is_that_of_one() -> None:
    """Each is too short for a tick."""
    done = subprocess.run([sys.executable, "-c", SHORT_PARTS], capture_output=True, text=True, check=True)
    number, _, said = done.stdout.partition(" ")
    assert 5 <= int(number) <= 9
    assert "60 MiB of memory" in said


def clean_up(cleaned: list[bool]) -> None:
    try:
        endless_look()
    finally:
        end = time.thread_time() + 0.3
        while time.thread_time() < end:
            look()
        cleaned.append(True)


def test_the_end_of_work_that_was_stopped_has_a_second() -> None:
    """What others do after an error, such as closing files, must not end with another one."""
    cleaned: list[bool] = []
    with pytest.raises(ExhaustedError), Budget():
        clean_up(cleaned)
    assert cleaned


@needs_timer
def test_a_task_of_asyncio_that_ends_late_is_stopped_after_its_end() -> None:
    def work() -> None:
        asyncio.run(task())
        keep_busy(2)

    async def task() -> None:
        keep_busy(0.6)

    with pytest.raises(ExhaustedError), Budget():
        work()


def keep_busy(seconds: float) -> None:
    end = time.thread_time() + seconds
    while time.thread_time() < end:
        pass


def test_what_is_done_is_not_stopped_but_the_next_part_is() -> None:
    """A report was written, and then the command said that it was stopped."""
    budget = Budget()
    done = []
    with budget:
        budget.memory = -1  # as if much memory was taken since the last tick
        done.append(True)
    with pytest.raises(ExhaustedError, match="of memory"), budget:
        done.append(False)
    assert done == [True]


def test_a_huge_file_allows_no_more_than_what_is_read_of_it(tmp_path: Path) -> None:
    """Zeros at its end take no place on the disk, nor in a repository."""
    with (tmp_path / "a").open("wb") as stream:
        stream.truncate(1 << 33)
    with Budget() as whole:
        seconds, memory = whole.seconds, whole.memory
        with open_plain(tmp_path / "a"):
            pass
        assert whole.seconds - seconds == pytest.approx(PAGE_SECONDS + MEGABYTE_SECONDS)
        assert whole.memory - memory == PAGE_MEMORY + (1 << 20)
        for _ in range(2):
            read_start(tmp_path / "a", 6 << 20)
        assert whole.seconds - seconds == pytest.approx(PAGE_SECONDS + 2 * MEGABYTE_SECONDS)
        assert whole.memory - memory == PAGE_MEMORY + (6 << 20)


def turn(shared: int, part: int) -> int:
    if part == shared:
        endless()
    return part


@needs_timer
@pytest.mark.parametrize("jobs", [1, 2])
def test_each_process_is_limited(jobs: int) -> None:
    with pytest.raises(ExhaustedError), Budget():
        list(spread(turn, 3, range(5), jobs))
    assert list(spread(turn, 9, range(5), jobs)) == [0, 1, 2, 3, 4]


def mark_and_turn(folder: Path, part: int) -> None:
    (folder / str(part)).touch()
    endless()


def spin(seconds: float, part: int) -> int:
    end = time.thread_time() + (seconds if part == 2 else 0)
    while time.thread_time() < end:
        pass
    return part


@needs_timer
def test_what_one_process_saves_another_may_take(monkeypatch: pytest.MonkeyPatch) -> None:
    """On a machine of 13 processors, 500 pages with large heads had a thirteenth of the time."""
    monkeypatch.setattr(budget, "MAX_SECONDS", 3.0)
    with Budget():
        assert list(spread(spin, 1.0, range(5), 4)) == [0, 1, 2, 3, 4]


@pytest.mark.parametrize("name", ["RawArray", "Pipe"])
@pytest.mark.parametrize("problem", [OSError, ImportError])
def test_one_process_does_all_where_nothing_is_shared(
    monkeypatch: pytest.MonkeyPatch, name: str, problem: type[Exception]
) -> None:
    """Some sandboxes have no folder for memory, or no more open files."""

    def refuse(*_args: object) -> None:
        raise problem

    monkeypatch.setattr(BaseContext, name, refuse)
    with Budget():
        assert list(spread(turn, 9, range(5), 2)) == [0, 1, 2, 3, 4]


@pytest.mark.skipif(sys.platform != "linux", reason="others start processes without fork")
@pytest.mark.parametrize("processes", [0, 1, 2, 3])
def test_one_process_does_all_where_no_more_start(monkeypatch: pytest.MonkeyPatch, processes: int) -> None:
    """With ``ulimit -u``, or a limit of a container, those that had started were waited for, for ever."""
    fork = os.fork
    left = [None] * processes

    def limited() -> int:
        if not left:
            raise BlockingIOError(errno.EAGAIN, "Resource temporarily unavailable")
        left.pop()
        return fork()

    monkeypatch.setattr(os, "fork", limited)
    with Budget():
        assert list(spread(turn, 9, range(5), 4)) == [0, 1, 2, 3, 4]
    assert not multiprocessing.active_children()
    assert not left


def die_once(file: str, part: int) -> int:
    with suppress(FileExistsError):
        os.close(os.open(file, os.O_CREAT | os.O_EXCL))
        time.sleep(0.2)  # other parts are done
        os.kill(os.getpid(), signal.SIGKILL)
    return part


@pytest.mark.skipif(sys.platform == "win32", reason="nobody kills a process there")
def test_the_rest_is_done_where_a_process_is_killed(tmp_path: Path) -> None:
    """As where memory ran out: it was an "unexpected error: BrokenProcessPool"."""
    with Budget():
        assert list(spread(die_once, str(tmp_path / "a"), range(50), 2)) == [*range(50)]
    assert not multiprocessing.active_children()


def die_while_writing(file: str, part: int) -> bytes:
    if part:
        with suppress(FileExistsError):
            os.close(os.open(file, os.O_CREAT | os.O_EXCL))
            threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGKILL)).start()
            return b"x" * (10 << 20)  # more than a pipe has room for
    return b"x"


@pytest.mark.skipif(sys.platform == "win32", reason="nobody kills a process there")
def test_the_rest_is_done_where_a_process_is_killed_while_it_writes(tmp_path: Path) -> None:
    """A pool waited for the rest of the result for ever."""
    found = spread(die_while_writing, str(tmp_path / "a"), range(9), 2)
    results = [next(found)]
    time.sleep(1)  # nobody reads
    assert [*results, *found] == [b"x"] * 9
    assert not multiprocessing.active_children()


def fail(message: str, part: int) -> int:
    if part == 3:
        raise LookupError(message)
    return part


@pytest.mark.parametrize("jobs", [1, 2])
def test_an_error_is_raised_after_the_results_before_it(jobs: int, capfd: pytest.CaptureFixture[str]) -> None:
    found = spread(fail, "why", range(5), jobs)
    assert [next(found), next(found), next(found)] == [0, 1, 2]
    with pytest.raises(LookupError, match="why"):
        next(found)
    assert not multiprocessing.active_children()
    assert capfd.readouterr() == ("", "")


ABANDONED = """
import os, sys, time
from docs_sitemap.processes import spread

def tell(shared, part):
    os.write(1, b"%d\\n" % os.getpid())  # at once: several write
    time.sleep(shared)

if __name__ == "__main__":
    list(spread(tell, float(sys.argv[1]), range(4), 2))
"""


@pytest.mark.skipif(sys.platform == "win32", reason="other signals there")
@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGINT, signal.SIGTERM])
def test_no_process_outlives_the_one_that_started_it(tmp_path: Path, number: signal.Signals) -> None:
    """Each ends with its part, and none tells of an interrupt."""
    (tmp_path / "a.py").write_text(ABANDONED, "utf-8")
    command = [sys.executable, str(tmp_path / "a.py"), "1"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as running:
        assert running.stdout
        assert running.stderr
        first = [int(running.stdout.readline()) for _ in range(2)]
        for process in [running.pid, *(first if number == signal.SIGINT else [])]:
            os.kill(process, number)  # as a terminal sends it
        left, errors = running.communicate(timeout=60)  # ends when all have closed it
    assert len(left.split()) <= 2
    assert errors.count("Traceback") == (number == signal.SIGINT)


def linger(seconds: float, part: int) -> int:
    Finalize(None, time.sleep, (seconds,), exitpriority=1)
    return part


@pytest.mark.skipif(sys.platform == "win32", reason="processes end otherwise there")
def test_no_process_is_waited_for_when_the_work_is_done() -> None:
    """Where one was killed as the pool ended, another waited for its lock, and all for that."""
    start = time.monotonic()
    assert list(spread(linger, 100.0, range(5), 2)) == [0, 1, 2, 3, 4]
    assert time.monotonic() - start < 50
    assert not multiprocessing.active_children()


@needs_timer
def test_what_processes_took_is_taken_from_the_next_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(budget, "MAX_SECONDS", 2.0)
    with Budget() as whole:
        list(spread(spin, 1.1, range(5), 2))
        with pytest.raises(ExhaustedError):
            list(spread(spin, 1.1, range(5), 2))
    assert whole.spent.taken > 1.1


KEPT: list[bytes] = []


def keep(size: int, part: int) -> int:
    KEPT.append(b"x" * size)
    # where others take the machine's time, they must last until all have theirs
    return spin(0.3 if size < 20 << 20 else 3.0, 2) and part


@needs_timer
@pytest.mark.skipif(sys.platform != "linux", reason="others tell only the peak of each process")
def test_processes_share_the_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two took 880 MB, and four 1,400."""
    monkeypatch.setattr(budget, "MAX_SECONDS", 20.0)
    with Budget():
        assert list(spread(keep, 10 << 20, range(3), 3)) == [0, 1, 2]
    with pytest.raises(ExhaustedError, match="60 MiB"), Budget():
        list(spread(keep, 30 << 20, range(3), 3))


@needs_timer
def test_a_process_that_was_stopped_does_no_further_part(tmp_path: Path) -> None:
    """What waited for it in the queue was done with the time and memory that an error leaves for its end."""
    with pytest.raises(ExhaustedError), Budget():
        list(spread(mark_and_turn, tmp_path, range(9), 2))
    assert len([*tmp_path.iterdir()]) <= 3


def test_an_error_of_ours_is_one_line_and_the_rest_is_left_out() -> None:
    told: list[Notice] = []
    boundary = Boundary(told.append, KeyError)

    def fail(text: str) -> int:
        raise ValueError(text)

    def answer(number: int) -> int:
        return number

    assert boundary.around(answer)(7) == 7
    assert boundary.around(fail)("::error::\n\x1b[2J secret") is None
    assert boundary.around(answer)(7) is None
    [notice] = told
    assert notice.level == "info"
    assert notice.text.isprintable()
    assert "ValueError" in notice.text
    assert "secret" not in notice.text
    assert boundary.around(fail).__name__ == "fail"


def test_an_error_that_ends_a_build_passes() -> None:
    boundary = Boundary(lambda notice: None, KeyError)
    with pytest.raises(KeyError):
        boundary.around({"a": 1}.__getitem__)("b")
    assert not boundary.is_over


def test_a_debugger_sees_the_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DOCS_SITEMAP_DEBUG", "1")
    with pytest.raises(ZeroDivisionError):
        Boundary(lambda notice: None).around(divmod)(1, 0)


def test_the_limits_leave_a_reader_ten_seconds_and_half_a_gigabyte() -> None:
    """With what Python and the libraries need to start."""
    assert MAX_SECONDS <= 8
    assert MAX_MEMORY <= 320 << 20


@pytest.mark.limit("MAX_NAMED", "MAX_SHOWN_IMAGES", "MAX_FRONT_MATTER_VALUES")
@pytest.mark.parametrize("kind", ["sources", "not_sources", "images", "a long base", "YAML", "TOML"])
def test_all_pages_together_have_so_many_things(
    kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """50,000 pages, each with what one may have, took two minutes, and a gigabyte; and so in front matter."""
    things = {"images": "SHOWN", "a long base": "SHOWN", "YAML": "VALUES", "TOML": "VALUES"}.get(
        kind, "NAMED"
    )
    most = getattr(counting, things)
    assert most.most <= 500_000
    monkeypatch.setattr(budget, "MAX_SECONDS", 30.0)
    monkeypatch.setattr(counting, things, most._replace(most=300))
    if kind in ("YAML", "TOML"):
        pytest.importorskip("yaml")
    texts = {
        "YAML": f"---\nsitemap: [{'a text, ' * 99}]\n---\n",
        "TOML": f"+++\nsitemap = [{'1, ' * 300}]\n+++\n",
        "a long base": f"<base href='/{'a' * 1_900}/'>{''.join(f'<img src={each}>' for each in range(5))}",
    }
    (tmp_path / "a.md").write_text(texts.get(kind, "".join(f"<img src={number}>" for number in range(100))))
    (tmp_path / "b.md").write_text("---\nsitemap: {priority: 1}\n---\n<img src=a>")

    def page(name: str, number: int) -> None:
        if things == "SHOWN":
            read_images(tmp_path / name, f"https://example.org/{number}/")
        elif kind in texts:
            read_front_matter(tmp_path / name)
        else:
            names = tuple(f"{number}-{each}.csv" for each in range(50 if name == "a.md" else 10))
            settings = PageSettings(**{kind: names})  # type: ignore[arg-type]
            place_settings(settings, tmp_path, name, RealPaths())

    def read(name: str, number: int) -> None:
        with Budget():
            for each in range(number):
                page(name, each)

    read("b.md", 200)
    if kind == "images":  # a page of 30 kB may have a hundred
        (tmp_path / "c.md").write_text((tmp_path / "a.md").read_text() + "x" * 30_000)
        read("c.md", 20)
    with pytest.raises(ExhaustedError, match=r"because there are more than 300 .*, beyond \w+ for each "):
        read("a.md", 20)


@pytest.mark.limit("MAX_PATTERN_SECONDS", "PATTERN_SECONDS")
@pytest.mark.parametrize("where", ["rules", "exclude"])
def test_tests_with_patterns_have_a_limit_of_their_own(monkeypatch: pytest.MonkeyPatch, where: str) -> None:
    """2,000 patterns took 31 s for 20,000 pages, each of which may take a millisecond."""
    pages = [Page(url=f"section/page-{number}/") for number in range(500)]
    patterns = [f"*draft{number}*" for number in range(500)]
    rules = tuple(Rule((pattern,), PageSettings(priority=1)) for pattern in patterns)

    def test_all() -> None:
        test = Patterns(patterns).match if where == "exclude" else SettingsOf(replace(Options(), rules=rules))
        for page in pages:
            test(page)

    monkeypatch.setattr(budget, "MAX_SECONDS", 30.0)
    monkeypatch.setattr(budget, "MAX_PATTERN_SECONDS", 0.001)
    monkeypatch.setattr(budget, "PATTERN_SECONDS", 0.01)
    with Budget():
        test_all()
    monkeypatch.setattr(budget, "PATTERN_SECONDS", 0.000_001)
    with (
        pytest.raises(ExhaustedError, match="to test pages with the patterns in `exclude` and `rules`"),
        Budget(),
    ):
        test_all()


def blocked(_shared: None, _part: int) -> bool:
    return signal.SIGINT in signal.pthread_sigmask(signal.SIG_BLOCK, ())


@pytest.mark.skipif(not hasattr(signal, "pthread_sigmask"), reason="signals do not wait there")
def test_an_interrupt_waits_while_processes_start(monkeypatch: pytest.MonkeyPatch) -> None:
    """Python lost it in the middle of a fork, and printed a traceback."""
    fork = os.fork
    seen: list[bool] = []

    def watched() -> int:
        seen.append(blocked(None, 0))
        return fork()

    monkeypatch.setattr(os, "fork", watched)
    assert list(spread(blocked, None, range(4), 2)) == [True] * 4
    assert all(seen)
    assert not blocked(None, 0)
