"""Read the pages of a built site: what their heads say, and what they link to."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final, NamedTuple

from docs_sitemap.limits import MAX_HEAD, MAX_PAGE
from docs_sitemap.pages.hosting import Serving
from docs_sitemap.pages.utility_pages import machine_page
from docs_sitemap.published import Tree, linked_paths
from docs_sitemap.readers.files import open_plain
from docs_sitemap.readers.html import head_of

Progress = Callable[[int, int], None]
"""Called with the number of pages read and the total."""

_SHOWN: Final = 500
"""Pages after which the progress is shown."""


class Facts(NamedTuple):
    """What a page's head declares.

    ``canonical`` is the canonical link as written. ``hrefs`` maps hreflang in lower case to the first href as
    written, for the languages of the sitemaps. ``complete`` is false for an HTML fragment; ``utility`` is the
    kind of a utility page, or empty. ``language`` is the primary subtag of ``<html lang>`` in lower case, or
    empty. ``canonicals`` are the canonical links as written, if there are different ones. ``redirected`` is
    the first link by alphabet that the hosting service redirects, and empty if links are not read.
    """

    noindex: bool
    refresh: bool
    canonical: str | None
    hrefs: dict[str, str]
    complete: bool
    utility: str
    language: str
    canonicals: tuple[str, ...] = ()
    redirected: str = ""

    @property
    def is_for_readers(self) -> bool:
        """Whether the page is one for readers, whatever it says to engines."""
        return self.complete and not (self.refresh or self.utility)

    @property
    def is_indexable(self) -> bool:
        """Whether the page is one for readers, which engines may index."""
        return self.is_for_readers and not self.noindex


@dataclass(frozen=True, slots=True)
class Task:
    """What to read; ``bases`` are the site's base URLs, the most likely first.

    ``languages`` are the codes that the sitemaps have, in lower case: other links of pages are not kept.
    """

    tree: Tree
    bases: tuple[str, ...]
    with_links: bool
    languages: frozenset[str] = frozenset()
    serving: Serving | None = None


def read_pages(names: Sequence[str], task: Task, progress: Progress) -> tuple[dict[str, Facts], set[str]]:
    """Return the facts of pages by name, in the order of ``names``, and the files that they link to.

    Unreadable pages have no facts. A page's links to itself do not count.
    """
    facts: dict[str, Facts] = {}
    linked: set[str] = set()
    file_at = cache(task.tree.file_at)
    known: set[bytes] = set()  # links that have the same target on all pages, such as those of a navigation
    for number, name in enumerate(names, 1):
        if number % _SHOWN == 0 or number == len(names):
            progress(number, len(names))
        try:
            data = _content(os.path.join(task.tree.root, name), task)
        except OSError:
            continue
        head = head_of(data[:MAX_HEAD])
        hrefs_by_code = {code.lower(): href for code, href in reversed(head.alternates)}
        canonicals = tuple(dict.fromkeys(href for _, href in head.canonicals))
        facts[name] = Facts(
            head.noindex,
            bool(head.refresh),
            head.canonical,
            {code: href for code, href in hrefs_by_code.items() if code in task.languages},
            head.is_document,
            machine_page(task.tree.root, name),
            head.language.replace("_", "-").partition("-")[0].lower(),
            canonicals if len(canonicals) > 1 else (),
        )
        if task.with_links:
            for link, path in linked_paths(data[head.end :], name, head.base, task.bases, known):
                file = file_at(path)
                if file == name:  # a page that only itself links to is not linked
                    continue
                if file:
                    linked.add(file)
                if file and task.serving and task.serving.redirects(path, file):
                    found = link.decode("utf-8", "replace").strip("\"'")
                    found = min(found, facts[name].redirected or found)  # the same in each run
                    facts[name] = facts[name]._replace(redirected=found)
                elif link.startswith((b"/", b"http")):
                    known.add(link)
    return facts, linked


def _content(path: str, task: Task) -> bytes:
    with open_plain(path) as stream:
        # not just the limit: read() would allocate that much memory for each page
        size = os.fstat(stream.fileno()).st_size
        return stream.read(min(MAX_PAGE if task.with_links else MAX_HEAD, size))
