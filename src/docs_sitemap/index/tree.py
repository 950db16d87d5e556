"""Read the sites of a deployed tree from their sitemaps, entry by entry, without storing entries."""

from __future__ import annotations

import os
from collections import defaultdict
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Final, NamedTuple

from docs_sitemap import urls
from docs_sitemap.files.formats import Sitemap
from docs_sitemap.index.places import Places
from docs_sitemap.index.versions import find_versions, read_versions
from docs_sitemap.limits import (
    MAX_FOLDERS,
    MAX_LINKED,
    MAX_LINKS,
    MAX_LOC,
    MAX_NUMBER,
    MAX_SITE,
    MAX_SITES,
    MAX_SITES_VERSIONS,
    MAX_VERSIONS,
)
from docs_sitemap.pages import SITE_FILES
from docs_sitemap.timestamps import instant, newest_date
from docs_sitemap.untrusted import Resolver, read_plain
from docs_sitemap.untrusted.sitemaps import SitemapError, parse_entries, read_bytes, weight
from docs_sitemap.version_names import is_branch

NAMES: Final = ("sitemap.xml", "sitemap.xml.gz", "sitemap_index.xml")

_SWITCHER: Final = "switcher.json"

_LOOKED_FOR: Final = frozenset(("index.html", "versions.json", _SWITCHER, *NAMES))

_KEPT: Final = 10_000
"""Listed folders that are kept in memory: each is asked for again, by its parent folder and by itself."""

_FOLDER: Final = 10
"""Files for which a folder or a link counts in ``MAX_LINKED``, by its time."""


class _Listing(NamedTuple):
    """What a folder contains: its folders, sorted, and its files of the names that are looked for."""

    folders: list[str]
    files: set[str]


@dataclass(slots=True)
class Site:
    """A folder with a sitemap; ``sitemaps`` are those that an index should name: the sitemap, or its parts.

    ``url_outside`` is the start of a URL in it that is outside the folder: then the sitemap belongs to
    another folder, as for an alias. ``size`` is what all files read count for in ``MAX_SITE``.
    """

    folder: str
    sitemaps: list[Sitemap] = field(default_factory=list)
    pages: int = 0
    size: int = 0
    url_outside: str = ""


