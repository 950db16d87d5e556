"""Limits what a command, or our part of a build, takes of the processor and of the memory.

Each reader has limits of its own and takes linear time. This is the last defence behind them: against what
nobody has thought of. What the input has is counted (``counting``), so that a site of a million pages may
take its time, and what is taken is watched here. Knows neither hosts nor commands.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from collections import Counter
from contextlib import suppress
from functools import cache
from types import FrameType, TracebackType
from typing import TYPE_CHECKING, Final, NamedTuple

from docs_sitemap.budget.histories import Histories
from docs_sitemap.budget.memory import peak, resident
from docs_sitemap.budget.shared import SharedBudget
from docs_sitemap.limits import (
    COMMIT_SECONDS,
    MAX_GIT_SECONDS,
    MAX_HEAD,
    MAX_MEMORY,
    MAX_PAGE,
    MAX_PATTERN_SECONDS,
    MAX_SECONDS,
    MAX_SECONDS_TOGETHER,
    MEGABYTE_SECONDS,
    PAGE_MEMORY,
    PAGE_SECONDS,
    PATTERN_SECONDS,
    TAGS_SECONDS,
)

if TYPE_CHECKING:
    from multiprocessing.context import BaseContext

UNLIMITED: Final = "DOCS_SITEMAP_UNLIMITED"
"""The environment variable with which a user takes away these two limits and git's, but none of a reader."""

_TICK: Final = 0.1
"""Processor seconds between two looks: in so short a time, Python's objects fill some ten megabytes."""

_PATIENCE: Final = 1.0
"""Seconds until the error is raised again, if it did not end the work: others clean up after it first."""

_MEMORY_PATIENCE: Final = 64 << 20
_KIB: Final = 1024
_MOST: Final = 0.8
"""The part of the seconds after which a history is not walked further: a sitemap is written after it."""

_MANY: Final = 5
"""Each byte of a file after the first MiB counts for a fifth: those are only searched."""

_WALKS: Final = 4
"""How often commits count at most: with ``follow_renames``, those of SciPy are passed 3.7 times."""

_BYTE_SECONDS: Final = MEGABYTE_SECONDS / (1 << 20)


class ExhaustedError(BaseException):
    """More was taken than the size of the input explains; ``str()`` is for the user.

    No ``Exception``: it is raised anywhere, and nobody takes it for an answer about a file or a server.
    """


class Spent(NamedTuple):
    """Seconds that were taken, and seconds and bytes of memory that were allowed."""

    taken: float
    seconds: float
    memory: int

    def since(self, before: Spent) -> Spent:
        """Return what has come since then."""
        return Spent(self.taken - before.taken, self.seconds - before.seconds, self.memory - before.memory)


class Things(NamedTuple):
    """What all pages together have at most, ``beyond`` what each may have: what to call them, and a cure.

    ``beyond`` is empty if it does not matter how many pages there are.
    """

    most: int
    what: str
    beyond: str
    cure: str


