"""A built site in a folder, whatever tool made it: its files, links, sitemaps and base URL.

Knows no rule and no generator, and writes nothing.
"""

from __future__ import annotations

import os
import posixpath
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence, Set
from itertools import islice
from pathlib import Path
from typing import Final
from urllib.parse import unquote, urlsplit

from docs_sitemap.limits import MAX_HEAD
from docs_sitemap.published import address
from docs_sitemap.readers.files import Resolver, entries_below, read_start
from docs_sitemap.readers.html import head_of, unescape
from docs_sitemap.readers.page_parts import hrefs

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
        for name, entry in entries_below(self.root):
            if entry.is_symlink():
                self._add_link(name)
            elif entry.is_file():
                self.files.add(name)
        self.pages = sorted(
            name for name in self.files - self._links.keys() if name.lower().endswith(_PAGE_ENDINGS)
        )

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


def base_of(home: str, listed: str) -> str:
    """Return a site's base URL, by the canonical links of its pages and by its sitemaps; both may be empty.

    Pages take precedence, unless they name another version.
    """
    return listed if home and listed and address.other_version(home, listed) else home or listed


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
"""The names of sitemaps to look for in a site."""


_SCHEME: Final = re.compile(r"[a-z][a-z0-9+.-]*:", re.IGNORECASE)
_UNKNOWN_BASE: Final = "https://unknown.invalid/"


def linked_paths(
    data: bytes, name: str, base: str, bases: Sequence[str], known: Set[bytes] = frozenset()
) -> Iterator[tuple[bytes, str]]:
    """Yield the links of a page but those that are ``known``, each with its path.

    The paths are relative to the site's base URL, with their escapes. ``base`` is the page's ``<base href>``,
    or empty; ``bases`` are the base URLs of the site. Links that begin with ``../`` are yielded from the root
    of the host, so that those of a navigation are the same on all pages.
    """
    folder = address.escape(name.rpartition("/")[0])
    if base and (place := _path_of(base, folder, bases)) is not None:
        folder = place.rpartition("/")[0]
    root = urlsplit(bases[0]).path if bases else "/"
    for link in _from_root(hrefs(data), folder, root) - known:
        text = unescape(link.decode("utf-8", "surrogateescape").strip())
        path = _path_of(text, folder, bases) if text else None
        if path is not None:
            yield link, path


def _from_root(links: set[bytes], folder: str, root: str) -> set[bytes]:
    """Return links without quotes, with their first ``../`` resolved; all at once, because they are many."""
    folders = folder.split("/") if folder else []
    text = b"\n" + b"\n".join(links)  # links have no line ends
    text = text.replace(b'\n"', b"\n").replace(b"\n'", b"\n")
    for up in range(len(folders), 0, -1):
        above = root + "".join(f"{each}/" for each in folders[:-up])
        text = text.replace(b"\n" + b"../" * up, b"\n" + above.encode("utf-8", "surrogateescape"))
    return set(text[1:].split(b"\n"))


def _path_of(link: str, folder: str, bases: Sequence[str]) -> str | None:
    """Return the path of a link on a page in a folder; ``None`` if it leads out of the site."""
    if link[0] != "/" and not _SCHEME.match(link):
        path = posixpath.normpath(f"/{folder}/{link}").strip("/")
        is_folder = link.rpartition("/")[2] in ("", ".", "..")
        return f"{path}/" if path and is_folder else path
    for site in bases or (_UNKNOWN_BASE,):
        url = address.join(site, link)
        if url.startswith(site):
            return url.removeprefix(site)
    return None
