"""Find the versions that are side by side in a built site, and which of them is the current one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from itertools import accumulate
from typing import TYPE_CHECKING, Final

from docs_sitemap.check.page_facts import Facts
from docs_sitemap.errors import DocsSitemapError
from docs_sitemap.pages.version_names import LATEST, is_release, series
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


class Versions:
    """The versions of the documentations in a site's folder, in ``groups``.

    The current one is that which most canonical links of the others name, otherwise the latest.
    """

    def __init__(self, site: Site) -> None:
        self._site = site
        self._pages: dict[str, list[str]] = {}
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

    def pages_of(self, version: Version) -> Iterator[tuple[str, Facts]]:
        """Yield the pages of a version, with their facts; those of a link are pages of another version."""
        return ((name, self._site.pages[name]) for name in self._pages.get(version.real, ()))

    def _assign_pages(self, groups: Iterable[Group]) -> None:
        """Give each page to the version whose folder is the next one above it."""
        versions = [version for group in groups for version in group.versions]
        self._pages = {version.real: [] for version in versions if not version.is_link}
        for name in self._site.pages:
            folder = name
            while folder := folder.rpartition("/")[0]:
                if folder in self._pages:
                    self._pages[folder].append(name)
                    break

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
        deepest = max((real.count("/") for real in folders), default=0) + 1
        for real in folders:
            for canonical in filter(None, map(site.canonical_of, self._pages.get(real, ()))):
                file = (site.file_of(canonical) if site.is_own(canonical) else "") or ""
                above = accumulate(file.split("/")[:deepest], "{}/{}".format)
                other = next((each for each in above if each in folders), real)
                if other != real:
                    yield folders[other]
