"""Choose which sites of a deployed tree an index names, and which it leaves out and why."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from docs_sitemap.index.tree import Site, Tree
from docs_sitemap.index.versions import choose, find_versions


@dataclass(slots=True)
class Gathered:
    """The sites to name, in the order of their folders.

    ``old`` are the folders of versions that the policy leaves out, ``without_sitemap`` those of versions
    without a sitemap, and ``out_of_scope`` the sites whose sitemap contains URLs outside their folder.
    """

    sites: list[Site] = field(default_factory=list)
    old: list[str] = field(default_factory=list)
    without_sitemap: list[str] = field(default_factory=list)
    out_of_scope: list[Site] = field(default_factory=list)


def gather(tree: Tree, policy: Sequence[str], folder: str = "") -> Gathered:
    """Return the sites in a folder and below. Raises ``SitemapError`` if a sitemap cannot be read."""
    found = Gathered()
    if site := tree.read(folder):
        (found.out_of_scope if site.url_outside else found.sites).append(site)
    names = tree.folders(folder)
    known = tree.versions(folder)
    sites = [name for name in names if tree.is_site(_below(folder, name)) or _has_any(tree, folder, name)]
    versions = find_versions(sites, known)
    chosen = set()
    for ways in choose(versions, policy, known):
        for name in ways:
            version = gather(tree, policy, _below(folder, name))
            if version.sites or name == ways[-1]:
                chosen.add(name)
                _merge(found, version)
                break
    for name in names:
        if name not in versions:
            _merge(found, gather(tree, policy, _below(folder, name)))
    aliases = {alias for name in chosen for alias in known.get(name, ())}
    aliases |= {name for name, others in known.items() if chosen & set(others)}
    without = {name for name in versions if not _has_any(tree, folder, name)}
    found.old += [_below(folder, name) for name in sorted(versions - chosen - aliases - without)]
    found.without_sitemap += [_below(folder, name) for name in sorted(without)]
    return found


def _has_any(tree: Tree, folder: str, name: str) -> bool:
    """Tell whether a version, or a language in it, has a sitemap."""
    below = _below(folder, name)
    return tree.has_sitemap(below) or any(tree.has_sitemap(_below(below, sub)) for sub in tree.folders(below))


def _merge(found: Gathered, more: Gathered) -> None:
    found.sites += more.sites
    found.old += more.old
    found.without_sitemap += more.without_sitemap
    found.out_of_scope += more.out_of_scope


def _below(folder: str, name: str) -> str:
    return f"{folder}/{name}".lstrip("/")
