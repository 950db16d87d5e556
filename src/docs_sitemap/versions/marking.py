"""Mark the pages of a deployed tree, file by file, or give them back as they were."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Final

from docs_sitemap import urls
from docs_sitemap.files import OutputFolder
from docs_sitemap.pages import machine_page
from docs_sitemap.processes import spread
from docs_sitemap.versions.marks import Addresses, Done, Shared, Tally, Task, mark_pages
from docs_sitemap.versions.policy import CURRENT, DEVELOPMENT, KEPT, RESTORED, Group, Version
from docs_sitemap.versions.targets import Pages, Place, Targets
from docs_sitemap.versions.tree import DeployedTree, Places

_CHUNK: Final = 500
"""Pages that a process marks at once."""
Progress = Callable[[int, int], None]
"""Called with the number of pages done and the total."""


@dataclass(slots=True)
class Row(Tally):
    """The result for one version."""

    version: Version = field(kw_only=True)


@dataclass(slots=True)
class Marked:
    """The results: a row for each version, and the old paths of ``--map`` that led to no page.

    ``missing`` is a URL that a canonical link of a current version names, although the tree has no such page.
    ``closed`` are current versions whose home page is noindex; then old pages stay as they are. ``excluded``
    are single pages of current versions that are noindex, without search pages; then old ones are, too.
    """

    rows: list[Row]
    unused: set[str]
    missing: str = ""
    closed: list[str] = field(default_factory=list)
    excluded: set[str] = field(default_factory=set)


@dataclass(frozen=True, slots=True)
class Plan:
    """How to mark a tree: ``moved`` maps old paths of pages to new ones; ``undo`` removes all marks."""

    tree: DeployedTree
    places: Places
    moved: dict[str, str]
    undo: bool = False
    is_dry: bool = False
    jobs: int = 1


def mark_versions(groups: Sequence[Group], plan: Plan, progress: Progress) -> Marked:
    """Mark the pages of all versions, or remove the marks of the whole tree.

    Each file is replaced atomically, and keeps all bytes outside the one element. Raises ``OutputError`` if
    a file cannot be written: then some files are new and the others old, and the next run goes on.
    """
    pages = Pages(plan.tree.root, groups)
    rows = [Row(version=version) for group in groups for version in group.versions]
    if plan.undo:
        rows = [Row(version=Version("", RESTORED))]
    total = 0
    for row in rows:
        count = 0 if row.version.is_link else len(pages.below(row.version.real))
        row.pages = count if row.version.role == KEPT else 0
        total += count - row.pages
    output = OutputFolder(plan.tree.root)
    lock = None if plan.is_dry else output.lock()  # an error releases it too, with the object
    for folder in pages.leftovers if lock else ():
        output.clear(folder, is_alone=lock is not None and lock.is_held)
    shared = _shared(groups, plan)
    marked = Marked(rows, set(plan.moved))
    done = 0
    for row, tasks in zip(rows, _plans(groups, plan, pages, marked), strict=True):
        for found in _marked(tasks, shared, plan.jobs):
            for each in found:
                row.add(each)
            done += len(found)
            progress(done, total)
    if lock:
        lock.release()
    return marked


def _shared(groups: Sequence[Group], plan: Plan) -> Shared:
    address = plan.places.address
    bases = {address(group.folder): None for group in groups}
    currents = {address(each.folder): each.real for group in groups for each in group.currents}
    others = {address(version.folder): None for group in groups for version in group.others}
    return Shared(plan.tree.root, Addresses(bases), plan.is_dry, Addresses(currents), Addresses(others))


def _plans(groups: Sequence[Group], plan: Plan, pages: Pages, marked: Marked) -> Iterator[Iterator[Task]]:
    """Yield what to do with the pages of each version."""
    if plan.undo:
        yield (Task(name, "", None) for name in pages.below(""))
        return
    for group in groups:
        current = group.current
        address = plan.places.address
        own = Addresses({address(version.folder): None for version in group.currents})
        others = Addresses({address(version.folder): None for version in group.others})
        place = Place(address(current.folder), address(""), own, others)
        targets = Targets(pages, current.real, place, plan.moved)
        if targets.is_excluded:
            marked.closed.append(current.folder)
        for version in group.versions:
            yield iter(()) if version.is_link else _tasks(version, pages.below(version.real), targets, plan)
        marked.unused -= targets.used
        marked.missing = marked.missing or targets.missing
        if not targets.is_excluded:
            root = plan.tree.root
            marked.excluded |= {name for name in targets.excluded if not machine_page(root, name)}


def _tasks(version: Version, names: Iterable[str], targets: Targets, plan: Plan) -> Iterator[Task]:
    address = plan.places.address(version.folder)
    start = len(version.real) + 1 if version.real else 0
    stays = targets.is_excluded
    for name in names if version.role != KEPT else ():
        path = name[start:]
        url = urls.join_file(address, path)
        if version.role == CURRENT:
            yield Task(name, url, targets.url(path), is_current=True)
        elif version.role == DEVELOPMENT:
            yield Task(name, url, "", keeps=False)
        else:
            yield Task(name, url, None if stays else targets.of(path) or "")


def _marked(tasks: Iterator[Task], shared: Shared, jobs: int) -> Iterator[list[Done]]:
    # not all at once, so that memory stays flat; but new processes for each part take time
    while part := [*islice(tasks, _CHUNK * max(1, jobs) * 16)]:
        chunks = [part[at : at + _CHUNK] for at in range(0, len(part), _CHUNK)]
        yield from spread(mark_pages, shared, chunks, jobs)
