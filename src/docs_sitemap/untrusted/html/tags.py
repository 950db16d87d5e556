"""Finds the tags of an HTML page, and tells them from text, comments and scripts as browsers do.

A subset of the tokenizer of the HTML standard (13.2.5), for bytes in any encoding that is a superset of
ASCII. Linear by construction: each byte belongs to one token, no expression tries a start twice, and
possessive repetition never backtracks. An element that is not closed ends with the page, as in browsers.
"""

from __future__ import annotations

import html
import re
import sys
from collections.abc import Iterator
from functools import cache, lru_cache
from html.entities import html5
from itertools import islice
from typing import Final, NamedTuple

from docs_sitemap.limits import MAX_REFERENCES, MAX_SCRIPT_TAGS, MAX_TITLE

_NAME: Final = rb"[a-zA-Z][^\t\n\f\r />]*+"
_ATTRIBUTE_BUT: Final = rb"""(?>
    %b[^\t\n\f\r />][^\t\n\f\r />=]*+[\t\n\f\r ]*+
    (?>=[\t\n\f\r ]*+
        (?>"[^"]*+(?:"|\Z)|'[^']*+(?:'|\Z)|[^\t\n\f\r "'>][^\t\n\f\r >]*+)?+)?+
    [\t\n\f\r /]*+
)"""
_BEFORE: Final = rb"[\t\n\f\r /]*+"
_ATTRIBUTES: Final = _BEFORE + _ATTRIBUTE_BUT % b"" + b"*+"
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
_VALUE: Final = rb"""(?>[\t\n\f\r ]*+=[\t\n\f\r ]*+
    (?>"([^"]*+)"?+|'([^']*+)'?+|([^\t\n\f\r "'>][^\t\n\f\r >]*+))?+)?+"""

# The content of these elements is text up to their end tag. Browsers that run scripts treat noscript the same
# way; here its tags count, because it may contain redirects.
_RAW: Final = {
    name: re.compile(rb"</" + name + rb"(?=[\t\n\f\r />])", re.IGNORECASE)
    for name in (b"iframe", b"noembed", b"noframes", b"script", b"style", b"textarea", b"title", b"xmp")
}


@cache
def _others(names: frozenset[bytes], attribute: bytes) -> re.Pattern[bytes]:
    """Return an expression for text, and for tags that have neither one of the names nor the attribute."""
    but = rb"(?!%b[\t\n\f\r =/>])" % attribute if attribute else b""
    attributes = _BEFORE + _ATTRIBUTE_BUT % but + b"*+"
    return re.compile(
        rb"(?>[^<]++|</?+(?!(?:%b)[\t\n\f\r />])%b%b>)*+"
        % (b"|".join(sorted(names | _RAW.keys())), _NAME, attributes),
        re.IGNORECASE | re.VERBOSE,
    )


_MOST_BEFORE: Final = b"{0,200}+"
"""How many attributes are passed over to find one that has a name; usual tags have twenty."""


@cache
def _next_of(names: tuple[str, ...]) -> re.Pattern[bytes]:
    """Return an expression for the next attribute that has one of the names, and those before it."""
    name = rb"(?:%b)(?=[\t\n\f\r =/>]|\Z)" % b"|".join(map(re.escape, map(str.encode, names)))
    others = _ATTRIBUTE_BUT % (rb"(?!%b)" % name) + _MOST_BEFORE
    return re.compile(rb"%b%b(%b)%b" % (_BEFORE, others, name, _VALUE), re.IGNORECASE | re.VERBOSE)


_SCRIPT: Final = re.compile(rb"<(/?+)script(?=[\t\n\f\r />])", re.IGNORECASE)

_REFERENCE: Final = re.compile(r"(&(?:#(?:[0-9]++|[xX][0-9a-fA-F]++)|[a-zA-Z][a-zA-Z0-9]{1,31}+)[;=]?+)")
_DECIMAL: Final = re.compile(r"&#([0-9]{3,9}+)(?![0-9]);?")
_HEXADECIMAL: Final = re.compile(r"&#[xX]([0-9a-fA-F]{2,8}+)(?![0-9a-fA-F]);?")
_ZEROS: Final = re.compile(r"(?<=[#xX])0++(?=[0-9a-fA-F])")
_LONGEST_NUMBER: Final = 12  # with "&#x" and ";"

_IN_HEAD: Final = 20, 50
_IN_BODY: Final = 30, 40
"""Tags that are read of a page without any bytes, and bytes for each more: usual pages have fewer.

Of the heads of 406 pages that other tools made, the fullest had two thirds of what its own bytes allow.

50,000 pages of 2 kB of short tags took 16 seconds with four times as many.
"""

