"""The mark of an old version's page: one element in its head, which keeps the element that was there. Pure.

Works on bytes, in any encoding that extends ASCII. All other bytes of the page stay.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from html import escape
from typing import Final
from urllib.parse import quote_from_bytes, unquote_to_bytes

from docs_sitemap import urls
from docs_sitemap.untrusted.html import MARK, Head, Tag, head_of
from docs_sitemap.urls import with_usual_host


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


_SIGNATURE: Final = MARK.encode()
"""The attribute of our element: percent-encoded, the element in whose place it is, or empty."""

_UTF_16: Final = (b"\xff\xfe", b"\xfe\xff")
_OTHER_ENCODING: Final = re.compile(
    rb"(?:charset|encoding)[\t\n\f\r ]*+=[\t\n\f\r ]*+[\"']?+[\t\n\f\r ]*+(?:(?:cs)?+iso-?+2022|hz-gb-2312)"
)
_DECLARED_IN: Final = 1024
"""Bytes in which browsers look for the declaration of an encoding (HTML, 4.2.5.4)."""
_ESCAPE: Final = re.compile(rb"\x1b\$[@B()]")
"""From here on, two bytes are one character, and any of them may look like ``<`` or a quote (ISO 2022)."""

_DOCUMENT: Final = re.compile(rb"<(?:!doctype|html|head|title|body|meta|link|base)\b", re.IGNORECASE)
_START: Final = 4096


def absolute(url: str, base: str, reference: str) -> str:
    """Return the absolute URL of a reference in a page, given its URL and ``base``; empty if it has none."""
    found = urls.absolute((base and urls.absolute(url, base)) or url, reference)
    return urls.with_usual_host(found) if found else ""


def place(data: bytes, head: Head) -> int:
    """Return the offset at which an element can be added to the head of a whole page, or -1.

    Some have no head, or are no document: parts of one, or the text that proves whose site it is.
    """
    return head.place if _DOCUMENT.search(data, 0, _START) else -1


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
    head = head_of(data)
    if head.mark is None:
        return data, head
    data = put(data, _was(head.mark), head.mark)
    return data, head_of(data)


def is_inverse(new: bytes, data: bytes) -> bool:
    """Tell whether ``new`` is ``data`` with our element, so that it can be removed again.

    It is not if the element is in what the page never ends, such as a comment.
    """
    mark = head_of(new).mark
    return mark is not None and put(new, _was(mark), mark) == data


def _was(mark: Tag) -> bytes:
    # a page in another encoding than UTF-8 may have any bytes there
    return unquote_to_bytes(mark.attributes(MARK)[MARK].encode("utf-8", "surrogateescape"))


def put(data: bytes, element: bytes, place: Tag | int) -> bytes:
    """Return data with an element in place of a tag, or at an offset."""
    start, end = (place, place) if isinstance(place, int) else (place.start, place.end)
    return data[:start] + element + data[end:]
