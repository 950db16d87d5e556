"""The mark of an old version's page: one element in its head, which keeps the element that was there. Pure.

Works on bytes, in any encoding that extends ASCII. All other bytes of the page stay.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from html import escape
from typing import Final, NamedTuple
from urllib.parse import quote_from_bytes, unquote_to_bytes

from docs_sitemap import urls
from docs_sitemap.untrusted.html import BOTS, Tag, says_noindex, tags

ATTRIBUTE: Final = "data-docs-sitemap"
"""The attribute of our element: percent-encoded, the element in whose place it is, or empty."""

_SIGNATURE: Final = ATTRIBUTE.encode()
_UTF_16: Final = (b"\xff\xfe", b"\xfe\xff")
_OTHER_ENCODING: Final = re.compile(
    rb"(?:charset|encoding)[\t\n\f\r ]*+=[\t\n\f\r ]*+[\"']?+[\t\n\f\r ]*+(?:(?:cs)?+iso-?+2022|hz-gb-2312)"
)
_DECLARED_IN: Final = 1024
"""Bytes in which browsers look for the declaration of an encoding (HTML, 4.2.5.4)."""
_ESCAPE: Final = re.compile(rb"\x1b\$[@B()]")
"""From here on, two bytes are one character, and any of them may look like ``<`` or a quote (ISO 2022)."""

_INERT: Final = (b"noscript", b"template")
_RAW: Final = (b"script", b"style", b"title", b"noframes")
_IN_HEAD: Final = frozenset(
    {b"", b"html", b"head", b"base", b"basefont", b"bgsound", b"link", b"meta", *_RAW, *_INERT}
)
"""The elements that do not end the head (HTML, 13.2.6.4.4)."""

_BOM: Final = b"\xef\xbb\xbf"
_BLANKS: Final = re.compile(rb"[\t\n\f\r ]*+")

_REFRESH: Final = re.compile(r"\s*[\d.]*\s*[;,]?\s*(?:url\s*=\s*)?[\"']?([^\"']*)", re.IGNORECASE)


_DOCUMENT: Final = re.compile(rb"<(?:!doctype|html|head|title|body|meta|link|base)\b", re.IGNORECASE)
_START: Final = 4096


class Head(NamedTuple):
    """What the start of a page says.

    ``canonicals`` are its canonical links with their targets as written, and ``noindex`` its robots tags that
    exclude the page. ``refresh`` is the target of a redirect, or empty. ``mark`` is our
    element. ``end`` is the offset at which an element can be added to the head of a whole page, or -1 if it
    has no head, or is no document: a part of one, or the text that proves to a service whose site it is.
    Relative targets are relative to ``base``, as written.
    """

    canonicals: tuple[tuple[Tag, str], ...] = ()
    noindex: tuple[Tag, ...] = ()
    refresh: str = ""
    mark: Tag | None = None
    end: int = -1
    base: str = ""


def read(data: bytes) -> Head:
    """Read the head of a page, of which the start that has its head is enough, but for ``end``."""
    found: defaultdict[str, list[tuple[Tag, str]]] = defaultdict(list)
    head = _InHead(data)
    for tag in head:
        kind, value = _said(tag, is_in_noscript=head.inert is not None)
        if kind:
            found[kind].append((tag, value))
    return Head(
        tuple(found["canonical"]),
        tuple(tag for tag, _ in found["noindex"]),
        next((target for _, target in found["refresh"] if target), ""),
        next((tag for tag, _ in found["mark"]), None),
        head.place() if _DOCUMENT.search(data, 0, _START) else -1,
        next((href for _, href in found["base"] if href), ""),
    )


def _said(tag: Tag, *, is_in_noscript: bool) -> tuple[str, str]:
    """Return what a tag of a head says, and its value: in a ``noscript``, only a refresh counts."""
    if tag.is_end or tag.name not in (b"meta", b"link", b"base"):
        return "", ""
    values = tag.attributes("http-equiv", "content", "href", "rel", "name", ATTRIBUTE)
    kind = value = ""
    if tag.name == b"meta" and values.get("http-equiv", "").strip().lower() == "refresh":
        kind, value = "refresh", _target(values.get("content", ""))
    elif is_in_noscript:
        pass
    elif tag.name == b"base":
        kind, value = "base", values.get("href", "").strip()
    elif ATTRIBUTE in values:
        kind = "mark"
    elif tag.name == b"link" and "canonical" in values.get("rel", "").lower().split():
        kind, value = "canonical", values.get("href", "").strip()
    elif values.get("name", "").strip().lower() in BOTS and says_noindex(values.get("content")):
        kind = "noindex"
    return kind, value


class _InHead:
    """The tags of a head, except those in a ``template``, which do not count.

    Behind ``</head>``, the elements of a head still belong to it (HTML, 13.2.6.4.6). A ``noscript`` with
    other content, such as a picture that counts visits, ends the head for readers without scripts: then its
    start is the end, although the tags after it count. ``inert`` is the ``noscript`` or the template that the
    last tag is in.
    """

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._before = len(_BOM) if data.startswith(_BOM) else 0
        self._is_text = False  # whether the text after the tag before belongs to its element
        self._is_after = False
        self._depth = 0
        self._end = -1
        self._is_over = False
        self.inert: Tag | None = None

    def __iter__(self) -> Iterator[Tag]:
        for tag in tags(self._data):
            self._look_at(tag)
            if self._is_over:
                return
            if self.inert is None or self.inert.name == b"noscript":
                yield tag
            self._pass(tag)

    def _look_at(self, tag: Tag) -> None:
        at = tag.start if self._is_text else self._end_of_blanks(tag.start)
        is_other = at < tag.start or self._ends_head(tag)
        if self.inert is None:
            self._is_over = is_other
            self._is_after = self._is_after or (tag.name == b"head" and tag.is_end)
            if self._is_over or self._is_after:
                self._ends_at(at)
        elif tag.name in (b"head", b"body") or (is_other and self.inert.name == b"noscript"):
            self._ends_at(self.inert.start)  # before a template too, for readers that do not know it
            self._is_over = tag.name in (b"head", b"body") and self.inert.name == b"noscript"

    def _pass(self, tag: Tag) -> None:
        if self.inert is None and tag.name in _INERT and not tag.is_end:
            self.inert, self._depth = tag, 1
        elif self.inert and tag.name == self.inert.name and (tag.is_end or tag.name == b"template"):
            self._depth += -1 if tag.is_end else 1
            self.inert = self.inert if self._depth else None
        self._before = tag.end
        self._is_text = tag.name in _RAW and not tag.is_end

    def _ends_head(self, tag: Tag) -> bool:
        if tag.is_end:
            return tag.name in (b"body", b"html", b"br")
        return tag.name not in _IN_HEAD or (self._is_after and tag.name == b"noscript")

    def _ends_at(self, offset: int) -> None:
        self._end = offset if self._end < 0 else self._end

    def _end_of_blanks(self, end: int) -> int:
        found = _BLANKS.match(self._data, self._before, end)
        return found.end() if found else self._before

    def place(self) -> int:
        """Return the offset at which an element can be added, after all tags were read, or -1."""
        if not self._is_over and not self._is_text and self.inert is None:
            at = self._end_of_blanks(len(self._data))
            self._is_over = at < len(self._data)
            if self._is_over:
                self._ends_at(at)
        if self._is_over or self._end >= 0:
            return self._end
        return len(self._data)


def absolute(url: str, base: str, reference: str) -> str:
    """Return the absolute URL of a reference in a page, given its URL and ``base``; empty if it has none."""
    found = urls.absolute((base and urls.absolute(url, base)) or url, reference)
    return urls.with_usual_host(found) if found else ""


def _target(content: str) -> str:
    """Return the URL of a refresh, as browsers read it (HTML, shared declarative refresh steps)."""
    match = _REFRESH.match(content)
    return match[1].strip() if match and "url" in content.lower() else ""


def is_unsupported(data: bytes) -> bool:
    """Tell whether a page is in an encoding in which tags cannot be read."""
    if data[:2] in _UTF_16 or b"\0" in data[:4] or _ESCAPE.search(data):
        return True
    return _OTHER_ENCODING.search(data[:_DECLARED_IN].lower()) is not None


def canonical(url: str, was: bytes = b"") -> bytes:
    """Return a canonical link to a URL in place of an element."""
    return b'<link rel="canonical" href="%b" %b="%b" />' % (
        escape(url).encode("ascii", "xmlcharrefreplace"),
        _SIGNATURE,
        quote_from_bytes(was, safe="").encode(),
    )


def noindex(was: bytes = b"") -> bytes:
    """Return a robots tag that excludes a page, in place of an element."""
    return b'<meta name="robots" content="noindex, follow" %b="%b" />' % (
        _SIGNATURE,
        quote_from_bytes(was, safe="").encode(),
    )


def unmarked(data: bytes) -> tuple[bytes, Head]:
    """Return a page as it was without our element, and its head."""
    head = read(data)
    if head.mark is None:
        return data, head
    data = put(data, _was(head.mark), head.mark)
    return data, read(data)


def is_inverse(new: bytes, data: bytes) -> bool:
    """Tell whether ``new`` is ``data`` with our element, so that it can be removed again.

    It is not if the element is in what the page never ends, such as a comment.
    """
    mark = read(new).mark
    return mark is not None and put(new, _was(mark), mark) == data


def _was(mark: Tag) -> bytes:
    # a page in another encoding than UTF-8 may have any bytes there
    return unquote_to_bytes(mark.attributes(ATTRIBUTE)[ATTRIBUTE].encode("utf-8", "surrogateescape"))


def put(data: bytes, element: bytes, place: Tag | int) -> bytes:
    """Return data with an element in place of a tag, or at an offset."""
    start, end = (place, place) if isinstance(place, int) else (place.start, place.end)
    return data[:start] + element + data[end:]
