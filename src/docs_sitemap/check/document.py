"""One file of a site map as read: its entries, and what is wrong with the file itself.

Whoever wrote it: any prefixes, a sitemap, an index, text or a feed, gzipped or not. No file makes
this read more than the protocol allows, expand entities or open another file.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Final

from lxml import etree

from docs_sitemap.check.finding import Level
from docs_sitemap.checks import CHANGEFREQS
from docs_sitemap.formats.prolog import SIGNATURE
from docs_sitemap.formats.xml import NAMESPACE
from docs_sitemap.limits import MAX_BYTES, MAX_SITEMAPS, MAX_URLS
from docs_sitemap.reading import gunzip, iterparse

IMAGE_NAMESPACE: Final = "http://www.google.com/schemas/sitemap-image/1.1"
XHTML_NAMESPACE: Final = "http://www.w3.org/1999/xhtml"
DROPPED_IMAGE_TAGS: Final = ("caption", "geo_location", "title", "license")
"""What Google no longer reads since 2022 (Google, image sitemaps)."""

_ROOTS: Final = {"urlset": "url", "sitemapindex": "sitemap"}
_ORDER: Final = {"url": ("loc", "lastmod", "changefreq", "priority"), "sitemap": ("loc", "lastmod")}
_PROLOG: Final = re.compile(rb"\s+|<\?.*?\?>|<!--.*?-->", re.DOTALL)
_DECLARED: Final = re.compile(rb"<\?xml[^>]*?encoding\s*=\s*[\"']([^\"']*)")
_PRIORITY: Final = re.compile(r"\+?(0*1(\.0*)?|0*\.\d+|0+(\.\d*)?)")
_BOM: Final = b"\xef\xbb\xbf"


@dataclass(frozen=True, slots=True)
class Problem:
    """What is wrong with a file, for the rule of that id: ``count`` says in how many places."""

    rule: str
    message: str
    line: int | None = None
    count: int = 1
    level: Level | None = None


@dataclass(slots=True)
class Entry:
    """One ``<url>``, ``<sitemap>`` or line, as it is written; ``lastmod`` is ``None`` where it has none."""

    loc: str
    lastmod: str | None = None
    line: int | None = None
    alternates: tuple[tuple[str, str], ...] = ()
    images: tuple[str, ...] = ()


@dataclass(slots=True)
class Document:
    """A file of a site map. ``kind`` is urlset, index, text or feed; empty where nothing can be read.

    ``whole`` is false where entries may be missing because the file could not be read to its end.
    ``signed`` is true for a file that docs-sitemap wrote. ``dropped`` are the image tags that are no
    longer read, ``hints`` the number of entries with changefreq and with priority.
    """

    name: str
    kind: str = ""
    entries: list[Entry] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    whole: bool = True
    signed: bool = False
    xslt: bool = False
    dropped: set[str] = field(default_factory=set)
    hints: dict[str, int] = field(default_factory=dict)

    def refuse(self, rule: str, message: str, line: int | None = None) -> None:
        """Add a problem that keeps the file from being read to its end."""
        self.problems.append(Problem(rule, message, line))
        self.whole = False


def read_document(name: str, data: bytes) -> Document:
    """Read a file's bytes, of which there need not be more than ``MAX_BYTES`` and one."""
    document = Document(name)
    plain = gunzip(data)
    if plain is None:
        document.refuse("F6", "the gzipped file is broken: it cannot be unpacked to its end")
        return document
    if name.endswith(".gz") and plain is data:
        document.problems.append(Problem("F6", "the name says gzip, but the file is not gzipped"))
    if len(plain) > MAX_BYTES:
        document.refuse("F3", f"more than {MAX_BYTES:,} bytes uncompressed: split it, under an index")
        return document
    text = _as_utf8(document, plain)
    if text is not None:
        document.signed = SIGNATURE in text[:4096]
        if re.search(r"\.txt(\.gz)?\Z", name):
            _read_text(document, text)
        else:
            _read_xml(document, text)
    _check_counts(document)
    return document


def _as_utf8(document: Document, data: bytes) -> bytes | None:
    """Return the text without a byte order mark, or ``None`` where it is not UTF-8."""
    if data.startswith(_BOM):
        data = data[len(_BOM) :]
        document.problems.append(Problem("F4", "begins with a byte order mark", level="warning"))
    try:
        data.decode("utf-8")
    except UnicodeDecodeError as problem:
        line = data.count(b"\n", 0, problem.start) + 1
        document.refuse("F4", f"is not UTF-8: byte 0x{data[problem.start]:02x}", line)
        return None
    return data


def _read_text(document: Document, data: bytes) -> None:
    document.kind = "text"
    for number, line in enumerate(data.decode("utf-8").splitlines(), 1):
        if line.strip():
            document.entries.append(Entry(line.strip(), line=number))


def _check_counts(document: Document) -> None:
    what, most = ("sitemaps", MAX_SITEMAPS) if document.kind == "index" else ("URLs", MAX_URLS)
    count = len(document.entries)
    if document.kind in ("urlset", "index", "text") and count > most:
        document.problems.append(Problem("F2", f"{count:,} {what}, more than {most:,}"))
    if document.kind and document.whole and not count:
        document.problems.append(
            Problem("F5", f"no entries: better write no file than an empty {document.kind}")
        )


