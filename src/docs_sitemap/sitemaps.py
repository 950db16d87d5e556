"""Reads sitemaps from any source: sitemaps, indexes, text and feeds, gzipped or not, from any generator.

Never unpacks more than the protocol allows, expands entities or opens another file. Needs lxml.
"""

from __future__ import annotations

import codecs
import gzip
import io
import re
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any, Final, Literal

from lxml import etree

from docs_sitemap.errors import DocsSitemapError
from docs_sitemap.files.urlset import FOR_THEME, NAMESPACE, SIGNATURE, TAKEN, UNDATED
from docs_sitemap.limits import MAX_BYTES, MAX_PATH, MAX_SITEMAPS, MAX_URLS
from docs_sitemap.options.validation import CHANGEFREQS
from docs_sitemap.readers.files import read_start
from docs_sitemap.text import shorten

_IMAGES: Final = "http://www.google.com/schemas/sitemap-image/1.1"
_XHTML: Final = "http://www.w3.org/1999/xhtml"
_DROPPED: Final = ("caption", "geo_location", "title", "license")
"""Image tags that Google no longer reads since 2022 (Google, image sitemaps)."""

_ROOTS: Final = {"urlset": "url", "sitemapindex": "sitemap"}
_ORDER: Final = {"url": ("loc", "lastmod", "changefreq", "priority"), "sitemap": ("loc", "lastmod")}
_PRIORITY: Final = re.compile(r"\+?(0*1(\.0*)?|0*\.\d+|0+(\.\d*)?)")

_PROLOG: Final = re.compile(rb"(?>\s++|<\?.*?\?>|<!--.*?-->)*+", re.DOTALL)
_STYLESHEET: Final = re.compile(rb"<\?xml-stylesheet\s.*?\?>", re.DOTALL | re.IGNORECASE)
_ENCODING: Final = re.compile(rb"<\?xml[^>]*?encoding\s*=\s*[\"']([^\"']{0,100})")
_BEGINNING: Final = re.compile(rb"\s*+(?:<[^\0]|\Z)")
"""Not that of UTF-16, in which libxml2 would read a DOCTYPE that is not seen in UTF-8."""

GZIP_MAGIC: Final = b"\x1f\x8b"
"""The first bytes of a gzip member (RFC 1952, 2.3.1)."""


class SitemapError(DocsSitemapError):
    """A file is not a sitemap, or not one that the protocol allows; the text has no final period."""

    def __init__(self, name: str, text: str) -> None:
        super().__init__(f"{shorten(name, MAX_PATH)}: {text}.")


@dataclass(frozen=True, slots=True)
class Problem:
    """A problem with a file, reported by the rule of ``check`` with that id; ``count`` places have it."""

    rule: str
    message: str
    line: int | None = None
    count: int = 1
    level: Literal["warning"] | None = None


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
    ``signed`` is true for a file that docs-sitemap wrote, ``taken`` if it has in it what another tool's
    sitemap said, ``for_theme`` for one that only a theme reads, ``undated`` for one without dates on
    purpose, ``xslt`` for one with an XSL stylesheet. ``dropped`` are the image tags that engines no longer
    read, ``hints`` the number of entries with changefreq and with priority.
    """

    name: str
    kind: str = ""
    entries: list[Entry] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    whole: bool = True
    signed: bool = False
    taken: bool = False
    for_theme: bool = False
    undated: bool = False
    xslt: bool = False
    dropped: set[str] = field(default_factory=set)
    hints: dict[str, int] = field(default_factory=dict)

    @property
    def folder(self) -> str:
        """Its folder in the site, with ``/`` at the end; the root is ``""``."""
        return self.name[: self.name.rfind("/") + 1]

    def refuse(self, rule: str, message: str, line: int | None = None) -> None:
        """Add a problem that prevents reading the file to its end."""
        self.problems.append(Problem(rule, message, line))
        self.whole = False


def read_bytes(file: Path, below: Path | None = None) -> bytes:
    """Return the content of a regular file as ``read_start``, unpacked. Raises ``SitemapError``."""
    try:
        data = read_start(file, MAX_BYTES + 1, below)
    except OSError as problem:
        raise SitemapError(str(file), f"cannot be read: {problem.strerror}") from None
    return unpack(data, str(file))


def unpack(data: bytes, name: str) -> bytes:
    """Return data, unpacked if gzipped.

    Raises ``SitemapError`` if they are broken or larger than the protocol allows.
    """
    plain = gunzip(data)
    if plain is None:
        raise SitemapError(name, "is not a valid gzip file")
    if len(plain) > MAX_BYTES:
        raise too_long(name)
    return plain


def gunzip(data: bytes, most: int = MAX_BYTES) -> bytes | None:
    """Return data as they are, or at most ``most + 1`` unpacked bytes of gzipped data.

    ``None`` if they are broken.
    """
    if data[:2] != GZIP_MAGIC:
        return data
    try:
        with gzip.open(io.BytesIO(data)) as stream:
            return stream.read(most + 1)
    except (OSError, EOFError, zlib.error):
        return None


def too_long(name: str) -> SitemapError:
    """Return the error for a sitemap that is larger than the protocol allows."""
    return SitemapError(name, f"has more than {MAX_BYTES:,} bytes, which the protocol forbids")


def read_entries(data: bytes, name: str) -> Document:
    """Return a urlset or an index with all its entries. Raises ``SitemapError``, also for anything else."""
    document = read_document("", data, most=None)
    if document.whole and document.kind in ("urlset", "index"):
        return document
    if document.whole:
        raise SitemapError(name, f"is a {document.kind}, not a sitemap")
    problem = next(each for each in document.problems if each.level is None)
    where = f" (line {problem.line})" if problem.line else ""
    raise SitemapError(name, f"{shorten(problem.message)}{where}")


def read_document(name: str, data: bytes, *, most: int | None = MAX_URLS) -> Document:
    """Parse a file's bytes, which a caller may cut after ``MAX_BYTES + 1``; read ``most`` entries and one."""
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
        document.taken = TAKEN in plain[:4096]
        document.for_theme = FOR_THEME in plain[:4096]
        document.undated = UNDATED in plain[:4096]
        if re.search(r"\.txt(\.gz)?\Z", name):
            _read_text(document, plain, most)
        else:
            _read_xml(document, plain, most)
    _check_counts(document)
    return document


