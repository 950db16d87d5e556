"""Mark pages file by file: each says what its version wants, or what it said before."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, NamedTuple

from docs_sitemap.files import OutputFolder
from docs_sitemap.limits import MAX_EDITED, MAX_HEAD
from docs_sitemap.marks import element as marks
from docs_sitemap.marks.element import NOWHERE, Addresses
from docs_sitemap.untrusted import Resolver, read_plain, read_start
from docs_sitemap.untrusted.html import Head
from docs_sitemap.urls import path_behind

CANONICAL: Final = "canonical"
NOINDEX: Final = "noindex"
UNCHANGED: Final = ""
EXCLUDED: Final = "it is already noindex"


class Task(NamedTuple):
    """A page and what it should say: ``target`` is the URL of a canonical link; empty means noindex.

    ``None`` means that it should have no mark. ``url`` is the page's own URL. ``keeps`` tells whether the
    page should rather lead where its own canonical link to a page of the current version does. A page of the
    current version gets the target only in place of a canonical link to another version.
    """

    name: str
    url: str
    target: str | None
    keeps: bool = True
    is_current: bool = False


class Done(NamedTuple):
    """What became of a page: ``CANONICAL``, ``NOINDEX``, or why it has no mark; and whether it changed."""

    name: str
    result: str
    is_changed: bool


@dataclass(slots=True)
class Tally:
    """The result for many pages; ``untouched`` counts pages by why they have no mark, with an example."""

    pages: int = 0
    changed: int = 0
    canonical: int = 0
    noindex: int = 0
    untouched: Counter[str] = field(default_factory=Counter)
    examples: dict[str, str] = field(default_factory=dict)

    def add(self, done: Done) -> None:
        """Count one page."""
        self.pages += 1
        self.changed += done.is_changed
        if done.result == CANONICAL:
            self.canonical += 1
        elif done.result == NOINDEX:
            self.noindex += 1
        elif done.result:
            self.untouched[done.result] += 1
            self.examples.setdefault(done.result, done.name)


@dataclass(frozen=True, slots=True)
class Shared:
    """What each process needs: the tree's root, its base URLs, and whether to write.

    ``currents`` are the URLs of the current versions, also as aliases, with their folders, or ``None`` if
    their pages are not known; ``others`` are the URLs of other versions.
    """

    root: Path
    bases: Addresses
    is_dry: bool
    currents: Addresses = NOWHERE
    others: Addresses = NOWHERE
    heads: dict[str, Head | None] = field(default_factory=dict, compare=False)
    """Those of current pages that old ones name; ``None`` for what cannot be a target."""
    resolver: Resolver = field(init=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "resolver", Resolver(self.root))

    def final(self, url: str) -> str:
        """Return where a URL of a current version leads: to itself, or to what its page says is canonical.

        Empty if it is the URL of another version, or of no page, or of one that redirects or is excluded.
        """
        address, folder = self.currents.above(url) or ("", None)
        if not address or not url.startswith(address):
            return ""
        if folder is None:
            return url
        file = self._file(url, address, folder)
        if file not in self.heads:
            self.heads[file] = _head_of_target(file)
        head = self.heads[file]
        if head is None:
            return ""
        written = head.canonicals[0][1] if len(head.canonicals) == 1 else ""
        further = marks.absolute(url, head.base, written) if written else ""
        is_other = not further or self.others.above(further) is not None
        return url if is_other or self.is_missing(further) else further

    def is_missing(self, url: str) -> bool:
        """Tell whether a URL is below that of a current version, but none of its pages."""
        address, folder = self.currents.above(url) or ("", None)
        return folder is not None and not self._file(url, address, folder)

    def _file(self, url: str, address: str, folder: str) -> str:
        """Return the real path of the file of a URL below that of a folder; without one, an empty string."""
        path = path_behind(url.partition("://")[2], address.partition("://")[2])
        forms = [f"{path}index.html"] if path in ("", "/") or path.endswith("/") else [path, f"{path}.html"]
        if "\0" in path or ".." in path.split("/"):
            return ""
        files = (self.resolver.file(f"{folder}/{form.lstrip('/')}") for form in forms)
        return next(filter(None, files), "")


def _head_of_target(file: str) -> Head | None:
    try:
        head = read_head(file)
    except OSError:
        return None
    return None if head.refresh or head.noindex else head


def read_head(file: str) -> Head:
    """Return what a page's head says without our element: ``place`` does not count. Raises ``OSError``."""
    return marks.unmarked(read_start(file, MAX_HEAD))[1]