SAYING: Final = 4
"""One of so many tags of a head may be read further, for what it says: usual ones have three or four such."""

_REFERENCES: Final = 100
_BYTES_OF_REFERENCE: Final = 8
"""References in the tags of an empty page, and bytes for each more: as in text of nothing but references."""


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

        Names are in lower case. The first attribute of a name wins. No more attributes are read than there
        are names, and one more, should the same be there again and again; and no more than 200 are passed
        over to find one: a MiB of them took a third of a second.
        """
        found: dict[str, str] = {}
        read, end = _next_of(names), 0
        for _ in range(len(names) + 1):
            match = read.match(self.rest, end)
            if match is None:
                break
            end = match.end()
            written, *values = match.groups(b"")
            name = written.lower().decode()
            if name not in found:
                found[name] = unescape(b"".join(values).decode("utf-8", "surrogateescape"))
                if len(found) == len(names):
                    break
        return found


def most_tags(data: bytes, most: int, *, in_body: bool = False) -> int:
    """Return how many tags of a page are read: as many as usual ones have, and ``most`` of a large one."""
    number, size = _IN_BODY if in_body else _IN_HEAD
    return min(most, number + len(data) // size)


def some_tags(data: bytes, names: frozenset[bytes], attribute: bytes = b"") -> Iterator[Tag]:
    """Yield at least those of a page's ``tags`` that have one of the names, or the attribute.

    Names are in lower case. The others take no step each, which is many times faster.
    """
    return _tags(data, 0, _others(names, attribute))


def tags(data: bytes, start: int = 0) -> Iterator[Tag]:
    """Yield the tags and comments of a page from ``start`` on, which must not be within one.

    Scripts, style sheets, titles and similar elements contain no tags. An unfinished tag at the end of the
    page is ignored. If a page's tags have more references to characters than text of its length would, and
    in any case from ``MAX_REFERENCES`` on, tags with another one seem to have no attributes.
    """
    return _tags(data, start, None)


def _tags(data: bytes, start: int, others: re.Pattern[bytes] | None) -> Iterator[Tag]:
    references = min(MAX_REFERENCES, _REFERENCES + len(data) // _BYTES_OF_REFERENCE)
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
        if b"&" in rest:
            references -= rest.count(b"&")
            rest = rest if references >= 0 else b""
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
    for tag in islice(_SCRIPT.finditer(data, comment), MAX_SCRIPT_TAGS):
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
    ``?a=1&copy=2`` stays. Any number of digits is allowed, while ``html.unescape`` raises for thousands.
    """
    if "&" not in text:
        return text
    if "&#" in text:
        text = _with_characters(text)
    parts = _REFERENCE.split(text)  # hundreds are replaced one by one in twice the time
    parts[1::2] = [
        _numbered(found) if found[1] == "#" else html5.get(found[1:], found) for found in parts[1::2]
    ]
    return "".join(parts)


def _with_characters(text: str) -> str:
    """Return text with the numbers replaced of what is not ASCII: there may be as many kinds as characters.

    What they leave is read as before: no such character is a part of a reference. Those that are no
    characters are left too, because what is around them would become one.
    """
    for read, base, sign in ((_DECIMAL, 10, "#"), (_HEXADECIMAL, 16, "#x")):
        parts = read.split(text)
        if len(parts) > 1:
            numbers = [int(digits, base) for digits in parts[1::2]]
            parts[1::2] = [
                "\N{REPLACEMENT CHARACTER}"
                if number > sys.maxunicode or 0xD800 <= number < 0xE000
                else chr(number)
                if number >= 0xA0 and not 0xFDD0 <= number < 0xFDF0 and number & 0xFFFE != 0xFFFE
                else f"&{sign}{digits};"
                for number, digits in zip(numbers, parts[1::2], strict=True)
            ]
            text = "".join(parts)
    return text


def _numbered(reference: str) -> str:
    if len(reference) > _LONGEST_NUMBER:
        reference = _ZEROS.sub("", reference, count=1)
        if len(reference) > _LONGEST_NUMBER:
            return "\N{REPLACEMENT CHARACTER}" + ("=" if reference[-1] == "=" else "")
    return _known_number(reference)


@lru_cache(4096)  # html.unescape takes ten times as long
def _known_number(reference: str) -> str:
    return html.unescape(reference)


def one_line(text: str) -> str:
    """Return a text with white space collapsed, and so much of it that one sees whether it is too long."""
    return " ".join(text[: 2 * MAX_TITLE].split())[: MAX_TITLE + 1]
