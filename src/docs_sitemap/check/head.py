"""What one page says of itself in its head.

Fast, because a site has tens of thousands of pages: only the tags that matter reach a parser, and
no expression here takes more than linear time.
"""

from __future__ import annotations

import re
from html.parser import HTMLParser
from typing import Final, NamedTuple

from docs_sitemap.limits import MAX_STUB
from docs_sitemap.published import Head, body_leads_elsewhere, feed, parse_head, visible

HEAD_BYTES: Final = 1 << 18
"""Bytes read of a page whose links are not asked for: some themes inline a whole style sheet."""

HEAD_START: Final = MAX_STUB
"""Bytes in which most heads end: a page of fewer is read as a whole."""

_LONGEST_TAG: Final = 1 << 14

# Each alternative ends at the end of the text at the latest, so that no start of one is tried twice.
_SCAN: Final = re.compile(
    rb"<!--.*?(?:-->|\Z)"
    rb"|<(script|style)\b.*?(?:</\1\s*>|\Z)"
    rb"|<(?:link|meta|base)\b[^>]*(?:>|\Z)"
    rb"|</?(?:noscript|template)\b"
    rb"|</head\b|<body\b",
    re.IGNORECASE | re.DOTALL,
)
_TELLING: Final = re.compile(rb"robots|googlebot|bingbot|canonical|refresh|hreflang|<base", re.IGNORECASE)


class Facts(NamedTuple):
    """What a page says of itself.

    ``canonical`` is as written, ``alternates`` are pairs of hreflang and href as written.
    ``complete`` is false for a piece of HTML that is no document; ``machine`` is the kind of a machine page.
    """

    noindex: bool = False
    refresh: bool = False
    canonical: str | None = None
    alternates: tuple[tuple[str, str], ...] = ()
    complete: bool = True
    machine: str = ""


class Scanned(NamedTuple):
    """A page after one look: ``end`` is where its head ends, ``base`` what a base tag says."""

    facts: Facts
    end: int
    base: str


def scan(data: bytes, expected_canonical: str | None) -> Scanned:
    """Return what a page says; ``expected_canonical`` is what most pages say, and is found fastest."""
    if quick := _scan_plain(data, expected_canonical):
        return quick
    tags, end = _telling_tags(data)
    head = Head()
    alternates: tuple[tuple[str, str], ...] = ()
    base = ""
    if tags:
        joined = b"".join(tags)
        head = parse_head(joined, expected_canonical)
        if any(b"hreflang" in tag or b"<base" in tag.lower() for tag in tags):
            parser = _LinkParser()
            feed(parser, joined.decode("utf-8", "replace"))
            alternates, base = tuple(parser.alternates), parser.base
    start = data[:2048].lower()
    complete = b"<html" in start or b"<!doctype html" in start
    # only of a page that is here as a whole
    refresh = head.refresh or (0 < end < len(data) < MAX_STUB and body_leads_elsewhere(visible(data[end:])))
    facts = Facts(head.noindex, refresh, head.canonical, alternates, complete)
    return Scanned(facts, end, base)


_WORDS: Final = (b"robots", b"googlebot", b"bingbot", b"refresh", b"hreflang", b"<base")


def _scan_plain(data: bytes, expected: str | None) -> Scanned | None:
    """Return what a page says whose head has none of the words in question but the expected canonical.

    ``None`` for any other page. It takes a tenth of the time, and most pages are such.
    """
    start = data[:HEAD_START].lower()
    end = start.find(b"</head>")
    if end < 0 or not start[end + 7 : end + 64].lstrip().startswith(b"<body"):
        return None
    if _has_words(start, end, len(data) < MAX_STUB) or start.find(b"<html", 0, 2048) < 0:
        return None
    canonicals = start.count(b"canonical", 0, end)
    if not canonicals:
        return Scanned(Facts(), end, "")
    at = start.find(b"canonical")
    tag = data[start.rfind(b"<", 0, at) : start.find(b">", at)]
    if canonicals > 1 or expected is None or tag[:5].lower() != b"<link":
        return None
    if f' href="{expected}"'.encode(errors="surrogateescape") not in tag:
        return None
    return Scanned(Facts(canonical=expected), end, "")


def _has_words(start: bytes, end: int, may_be_stub: bool) -> bool:
    """Tell whether a head has a word in question, or the body of a stub one that counts there."""
    return any(start.find(word, 0, end) >= 0 for word in _WORDS) or (may_be_stub and b"refresh" in start)


def _telling_tags(data: bytes) -> tuple[list[bytes], int]:
    """Return the tags of the head that say something, and where the head ends."""
    tags = []
    for match in _SCAN.finditer(data, 0, HEAD_BYTES):
        tag = match[0]
        second = tag[1:3].lower()
        if second in (b"li", b"me", b"ba"):
            if len(tag) <= _LONGEST_TAG and _TELLING.search(tag):
                tags.append(tag)
        elif second in (b"no", b"te", b"/n", b"/t"):
            tags.append(tag + b">")  # without attributes, which mean nothing here
        elif second in (b"bo", b"/h"):
            return tags, match.start()
    return tags, 0


class _LinkParser(HTMLParser):
    """Collects the alternates of a head, and its base."""

    def __init__(self) -> None:
        super().__init__()
        self.alternates: list[tuple[str, str]] = []
        self.base = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = {name: value or "" for name, value in attrs}
        if tag == "base":
            self.base = self.base or values.get("href", "").strip()
        elif tag == "link" and "alternate" in values.get("rel", "").lower().split():
            code, href = values.get("hreflang", "").strip(), values.get("href", "").strip()
            if code and href:
                self.alternates.append((code, href))
