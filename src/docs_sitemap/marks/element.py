"""The mark of an old version's page: one element in its head, which keeps the element that was there. Pure.

Works on bytes, in any encoding that extends ASCII. All other bytes of the page stay.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from html import escape
from typing import Final, NamedTuple
from urllib.parse import quote_from_bytes, unquote_to_bytes

from docs_sitemap.untrusted.html import BOTS, Tag, says_noindex, tags

ATTRIBUTE: Final = "data-docs-sitemap"
"""The attribute of our element: percent-encoded, the element in whose place it is, or empty."""

_SIGNATURE: Final = ATTRIBUTE.encode()
_UTF_16: Final = (b"\xff\xfe", b"\xfe\xff")
_OTHER_ENCODING: Final = re.compile(
    rb"(?:charset|encoding)[\t\n\f\r ]*+=[\t\n\f\r ]*+[\"']?+[\t\n\f\r ]*+(?:(?:cs)?+iso-?+2022|hz-gb-2312)",
    re.IGNORECASE,
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

_REFRESH: Final = re.compile(r"\s*[\d.]*\s*[;,]?\s*(?:url\s*=\s*)?[\"']?([^\"']*)", re.IGNORECASE)


_DOCUMENT: Final = re.compile(rb"<(?:!doctype|html|head|title|body|meta|link|base)\b", re.IGNORECASE)
_START: Final = 4096

_SAYS_SOMETHING: Final = re.compile(
    rb"canonical|refresh|robots|bot|&|" + re.escape(ATTRIBUTE.encode()), re.IGNORECASE
)
"""What a tag that counts contains; a word may be written with character references."""


class Head(NamedTuple):
    """What the start of a page says.

    ``canonicals`` are its canonical links with their targets as written, and ``noindex`` its robots tags that
    exclude the page. ``refresh`` is the target of a redirect, or empty. ``mark`` is our element. ``end`` is
    the offset at which an element can be added to the head, or -1 if that is not within the data, or the data
    are no document: a part of one, or the text that proves to a service whose site it is.
    """

    canonicals: tuple[tuple[Tag, str], ...] = ()
    noindex: tuple[Tag, ...] = ()
    refresh: str = ""
    mark: Tag | None = None
    end: int = -1


def read(data: bytes, *, is_whole: bool, to_mark: bool = False) -> Head:
    """Read the head of a page; ``is_whole`` tells whether the data are all of it, ``to_mark`` stops there."""
    canonicals: list[tuple[Tag, str]] = []
    noindex: list[Tag] = []
    refresh = ""
    mark: Tag | None = None
    end = -1
    for tag, at, is_in_noscript in _meant(data, is_whole=is_whole):
        end = at
        if tag is None:
            break
        values = tag.attributes()
        if tag.name == b"meta" and values.get("http-equiv", "").strip().lower() == "refresh":
            refresh = refresh or _target(values.get("content", ""))
        elif is_in_noscript:
            continue
        elif ATTRIBUTE in values:
            mark = mark or tag
            if to_mark:
                break
        elif tag.name == b"link" and "canonical" in values.get("rel", "").lower().split():
            canonicals.append((tag, values.get("href", "").strip()))
        elif values.get("name", "").strip().lower() in BOTS and says_noindex(values.get("content")):
            noindex.append(tag)
    else:
        end = len(data) if is_whole else -1
    if not _DOCUMENT.search(data, 0, _START):
        end = -1
    return Head(tuple(canonicals), tuple(noindex), refresh, mark, end)


def _meant(data: bytes, *, is_whole: bool) -> Iterator[tuple[Tag | None, int, bool]]:
    """Yield the tags that may count, each with the offset before it and whether it is in a ``noscript``.

    ``None`` is the end of the head.
    """
    inside = Counter[bytes]()
    for tag, at in _in_head(data, is_whole=is_whole):
        if tag is None:
            yield None, at, False
        elif tag.name in _INERT:
            inside[tag.name] = max(0, inside[tag.name] + (-1 if tag.is_end else 1))
        elif _may_count(tag) and not inside[b"template"]:
            yield tag, at, bool(inside[b"noscript"])


def _may_count(tag: Tag) -> bool:
    is_meant = tag.name in (b"meta", b"link") and not tag.is_end
    return is_meant and _SAYS_SOMETHING.search(tag.rest) is not None


def _in_head(data: bytes, *, is_whole: bool) -> Iterator[tuple[Tag | None, int]]:
    """Yield the tags of the head, and ``None`` at its end, each with the offset before it.

    A ``noscript`` with other content, such as a picture that counts visits, ends the head for readers without
    scripts: then its start is the end, although the tags after it count.
    """
    before = 0
    is_text = False  # whether the text after the tag before belongs to its element
    inert: Tag | None = None  # the noscript or template that the tag is in
    end: int | None = None
    for tag in tags(data):
        at = tag.start if is_text else _first_text(data, before, tag.start)
        is_other = at < tag.start or _ends_head(tag)
        if is_other and (inert is None or tag.name in (b"head", b"body")):
            yield None, end if end is not None else inert.start if inert else at
            return
        if is_other and inert and inert.name == b"noscript" and end is None:
            end = inert.start
        yield tag, tag.start
        if inert is None and tag.name in _INERT and not tag.is_end:
            inert = tag
        elif inert and tag.is_end and tag.name == inert.name:
            inert = None
        before = tag.end
        is_text = tag.name in _RAW and not tag.is_end
    if end is not None and is_whole:
        yield None, end
    elif data[before:].strip() and not is_text:
        yield None, before


def _first_text(data: bytes, start: int, end: int) -> int:
    """Return the offset of the first text between two tags, or ``end``."""
    between = data[start:end]
    if not between.strip().removeprefix(b"\xef\xbb\xbf").strip():
        return end
    return start + len(between) - len(between.lstrip())


def _ends_head(tag: Tag) -> bool:
    return tag.name in (b"head", b"body") if tag.is_end else tag.name not in _IN_HEAD


def _target(content: str) -> str:
    """Return the URL of a refresh, as browsers read it (HTML, shared declarative refresh steps)."""
    match = _REFRESH.match(content)
    return match[1].strip() if match and "url" in content.lower() else ""


def is_unsupported(data: bytes) -> bool:
    """Tell whether a page is in an encoding in which tags cannot be read."""
    if data[:2] in _UTF_16 or b"\0" in data[:4] or _ESCAPE.search(data):
        return True
    return _OTHER_ENCODING.search(data, 0, _DECLARED_IN) is not None


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


def has_mark(data: bytes) -> bool:
    """Tell whether data may have a mark, without reading them."""
    return _SIGNATURE in data


def unmarked(data: bytes, *, is_whole: bool) -> tuple[bytes, Head]:
    """Return a page as it was without our element, and its head."""
    head = read(data, is_whole=is_whole)
    if head.mark is None:
        return data, head
    data = put(data, _was(head.mark), head.mark)
    return data, read(data, is_whole=is_whole)


def is_inverse(new: bytes, data: bytes) -> bool:
    """Tell whether ``new`` is ``data`` with our element, so that it can be removed again.

    It is not if the element is in what the page never ends, such as a comment.
    """
    mark = read(new, is_whole=True, to_mark=True).mark
    return mark is not None and put(new, _was(mark), mark) == data


def _was(mark: Tag) -> bytes:
    # a page in another encoding than UTF-8 may have any bytes there
    return unquote_to_bytes(mark.attributes()[ATTRIBUTE].encode("utf-8", "surrogateescape"))


def put(data: bytes, element: bytes, place: Tag | int) -> bytes:
    """Return data with an element in place of a tag, or at an offset."""
    start, end = (place, place) if isinstance(place, int) else (place.start, place.end)
    return data[:start] + element + data[end:]
