"""Mark the pages of a deployed tree, file by file, or give them back as they were."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Final

from docs_sitemap import urls
from docs_sitemap.files import OutputFolder
from docs_sitemap.index import Places, Tree
from docs_sitemap.marks import Done, Shared, Tally, Task, mark_pages
from docs_sitemap.processes import spread
from docs_sitemap.versions.policy import CURRENT, DEVELOPMENT, KEPT, Group, Version
from docs_sitemap.versions.targets import Pages, Targets

_CHUNK: Final = 500
Progress = Callable[[int, int], None]
"""Called with the number of pages done and the total."""


@dataclass(slots=True)
class Row(Tally):
    """The result for one version."""

    version: Version = field(kw_only=True)


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
            row = Row(version=version)
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
