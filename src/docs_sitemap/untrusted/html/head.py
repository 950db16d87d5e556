"""Reads the head of a page: robots, canonical, refresh, other languages, title.

Must be fast, because a site may have tens of thousands of pages. Most of them have only the expected
canonical: for those, a search for some words is enough.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final

from docs_sitemap.limits import MAX_HEAD, MAX_STUB
from docs_sitemap.untrusted.files import read_start
from docs_sitemap.untrusted.html.tags import Tag, one_line, tags, unescape

BOTS: Final = ("robots", "googlebot", "bingbot")
_NOINDEX: Final = re.compile(r"(?<![^\s,])(?ai:noindex|none)(?![^\s,])")  # `none` is `noindex, nofollow`

_WORDS: Final = (b"robots", b"googlebot", b"bingbot", b"refresh", b"hreflang", b"<base")
"""What a head has that says more than its canonical."""

# Elements that browsers with scripts treat as text or do not show, besides those that tags.py skips
_INERT: Final = (b"noscript", b"template")

_AFTER_HEAD: Final = {
    b"",
    *b"base basefont bgsound head html link meta noframes script style template title".split(),
}
"""The elements that belong to the head, or are ignored, behind its end tag (HTML, 13.2.6.4.6)."""


class Outside:
    """Tells of a page's tags, one after the other, which are outside elements that browsers do not show."""

    def __init__(self) -> None:
        self._inside = Counter[bytes]()

    def __call__(self, tag: Tag) -> bool:
        """Return whether the next tag is outside noscript and templates, and is not one of theirs."""
        if tag.name in _INERT:
            self._inside[tag.name] = max(0, self._inside[tag.name] + (-1 if tag.is_end else 1))
            return False
        return not self._inside.total()


@dataclass(frozen=True, slots=True)
class Head:
    """What the head of a page says; ``refresh`` is true for a page that only redirects.

    ``canonical`` and ``base`` are as written, ``alternates`` are pairs of hreflang and href as written.
    ``end`` is the offset where the head ends, or 0 if it is not within the data. ``is_document`` is false
    for an HTML fragment. ``title``, ``summary`` and ``generator`` are plain text.
    """

    noindex: bool = False
    canonical: str | None = None
    refresh: bool = False
    alternates: tuple[tuple[str, str], ...] = ()
    base: str = field(default="", compare=False)
    title: str = field(default="", compare=False)
    summary: str = field(default="", compare=False)
    generator: str = field(default="", compare=False)
    is_document: bool = field(default=True, compare=False)
    end: int = field(default=0, compare=False)


def read_head(file: Path, expected_canonical: str | None = None) -> Head | None:
    """Return what the head of an HTML file says, or ``None`` if the file does not exist or is empty.

    See ``head_of`` for what counts. Reads at most ``MAX_HEAD`` bytes.
    """
    try:
        data = read_start(file, MAX_HEAD)
    except (OSError, ValueError):
        return None
    return head_of(data, expected_canonical) if data and not data.isspace() else None


def head_of(data: bytes, expected_canonical: str | None = None) -> Head:
    """Return what the start of a page says in its head.

    Comments, scripts and templates are ignored. In noscript only a refresh counts: redirect stubs have
    it there, beside a script that does the same (sphinx-reredirects, sphinxext-rediraffe). In a page that is
    small enough to be a stub, a refresh in the body counts too. If the head has only the expected canonical,
    title, summary and generator are not read.
    """
    if expected_canonical is not None and (quick := _plain_head(data, expected_canonical)):
        return quick
    head = _Reader(data).head()
    if head.refresh or not 0 < head.end < len(data) < MAX_STUB:
        return head
    return replace(head, refresh=leads_elsewhere(data, head.end))


def leads_elsewhere(data: bytes, start: int = 0) -> bool:
    """Return whether a page has, from ``start`` on, a refresh that browsers with scripts obey."""
    if b"refresh" not in data[start:].lower():
        return False
    metas = (tag for tag in filter(Outside(), tags(data, start)) if tag.name == b"meta")
    return any(_is_refresh(tag.attributes("http-equiv", "content")) for tag in metas)


def says_noindex(robots: object) -> bool:
    """Return whether the value of a robots tag, or of a page's ``robots`` setting, excludes the page."""
    items = robots if isinstance(robots, list) else [robots]
    return any(isinstance(item, str) and _NOINDEX.search(item) for item in items)


def _ends_head(tag: Tag) -> bool:
    return tag.name == b"body" or (tag.name == b"head" and tag.is_end)


