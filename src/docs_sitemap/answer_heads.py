"""Counts what servers send before and between the bodies of their answers: headers, and answers on the way.

Libraries for HTTP show none of it before it is parsed, and answers of status 103 not at all, so it is counted
where it is read from the network.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, Final

from docs_sitemap.limits import FREE_HEAD_LINES, MAX_HEAD_LINES

_FINAL: Final = re.compile(rb"^HTTP/\d\.\d [02-9]", re.MULTILINE)
"""The status of an answer that is not followed by another one (RFC 9110, 15.2)."""

_READ: Final = 10
"""Lines that take as long as one read, or one frame of HTTP/2, of a few bytes."""

_FEW: Final = 512
_FIELD: Final = 20
"""Bytes that a header has at least in HTTP/2, on average, where most are compressed."""


class TooManyLinesError(Exception):
    """There are too many lines before the answers."""


class HeadLines:
    """Counts the lines of the heads of all answers over some connections."""

    def __init__(self) -> None:
        self._left = FREE_HEAD_LINES

    def add(self, lines: int) -> None:
        """Count lines, of headers for example. Raises ``TooManyLinesError``."""
        self._left -= lines
        if self._left < 0:
            raise TooManyLinesError

    @contextmanager
    def awaited(self) -> Iterator[None]:
        """Count what comes before one answer, within this; its own headers are for ``add``."""
        self._left += MAX_HEAD_LINES
        token = _awaited.set(_Awaited())
        try:
            yield
        finally:
            _awaited.reset(token)

    def watch(self, stream: Any) -> None:
        """Count what is read from a new connection; ``stream`` is a network stream of httpcore.

        What is read raises ``TooManyLinesError``.
        """
        if awaited := _awaited.get():
            awaited.is_here = False  # what was here is a proxy's
        read = stream.read
        encrypted = stream.get_extra_info("ssl_object")
        lines_of = _Frames() if encrypted and encrypted.selected_alpn_protocol() == "h2" else _lines_before

        async def counted(*arguments: Any, **options: Any) -> bytes:
            data: bytes = await read(*arguments, **options)
            self.add(lines_of(data))
            return data

        stream.read = counted


class _Awaited:
    """An answer that is awaited; ``is_here`` once its status was read."""

    is_here = False


_awaited: ContextVar[_Awaited | None] = ContextVar("awaited", default=None)


def _lines_before(data: bytes) -> int:
    """Return the lines before an answer in what was read over HTTP/1.1."""
    if (awaited := _awaited.get()) is None:
        return 0  # it is of the body
    if awaited.is_here:
        return _READ
    final = _FINAL.search(data)
    awaited.is_here = final is not None
    return _READ + data.count(b"\n", 0, final.start() if final else len(data))


class _Frames:
    """Returns the lines of what is read over HTTP/2: frames that have no part of a body (RFC 9113, 4.1)."""

    def __init__(self) -> None:
        self._start = b""
        self._skipped = 0

    def __call__(self, data: bytes) -> int:
        head = 9
        read = self._start + data
        lines = 0
        place = self._skipped
        if place > len(read) and len(data) < _FEW:
            lines += _READ
        while place + head <= len(read):
            length, is_body = int.from_bytes(read[place : place + 3], "big"), not read[place + 3]
            lines += 0 if is_body else _READ + length // _FIELD
            place += head + length
        self._start = read[place:]
        self._skipped = max(0, place - len(read))
        return lines
