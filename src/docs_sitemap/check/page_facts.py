"""Read the pages of a built site in several processes: what their heads say, and what they link to."""

from __future__ import annotations

import os
import posixpath
import re
from collections.abc import Callable, Iterator, Sequence, Set
from dataclasses import dataclass
from functools import cache
from typing import Final, NamedTuple
from urllib.parse import urlsplit

from docs_sitemap.check.address import escape, join
from docs_sitemap.check.discovery import Tree
from docs_sitemap.limits import MAX_HEAD, MAX_PAGE
from docs_sitemap.pages.utility_pages import machine_page
from docs_sitemap.processes import spread
from docs_sitemap.readers import open_plain
from docs_sitemap.readers.html import head_of, unescape
from docs_sitemap.readers.page_parts import hrefs

_SCHEME: Final = re.compile(r"[a-z][a-z0-9+.-]*:", re.IGNORECASE)
_UNKNOWN_BASE: Final = "https://unknown.invalid/"

Progress = Callable[[int, int], None]
"""Called with the number of pages read and the total."""

_CHUNK: Final = 500
_ALONE: Final = 1_000
"""Up to this number of pages, one process is faster than starting more."""


class Facts(NamedTuple):
    """What a page's head declares.

    ``canonical`` is the canonical link as written. ``hrefs`` maps hreflang in lower case to the first href as
    written, for the languages of the sitemaps. ``complete`` is false for an HTML fragment; ``utility`` is the
    kind of a utility page, or empty.
    """

    noindex: bool
    refresh: bool
    canonical: str | None
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
    processes = jobs if len(names) > _ALONE else 1
    for more_facts, more_linked in spread(read_chunk, task, chunks, processes):
        facts |= more_facts
        linked |= more_linked
        progress(len(facts), len(names))
    return facts, linked


def read_chunk(task: Task, names: Sequence[str]) -> tuple[dict[str, Facts], set[str]]:
    """Read some pages; return their facts by name, and the files that they link to."""
    facts: dict[str, Facts] = {}
    linked: set[str] = set()
    file_at = cache(task.tree.file_at)
    known: set[bytes] = set()  # links that have the same target on all pages, such as those of a navigation
    for name in names:
        try:
            data = _content(os.path.join(task.tree.root, name), task)
        except OSError:
            continue
        head = head_of(data[:MAX_HEAD])
        hrefs_by_code = {code.lower(): href for code, href in reversed(head.alternates)}
        facts[name] = Facts(
            head.noindex,
            bool(head.refresh),
            head.canonical,
            {code: href for code, href in hrefs_by_code.items() if code in task.languages},
            head.is_document,
            machine_page(task.tree.root, name),
        )
        if task.with_links:
            for link, path in linked_paths(data[head.end :], name, head.base, task.bases, known):
                file = file_at(path)
                if file == name:  # a page that only itself links to is not linked
                    continue
                if file:
                    linked.add(file)
                if link.startswith((b"/", b"http")):
                    known.add(link)
    return facts, linked


def linked_paths(
    data: bytes, name: str, base: str, bases: Sequence[str], known: Set[bytes] = frozenset()
) -> Iterator[tuple[bytes, str]]:
    """Yield the links of a page but those that are ``known``, each with its path.

    The paths are relative to the site's base URL, with their escapes. ``base`` is the page's ``<base href>``,
    or empty; ``bases`` are the base URLs of the site. Links that begin with ``../`` are yielded from the root
    of the host, so that those of a navigation are the same on all pages.
    """
    folder = escape(name.rpartition("/")[0])
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
        url = join(site, link)
        if url.startswith(site):
            return url.removeprefix(site)
    return None


def _content(path: str, task: Task) -> bytes:
    with open_plain(path) as stream:
        # not just the limit: read() would allocate that much memory for each page
        size = os.fstat(stream.fileno()).st_size
        return stream.read(min(MAX_PAGE if task.with_links else MAX_HEAD, size))
