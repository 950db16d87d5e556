"""Reads the heading of a page."""

from __future__ import annotations

from pathlib import Path

from docs_sitemap.limits import MAX_PAGE
from docs_sitemap.untrusted.files import read_start
from docs_sitemap.untrusted.html.tags import Tag, one_line, tags, unescape


def read_heading(file: Path) -> str:
    """Return the text of the first ``h1`` of an HTML file, without the permalink that themes add."""
    try:
        return heading_of(read_start(file, MAX_PAGE))
    except (OSError, ValueError):
        return ""


def heading_of(data: bytes) -> str:
    """Return the text of the first ``h1`` of a page, with white space collapsed."""
    found = tags(data)
    heading = next((tag for tag in found if tag.name == b"h1" and not tag.is_end), None)
    if heading is None:
        return ""
    text: list[bytes] = []
    since, hidden_by = heading.end, b""
    for tag in found:
        if not hidden_by:
            text.append(data[since : tag.start])
        if tag.name == b"h1" and tag.is_end:
            break
        since = tag.end
        if not hidden_by:
            hidden_by = tag.name if _hides(tag) else b""
        elif tag.is_end and tag.name == hidden_by:
            hidden_by = b""
    return one_line(unescape(b"".join(text).decode("utf-8", "replace")))


def _hides(tag: Tag) -> bool:
    """Return whether an element is not part of a heading's text: scripts, styles, the permalink."""
    if tag.is_end:
        return False
    if tag.name == b"a":
        return "headerlink" in tag.attributes("class").get("class", "").split()
    return tag.name in (b"script", b"style")
