"""Mark the pages of a deployed tree, file by file, or give them back as they were.

A page of an old version leads to the URL of the same page in the current version.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field
from functools import cache
from typing import Final

from docs_sitemap import urls
from docs_sitemap.errors import DocsSitemapError
from docs_sitemap.files import OutputFolder
from docs_sitemap.limits import MAX_LOC, MAX_PATH
from docs_sitemap.pages.utility_pages import machine_page
from docs_sitemap.readers.html import Head
from docs_sitemap.text import shorten
from docs_sitemap.versions.marks import (
    Addresses,
    Shared,
    Tally,
    Task,
    absolute,
    mark_pages,
    page_names,
    read_head,
)
from docs_sitemap.versions.policy import CURRENT, DEVELOPMENT, KEPT, PREVIEW, RESTORED, Group, Version
from docs_sitemap.versions.tree import DeployedTree

_SHOWN: Final = 500
"""Pages after which the progress is shown."""
Progress = Callable[[int, int], None]
"""Called with the number of pages done and the total."""


@dataclass(slots=True)
class Marked:
    """The results: a tally for each version, and the old paths of ``--map`` that led to no page.

    ``missing`` is a URL that a canonical link of a current version names, although the tree has no such page.
    ``closed`` are current versions whose home page is noindex; then old pages stay as they are. ``excluded``
    are single pages of current versions that are noindex, without search pages; then old ones are, too.
    """

    rows: list[tuple[Version, Tally]]
    unused: set[str]
    missing: str = ""
    closed: list[str] = field(default_factory=list)
    excluded: set[str] = field(default_factory=set)


@dataclass(frozen=True, slots=True)
class Plan:
    """How to mark a tree: ``moved`` maps old paths of pages to new ones."""

    tree: DeployedTree
    moved: dict[str, str]
    is_dry: bool = False


def mark_versions(groups: Sequence[Group], plan: Plan, progress: Progress) -> Marked:
    """Mark the pages of all versions; without any, remove the marks of the whole tree.

    Each file is replaced atomically, and keeps all bytes outside the one element. Raises ``OutputError`` if
    a file cannot be written: then some files are new and the others old, and the next run goes on.
    """
    root = plan.tree.root
    versions = [version for group in groups for version in group.versions] or [Version("", RESTORED)]
    own = {version.real for version in versions if not version.is_link}
    leftovers: set[str] = set()
    names = {folder: [*page_names(root, folder, leftovers, own.__contains__)] for folder in own}
    marked = Marked([], set(plan.moved))
    shared = _shared(groups, plan)
    total = sum(len(names[each.real]) for each in versions if not each.is_link and each.role != KEPT)
    done = 0
    output = OutputFolder(root)
    for folder in () if plan.is_dry else leftovers:
        output.clear(folder)
    for version, tasks in _plans(groups, plan, names, marked):
        tally = Tally(len(names[version.real]) if version.role == KEPT and not version.is_link else 0)
        marked.rows.append((version, tally))
        for each in mark_pages(shared, tasks):
            tally.add(each)
            done += 1
            if done % _SHOWN == 0 or done == total:
                progress(done, total)
    return marked


def _shared(groups: Sequence[Group], plan: Plan) -> Shared:
    address = plan.tree.address
    bases = {address(group.folder): None for group in groups}
    currents = {address(each.folder): each.real for group in groups for each in group.currents}
    others = {address(version.folder): None for group in groups for version in group.others}
    return Shared(plan.tree.root, Addresses(bases), plan.is_dry, Addresses(currents), Addresses(others))


def _plans(
    groups: Sequence[Group], plan: Plan, names: Mapping[str, list[str]], marked: Marked
) -> Iterator[tuple[Version, Iterator[Task]]]:
    """Yield the versions, and what to do with the pages of each."""
    if not groups:
        yield Version("", RESTORED), (Task(name, "", None) for name in names[""])
    current = {name for group in groups for name in names[group.current.real]}
    for group in groups:
        if group.current.role != KEPT and not names[group.current.real]:
            where = shorten(group.current.real, MAX_PATH)
            raise DocsSitemapError(f"{where}: the current version has no page.")
        targets = Targets(group, plan, current)
        if targets.is_excluded:
            marked.closed.append(group.current.folder)
        for version in group.versions:
            is_marked = not version.is_link and version.role != KEPT
            yield version, _tasks(version, names[version.real] if is_marked else (), targets, plan)
        marked.unused -= targets.used
        marked.missing = marked.missing or targets.missing
        if not targets.is_excluded:
            root = plan.tree.root
            marked.excluded |= {name for name in targets.excluded if not machine_page(root, name)}


def _tasks(version: Version, names: Iterable[str], targets: Targets, plan: Plan) -> Iterator[Task]:
    address = plan.tree.address(version.folder)
    stays = targets.is_excluded
    for name in names:
        path = name.removeprefix(f"{version.real}/")
        url = urls.join_file(address, path)
        if version.role == CURRENT:
            yield Task(name, url, targets.url(path), is_current=True)
        elif version.role in (DEVELOPMENT, PREVIEW):
            yield Task(name, url, "", keeps=False)
        else:
            yield Task(name, url, None if stays else targets.of(path) or "")


_MAX_REDIRECTS: Final = 10


class Targets:
    """The pages of a group's current version, to which old pages lead.

    ``current`` are the pages of all current versions, as paths from the root. ``used`` gets the old paths of
    ``moved`` that led to a page. ``missing`` is a URL that a canonical link of the current version names,
    although the tree has no such page; ``excluded`` are pages to which old ones would lead, but which are
    noindex.
    """

    def __init__(self, group: Group, plan: Plan, current: Set[str]) -> None:
        address = plan.tree.address
        self._tree = plan.tree
        self._pages = current
        self._folder = f"{group.current.real}/"
        self._address = address(group.current.folder)
        self._base = address("")
        # the URLs of the current version and its aliases, and those of the other versions
        self._own = Addresses({address(version.folder): None for version in group.currents})
        self._others = Addresses({address(version.folder): None for version in group.others})
        self._moved = plan.moved
        moved = [(old, *forms(old)) for old in plan.moved]
        self._old = {other: old for old, _, other in moved} | {file: old for old, file, _ in moved}
        self.used: set[str] = set()
        self.missing = ""
        self.excluded: set[str] = set()
        self.of = cache(self._find)
        own = (loc for loc in plan.tree.listed(group.current.real) if loc.startswith(self._address))
        self._listed = {name: urls.absolute("", loc) for loc in own if (name := self._name(loc))}

    @property
    def is_excluded(self) -> bool:
        """Whether the home page of the current version is noindex."""
        return self._has("index.html") and self.of("index.html") is None and bool(self.excluded)

    def _find(self, name: str) -> str | None:
        """Return the absolute URL for a page, given its path in its version; ``None`` if there is none."""
        old = self._old.get(name)
        for wanted in (self._moved[old], name) if old else (name,):
            found = next(filter(self._has, forms(wanted)), None)
            if found:
                self.used |= {old} if old and wanted != name else set()
                return self._follow(found)
        return None

    def _has(self, name: str) -> bool:
        return self._folder + name in self._pages

    def _follow(self, name: str) -> str | None:
        """Return the URL of a page, or of the one to which its redirects lead, unless it is excluded."""
        for _ in range(_MAX_REDIRECTS):
            url, head = self.url(name), self._head(name)
            if head.noindex and not head.refresh:
                self.excluded.add(self._folder + name)
                return None
            if not head.refresh:
                url = self._canonical(url, head)
                return url if len(url) <= MAX_LOC else None
            url = absolute(url, head.base, head.refresh)
            target = self._name(url)
            if target is None:
                return url if self._is_published(url) else None
            name = target
        return None

    def _head(self, name: str) -> Head:
        try:
            return read_head(self._tree.file(self._folder + name))
        except OSError:
            return Head()

    def _canonical(self, url: str, head: Head) -> str:
        """Return the canonical URL that a page names, unless another version has it, or this one has not."""
        written = head.canonicals[0][1] if len(head.canonicals) == 1 else url
        if written == url:
            return url
        canonical = absolute(url, head.base, written) or url
        if self._others.above(canonical):
            return url
        is_there = self._name(canonical) is not None or self._is_published(canonical)
        if canonical.startswith(self._base) and not is_there:
            if self._own.above(canonical):
                return url
            self.missing = canonical
        return canonical

    def _is_published(self, url: str) -> bool:
        """Tell whether a URL is that of a page in the tree that is in no other version."""
        if not url.startswith(self._base) or self._others.above(url):
            return False
        path = urls.path_behind(url, self._base)
        return any(map(self._tree.has_file, (*forms(path), path)))

    def url(self, name: str) -> str:
        """Return the URL of a page of the current version, given its path in it, as the sitemap has it."""
        if listed := self._listed.get(name):
            return listed
        folder, slash, file = name.rpartition("/")
        return urls.join_file(self._address, folder + slash if file == "index.html" else name)

    def _name(self, url: str) -> str | None:
        """Return the page of a URL in the current version, or in an alias."""
        address, _ = self._own.above(url) or ("", None)
        if not address or not url.startswith(address):
            return None
        path = urls.path_behind(url, address)
        names = (f"{path}index.html",) if path == "" or path.endswith("/") else (path, f"{path}/index.html")
        return next(filter(self._has, (*names, f"{path}.html")), None)


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
