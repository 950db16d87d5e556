"""Choose which sites of a deployed tree an index names, which it leaves out and why, and write it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from itertools import chain
from pathlib import Path
from typing import Final

from docs_sitemap import urls
from docs_sitemap.errors import OutputError
from docs_sitemap.files import HEAD, OutputFolder, robots
from docs_sitemap.files.urlset import SIGNATURE, render_index
from docs_sitemap.limits import MAX_FILE
from docs_sitemap.pages.version_names import is_development, plain_names
from docs_sitemap.readers.html import read_head
from docs_sitemap.text import shorten, show_path
from docs_sitemap.versions.policy import ALIAS, DEVELOPMENT, PREVIEW
from docs_sitemap.versions.tree import DeployedTree, Siblings, Site, below, choose, read_siblings

LISTED: Final = "listed"
OLD: Final = "old version"
LEFT_OUT: Final = "left out"
WRONG: Final = "error"
WITHOUT: Final = "a version without a sitemap"


@dataclass(frozen=True)
class Row:
    """What an index does with a folder: ``status`` is one of the above, or a role of a version.

    ``why`` says more, ``site`` is the site that it lists.
    """

    folder: str
    status: str
    why: str
    site: Site | None = None


@dataclass(frozen=True)
class Choice:
    """What a user wants of an index: the ``policy`` of ``choose``, and patterns of folders to ``exclude``.

    ``is_forbidden`` tells whether the robots.txt of the root keeps Google out of a folder.
    """

    policy: Sequence[str]
    exclude: Sequence[str] = ()
    is_forbidden: Callable[[str], bool] = lambda folder: False


def gather(tree: DeployedTree, choice: Choice, folder: str = "", what: str = "") -> list[Row]:
    """Return the sites in a folder and below, in the order of their folders, with what happens to each.

    ``what`` says what the folder is. Raises ``SitemapError`` if a sitemap cannot be read.
    """
    if any(fnmatchcase(folder, pattern.strip("/")) for pattern in choice.exclude):
        return [Row(folder, LEFT_OUT, "by --exclude")] if tree.is_site(folder) else []
    rows = []
    if tree.has_sitemap(folder):
        site = tree.read(folder)
        if site:
            rows = [_row(tree, choice, site, what)]
        elif folder:  # not an index of ours
            rows = [Row(folder, LEFT_OUT, "its sitemap has no page")]
    if not tree.folders(folder):  # as most
        return rows
    siblings = read_siblings(tree, folder)
    versions = {name: why for each in siblings.sites for name, why in each.items()}
    rows += _of_versions(tree, choice, folder, siblings, versions)
    rows += [Row(below(folder, name), PREVIEW, why) for name, why in siblings.previews.items()]
    for name in tree.folders(folder):
        if name not in versions and name not in siblings.previews:
            rows += gather(tree, choice, below(folder, name))
    return sorted(rows, key=lambda row: row.folder)


def _of_versions(
    tree: DeployedTree, choice: Choice, folder: str, siblings: Siblings, versions: Mapping[str, str]
) -> Iterator[Row]:
    """Yield what happens to the versions in a folder: those that the policy chooses, and the others."""
    chosen: set[str] = set()
    for ways in chain(*(choose(each, choice.policy, siblings.declared) for each in siblings.sites)):
        found: dict[str, list[Row]] = {}
        for name in ways:
            found[name] = gather(tree, choice, below(folder, name), f"version, {versions[name]}")
            if any(row.status == LISTED for row in found[name]):
                best = name
                break
        else:
            best = next(filter(found.get, ways), "")
        if best:
            chosen.add(best)
            yield from found[best]
    aliases = {alias for name in chosen for alias in siblings.declared.get(name, ())}
    aliases |= {name for name, others in siblings.declared.items() if chosen & set(others)}
    plain = plain_names(versions)
    for name in versions.keys() - chosen:
        path = below(folder, name)
        if name in aliases:
            yield Row(path, ALIAS, versions[name])
        elif any(map(tree.has_sitemap, (path, *(below(path, sub) for sub in tree.folders(path))))):
            yield Row(path, DEVELOPMENT if is_development(plain[name]) else OLD, versions[name])
        else:
            yield Row(path, LEFT_OUT, WITHOUT)


def _row(tree: DeployedTree, choice: Choice, site: Site, what: str) -> Row:
    folder = site.folder
    if choice.is_forbidden(folder):
        return Row(folder, LEFT_OUT, "robots.txt forbids it to Google")
    home = read_head(tree.file(below(folder, "index.html")))
    if home and home.noindex:
        return Row(folder, LEFT_OUT, "its home page says noindex")
    if site.url_outside:
        text = f"its sitemap has URLs outside its folder, such as {shorten(site.url_outside)}"
        # an alias says what its version says, and an old version may lead to the current one
        return Row(folder, ALIAS if what.startswith("version") else WRONG, text)
    name = folder.rpartition("/")[2].replace("_", "-").lower()
    is_language = bool(name) and tree.language(folder) == name
    return Row(folder, LISTED, what or ("language" if is_language else "site"), site)


_ROBOTS: Final = "robots.txt"


def write_root(
    folder: Path, base_url: str, filename: str, sites: Sequence[Site], *, with_robots: bool
) -> list[str]:
    """Write the index of one host's sites and complete its robots.txt; return the files written.

    One sitemap needs no index: robots.txt names it directly. Raises ``OutputError``, also if a file with
    that name exists and is not ours.
    """
    output = OutputFolder(folder)
    present = output.read_whole(_ROBOTS, MAX_FILE)
    sitemaps = [sitemap for site in sites for sitemap in site.sitemaps]
    has_index = len(sitemaps) > 1
    head = output.read(filename, HEAD)
    is_ours = head is not None and SIGNATURE in head and b"<sitemapindex" in head
    if has_index and head is not None and not is_ours:
        where = show_path(folder / filename)
        raise OutputError(f"{where} exists, and docs-sitemap did not write it: use --filename.")
    named = [urls.join_file(base_url, filename)] if has_index else [sitemap.loc for sitemap in sitemaps]
    with output.changes() as changes:
        if has_index:
            changes.write(filename, render_index(sitemaps))
        elif is_ours:
            changes.drop(filename)
        if with_robots:
            text = robots.complete(present, named)
            if text is None:
                changes.drop(_ROBOTS)
            else:
                changes.write(_ROBOTS, text)
        return changes.commit()
