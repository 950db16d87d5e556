"""What the folders of a published tree are: versions of a site, previews, or sites of their own.

Evidence comes first: ``versions.json`` and ``switcher.json``. Otherwise, the names of whole sites that are
side by side and have pages in common.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Final

from docs_sitemap.pages.version_names import (
    LATEST,
    STABLE,
    is_pre_release,
    is_preview,
    is_release,
    order,
    series,
)
from docs_sitemap.versions.tree import DeployedTree, below

_NO_PAGES: Final = ("assets", "search", "static", "css", "js", "img", "images", "fonts")


@dataclass(frozen=True)
class Siblings:
    """The folders in a folder: by name, the versions of each site and why, and ``previews``.

    ``declared`` are the versions that a file names, with their aliases.
    """

    sites: Sequence[Mapping[str, str]]
    previews: Sequence[str]
    declared: Mapping[str, Sequence[str]]


def read_siblings(tree: DeployedTree, folder: str, told: Collection[str] = ()) -> Siblings:
    """Return what the folders in a folder are; ``told`` are names that the user calls versions."""
    names = tree.folders(folder)
    file, declared = tree.declared(folder)
    listed = {*declared, *(alias for aliases in declared.values() for alias in aliases)}
    known = {name: f"by {file}" for name in names if name in listed and tree.is_site(below(folder, name))}
    known |= {name: "by --versions" for name in names if name in told}
    previews = [name for name in names if name not in known and is_preview(below(folder, name), tree.is_site)]
    found = _find_by_name(tree, folder, [name for name in names if name not in previews])
    sites = [dict.fromkeys(sorted(each), "by its name and its pages") for each in found]
    if known:  # which of several sites these are of is not known
        sites = [{name: why for each in sites for name, why in each.items()} | known]
    return Siblings(sites, previews, declared)


def choose(
    versions: Iterable[str], policy: Sequence[str], known: Mapping[str, Sequence[str]]
) -> list[list[str]]:
    """Return the versions to list, each as a list of names of which the first suitable one counts.

    ``policy`` is one of ``latest``, ``stable`` and ``all``, or patterns of names such as ``2.*``.
    ``latest`` means the folder or alias with that name, otherwise ``stable``, otherwise the highest release.
    """
    plain = {name: name for name in versions}
    for each in series(plain):
        plain |= each
    names = sorted(plain, key=lambda name: order(plain[name]))
    if list(policy) == ["all"]:
        return [[name] for name in names]
    if len(policy) == 1 and policy[0] in (LATEST, STABLE):
        first, second = (LATEST, STABLE) if policy[0] == LATEST else (STABLE, LATEST)
        aliased = [name for alias in (first, second) for name in known if alias in known[name]]
        releases = [name for name in reversed(names) if is_release(plain[name])]
        releases.sort(key=lambda name: is_pre_release(plain[name]))  # releases first, pre-releases last
        wanted = [first, *aliased[:1], second, *aliased[1:], *releases]
        there = set(names)
        return [[name for name in dict.fromkeys(wanted) if name in there]]
    return [[name] for name in names if any(fnmatchcase(name, pattern) for pattern in policy)]


def _find_by_name(tree: DeployedTree, folder: str, names: Collection[str]) -> Iterator[set[str]]:
    """Yield the sibling folders that are versions of one site by their names: whole sites with common pages.

    There are several of them, because a project can also be called ``dev``. The years of a blog are no whole
    sites.
    """
    for each in series(names):
        found = [name for name in each if tree.is_whole_site(below(folder, name))]
        pages = {name: _pages(tree, below(folder, name)) for name in found}
        shared = {one for one in found if any(_shares(pages[one], pages[it]) for it in found if it != one)}
        if len(shared) > 1:
            yield shared


def _pages(tree: DeployedTree, folder: str) -> set[str]:
    """Return the names of pages and folders of pages at the top of a site."""
    names = {name for name in tree.files(folder) if name.endswith((".html", ".htm"))}
    folders = {name for name in tree.folders(folder) if not name.startswith("_") and name not in _NO_PAGES}
    return {name.rpartition(".")[0] for name in names} - {"index", "404"} | folders


def _shares(pages: set[str], others: set[str]) -> bool:
    """Tell whether half of the smaller site's pages are in both, if there are enough to tell."""
    least = min(len(pages), len(others))
    return least < 2 or 2 * len(pages & others) >= least