class Budget:
    """What one command or our part of one build may take, in the thread that enters it.

    In the main thread of a system with timers, ``ExhaustedError`` is raised wherever our code is, up to 0.1
    seconds late; elsewhere, and in tasks of asyncio, whenever something is counted. For a part that has taken
    too much by its end, it is raised when the next one begins.

    >>> with Budget() as budget:
    ...     budget.count_pages(1000)
    >>> budget.seconds
    8.3
    """

    def __init__(self, shared: SharedBudget | None = None) -> None:
        self.seconds = 0.0 if shared else MAX_SECONDS
        self.memory = 0 if shared else MAX_MEMORY
        self._shared = shared
        self.histories = Histories()
        self._git_alone = MAX_SECONDS_TOGETHER - MAX_SECONDS
        self._tests = 0
        self._things: Counter[Things] = Counter()
        self._tested = 0.0
        self._known: set[int] = set()
        self._large: dict[int, int] = {}
        self._largest = 0
        self._tagged: set[int] = set()
        self._pages = self._commits = self._passed = 0
        self._taken = self._taken_by_git = self._of_host = 0.0
        self._grown = 0
        self._start = 0.0
        self._end: float | None = None
        self._base = self._peak = 0
        self._is_first = True
        self._inner = 0  # parts within another one, which count for that
        self._has_timer = False
        self._ended = ""  # not the error: it would keep what its frames have
        self._due: ExhaustedError | None = None  # in place of one that a tick may not raise
        self._is_unlimited = bool(os.environ.get(UNLIMITED))

    def __enter__(self) -> Budget:
        global _running  # noqa: PLW0603  # one for the process, as its timer is
        if _running is not None or self._is_unlimited:
            self._inner += 1
            return self
        if self._shared and self._ended:
            raise ExhaustedError(self._ended)  # more parts may be waiting for this process
        self._peak = peak()
        # from the second part on, memory that the host had and gave back may hide some of ours
        self._base = resident() if self._is_first else self._peak
        self._is_first = False
        self._start = time.thread_time()
        if self._end is not None:
            # the time of the host since the last part makes up for what was taken: each rebuild of a server
            # takes some; nothing is saved up, or a host that works for a minute would leave us a minute
            since = max(0.0, self._start - self._end)  # threads have clocks of their own
            more = min(since, self._taken + self._taken_by_git - self._of_host)
            self._of_host += more
            self.seconds += more
            self.histories.git_seconds = min(MAX_GIT_SECONDS, self.histories.git_seconds + since)
        if not self._shared:
            self._compare(self._taken, self._grown)
        _running = self
        self._has_timer = threading.get_ident() == threading.main_thread().ident and _has_signal()
        if self._has_timer:
            # several processes fill several times the memory between two looks
            tick = _TICK / self._shared.processes if self._shared else _TICK
            signal.setitimer(signal.ITIMER_PROF, tick, tick)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._inner:
            self._inner -= 1
            return
        self.stop()
        self._end = time.thread_time()
        self._taken += self._end - self._start
        self._grown += max(0, peak() - self._peak)
        if kind is None and self._shared:  # otherwise, only the next part is refused
            self._compare(self._taken, self._grown)

    def stop(self) -> None:
        """End the ticks, also if one has come while the part ended, and its error was raised there."""
        global _running  # noqa: PLW0603
        if _running is self:
            if self._has_timer:
                signal.setitimer(signal.ITIMER_PROF, 0)
            _running = None

    def check(self) -> None:
        """Raise ``ExhaustedError`` if more was taken than is allowed."""
        self._compare(self._seconds_so_far(), self._grown + resident() - self._base)

    def _compare(self, taken: float, grown: int) -> None:
        over, more = taken - self.seconds, grown - self.memory
        seconds, memory = self.seconds, self.memory
        if self._shared:
            over, more = self._shared.total(over, more)
            seconds, memory = self._shared.seconds, self._shared.memory
        if over <= 0 and more <= 0:
            return
        # for both: whoever cleans up after one error is not interrupted by the other one
        self.seconds += max(0.0, over + _PATIENCE)
        self.memory += max(0, more + _MEMORY_PATIENCE)
        self._ended = _told(
            f"{seconds:.0f} s of processor time" if over > 0 else f"{memory >> 20:,} MiB of memory"
        )
        raise ExhaustedError(self._ended)

    @property
    def spent(self) -> Spent:
        """What was taken and allowed so far, between parts."""
        return Spent(self._taken, self.seconds, self.memory)

    def shared(self, context: BaseContext, processes: int) -> SharedBudget:
        """Return what is left, within a part, for some processes."""
        grown = self._grown + resident() - self._base
        left = self.seconds - self._seconds_so_far()
        return SharedBudget(context, processes, left, self.memory - grown)

    def add(self, spent: Spent) -> None:
        """Count what another process took and allowed for a part of the work."""
        self._taken += spent.taken
        self.seconds += spent.seconds
        self.memory += spent.memory
        self.check()

    def count(self, status: os.stat_result, size: int) -> None:
        """Allow what it takes to read so many bytes of a file, once, however many names it has."""
        key = number_of(status)
        if key not in self._known:
            self._known.add(key)
            self._allow_pages(1)
            self.seconds += min(size, MAX_HEAD) * _BYTE_SECONDS
        more = size - self._large.get(key, MAX_HEAD)
        if more > 0:
            self._large[key] = size
            self.seconds += more * _BYTE_SECONDS / _MANY
        # files are read one after the other, and what is kept of each is allowed with the page
        self.memory += max(0, size - self._largest)
        self._largest = max(size, self._largest)
        self.look()

    def count_tags(self, status: os.stat_result) -> None:
        """Allow what it takes to read a file tag by tag, once, however many names it has."""
        key = number_of(status)
        if key not in self._tagged:
            self._tagged.add(key)
            self.seconds += min(status.st_size, MAX_PAGE) * (TAGS_SECONDS / (1 << 20))
        self.look()

    def count_pages(self, number: int) -> None:
        """Allow what it takes to process so many pages, if no part of the build had more."""
        more = max(0, number - self._pages)
        self._pages += more
        self._allow_pages(more)
        self.look()

    def _allow_pages(self, number: int) -> None:
        self.seconds += number * PAGE_SECONDS
        self.memory += number * PAGE_MEMORY

    def count_tested(self, seconds: float) -> None:
        """Count that a page was tested with patterns; all that it is allowed itself would be far more."""
        self._tests += 1
        self._tested += seconds
        most = MAX_PATTERN_SECONDS + self._tests * PATTERN_SECONDS
        if self._tested > most:
            self._tested -= _PATIENCE
            self._ended = (
                f"stopped, because it would take more than {most:.0f} s of processor time to test pages with "
                "the patterns in `exclude` and `rules`. Write fewer, or ones that do not begin with `*`. If "
                f"you trust them, set {UNLIMITED}=1."
            )
            raise ExhaustedError(self._ended)

    def count_things(self, kind: Things, number: int) -> None:
        """Count what one page has, beyond what it may have, of things that take more time than its bytes."""
        self._things[kind] += number
        if self._things[kind] > kind.most:
            self._things[kind] = 0
            beyond = f", beyond {kind.beyond}" if kind.beyond else ""
            self._ended = (
                f"stopped, because there are more than {kind.most:,} {kind.what}{beyond}. "
                f"{kind.cure} If you trust them, set {UNLIMITED}=1."
            )
            raise ExhaustedError(self._ended)

    @property
    def git_seconds(self) -> float:
        """Processor seconds that git may still take beyond what its commits explain."""
        left = self.seconds - self._seconds_so_far()
        return min(self.histories.git_seconds, left + self._git_alone)

    def count_git(self, seconds: float, commits: int) -> None:
        """Count what a git process took that has read so many commits."""
        unexplained = self.histories.count_git(seconds, commits)
        alone = min(unexplained, self._git_alone)
        self._git_alone -= alone
        self._taken_by_git += unexplained - alone
        self.seconds -= unexplained - alone

    def count_commits(self, number: int, passed: int) -> None:
        """Allow what it takes to walk through so many commits, if no longer history was walked through.

        They may be ``passed`` again where files had other names.
        """
        more = max(0, number - self._commits)
        self._commits += more
        self.memory += more * _KIB
        more = max(0, min(passed, _WALKS * number) - self._passed)
        self._passed += more
        self.seconds += more * COMMIT_SECONDS
        self.look()

    def look(self) -> None:
        """Raise ``ExhaustedError`` where no tick does."""
        if self._due:
            problem, self._due = self._due, None
            raise problem
        if not self._has_timer:
            self.check()

    @property
    def is_nearly_spent(self) -> bool:
        """Whether little of the seconds is left: whoever can give a part of an answer ends with that."""
        return self._shared is None and self._seconds_so_far() > _MOST * self.seconds

    def _seconds_so_far(self) -> float:
        return self._taken + time.thread_time() - self._start

    def tick(self) -> None:
        """Look at what was taken; between tasks of asyncio, which logs what is raised there, only later.

        But a task that then counts nothing for a second is ended all the same.
        """
        try:
            self.check()
        except ExhaustedError as problem:
            if self._due or not _is_in_loop():
                raise
            self._due = problem


