"""The core's messages for users: the core never logs, each host does so in its own way."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Literal

Level = Literal["info", "warning"]


class Subtype(StrEnum):
    """What a notice is about, by the name that users write; ``docs/tables.py`` has what each means."""

    ADDRESS = "address"
    BASE_URL = "base_url"
    BOTH = "both"
    CANONICAL = "canonical"
    EMPTY = "empty"
    FEED = "feed"
    LANGUAGES = "languages"
    LASTMOD = "lastmod"
    MOVING = "moving"
    OPTION = "option"
    OUTPUT = "output"
    OWN = "own"
    PAGE = "page"
    PREVIEW = "preview"
    ROBOTS = "robots"
    STOPPED = "stopped"
    VERSION = "version"
    WRITTEN = "written"


@dataclass(frozen=True, slots=True)
class Notice:
    """A message; there is one per build and cause.

    ``level`` is ``warning`` only for mistakes in the configuration, because warnings stop strict
    builds. In Sphinx, ``suppress_warnings = ["docs_sitemap.SUBTYPE"]`` silences the warnings of one
    subtype.
    """

    level: Level
    subtype: Subtype
    text: str
