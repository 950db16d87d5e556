"""Reads the head of a page: robots, canonical, refresh, other languages, title.

Must be fast, because a site may have tens of thousands of pages. Most of them have only the expected
canonical: for those, a search for some words is enough.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from pathlib import Path
from typing import Final

from docs_sitemap.limits import MAX_HEAD, MAX_HEAD_TAGS, MAX_ITEMS, MAX_ROBOTS_TEXT, MAX_STUB, MAX_TITLE
from docs_sitemap.untrusted.files import open_plain
from docs_sitemap.untrusted.html.tags import SAYING, Tag, most_tags, one_line, tags, unescape

_PLAIN_END: Final = re.compile(rb"</head>[\t\n\f\r ]*+<body", re.IGNORECASE)
BOTS: Final = ("robots", "googlebot", "bingbot")
_NOINDEX: Final = re.compile(r"(?<![^\s,])(?ai:noindex|none)(?![^\s,])")  # `none` is `noindex, nofollow`

_WORDS: Final = (b"robots", b"googlebot", b"bingbot", b"refresh", b"hreflang", b"<base")
_META: Final = (b"description", b"robots", b"generator", b"refresh", b"googlebot", b"bingbot")
_LINK: Final = (b"alternate", b"canonical")
"""What tags of a head have that say something here."""

_FURTHER: Final = (b"alternate",)
"""What links have that say something behind the canonical one."""

_MOST_SPELLED: Final = 5
"""Tags of a page that may say something with references to characters: nobody writes them."""

_CANONICAL: Final = re.compile(r"canonical(?<!\Scanonical)(?!\S)")
_ALTERNATE: Final = re.compile(r"alternate(?<!\Salternate)(?!\S)")
"""Words of ``rel``; to split all of them takes longer where there are many."""

_SPELLED: Final = re.compile(
    rb"""(?:name|equiv|rel)[\t\n\f\r ]*+=[\t\n\f\r ]*+"""
    rb"""(?:"[^"&]{0,40}+(?!")|'[^'&]{0,40}+(?!')|[^\t\n\f\r "'>&]{0,40}+(?![\t\n\f\r "'>]))"""
)
"""A name of something, in lower case, that has a reference to a character, or is too long to look for one.

It may begin at any place within another one, so looking to its end takes quadratic time.
"""

_BYTES_OF_TITLE: Final = 8 * MAX_TITLE
"""Bytes that are read of a title: as if it were nothing but references to characters."""

# Elements that browsers with scripts treat as text or do not show, besides those that tags.py skips
_INERT: Final = (b"noscript", b"template")


_AFTER_HEAD: Final = frozenset(
    {
        b"",
        b"base",
        b"basefont",
        b"bgsound",
        b"head",
        b"html",
        b"link",
        b"meta",
        b"noframes",
        b"script",
        b"style",
    }
    | {b"template", b"title"}
)
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

    See ``head_of`` for what counts. Reads only the head, at most ``MAX_HEAD`` bytes.
    """
    try:
        with open_plain(file) as stream:
            data = read_to_end_of_head(stream.read)
    except (OSError, ValueError):
        return None
    return head_of(data, expected_canonical) if data and not data.isspace() else None


def read_to_end_of_head(read: Callable[[int], bytes]) -> bytes:
    """Return all of a stub, or the start of a larger page, up to the end of its head or more."""
    data = read(MAX_STUB)
    end = _PLAIN_END.search(data)
    if (
        len(data) < MAX_STUB
        or (end and not _is_in_text(data.lower(), end.start()))
        or any(map(_ends_head, islice(tags(data), most_tags(data, MAX_HEAD_TAGS))))
    ):
        return data
    return data + read(MAX_HEAD - MAX_STUB)


def head_of(data: bytes, expected_canonical: str | None = None) -> Head:
    """Return what the start of a page says in its head.

    Comments, scripts and templates are ignored. In noscript only a refresh counts: redirect stubs have
    it there, beside a script that does the same (sphinx-reredirects, sphinxext-rediraffe). In a page that is
    small enough to be a stub, a refresh in the body counts too. If the head has only the expected canonical,
    title, summary
    and generator are not read.
    """
    if expected_canonical is not None and (quick := _plain_head(data, expected_canonical)):
        return quick
    head = _Reader(data).head()
    if head.refresh or not 0 < head.end < len(data) < MAX_STUB:
        return head
    return replace(head, refresh=leads_elsewhere(data, head.end))


