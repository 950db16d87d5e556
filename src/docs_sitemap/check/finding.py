"""What a rule found. Pure."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final, Literal

Level = Literal["error", "warning", "info"]
LEVELS: Final[tuple[Level, ...]] = ("error", "warning", "info")
"""From the worst on."""

_NUMBER = re.compile(r"[0-9][0-9,]*")


@dataclass(frozen=True, slots=True)
class Found:
    """What a rule yields: ``level`` only where it is not the rule's own.

    ``url`` is the address in question and ``file`` the name in the site's folder of the file to
    mend or to look at; either may be missing. ``line`` counts from 1.
    """

    message: str
    url: str | None = None
    file: str | None = None
    level: Level | None = None
    line: int | None = None


@dataclass(frozen=True, slots=True)
class Finding:
    """One fault, with the id of the rule that found it."""

    id: str
    level: Level
    url: str | None
    file: str | None
    message: str
    line: int | None = None

    @property
    def key(self) -> tuple[str, str, str, str]:
        """What stays the same while the fault stays: its message counts only where it has no URL.

        Numbers in a message do not count: they change with each page that is added.
        """
        text = "" if self.url else _NUMBER.sub("#", self.message)
        return (self.id, self.url or "", self.file or "", text)
