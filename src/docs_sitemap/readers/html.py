"""Reads the tags of published pages, and what their heads say: robots, canonical, refresh, languages, title.

Search engines obey the page and not the generator's configuration, so the file decides, whichever theme,
template or plugin wrote it.

Tags are found as browsers do, by a subset of the tokenizer of the HTML standard (13.2.5), for bytes in any
encoding that extends ASCII. Each byte belongs to one token, and possessive repetition never backtracks. An
element that is not closed ends with the page.
"""

from __future__ import annotations

import html
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from html.entities import html5
from pathlib import Path
from typing import Final, NamedTuple

from docs_sitemap.limits import MAX_HEAD, MAX_STUB, MAX_TITLE
from docs_sitemap.readers.files import read_any

MARK: Final = "data-docs-sitemap"
"""The attribute of an element that ``docs-sitemap versions`` has put into a head."""

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

# The content of these elements, and of scripts, is text up to their end tag. Browsers that run scripts treat
# noscript the same way; here its tags count, because it may contain redirects.
_RAW: Final = {
    name: re.compile(rb"</" + name + rb"(?=[\t\n\f\r />])", re.IGNORECASE)
    for name in (b"iframe", b"noembed", b"noframes", b"style", b"textarea", b"title", b"xmp")
}
_IN_SCRIPT: Final = re.compile(rb"<!--(?!-?>)|-->|<(/?+)script(?=[\t\n\f\r />])", re.IGNORECASE)

_REFERENCE: Final = re.compile(r"&(?:#(?:[0-9]{1,7}|[xX][0-9a-fA-F]{1,6})|[a-zA-Z][a-zA-Z0-9]{1,31}+)[;=]?+")


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
        if name == b"script" and not slash:
            start = _end_of_script(data, start)
        elif name in _RAW and not slash:
            close = _RAW[name].search(data, start)
            start = close.start() if close else len(data)


def _end_of_script(data: bytes, start: int) -> int:
    """Return the offset of a script's end tag, or of the end of the page.

    In a comment in a script, the start tag of a script makes the next end tag that of the inner one (HTML,
    "script data double escaped state").
    """
    is_comment = is_inner = False
    for token in _IN_SCRIPT.finditer(data, start):
        if token[1] is None:
            is_comment = token[0] == b"<!--"
            is_inner = is_inner and is_comment
        elif not token[1]:
            is_inner = is_comment
        elif is_inner:
            is_inner = False
        else:
            return token.start()
    return len(data)


def unescape(text: str) -> str:
    """Return text with its character references replaced, as in an attribute.

    A name without a semicolon is replaced only if it is a legacy name that no letter, digit or ``=`` follows:
    ``?a=1&copy=2`` stays.
    """
    return _REFERENCE.sub(_character, text) if "&" in text else text


def _character(found: re.Match[str]) -> str:
    reference = found[0]
    return html.unescape(reference) if reference[1] == "#" else html5.get(reference[1:], reference)


def one_line(text: str) -> str:
    """Return a text with white space collapsed, and so much of it that one sees whether it is too long."""
    return " ".join(text[: 2 * MAX_TITLE].split())[: MAX_TITLE + 1]


_BOTS: Final = ("robots", "googlebot", "bingbot")
_NOINDEX: Final = re.compile(r"(?<![^\s,])(?ai:noindex|none)(?![^\s,])")  # `none` is `noindex, nofollow`
_REFRESH: Final = re.compile(r"\s*[\d.]*\s*[;,]?\s*(?:url\s*=\s*)?[\"']?([^\"']*)", re.IGNORECASE)

_HIDDEN: Final = (b"noscript", b"template")
"""Elements that browsers with scripts treat as text or do not show, besides raw text."""

