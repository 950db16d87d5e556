"""Parse bytes into a ``Document``: a sitemap, an index, text or a feed, gzipped or not, from any generator.

Never reads more than the protocol allows, expands entities or opens another file.
"""

from __future__ import annotations

import codecs
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Final

from lxml import etree

from docs_sitemap.check.finding import Level
from docs_sitemap.files.formats import FOR_THEME, NAMESPACE, SIGNATURE
from docs_sitemap.limits import MAX_BYTES, MAX_SITEMAPS, MAX_URLS
from docs_sitemap.options import CHANGEFREQS
from docs_sitemap.untrusted.sitemaps import DECLARED, gunzip, iterparse, read_prolog, starts_as_xml

_IMAGES: Final = "http://www.google.com/schemas/sitemap-image/1.1"
_XHTML: Final = "http://www.w3.org/1999/xhtml"
_DROPPED: Final = ("caption", "geo_location", "title", "license")
"""Image tags that Google no longer reads since 2022 (Google, image sitemaps)."""

_ROOTS: Final = {"urlset": "url", "sitemapindex": "sitemap"}
_ORDER: Final = {"url": ("loc", "lastmod", "changefreq", "priority"), "sitemap": ("loc", "lastmod")}
_PRIORITY: Final = re.compile(r"\+?(0*1(\.0*)?|0*\.\d+|0+(\.\d*)?)")


@dataclass(frozen=True, slots=True)
class Problem:
    """A problem with a file, reported by the rule with that id; ``count`` is the number of places."""

    rule: str
    message: str
    line: int | None = None
    count: int = 1
    level: Level | None = None


@dataclass(slots=True)
class Entry:
    """One ``<url>``, ``<sitemap>`` or line, as written; ``lastmod`` is ``None`` if it is absent.

    ``alternates`` are pairs of hreflang and href, ``images`` the URLs of images.
    """

    loc: str
    lastmod: str | None = None
    line: int | None = None
    alternates: tuple[tuple[str, str], ...] = ()
    images: tuple[str, ...] = ()


@dataclass(slots=True)
class Document:
    """A sitemap file. ``kind`` is urlset, index, text or feed; empty if the file cannot be read.

    ``whole`` is false if entries may be missing because the file could not be read to its end.
    ``signed`` is true for a file that docs-sitemap wrote, ``for_theme`` for one that only a theme reads,
    ``xslt`` for one with an XSL stylesheet.
    ``dropped`` are the image tags that engines no longer read, ``hints`` the number of entries with
    changefreq and with priority.
    """

    name: str
    kind: str = ""
    entries: list[Entry] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    whole: bool = True
    signed: bool = False
    for_theme: bool = False
    xslt: bool = False
    dropped: set[str] = field(default_factory=set)
    hints: dict[str, int] = field(default_factory=dict)

    @property
    def is_full(self) -> bool:
        """Tell whether there are more entries than the protocol allows; the rest is not read."""
        return len(self.entries) > MAX_URLS

    def refuse(self, rule: str, message: str, line: int | None = None) -> None:
        """Add a problem that prevents reading the file to its end."""
        self.problems.append(Problem(rule, message, line))
        self.whole = False


def read_document(name: str, data: bytes) -> Document:
    """Parse a file's bytes, which a caller may cut after ``MAX_BYTES + 1``."""
    document = Document(name)
    plain = gunzip(data)
    if plain is None:
        document.refuse("F6", "the gzip file is broken: it cannot be decompressed to its end")
        return document
    if name.endswith(".gz") and plain is data:
        document.problems.append(Problem("F6", "the name ends with .gz, but the file is not gzipped"))
    if len(plain) > MAX_BYTES:
        document.refuse("F3", f"more than {MAX_BYTES:,} bytes uncompressed: split it and add an index")
        return document
    if plain.startswith(codecs.BOM_UTF8):
        plain = plain.removeprefix(codecs.BOM_UTF8)
        document.problems.append(Problem("F4", "starts with a byte order mark", level="warning"))
    try:
        plain.decode()
    except UnicodeDecodeError as problem:
        line = plain.count(b"\n", 0, problem.start) + 1
        document.refuse("F4", f"is not UTF-8: byte 0x{plain[problem.start]:02x}", line)
    else:
        document.signed = SIGNATURE in plain[:4096]
        document.for_theme = FOR_THEME in plain[:4096]
        if re.search(r"\.txt(\.gz)?\Z", name):
            _read_text(document, plain)
        else:
            _read_xml(document, plain)
    _check_counts(document)
    return document


def _read_text(document: Document, data: bytes) -> None:
    document.kind = "text"
    for number, line in enumerate(data.splitlines(), 1):
        if loc := line.decode().strip():
            document.entries.append(Entry(loc, line=number))
        if document.is_full:
            break


def _check_counts(document: Document) -> None:
    what, most = ("sitemaps", MAX_SITEMAPS) if document.kind == "index" else ("URLs", MAX_URLS)
    if document.kind in ("urlset", "index", "text") and document.is_full:
        document.problems.append(Problem("F2", f"more than {most:,} {what}: the rest is not read"))
    if document.kind and document.whole and not document.entries:
        document.problems.append(
            Problem("F5", f"no entries: write no file rather than an empty {document.kind}")
        )


