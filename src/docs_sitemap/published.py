"""What a published HTML file says of itself: robots, canonical, refresh; its heading.

Search engines obey the page and not the generator's configuration, so the file is the truth
whatever theme, template or plugin wrote it.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, replace
from html.parser import HTMLParser
from pathlib import Path

from docs_sitemap.limits import MAX_STUB

_HEAD_LIMIT = 1 << 20
"""Bytes of a file that are searched for the end of its head: some themes inline a whole style sheet."""

_HEAD_END = re.compile(rb"</head\s*>|<body[\s>]", re.IGNORECASE)
# what tags stand in here are text: up to the end, or as far as has been read
_HIDDEN = re.compile(rb"<!--.*?(?:-->|\Z)|<(script|style)\b.*?(?:</\1\s*>|\Z)", re.IGNORECASE | re.DOTALL)
_TELLING = re.compile(rb"robots|googlebot|bingbot|canonical|http-equiv\s*=\s*[\"']?\s*refresh", re.IGNORECASE)
_REFRESH = re.compile(rb"http-equiv\s*=\s*[\"']?\s*refresh", re.IGNORECASE)
# Ends at the end of the text at the latest, so that no start of a tag is tried twice.
_TAG = re.compile(
    rb"<(/?)([a-z][a-z0-9]*)(?:[^\"'>]+|\"[^\"]*(?:\"|\Z)|'[^']*(?:'|\Z))*(?:>|\Z)", re.IGNORECASE
)
_LONGEST_TAG = 1 << 10
# what browsers with scripts take for text, or do not show
_INERT = frozenset(
    (b"iframe", b"noembed", b"noframes", b"noscript", b"template", b"textarea", b"title", b"xmp")
)
_DECLARATION = re.compile(r"<!\[[^>]*>?|<!(?!--|doctype)[^>]*>?", re.IGNORECASE)
_CANONICAL = re.compile(rb"<link\b[^>]*canonical[^>]*>", re.IGNORECASE)
_BOTS = ("robots", "googlebot", "bingbot")
_NOINDEX = ("noindex", "none")  # `none` is `noindex, nofollow`


@dataclass(frozen=True, slots=True)
class Head:
    """What the head of a page says. ``refresh`` is true for a page that only leads elsewhere."""

    noindex: bool = False
    canonical: str | None = None
    refresh: bool = False


def read_head(file: Path, expected_canonical: str | None = None) -> Head | None:
    """Return what the head of an HTML file says, or ``None`` where there is no file with content.

    A refresh counts in the body too, where the page is small enough to be a stub. A head that says no
    more than the expected canonical is not parsed: thousands of pages are read in each build.
    """
    found = _read(file)
    if found is None:
        return None
    head, body = found
    said = parse_head(head, expected_canonical)
    return replace(said, refresh=True) if not said.refresh and body_leads_elsewhere(body) else said


def _read(file: Path) -> tuple[bytes, bytes] | None:
    """Return the bytes of a head, and those of the body of a small page; ``None`` without content."""
    try:
        with open(file, "rb") as stream:
            data = stream.read(MAX_STUB)
            found = _split(data)
            while found is None and len(data) < _HEAD_LIMIT and (more := stream.read(1 << 16)):
                data += more
                found = _split(data)
    except OSError:
        return None
    if not data.strip():
        return None
    shown, end = found or (visible(data), None)
    return shown[:end], shown[end:] if end is not None and len(data) < MAX_STUB else b""


def visible(data: bytes) -> bytes:
    """Return HTML without scripts, styles and comments."""
    return _HIDDEN.sub(b"", data)


def _split(data: bytes) -> tuple[bytes, int] | None:
    """Return what is visible, and where the head ends in it; ``None`` where that is still to come."""
    shown = visible(data)
    end = _HEAD_END.search(shown)
    return (shown, end.start()) if end else None


def parse_head(head: bytes, expected_canonical: str | None = None) -> Head:
    """Return what the bytes of a head say; see ``read_head``."""
    telling = _TELLING.findall(head)
    if not telling:
        return Head()
    if (
        expected_canonical is not None
        and [word.lower() for word in telling] == [b"canonical"]
        and (link := _CANONICAL.search(head))
        and f'href="{expected_canonical}"'.encode(errors="surrogateescape") in link[0]
    ):
        return Head(canonical=expected_canonical)
    parser = _HeadParser()
    feed(parser, head.decode("utf-8", "surrogateescape"))
    return Head(parser.noindex, parser.canonical, parser.refresh)


def body_leads_elsewhere(body: bytes) -> bool:
    """Tell whether a page's body, as it is visible, has a refresh that browsers obey."""
    if not _REFRESH.search(body):
        return False
    inside = Counter[bytes]()
    for tag in _TAG.finditer(body):
        name = tag[2].lower()
        if name in _INERT:
            inside[name] = max(0, inside[name] + (-1 if tag[1] else 1))
        elif name == b"meta" and not inside.total() and _is_refresh(tag[0]):
            return True
    return False


