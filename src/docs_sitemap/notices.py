"""What the core has to tell a user: the core never logs, each host does so in its own way."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Level = Literal["info", "warning"]


@dataclass(frozen=True, slots=True)
class Notice:
    """One message a build and cause.

    ``level`` is ``warning`` for mistakes in the configuration only: warnings stop strict
    builds. ``subtype`` is the name by which a user can silence it: Sphinx spells it
    ``suppress_warnings = ["docs_sitemap.SUBTYPE"]``.
    """

    level: Level
    subtype: str
    text: str
