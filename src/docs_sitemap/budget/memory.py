"""Tells how much memory this process has, from the system."""

from __future__ import annotations

import sys
from contextlib import suppress
from functools import cache
from typing import TYPE_CHECKING, Final

if sys.platform != "win32" or TYPE_CHECKING:
    import resource

_KIB: Final = 1024


def resident() -> int:
    """Return the bytes of memory that this process has now; its peak where the system does not tell."""
    with suppress(OSError), open("/proc/self/statm", "rb") as stream:
        return int(stream.read(100).split()[1]) * resource.getpagesize()
    return peak()


def peak() -> int:
    """Return the most memory that this process had, as far as that is known."""
    global _highest  # noqa: PLW0603
    if sys.platform == "win32":  # pragma: no cover: only Windows gets here
        return 0
    if _has_peak_of_another():
        _highest = max(_highest, resident())
        return _highest
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else peak * _KIB


_highest = 0


@cache
def _has_peak_of_another() -> bool:
    """Tell whether ``getrusage`` has the peak of the process that started this one, as Linux keeps it."""
    with suppress(OSError, ValueError), open("/proc/self/status", "rb") as stream:
        own = next(int(line.split()[1]) for line in stream if line.startswith(b"VmHWM:"))
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss > own + _KIB
    return False
