"""What the rules find. Pure."""

from __future__ import annotations

import re
from collections.abc import Hashable
from dataclasses import dataclass
from typing import Final, Literal, NamedTuple

Level = Literal["error", "warning", "info"]
LEVELS: Final[tuple[Level, ...]] = ("error", "warning", "info")
"""The most severe first."""

_NUMBER = re.compile(r"[0-9][0-9,]*")


class Found(NamedTuple):
    """What a rule yields; ``level`` is set only if it differs from the rule's level.

    ``url`` is the URL concerned, and ``file`` the file in the site's folder to fix or to inspect; either
    may be missing. ``line`` counts from 1. Findings with the same ``cause`` are merged if there are many of
    them; those without one never are.
    """

    message: str
    url: str | None = None
    file: str | None = None
    level: Level | None = None
    line: int | None = None
    cause: Hashable = None


@dataclass(frozen=True, slots=True)
class Finding:
    """A problem, with the id of the rule that found it."""

    id: str
    level: Level
    url: str | None
    file: str | None
    message: str
    line: int | None = None

    @property
    def key(self) -> tuple[str, ...]:
        """The identity of the problem across builds; the message is part of it only if there is no URL.

        Numbers in the message are ignored: they change with each page that is added.
        """
        text = "" if self.url else _NUMBER.sub("#", self.message)
        return (self.id, self.url or "", self.file or "", text)
