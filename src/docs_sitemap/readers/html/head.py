"""Reads the head of a page: robots, canonical, refresh, other languages, title, and where an element fits.

Most pages have only the expected canonical: for those, a search for some words is enough.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final

from docs_sitemap.limits import MAX_HEAD, MAX_STUB
from docs_sitemap.readers.files import read_start
from docs_sitemap.readers.html.tags import Tag, one_line, tags, unescape

MARK: Final = "data-docs-sitemap"
"""The attribute of an element that ``docs-sitemap versions`` has put into a head."""

_BOTS: Final = ("robots", "googlebot", "bingbot")
_NOINDEX: Final = re.compile(r"(?<![^\s,])(?ai:noindex|none)(?![^\s,])")  # `none` is `noindex, nofollow`
_REFRESH: Final = re.compile(r"\s*[\d.]*\s*[;,]?\s*(?:url\s*=\s*)?[\"']?([^\"']*)", re.IGNORECASE)

_WORDS: Final = (b"robots", b"googlebot", b"bingbot", b"refresh", b"hreflang", b"<base")
"""What a head has that says more than its canonical."""

_INERT: Final = (b"noscript", b"template")
"""Elements that browsers with scripts treat as text or do not show, besides those that tags.py skips."""

_RAW: Final = (b"script", b"style", b"title", b"noframes")
_IN_HEAD: Final = frozenset((b"", *b"html head base basefont bgsound link meta".split(), *_RAW, *_INERT))
"""Elements that do not end a head, and belong to it behind its end tag (HTML, 13.2.6.4.4 and 13.2.6.4.6)."""

_AFTER_HEAD: Final = _IN_HEAD - {b"noscript"}
_READ: Final = {
    b"meta": ("name", "content", "http-equiv", MARK),
    b"link": ("rel", "href", "hreflang", MARK),
    b"base": ("href",),
}

_BLANKS: Final = re.compile(rb"(?:\A\xef\xbb\xbf)?[\t\n\f\r ]*+")


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
    """What the head of a page says.

    ``canonical`` and ``base`` are as written, ``alternates`` are pairs of hreflang and href as written;
    ``refresh`` is the target of a page that only redirects, as written, or empty. ``end`` is the offset where
    the head ends, or 0 if it is not within the data. ``is_document`` is false for an HTML fragment.
    ``title``, ``summary`` and ``generator`` are plain text.

    The rest is for marks: ``canonicals`` are the canonical links, and ``mark`` is the element with ``MARK``,
    both only where browsers see them in the head, which ends for them with the first text or element of a
    body. ``place`` is the offset there at which an element can be added.
    """

    noindex: bool = False
    canonical: str | None = None
    refresh: str = ""
    alternates: tuple[tuple[str, str], ...] = ()
    base: str = field(default="", compare=False)
    title: str = field(default="", compare=False)
    summary: str = field(default="", compare=False)
    generator: str = field(default="", compare=False)
    is_document: bool = field(default=True, compare=False)
    end: int = field(default=0, compare=False)
    canonicals: tuple[tuple[Tag, str], ...] = field(default=(), compare=False)
    mark: Tag | None = field(default=None, compare=False)
    place: int = field(default=-1, compare=False)


def read_head(file: Path, expected_canonical: str | None = None) -> Head | None:
    """Return what the head of an HTML file says, or ``None`` if the file does not exist or is empty.

    See ``head_of`` for what counts. Reads at most ``MAX_HEAD`` bytes.
    """
    try:
        data = read_start(file, MAX_HEAD)
    except (OSError, ValueError):
        return None
    return head_of(data, expected_canonical) if data and not data.isspace() else None


def head_of(data: bytes, expected_canonical: str | None = None, *, to_mark: bool = False) -> Head:
    """Return what the start of a page says in its head.

    Comments, scripts and templates are ignored. In noscript only a refresh counts: redirect stubs have
    it there, beside a script that does the same (sphinx-reredirects, sphinxext-rediraffe). In a page that is
    small enough to be a stub, a refresh in the body counts too. If the head has only the expected canonical,
    title, summary and generator are not read; what is for marks is read only ``to_mark``.
    """
    if expected_canonical is not None and (quick := _plain_head(data, expected_canonical)):
        return quick
    head = _Reader(data, to_mark=to_mark).head()
    if head.refresh or not 0 < head.end < len(data) < MAX_STUB:
        return head
    return replace(head, refresh=refresh_in(data, head.end))


def refresh_in(data: bytes, start: int = 0) -> str:
    """Return the target of the first refresh from ``start`` on that browsers with scripts obey, or ``""``."""
    if b"refresh" not in data[start:].lower():
        return ""
    metas = (tag for tag in filter(Outside(), tags(data, start)) if tag.name == b"meta")
    targets = (_refresh(tag.attributes("http-equiv", "content")) for tag in metas)
    return next(filter(None, targets), "")


def has_noindex(robots: object) -> bool:
    """Return whether the value of a robots tag, or of a page's ``robots`` setting, excludes the page."""
    items = robots if isinstance(robots, list) else [robots]
    return any(isinstance(item, str) and _NOINDEX.search(item) for item in items)


def _refresh(values: dict[str, str]) -> str:
    """Return the URL of a refresh, as browsers read it (HTML, shared declarative refresh steps)."""
    content = values.get("content", "")
    if values.get("http-equiv", "").strip().lower() != "refresh" or "url" not in content.lower():
        return ""
    match = _REFRESH.match(content)
    return match[1].strip() if match else ""


