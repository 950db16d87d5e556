"""Find the sitemaps of a built site, and read each once. Needs lxml."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

from docs_sitemap.files.urlset import SIGNATURE
from docs_sitemap.limits import MAX_BYTES
from docs_sitemap.published import WELL_KNOWN, Tree, best_base, likely_base
from docs_sitemap.sitemaps import GZIP_MAGIC, Document, Entry, gunzip, read_document

_START: Final = 4096
"""Bytes of a sitemap that have its signature and its first element."""


@dataclass(slots=True)
class Child:
    """An entry of an index: ``name`` is its file in the site's folder, ``None`` if it is missing."""

    index: Document
    entry: Entry
    name: str | None


@dataclass(slots=True)
class Sitemaps:
    """The sitemaps of a site.

    ``roots`` are the files that a crawler starts from, ``parts`` those that an index names, ``copies``
    their text or gzip copies, but for gzip copies without faults. ``unnamed`` are sitemaps in subfolders that
    nothing names, such as those of versions and languages. They are parts, or roots if there are no others,
    until ``set_apart`` moves some to ``unreferenced``: these show what is listed there, but are not checked.
    """

    roots: list[Document] = field(default_factory=list)
    parts: list[Document] = field(default_factory=list)
    copies: list[Document] = field(default_factory=list)
    unreferenced: list[Document] = field(default_factory=list)
    unnamed: list[Document] = field(default_factory=list)
    children: list[Child] = field(default_factory=list)
    missing: list[str] = field(default_factory=list)

    @property
    def all(self) -> list[Document]:
        """The sitemaps to check, without copies."""
        return [*self.roots, *self.parts]

    @property
    def named(self) -> list[Document]:
        """The sitemaps to check without ``unnamed``, unless there are no others."""
        return [document for document in self.all if document not in self.unnamed] or self.all

    def set_apart(self, is_apart: Callable[[Document], bool]) -> None:
        """Check no more those of ``unnamed`` that are apart, unless all sitemaps are."""
        apart = [document for document in self.unnamed if is_apart(document)]
        if len(apart) < len(self.all):
            self.unreferenced = apart
            self.roots = [document for document in self.roots if document not in apart]
            self.parts = [document for document in self.parts if document not in apart]


class Finder:
    """Finds the sitemaps of one site and reads each once; ``base`` is its base URL, or empty."""

    def __init__(self, tree: Tree, base: str) -> None:
        self._tree = tree
        self._base = base
        self._read: set[str] = set()  # real paths: links may lead to the same file
        self._copies: set[str] = set()
        self.found = Sitemaps()

    def find(self, names: Sequence[str] = (), named: Sequence[str] = ()) -> Sitemaps:
        """Find the sitemaps: those in ``names`` if given, otherwise by robots.txt and common names.

        ``named`` are the URLs in robots.txt.
        """
        files = self._tree.files
        if names:
            self.found.missing = [name for name in names if name not in files]
            self._add_roots((name for name in names if name in files), for_theme=True)
        else:
            self._add_roots(self._at(named))
            self._add_roots(name for name in WELL_KNOWN if name in files)
            if not self.found.roots:
                self._add_roots(self._signed())
            self._add_unreferenced()
        for document in self.found.named:
            self._add_copies(document)
        return self.found

    def _at(self, named: Sequence[str]) -> Iterator[str]:
        """Yield the files of URLs, even if the site's base URL is not known yet."""
        for url in named:
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
        self.found.unnamed = [document for document in documents if not document.for_theme]
        checked = self.found.parts if self.found.roots else self.found.roots
        checked += self.found.unnamed

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
