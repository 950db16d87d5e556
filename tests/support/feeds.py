"""Reading feeds back with a parser that is not ours, and checking them strictly.

``atom_faults`` holds a feed to each MUST of RFC 4287 that ours could break, ``rss_faults`` to the RSS 2.0
specification, its profile, and what W3C's feed validator asks for. Both are stricter where ours has no
excuse: every feed links to itself, ids are never repeated, a feed's date is its newest entry's, and what we
do not write is refused.
"""

from __future__ import annotations

import html
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import pairwise
from urllib.parse import urlsplit

from lxml import etree

ATOM = "{http://www.w3.org/2005/Atom}"
XML = "{http://www.w3.org/XML/1998/namespace}"

Element = etree._Element


@dataclass(frozen=True)
class Entry:
    id: str
    title: str
    link: str
    date: datetime
    summary: str | None


@dataclass(frozen=True)
class Read:
    """What a reader knows of a feed."""

    title: str
    home: str
    address: str
    language: str | None
    date: datetime
    entries: list[Entry]


def read_atom(data: bytes) -> Read:
    feed = parse(data)
    return Read(
        text(feed, ATOM + "title"),
        atom_link(feed, "alternate"),
        atom_link(feed, "self"),
        feed.get(XML + "lang"),
        datetime.fromisoformat(text(feed, ATOM + "updated")),
        [
            Entry(
                text(entry, ATOM + "id"),
                text(entry, ATOM + "title"),
                atom_link(entry, "alternate"),
                datetime.fromisoformat(text(entry, ATOM + "updated")),
                entry.findtext(ATOM + "summary"),
            )
            for entry in feed.iterfind(ATOM + "entry")
        ],
    )


def read_rss(data: bytes) -> Read:
    channel = parse(data)[0]
    return Read(
        text(channel, "title"),
        text(channel, "link"),
        atom_link(channel, "self"),
        channel.findtext("language"),
        moment_of(channel, "lastBuildDate"),
        [
            Entry(
                text(item, "guid"),
                text(item, "title"),
                text(item, "link"),
                moment_of(item, "pubDate"),
                None if item.find("description") is None else html.unescape(text(item, "description")),
            )
            for item in channel.iterfind("item")
        ],
    )


def parse(data: bytes) -> Element:
    """Return the root of a document without comments."""
    return etree.fromstring(data, etree.XMLParser(resolve_entities=False, remove_comments=True))


def text(parent: Element, tag: str) -> str:
    found = parent.find(tag)
    assert found is not None, tag
    return found.text or ""


def moment_of(parent: Element, tag: str) -> datetime:
    moment = moment_822(text(parent, tag))  # not email.utils, to which the year 0001 is 2001
    assert moment
    return moment


def atom_link(parent: Element, rel: str) -> str:
    (href,) = [link.get("href") for link in parent.iterfind(ATOM + "link") if link.get("rel") == rel]
    assert href
    return href


def atom_faults(data: bytes) -> list[str]:
    return faults(data, check_atom)


def rss_faults(data: bytes) -> list[str]:
    return faults(data, check_rss)


def faults(data: bytes, check: Callable[[Element], Iterator[str]]) -> list[str]:
    try:
        root = parse(data)
    except etree.XMLSyntaxError as problem:
        return [f"not well-formed: {problem}"]
    found = [] if data.startswith(b'<?xml version="1.0" encoding="UTF-8"?>') else ["no UTF-8 declaration"]
    if b"<!DOCTYPE" in data:
        found.append("a DOCTYPE")
    return found + list(check(root))


# --- what both share ---

MANY = 10**9

Children = Mapping[str, Mapping[str, tuple[int, int]]]
"""What may stand in an element, how often at least and at most. An element that is not named is a leaf."""

LANGUAGE = re.compile(r"[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*")  # the form of BCP 47
NOT_IN_IRI = re.compile(r"""[\x00-\x20<>"{}|\\^`\x7f-\x9f]|%(?![0-9A-Fa-f]{2})""")
LINK = {"href", "rel", "type"}