def _is_in_text(data: bytes, at: int) -> bool:
    """Tell whether the ``</head>`` at an offset may be text, as in comments, scripts, titles and attributes.

    If so, another one follows, which is the end. The data are in lower case.
    """
    if data.find(b"</head", at + 1) >= 0:
        return True
    pairs = ((b"<script", b"</script"), (b"<!--", b"-->"), (b"<", b">"))
    return any(data.rfind(start, 0, at) > data.rfind(end, 0, at) for start, end in pairs)


def _is_refresh(values: dict[str, str]) -> bool:
    is_refresh = values.get("http-equiv", "").strip().lower() == "refresh"
    return is_refresh and "url" in values.get("content", "").lower()


def _plain_head(data: bytes, expected: str) -> Head | None:
    """Return the head of a page that has only the expected canonical, and none of ``_WORDS``.

    Returns ``None`` for any other page. This takes a tenth of the time.
    """
    start = data[:MAX_STUB].lower()
    end = start.find(b"</head>")
    if end < 0 or not start[end + 7 : end + 64].lstrip().startswith(b"<body"):
        return None
    if any(start.find(word, 0, end) >= 0 for word in _WORDS) or start.find(b"<html", 0, 2048) < 0:
        return None
    if _is_in_text(start, end):
        return None
    if len(data) < MAX_STUB and b"refresh" in start:  # in the body of a stub, a refresh counts too
        return None
    canonicals = start.count(b"canonical", 0, end)
    if not canonicals:
        return Head(end=end)
    at = start.find(b"canonical")
    tag = data[start.rfind(b"<", 0, at) : start.find(b">", at)]
    is_expected = f' href="{expected}"'.encode(errors="replace") in tag
    is_link = canonicals == 1 and tag[:5].lower() == b"<link"
    return Head(canonical=expected, end=end) if is_link and is_expected else None


class _Reader:
    """Reads one head, tag by tag."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._noindex = self._refresh = False
        self._canonical: str | None = None
        self._alternates: list[tuple[str, str]] = []
        self._base = self._summary = self._generator = ""
        self._title: str | None = None
        self._title_start = 0
        self._inside = Counter[bytes]()

    def head(self) -> Head:
        """Read the tags up to the end of the head."""
        end = self._read()
        start = self._data[:2048].lower()
        return Head(
            self._noindex,
            self._canonical,
            self._refresh,
            tuple(self._alternates),
            self._base,
            self._title or "",
            self._summary,
            self._generator,
            b"<html" in start or b"<!doctype html" in start,
            end,
        )

    def _read(self) -> int:
        """Read the head, and what belongs to it behind its end tag; return the offset of its end, or 0."""
        end = 0
        for tag in tags(self._data):
            name = tag.name
            if self._title_start:  # this tag is the end tag of the title
                text = self._data[self._title_start : tag.start].decode("utf-8", "replace")
                self._title = one_line(unescape(text))
                self._title_start = 0
            if _ends_head(tag):
                end = end or tag.start
            if end and name not in _AFTER_HEAD:
                break
            if name in _INERT:
                self._inside[name] = max(0, self._inside[name] + (-1 if tag.is_end else 1))
            elif not tag.is_end and not self._inside[b"template"]:
                if name == b"meta":
                    self._meta(tag.attributes("name", "content", "http-equiv"))
                elif not self._inside[b"noscript"]:
                    self._other(tag)
        return end

    def _meta(self, values: dict[str, str]) -> None:
        name = values.get("name", "").strip().lower()
        if _is_refresh(values):
            self._refresh = True
        elif self._inside[b"noscript"]:
            return
        elif name in BOTS:
            self._noindex = self._noindex or says_noindex(values.get("content"))
        elif name == "description":
            self._summary = self._summary or one_line(values.get("content", ""))
        elif name == "generator":
            self._generator = self._generator or one_line(values.get("content", ""))

    def _other(self, tag: Tag) -> None:
        if tag.name == b"title" and self._title is None:
            self._title_start = tag.end
        elif tag.name == b"base":
            self._base = self._base or tag.attributes("href").get("href", "").strip()
        elif tag.name == b"link":
            self._link(tag.attributes("rel", "href", "hreflang"))

    def _link(self, values: dict[str, str]) -> None:
        relations = values.get("rel", "").lower().split()
        href = values.get("href", "").strip()
        if "canonical" in relations:
            self._canonical = self._canonical or href or None
        if href and "alternate" in relations and (code := values.get("hreflang", "").strip()):
            self._alternates.append((code, href))
