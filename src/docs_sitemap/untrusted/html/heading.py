"""Reads the heading of a page."""

from __future__ import annotations

from itertools import islice
from pathlib import Path
from typing import Final

from docs_sitemap.limits import MAX_HEAD_TAGS, MAX_PAGE, MAX_TITLE
from docs_sitemap.untrusted.files import read_start
from docs_sitemap.untrusted.html.tags import Tag, most_tags, one_line, some_tags, tags, unescape

_MOST_TAGS: Final = 200
"""Tags that are read of a heading: one without an end would be all of its page."""

_BYTES: Final = 4 * MAX_TITLE
"""Bytes that are read of one: a character in UTF-8 has up to four."""


def read_heading(file: Path) -> str:
    """Return the text of the first ``h1`` of an HTML file, without the permalink that themes add."""
    try:
        return heading_of(read_start(file, MAX_PAGE))
    except (OSError, ValueError):
        return ""


def heading_of(data: bytes) -> str:
    """Return the text of the first ``h1`` of a page, with white space collapsed."""
    # comments, scripts and style sheets come before it, in no more than a head's tags
    found = islice(some_tags(data, frozenset((b"h1",))), most_tags(data, MAX_HEAD_TAGS, in_body=True))
    heading = next((tag for tag in found if tag.name == b"h1" and not tag.is_end), None)
    if heading is None:
        return ""
    text, since, hidden_by = b"", heading.end, b""
    for tag in islice(tags(data, heading.end), most_tags(data, _MOST_TAGS, in_body=True)):
        if not hidden_by:
            text += data[since : min(tag.start, since + _BYTES)]
        if len(text) > _BYTES or (tag.name == b"h1" and tag.is_end):
            break
        since = tag.end
        if not hidden_by:
            hidden_by = tag.name if _hides(tag) else b""
        elif tag.is_end and tag.name == hidden_by:
            hidden_by = b""
    return one_line(unescape(text.decode("utf-8", "replace")))


def _hides(tag: Tag) -> bool:
    """Return whether an element is not part of a heading's text: scripts, styles, the permalink."""
    if tag.is_end:
        return False
    if tag.name == b"a":
        return "headerlink" in tag.attributes("class").get("class", "").split()
    return tag.name in (b"script", b"style")
