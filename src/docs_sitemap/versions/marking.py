"""Mark the pages of a deployed tree, file by file, or give them back as they were."""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import islice
from pathlib import Path
from typing import Final, NamedTuple

from docs_sitemap import urls
from docs_sitemap.files import OutputFolder
from docs_sitemap.index import Places, Tree
from docs_sitemap.limits import MAX_EDITED, MAX_HEAD
from docs_sitemap.processes import spread
from docs_sitemap.untrusted import read_plain, read_start
from docs_sitemap.versions import marks
from docs_sitemap.versions.policy import CURRENT, DEVELOPMENT, KEPT, Group, Version
from docs_sitemap.versions.targets import HEAD, Pages, Targets

CANONICAL: Final = "canonical"
NOINDEX: Final = "noindex"
UNCHANGED: Final = ""

_CHUNK: Final = 500
_PLAIN: Final = re.compile(
    r"https?://[a-z0-9.-]+/(?:[A-Za-z0-9_-][A-Za-z0-9_.-]*/)*(?:[A-Za-z0-9_-][A-Za-z0-9_.-]*)?"
)
"""A URL that is as it would be resolved: most canonical links are."""

_HEAD_ENDS: Final = re.compile(rb"</head|<body", re.IGNORECASE)

Progress = Callable[[int, int], None]
"""Called with the number of pages done and the total."""


class Task(NamedTuple):
    """A page and what it should say: ``target`` is the URL of a canonical link; empty means noindex.

    ``None`` means that it should have no mark. ``url`` is the page's own URL.
    """

    name: str
    url: str
    target: str | None


class Done(NamedTuple):
    """What became of a page: ``CANONICAL``, ``NOINDEX``, or why it has no mark; and whether it changed."""

    name: str
    result: str
    is_changed: bool


@dataclass(slots=True)
class Row:
    """The result for one version; ``untouched`` counts pages by why they have no mark, with an example."""

    version: Version
    pages: int = 0
    changed: int = 0
    canonical: int = 0
    noindex: int = 0
    untouched: Counter[str] = field(default_factory=Counter)
    examples: dict[str, str] = field(default_factory=dict)

    def add(self, done: Done) -> None:
        """Count one page."""
        self.pages += 1
        self.changed += done.is_changed
        if done.result == CANONICAL:
            self.canonical += 1
        elif done.result == NOINDEX:
            self.noindex += 1
        elif done.result:
            self.untouched[done.result] += 1
            self.examples.setdefault(done.result, done.name)


@dataclass(frozen=True, slots=True)
class Shared:
    """What each process needs: the tree's root, its base URLs, and whether to write."""

    root: Path
    bases: frozenset[str]
    is_dry: bool


@dataclass(frozen=True, slots=True)
class Plan:
    """How to mark a tree: ``moved`` maps old paths of pages to new ones; ``undo`` removes all marks."""

    tree: Tree
    places: Places
    moved: dict[str, str]
    undo: bool = False
    is_dry: bool = False
    jobs: int = 1


def mark_versions(groups: Sequence[Group], plan: Plan, progress: Progress) -> list[Row]:
    """Mark the pages of all versions, or remove the marks; return a row for each version.

    Each file is replaced atomically, and keeps all bytes outside the one element. Raises ``OutputError`` if
    a file cannot be written: then some files are new and the others old, and the next run goes on.
    """
    bases = frozenset(plan.places.address(group.folder) for group in groups)
    shared = Shared(plan.tree.root, bases, plan.is_dry)
    folders = [version.folder for group in groups for version in group.versions if not version.is_link]
    pages = Pages(plan.tree.root)
    total = sum(map(pages.count, folders))
    output = OutputFolder(plan.tree.root)
    lock = None if plan.is_dry else output.lock()  # an error releases it too, with the object
    for folder in pages.leftovers if lock else ():
        output.clear(folder, is_alone=lock is not None and lock.is_held)
    done = 0
    rows = []
    for group in groups:
        current = group.current
        address = plan.places.address(current.folder)
        targets = None if plan.undo else Targets(pages, current.real, address, plan.moved)
        for version in group.versions:
            row = Row(version)
            rows.append(row)
            if version.is_link:
                continue
            for found in _marked(
                _tasks(version, pages.below(version.folder), targets, plan), shared, plan.jobs
            ):
                for each in found:
                    row.add(each)
                done += len(found)
                progress(done, total)
    if lock:
        lock.release()
    return rows


