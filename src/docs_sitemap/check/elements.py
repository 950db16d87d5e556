"""Read the elements of a sitemap, an index or a feed, with any prefixes, and check them by the schema."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from typing import Any, Final

from docs_sitemap.check.document import Document, Entry, Problem
from docs_sitemap.files.formats import NAMESPACE
from docs_sitemap.options import CHANGEFREQS
from docs_sitemap.untrusted.sitemaps import iterparse

_IMAGES: Final = "http://www.google.com/schemas/sitemap-image/1.1"
_XHTML: Final = "http://www.w3.org/1999/xhtml"
_DROPPED: Final = ("caption", "geo_location", "title", "license")
"""Image tags that Google no longer reads since 2022 (Google, image sitemaps)."""

_ROOTS: Final = {"urlset": "url", "sitemapindex": "sitemap"}
_ORDER: Final = {"url": ("loc", "lastmod", "changefreq", "priority"), "sitemap": ("loc", "lastmod")}
_PRIORITY: Final = re.compile(r"\+?(0*1(\.0*)?|0*\.\d+|0+(\.\d*)?)")


class XmlReader:
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
