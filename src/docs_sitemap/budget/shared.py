"""What some processes may take together, in memory that all of them see."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from multiprocessing.context import BaseContext


class SharedBudget:
    """Processor ``seconds`` and bytes of ``memory`` for some processes.

    Not a part for each: what one of them saves, another may need. ``context`` is how they are started, and
    ``place`` the number of this one.
    """

    def __init__(self, context: BaseContext, processes: int, seconds: float, memory: int) -> None:
        self.processes = processes
        self.seconds = seconds
        self.memory = memory
        self._over = context.RawArray("d", processes)
        self._more = context.RawArray("q", processes)
        self.place = 0

    def total(self, over: float, more: int) -> tuple[float, int]:
        """Return what all processes took beyond what is allowed; the arguments are for this one."""
        self._over[self.place] = over
        self._more[self.place] = more
        return sum(self._over) - self.seconds, sum(self._more) - self.memory