def _is_in_text(data: bytes, at: int) -> bool:
    """Tell whether the ``</head>`` at an offset may be text, as in comments, scripts, titles and attributes.

    If so, another one follows, which is the end. The data are in lower case.
    """
    if data.find(b"</head", at + 1) >= 0:
        return True
    pairs = ((b"<script", b"</script"), (b"<!--", b"-->"), (b"<", b">"))
    return any(data.rfind(start, 0, at) > data.rfind(end, 0, at) for start, end in pairs)


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
    """Reads one head, tag by tag, except what is in a ``template``.

    A ``noscript`` with other content than a head's, such as a picture that counts visits, ends the head for
    readers without scripts: an element is to be added before it, although the tags after it count.
    """

    def __init__(self, data: bytes, *, to_mark: bool) -> None:
        self._data = data
        self._to_mark = to_mark
        self._texts: dict[str, str] = {}
        self._noindex = False
        self._alternates: list[tuple[str, str]] = []
        self._canonicals: list[tuple[Tag, str]] = []
        self._mark: Tag | None = None
        self._before = 0  # the end of the tag before
        self._is_text = False  # whether the text after the tag before belongs to its element
        self._is_after = False  # the end tag
        self._is_over = False  # what browsers see as the head
        self._inert: Tag | None = None  # the noscript or the template that the last tag is in
        self._depth = 0
        self._place = -1

    def head(self) -> Head:
        """Read the tags up to the end of the head, and what belongs to it behind its end tag."""
        end = 0
        for tag in tags(self._data):
            if self._to_mark:
                self._look_at(tag)
            if self._inert is None or self._inert.name == b"noscript":
                if tag.name == b"body" or (tag.name == b"head" and tag.is_end):
                    end = end or tag.start
                if end and (self._is_over if self._to_mark else tag.name not in _AFTER_HEAD):
                    break
                if tag.name in _READ and not tag.is_end:
                    self._take(tag)
            self._pass(tag)
        start = self._data[:2048].lower()
        return Head(
            self._noindex,
            self._texts.get("canonical") or None,
            self._texts.get("refresh", ""),
            tuple(self._alternates),
            self._texts.get("base", ""),
            self._texts.get("title", ""),
            self._texts.get("description", ""),
            self._texts.get("generator", ""),
            b"<html" in start or b"<!doctype html" in start,
            end,
            tuple(self._canonicals),
            self._mark,
            self._last_place() if self._to_mark else -1,
        )

    def _look_at(self, tag: Tag) -> None:
        """Tell whether browsers see the head's end before a tag, and where."""
        if self._is_over:
            return
        at = tag.start if self._is_text else self._end_of_blanks(tag.start)
        is_other = at < tag.start or self._ends_head(tag)
        is_around = tag.name in (b"head", b"body")
        if self._inert is None:
            self._is_over = is_other
            self._is_after = self._is_after or (tag.name == b"head" and tag.is_end)
            if self._is_over or self._is_after:
                self._put(at)
        elif is_around or (is_other and self._inert.name == b"noscript"):
            self._put(self._inert.start)  # before a template too, for readers that do not know it
            self._is_over = is_around and self._inert.name == b"noscript"

    def _ends_head(self, tag: Tag) -> bool:
        if tag.is_end:
            return tag.name in (b"body", b"html", b"br")
        return tag.name not in _IN_HEAD or (self._is_after and tag.name == b"noscript")

    def _put(self, offset: int) -> None:
        self._place = offset if self._place < 0 else self._place

    def _end_of_blanks(self, end: int) -> int:
        found = _BLANKS.match(self._data, self._before, end)
        return found.end() if found else self._before

    def _last_place(self) -> int:
        """Return the place after all tags were read."""
        if not self._is_over and not self._is_text and self._inert is None:
            at = self._end_of_blanks(len(self._data))
            if at < len(self._data):
                self._is_over = True
                self._put(at)
        return self._place if self._is_over or self._place >= 0 else len(self._data)

    def _pass(self, tag: Tag) -> None:
        if self._inert is None and tag.name in _INERT and not tag.is_end:
            self._inert, self._depth = tag, 1
        elif self._inert and tag.name == self._inert.name and (tag.is_end or tag.name == b"template"):
            self._depth += -1 if tag.is_end else 1
            self._inert = self._inert if self._depth else None
        if tag.name == b"title" and tag.is_end and "title" not in self._texts:
            text = self._data[self._before : tag.start] if self._is_text else b""
            self._texts["title"] = one_line(unescape(text.decode("utf-8", "replace")))
        self._before = tag.end
        self._is_text = tag.name in _RAW and not tag.is_end

    def _take(self, tag: Tag) -> None:
        values = tag.attributes(*_READ[tag.name])
        if tag.name == b"meta" and (target := _refresh(values)):
            self._keep("refresh", target)
        elif self._inert:
            return
        elif tag.name == b"base":
            self._keep("base", values.get("href", "").strip())
        elif tag.name == b"meta":
            self._meta(values)
        else:
            self._link(tag, values)
        if MARK in values and not self._is_over:
            self._mark = self._mark or tag

    def _keep(self, name: str, text: str) -> None:
        self._texts[name] = self._texts.get(name) or text

    def _meta(self, values: dict[str, str]) -> None:
        name = values.get("name", "").strip().lower()
        if name in _BOTS:
            self._noindex = self._noindex or has_noindex(values.get("content"))
        elif name in ("description", "generator"):
            self._keep(name, one_line(values.get("content", "")))

    def _link(self, tag: Tag, values: dict[str, str]) -> None:
        relations = values.get("rel", "").lower().split()
        href = values.get("href", "").strip()
        if "canonical" in relations:
            self._keep("canonical", href)
            if MARK not in values and not self._is_over:
                self._canonicals.append((tag, href))
        if href and "alternate" in relations and (code := values.get("hreflang", "").strip()):
            self._alternates.append((code, href))
