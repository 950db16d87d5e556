"""The data of one built site for the rules: read once, never changed by a rule."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from typing import Final, NamedTuple
from urllib.parse import urlsplit

from docs_sitemap.changes import Dates
from docs_sitemap.check import address
from docs_sitemap.check.discovery import Sitemaps, Tree, url_path
from docs_sitemap.check.findings import Found, Level
from docs_sitemap.check.pages import Facts
from docs_sitemap.check.served import RobotsText
from docs_sitemap.errors import DocsSitemapError
from docs_sitemap.files import named_by_us
from docs_sitemap.pages import Hosting
from docs_sitemap.pages.version_names import LATEST, is_release, is_version
from docs_sitemap.sitemaps import Document, Entry
from docs_sitemap.versions.policy import Group, Policy, Version, assign_pages, find_groups, with_current
from docs_sitemap.versions.tree import DeployedTree, Places

_DEEPEST: Final = 4
"""The folders of a path in which a version is looked for."""

_Versions = Mapping[str, Sequence[str]]
"""The names of pages by the real folders of their versions."""


class Listed(NamedTuple):
    """A URL in a sitemap, as written.

    ``origin`` is empty if it is not an absolute http(s) URL. ``is_below`` tells whether it is below the
    site's base URL, on any host; ``file`` is its file in the site's folder, if there is one, and ``facts``
    are what that declares.
    """

    loc: str
    entry: Entry
    document: Document
    origin: str
    is_below: bool
    file: str | None
    facts: Facts | None

    def in_sitemap(self, message: str, level: Level | None = None, *, cause: Hashable = None) -> Found:
        """Return a finding about the URL, at its line in the sitemap."""
        return Found(message, self.loc, self.document.name, level, self.entry.line, cause)

    def on_page(self, message: str, level: Level | None = None, *, cause: Hashable = None) -> Found:
        """Return a finding about the URL, on its page."""
        return Found(message, self.loc, self.file, level, cause=cause)


@dataclass(frozen=True)
class Site:
    """A built site.

    ``base`` is its base URL, ending in ``/``, or empty if it is unknown; ``listed_base`` is the base URL of
    the URLs in its sitemaps, which should be the same. ``shallow`` is true if it was built in a shallow
    clone, ``None`` if it is not in a repository. ``previous`` has the dates of an older sitemap by URL,
    ``asked`` the ids of rules that were chosen by name. ``pages`` has the facts of pages, sorted by name, and
    ``linked_files`` the files that other pages link to. ``hosting`` is the hosting service.
    """

    tree: Tree
    base: str
    listed_base: str
    sitemaps: Sitemaps
    robots: RobotsText | None
    now: float
    shallow: bool | None
    previous: Dates
    pages: Mapping[str, Facts]
    linked_files: set[str]
    asked: frozenset[str]
    hosting: Hosting

    @cached_property
    def _bases(self) -> list[address.Address]:
        return [found for base in (self.listed_base, self.base) if (found := address.split(base))]

    def _place(self, url: str) -> tuple[str, str | None]:
        """Return a URL's origin, or an empty string, and its path as ``below`` does."""
        parts = address.split(url)
        if not parts:
            return "", None
        for base in sorted(self._bases, key=lambda base: base.origin != parts.origin):
            if parts.path.startswith(base.path):
                return parts.origin, parts.path.removeprefix(base.path)
        return parts.origin, None

    def file_of(self, url: str) -> str | None:
        """Return the file of a URL, or ``None`` if the site has none for it."""
        rest = self.below(url)
        return None if rest is None else self.tree.file_at(rest)

    def below(self, url: str) -> str | None:
        """Return a URL's path relative to the site's, on any host; ``None`` if it is outside."""
        return self._place(url)[1]

    def is_own(self, url: str) -> bool:
        """Tell whether a URL is on the site's own host, with http or https, as far as that is known."""
        parts = address.split(url)
        host = self.origin.partition("://")[2]
        return not host or (parts is not None and parts.origin.partition("://")[2] == host)

    @cached_property
    def origin(self) -> str:
        """The site's origin, empty if it is unknown."""
        found = address.split(self.base)
        return found.origin if found else ""

    @property
    def at_root(self) -> bool:
        """Tell whether the site is served from the root of its host, as far as is known."""
        return urlsplit(self.base).path in ("", "/")

    @cached_property
    def groups(self) -> list[Group]:
        """The versions of documentations that are side by side in the folder.

        The current one is that which most canonical links of the others name, otherwise the latest.
        """
        folders = {part for name in self.pages for part in name.split("/")[:-1][:_DEEPEST]}
        if not any(map(is_version, folders)):
            return []
        tree = DeployedTree(self.tree.root, Places(self.base, {}))
        try:
            found = find_groups(tree, Policy(LATEST))
            pages = self._by_version(found)
            found = [self._with_current(tree, group, pages) for group in found]
        except DocsSitemapError:  # a site in the folder that has the versions
            return []
        assign_pages(found)
        return found

    def _with_current(self, tree: DeployedTree, group: Group, pages: _Versions) -> Group:
        names: dict[str, str] = {}
        for version in sorted(group.versions, key=lambda version: version.is_link):
            names.setdefault(version.real, version.folder)
        if self._is_new(group.current):
            return group
        named = Counter(self._named_versions(names, pages))
        if named:
            name = max(named, key=named.__getitem__).rpartition("/")[2]
        elif len(indexed := [name for name in names.values() if not self._is_excluded(name)]) == 1:
            name = indexed[0].rpartition("/")[2]
        else:
            return group
        return with_current(tree, group, name)

    def _is_excluded(self, folder: str) -> bool:
        facts = self.pages.get(f"{folder}/index.html")
        return facts is None or facts.noindex

    def _is_new(self, version: Version) -> bool:
        """Tell whether a version is a release that does not lead to another one, whatever others name."""
        home = f"{version.real}/index.html"
        facts = self.pages.get(home)
        if facts is None or facts.noindex or not is_release(version.folder.rpartition("/")[2]):
            return False
        canonical = self.canonical_of(home)
        return ((canonical and self.file_of(canonical)) or home).startswith(f"{version.real}/")

    def _named_versions(self, names: Mapping[str, str], pages: _Versions) -> Iterator[str]:
        """Yield the version that each canonical link to another version names."""
        deepest = max((name.count("/") for name in names), default=0) + 1
        for real in names:
            for canonical in filter(None, map(self.canonical_of, pages.get(real, ()))):
                file = (self.file_of(canonical) if self.is_own(canonical) else "") or ""
                above = accumulate(file.split("/")[:deepest], "{}/{}".format)
                other = next((each for each in above if each in names), real)
                if other != real:
                    yield names[other]

    def pages_of(self, version: Version) -> Iterator[tuple[str, Facts]]:
        """Yield the pages of a version, with their facts; those of a link are pages of another version."""
        return ((name, self.pages[name]) for name in self._version_pages.get(version.real, ()))

    @cached_property
    def _version_pages(self) -> _Versions:
        return self._by_version(self.groups)

    def _by_version(self, groups: Iterable[Group]) -> _Versions:
        """Return the pages of each version's folder: a page is that of the next one above it."""
        found: dict[str, list[str]] = {
            version.real: [] for group in groups for version in group.versions if not version.is_link
        }
        for name in self.pages:
            folder = name
            while folder := folder.rpartition("/")[0]:
                if folder in found:
                    found[folder].append(name)
                    break
        return found

    @cached_property
    def hidden_from(self) -> str:
        """The crawler that is kept out of a whole version, by a robots.txt for all versions; or empty."""
        is_for_all = bool(self.hosting.own_robots and self.robots and not self.at_root)
        return (self.robots.blocked_agent(self.base) or "") if is_for_all and self.robots else ""

    @cached_property
    def listed(self) -> list[Listed]:
        """The URLs of all sitemaps except feeds, in order."""
        found = []
        for document in self.sitemaps.all:
            if document.kind in ("urlset", "text"):
                for entry in document.entries:
                    loc = entry.loc
                    origin, rest = self._place(loc)
                    file = None if rest is None else self.tree.file_at(rest)
                    facts = self.pages.get(file) if file else None
                    found.append(Listed(loc, entry, document, origin, rest is not None, file, facts))
        return found

    @cached_property
    def signed(self) -> bool:
        """Tell whether docs-sitemap wrote the sitemaps, so that anything missing was left out on purpose."""
        checked = [document for document in self.sitemaps.all if document.kind in ("urlset", "index")]
        if checked:
            return all(document.signed for document in checked)
        # text sitemaps have no signature, so look at the line in robots.txt
        return self.robots is not None and bool(named_by_us(self.robots.data))

    @cached_property
    def listed_files(self) -> set[str]:
        """The files that the sitemaps list, including unreferenced sitemaps in subfolders."""
        found = {listed.file for listed in self.listed if listed.file}
        for document in self.sitemaps.unreferenced:
            for entry in document.entries:
                if file := self.file_of(entry.loc):
                    found.add(file)
        return found

    @property
    def is_read(self) -> bool:
        """Tell whether all sitemaps were read to their end."""
        return bool(self.listed) and all(
            document.whole and all(problem.rule != "F2" for problem in document.problems)
            for document in self.sitemaps.all
        )

    def url_of(self, name: str) -> str:
        """Return the URL of a page, given its file."""
        return (self.listed_base or self.base) + address.escape(url_path(name))

    def canonical_of(self, name: str) -> str:
        """Return the canonical URL of a page, given its file; empty if it has no canonical link."""
        canonical = self.pages[name].canonical
        return address.join(self.url_of(name), canonical) if canonical else ""
