"""Counts what the input has, wherever it is read, for the budget of the part that runs now."""

from __future__ import annotations

import os
import time
from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from docs_sitemap.budget.budget import UNLIMITED, Spent, Things, running
from docs_sitemap.budget.shared import SharedBudget
from docs_sitemap.limits import (
    FRONT_MATTER_SECONDS,
    MAX_FRONT_MATTER_VALUES,
    MAX_GIT_SECONDS,
    MAX_HEAD,
    MAX_HOSTS,
    MAX_NAMED,
    MAX_SHOWN_IMAGES,
    MEGABYTE_SECONDS,
    NAME_MEMORY,
    NAME_SECONDS,
    REQUEST_SECONDS,
    SITEMAP_SECONDS,
)

if TYPE_CHECKING:
    from multiprocessing.context import BaseContext

_KIB: Final = 1024
_BYTE_SECONDS: Final = MEGABYTE_SECONDS / (1 << 20)

_DAY: Final = 86_400
"""Seconds for git where a user takes its limit away."""

_FILES_OF_PAGE: Final = 10
_VALUES_OF_PAGE: Final = 20
_IMAGES_OF_PAGE: Final = 5
_BYTES_OF_IMAGE: Final = 300
"""What each page may have without counting for ``Things``: what honest ones have, and more."""

_USUAL_PACKING: Final = 50

NAMED: Final = Things(
    MAX_NAMED,
    "files in `sources` and `not_sources` of pages",
    f"{_FILES_OF_PAGE} for each page",
    "Name fewer, or let `rules` name them for many pages.",
)
VALUES: Final = Things(
    MAX_FRONT_MATTER_VALUES,
    "values in front matter that mentions the sitemap",
    f"{_VALUES_OF_PAGE} for each page",
    "Let `rules` say for many pages what they have in common.",
)
SHOWN: Final = Things(
    MAX_SHOWN_IMAGES,
    "images on pages",
    f"one for each {_BYTES_OF_IMAGE} bytes of a page",
    "Leave them out: set `images` to false.",
)

HOSTS: Final = Things(
    MAX_HOSTS, "hosts whose names are not ASCII", "", "A sitemap has the URLs of one host: remove the others."
)


def allow(*, names: int = 0, size: int = 0) -> None:
    """Allow what it takes to process so many names of files, and bytes of one file.

    Whoever calls this has counted each of them once.
    """
    if budget := running():
        budget.seconds += names * NAME_SECONDS + size * _BYTE_SECONDS
        budget.memory += names * _KIB + size
        budget.look()


def allow_listed(path: str) -> None:
    """Allow what it takes to list a file or folder, of which the path is kept."""
    if budget := running():
        budget.seconds += NAME_SECONDS
        budget.memory += NAME_MEMORY + (len(path) if path.isascii() else len(path.encode("utf-8", "replace")))
        budget.look()


def allow_history(objects: int, size: int) -> None:
    """Allow the time that it takes to read so many objects of a repository, of so many bytes."""
    if budget := running():
        budget.seconds += budget.histories.seconds_for(objects, size)


def count_file(status: os.stat_result, size: int = MAX_HEAD) -> None:
    """Allow what it takes to read a file; only the first MiB of it, unless ``size`` bytes were read."""
    if budget := running():
        budget.count(status, min(size, status.st_size))


def count_tags(status: os.stat_result) -> None:
    """Allow what it takes to read a page tag by tag, once for each file."""
    if budget := running():
        budget.count_tags(status)


def allow_sitemap(size: int, packed: int) -> None:
    """Allow what it takes to read the entries of a sitemap of so many bytes, of which ``packed`` were read.

    The most regular ones have some 40 times the bytes that they have in gzip, and bombs a thousand times.
    """
    if budget := running():
        size = min(size, packed * _USUAL_PACKING)
        budget.seconds += size * (SITEMAP_SECONDS / (1 << 20))
        budget.memory += size


def allow_front_matter(size: int) -> None:
    """Allow what it takes to parse the front matter of one file, of so many characters."""
    if budget := running():
        budget.seconds += size * (FRONT_MATTER_SECONDS / (1 << 20))


def count_request() -> None:
    """Allow what it takes to ask a server."""
    if budget := running():
        budget.seconds += REQUEST_SECONDS
        budget.look()


def git_seconds() -> float:
    """Return the processor seconds that git may still take, for all repositories and questions together."""
    if os.environ.get(UNLIMITED):
        return _DAY
    budget = running()
    return budget.git_seconds if budget else MAX_GIT_SECONDS


def count_git(seconds: float, commits: int) -> None:
    """Count what a git process took that has read so many commits."""
    if budget := running():
        budget.count_git(seconds, commits)


def count_repository(root: str, stored: Mapping[int, tuple[int, int]]) -> bool:
    """Count a repository, with what ``Histories.add`` says; return whether it may be asked."""
    budget = running()
    return budget is None or budget.histories.add(root, stored)


def count_pages(number: int) -> None:
    """Allow what it takes to process so many pages, once, in however many parts of a build."""
    if budget := running():
        budget.count_pages(number)


def count_tested(since: float) -> None:
    """Count that a page was tested with patterns, from a time of ``time.thread_time`` until now.

    Raises ``ExhaustedError``.
    """
    if budget := running():
        budget.count_tested(time.thread_time() - since)


def count_named(number: int) -> None:
    """Count the files that the settings of a page, or a rule, name. Raises ``ExhaustedError``."""
    if budget := running():
        budget.count_things(NAMED, number - _FILES_OF_PAGE)


def count_values(number: int) -> None:
    """Count the values in the front matter of a page. Raises ``ExhaustedError``."""
    if budget := running():
        budget.count_things(VALUES, number - _VALUES_OF_PAGE)


def count_images(number: int, size: int) -> None:
    """Count the images of a page of so many bytes. Raises ``ExhaustedError``."""
    if budget := running():
        budget.count_things(SHOWN, number - max(_IMAGES_OF_PAGE, size // _BYTES_OF_IMAGE))


def count_host() -> None:
    """Count a host whose name is not ASCII. Raises ``ExhaustedError``."""
    if budget := running():
        budget.count_things(HOSTS, 1)


def count_commits(number: int, passed: int) -> None:
    """Allow what it takes to walk through a history of so many commits, of which ``passed`` were passed.

    Once, in however many questions; only former names let the walks of a question pass them again.
    """
    if budget := running():
        budget.count_commits(number, passed)


def is_nearly_spent() -> bool:
    """Tell whether little is left of the seconds that are allowed; what is found so far can still be used."""
    budget = running()
    return budget is not None and budget.is_nearly_spent


def look() -> None:
    """Raise ``ExhaustedError`` if more was taken than is allowed, where no tick does; for long work."""
    if budget := running():
        budget.look()


def share(context: BaseContext, processes: int) -> SharedBudget | None:
    """Return what is left for some processes together; ``None`` without a limit."""
    budget = running()
    return budget.shared(context, processes) if budget else None


def add(spent: Spent) -> None:
    """Count what another process took and allowed for a part of the work. Raises ``ExhaustedError``."""
    if budget := running():
        budget.add(spent)