ENDINGS: Final = (".html", ".htm", ".xhtml")


def page_names(
    root: Path, folder: str, leftovers: set[str] | None = None, without: Collection[str] = ()
) -> Iterator[str]:
    """Yield the HTML files in a folder and below, as paths from the root. Links are not followed.

    ``leftovers`` gets the folders that have temporary files; ``without`` are folders below to pass over.
    """
    folders = [folder]
    while folders:
        place = folders.pop()
        try:
            with os.scandir(os.path.join(root, place)) as entries:
                for entry in entries:
                    name = f"{place}/{entry.name}" if place else entry.name
                    if entry.is_dir(follow_symlinks=False):
                        if entry.name != ".git" and name not in without:
                            folders.append(name)
                    elif entry.name.lower().endswith(ENDINGS) and entry.is_file(follow_symlinks=False):
                        yield name
                    elif leftovers is not None and entry.name.endswith(".tmp"):
                        leftovers.add(place)
        except OSError:
            continue  # an unreadable folder is not published either


def mark_pages(shared: Shared, tasks: Sequence[Task]) -> list[Done]:
    """Mark some pages. Raises ``OutputError``."""
    output = OutputFolder(shared.root)
    return [_mark(output, shared, task) for task in tasks]


def _mark(output: OutputFolder, shared: Shared, task: Task) -> Done:
    try:
        # a regular file, not behind a link
        data = read_plain(os.path.join(shared.root, task.name), MAX_EDITED)
    except OSError as problem:
        return Done(task.name, f"cannot be read: {problem.strerror}", False)
    new, result = edited(data, task, shared)
    if new != data and not shared.is_dry:
        output.replace(task.name, new)
    return Done(task.name, result, new != data)


def edited(data: bytes, task: Task, shared: Shared) -> tuple[bytes, str]:
    """Return a page as it should be, and the result."""
    if marks.is_unsupported(data):
        return data, "its encoding is UTF-16, ISO-2022-JP or similar"
    plain, head = marks.unmarked(data)
    if head.mark:  # we write one, and none in its place before; so this page can be given back as it is
        return data, "it has several marks of docs-sitemap"
    if task.target is None:
        return plain, UNCHANGED
    new, result = _with_mark(plain, head, task, shared)
    if new not in (data, plain) and not marks.is_inverse(new, plain):
        return plain, "it has no head"
    return new, result


def _with_mark(data: bytes, head: Head, task: Task, shared: Shared) -> tuple[bytes, str]:
    own = _absolute(head, task) if head.canonicals else ""
    if task.is_current and not shared.others.above(own):
        return data, UNCHANGED
    added_at = marks.place(data, head)
    if why := _why_not(head, task, own, shared.bases) or ("it has no head" if added_at < 0 else ""):
        return data, why
    if not task.target and head.noindex:
        return data, NOINDEX
    place = head.canonicals[0][0] if head.canonicals else None
    target = task.target
    if task.keeps and own not in (task.url, target):
        target = shared.final(own) or target  # the author knows a better one
    if target and own == target:
        return data, CANONICAL
    was = data[place.start : place.end] if place else b""
    element = marks.canonical(target, was) if target else marks.noindex(was)
    new = marks.put(data, element, added_at if place is None else place)
    return new, CANONICAL if target else NOINDEX


def _absolute(head: Head, task: Task) -> str:
    written = head.canonicals[0][1]
    return marks.absolute(task.url, head.base, written)


def _why_not(head: Head, task: Task, own: str, bases: Addresses) -> str:
    """Return why a page stays as it is, or an empty string."""
    if head.refresh:
        return "it is a redirect"
    if len(head.canonicals) > 1:
        return "it has several canonical links"
    if task.target and head.noindex:
        return EXCLUDED
    if head.canonicals and not bases.above(own):
        return "its canonical link leads to another site"
    return ""
