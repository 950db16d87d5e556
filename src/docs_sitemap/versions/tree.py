"""A deployed tree: its folders, their URLs, the sites in them with their sitemaps, and which are versions.

Evidence comes first: ``versions.json`` and ``switcher.json``. Otherwise, the names of whole sites that are
side by side and have pages in common.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from functools import cache
from pathlib import Path
from typing import Any, Final

from docs_sitemap import urls
from docs_sitemap.files.urlset import Sitemap
from docs_sitemap.limits import MAX_STUB, MAX_TEXT
from docs_sitemap.pages.previews import preview
from docs_sitemap.pages.utility_pages import MARKS, SITE_FILES, language_of
from docs_sitemap.pages.version_names import (
    CURRENT,
    LATEST,
    STABLE,
    is_branch,
    is_pre_release,
    is_release,
    order,
    plain_names,
    series,
)
from docs_sitemap.readers.data import read_json
from docs_sitemap.readers.files import Resolver, read_any, read_plain
from docs_sitemap.sitemaps import SitemapError, read_bytes, read_entries
from docs_sitemap.timestamps import newest_date


def _read_versions(file: Path) -> dict[str, list[str]]:
    """Return the versions that a file names, each folder with its aliases; empty if it is invalid.

    Accepts the ``versions.json`` that mike writes (``version``, ``aliases``), and the ``switcher.json`` of
    pydata-sphinx-theme (``version``, ``url``, ``preferred``), in which a version is in the last folder of its
    URL, and the preferred one is ``stable``.
    """
    found: dict[str, list[str]] = {}
    with suppress(OSError, ValueError):
        value: Any = read_json(read_plain(file, MAX_TEXT))
        for item in value if isinstance(value, list) else []:
            if isinstance(item, Mapping) and isinstance(item.get("version"), str):
                aliases = item.get("aliases")
                names = aliases if isinstance(aliases, list) else []
                known = found.setdefault(_folder(item.get("url")) or item["version"], [])
                known += [name for name in names if isinstance(name, str)]
                known += [STABLE] if item.get("preferred") is True else []
    return found


def _folder(url: object) -> str:
    """Return the last folder of a URL, or an empty string.

    >>> _folder("https://docs.example.org/2.1/")
    '2.1'
    """
    path = url.partition("?")[0].removesuffix("index.html") if isinstance(url, str) else ""
    return path.rstrip("/").rpartition("/")[2] if path.endswith("/") else ""


def below(folder: str, name: str) -> str:
    """Return the path of a name in a folder of the tree; the root is ``""``."""
    return f"{folder}/{name}".lstrip("/")


NAMES: Final = ("sitemap.xml", "sitemap.xml.gz", "sitemap_index.xml")

_SWITCHER: Final = "switcher.json"


@dataclass(slots=True)
class Site:
    """A folder with a sitemap; ``sitemaps`` are those that an index should name: the sitemap, or its parts.

    ``url_outside`` is a URL in it that is outside the folder: then the sitemap belongs to another folder, as
    for an alias.
    """

    folder: str
    sitemaps: list[Sitemap] = field(default_factory=list)
    pages: int = 0
    url_outside: str = ""


class DeployedTree:
    """A deployed tree. Links inside it are followed, others are ignored.

    ``hosts`` maps folders below the root, with ``/``, that have a host of their own to its base URL; all base
    URLs end in ``/``. ``empty`` gets each ``versions.json`` that names no version, because it is not such a
    file, or broken.
    """

    def __init__(self, root: Path, base_url: str, hosts: Mapping[str, str] | None = None) -> None:
        self.root = Path(os.path.realpath(root))
        self.empty: set[str] = set()
        self._bases = {"": base_url, **(hosts or {})}
        self._resolver = Resolver(self.root)
        self._list = cache(self._list_once)

    def host_of(self, folder: str) -> str:
        """Return the folder, or the parent of it, that has its own base URL; the root is ``""``."""
        while folder not in self._bases:
            folder = folder.rpartition("/")[0]
        return folder

    def address(self, folder: str) -> str:
        """Return the absolute URL of a folder, encoded, with a trailing ``/``."""
        host = self.host_of(folder)
        path = folder.removeprefix(host).strip("/")
        return urls.join_file(self._bases[host], path) + "/" if path else self._bases[host]

    def real(self, folder: str) -> str:
        """Return the name of a folder in the tree, with links resolved; ``.`` is the tree itself."""
        return Path(self._resolver.real(folder) or self.root).relative_to(self.root).as_posix()

    def file(self, name: str) -> Path:
        """Return the real path of a file in the tree; if there is none, one that no file has."""
        return Path(self._resolver.file(name) or self.root)

    def has_file(self, name: str) -> bool:
        """Tell whether the tree has a file, which may be behind a link inside the tree."""
        return self._resolver.file(name) is not None

    def folders(self, folder: str = "") -> list[str]:
        """Return the names of the folders in a folder, sorted."""
        return self._list(folder)[0]

    def _list_once(self, folder: str) -> tuple[list[str], set[str]]:
        """Return the names of the folders in a folder, sorted, and the names of all else."""
        folders, others = [], set()
        try:
            with os.scandir(self._resolver.real(folder) or os.devnull) as entries:
                for entry in entries:
                    if not self._is_folder(entry, folder):
                        others.add(entry.name)
                    elif not entry.name.startswith("."):
                        folders.append(entry.name)
        except OSError:  # no permission, or a path that is too long
            pass
        return sorted(folders), others

    def _is_folder(self, entry: os.DirEntry[str], folder: str) -> bool:
        """Tell whether an entry is a folder, but no link out of the tree, or to a folder that it is in."""
        if not entry.is_symlink():
            return entry.is_dir()
        target = self._resolver.real(f"{folder}/{entry.name}")
        if target is None or not os.path.isdir(target):
            return False
        parts = Path(folder).parts
        around = (self._resolver.real("/".join(parts[:number])) for number in range(len(parts) + 1))
        return not any(f"{each}/".startswith(f"{target}/") for each in around)

    def is_site(self, folder: str) -> bool:
        """Tell whether a folder looks like the root of a site: it has a home page or a sitemap."""
        return any(self._is_there(folder, name) for name in ("index.html", *NAMES))

    def is_whole_site(self, folder: str) -> bool:
        """Tell whether a folder has what a whole site has, or a folder below, as for a language.

        A version does, while ``blog/2024`` has a home page at most.
        """
        places = (folder, *(f"{folder}/{name}" for name in self.folders(folder)))
        return any(self._is_there(place, name) for place in places for name in (*NAMES, *MARKS))

    def is_own_site(self, folder: str) -> bool:
        """Tell whether Sphinx or MkDocs has built a site into a folder itself."""
        return any(self._is_there(folder, name) for name in SITE_FILES)

    def language(self, folder: str) -> str:
        """Return the language of a folder's home page in lower case, or an empty string."""
        return language_of(read_any(self.file(below(folder, "index.html")), MAX_STUB))

    def has_sitemap(self, folder: str) -> bool:
        """Tell whether a folder contains a sitemap."""
        return any(self._is_there(folder, name) for name in NAMES)

    def files(self, folder: str) -> set[str]:
        """Return the names of what is no folder in a folder."""
        return self._list(folder)[1]

    def declared(self, folder: str) -> tuple[str, dict[str, list[str]]]:
        """Return the file that names the versions in a folder, and them, each with its aliases.

        That is a ``versions.json``, otherwise a switcher, in the folder or in a branch's version.
        """
        if self._is_there(folder, "versions.json"):
            file = below(folder, "versions.json")
            known = _read_versions(self.file(file))
            if not known:
                self.empty.add(file)
            return file, known
        names = self.folders(folder)
        for sub in ("", "_static/", *(f"{name}/_static/" for name in names if is_branch(name))):
            file = below(folder, f"{sub}{_SWITCHER}")
            known = _read_versions(self.file(file)) if self.has_file(file) else {}
            if known.keys() & set(names):
                return file, known
        return "", {}

    def read(self, folder: str) -> Site | None:
        """Return the site whose sitemap is in a folder, or ``None``. Raises ``SitemapError``."""
        for name in filter(lambda name: self._is_there(folder, name), NAMES):
            site = Site(folder)
            for part in dict.fromkeys(self._add(site, below(folder, name))):
                self._add(site, part)
            if site.sitemaps:
                return site
        return None

    def listed(self, folder: str) -> Iterator[str]:
        """Yield the URLs that the sitemap in a folder lists; none if it cannot be read."""
        with suppress(SitemapError):
            site = self.read(folder)
            for sitemap in site.sitemaps if site else ():
                name = below(folder, urls.file_name(sitemap.loc))
                yield from (entry.loc for entry in read_entries(read_bytes(self.file(name)), name).entries)

    def _add(self, site: Site, name: str) -> list[str]:
        """Add one file; return the parts that an index in the same folder names."""
        base = self.address(site.folder)
        document = read_entries(read_bytes(self.file(name)), str(self.root / name))
        locs = [entry.loc for entry in document.entries]
        if document.kind == "index":
            parts = [part for loc in locs if urls.join_file(base, part := urls.file_name(loc)) == loc]
            there = [part for part in parts if part not in NAMES and self._is_there(site.folder, part)]
            return [below(site.folder, part) for part in there]
        if locs:
            newest = newest_date(entry.lastmod for entry in document.entries)
            site.sitemaps.append(Sitemap(urls.join_file(base, urls.file_name("/" + name)), newest))
        site.pages += len(locs)
        site.url_outside = site.url_outside or next((loc for loc in locs if not loc.startswith(base)), "")
        return []

    def _is_there(self, folder: str, name: str) -> bool:
        if "/" not in name and name not in self._list(folder)[1]:
            return False
        return self.has_file(f"{folder}/{name}")


