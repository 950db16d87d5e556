"""The sites and versions in the folders of a tree: which of them search engines should find."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from itertools import accumulate
from typing import TYPE_CHECKING, Final

from docs_sitemap.errors import DocsSitemapError
from docs_sitemap.pages.previews import preview
from docs_sitemap.pages.version_names import LATEST, STABLE, is_release, is_version, series
from docs_sitemap.versions.marking import forms
from docs_sitemap.versions.policy import (
    CURRENT,
    PREVIEW,
    Group,
    Policy,
    Version,
    assign_pages,
    find_groups,
    with_current,
)
from docs_sitemap.versions.tree import DeployedTree

if TYPE_CHECKING:
    from docs_sitemap.check.built_site import Site

_DEEPEST: Final = 4
"""The folders of a path in which a version is looked for."""


def foreign_pages(site: Site) -> dict[str, list[tuple[str, str]]]:
    """Return the pages that name one in another language as canonical, with that, by their site's folder.

    These are half of its pages in that language or more. Fewer are as Google wants it if they are not
    translated: "the best possible substitute language" (How to specify a canonical URL).
    """
    pages = Counter[tuple[str, str]]()
    found: dict[tuple[str, str], list[tuple[str, str]]] = defaultdict(list)
    for name, facts in site.pages.items():
        if facts.language and facts.is_indexable:
            pages.update((folder, facts.language) for folder in _above(name))
            url = site.canonical_of(name)
            target = (site.file_of(url) if url and site.is_own(url) else "") or name
            if site.pages.get(target, facts).language not in ("", facts.language):
                found[_apart(name, target), facts.language].append((name, target))
    return {each[0]: found[each] for each in sorted(found) if 2 * len(found[each]) >= pages[each]}


def preview_pages(site: Site) -> dict[str, list[str]]:
    """Return the pages of previews, by folder, that the site around has too: half of a preview, or more."""
    pages: dict[str, list[str]] = defaultdict(list)

    @cache
    def is_preview(folder: str) -> bool:
        files = site.tree.files
        return bool(preview(folder[:-1], lambda name: site.tree.root / name if name in files else None))

    for name in site.pages:
        for folder in filter(is_preview, _above(name)):
            pages[folder].append(name)
    for folder, names in pages.items():
        around = [*_above(folder)[:-1], *site.versions.current_folders]
        paths = {name: forms(name.removeprefix(folder)) for name in names}
        twins = [it for it in names if any(up + form in site.pages for up in around for form in paths[it])]
        # a home page alone proves nothing: each site has one
        pages[folder] = twins if 2 * len(twins) >= max(4, len(names)) else []
    return {folder: twins for folder, twins in pages.items() if twins}


def is_apart(site: Site, folder: str) -> bool:
    """Tell whether search engines are not meant to find a folder's site, or find it elsewhere.

    Its home page or robots.txt says so, or it is a preview, or a version that is not the current one.
    """
    home = site.tree.file_at(folder) or ""
    facts = site.pages.get(home)
    if not facts or facts.noindex or facts.refresh or folder in site.previews:
        return True
    if site.robots and site.robots.blocked_agent(site.url_of(folder)):
        return True
    url = site.canonical_of(home)
    target = (site.file_of(url) or home if site.is_own(url) else "") if url else home
    is_old = any(map(is_version, {*folder.split("/")} - {LATEST, STABLE}))
    return not target.startswith(folder) or (is_old and not folder.startswith(site.versions.current_folders))


def _above(name: str) -> list[str]:
    """Return the folders of a file, the root first: ``""``, ``a/``, ``a/b/``."""
    return ["", *accumulate(f"{part}/" for part in name.split("/")[:-1])]


def _apart(name: str, other: str) -> str:
    """Return the highest folder of a file in which another one is not.

    >>> [_apart("fr/guide/a.html", "en/guide/a.html"), _apart("2.0/fr/a.html", "2.0/a.html")]
    ['fr/', '2.0/fr/']
    """
    folders = [""] if other.endswith(f"/{name}") else _above(name)
    return next((folder for folder in folders if not other.startswith(folder)), folders[-1])


class Versions:
    """The versions of the documentations in a site's folder, in ``groups``, and their ``pages`` by folder.

    The current one is that which most canonical links of the others name, otherwise the latest.
    """

    def __init__(self, site: Site) -> None:
        self._site = site
        self.pages: dict[str, list[str]] = {}
        self.groups: list[Group] = []
        folders = {part for name in site.pages for part in name.split("/")[:-1][:_DEEPEST]}
        if not any(series(folders)):
            return
        tree = DeployedTree(site.tree.root, site.base)
        try:
            groups, _ = find_groups(tree, Policy(LATEST))
            # rule A3 is about previews; the site around them may have no versions
            groups = [
                Group(group.folder, [version for version in group.versions if version.role != PREVIEW])
                for group in groups
                if group.current.role == CURRENT
            ]
            self._assign_pages(groups)
            groups = [self._with_current(tree, group) for group in groups]
        except DocsSitemapError:  # a site in the folder that has the versions
            return
        assign_pages(groups)
        self._assign_pages(groups)
        self.groups = groups

    @property
    def current_folders(self) -> tuple[str, ...]:
        """The folders of current versions, which end in ``/``."""
        return tuple(f"{group.current.real}/" for group in self.groups)

    def _assign_pages(self, groups: Iterable[Group]) -> None:
        """Give each page to the version whose folder is the next one above it; a link has none."""
        versions = [version for group in groups for version in group.versions]
        self.pages = {version.real: [] for version in versions if not version.is_link}
        for name in self._site.pages:
            folder = next((it for it in reversed(_above(name)) if it[:-1] in self.pages), None)
            if folder:
                self.pages[folder[:-1]].append(name)

    def _with_current(self, tree: DeployedTree, group: Group) -> Group:
        """Return a group with that current version which its pages tell, or as it is."""
        if self._is_new_release(group.current):
            return group
        folders: dict[str, str] = {}
        for version in sorted(group.versions, key=lambda version: version.is_link):
            folders.setdefault(version.real, version.folder)
        named = Counter(self._named_by_canonicals(folders))
        indexed = [folder for folder in folders.values() if not self._is_excluded(folder)]
        if named:
            current = max(named, key=named.__getitem__)
        elif len(indexed) == 1:
            current = indexed[0]
        else:
            return group
        return with_current(tree, group, current.rpartition("/")[2])

    def _is_excluded(self, folder: str) -> bool:
        home = self._site.pages.get(f"{folder}/index.html")
        return home is None or home.noindex

    def _is_new_release(self, version: Version) -> bool:
        """Tell whether a version is a release that does not lead to another one, whatever others name."""
        if self._is_excluded(version.real) or not is_release(version.folder.rpartition("/")[2]):
            return False
        home = f"{version.real}/index.html"
        canonical = self._site.canonical_of(home)
        return ((canonical and self._site.file_of(canonical)) or home).startswith(f"{version.real}/")

    def _named_by_canonicals(self, folders: Mapping[str, str]) -> Iterator[str]:
        """Yield the folder of the version that each canonical link to another version names."""
        site = self._site
        for real in folders:
            for canonical in filter(None, map(site.canonical_of, self.pages.get(real, ()))):
                file = (site.file_of(canonical) if site.is_own(canonical) else "") or ""
                other = next((each[:-1] for each in _above(file) if each[:-1] in folders), real)
                if other != real:
                    yield folders[other]
