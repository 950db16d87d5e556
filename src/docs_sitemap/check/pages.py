"""Read the pages of a built site in several processes: what their heads say, and what they link to."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from docs_sitemap.check.address import escape
from docs_sitemap.check.discovery import Tree, url_path
from docs_sitemap.limits import MAX_HEAD, MAX_LOC, MAX_PAGE
from docs_sitemap.pages import machine_page
from docs_sitemap.processes import spread
from docs_sitemap.readers import open_plain
from docs_sitemap.readers.html import head_of, hrefs, unescape

_SCHEME: Final = re.compile(r"[a-z][a-z0-9+.-]*:", re.IGNORECASE)

_ROOT: Final = "\0"
"""Marks a path from the site's root; links in pages cannot contain it."""

_FIXED: Final = (b"\0", b"/")
"""The first bytes of links that have the same target on all pages."""


class Links:
    """Turns the links of many pages into URL paths relative to the site's base URL.

    ``bases`` are the base URLs of the site, each ending in ``/``. Leading ``../`` are resolved for all links
    of a page at once: the links then have the same bytes on all pages, and known links are removed with one
    set operation. So most paths are returned once.
    """

    def __init__(self, bases: tuple[str, ...]) -> None:
        self._bases = bases
        self._hosts = [base.partition(":")[2] for base in bases]
        self._paths = ["/" + base.split("/", 3)[3] for base in bases] or ["/"]
        self._known: set[bytes] = set()  # links that have the same target on all pages
        self._folder = ""
        self._near: set[bytes] = set()  # links on pages in that folder

    def new(self, data: bytes, name: str, base: str = "") -> Iterator[str]:
        """Yield the paths that a page links to, except itself, and except most that were yielded before."""
        name = name.replace("%", "%25")  # as in a path, which whoever looks for its file decodes
        folder = name.rpartition("/")[0]
        if base:
            place = self._resolve(folder, base)
            folder = folder if place is None else place.rpartition("/")[0]
        if folder != self._folder:
            self._folder, self._near = folder, set()
        own = _own_paths(name)
        for link in _from_root(hrefs(data), folder) - self._known - self._near:
            path = self._resolve(folder, _text(link))
            if path is not None and path in own:
                continue  # not added to the known links: a link from another page counts
            (self._known if link[:1] in _FIXED else self._near).add(link)
            if path is not None:
                yield path

    def _resolve(self, folder: str, link: str) -> str | None:
        """Return the path relative to the site's base URL; ``None`` if the link is outside it."""
        if not link:
            return None
        if link[0] == _ROOT:
            return _clean(link[1:])
        if link[0] == "/" or (":" in link and _SCHEME.match(link)):
            starts = self._hosts if link.startswith("//") else self._paths if link[0] == "/" else self._bases
            start = next((start for start in starts if link.startswith(start)), None)
            return None if start is None else _clean(link.removeprefix(start))
        return _clean(f"{folder}/{link}" if folder else link)


def _from_root(links: set[bytes], folder: str) -> set[bytes]:
    """Return the links of a page without quotes, with the leading ``../`` resolved."""
    if not links:
        return links
    folders = folder.encode("utf-8", "surrogateescape").split(b"/") if folder else []
    text = b"\n" + b"\n".join(links)  # links contain no line ends
    text = text.replace(b'\n"', b"\n").replace(b"\n'", b"\n")
    for up in range(len(folders), 0, -1):
        above = b"".join(name + b"/" for name in folders[: len(folders) - up])
        text = text.replace(b"\n" + b"../" * up, b"\n\0" + above)
    return set(text[1:].split(b"\n"))


def _own_paths(name: str) -> tuple[str, ...]:
    """Return the URL paths of a page, not encoded."""
    folder, slash, file = name.rpartition("/")
    if file.startswith("index."):
        return (name, folder + slash, folder)
    return (name, name.rpartition(".")[0])


def _text(link: bytes) -> str:
    return unescape(link.decode("utf-8", "surrogateescape").strip())


def _clean(path: str) -> str:
    """Return a path with its dot segments resolved; ``%`` is not decoded."""
    if "./" not in path and not path.endswith("."):
        return path
    kept: list[str] = []
    *segments, last = path.split("/")
    if last in (".", ".."):
        segments.append(last)
        last = ""
    for segment in segments:
        if segment == "..":
            del kept[-1:]
        elif segment != ".":
            kept.append(segment)
    return "/".join([*kept, last])


Progress = Callable[[int, int], None]
"""Called with the number of pages read and the total."""

_CHUNK: Final = 500
_FEW: Final = 1_000
"""Up to this number of pages, one process is faster than starting more."""


class Facts(NamedTuple):
    """What a page's head declares.

    ``canonical`` is the canonical link as written, ``None`` if it ``is_too_long`` for the protocol.
    ``hrefs`` maps hreflang in lower case to the first href as written, for the languages of the sitemaps.
    ``complete`` is false for an HTML fragment; ``utility`` is the kind of a utility page, or empty.
    """

    noindex: bool
    refresh: bool
    canonical: str | None
    is_too_long: bool
    hrefs: dict[str, str]
    complete: bool
    utility: str


@dataclass(frozen=True, slots=True)
class Task:
    """The parameters of each process; ``bases`` are the site's base URLs, the most likely first.

    ``languages`` are the codes that the sitemaps have, in lower case: other links of pages are not kept.
    """

    tree: Tree
    bases: tuple[str, ...]
    with_links: bool
    languages: frozenset[str] = frozenset()


def read_pages(
    names: Sequence[str], task: Task, jobs: int, progress: Progress
) -> tuple[dict[str, Facts], set[str]]:
    """Return the facts of pages by name, in the order of ``names``, and the files that they link to.

    Unreadable pages have no facts. A page's links to itself do not count.
    """
    facts: dict[str, Facts] = {}
    linked: set[str] = set()
    chunks = [names[at : at + _CHUNK] for at in range(0, len(names), _CHUNK)]
    processes = jobs if len(names) > _FEW else 1
    for more_facts, more_linked in spread(read_chunk, task, chunks, processes):
        facts |= more_facts
        linked |= more_linked
        progress(len(facts), len(names))
    return facts, linked


def read_chunk(task: Task, names: Sequence[str]) -> tuple[dict[str, Facts], set[str]]:
    """Read some pages; return their facts by name, and the files that they link to."""
    links = Links(task.bases)
    facts: dict[str, Facts] = {}
    linked: set[str] = set()
    for name in names:
        try:
            data = _content(os.path.join(task.tree.root, name), task)
        except OSError:
            continue
        head = head_of(data[:MAX_HEAD], task.bases[0] + escape(url_path(name)) if task.bases else None)
        is_too_long = len(head.canonical or "") > MAX_LOC
        hrefs = {code.lower(): href for code, href in reversed(head.alternates)}
        facts[name] = Facts(
            head.noindex,
            bool(head.refresh),
            None if is_too_long else head.canonical,
            is_too_long,
            {code: href for code, href in hrefs.items() if code in task.languages},
            head.is_document,
            machine_page(task.tree.root, name),
        )
        if task.with_links:
            paths = links.new(data[head.end :], name, head.base)
            linked.update(filter(None, map(task.tree.file_at, paths)))
    return facts, linked


def _content(path: str, task: Task) -> bytes:
    with open_plain(path) as stream:
        # not just the limit: read() would allocate that much memory for each page
        size = os.fstat(stream.fileno()).st_size
        return stream.read(min(MAX_PAGE if task.with_links else MAX_HEAD, size))
