"""Where a page of another version leads: the URL of the same page in the current version."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property
from pathlib import Path
from typing import Final, NamedTuple

from docs_sitemap import urls
from docs_sitemap.brief import shown
from docs_sitemap.errors import DocsSitemapError
from docs_sitemap.limits import MAX_LOC, MAX_PATH
from docs_sitemap.marks import Addresses, absolute, page_names, read_to_body, unmarked
from docs_sitemap.untrusted import Resolver
from docs_sitemap.urls import packed, unpacked
from docs_sitemap.versions.policy import Group

_HOPS: Final = 10
_MOST_KEPT: Final = 200_000
"""Pages whose names are kept in memory from the first listing; others are listed again."""
_MOST_DECLARED: Final = 64 << 20
"""Bytes of URLs in heads that are kept: those of usual pages have a hundred. Other heads are read again."""


class Pages:
    """The pages of a tree's versions: each folder is listed once, and each head read once, for all groups.

    A page is that of the version whose folder is next above it. ``leftovers`` are the folders with temporary
    files, of those whose pages were counted.
    """

    def __init__(self, root: Path, groups: Iterable[Group]) -> None:
        self._root = root
        self._own = {v.real for group in groups for v in group.versions if not v.is_link}
        self._currents = {group.current.real for group in groups}
        self._resolver = Resolver(root)
        self.leftovers: set[str] = set()
        self._counted: dict[str, list[bytes]] = {}
        self._kept = 0
        self._declared: dict[str, Declared] = {}
        self._size = 0

    def count(self, folder: str) -> int:
        """Return the number of pages of a version; up to ``_MOST_KEPT`` in all are kept."""
        names = [packed(name) for name in page_names(self._root, folder, self.leftovers, self._own)]
        if self._kept + len(names) <= _MOST_KEPT:
            self._counted[folder] = names
            self._kept += len(names)
        return len(names)

    def below(self, folder: str) -> Iterable[str]:
        """Return the pages of the version in a folder, as paths from the root."""
        return map(unpacked, self._below(folder))

    def _below(self, folder: str) -> Iterable[bytes]:
        return self._counted.get(folder) or map(packed, page_names(self._root, folder, without=self._own))

    @cached_property
    def _current(self) -> frozenset[bytes]:
        return frozenset(name for folder in self._currents for name in self._below(folder))

    def is_current(self, name: str) -> bool:
        """Tell whether a path from the root is that of a page of a current version."""
        return packed(name) in self._current

    def has(self, name: str) -> bool:
        """Tell whether the tree has a page, which may be behind a link inside the tree."""
        return self._resolver.file(name) is not None

    def declared(self, name: str) -> Declared:
        """Return what a page declares, given its path in the tree; nothing if it cannot be read."""
        declared = self._declared.get(name)
        if declared is None:
            declared = self._read(name)
            self._size += len(declared.refresh) + len(declared.canonical or b"") + len(declared.base)
            if self._size <= _MOST_DECLARED:
                self._declared[name] = declared
        return declared

    def _read(self, name: str) -> Declared:
        try:
            data, is_whole = read_to_body(self._resolver.file(name) or "")
        except OSError:
            return Declared(b"", False, None, b"")
        head = unmarked(data, is_whole=is_whole)[1]  # it may have been an old version
        is_one = len(head.canonicals) == 1 and not head.refresh
        canonical = _cut(head.canonicals[0][1]) if is_one else None
        return Declared(_cut(head.refresh), bool(head.noindex), canonical, _cut(head.base))


class Declared(NamedTuple):
    """What a page's head declares; the URLs are as written, but cut one character beyond ``MAX_LOC``.

    Beside a redirect, no canonical link counts.
    """

    refresh: bytes
    noindex: bool
    canonical: bytes | None
    base: bytes


def _cut(url: str) -> bytes:
    return packed(url[: MAX_LOC + 1])


class Place(NamedTuple):
    """Where the current version is served: its URL, that of the tree, and those of aliases and others."""

    address: str
    base: str
    own: Addresses
    others: Addresses

    def is_current(self, url: str) -> bool:
        """Tell whether a URL is below that of the current version, or of an alias."""
        return self.own.above(url) is not None

    def is_other(self, url: str) -> bool:
        """Tell whether a URL is that of another version."""
        return self.others.above(url) is not None

    def is_published(self, url: str, pages: Pages) -> bool:
        """Tell whether a URL is that of a page in the tree that is in no other version."""
        if not url.startswith(self.base) or self.is_other(url):
            return False
        path = urls.path_behind(url, self.base)
        return any(pages.has(form) for form in (*forms(path), path))


class Targets:
    """The pages of the current version, in the folder ``real``; ``place`` says where it is served.

    ``moved`` maps old paths in a version to new ones; ``used`` gets those that led to a page. ``missing`` is
    a URL that a canonical link of the current version names, although the tree has no such page; ``excluded``
    are pages to which old ones would lead, but which are noindex. Raises ``DocsSitemapError`` if the current
    version has no page.
    """

    def __init__(self, pages: Pages, real: str, place: Place, moved: Mapping[str, str]) -> None:
        self._pages = pages
        self._folder = f"{real}/"
        self._address = place.address
        self._place = place
        self._moved = moved
        self.used: set[str] = set()
        self.missing = ""
        self.excluded: set[str] = set()
        if not any(pages.below(real)):
            raise DocsSitemapError(f"{shown(real, MAX_PATH)}: the current version has no page.")
        self._known: dict[bytes, str | None] = {}
        # many redirects may lead to the same page
        self._steps: dict[bytes, tuple[str | None, str | None]] = {}

    @property
    def is_excluded(self) -> bool:
        """Whether the home page of the current version is noindex."""
        return self._has("index.html") and self.of("index.html") is None and bool(self.excluded)

    def of(self, name: str) -> str | None:
        """Return the absolute URL for a page, given its path in its version; ``None`` if there is none."""
        key = packed(name)
        if key not in self._known:
            self._known[key] = self._find(name)
        return self._known[key]

    def _find(self, name: str) -> str | None:
        old = self._old(name)
        for wanted in (self._moved[old], name) if old else (name,):
            found = next((each for each in forms(wanted) if self._has(each)), None)
            if found:
                self.used |= {old} if old and wanted != name else set()
                return self._follow(found)
        return None

    def _old(self, name: str) -> str | None:
        """Return the old path of a page in ``moved``, in which it may be in any form."""
        ending = "/index.html" if name.endswith("/index.html") else ".html"
        stem = name.removesuffix(ending)
        ways = (name, f"{stem}.html", f"{stem}/", f"{stem}/index.html", stem)
        return next((each for each in ways if each in self._moved and name in forms(each)), None)

    def _has(self, name: str) -> bool:
        return self._pages.is_current(self._folder + name)

    def _follow(self, name: str) -> str | None:
        """Return the URL of a page, or of the one to which its redirects lead, unless it is excluded."""
        for _ in range(_HOPS):
            key = packed(name)
            if key not in self._steps:
                self._steps[key] = self._step(name)
            url, target = self._steps[key]
            if target is None:
                return url
            name = target
        return None

    def _step(self, name: str) -> tuple[str | None, str | None]:
        """Return the URL of a page, unless it is excluded, or the page to which its redirect leads."""
        head = self._pages.declared(self._folder + name)
        if head.refresh:
            url = absolute(self.url(name), unpacked(head.base), unpacked(head.refresh))
            target = self._name(url)
            if target is None and self._place.is_published(url, self._pages):
                return url, None
            return None, target
        if head.noindex:
            self.excluded.add(self._folder + name)
            return None, None
        url = self._canonical(self.url(name), head)
        return url if len(url) <= MAX_LOC else None, None

    def _canonical(self, url: str, head: Declared) -> str:
        """Return the canonical URL that a page names, unless another version has it, or this one has not."""
        written = url if head.canonical is None else unpacked(head.canonical)
        if written == url:
            return url
        canonical = absolute(url, unpacked(head.base), written) or url
        if self._place.is_other(canonical):
            return url
        if canonical.startswith(self._place.base) and not self._is_there(canonical):
            if self._place.is_current(canonical):
                return url
            self.missing = canonical
        return canonical

    def _is_there(self, url: str) -> bool:
        return self._name(url) is not None or self._place.is_published(url, self._pages)

    def url(self, name: str) -> str:
        """Return the URL of a page of the current version, given its path in it."""
        folder, slash, file = name.rpartition("/")
        path = folder + slash if file == "index.html" else name
        return urls.join_file(self._address, path) if path else self._address

    def _name(self, url: str) -> str | None:
        """Return the page of a URL in the current version, or in an alias."""
        address, _ = self._place.own.above(url) or ("", None)
        if not address or not url.startswith(address):
            return None
        path = urls.path_behind(url, address)
        forms = (f"{path}index.html",) if path == "" or path.endswith("/") else (path, f"{path}/index.html")
        return next((each for each in (*forms, f"{path}.html") if self._has(each)), None)


def forms(path: str) -> tuple[str, ...]:
    """Return the file of a page, and that of the same page from the builder that makes folders, or not.

    >>> forms("guide/install.html")
    ('guide/install.html', 'guide/install/index.html')
    """
    if path.endswith("/"):
        path += "index.html"
    if path.endswith("/index.html"):
        return path, path.removesuffix("/index.html") + ".html"
    return path, path.removesuffix(".html") + "/index.html"