def _read_xml(document: Document, data: bytes) -> None:
    if not starts_as_xml(data):
        document.refuse("F1", "is not well-formed XML: it does not start with < in UTF-8")
        return
    document.xslt, has_doctype = read_prolog(data)
    if has_doctype:
        document.refuse(
            "F4", "has a DOCTYPE, which sitemaps do not need and parsers refuse: the rest is not read"
        )
        return
    declared = DECLARED.match(data)
    if declared and declared[1].lower() not in (b"utf-8", b"utf8", b"us-ascii"):
        encoding = declared[1].decode("ascii", "replace")
        document.refuse("F4", f"declares the encoding {encoding}, but must be UTF-8")
        return
    try:
        _XmlReader(document).read(data)
    except etree.LxmlSyntaxError as problem:
        document.refuse("F1", f"is not well-formed XML: {problem.msg}", problem.lineno or None)


class _XmlReader:
    """Reads a file entry by entry, without a tree of the whole file in memory."""

    def __init__(self, document: Document) -> None:
        self._document = document
        self._wrong: dict[tuple[str, str], tuple[int, int | None]] = {}
        self._entry = ""
        self._depth = 1

    def read(self, data: bytes) -> None:
        """Add entries and problems to the document.

        Raises lxml's ``LxmlSyntaxError`` if the XML is not well-formed; keeps the entries before that.
        """
        depth = 0
        for event, element in iterparse(data):
            depth += 1 if event == "start" else -1
            if event == "start" and depth == 1:
                self._start(element)
            elif event == "end" and depth == self._depth:
                self._child(element)
                element.clear()
                while element.getprevious() is not None:
                    del element.getparent()[0]
                if self._document.is_full:
                    break
        for (rule, message), (count, line) in self._wrong.items():
            self._document.problems.append(Problem(rule, message, line, count))

    def _start(self, root: Any) -> None:
        namespace, name = _parts(root.tag)
        if name in _ROOTS:
            self._document.kind = "urlset" if name == "urlset" else "index"
            self._entry = _ROOTS[name]
            if namespace != NAMESPACE:
                got = f"is in the namespace {namespace}" if namespace else "has no namespace"
                self._note("F1", f"the root {got}: it must be exactly {NAMESPACE}", root)
        elif name in ("rss", "feed"):
            self._document.kind = "feed"
            self._depth = 2 if name == "rss" else 1  # RSS items are in a channel
        else:
            self._note("F1", f"the root is {name}, not urlset or sitemapindex", root)
            self._document.whole = False

    def _note(self, rule: str, message: str, element: Any) -> None:
        count, line = self._wrong.get((rule, message), (0, element.sourceline))
        self._wrong[rule, message] = (count + 1, line)

    def _child(self, element: Any) -> None:
        name = _parts(element.tag)[1]
        if self._document.kind == "feed":
            self._document.entries.extend(_feed_entries(element, name))
        elif self._entry and name == self._entry:
            self._document.entries.extend(self._read_entry(element))
        elif self._entry:
            self._note("F1", f"unexpected {name}: the schema allows only {self._entry} here", element)

    def _read_entry(self, element: Any) -> Iterator[Entry]:
        values: dict[str, str] = {}
        alternates: list[tuple[str, str]] = []
        images: list[str] = []
        order = _ORDER[self._entry]
        at = 0
        for child in element:
            if not isinstance(child.tag, str):
                continue
            namespace, name = _parts(child.tag)
            if name in order and namespace not in (_IMAGES, _XHTML):
                if name in values:
                    self._note("F1", f"{self._entry} has a second {name}", child)
                elif order.index(name) < at:
                    self._note("F1", f"{name} is out of order: the order is {', '.join(order)}", child)
                at = max(at, order.index(name))
                values.setdefault(name, (child.text or "").strip())
            elif namespace == _XHTML and name == "link":
                code = sys.intern(child.get("hreflang", ""))  # all pages have the same few
                alternates.append((code, child.get("href", "").strip()))
            elif namespace == _IMAGES and name == "image":
                images += self._read_image(child)
            elif namespace in (NAMESPACE, ""):
                self._note("F1", f"{self._entry} has {name}, which is not in the schema", child)
        self._check_values(values, element)
        if values.get("loc"):
            yield Entry(
                values["loc"], values.get("lastmod"), element.sourceline, tuple(alternates), tuple(images)
            )

    def _check_values(self, values: dict[str, str], element: Any) -> None:
        if not values.get("loc"):
            self._note("F1", f"{self._entry} without a loc", element)
        if values.get("lastmod") == "":
            self._note("F5", "lastmod is empty: omit it", element)
        for name in ("changefreq", "priority"):
            if name in values:
                self._document.hints[name] = self._document.hints.get(name, 0) + 1
        if values.get("changefreq", "always") not in CHANGEFREQS:
            self._note("F1", f"changefreq is not one of {', '.join(CHANGEFREQS)}", element)
        if not _PRIORITY.fullmatch(values.get("priority", "0.5")):
            self._note("F1", "priority is not a number from 0.0 to 1.0", element)

    def _read_image(self, image: Any) -> Iterator[str]:
        for child in image:
            name = _parts(child.tag)[1] if isinstance(child.tag, str) else ""
            if name == "loc" and child.text and child.text.strip():
                yield child.text.strip()
            elif name in _DROPPED:
                self._document.dropped.add(name)


def _parts(tag: str) -> tuple[str, str]:
    """Return namespace and local name."""
    namespace, _, name = tag.rpartition("}")
    return namespace.removeprefix("{"), name


def _feed_entries(element: Any, name: str) -> Iterator[Entry]:
    """Yield the page of an Atom entry or an RSS item."""
    if name == "entry":
        links = element.findall("{*}link")
        found = [link.get("href", "") for link in links if link.get("rel", "alternate") == "alternate"]
    elif name == "item":
        found = [link.text or "" for link in element.iterfind("{*}link")]
    else:
        return
    for loc in found:
        if loc.strip():
            yield Entry(loc.strip(), line=element.sourceline)