class Tree:
    """A deployed tree. Links inside it are followed, others are ignored.

    ``empty`` gets each ``versions.json`` that names no version, because it is not such a file, or broken.
    """

    def __init__(self, root: Path, places: Places) -> None:
        self.root = Path(os.path.realpath(root))
        self.empty: set[str] = set()
        self._places = places
        self._resolver = Resolver(self.root)
        self._above = lru_cache(1)(self._resolver.real)  # of the folder that is listed
        self._size = 0  # bytes of all sitemaps
        self._versions = 0  # bytes of all lists of versions
        self._links: set[str] = set()  # folders that are links
        self._listed = 0  # in them, as ``MAX_LINKED`` counts
        self._ways: defaultdict[str, set[str]] = defaultdict(set)  # paths to a linked file or folder
        self._list = lru_cache(_KEPT)(self._list_once)

    def real(self, folder: str) -> str:
        """Return the name of a folder in the tree, with links resolved; ``.`` is the tree itself."""
        return Path(self._resolver.real(folder) or self.root).relative_to(self.root).as_posix()

    def file(self, name: str) -> Path:
        """Return the real path of a file in the tree; if there is none, one that no file has."""
        return Path(self._resolver.file(name) or self.root)

    def folders(self, folder: str = "") -> list[str]:
        """Return the names of the folders in a folder, sorted.

        Raises ``SitemapError`` if links lead to too many.
        """
        return self._list(folder).folders

    def _list_once(self, folder: str) -> _Listing:
        found = _Listing([], set())
        is_deep = folder.count("/") >= MAX_FOLDERS
        size = _FOLDER
        above = self._above(folder)
        try:
            # by its real path: the system would follow each link on the way each time
            with os.scandir(above or os.devnull) as entries:
                for entry in entries:
                    size += _FOLDER if entry.is_symlink() else 1
                    if entry.name in _LOOKED_FOR:
                        found.files.add(entry.name)
                    if not is_deep and self._is_folder(entry, folder):
                        found.folders.append(entry.name)
        except OSError:  # no permission, or a path that is too long
            return found
        found.folders.sort()
        if self._is_linked(folder):
            self._listed += size
            if self._listed > MAX_LINKED:
                text = f"links in it lead to more than {MAX_LINKED:,} folders and files"
                raise SitemapError(str(self.root), text)
        return found

    def _is_linked(self, folder: str) -> bool:
        """Tell whether a folder is a link or below one."""
        while folder and folder not in self._links:
            folder = folder.rpartition("/")[0]
        return bool(folder)

    def is_site(self, folder: str) -> bool:
        """Tell whether a folder looks like the root of a site: it has a home page or a sitemap."""
        return any(self._is_there(folder, name) for name in ("index.html", *NAMES))

    def is_whole_site(self, folder: str) -> bool:
        """Tell whether a folder has what a whole site has, or a folder below, as for a language.

        A version does, while ``blog/2024`` has a home page at most.
        """
        places = (folder, *(f"{folder}/{name}" for name in self.folders(folder)))
        return any(self._is_there(place, name) for place in places for name in (*NAMES, *SITE_FILES))

    def is_own_site(self, folder: str) -> bool:
        """Tell whether Sphinx or MkDocs has built a site into a folder itself."""
        return any(self._is_there(folder, name) for name in SITE_FILES)

    def has_sitemap(self, folder: str) -> bool:
        """Tell whether a folder contains a sitemap."""
        return any(self._is_there(folder, name) for name in NAMES)

    def versions(self, folder: str) -> dict[str, list[str]]:
        """Return the versions that a ``versions.json`` in a folder names; see ``read_versions``.

        Otherwise those of a switcher, in the folder or in a branch's version, with the other folders that
        look like versions: a switcher often leaves out old ones.
        """
        if self._is_there(folder, "versions.json"):
            known = self._read_versions(f"{folder}/versions.json")
            if not known:
                self.empty.add(f"{folder}/versions.json".lstrip("/"))
            return known
        names = self.folders(folder)
        for place in ("", "_static", *(f"{name}/_static" for name in names if is_branch(name))):
            below = f"{folder}/{place}".strip("/")
            if self._is_there(below, _SWITCHER):
                found = self._read_versions(f"{below}/{_SWITCHER}")
                if found.keys() & set(names):
                    more = [name for name in names if self.is_whole_site(f"{folder}/{name}".lstrip("/"))]
                    return {**{name: [] for name in find_versions(more, {})}, **found}
        return {}

    def _read_versions(self, name: str) -> dict[str, list[str]]:
        try:
            data = read_plain(self.file(name), MAX_VERSIONS)
        except OSError:
            return {}
        self._versions += len(data)
        if self._versions > MAX_SITES_VERSIONS:
            text = f"the lists of versions of its sites have more than {MAX_SITES_VERSIONS:,} bytes"
            raise SitemapError(str(self.root), text)
        return read_versions(data)

    def read(self, folder: str) -> Site | None:
        """Return the site whose sitemap is in a folder, or ``None``. Raises ``SitemapError``."""
        names = (name for name in NAMES if self._is_there(folder, name))
        for name in names:
            site = Site(folder)
            files: dict[str, str] = {}  # each part once, even if the index or links repeat it
            for part in self._add(site, f"{folder}/{name}".lstrip("/")):
                files.setdefault(os.fspath(self.file(part)), part)
            for part in files.values():
                self._add(site, part)
            if site.sitemaps:
                return site
        return None

    def _add(self, site: Site, name: str) -> list[str]:
        """Add one file; return the parts that an index in the same folder names."""
        base = self._places.address(site.folder)
        newest: str | None = None
        pages = 0
        parts = []
        data = read_bytes(self.file(name))
        site.size += len(data)
        self._size += weight(data)
        if self._size > MAX_SITES:
            raise SitemapError(
                str(self.root), f"the sitemaps of its sites have more than {MAX_SITES:,} bytes"
            )
        if site.size > MAX_SITE:
            text = f"the sitemaps of this site have more than {MAX_SITE:,} bytes"
            raise SitemapError(str(self.root / name), text)
        for entry in parse_entries(data, str(self.root / name)):
            if entry.kind == "sitemap":
                part = urls.file_name(entry.loc)
                is_part = part not in NAMES and entry.loc == urls.join_file(base, part)
                if is_part and self._is_there(site.folder, part):
                    parts.append(f"{site.folder}/{part}".lstrip("/"))
                continue
            pages += 1
            lastmod = entry.lastmod or ""
            if len(lastmod) <= MAX_NUMBER and instant(lastmod):  # the index contains it as it is written
                newest = newest_date([newest, lastmod])
            if not entry.loc.startswith(base):
                site.url_outside = site.url_outside or entry.loc[: MAX_LOC + 1]
        if pages:
            site.pages += pages
            site.sitemaps.append(Sitemap(urls.join_file(base, urls.file_name("/" + name)), newest))
        return parts

    def _is_folder(self, entry: os.DirEntry[str], folder: str) -> bool:
        if entry.name.startswith("."):
            return False
        if not entry.is_symlink():
            return entry.is_dir()
        name = f"{folder}/{entry.name}".lstrip("/")
        above = self._above(folder)
        target = self._resolver.below(above, entry.name) if above else None
        # following a link to a parent folder would never end
        path = os.path.join(self.root, name)
        if not target or f"{path}{os.sep}".startswith(os.path.join(target, "")) or not os.path.isdir(target):
            return False
        is_followed = self._is_followed(path, target)
        if is_followed:
            self._links.add(name)
        return is_followed

    def _is_followed(self, path: str, target: str) -> bool:
        ways = self._ways[target]
        if len(ways) < MAX_LINKS:
            ways.add(path)
        return path in ways

    def _is_there(self, folder: str, name: str) -> bool:
        if name in _LOOKED_FOR and name not in self._list(folder).files:
            return False
        target = self._resolver.file(f"{folder}/{name}")
        if target is None:
            return False
        is_link = os.path.islink(os.path.join(self._above(folder) or "", name))
        return not is_link or self._is_followed(os.path.join(self.root, folder, name), target)
