"""Reading feeds back with a parser that is not ours."""

from __future__ import annotations

import html
import re
from dataclasses import dataclass
from datetime import UTC, datetime

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