_NO_PAGES: Final = ("assets", "search", "static", "css", "js", "img", "images", "fonts")


@dataclass(frozen=True)
class Siblings:
    """The folders in a folder: by name, the versions of each site and ``previews``, and why.

    ``declared`` are the versions that a file names, with their aliases.
    """

    sites: Sequence[Mapping[str, str]]
    previews: Mapping[str, str]
    declared: Mapping[str, Sequence[str]]


def read_siblings(
    tree: DeployedTree, folder: str, told: Collection[str] = (), previews: Collection[str] = ()
) -> Siblings:
    """Return what the folders in a folder are; ``told`` are names that the user calls versions.

    ``previews`` are patterns of those that the user calls previews.
    """
    names = tree.folders(folder)
    file, declared = tree.declared(folder)
    listed = {*declared, *(alias for aliases in declared.values() for alias in aliases)}
    known = {name: f"by {file}" for name in names if name in listed and tree.is_site(below(folder, name))}
    known |= {name: "by --versions" for name in names if name in told}
    kinds = {name: _preview(tree, below(folder, name), previews) for name in names if name not in known}
    found = _find_by_name(tree, folder, [name for name in names if not kinds.get(name)])
    sites = [dict.fromkeys(sorted(each), "by its name and its pages") for each in found]
    if known:  # which of several sites these are of is not known
        sites = [{name: why for each in sites for name, why in each.items()} | known]
    return Siblings(sites, {name: why for name, why in kinds.items() if why}, declared)


