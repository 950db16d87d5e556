"""Finds the tags of an HTML page, and tells them from text, comments and scripts as browsers do.

A subset of the tokenizer of the HTML standard (13.2.5), for bytes in any encoding that is a superset of
ASCII. Linear by construction: each byte belongs to one token, no expression tries a start twice, and
possessive repetition never backtracks. An element that is not closed ends with the page, as in browsers.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from functools import cache
from html.entities import html5
from typing import Final, NamedTuple

_NAME: Final = rb"[a-zA-Z][^\t\n\f\r />]*+"
_ATTRIBUTES_BUT: Final = rb"""(?>
    [\t\n\f\r /]++
    |%b[^\t\n\f\r />][^\t\n\f\r />=]*+
     (?>[\t\n\f\r ]*+=[\t\n\f\r ]*+
        (?>"[^"]*+(?:"|\Z)|'[^']*+(?:'|\Z)|[^\t\n\f\r "'>][^\t\n\f\r >]*+)?+)?+
)*+"""
_ATTRIBUTES: Final = _ATTRIBUTES_BUT % b""
_TOKEN: Final = re.compile(
    rb"""<(?:
        !--(?:-?+>|.*?(?:--!?>|\Z))                # a comment
        |[!?][^>]*+(?:>|\Z)                        # a declaration
        |/(?![a-zA-Z])[^>]*+(?:>|\Z)               # an end tag without a name
        |(/?+)(%b)(%b)(>|\Z)                       # a tag
    )"""
    % (_NAME, _ATTRIBUTES),
    re.DOTALL | re.VERBOSE,
)
_ATTRIBUTE: Final = re.compile(
    rb"""([^\t\n\f\r />][^\t\n\f\r />=]*+)
         (?>[\t\n\f\r ]*+=[\t\n\f\r ]*+
            (?>"([^"]*+)"?+|'([^']*+)'?+|([^\t\n\f\r "'>][^\t\n\f\r >]*+))?+)?+""",
    re.VERBOSE,
)

# The content of these elements is text up to their end tag. Browsers that run scripts treat noscript the same
# way; here its tags count, because it may contain redirects.
_RAW: Final = {
    name: re.compile(rb"</" + name + rb"(?=[\t\n\f\r />])", re.IGNORECASE)
    for name in (b"iframe", b"noembed", b"noframes", b"script", b"style", b"textarea", b"title", b"xmp")
}


@cache
def _others(names: frozenset[bytes], attribute: bytes) -> re.Pattern[bytes]:
    """Return an expression for text, and for tags that have neither one of the names nor the attribute."""
    attributes = _ATTRIBUTES_BUT % (rb"(?!%b[\t\n\f\r =/>])" % attribute if attribute else b"")
    return re.compile(
        rb"(?>[^<]++|</?+(?!(?:%b)[\t\n\f\r />])%b%b>)*+"
        % (b"|".join(sorted(names | _RAW.keys())), _NAME, attributes),
        re.IGNORECASE | re.VERBOSE,
    )


# In a comment in a script, the start tag of a script makes the next end tag that of the inner one (HTML,
# "script data double escaped state"). The dashes of a comment's start may also be those of its end.
_IN_SCRIPT: Final = re.compile(rb"<!(?=--)|-->|<(/?+)script(?=[\t\n\f\r />])", re.IGNORECASE)

_REFERENCE: Final = re.compile(r"&(?:#(?:[0-9]++|[xX][0-9a-fA-F]++)|[a-zA-Z][a-zA-Z0-9]{1,31}+)[;=]?+")
_LONGEST_NUMBER: Final = 12  # with "&#x" and ";"; the last character has seven digits


class Tag(NamedTuple):
    """A start or end tag: ``name`` is in lower case, ``rest`` is the text after it, as written.

    ``start`` and ``end`` are its offsets in the page. The name of a comment or a declaration is empty.
    """

    name: bytes
    is_end: bool
    rest: bytes
    start: int
    end: int

    def attributes(self) -> dict[str, str]:
        """Return the attributes, names in lower case, references replaced; the first of a name wins."""
        found: dict[str, str] = {}
        for match in _ATTRIBUTE.finditer(self.rest):
            value = match[2] or match[3] or match[4] or b""
            found.setdefault(_text(match[1]).lower(), unescape(_text(value)))
        return found


def some_tags(data: bytes, names: frozenset[bytes], attribute: bytes = b"") -> Iterator[Tag]:
    """Yield at least those of a page's ``tags`` that have one of the names, or the attribute.

    Names are in lower case. The others take no step each, which is many times faster.
    """
    return _tags(data, 0, _others(names, attribute))


def tags(data: bytes, start: int = 0) -> Iterator[Tag]:
    """Yield the tags and comments of a page from ``start`` on, which must not be within one.

    Scripts, style sheets, titles and similar elements contain no tags. An unfinished tag at the end of the
    page is ignored.
    """
    return _tags(data, start, None)


def _tags(data: bytes, start: int, others: re.Pattern[bytes] | None) -> Iterator[Tag]:
    while True:
        if others and (skipped := others.match(data, start)):
            start = skipped.end()
        match = _TOKEN.search(data, start)
        if not match:
            return
        slash, name, rest, end = match.groups()
        start = match.end()
        if name is None:
            yield Tag(b"", False, b"", match.start(), start)
            continue
        if not end:
            return
        name = name.lower()
        yield Tag(name, bool(slash), rest, match.start(), start)
        if name in _RAW and not slash:
            close = _RAW[name].search(data, start)
            end_of_text = close.start() if close else len(data)
            if name == b"script" and (comment := data.find(b"<!--", start, end_of_text)) >= 0:
                end_of_text = _end_of_script(data, comment)
            start = end_of_text


def _end_of_script(data: bytes, comment: int) -> int:
    """Return the offset of a script's end tag, or of the end of the page, given its first ``<!--``."""
    is_comment = is_inner = False
    for match in _IN_SCRIPT.finditer(data, comment):
        token = match[0]
        if token in (b"<!", b"-->"):
            is_comment = token == b"<!"
            is_inner = is_inner and is_comment
        elif not match[1]:
            is_inner = is_comment
        elif is_inner:
            is_inner = False
        else:
            return match.start()
    return len(data)


def unescape(text: str) -> str:
    """Return text with its character references replaced, as in an attribute.

    A name without a semicolon is replaced only if it is a legacy name that no letter, digit or ``=`` follows:
    ``?a=1&copy=2`` stays. Any number of digits is allowed, while ``html.unescape`` raises for thousands.
    """
    return _REFERENCE.sub(_character, text) if "&" in text else text


def _character(match: re.Match[str]) -> str:
    found = match[0]
    if found[1] != "#":
        return html5.get(found[1:], found)
    if len(found) <= _LONGEST_NUMBER:
        return html.unescape(found)
    kept = found[:3] + found[3:].lstrip("0")
    return html.unescape(kept) if len(kept) <= _LONGEST_NUMBER else "\N{REPLACEMENT CHARACTER}"


def _text(data: bytes) -> str:
    return data.decode("utf-8", "surrogateescape")
