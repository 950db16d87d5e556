"""Finds the tags of an HTML page, and tells them from text, comments and scripts as browsers do.

A subset of the tokenizer of the HTML standard (13.2.5), for bytes in any encoding that is a superset of
ASCII. Linear by construction: each byte belongs to one token, no expression tries a start twice, and
possessive repetition never backtracks. An element that is not closed ends with the page, as in browsers.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from html.entities import html5
from typing import Final, NamedTuple

from docs_sitemap.limits import MAX_TITLE

_ATTRIBUTE_TEXT: Final = rb"""
    ([^\t\n\f\r />][^\t\n\f\r />=]*+)[\t\n\f\r ]*+
    (?>=[\t\n\f\r ]*+
        (?>"([^"]*+)(?:"|\Z)|'([^']*+)(?:'|\Z)|([^\t\n\f\r "'>][^\t\n\f\r >]*+))?+)?+
    [\t\n\f\r /]*+
"""
_ATTRIBUTE: Final = re.compile(_ATTRIBUTE_TEXT, re.VERBOSE)
_TOKEN: Final = re.compile(
    rb"""<(?:
        !--(?:-?+>|.*?(?:--!?>|\Z))                # a comment
        |[!?][^>]*+(?:>|\Z)                        # a declaration
        |/(?![a-zA-Z])[^>]*+(?:>|\Z)               # an end tag without a name
        |(/?+)([a-zA-Z][^\t\n\f\r />]*+)([\t\n\f\r /]*+(?>%b)*+)(>|\Z)  # a tag
    )"""
    % _ATTRIBUTE_TEXT,
    re.DOTALL | re.VERBOSE,
)

# The content of these elements is text up to their end tag. Browsers that run scripts treat noscript the same
# way; here its tags count, because it may contain redirects.
_RAW: Final = {
    name: re.compile(rb"</" + name + rb"(?=[\t\n\f\r />])", re.IGNORECASE)
    for name in (b"iframe", b"noembed", b"noframes", b"script", b"style", b"textarea", b"title", b"xmp")
}

_SCRIPT: Final = re.compile(rb"<(/?+)script(?=[\t\n\f\r />])", re.IGNORECASE)

_REFERENCE: Final = re.compile(r"&(?:#(?:[0-9]++|[xX][0-9a-fA-F]++)|[a-zA-Z][a-zA-Z0-9]{1,31}+)[;=]?+")


class Tag(NamedTuple):
    """A start or end tag: ``name`` is in lower case, ``rest`` is the text after it, as written.

    ``start`` and ``end`` are its offsets in the page. The name of a comment or a declaration is empty.
    """

    name: bytes
    is_end: bool
    rest: bytes
    start: int
    end: int

    def attributes(self, *names: str) -> dict[str, str]:
        """Return those attributes that have one of the names, with references replaced.

        Names are in lower case. The first attribute of a name wins.
        """
        found: dict[str, str] = {}
        for written, *values in _ATTRIBUTE.findall(self.rest):
            name = written.lower().decode("utf-8", "replace")
            if name in names and name not in found:
                found[name] = unescape(b"".join(values).decode("utf-8", "surrogateescape"))
        return found


def tags(data: bytes, start: int = 0) -> Iterator[Tag]:
    """Yield the tags and comments of a page from ``start`` on, which must not be within one.

    Scripts, style sheets, titles and similar elements contain no tags. An unfinished tag at the end of the
    page is ignored.
    """
    while match := _TOKEN.search(data, start):
        slash, name, rest, *_, end = match.groups()
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
    """Return the offset of a script's end tag, or of the end of the page, given its first ``<!--``.

    In a comment in a script, the start tag of a script makes the next end tag that of the inner one (HTML,
    "script data double escaped state"). The dashes of a comment's start may also be those of its end.
    """
    is_comment = is_inner = False
    since = comment
    for tag in _SCRIPT.finditer(data, comment):
        # not each start and end of a comment: a page may have thousands
        end = data.rfind(b"-->", since, tag.start())
        start = data.rfind(b"<!--", since, tag.start())
        if start != end:  # there is one
            is_comment = start > end
        is_inner = is_inner and end < 0
        since = tag.start()
        if not tag[1]:
            is_inner = is_comment
        elif is_inner:
            is_inner = False
        else:
            return since
    return len(data)


def unescape(text: str) -> str:
    """Return text with its character references replaced, as in an attribute.

    A name without a semicolon is replaced only if it is a legacy name that no letter, digit or ``=`` follows:
    ``?a=1&copy=2`` stays.
    """
    return _REFERENCE.sub(_character, text) if "&" in text else text


def _character(found: re.Match[str]) -> str:
    reference = found[0]
    if reference[1] != "#":
        return html5.get(reference[1:], reference)
    try:
        return html.unescape(reference)
    except ValueError:  # it has thousands of digits
        return "\N{REPLACEMENT CHARACTER}"


def one_line(text: str) -> str:
    """Return a text with white space collapsed, and so much of it that one sees whether it is too long."""
    return " ".join(text[: 2 * MAX_TITLE].split())[: MAX_TITLE + 1]