def _tasks(version: Version, names: Iterable[str], targets: Targets | None, plan: Plan) -> Iterator[Task]:
    address = plan.places.address(version.folder)
    for name in names:
        path = name.removeprefix(f"{version.folder}/")
        if targets is None or version.role in (CURRENT, KEPT):
            target = None
        elif version.role == DEVELOPMENT:
            target = ""
        else:
            target = targets.of(path) or ""
        yield Task(name, urls.join_file(address, path), target)


def _marked(tasks: Iterator[Task], shared: Shared, jobs: int) -> Iterator[list[Done]]:
    # not all at once, so that memory stays flat; but new processes for each part take time
    while part := list(islice(tasks, _CHUNK * max(1, jobs) * 16)):
        chunks = [part[at : at + _CHUNK] for at in range(0, len(part), _CHUNK)]
        yield from spread(mark_pages, shared, chunks, jobs)


def mark_pages(shared: Shared, tasks: Sequence[Task]) -> list[Done]:
    """Mark some pages. Raises ``OutputError``."""
    output = OutputFolder(shared.root)
    return [_mark(output, shared, task) for task in tasks]


def _mark(output: OutputFolder, shared: Shared, task: Task) -> Done:
    path = os.path.join(shared.root, task.name)  # a regular file, not behind a link
    try:
        data = read_start(path, HEAD)
        if _is_done(data, task.target):
            return Done(task.name, _result(task.target), False)
        if len(data) == HEAD and not _HEAD_ENDS.search(data):
            data = read_start(path, MAX_HEAD)
        # an edit within the start holds for the whole
        start, result = edited(data, task, shared.bases, is_whole=len(data) < HEAD)
        if start == data:
            return Done(task.name, result, False)
        whole = data if len(data) < HEAD else read_plain(path, MAX_EDITED)
    except OSError as problem:
        return Done(task.name, f"cannot be read: {problem.strerror}", False)
    if not shared.is_dry:
        output.replace(task.name, start + whole[len(data) :])
    return Done(task.name, result, True)


def _result(target: str | None) -> str:
    return UNCHANGED if target is None else CANONICAL if target else NOINDEX


def _is_done(data: bytes, target: str | None) -> bool:
    """Tell quickly whether a page says what it should; if not sure, it is false."""
    end = _HEAD_ENDS.search(data)
    if end is None:
        return False
    if target is None:
        return not marks.has_mark(data[: end.start()])
    element = marks.canonical(target) if target else marks.noindex()
    return data.count(element.partition(b'""')[0], 0, end.start()) == 1


def edited(data: bytes, task: Task, bases: frozenset[str], *, is_whole: bool) -> tuple[bytes, str]:
    """Return the start of a page as it should be, and the result; the data are at least its head."""
    if marks.is_unsupported(data):
        return data, "its encoding is UTF-16"
    data, head = marks.unmarked(data, is_whole=is_whole)
    return (data, UNCHANGED) if task.target is None else _with_mark(data, head, task, bases)


def _with_mark(data: bytes, head: marks.Head, task: Task, bases: frozenset[str]) -> tuple[bytes, str]:
    if why := _why_not(head, task, bases):
        return data, why
    if not task.target and head.noindex:
        return data, NOINDEX
    place = head.canonicals[0][0] if head.canonicals else None
    if task.target and place and _leads_to(head.canonicals[0][1], task):
        return data, CANONICAL
    was = data[place.start : place.end] if place else b""
    element = marks.canonical(task.target, was) if task.target else marks.noindex(was)
    new = marks.put(data, element, head.end if place is None else place)
    if not marks.is_inverse(new, data):
        return data, "it has no head"
    return new, _result(task.target)


def _leads_to(written: str, task: Task) -> bool:
    is_plain = _PLAIN.fullmatch(written)
    return (written if is_plain else urls.absolute(task.url, written)) == task.target


def _is_below(url: str, bases: frozenset[str]) -> bool:
    """Tell whether a URL is below one of many, which end in ``/``."""
    places = (match.end() for match in re.finditer("/", url[: _longest(bases)]))
    return any(url[:end] in bases for end in places)


@lru_cache(maxsize=1)
def _longest(bases: frozenset[str]) -> int:
    return max(map(len, bases), default=0)


def _why_not(head: marks.Head, task: Task, bases: frozenset[str]) -> str:
    """Return why a page stays as it is, or an empty string."""
    if head.refresh:
        return "it is a redirect"
    if head.end < 0:
        return "it has no head"
    if len(head.canonicals) > 1:
        return "it has several canonical links"
    if task.target and head.noindex:
        return "it is already noindex"
    if head.canonicals:
        written = head.canonicals[0][1]
        own = written if _PLAIN.fullmatch(written) else urls.absolute(task.url, written) or ""
        if not _is_below(own, bases):
            return "its canonical link leads to another site"
    return ""
