"""Find a built site's files, its sitemaps, and its base URL."""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Final
from urllib.parse import unquote

from docs_sitemap.check import address
from docs_sitemap.check.findings import Found
from docs_sitemap.check.served import RobotsText
from docs_sitemap.files.urlset import SIGNATURE
from docs_sitemap.limits import MAX_BYTES, MAX_HEAD
from docs_sitemap.readers import Resolver, read_start
from docs_sitemap.readers.html import head_of
from docs_sitemap.sitemaps import GZIP_MAGIC, Document, Entry, gunzip, read_document

_PAGE_ENDINGS: Final = (".html", ".htm", ".xhtml")
_INDEXES: Final = ("index.html", "index.htm")


class Tree:
    """A site's folder. Names are relative, with ``/``; ``files`` has all, ``pages`` the HTML files, sorted.

    A link to a file inside the folder is a file, but not a page. Linked folders, such as mike's aliases, are
    not walked: their pages are already included.
    """

    def __init__(self, root: Path) -> None:
        self.root = Path(os.path.realpath(root))
        self.files: set[str] = set()
        self._links: dict[str, str] = {}  # to files, with their real paths
        self._has_linked_folders = False
        self._resolver = Resolver(self.root)
        folders = [""]
        while folders:
            folders += self._add_folder(folders.pop())
        self.pages = sorted(
            name for name in self.files - self._links.keys() if name.lower().endswith(_PAGE_ENDINGS)
        )

    def _add_folder(self, prefix: str) -> list[str]:
        """Add the files of a folder; return the folders in it."""
        folders = []
        try:
            with os.scandir(os.path.join(self.root, prefix)) as entries:
                for entry in entries:
                    if entry.is_symlink():
                        self._add_link(prefix + entry.name)
                    elif entry.is_file():
                        self.files.add(prefix + entry.name)
                    elif entry.is_dir() and entry.name != ".git":
                        folders.append(f"{prefix}{entry.name}/")
        except OSError:
            pass  # an unreadable folder is not published either
        return folders

    def _add_link(self, name: str) -> None:
        real = self._resolver.real(name)
        if real and os.path.isfile(real):
            self.files.add(name)
            self._links[name] = real
        elif real and os.path.isdir(real):
            self._has_linked_folders = True

    def file_at(self, path: str) -> str | None:
        """Return the file that a static host serves for a URL path relative to the site's, or ``None``.

        ``a/`` is its index; ``a`` is the file of that name, otherwise ``a.html``, otherwise the folder's
        index.
        """
        path = unquote(path, errors="surrogateescape")
        names = [f"{path}{index}" for index in _INDEXES]
        if path and not path.endswith("/"):
            names = [path, f"{path}.html", *(f"{path}/{index}" for index in _INDEXES)]
        found = next((name for name in names if name in self.files), None)
        if found is None and self._has_linked_folders:
            return next(filter(None, map(self._behind_links, names)), None)
        return found

    def _behind_links(self, path: str) -> str | None:
        """Return the file that a path leads to through linked folders."""
        real = self._resolver.file(path)
        name = os.path.relpath(real, self.root).replace(os.sep, "/") if real else ""
        return name if name in self.files else None

    def real(self, name: str) -> str:
        """Return the real path of one of the files, with links resolved."""
        return self._links.get(name) or os.path.join(self.root, name)

    def read(self, name: str, limit: int) -> bytes | None:
        """Return up to ``limit`` bytes of one of the files, or ``None`` if it cannot be read."""
        try:
            return read_start(self.real(name), limit)
        except OSError:
            return None

    def modified(self, name: str) -> float | None:
        """Return when a file was written, in POSIX seconds."""
        try:
            return os.stat(self.real(name)).st_mtime
        except OSError:
            return None


def url_path(name: str) -> str:
    """Return the URL path of a page, not encoded; for an index page, that of its folder."""
    folder, slash, file = name.rpartition("/")
    return folder + slash if file in _INDEXES else name


_PAGES: Final = 20
"""How many pages to search for the site's base URL if the home page does not give it."""

_SAMPLE: Final = 300
"""How many URLs to try when guessing a site's base URL."""