def misplaced(element: Element, children: Children, attributes: Mapping[str, set[str]]) -> Iterator[str]:
    """Tell what an element lacks, has too often, or must not have."""
    name = name_of(element)
    allowed = children.get(name, {})
    counts = Counter(map(name_of, element))
    yield from (f"{child} in {name}" for child in counts if child not in allowed)
    for child, (least, most) in allowed.items():
        if not least <= counts[child] <= most:
            yield f"{counts[child]} {child} in {name}"
    for attribute in element.attrib:
        if attribute not in attributes.get(name, set()) | attributes["*"]:
            yield f"attribute {attribute!s} of {name}"
    texts = [element.text or "", *(child.tail or "" for child in element)]
    if (allowed or name == "atom:link") and any(found.strip() for found in texts):
        yield f"text in {name}"


def name_of(element: Element) -> str:
    return str(element.tag).replace(ATOM, "atom:")


def is_web(iri: str) -> bool:
    """Tell whether an address is one of the web, with a host."""
    parts = urlsplit(iri)
    return not NOT_IN_IRI.search(iri) and parts.scheme in ("http", "https") and bool(parts.hostname)


def is_language(code: str) -> bool:
    return LANGUAGE.fullmatch(code) is not None


def repeated(elements: Iterable[Element]) -> list[str | None]:
    return [value for value, count in Counter(found.text for found in elements).items() if count > 1]


def has_newest_date(dates: list[datetime | None]) -> bool:
    """Tell whether a feed's own date is its newest entry's; bad dates are another fault."""
    known = [date for date in dates if date]
    return len(known) < len(dates) or len(known) < 2 or known[0] == max(known[1:])


# --- Atom 1.0: RFC 4287, 4.1 and 4.2 ---

ATOM_CHILDREN: Children = {
    "atom:feed": {
        "atom:author": (1, 1),
        "atom:generator": (0, 1),
        "atom:id": (1, 1),
        "atom:link": (0, MANY),
        "atom:title": (1, 1),
        "atom:updated": (1, 1),
        "atom:entry": (0, MANY),
    },
    "atom:entry": {
        "atom:id": (1, 1),
        "atom:link": (1, 1),
        "atom:published": (0, 1),
        "atom:summary": (0, 1),
        "atom:title": (1, 1),
        "atom:updated": (1, 1),
    },
    "atom:author": {"atom:name": (1, 1)},
}
ATOM_ATTRIBUTES = {
    "*": {XML + "lang"},
    "atom:link": LINK,
    "atom:title": {"type"},
    "atom:summary": {"type"},
}
RFC3339 = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)", re.ASCII)


def moment_3339(value: str | None) -> datetime | None:
    if not RFC3339.fullmatch(value or ""):
        return None
    try:
        return datetime.fromisoformat(value or "")
    except ValueError:
        return None


def is_3339(value: str) -> bool:
    return moment_3339(value) is not None


def is_visible(value: str) -> bool:
    return bool(value.strip())


ATOM_VALUES: dict[str, tuple[str, Callable[[str], bool]]] = {
    "atom:title": ("blank", is_visible),
    "atom:summary": ("blank", is_visible),
    "atom:name": ("blank", is_visible),
    "atom:generator": ("blank", is_visible),
    "atom:updated": ("date in", is_3339),
    "atom:published": ("date in", is_3339),
    "atom:id": ("address in", is_web),
}


def check_atom(feed: Element) -> Iterator[str]:
    if feed.tag != ATOM + "feed":
        yield f"root {feed.tag}"
        return
    for element in feed.iter():
        yield from atom_element(element)
    if relations(feed) != ["self", "alternate"]:
        yield "links of atom:feed"
    if any(relations(entry) != ["alternate"] for entry in feed.iterfind(ATOM + "entry")):
        yield "links of atom:entry"
    yield from (f"id repeated: {id_}" for id_ in repeated(feed.iter(ATOM + "id")))
    if any(before == "atom:entry" != after for before, after in pairwise(map(name_of, feed))):
        yield "metadata behind an entry"
    if not has_newest_date([moment_3339(found.text) for found in feed.iter(ATOM + "updated")]):
        yield "updated is not the newest entry's"


