"""Sends requests to a git process before the answers to earlier ones are read.

So git and Python work at the same time. Knows nothing about the requests' content.
"""

from __future__ import annotations

import sys
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from typing import Any, Final

from docs_sitemap.history.change import RepositoryError
from docs_sitemap.history.objects import MissingObjectError
from docs_sitemap.history.process import GitProcess

# Bytes of requests that may wait unread in the pipe: no more than it is certain to hold, because otherwise
# both sides could wait for each other. git before 2.36 answers each line at once, so no request is larger.
PIPE: Final = 2048 if sys.platform == "win32" else 14_000


class Ticket:
    """A request whose answer has not been read yet.

    ``then`` is called with the answer as soon as it is read, possibly during ``take`` of another ticket.
    """

    __slots__ = ("answer", "done", "missing", "read", "size", "then")

    def __init__(self, read: Callable[[], Any], size: int) -> None:
        self.read = read
        self.size = size
        self.done = False
        self.answer: Any = None
        self.missing: MissingObjectError | None = None
        self.then: Callable[[Any], None] | None = None


class Requests:
    """The requests to one process; the answers are read in the order of the requests.

    ``flush`` is appended to each request, so that the process answers at once.
    """

    def __init__(self, process: GitProcess, flush: bytes) -> None:
        self.process = process
        self._flush = flush
        self._waiting: deque[Ticket] = deque()
        self._unread = 0
        self._broken: RepositoryError | None = None

    def ask(self, request: bytes, read: Callable[[], Any]) -> Ticket:
        """Write a request; ``read`` reads its answer from the process's stdout later.

        If the process has ended, that is only reported after the answers to earlier requests are read.
        """
        request += self._flush
        while self._waiting and self._unread + len(request) > PIPE:
            self._read_next()
        with suppress(OSError):
            self.process.stdin.write(request)
            self.process.stdin.flush()
        ticket = Ticket(read, len(request))
        self._unread += ticket.size
        self._waiting.append(ticket)
        return ticket

    def take(self, ticket: Ticket) -> Any:
        """Return the answer; raises what ``read`` raised."""
        while not ticket.done:
            self._read_next()
        if ticket.missing is not None:
            raise ticket.missing
        return ticket.answer

    def _read_next(self) -> None:
        if self._broken is not None:
            raise self._broken
        # until it is read: the budget may end at any place, and then what follows is no start of an answer
        self._broken = RepositoryError("an answer of git was not read to its end")
        ticket = self._waiting.popleft()
        try:
            ticket.answer = ticket.read()
        except MissingObjectError as problem:
            ticket.missing = problem  # raised by take(): it may have been requested ahead and never be needed
        except RepositoryError as problem:
            self._broken = problem  # the start of the next answer is unknown
            raise
        ticket.done = True
        self._unread -= ticket.size
        self._broken = None
        if ticket.then is not None and ticket.missing is None:
            ticket.then(ticket.answer)
