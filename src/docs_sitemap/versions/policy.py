"""Which versions of a deployed tree are current, old or in development, and what their pages should say.

An old version's page names the current one's in a canonical link, "a strong signal that the specified
URL should become canonical" (Google, "How to specify a canonical URL"). Where the current version has no
such page, none takes its place: it is excluded (Google, "Block Search indexing with noindex"). Never both:
Google advises against noindex as a means to choose the canonical page. And never ``Disallow`` for these
pages: a crawler that must not fetch a page sees neither.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from typing import Final
from urllib.parse import unquote

from docs_sitemap.errors import DocsSitemapError
from docs_sitemap.limits import MAX_PATH
from docs_sitemap.pages.version_names import LATEST, STABLE, is_development, is_version
from docs_sitemap.text import shorten
from docs_sitemap.versions.builds import is_marked
from docs_sitemap.versions.reading import read_siblings
from docs_sitemap.versions.tree import DeployedTree, below, choose

CURRENT: Final = "current"
ALIAS: Final = "alias"
OLD: Final = "old"
DEVELOPMENT: Final = "development"
PREVIEW: Final = "preview"
KEPT: Final = "kept"
RESTORED: Final = "restored"

_DEEPEST: Final = 3
"""Folders above the versions, as for languages and projects."""


@dataclass(frozen=True, slots=True)
class Policy:
    """The user's choice: ``current`` is ``latest``, ``stable`` or a name; the others are name patterns.

    Without a choice, ``current`` is ``latest``, but not below a folder that is a site itself. ``versions``
    are names of folders that the user calls versions.
    """

    current: str = ""
    development: tuple[str, ...] | None = None
    keep: tuple[str, ...] = ()
    versions: tuple[str, ...] = ()


@dataclass(slots=True)
class Version:
    """A version: ``folder`` is its path below the root; ``real`` that of the folder to which a link leads.

    ``is_link`` tells whether it is a link to another version, or into the current one: its pages count there.
    ``why`` says how it is known.
    """

    folder: str
    role: str
    why: str = field(compare=False, default="", kw_only=True)
    real: str = field(compare=False, default="")
    is_link: bool = field(compare=False, default=False)


@dataclass(slots=True)
class Group:
    """The versions of one site, side by side in one folder: the current one first."""

    folder: str
    versions: list[Version]

    @property
    def current(self) -> Version:
        """The version that search engines should show."""
        return self.versions[0]

    @property
    def currents(self) -> list[Version]:
        """The current version, and links to its folder."""
        return [version for version in self.versions if version.real == self.current.real]

    @property
    def others(self) -> list[Version]:
        """The versions with other pages than the current one."""
        return [version for version in self.versions if version.real != self.current.real]


def find_groups(tree: DeployedTree, policy: Policy, left: dict[str, list[str]] | None = None) -> list[Group]:
    """Return the sites of a tree that have several versions, also below folders of languages or projects.

    A version that no ``versions.json`` names must be a whole site. ``left`` gets the versions of other
    folders: there is only one, or none is current. Raises ``DocsSitemapError`` if the folder that has the
    versions is a site too.
    """
    previews: list[Version] = []
    groups = [*_groups(tree, policy, "", {} if left is None else left, previews)]
    if previews and not groups:  # the root's own site stays as it is
        groups = [Group("", [Version("", KEPT, why="the site at the root")])]
    for preview in previews:
        above = [group.folder for group in groups if _is_below(preview.folder, group.folder)]
        nearest = max(above, key=len, default=groups[0].folder)
        next(group for group in groups if group.folder == nearest).versions.append(preview)
    assign_pages(groups)
    return groups


def with_current(tree: DeployedTree, group: Group, name: str) -> Group:
    """Return a group whose current version is another one; ``assign_pages`` all groups then."""
    previews = [version for version in group.versions if version.role == PREVIEW]
    versions = [version for version in group.versions if version.role != PREVIEW]
    why = {version.folder.rpartition("/")[2]: version.why for version in versions}
    why = {name: why[name]} | why
    aliases = _aliases(tree.declared(group.folder)[1], name)
    return Group(group.folder, _roles(tree, group.folder, why, aliases, Policy(name)) + previews)


def _is_below(folder: str, above: str) -> bool:
    return not above or folder.startswith(f"{above}/")


def assign_pages(groups: Iterable[Group]) -> None:
    """Give each page to one version: the one whose folder is next above it, whatever links there are.

    Of versions in one folder, that is the one with its name, otherwise a current one, otherwise the first.
    A link into a current version is none: its pages are the current version's.
    """
    versions = [version for group in groups for version in group.versions]
    versions.sort(key=lambda version: (version.folder != version.real, version.role != CURRENT))
    owners: dict[str, Version] = {}
    for version in versions:
        version.is_link = owners.setdefault(version.real, version) is not version
    above: list[tuple[str, bool]] = []  # the folders around, and whether one of them is a current version
    for folder in sorted(f"{real}/" for real in owners):
        while above and not folder.startswith(above[-1][0]):
            above.pop()
        version = owners[folder[:-1]]
        is_current = version.role == CURRENT
        is_in_current = bool(above) and above[-1][1]
        version.is_link = is_in_current and not is_current and version.folder != version.real
        above.append((folder, is_current or is_in_current))


def _groups(
    tree: DeployedTree, policy: Policy, folder: str, left: dict[str, list[str]], previews: list[Version]
) -> Iterator[Group]:
    names = tree.folders(folder)
    siblings = read_siblings(tree, folder, policy.versions)
    several = [versions for versions in siblings.sites if len(versions) > 1]
    taken = {name for versions in several for name in versions}
    for versions in several:
        if group := _group(tree, policy, folder, versions, siblings.declared):
            yield group
        else:
            left[folder] = sorted(versions)
    if not several:
        sites = [name for name in names if tree.is_site(below(folder, name))]
        whole = [name for name in names if is_version(name) and tree.is_whole_site(below(folder, name))]
        if last := _last_version(tree, folder, sites):
            taken = {last}
            yield Group(folder, _roles(tree, folder, {last: "by its marks"}, set(), policy))
        elif whole:
            left[folder] = sorted(whole)
    for name in siblings.previews:
        path = below(folder, name)
        is_kept = _matches(name, policy.keep) or _matches(path, policy.keep)
        role = KEPT if is_kept else PREVIEW
        previews.append(Version(path, role, tree.real(path), why="by the name of its folder"))
    if folder.count("/") < _DEEPEST:
        for name in names:
            if name not in taken and name not in siblings.previews:
                yield from _groups(tree, policy, below(folder, name), left, previews)


def _group(
    tree: DeployedTree,
    policy: Policy,
    folder: str,
    versions: Mapping[str, str],
    declared: Mapping[str, Sequence[str]],
) -> Group | None:
    """Return the group of several versions, unless none of them is the current one."""
    current = _current(tree, policy, folder, versions, declared)
    if not current:
        return None
    if not policy.current and tree.is_own_site(folder):
        raise DocsSitemapError(
            f"{shorten(folder, MAX_PATH) or 'ROOT'} has versions and is a site itself, so it is unclear "
            "which is current: name a version with --current, such as --current latest, or let builds "
            "mark themselves (current_version)."
        )
    why = {current: versions[current]} | dict(sorted(versions.items()))
    return Group(folder, _roles(tree, folder, why, _aliases(declared, current), policy))


def _current(
    tree: DeployedTree,
    policy: Policy,
    folder: str,
    versions: Collection[str],
    known: Mapping[str, Sequence[str]],
) -> str:
    """Return which of several versions is the current one, or an empty string."""
    name = policy.current or LATEST
    if name not in (LATEST, STABLE):
        return name if name in versions else ""
    wanted = next(iter(choose(versions, [name], known)), [])
    # an alias may be a folder of redirects (mike, alias_type: redirect)
    return min(wanted, key=lambda name: not tree.is_whole_site(below(folder, name)), default="")


def _last_version(tree: DeployedTree, folder: str, sites: Sequence[str]) -> str:
    """Return the only version that is left of several, whose marks say that another one is current."""
    found = [name for name in sites if is_version(name)]
    is_left = len(found) == 1 and is_marked(tree.file(f"{below(folder, found[0])}/index.html"))
    return found[0] if is_left else ""


def _aliases(known: Mapping[str, Collection[str]], current: str) -> set[str]:
    """Return all names of a version, if ``versions.json`` names it."""
    same: set[str] = set()
    for name, aliases in known.items():
        if current == name or current in aliases:
            same |= {name, *aliases}
    return same


def _roles(
    tree: DeployedTree, folder: str, why: Mapping[str, str], aliases: Collection[str], policy: Policy
) -> list[Version]:
    """Return the versions of the names in ``why``, the current one first; ``aliases`` are its other names."""
    reals = {name: tree.real(below(folder, name)) for name in why}
    current = next(iter(why))
    found: list[Version] = []
    for name in why:
        if name == current:
            role = CURRENT
        elif _matches(name, policy.keep):
            role = KEPT
        elif reals[name] == reals[current]:
            role = CURRENT
        elif name in aliases:
            role = ALIAS
        elif is_development(name) if policy.development is None else _matches(name, policy.development):
            role = DEVELOPMENT
        else:
            role = OLD
        found.append(Version(below(folder, name), role, reals[name], why=why[name]))
    return found


def unmatched(groups: Iterable[Group], patterns: Iterable[str]) -> list[str]:
    """Return the patterns that match the name of no version."""
    names = {version.folder.rpartition("/")[2] for group in groups for version in group.versions}
    return [pattern for pattern in patterns if not any(fnmatchcase(name, pattern) for name in names)]


def _matches(name: str, patterns: Iterable[str]) -> bool:
    return any(fnmatchcase(name, pattern) for pattern in patterns)


def read_map(text: str) -> dict[str, str]:
    """Return the moved pages of a ``--map`` file: a line each, with the old and the new path in the version.

    A blank in a path is ``%20``, as in a URL. Empty lines and those that start with ``#`` are ignored.
    Raises ``ValueError``.

    >>> read_map("guide/setup.html  install/index.html")
    {'guide/setup.html': 'install/index.html'}
    """
    found: dict[str, str] = {}
    for number, line in enumerate(text.splitlines(), 1):
        words = line.split()
        if not words or words[0].startswith("#"):
            continue
        if len(words) != 2 or any("://" in word or "#" in word for word in words):
            # never its content: the file may be a link to a secret
            raise ValueError(f"line {number}: expected an old and a new path in a version, and a space")
        found[_path(words[0])] = _path(words[1])
    return found


def _path(path: str) -> str:
    return unquote(re.sub(r"/{2,}", "/", path.lstrip("/")), errors="surrogateescape")