def atom_element(element: Element) -> Iterator[str]:
    """Check one element by itself."""
    name = name_of(element)
    yield from misplaced(element, ATOM_CHILDREN, ATOM_ATTRIBUTES)
    if name in ATOM_VALUES:
        fault, is_good = ATOM_VALUES[name]
        if not is_good(element.text or ""):
            yield f"{fault} {name}"
    if not is_language(element.get(XML + "lang", "en")):
        yield f"language of {name}"
    if name == "atom:link" and not is_web(element.get("href", "")):
        yield "address in atom:link"
    if name in ("atom:title", "atom:summary") and element.get("type", "text") != "text":
        yield f"type of {name}"


def relations(parent: Element) -> list[str]:
    return [link.get("rel", "alternate") for link in parent.iterfind(ATOM + "link")]


# --- RSS 2.0 ---

RSS_CHILDREN: Children = {
    "rss": {"channel": (1, 1)},
    "channel": {
        "title": (1, 1),
        "link": (1, 1),
        "description": (1, 1),
        "language": (0, 1),
        "lastBuildDate": (1, 1),
        "generator": (0, 1),
        "atom:link": (1, MANY),
        "item": (0, MANY),
    },
    "item": {
        "title": (0, 1),
        "link": (0, 1),
        "description": (0, 1),
        "guid": (1, 1),
        "pubDate": (0, 1),
    },
}
RSS_ATTRIBUTES = {
    "*": set[str](),
    "rss": {"version"},
    "guid": {"isPermaLink"},
    "atom:link": LINK,
}
DAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
RFC822 = re.compile(
    rf"({'|'.join(DAYS)}), (\d\d) ({'|'.join(MONTHS)}) (\d{{4}}) (\d\d):(\d\d):(\d\d) \+0000", re.ASCII
)


def moment_822(value: str | None) -> datetime | None:
    """Return a date in the one form that all readers know: day of the week, four-digit year, UTC."""
    match = RFC822.fullmatch(value or "")
    if not match:
        return None
    weekday, day, month, *numbers = match.groups()
    year, hour, minute, second = map(int, numbers)
    try:
        moment = datetime(year, MONTHS.index(month) + 1, int(day), hour, minute, second, tzinfo=UTC)
    except ValueError:
        return None
    return moment if moment.weekday() == DAYS.index(weekday) else None


def is_822(value: str) -> bool:
    return moment_822(value) is not None


RSS_VALUES: dict[str, tuple[str, Callable[[str], bool]]] = {
    "title": ("blank", is_visible),
    "description": ("blank", is_visible),
    "generator": ("blank", is_visible),
    "guid": ("blank", is_visible),
    "link": ("address in", is_web),
    "language": ("form of", is_language),
    "pubDate": ("date in", is_822),
    "lastBuildDate": ("date in", is_822),
}


def check_rss(rss: Element) -> Iterator[str]:
    if rss.tag != "rss" or rss.get("version") != "2.0":
        yield f"root {rss.tag} {rss.get('version')}"
        return
    for element in rss.iter():
        yield from rss_element(element)
    for channel in rss.iterfind("channel"):
        if any(before == "item" != after for before, after in pairwise(map(name_of, channel))):
            yield "metadata behind an item"
        own = [link.get("type") for link in channel.iterfind(ATOM + "link") if link.get("rel") == "self"]
        if own != ["application/rss+xml"]:
            yield "no link to itself"
    for item in rss.iter("item"):
        if item.find("title") is None and item.find("description") is None:
            yield "item without title and description"
    yield from (f"guid repeated: {guid}" for guid in repeated(rss.iter("guid")))
    if not has_newest_date([moment_822(found.text) for found in rss.iter("lastBuildDate", "pubDate")]):
        yield "lastBuildDate is not the newest item's"


def rss_element(element: Element) -> Iterator[str]:
    """Check one element by itself."""
    name = name_of(element)
    yield from misplaced(element, RSS_CHILDREN, RSS_ATTRIBUTES)
    if name in RSS_VALUES:
        fault, is_good = RSS_VALUES[name]
        if not is_good(element.text or ""):
            yield f"{fault} {name}"
    if name == "guid":
        permanent = element.get("isPermaLink", "true")
        if permanent not in ("true", "false"):
            yield "isPermaLink of guid"
        if permanent == "true" and not is_web(element.text or ""):
            yield "address in guid"
    if name == "atom:link" and not is_web(element.get("href", "")):
        yield "address in atom:link"