_RAW_IN_HEAD: Final = (b"script", b"style", b"title", b"noframes")
_IN_HEAD: Final = frozenset(
    (b"", b"html", b"head", b"base", b"basefont", b"bgsound", b"link", b"meta", *_RAW_IN_HEAD, *_HIDDEN)
)
"""Elements that do not end a head, and belong to it behind its end tag (HTML, 13.2.6.4.4 and 13.2.6.4.6)."""

_READ: Final = {
    b"meta": ("name", "content", "http-equiv", MARK),
    b"link": ("rel", "href", "hreflang", MARK),
    b"base": ("href",),
    b"html": ("lang",),
}

_BLANKS: Final = re.compile(rb"(?:\A\xef\xbb\xbf)?[\t\n\f\r ]*+")


class Outside:
    """Tells of a page's tags, one after the other, which are outside elements that browsers do not show."""

    def __init__(self) -> None:
        self._inside = Counter[bytes]()

    def __call__(self, tag: Tag) -> bool:
        """Return whether the next tag is outside noscript and templates, and is not one of theirs."""
        if tag.name in _HIDDEN:
            self._inside[tag.name] = max(0, self._inside[tag.name] + (-1 if tag.is_end else 1))
            return False
        return not self._inside.total()


@dataclass(slots=True)
class Head:
    """What the head of a page says.

    ``canonical`` and ``base`` are as written, ``alternates`` are pairs of hreflang and href as written;
    ``refresh`` is the target of a page that only redirects, as written, or empty. ``end`` is the offset where
    the head ends, or 0 if it is not within the data. ``is_document`` is false for an HTML fragment.
    ``title``, ``summary`` and ``generator`` are plain text. ``language`` is as written in ``<html lang>``.

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
    language: str = field(default="", compare=False)
    is_document: bool = field(default=True, compare=False)
    end: int = field(default=0, compare=False)
    canonicals: tuple[tuple[Tag, str], ...] = field(default=(), compare=False)
    mark: Tag | None = field(default=None, compare=False)
    place: int = field(default=-1, compare=False)


def read_head(file: Path) -> Head | None:
    """Return what the head of an HTML file says, or ``None`` if the file does not exist or is empty.

    See ``head_of`` for what counts. Reads at most ``MAX_HEAD`` bytes.
    """
    data = read_any(file, MAX_HEAD)
    return head_of(data) if data and not data.isspace() else None


def head_of(data: bytes) -> Head:
    """Return what the start of a page says in its head.

    Comments, scripts and templates are ignored. In noscript only a refresh counts: redirect stubs have
    it there, beside a script that does the same (sphinx-reredirects, sphinxext-rediraffe). In a page that is
    small enough to be a stub, a refresh in the body counts too.
    """
    head = _Reader(data).read()
    if not head.refresh and 0 < head.end < len(data) < MAX_STUB:
        head.refresh = refresh_in(data, head.end)
    return head


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


class _Reader:
    """Reads one head, tag by tag, except what is in a ``template``.

    A ``noscript`` with other content than a head's, such as a picture that counts visits, ends the head for
    readers without scripts: an element is to be added before it, although the tags after it count.
    """

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._head = Head()
        self._before = 0  # the end of the tag before
        self._is_text = False  # whether the text after the tag before belongs to its element
        self._is_after = False  # the end tag
        self._is_over = False  # what browsers see as the head
        self._hidden: Tag | None = None  # the noscript or the template that the last tag is in
        self._depth = 0
        self._has_title = False

    def read(self) -> Head:
        """Read the tags up to the end of the head, and what belongs to it behind its end tag."""
        head = self._head
        for tag in tags(self._data):
            self._find_place(tag)
            if self._hidden is None or self._hidden.name == b"noscript":
                if tag.name == b"body" or (tag.name == b"head" and tag.is_end):
                    head.end = head.end or tag.start
                if head.end and self._is_over:
                    break
                if tag.name in _READ and not tag.is_end:
                    self._take(tag)
            self._pass(tag)
        else:
            self._find_last_place()
        start = self._data[:2048].lower()
        head.is_document = b"<html" in start or b"<!doctype html" in start
        return head

    def _find_place(self, tag: Tag) -> None:
        """Find out whether browsers see the head's end before a tag, and where."""
        if self._is_over:
            return
        is_blank = self._is_text or not self._data[self._before : tag.start].strip(b"\t\n\f\r ")
        at = tag.start if is_blank else self._end_of_blanks(tag.start)
        is_other = at < tag.start or self._ends_head(tag)
        if self._hidden is None:
            self._is_over = is_other
            self._is_after = self._is_after or (tag.name == b"head" and tag.is_end)
            if self._is_over or self._is_after:
                self._set_place(at)
        elif tag.name in (b"head", b"body") or (is_other and self._hidden.name == b"noscript"):
            self._set_place(self._hidden.start)  # before a template too, for readers that do not know it
            self._is_over = tag.name in (b"head", b"body") and self._hidden.name == b"noscript"

    def _ends_head(self, tag: Tag) -> bool:
        if tag.is_end:
            return tag.name in (b"body", b"html", b"br")
        return tag.name not in _IN_HEAD or (self._is_after and tag.name == b"noscript")

    def _find_last_place(self) -> None:
        """Find the place after all tags of a page that has nothing but a head, or text behind it."""
        at = self._end_of_blanks(len(self._data))
        if not self._is_over and not self._is_text and self._hidden is None and at < len(self._data):
            self._set_place(at)
        self._set_place(len(self._data))

    def _set_place(self, offset: int) -> None:
        self._head.place = offset if self._head.place < 0 else self._head.place

    def _end_of_blanks(self, end: int) -> int:
        found = _BLANKS.match(self._data, self._before, end)
        return found.end() if found else self._before

    def _pass(self, tag: Tag) -> None:
        if self._hidden is None and tag.name in _HIDDEN and not tag.is_end:
            self._hidden, self._depth = tag, 1
        elif self._hidden and tag.name == self._hidden.name and (tag.is_end or tag.name == b"template"):
            self._depth += -1 if tag.is_end else 1
            self._hidden = self._hidden if self._depth else None
        if tag.name == b"title" and tag.is_end and not self._has_title:
            self._has_title = True
            text = self._data[self._before : tag.start] if self._is_text else b""
            self._head.title = one_line(unescape(text.decode("utf-8", "replace")))
        self._before = tag.end
        self._is_text = tag.name in _RAW_IN_HEAD and not tag.is_end

    def _take(self, tag: Tag) -> None:
        head, values = self._head, tag.attributes(*_READ[tag.name])
        if tag.name == b"meta" and (target := _refresh(values)):
            head.refresh = head.refresh or target
        elif self._hidden:
            return
        elif tag.name == b"html":
            head.language = head.language or values.get("lang", "").strip()
        elif tag.name == b"base":
            head.base = head.base or values.get("href", "").strip()
        elif tag.name == b"meta":
            self._take_meta(values)
        else:
            self._take_link(tag, values)
        if MARK in values and not self._is_over:
            head.mark = head.mark or tag

    def _take_meta(self, values: dict[str, str]) -> None:
        head, name = self._head, values.get("name", "").strip().lower()
        if name in _BOTS:
            head.noindex = head.noindex or has_noindex(values.get("content"))
        elif name == "description":
            head.summary = head.summary or one_line(values.get("content", ""))
        elif name == "generator":
            head.generator = head.generator or one_line(values.get("content", ""))

    def _take_link(self, tag: Tag, values: dict[str, str]) -> None:
        relations = values.get("rel", "").lower().split()
        href = values.get("href", "").strip()
        if "canonical" in relations:
            self._head.canonical = self._head.canonical or href or None
            if MARK not in values and not self._is_over:
                self._head.canonicals += ((tag, href),)
        if href and "alternate" in relations and (code := values.get("hreflang", "").strip()):
            self._head.alternates += ((code, href),)
