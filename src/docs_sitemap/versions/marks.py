"""The mark of an old version's page: one element in its head, which keeps the element that was there. Pure.

Works on bytes, in any encoding that extends ASCII. All other bytes of the page stay.
"""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from html import escape
from pathlib import Path
from typing import Final, NamedTuple
from urllib.parse import quote_from_bytes, unquote_to_bytes

from docs_sitemap import urls
from docs_sitemap.files import OutputFolder
from docs_sitemap.limits import MAX_FILE, MAX_HEAD
from docs_sitemap.readers.files import Resolver, entries_below, read_plain, read_start
from docs_sitemap.readers.html import MARK, Head, Tag, head_of
from docs_sitemap.urls import path_behind, with_usual_host


class Addresses:
    """The URLs of folders, which end in ``/``, each with its folder, or ``None`` if that is not known."""

    def __init__(self, folders: Mapping[str, str | None]) -> None:
        usual = {with_usual_host(url): folder for url, folder in folders.items()}
        self._known = {_rest(url): (url, folder) for url, folder in usual.items()}

    def above(self, url: str) -> tuple[str, str | None] | None:
        """Return the address that an absolute URL is below, with http or https, and its folder.

        The URL must have the usual host: in lower case, without the default port.
        """
        rest = _rest(url)
        ends = (at + 1 for at, char in enumerate(rest) if char == "/")
        return next((self._known[rest[:end]] for end in ends if rest[:end] in self._known), None)


def _rest(url: str) -> str:
    scheme, _, rest = url.partition("://")
    return rest if scheme in ("http", "https") else ""


NOWHERE: Final = Addresses({})


_UTF_16: Final = (b"\xff\xfe", b"\xfe\xff")
_ISO_2022: Final = re.compile(
    rb"(?:charset|encoding)[\t\n\f\r ]*+=[\t\n\f\r ]*+[\"']?+[\t\n\f\r ]*+(?:(?:cs)?+iso-?+2022|hz-gb-2312)"
)
_MAX_DECLARATION: Final = 1024
"""Bytes in which browsers look for the declaration of an encoding (HTML, 4.2.5.4)."""
_ESCAPE: Final = re.compile(rb"\x1b\$[@B()]")
"""From here on, two bytes are one character, and any of them may look like ``<`` or a quote (ISO 2022)."""

_DOCUMENT: Final = re.compile(rb"<(?:!doctype|html|head|title|body|meta|link|base)\b", re.IGNORECASE)
_START: Final = 4096
"""Bytes in which a document says that it is one."""


def absolute(url: str, base: str, reference: str) -> str:
    """Return the absolute URL of a reference in a page, given its URL and ``base``; empty if it has none."""
    found = urls.absolute((base and urls.absolute(url, base)) or url, reference)
    return urls.with_usual_host(found) if found else ""


def is_unsupported(data: bytes) -> bool:
    """Tell whether a page is in an encoding in which tags cannot be read."""
    if data[:2] in _UTF_16 or b"\0" in data[:4] or _ESCAPE.search(data):
        return True
    return _ISO_2022.search(data[:_MAX_DECLARATION].lower()) is not None


def mark_element(target: str, was: bytes = b"") -> bytes:
    """Return a canonical link to a URL, or noindex without one; it keeps the element in whose place it is."""
    signature = f'{MARK}="{quote_from_bytes(was, safe="")}"'.encode()
    if not target:
        return b'<meta name="robots" content="noindex, follow" %b />' % signature
    href = escape(target).encode("ascii", "xmlcharrefreplace")
    return b'<link rel="canonical" href="%b" %b />' % (href, signature)


def unmarked(data: bytes) -> tuple[bytes, Head]:
    """Return a page as it was without our element, and its head."""
    head = head_of(data)
    if head.mark is None:
        return data, head
    data = _replace(data, _was(head.mark), head.mark)
    return data, head_of(data)


def is_inverse(new: bytes, data: bytes) -> bool:
    """Tell whether ``new`` is ``data`` with our element, so that it can be removed again.

    It is not if the element is in what the page never ends, such as a comment.
    """
    mark = head_of(new).mark
    return mark is not None and _replace(new, _was(mark), mark) == data


def _was(mark: Tag) -> bytes:
    # a page in another encoding than UTF-8 may have any bytes there
    return unquote_to_bytes(mark.attributes(MARK)[MARK].encode("utf-8", "surrogateescape"))


def _replace(data: bytes, element: bytes, place: Tag | int) -> bytes:
    """Return data with an element in place of a tag, or at an offset."""
    start, end = (place, place) if isinstance(place, int) else (place.start, place.end)
    return data[:start] + element + data[end:]


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


class MarkResult(NamedTuple):
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

    def add(self, done: MarkResult) -> None:
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