def home_address(tree: Tree) -> str:
    """Return the site's base URL from the canonical links of its pages, or an empty string.

    Uses the link of the home page unless that is a redirect, otherwise a page whose link ends with the
    page's own path.
    """
    home = tree.file_at("")
    canonical = _canonical(tree, home) if home else ""
    if canonical:
        return _folder_of(canonical)
    for name in islice(tree.pages, 0, None, max(1, len(tree.pages) // _PAGES)):
        path = address.escape(url_path(name))
        canonical = _canonical(tree, name) if path else ""
        base = canonical.removesuffix(path)
        if canonical.endswith("/" + path) and address.split(base):  # a path may begin with the host's name
            return base
    return ""


def _canonical(tree: Tree, name: str) -> str:
    head = head_of(tree.read(name, MAX_HEAD) or b"")
    return "" if head.refresh else head.canonical or ""


def _folder_of(url: str) -> str:
    """Return a URL up to its last ``/``: the URL of a site, given that of its home page.

    >>> _folder_of("https://example.org/docs/index.html")
    'https://example.org/docs/'
    """
    found = address.split(url)
    if not found:
        return ""
    folder, _, last = found.path.rpartition("/")
    if last and "." not in last:
        folder += "/" + last  # some hosts serve folders without the trailing slash
    return found.origin + folder + "/"


def likely_base(tree: Tree, urls: Sequence[str], preferred: str) -> str:
    """Return the base URL under which most URLs lead to files; on a tie, the preferred one."""
    sample = urls[:: max(1, len(urls) // _SAMPLE)]
    best, hits = best_base(tree, sample)
    if preferred:
        below = [url.removeprefix(preferred) for url in sample if url.startswith(preferred)]
        if sum(tree.file_at(re.split("[?#]", path)[0]) is not None for path in below) >= hits:
            return preferred
    return best or preferred


def best_base(tree: Tree, urls: Iterable[str]) -> tuple[str, int]:
    """Return the base URL under which most of the URLs lead to files of a site, and how many do.

    If several are equal, the shortest; ``("", 0)`` if there is none.
    """
    hits: Counter[str] = Counter()
    for parts in filter(None, map(address.split, urls)):
        segments = parts.path.split("/")
        for at in range(1, len(segments)):
            if tree.file_at("/".join(segments[at:])):
                hits[parts.origin + "/".join(segments[:at]) + "/"] += 1
    return min(hits.items(), key=lambda found: (-found[1], len(found[0]), found[0]), default=("", 0))


WELL_KNOWN: Final = (
    *("sitemap.xml", "sitemap_index.xml", "sitemap-index.xml", "sitemapindex.xml", "sitemaps.xml"),
    *("sitemap/sitemap.xml", "sitemap/index.xml"),
    *("sitemap.xml.gz", "sitemap_index.xml.gz", "sitemap-index.xml.gz"),
    *("sitemap.txt", "sitemap.txt.gz"),
)
_START: Final = 4096
"""Bytes of a sitemap that have its signature and its first element."""


@dataclass(slots=True)
class Child:
    """An entry of an index: ``name`` is its file in the site's folder, ``None`` if it is missing."""

    index: Document
    entry: Entry
    name: str | None

    def in_index(self, message: str, *, cause: Hashable = None) -> Found:
        """Return a finding about the sitemap, at its line in the index."""
        return Found(message, self.entry.loc, self.index.name, line=self.entry.line, cause=cause)


@dataclass(slots=True)
class Sitemaps:
    """The sitemaps of a site.

    ``roots`` are the files that a crawler starts from, ``parts`` those that an index names, ``copies``
    their text or gzip copies, but for gzip copies without faults. ``unreferenced`` are sitemaps in subfolders
    that nothing names, such as those of versions and languages: they show what is listed there, but are not
    checked.
    """

    roots: list[Document] = field(default_factory=list)
    parts: list[Document] = field(default_factory=list)
    copies: list[Document] = field(default_factory=list)
    unreferenced: list[Document] = field(default_factory=list)
    children: list[Child] = field(default_factory=list)
    missing: list[str] = field(default_factory=list)

    @property
    def all(self) -> list[Document]:
        """The sitemaps to check, without copies."""
        return [*self.roots, *self.parts]


class Finder:
    """Finds the sitemaps of one site and reads each once; ``base`` is its base URL, or empty."""

    def __init__(self, tree: Tree, base: str) -> None:
        self._tree = tree
        self._base = base
        self._read: set[str] = set()  # real paths: links may lead to the same file
        self._copies: set[str] = set()
        self.found = Sitemaps()

    def find(self, names: Sequence[str], robots: RobotsText | None) -> Sitemaps:
        """Find the sitemaps: those in ``names`` if given, otherwise by robots.txt and common names."""
        files = self._tree.files
        if names:
            self.found.missing = [name for name in names if name not in files]
            self._add_roots((name for name in names if name in files), for_theme=True)
        else:
            self._add_roots(self._named(robots) if robots else ())
            self._add_roots(name for name in WELL_KNOWN if name in files)
            if not self.found.roots:
                self._add_roots(self._signed())
            self._add_unreferenced()
        for document in self.found.all:
            self._add_copies(document)
        return self.found

    def _named(self, robots: RobotsText) -> Iterator[str]:
        """Yield the files that robots.txt names, even if the site's base URL is not known yet."""
        for url in robots.sitemap_urls:
            is_below = self._base and url.startswith(self._base)
            base = self._base if is_below else best_base(self._tree, [url])[0]
            if base and (name := self._tree.file_at(url.removeprefix(base))):
                yield name

    def _signed(self) -> list[str]:
        """Return the sitemaps beside the home page that docs-sitemap wrote, indexes before their parts.

        With another ``filename``, none has a common name, and on Read the Docs no robots.txt names it.
        """
        names = sorted(name for name in self._tree.files if name.endswith(".xml") and "/" not in name)
        starts = {name: self._tree.read(name, _START) or b"" for name in names}
        kinds = (b"<sitemapindex", b"<urlset")
        return [
            name for kind in kinds for name, start in starts.items() if SIGNATURE in start and kind in start
        ]

    def _add_roots(self, names: Iterable[str], *, for_theme: bool = False) -> None:
        for name in names:
            if name in self._copies or self._is_read(name):
                continue
            document = self._document(name)
            if for_theme or not document.for_theme:
                self.found.roots.append(document)
                if document.kind == "index":
                    self._add_parts(document)

    def _add_parts(self, index: Document) -> None:
        base = likely_base(self._tree, [entry.loc for entry in index.entries], self._base)
        for entry in index.entries:
            is_below = base and entry.loc.startswith(base)
            name = self._tree.file_at(entry.loc.removeprefix(base)) if is_below else None
            self.found.children.append(Child(index, entry, name))
            if name and not self._is_read(name):
                self.found.parts.append(self._document(name))

    def _add_unreferenced(self) -> None:
        names = sorted(name for name in self._tree.files if name.endswith("/sitemap.xml"))
        documents = [self._document(name) for name in names if not self._is_read(name)]
        found = [document for document in documents if not document.for_theme]
        if self.found.roots:
            self.found.unreferenced = found
        else:
            self.found.roots = found

    def _is_read(self, name: str) -> bool:
        return self._tree.real(name) in self._read

    def _document(self, name: str) -> Document:
        self._read.add(self._tree.real(name))
        self._copies.update(_copies_of(name))
        data = self._tree.read(name, MAX_BYTES + 1)
        if data is not None:
            return read_document(name, data)
        document = Document(name)
        document.refuse("F6", "cannot be read")
        return document

    def _add_copies(self, original: Document) -> None:
        """Add the copies; those with the same content or URLs are not checked again."""
        for copy in _copies_of(original.name):
            if copy not in self._tree.files or self._is_read(copy):
                continue
            is_packed = copy == original.name + ".gz"
            is_same = is_packed and original.whole and self._content(copy) == self._content(original.name)
            if is_same and self._tree.read(copy, 2) == GZIP_MAGIC:
                continue
            document = self._document(copy)
            if is_packed and not is_same and document.whole:
                document.refuse("F6", f"is not a compressed copy of {original.name}: the contents differ")
            elif [entry.loc for entry in document.entries] == [entry.loc for entry in original.entries]:
                document.kind = original.kind
            self.found.copies.append(document)

    def _content(self, name: str) -> bytes | None:
        return gunzip(self._tree.read(name, MAX_BYTES) or b"")


def _copies_of(name: str) -> list[str]:
    """Return the names of a sitemap's gzip and text copies."""
    found = [name + ".gz"] if name.endswith((".xml", ".txt")) else []
    if name.endswith((".xml", ".xml.gz")):
        text = name.removesuffix(".gz").removesuffix(".xml") + ".txt"
        found += [text, text + ".gz"]
    return found
