"""Which versions of a deployed tree are current, old or in development, and what their pages should say.

An old version's page names the current one's in a canonical link, "a strong signal that the specified
URL should become canonical" (Google, "How to specify a canonical URL"). Where the current version has no
such page, none takes its place: it is excluded (Google, "Block Search indexing with noindex"). Never both:
Google advises against noindex as a means to choose the canonical page. And never ``Disallow`` for these
pages: a crawler that must not fetch a page sees neither.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from docs_sitemap.errors import DocsSitemapError
from docs_sitemap.limits import MAX_PATH
from docs_sitemap.pages.version_names import LATEST, STABLE, is_development, is_version, plain_names
from docs_sitemap.text import shorten
from docs_sitemap.versions.builds import is_marked
from docs_sitemap.versions.tree import DeployedTree, Siblings, below, choose, matches, read_siblings

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
    are names of folders that the user calls versions, ``previews`` patterns of previews.
    """

    current: str = ""
    development: tuple[str, ...] | None = None
    keep: tuple[str, ...] = ()
    versions: tuple[str, ...] = ()
    previews: tuple[str, ...] = ()


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


def find_groups(tree: DeployedTree, policy: Policy) -> tuple[list[Group], dict[str, list[str]]]:
    """Return the sites of a tree that have several versions, also below folders of languages or projects.

    The second value has, by folder, the versions of no group: there is only one, or none is current.
    Raises ``DocsSitemapError`` if the folder that has the versions is a site too.
    """
    groups: list[Group] = []
    left: dict[str, list[str]] = {}
    previews: list[Version] = []
    folders = [""]
    while folders:
        folder = folders.pop(0)
        siblings = read_siblings(tree, folder, policy.versions, policy.previews)
        several = [versions for versions in siblings.sites if len(versions) > 1]
        taken = {*siblings.previews, *(name for versions in several for name in versions)}
        for versions in several:
            if current := _current(tree, policy, folder, versions, siblings.declared):
                groups.append(_group(tree, policy, folder, versions, current))
            else:
                left[folder] = sorted(versions)
        if not several:
            others = set(tree.folders(folder)) - set(siblings.previews)
            names = sorted(name for name in others if is_version(name))
            whole = [name for name in names if tree.is_whole_site(below(folder, name))]
            if last := _last_version(tree, folder, names):
                groups.append(_group(tree, policy, folder, {last: "by its marks"}, last))
                taken.add(last)
            elif whole:
                left[folder] = whole
        previews += [_preview(tree, policy, folder, name, siblings) for name in siblings.previews]
        if folder.count("/") < _DEEPEST:
            folders[:0] = [below(folder, name) for name in tree.folders(folder) if name not in taken]
    if previews and not groups:  # the root's own site stays as it is
        groups = [Group("", [Version("", KEPT, why="the site at the root")])]
    for preview in previews:
        around = [group for group in groups if preview.folder.startswith(f"{group.folder}/".lstrip("/"))]
        max(around, key=lambda group: len(group.folder), default=groups[0]).versions.append(preview)
    assign_pages(groups)
    return groups, left


def _current(
    tree: DeployedTree,
    policy: Policy,
    folder: str,
    versions: Collection[str],
    declared: Mapping[str, Sequence[str]],
) -> str:
    """Return which of several versions is the current one, or an empty string."""
    current = policy.current or LATEST
    if current in (LATEST, STABLE):
        wanted = next(iter(choose(versions, [current], declared)), [])
        # an alias may be a folder of redirects (mike, alias_type: redirect)
        current = min(wanted, key=lambda name: not tree.is_whole_site(below(folder, name)), default="")
    if current and not policy.current and tree.is_own_site(folder):
        raise DocsSitemapError(
            f"{shorten(folder, MAX_PATH) or 'ROOT'} has versions and is a site itself, so it is unclear "
            "which is current: name a version with --current, such as --current latest, or let builds "
            "mark themselves (current_version)."
        )
    return current if current in versions else ""


def _last_version(tree: DeployedTree, folder: str, names: Sequence[str]) -> str:
    """Return the only version that is left of several, whose marks say that another one is current."""
    found = [name for name in names if tree.is_site(below(folder, name))]
    is_left = len(found) == 1 and is_marked(tree.file(f"{below(folder, found[0])}/index.html"))
    return found[0] if is_left else ""


def _preview(tree: DeployedTree, policy: Policy, folder: str, name: str, siblings: Siblings) -> Version:
    path, why = below(folder, name), siblings.previews[name]
    return Version(path, KEPT if matches(path, policy.keep) else PREVIEW, tree.real(path), why=why)


def _group(
    tree: DeployedTree, policy: Policy, folder: str, versions: Mapping[str, str], current: str
) -> Group:
    """Return the group of versions; ``versions`` has why each is one."""
    aliases: set[str] = set()
    for name, others in tree.declared(folder)[1].items():
        aliases |= {name, *others} if current in (name, *others) else set()
    reals = {name: tree.real(below(folder, name)) for name in versions}
    plain = plain_names(versions)
    found: list[Version] = []
    for name in sorted(versions, key=lambda name: (name != current, name)):
        if name == current:
            role = CURRENT
        elif matches(name, policy.keep):
            role = KEPT
        elif reals[name] == reals[current]:
            role = CURRENT
        elif name in aliases:
            role = ALIAS
        elif is_development(plain[name]) if policy.development is None else matches(name, policy.development):
            role = DEVELOPMENT
        else:
            role = OLD
        found.append(Version(below(folder, name), role, reals[name], why=versions[name]))
    return Group(folder, found)


def with_current(tree: DeployedTree, group: Group, name: str) -> Group:
    """Return a group whose current version is another one; ``assign_pages`` all groups then."""
    previews = [version for version in group.versions if version.role == PREVIEW]
    why = {v.folder.rpartition("/")[2]: v.why for v in group.versions if v.role != PREVIEW}
    versions = _group(tree, Policy(name), group.folder, why, name).versions
    return Group(group.folder, versions + previews)


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
    currents = tuple(f"{version.real}/" for version in owners.values() if version.role == CURRENT)
    for version in owners.values():
        is_other = version.role != CURRENT and version.folder != version.real
        version.is_link = is_other and version.real.startswith(currents)


def unmatched(groups: Iterable[Group], patterns: Iterable[str]) -> list[str]:
    """Return the patterns that match the name of no version."""
    folders = {version.folder for group in groups for version in group.versions}
    return [pattern for pattern in patterns if not any(matches(folder, [pattern]) for folder in folders)]