@dataclass(slots=True)
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
    heads: dict[str, Head | None] = field(default_factory=dict)
    """Those of current pages that old ones name; ``None`` for what cannot be a target."""
    resolver: Resolver = field(init=False)

    def __post_init__(self) -> None:
        self.resolver = Resolver(self.root)

    def final(self, url: str) -> str:
        """Return where a URL of a current version leads: to itself, or to what its page says is canonical.

        Empty if it is the URL of another version, or of no page, or of one that redirects or is excluded.
        """
        address, _ = self.currents.above(url) or ("", None)
        if not address or not url.startswith(address):
            return ""
        file = self._file(url)
        if file is None:
            return url
        if file not in self.heads:
            self.heads[file] = _head_of_target(file)
        head = self.heads[file]
        if head is None:
            return ""
        further = absolute(url, head.base, head.canonicals[0][1]) if len(head.canonicals) == 1 else ""
        is_other = not further or self.others.above(further) is not None
        return url if is_other or self._file(further) == "" else further

    def _file(self, url: str) -> str | None:
        """Return the real path of a page of a current version by its URL; empty if it is missing.

        ``None`` for the URL of anything else, and if it is not known which pages there are.
        """
        address, folder = self.currents.above(url) or ("", None)
        if folder is None:
            return None
        path = path_behind(url.partition("://")[2], address.partition("://")[2])
        forms = (f"{path}index.html",) if path == "" or path.endswith("/") else (path, f"{path}.html")
        files = (self.resolver.file(f"{folder}/{form}") for form in forms)
        return next(filter(None, files), "")


def _head_of_target(file: str) -> Head | None:
    try:
        head = read_head(file)
    except OSError:
        return None
    return None if head.refresh or head.noindex else head


def read_head(file: str | Path) -> Head:
    """Return what a page's head says without our element: ``place`` does not count. Raises ``OSError``."""
    return unmarked(read_start(file, MAX_HEAD))[1]


ENDINGS: Final = (".html", ".htm", ".xhtml")


def page_names(
    root: Path, folder: str, leftovers: set[str], is_other: Callable[[str], bool]
) -> Iterator[str]:
    """Yield the HTML files in a folder and below, as paths from the root. Links are not followed.

    ``leftovers`` gets the folders that have temporary files; ``is_other`` tells which folders to pass over.
    """
    for name, entry in entries_below(root, folder, is_other):
        if name.lower().endswith(ENDINGS) and entry.is_file(follow_symlinks=False):
            yield name
        elif name.endswith(".tmp"):
            leftovers.add(name.rpartition("/")[0])


def mark_pages(shared: Shared, tasks: Iterable[Task]) -> Iterator[MarkResult]:
    """Mark some pages. Raises ``OutputError``."""
    output = OutputFolder(shared.root)
    return (_mark(output, shared, task) for task in tasks)


def _mark(output: OutputFolder, shared: Shared, task: Task) -> MarkResult:
    try:
        # a regular file, not behind a link
        data = read_plain(os.path.join(shared.root, task.name), MAX_FILE)
    except OSError as problem:
        return MarkResult(task.name, f"cannot be read: {problem.strerror}", False)
    new, result = edited(data, task, shared)
    if new != data and not shared.is_dry:
        output.replace(task.name, new)
    return MarkResult(task.name, result, new != data)


def edited(data: bytes, task: Task, shared: Shared) -> tuple[bytes, str]:
    """Return a page as it should be, and the result."""
    if is_unsupported(data):
        return data, "its encoding is UTF-16, ISO-2022-JP or similar"
    plain, head = unmarked(data)
    if head.mark:  # we write one, and none in its place before; so this page can be given back as it is
        return data, "it has several marks of docs-sitemap"
    if task.target is None:
        return plain, UNCHANGED
    new, result = _with_mark(plain, head, task, shared)
    if new not in (data, plain) and not is_inverse(new, plain):
        return plain, "it has no head"
    return new, result


def _with_mark(data: bytes, head: Head, task: Task, shared: Shared) -> tuple[bytes, str]:
    own = absolute(task.url, head.base, head.canonicals[0][1]) if head.canonicals else ""
    if task.is_current and not shared.others.above(own):
        return data, UNCHANGED
    if why := _why_not(head, task, own, shared.bases):
        return data, why
    # some have no head, or are no document: parts of one, or the text that proves whose site it is
    if head.place < 0 or not _DOCUMENT.search(data, 0, _START):
        return data, "it has no head"
    if not task.target and head.noindex:
        return data, NOINDEX
    link = head.canonicals[0][0] if head.canonicals else None
    target = task.target
    if task.keeps and own not in (task.url, target):
        target = shared.final(own) or target  # the author knows a better one
    if target and own == target:
        return data, CANONICAL
    was = data[link.start : link.end] if link else b""
    new = _replace(data, mark_element(target or "", was), link or head.place)
    return new, CANONICAL if target else NOINDEX


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
