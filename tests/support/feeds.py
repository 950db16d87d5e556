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
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
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


MANY = 10**9
LANGUAGE = re.compile(r"[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*")  # the form of BCP 47
NOT_IN_IRI = re.compile(r"""[\x00-\x20<>"{}|\\^`\x7f-\x9f]|%(?![0-9A-Fa-f]{2})""")
RFC3339 = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)", re.ASCII)
DAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
RFC822 = re.compile(
    rf"({'|'.join(DAYS)}), (\d\d) ({'|'.join(MONTHS)}) (\d{{4}}) (\d\d):(\d\d):(\d\d) \+0000", re.ASCII
)


def moment_822(value: str) -> datetime | None:
    """Return a date in the one form that all readers know: day of the week, four-digit year, UTC."""
    match = RFC822.fullmatch(value)
    if not match:
        return None
    weekday, day, month, *numbers = match.groups()
    year, hour, minute, second = map(int, numbers)
    moment = datetime(year, MONTHS.index(month) + 1, int(day), hour, minute, second, tzinfo=UTC)
    return moment if moment.weekday() == DAYS.index(weekday) else None


def moment_3339(value: str) -> datetime | None:
    return datetime.fromisoformat(value) if RFC3339.fullmatch(value) else None


def is_web(iri: str) -> bool:
    """Tell whether an address is one of the web, with a host."""
    parts = urlsplit(iri)
    return not NOT_IN_IRI.search(iri) and parts.scheme in ("http", "https") and bool(parts.hostname)


CHILDREN: Mapping[str, Mapping[str, tuple[int, int]]] = {
    "atom:feed": {
        "atom:author": (1, 1),
        "atom:generator": (0, 1),
        "atom:id": (1, 1),
        "atom:link": (2, 2),
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
    "rss": {"channel": (1, 1)},
    "channel": {
        "title": (1, 1),
        "link": (1, 1),
        "description": (1, 1),
        "language": (0, 1),
        "lastBuildDate": (1, 1),
        "generator": (0, 1),
        "atom:link": (1, 1),
        "item": (0, MANY),
    },
    "item": {"title": (1, 1), "link": (1, 1), "description": (0, 1), "guid": (1, 1), "pubDate": (1, 1)},
}
"""What may stand in an element, how often at least and at most. An element that is not named is a leaf."""

VALUES: Mapping[str, Callable[[str], object]] = {
    **dict.fromkeys(("atom:title", "atom:summary", "atom:name", "atom:generator"), str.strip),
    **dict.fromkeys(("title", "description", "generator"), str.strip),
    **dict.fromkeys(("atom:id", "guid", "link"), is_web),
    **dict.fromkeys(("atom:updated", "atom:published"), moment_3339),
    **dict.fromkeys(("pubDate", "lastBuildDate"), moment_822),
    "language": LANGUAGE.fullmatch,
}


def name_of(element: Element) -> str:
    return str(element.tag).replace(ATOM, "atom:")


def element_faults(element: Element) -> Iterator[str]:
    """Tell what an element lacks, has too often, or must not have, and a value in a wrong form."""
    name = name_of(element)
    allowed = CHILDREN.get(name, {})
    counts = Counter(map(name_of, element))
    yield from (f"{child} in {name}" for child in counts if child not in allowed)
    for child, (least, most) in allowed.items():
        if not least <= counts[child] <= most:
            yield f"{counts[child]} {child} in {name}"
    if allowed and any((text or "").strip() for text in (element.text, *(child.tail for child in element))):
        yield f"text in {name}"
    if name in VALUES and not VALUES[name](element.text or ""):
        yield f"value of {name}"
    if name == "atom:link" and not is_web(element.get("href", "")):
        yield "address in atom:link"
    if not LANGUAGE.fullmatch(element.get(XML + "lang", "en")):
        yield f"language of {name}"
    if name in ("atom:title", "atom:summary") and element.get("type", "text") != "text":
        yield f"type of {name}"


def check(
    feed: Element, ids: str, own_date: str, date_of_entry: str, moment: Callable[[str], datetime | None]
) -> Iterator[str]:
    for element in feed.iter():
        yield from element_faults(element)
    counted = Counter(found.text for found in feed.iterfind(ids))
    yield from (f"repeated: {value}" for value, count in counted.items() if count > 1)
    dates = [moment(found.text or "") for found in feed.iterfind(date_of_entry)]
    if dates and None not in dates and moment(feed.findtext(own_date) or "") != max(filter(None, dates)):
        yield "the feed's date is not its newest entry's"


def check_atom(feed: Element) -> Iterator[str]:
    if feed.tag != ATOM + "feed":
        yield f"root {feed.tag}"
    entry = f"{ATOM}entry/{ATOM}"
    yield from check(feed, f"{entry}id", f"{ATOM}updated", f"{entry}updated", moment_3339)
    if sorted(link.get("rel", "") for link in feed.iterfind(ATOM + "link")) != ["alternate", "self"]:
        yield "no link to itself"


def check_rss(rss: Element) -> Iterator[str]:
    if rss.tag != "rss" or rss.get("version") != "2.0":
        yield f"root {rss.tag} {rss.get('version')}"
    yield from check(rss, "channel/item/guid", "channel/lastBuildDate", "channel/item/pubDate", moment_822)
    own = [(link.get("rel"), link.get("type")) for link in rss.iterfind(f"channel/{ATOM}link")]
    if own != [("self", "application/rss+xml")]:
        yield "no link to itself"