def _preview(tree: DeployedTree, folder: str, told: Collection[str]) -> str:
    """Return why a folder is a preview; empty if it is none."""
    if matches(folder, told) and tree.is_site(folder):
        return "by --previews"
    return preview(folder, lambda name: tree.file(name) if tree.has_file(name) else None)


def matches(folder: str, patterns: Iterable[str]) -> bool:
    """Tell whether a folder's path or name matches one of the patterns."""
    names = (folder, folder.rpartition("/")[2])
    return any(fnmatchcase(name, pattern) for pattern in patterns for name in names)


def choose(
    versions: Iterable[str], policy: Sequence[str], known: Mapping[str, Sequence[str]]
) -> list[list[str]]:
    """Return the versions to list, each as a list of names of which the first suitable one counts.

    ``policy`` is one of ``latest``, ``stable`` and ``all``, or patterns of names such as ``2.*``.
    ``latest`` means the folder or alias with that name, otherwise ``stable``, ``current``, or the highest
    release.
    """
    plain = plain_names(versions)
    names = sorted(plain, key=lambda name: order(plain[name]))
    if list(policy) == ["all"]:
        return [[name] for name in names]
    if len(policy) == 1 and policy[0] in (LATEST, STABLE):
        first, *others = (LATEST, STABLE, CURRENT) if policy[0] == LATEST else (STABLE, CURRENT, LATEST)
        aliased = [name for alias in (first, *others) for name in known if alias in known[name]]
        releases = [name for name in reversed(names) if is_release(plain[name])]
        releases.sort(key=lambda name: is_pre_release(plain[name]))  # releases first, pre-releases last
        wanted = [first, *aliased[:1], *others, *aliased[1:], *releases]
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
    names = {name for name in tree.files(folder) if urls.is_html(name)}
    folders = {name for name in tree.folders(folder) if not name.startswith("_") and name not in _NO_PAGES}
    return {name.rpartition(".")[0] for name in names} - {"index", "404"} | folders


def _shares(pages: set[str], others: set[str]) -> bool:
    """Tell whether half of the smaller site's pages are in both, if there are enough to tell."""
    least = min(len(pages), len(others))
    return least < 2 or 2 * len(pages & others) >= least
