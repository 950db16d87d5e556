"""Read all pages of a site, with several processes if there are many."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from docs_sitemap.check.address import escape
from docs_sitemap.check.kept_names import ByName, KeptNames
from docs_sitemap.check.links import Links
from docs_sitemap.check.tree import Tree, url_path
from docs_sitemap.limits import MAX_HEAD, MAX_LANGUAGES, MAX_LINKING_PAGE, MAX_LOC
from docs_sitemap.pages import machine_page
from docs_sitemap.processes import spread
from docs_sitemap.untrusted import open_plain
from docs_sitemap.untrusted.html import head_of, read_to_end_of_head
from docs_sitemap.urls import packed, unpacked

Progress = Callable[[int, int], None]
"""Called with the number of pages read and the total."""

_LONGER: Final = b"x" * (MAX_LOC + 1)
"""Stands for each address that is too long."""

_USUAL: Final = 200
"""Bytes that each link to another language may have; all links of a page have ``MAX_LOC`` bytes more."""

_CHUNK: Final = 500
_FEW: Final = 1_000
"""Up to this number of pages, one process is faster than starting more."""


class Facts(NamedTuple):
    """What a page's head declares.

    ``hrefs`` maps hreflang in lower case to the first href as written, for the languages of the sitemaps.
    ``complete`` is false for an HTML fragment; ``utility`` is the kind of a utility page, or empty. Addresses
    are kept in UTF-8: one emoji makes text of 2,000 characters take 8,000 bytes, in each of 25,000 pages.
    Those of more than ``MAX_LOC`` bytes, which are longer in a URL, are not kept.
    """

    noindex: bool
    refresh: bool
    declared: bytes | None
    hrefs: dict[str, bytes]
    complete: bool
    utility: str

    @property
    def canonical(self) -> str | None:
        """The canonical link as written, or text of more than ``MAX_LOC`` characters for a longer one."""
        return None if self.declared is None else unpacked(self.declared)

    def alternate(self, code: str) -> str | None:
        """Return the href for a language as written; the code is in lower case."""
        return unpacked(self.hrefs[code]) if code in self.hrefs else None


def _bytes(address: str) -> bytes:
    found = packed(address[: MAX_LOC + 1])
    return found if len(found) <= MAX_LOC else _LONGER


@dataclass(frozen=True, slots=True)
class Task:
    """The parameters of each process; ``bases`` are the site's base URLs, the most likely first.

    ``languages`` are the codes that the sitemaps have, in lower case. All others of pages would take memory
    for nothing: those of 50,000 pages took 500 MB.
    """

    tree: Tree
    bases: tuple[str, ...]
    with_links: bool
    languages: frozenset[str] = frozenset()


def read_pages(
    names: KeptNames, task: Task, jobs: int, progress: Progress
) -> tuple[ByName[Facts], KeptNames]:
    """Return the facts of pages by name, in the order of ``names``, and the files that they link to.

    Unreadable pages have no facts. A page's links to itself do not count.
    """
    facts: dict[bytes, Facts] = {}
    linked = KeptNames(task.tree.files)
    packed_names = names.packed()
    chunks = [packed_names[at : at + _CHUNK] for at in range(0, len(names), _CHUNK)]
    processes = max(1, min(jobs, len(chunks))) if len(names) > _FEW else 1
    task.tree.share(processes)
    for read, more_facts, more_linked in spread(_read, task, chunks, processes):
        facts.update(zip(map(names.kept, read), more_facts, strict=True))
        for name in more_linked:
            linked.add_packed(name)
        progress(len(facts), len(names))
    return ByName(facts), linked


def _read(task: Task, names: list[bytes]) -> tuple[list[bytes], list[Facts], list[bytes]]:
    facts, linked = read_chunk(task, [*map(unpacked, names)])
    return [*map(packed, facts)], [*facts.values()], [*map(packed, linked)]


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
        utility = machine_page(task.tree.root, name)
        declared = None if head.canonical is None else _bytes(head.canonical)
        hrefs = _first_of_each(head.alternates, task.languages)
        facts[name] = Facts(head.noindex, head.refresh, declared, hrefs, head.is_document, utility)
        if task.with_links:
            base = head.base if len(head.base) <= MAX_LOC else ""
            # at once: the paths may take much more memory than the page
            linked.update(filter(None, map(task.tree.file_at, links.new(data[head.end :], name, base))))
    return facts, linked


def _first_of_each(alternates: tuple[tuple[str, str], ...], languages: frozenset[str]) -> dict[str, bytes]:
    """Return up to ``MAX_LANGUAGES`` of these codes with their first href, unless that is too long.

    As all are if together they are much longer than usual ones.
    """
    found: dict[str, bytes] = {}
    left = MAX_LOC
    for code, href in alternates[:MAX_LANGUAGES]:
        name = code.lower()
        if name in languages and name not in found and (address := _bytes(href)) is not _LONGER:
            left -= len(address) - _USUAL
            if left < 0:
                break
            found[name] = address
    return found


def _content(path: str, task: Task) -> bytes:
    with open_plain(path) as stream:
        if task.with_links:
            # not just the limit: read() would allocate that much memory for each page
            status = os.fstat(stream.fileno())
            return stream.read(min(MAX_LINKING_PAGE, status.st_size))
        return read_to_end_of_head(stream.read)
