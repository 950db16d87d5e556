"""Read all pages of a site, with several processes if there are many."""

from __future__ import annotations

import multiprocessing
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final
from urllib.parse import quote

from docs_sitemap.check.head import Facts, scan
from docs_sitemap.check.links import Links
from docs_sitemap.check.tree import url_path
from docs_sitemap.limits import MAX_LINKING_PAGE
from docs_sitemap.pages import machine_page
from docs_sitemap.untrusted import open_plain
from docs_sitemap.untrusted.html import read_to_end_of_head

Progress = Callable[[int, int], None]
"""Called with the number of pages read and the total."""

_SAFE_PATH: Final = "PYTHONSAFEPATH"
_CHUNK: Final = 500
_FEW: Final = 1_000
"""Up to this number of pages, one process is faster than starting more."""


@dataclass(frozen=True, slots=True)
class Task:
    """The parameters of each process; ``bases`` are the site's base URLs, the most likely first."""

    root: Path
    bases: tuple[str, ...]
    with_links: bool


@dataclass(slots=True)
class Pages:
    """``facts`` by file name, and the URL paths that pages link to, ignoring a page's links to itself."""

    facts: dict[str, Facts] = field(default_factory=dict)
    linked: set[str] = field(default_factory=set)


def read_pages(
    names: Sequence[str], task: Task, *, jobs: int, progress: Progress = lambda done, of: None
) -> Pages:
    """Read pages, sorted by name. Unreadable pages have no facts."""
    pages = Pages()
    with _safe_path():
        for facts, linked in _read(names, task, jobs):
            pages.facts.update(facts)
            pages.linked.update(linked)
            progress(len(pages.facts), len(names))
    return pages


_Part = tuple[dict[str, Facts], list[str]]


def _read(names: Sequence[str], task: Task, jobs: int) -> Iterator[_Part]:
    chunks = [names[at : at + _CHUNK] for at in range(0, len(names), _CHUNK)]
    pool = _pool(min(jobs, len(chunks)), task) if jobs > 1 and len(names) > _FEW else None
    if pool is None:
        yield from map(_Reader(task).read, chunks)
    else:
        with pool:
            yield from pool.map(_read_chunk, chunks)


@contextmanager
def _safe_path() -> Iterator[None]:
    """Prevent new processes from importing from the working folder, which may be an untrusted checkout.

    A spawned process starts with ``python -c``, which would do so (Python, ``PYTHONSAFEPATH``).
    """
    before = os.environ.get(_SAFE_PATH)
    os.environ[_SAFE_PATH] = "1"
    try:
        yield
    finally:
        del os.environ[_SAFE_PATH]
        if before is not None:
            os.environ[_SAFE_PATH] = before


def _pool(jobs: int, task: Task) -> ProcessPoolExecutor | None:
    """Return a process pool, or ``None`` if the system has no semaphores."""
    # fork starts fastest; on macOS it is not safe, on Windows not available
    context = multiprocessing.get_context("fork" if sys.platform == "linux" else "spawn")
    try:
        return ProcessPoolExecutor(jobs, context, _start, (task,))
    except (OSError, ImportError):
        return None


class _Reader:
    def __init__(self, task: Task) -> None:
        self._task = task
        self._links = Links(task.bases)

    def read(self, names: Sequence[str]) -> _Part:
        facts: dict[str, Facts] = {}
        linked: list[str] = []
        for name in names:
            try:
                data = self._content(os.path.join(self._task.root, name))
            except OSError:
                continue
            page = scan(data, self._expected(name))
            kind = machine_page(self._task.root, name)
            facts[name] = page.facts._replace(utility=kind) if kind else page.facts
            if self._task.with_links:
                linked += self._links.new(data[page.end :], name, page.base)
        return facts, linked

    def _content(self, path: str) -> bytes:
        with open_plain(path) as stream:
            if self._task.with_links:
                # not just the limit: read() would allocate that much memory for each page
                return stream.read(min(MAX_LINKING_PAGE, os.fstat(stream.fileno()).st_size))
            return read_to_end_of_head(stream.read)

    def _expected(self, name: str) -> str | None:
        return (
            self._task.bases[0] + quote(url_path(name), errors="surrogateescape")
            if self._task.bases
            else None
        )


_reader: _Reader | None = None


def _start(task: Task) -> None:
    global _reader  # noqa: PLW0603 - state of a pool process, kept from chunk to chunk
    _reader = _Reader(task)


def _read_chunk(names: Sequence[str]) -> _Part:
    return _reader.read(names) if _reader else ({}, [])