def _is_refresh(tag: bytes) -> bool:
    return len(tag) < _LONGEST_TAG and parse_head(tag).refresh


@dataclass(frozen=True, slots=True)
class About:
    """What a page says about itself, for those who know it by its file alone.

    ``alternates`` are its versions in other languages: language codes and addresses, as written.
    """

    canonical: str | None = None
    alternates: tuple[tuple[str, str], ...] = ()
    title: str = ""
    summary: str = ""


def read_about(file: Path) -> About:
    """Return what the head of an HTML file says about the page; empty where there is no such file."""
    parser = _AboutParser()
    head, _ = _read(file) or (b"", b"")
    feed(parser, head.decode("utf-8", "replace"))
    title = " ".join("".join(parser.title).split())
    return About(parser.canonical, tuple(parser.alternates), title, " ".join(parser.summary.split()))


def read_heading(file: Path) -> str:
    """Return the text of the first ``h1`` of an HTML file, without the link to itself that themes add."""
    parser = _HeadingParser()
    try:
        feed(parser, file.read_bytes().decode("utf-8", "replace"))
    except OSError:
        return ""
    return " ".join("".join(parser.text).split())


def feed(parser: HTMLParser, text: str) -> None:
    """Have a parser read a text as far as it can.

    Up to Python 3.13 it raises for declarations such as ``<![if IE]>`` that have a word it does not
    know, which browsers pass over: so they are taken out.
    """
    parser.feed(_DECLARATION.sub("", text))
    parser.close()


def says_noindex(robots: object) -> bool:
    """Tell whether the value of a robots tag, or of a page's own ``robots`` setting, keeps the page out."""
    text = ",".join(map(str, robots)) if isinstance(robots, list) else str(robots or "")
    words = re.split(r"[\s,]+", text.lower())
    return any(word in _NOINDEX for word in words)


class _HeadParser(HTMLParser):
    """Collects meta and link tags; comments, scripts and templates do not count.

    Of noscript only a refresh counts: redirect stubs have it there, beside a script that does the
    same (sphinx-reredirects, sphinxext-rediraffe).
    """

    def __init__(self) -> None:
        super().__init__()
        self.noindex = False
        self.canonical: str | None = None
        self.refresh = False
        self._inside = Counter[str]()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in ("noscript", "template"):
            self._inside[tag] += 1
        values = {name: value or "" for name, value in attrs}
        if self._inside["template"]:
            return
        if tag == "meta" and values.get("http-equiv", "").strip().lower() == "refresh":
            self.refresh = self.refresh or "url" in values.get("content", "").lower()
        elif self._inside["noscript"]:
            return
        elif tag == "link" and "canonical" in values.get("rel", "").lower().split():
            self.canonical = self.canonical or values.get("href", "").strip() or None
        elif tag == "meta" and values.get("name", "").strip().lower() in _BOTS:
            self.noindex = self.noindex or says_noindex(values.get("content"))

    def handle_endtag(self, tag: str) -> None:
        if self._inside[tag]:
            self._inside[tag] -= 1


class _AboutParser(_HeadParser):
    """Collects links to other languages, title and description as well."""

    def __init__(self) -> None:
        super().__init__()
        self.alternates: list[tuple[str, str]] = []
        self.title: list[str] = []
        self.summary = ""
        self._in_title = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        super().handle_starttag(tag, attrs)
        values = {name: value or "" for name, value in attrs}
        self._in_title = tag == "title" and not self.title
        if tag == "link" and "alternate" in values.get("rel", "").lower().split() and "hreflang" in values:
            self.alternates.append((values["hreflang"].strip(), values.get("href", "").strip()))
        elif tag == "meta" and values.get("name", "").strip().lower() == "description":
            self.summary = self.summary or values.get("content", "")

    def handle_endtag(self, tag: str) -> None:
        super().handle_endtag(tag)
        self._in_title = False

    def handle_data(self, data: str) -> None:
        if self._in_title:
            self.title.append(data)


class _HeadingParser(HTMLParser):
    """Collects the text of the first ``h1``."""

    def __init__(self) -> None:
        super().__init__()
        self.text: list[str] = []
        self._inside = False
        self._in_link = False
        self._is_done = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "h1":
            self._inside = not self._is_done
        elif tag == "a" and "headerlink" in (dict(attrs).get("class") or "").split():
            self._in_link = True

    def handle_endtag(self, tag: str) -> None:
        if tag == "h1" and self._inside:
            self._inside, self._is_done = False, True
        elif tag == "a":
            self._in_link = False

    def handle_data(self, data: str) -> None:
        if self._inside and not self._in_link:
            self.text.append(data)