def _read_text(document: Document, data: bytes, most: int | None) -> None:
    document.kind = "text"
    lines = ((number, line.decode().strip()) for number, line in enumerate(data.splitlines(), 1))
    found = (Entry(loc, line=number) for number, loc in lines if loc)
    document.entries += islice(found, None if most is None else most + 1)


def _check_counts(document: Document) -> None:
    what, most = ("sitemaps", MAX_SITEMAPS) if document.kind == "index" else ("URLs", MAX_URLS)
    if document.kind != "feed" and len(document.entries) > most:
        document.problems.append(Problem("F2", f"more than {most:,} {what}: the rest is not read"))
    if document.kind and document.whole and not document.entries:
        text = f"no entries: write no file rather than an empty {document.kind}"
        document.problems.append(Problem("F5", text))


def _read_xml(document: Document, data: bytes, most: int | None) -> None:
    if not _BEGINNING.match(data):
        document.refuse("F1", "is not well-formed XML: it does not start with < in UTF-8")
        return
    prolog = _PROLOG.match(data)
    end = prolog.end() if prolog else 0
    document.xslt = any(b"xsl" in found.lower() for found in _STYLESHEET.findall(data, 0, end))
    encoding = _ENCODING.match(data)
    if data[end : end + 9].upper() == b"<!DOCTYPE":
        text = "has a DOCTYPE, which sitemaps do not need and parsers refuse: the rest is not read"
        document.refuse("F4", text)
    elif encoding and encoding[1].lower() not in (b"utf-8", b"utf8", b"us-ascii"):
        name = encoding[1].decode("ascii", "replace")
        document.refuse("F4", f"declares the encoding {name}, but must be UTF-8")
    else:
        try:
            _XmlReader(document).read(data, most)
        except etree.LxmlSyntaxError as problem:
            document.refuse("F1", f"is not well-formed XML: {problem.msg}", problem.lineno or None)


class _XmlReader:
    """Reads a file entry by entry, without a tree of the whole file in memory."""

    def __init__(self, document: Document) -> None:
        self._document = document
        self._wrong: dict[tuple[str, str], tuple[int, int | None]] = {}
        self._entry = ""
        self._depth = 1

    def read(self, data: bytes, most: int | None) -> None:
        """Add entries and problems to the document.

        Raises lxml's ``LxmlSyntaxError`` if the XML is not well-formed; keeps the entries before that.
        """
        depth = 0
        parsed = etree.iterparse(
            io.BytesIO(data),
            events=("start", "end"),
            resolve_entities=False,
            no_network=True,
            load_dtd=False,
            huge_tree=False,
            remove_comments=True,
            remove_pis=True,
        )
        for event, element in parsed:
            depth += 1 if event == "start" else -1
            if event == "start" and depth == 1:
                self._start(element)
            elif event == "end" and depth == self._depth:
                self._child(element)
                element.clear()
                while element.getprevious() is not None:
                    del element.getparent()[0]
                if most is not None and len(self._document.entries) > most:
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
                alternates.append((child.get("hreflang", ""), child.get("href", "").strip()))
            elif namespace == _IMAGES and name == "image":
                images += self._read_image(child)
            elif namespace in (NAMESPACE, ""):
                self._note("F1", f"{self._entry} has {name}, which is not in the schema", child)
        self._check_values(values, element)
        if loc := values.get("loc"):
            line = element.sourceline
            yield Entry(loc, values.get("lastmod"), line, tuple(alternates), tuple(images))

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
    links = element.findall("{*}link") if name in ("entry", "item") else ()
    for link in links:
        is_page = name == "item" or link.get("rel", "alternate") == "alternate"
        loc = ((link.text if name == "item" else link.get("href")) or "").strip()
        if is_page and loc:
            yield Entry(loc, line=element.sourceline)
