"""Mark the pages of a deployed tree, file by file, or give them back as they were.

A page of an old version leads to the URL of the same page in the current version.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field
from functools import cached_property
from itertools import islice
from pathlib import Path
from typing import Final

from docs_sitemap import urls
from docs_sitemap.errors import DocsSitemapError
from docs_sitemap.files import OutputFolder
from docs_sitemap.limits import MAX_LOC, MAX_PATH
from docs_sitemap.pages.utility_pages import machine_page
from docs_sitemap.processes import spread
from docs_sitemap.readers import Resolver
from docs_sitemap.readers.html import Head
from docs_sitemap.text import shorten
from docs_sitemap.versions.marks import (
    Addresses,
    MarkResult,
    Shared,
    Tally,
    Task,
    absolute,
    mark_pages,
    page_names,
    read_head,
)
from docs_sitemap.versions.policy import CURRENT, DEVELOPMENT, KEPT, PREVIEW, RESTORED, Group, Version
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
    versions = [version for group in groups for version in group.versions]
    rows = [Row(version=version) for version in ([Version("", RESTORED)] if plan.undo else versions)]
    total = 0
    for row in rows:
        count = 0 if row.version.is_link else len(pages.below(row.version.real))
        row.pages = count if row.version.role == KEPT else 0
        total += count - row.pages
    shared = _shared(groups, plan)
    marked = Marked(rows, set(plan.moved))
    done = 0
    with nullcontext() if plan.is_dry else OutputFolder(plan.tree.root).lock() as lock:
        for folder in pages.leftovers:
            if lock:
                lock.clear(plan.tree.root / folder)
        for row, tasks in zip(rows, _plans(groups, plan, pages, marked), strict=True):
            for found in _marked(tasks, shared, plan.jobs):
                for each in found:
                    row.add(each)
                done += len(found)
                progress(done, total)
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
        targets = Targets(pages, group, plan)
        if targets.is_excluded:
            marked.closed.append(group.current.folder)
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
        elif version.role in (DEVELOPMENT, PREVIEW):
            yield Task(name, url, "", keeps=False)
        else:
            yield Task(name, url, None if stays else targets.of(path) or "")


def _marked(tasks: Iterator[Task], shared: Shared, jobs: int) -> Iterator[list[MarkResult]]:
    # not all at once, so that memory stays flat; but new processes for each part take time
    while part := [*islice(tasks, _CHUNK * max(1, jobs) * 16)]:
        chunks = [part[at : at + _CHUNK] for at in range(0, len(part), _CHUNK)]
        yield from spread(mark_pages, shared, chunks, jobs)


_MAX_REDIRECTS: Final = 10


class Pages:
    """The pages of a tree's versions: each folder is listed once, for all groups.

    A page is that of the version whose folder is next above it. ``leftovers`` are the folders with temporary
    files.
    """

    def __init__(self, root: Path, groups: Iterable[Group]) -> None:
        self._root = root
        self._own = {v.real for group in groups for v in group.versions if not v.is_link}
        self._currents = {group.current.real for group in groups}
        self._resolver = Resolver(root)
        self._names: dict[str, list[str]] = {}
        self.leftovers: set[str] = set()

    def below(self, folder: str) -> list[str]:
        """Return the pages of the version in a folder, as paths from the root."""
        if folder not in self._names:
            self._names[folder] = [*page_names(self._root, folder, self.leftovers, self._own)]
        return self._names[folder]

    @cached_property
    def _current(self) -> frozenset[str]:
        return frozenset(name for folder in self._currents for name in self.below(folder))

    def is_current(self, name: str) -> bool:
        """Tell whether a path from the root is that of a page of a current version."""
        return name in self._current

    def has(self, name: str) -> bool:
        """Tell whether the tree has a page, which may be behind a link inside the tree."""
        return self._resolver.file(name) is not None

    def head(self, name: str) -> Head:
        """Return what the head of a page says, given its path in the tree; nothing if it cannot be read."""
        try:
            return read_head(self._resolver.file(name) or "")
        except OSError:
            return Head()


class Targets:
    """The pages of a group's current version, to which old pages lead.

    ``moved`` maps old paths in a version to new ones; ``used`` gets those that led to a page. ``missing`` is
    a URL that a canonical link of the current version names, although the tree has no such page; ``excluded``
    are pages to which old ones would lead, but which are noindex. Raises ``DocsSitemapError`` if the current
    version has no page.
    """

    def __init__(self, pages: Pages, group: Group, plan: Plan) -> None:
        places, listed = plan.places, plan.tree.listed(group.current.real)
        self._pages = pages
        self._folder = f"{group.current.real}/"
        self._address = places.address(group.current.folder)
        self._base = places.address("")
        # the URLs of the current version and its aliases, and those of the other versions
        self._own = Addresses({places.address(version.folder): None for version in group.currents})
        self._others = Addresses({places.address(version.folder): None for version in group.others})
        self._moved = plan.moved
        self.used: set[str] = set()
        self.missing = ""
        self.excluded: set[str] = set()
        if not pages.below(group.current.real):
            where = shorten(group.current.real, MAX_PATH)
            raise DocsSitemapError(f"{where}: the current version has no page.")
        self._known: dict[str, str | None] = {}
        own = (loc for loc in listed if loc.startswith(self._address))
        self._listed = {name: urls.absolute("", loc) for loc in own if (name := self._name(loc))}

    @property
    def is_excluded(self) -> bool:
        """Whether the home page of the current version is noindex."""
        return self._has("index.html") and self.of("index.html") is None and bool(self.excluded)

    def of(self, name: str) -> str | None:
        """Return the absolute URL for a page, given its path in its version; ``None`` if there is none."""
        if name not in self._known:
            self._known[name] = self._find(name)
        return self._known[name]

    def _find(self, name: str) -> str | None:
        old = self._old(name)
        for wanted in (self._moved[old], name) if old else (name,):
            found = next((each for each in forms(wanted) if self._has(each)), None)
            if found:
                self.used |= {old} if old and wanted != name else set()
                return self._follow(found)
        return None

    def _old(self, name: str) -> str | None:
        """Return the old path of a page in ``moved``, in which it may be in any form."""
        ending = "/index.html" if name.endswith("/index.html") else ".html"
        stem = name.removesuffix(ending)
        ways = (name, f"{stem}.html", f"{stem}/", f"{stem}/index.html", stem)
        return next((each for each in ways if each in self._moved and name in forms(each)), None)

    def _has(self, name: str) -> bool:
        return self._pages.is_current(self._folder + name)

    def _follow(self, name: str) -> str | None:
        """Return the URL of a page, or of the one to which its redirects lead, unless it is excluded."""
        for _ in range(_MAX_REDIRECTS):
            url, target = self._step(name)
            if target is None:
                return url
            name = target
        return None

    def _step(self, name: str) -> tuple[str | None, str | None]:
        """Return the URL of a page, unless it is excluded, or the page to which its redirect leads."""
        head = self._pages.head(self._folder + name)
        if head.refresh:
            url = absolute(self.url(name), head.base, head.refresh)
            target = self._name(url)
            if target is None and self._is_published(url):
                return url, None
            return None, target
        if head.noindex:
            self.excluded.add(self._folder + name)
            return None, None
        url = self._canonical(self.url(name), head)
        return url if len(url) <= MAX_LOC else None, None

    def _canonical(self, url: str, head: Head) -> str:
        """Return the canonical URL that a page names, unless another version has it, or this one has not."""
        written = head.canonicals[0][1] if len(head.canonicals) == 1 else url
        if written == url:
            return url
        canonical = absolute(url, head.base, written) or url
        if self._others.above(canonical):
            return url
        if canonical.startswith(self._base) and not self._is_there(canonical):
            if self._own.above(canonical):
                return url
            self.missing = canonical
        return canonical

    def _is_there(self, url: str) -> bool:
        return self._name(url) is not None or self._is_published(url)

    def _is_published(self, url: str) -> bool:
        """Tell whether a URL is that of a page in the tree that is in no other version."""
        if not url.startswith(self._base) or self._others.above(url):
            return False
        path = urls.path_behind(url, self._base)
        return any(map(self._pages.has, (*forms(path), path)))

    def url(self, name: str) -> str:
        """Return the URL of a page of the current version, given its path in it, as the sitemap has it."""
        if listed := self._listed.get(name):
            return listed
        folder, slash, file = name.rpartition("/")
        path = folder + slash if file == "index.html" else name
        return urls.join_file(self._address, path) if path else self._address

    def _name(self, url: str) -> str | None:
        """Return the page of a URL in the current version, or in an alias."""
        address, _ = self._own.above(url) or ("", None)
        if not address or not url.startswith(address):
            return None
        path = urls.path_behind(url, address)
        forms = (f"{path}index.html",) if path == "" or path.endswith("/") else (path, f"{path}/index.html")
        return next((each for each in (*forms, f"{path}.html") if self._has(each)), None)


def forms(path: str) -> tuple[str, ...]:
    """Return the file of a page, and that of the same page from the builder that makes folders, or not.

    >>> forms("guide/install.html")
    ('guide/install.html', 'guide/install/index.html')
    """
    if path.endswith("/"):
        path += "index.html"
    if path.endswith("/index.html"):
        return path, path.removesuffix("/index.html") + ".html"
    return path, path.removesuffix(".html") + "/index.html"