def leads_elsewhere(data: bytes, start: int = 0) -> bool:
    """Return whether a page has, from ``start`` on, a refresh that browsers with scripts obey.

    It is looked for in as many tags as a head may have.
    """
    if b"refresh" not in data[start:].lower():
        return False
    is_outside = Outside()
    most = most_tags(data, MAX_HEAD_TAGS)
    outside = filter(is_outside, islice(tags(data, start), most))
    metas = islice((tag for tag in outside if tag.name == b"meta"), most // SAYING)
    return any(_is_refresh(tag.attributes("http-equiv", "content")) for tag in metas)


def says_noindex(robots: object) -> bool:
    """Return whether the value of a robots tag, or of a page's ``robots`` setting, excludes the page."""
    left = MAX_ROBOTS_TEXT
    for item in robots[:MAX_ITEMS] if isinstance(robots, list) else [robots]:
        if isinstance(item, str):
            if _NOINDEX.search(item[:left]):
                return True
            left = max(0, left - len(item))
    return False


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
    if _is_in_text(start, end) or (start.find(b"&", 0, end) >= 0 and _SPELLED.search(start, 0, end)):
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
        self._base = self._title = self._summary = self._generator = ""
        self._inside = Counter[bytes]()
        self._title_start = 0
        self._has_title = False
        self._metas = most_tags(data, MAX_HEAD_TAGS) // SAYING
        self._spelled = _MOST_SPELLED

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
            self._title,
            self._summary,
            self._generator,
            b"<html" in start or b"<!doctype html" in start,
            end,
        )

    def _read(self) -> int:
        """Read the head, and what belongs to it behind its end tag; return the offset of its end, or 0.

        Reads no more tags than ``most_tags``.
        """
        end = 0
        for tag in islice(tags(self._data), most_tags(self._data, MAX_HEAD_TAGS)):
            name = tag.name
            if self._title_start:  # this tag is the end tag of the title
                end_of_title = min(tag.start, self._title_start + _BYTES_OF_TITLE)
                text = self._data[self._title_start : end_of_title].decode("utf-8", "replace")
                self._title = one_line(unescape(text))
                self._title_start = 0
                self._has_title = True
            if _ends_head(tag):
                end = end or tag.start
            if end and name not in _AFTER_HEAD:
                break
            if name in _INERT:
                self._inside[name] = max(0, self._inside[name] + (-1 if tag.is_end else 1))
            elif not tag.is_end and not self._inside[b"template"]:
                if name == b"meta":
                    if self._metas and self._says(tag, _META):
                        self._metas -= 1
                        self._meta(tag.attributes("name", "content", "http-equiv"))
                elif not self._inside[b"noscript"]:
                    self._other(tag)
        return end

    def _says(self, tag: Tag, words: Sequence[bytes]) -> bool:
        """Return whether a tag has one of the words, or references to characters that may be one."""
        text = tag.rest.lower()
        for word in words:  # any() takes twice as long, and an expression up to twenty times
            if word in text:
                return True
        if b"&" not in text or not self._spelled or not _SPELLED.search(text):
            return False
        self._spelled -= 1
        return True

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
        if tag.name == b"title" and not self._has_title:
            self._title_start = tag.end
        elif tag.name == b"base":
            self._base = self._base or tag.attributes("href").get("href", "").strip()
        elif tag.name == b"link" and self._says(tag, _FURTHER if self._canonical else _LINK):
            self._link(tag.attributes("rel", "href", "hreflang"))

    def _link(self, values: dict[str, str]) -> None:
        relations = values.get("rel", "").lower()
        href = values.get("href", "").strip()
        if _CANONICAL.search(relations):
            self._canonical = self._canonical or href or None
        if href and _ALTERNATE.search(relations) and (code := values.get("hreflang", "").strip()):
            self._alternates.append((code, href))