def _read_xml(document: Document, data: bytes) -> None:
    if _has_doctype(data):
        document.refuse(
            "F4", "has a DOCTYPE, which no sitemap needs and readers refuse: not read any further"
        )
        return
    declared = _DECLARED.match(data)
    if declared and declared[1].lower() not in (b"utf-8", b"utf8", b"us-ascii"):
        encoding = declared[1].decode("ascii", "replace")
        document.refuse("F4", f"says that it is {encoding}, where UTF-8 is asked for")
        return
    try:
        _XmlReader(document).read(data)
    except etree.XMLSyntaxError as problem:
        document.refuse("F1", f"is not well-formed XML: {problem.msg}", problem.lineno or None)


def _has_doctype(data: bytes) -> bool:
    at = 0
    while match := _PROLOG.match(data, at):
        at = match.end()
    return data[at : at + 9].upper() == b"<!DOCTYPE"


class _XmlReader:
    """Reads one file entry by entry, so that memory holds no tree of it."""

    def __init__(self, document: Document) -> None:
        self._document = document
        self._wrong: dict[tuple[str, str], tuple[int, int | None]] = {}
        self._entry = ""

    def read(self, data: bytes) -> None:
        events = iterparse(data, keep_pis=True)
        depth = 0
        for event, element in events:
            if event == "start":
                depth += 1
                if depth == 1:
                    self._start(element)
            else:
                depth -= 1
                if depth == 1:
                    self._child(element)
                    element.clear()
                    while element.getprevious() is not None:
                        del element.getparent()[0]
        self._document.xslt = _names_xslt(events.root)
        for (rule, message), (count, line) in self._wrong.items():
            self._document.problems.append(Problem(rule, message, line, count))

    def _start(self, root: Any) -> None:
        namespace, name = _parts(root.tag)
        if name in _ROOTS:
            self._document.kind = "urlset" if name == "urlset" else "index"
            self._entry = _ROOTS[name]
            if namespace != NAMESPACE:
                got = f"is {namespace}" if namespace else "has no namespace"
                self._note("F1", f"the root {got}: it must be {NAMESPACE}, to the letter", root)
        elif name in ("rss", "feed"):
            self._document.kind = "feed"
        else:
            self._note("F1", f"the root is {name}, and not urlset or sitemapindex", root)
            self._document.whole = False

    def _note(self, rule: str, message: str, element: Any) -> None:
        count, line = self._wrong.get((rule, message), (0, element.sourceline))
        self._wrong[rule, message] = (count + 1, line)

    def _child(self, element: Any) -> None:
        name = _parts(element.tag)[1]
        if self._document.kind == "feed":
            self._document.entries += _feed_entries(element, name)
        elif self._entry and name == self._entry:
            self._document.entries += self._read_entry(element)
        elif self._entry:
            self._note("F1", f"{name} stands where the schema has only {self._entry}", element)

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
            if name in order and namespace not in (IMAGE_NAMESPACE, XHTML_NAMESPACE):
                if name in values:
                    self._note("F1", f"{self._entry} has a second {name}", child)
                elif order.index(name) < at:
                    self._note("F1", f"{name} stands too late: the order is {', '.join(order)}", child)
                at = max(at, order.index(name))
                values.setdefault(name, (child.text or "").strip())
            elif namespace == XHTML_NAMESPACE and name == "link":
                alternates.append((child.get("hreflang", ""), child.get("href", "").strip()))
            elif namespace == IMAGE_NAMESPACE and name == "image":
                images += self._read_image(child)
            elif namespace in (NAMESPACE, ""):
                self._note("F1", f"{self._entry} has {name}, which the schema does not know", child)
        self._check_values(values, element)
        if values.get("loc"):
            yield Entry(
                values["loc"], values.get("lastmod"), element.sourceline, tuple(alternates), tuple(images)
            )

    def _check_values(self, values: dict[str, str], element: Any) -> None:
        if not values.get("loc"):
            self._note("F1", f"{self._entry} without a loc", element)
        if values.get("lastmod") == "":
            self._note("F5", "lastmod is empty: leave it out", element)
        for name in ("changefreq", "priority"):
            if name in values:
                self._document.hints[name] = self._document.hints.get(name, 0) + 1
        if values.get("changefreq", "always") not in CHANGEFREQS:
            self._note("F1", f"changefreq is none of {', '.join(CHANGEFREQS)}", element)
        if not _PRIORITY.fullmatch(values.get("priority", "0.5")):
            self._note("F1", "priority is no number from 0.0 to 1.0", element)

    def _read_image(self, image: Any) -> Iterator[str]:
        for child in image:
            name = _parts(child.tag)[1] if isinstance(child.tag, str) else ""
            if name == "loc" and child.text and child.text.strip():
                yield child.text.strip()
            elif name in DROPPED_IMAGE_TAGS:
                self._document.dropped.add(name)


def _parts(tag: str) -> tuple[str, str]:
    """Return namespace and local name."""
    namespace, _, name = tag.rpartition("}")
    return namespace.removeprefix("{"), name


def _names_xslt(root: Any) -> bool:
    for node in root.itersiblings(preceding=True):
        if node.tag is etree.ProcessingInstruction and node.target == "xml-stylesheet":
            text = (node.text or "").lower()
            if "xsl" in text.replace("xml-stylesheet", ""):
                return True
    return False


def _feed_entries(element: Any, name: str) -> Iterator[Entry]:
    """Yield the pages of an Atom entry, or of the channel of RSS."""
    if name == "entry":
        links = element.findall("{*}link")
        found = [link.get("href", "") for link in links if link.get("rel", "alternate") == "alternate"]
    elif name == "channel":
        found = [link.text or "" for link in element.iterfind("{*}item/{*}link")]
    else:
        return
    for loc in found:
        if loc.strip():
            yield Entry(loc.strip(), line=element.sourceline)