def enter_shared(shared: SharedBudget, place: int) -> Budget:
    """Return the budget of a process that works for another one, of which it may be a copy.

    ``place`` is its number, from 0 on.
    """
    global _running  # noqa: PLW0603
    _running = None
    shared.place = place
    return Budget(shared)


def running() -> Budget | None:
    """Return the budget of the part that runs now, if anything is limited."""
    return _running


_running: Budget | None = None


def number_of(status: os.stat_result) -> int:
    """Return a number that tells a file or folder from others, whatever its name."""
    # not a pair: there may be a million; two files of one number do not matter
    return status.st_ino ^ status.st_dev << 32


def _told(what: str) -> str:
    return (
        f"stopped, because it would take more than {what}, which the size of the input does not explain. A "
        f"file, a page or a repository may be made to do that. If you trust them, set {UNLIMITED}=1."
    )


def _on_tick(_signal: int, _frame: FrameType | None) -> None:
    if _running is not None:  # the last tick may arrive late
        _running.tick()


def _is_in_loop() -> bool:
    asyncio = sys.modules.get("asyncio")  # importing it takes a tenth of a second
    with suppress(RuntimeError):  # there is none
        return asyncio is not None and asyncio.get_running_loop() is not None
    return False


@cache
def _has_signal() -> bool:
    """Take the signal for a process that has used so much processor time, unless somebody else has it.

    It is never given back: the default action for a late tick is to end the process.
    """
    if not hasattr(signal, "setitimer") or signal.getsignal(signal.SIGPROF) is not signal.SIG_DFL:
        return False
    signal.signal(signal.SIGPROF, _on_tick)
    return True
