"""Choose which sites of a deployed tree an index names, which it leaves out and why, and write it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from docs_sitemap import urls
from docs_sitemap.errors import OutputError
from docs_sitemap.files import HEAD, OutputFolder, robots
from docs_sitemap.files.urlset import SIGNATURE, render_index
from docs_sitemap.limits import MAX_ROBOTS_READ
from docs_sitemap.text import show_path
from docs_sitemap.versions.tree import DeployedTree, Site, below, choose, find_versions


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


def gather(tree: DeployedTree, policy: Sequence[str], folder: str = "") -> Gathered:
    """Return the sites in a folder and below. Raises ``SitemapError`` if a sitemap cannot be read."""
    found = Gathered()
    if site := tree.read(folder):
        (found.out_of_scope if site.url_outside else found.sites).append(site)
    names = tree.folders(folder)
    known = tree.versions(folder)
    sites = [name for name in names if tree.is_site(below(folder, name)) or _has_any(tree, folder, name)]
    versions = find_versions(sites, known)
    chosen = set()
    for ways in choose(versions, policy, known):
        for name in ways:
            version = gather(tree, policy, below(folder, name))
            if version.sites or name == ways[-1]:
                chosen.add(name)
                _merge(found, version)
                break
    for name in names:
        if name not in versions:
            _merge(found, gather(tree, policy, below(folder, name)))
    aliases = {alias for name in chosen for alias in known.get(name, ())}
    aliases |= {name for name, others in known.items() if chosen & set(others)}
    without = {name for name in versions if not _has_any(tree, folder, name)}
    found.old += [below(folder, name) for name in sorted(versions - chosen - aliases - without)]
    found.without_sitemap += [below(folder, name) for name in sorted(without)]
    return found


def _has_any(tree: DeployedTree, folder: str, name: str) -> bool:
    """Tell whether a version, or a language in it, has a sitemap."""
    own = below(folder, name)
    return tree.has_sitemap(own) or any(tree.has_sitemap(below(own, sub)) for sub in tree.folders(own))


def _merge(found: Gathered, more: Gathered) -> None:
    found.sites += more.sites
    found.old += more.old
    found.without_sitemap += more.without_sitemap
    found.out_of_scope += more.out_of_scope


_ROBOTS: Final = "robots.txt"


def write_root(
    folder: Path, base_url: str, filename: str, sites: Sequence[Site], *, with_robots: bool
) -> list[str]:
    """Write the index of one host's sites and complete its robots.txt; return the files written.

    One sitemap needs no index: robots.txt names it directly. Raises ``OutputError``, also if a file with
    that name exists and is not ours.
    """
    output = OutputFolder(folder)
    present = output.read_whole(_ROBOTS, MAX_ROBOTS_READ)
    sitemaps = [sitemap for site in sites for sitemap in site.sitemaps]
    has_index = len(sitemaps) > 1
    head = output.read(filename, HEAD)
    if has_index and head is not None and not _is_our_index(head):
        where = show_path(folder / filename)
        raise OutputError(f"{where} exists, and docs-sitemap did not write it: use --filename.")
    named = [urls.join_file(base_url, filename)] if has_index else [sitemap.loc for sitemap in sitemaps]
    with output.changes() as changes:
        if has_index:
            changes.write(filename, render_index(sitemaps))
        elif _is_our_index(head):
            changes.drop(filename)
        if with_robots:
            text = robots.complete(present, named)
            if text is None:
                changes.drop(_ROBOTS)
            else:
                changes.write(_ROBOTS, text)
        return changes.commit()


def _is_our_index(head: bytes | None) -> bool:
    """Tell whether a file is an index that an earlier call wrote, not a site's sitemap."""
    return head is not None and SIGNATURE in head and b"<sitemapindex" in head
