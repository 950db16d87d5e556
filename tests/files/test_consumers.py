"""Independent readers find over HTTP, from robots.txt on, exactly the pages that were published."""

from __future__ import annotations

import socket
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from docs_sitemap.files.emission import emit
from docs_sitemap.options.declarations import read_options
from docs_sitemap.options.page_settings import PageSettings
from docs_sitemap.pages.page import Host, Page
from tests.support import consumers
from tests.support.consumers import READERS, Found, Site, instant, serve

pytestmark = [pytest.mark.readers, pytest.mark.slow]

BASE = "{base}"
"""Stands in a row for the address that the server gets."""


@dataclass(frozen=True)
class Row:
    """A site, and what a reader must find: the date of each page by its encoded path.

    ``kind`` is what robots.txt leads to.
    """

    name: str
    options: Mapping[str, Any]
    pages: Sequence[Mapping[str, Any]]
    expected: Mapping[str, str | None]
    kind: str = "xml"
    encoded: bool = False
    alternates: Mapping[str, Mapping[str, str]] = field(default_factory=dict)


def page(url: str, lastmod: str | None = None, **fields: Any) -> dict[str, Any]:
    """A page's fields, and perhaps its body as ``html``; it is made only once the server has an address."""
    settings = {name: fields.pop(name) for name in ("changefreq", "priority") if name in fields}
    return {"url": url, "settings": PageSettings(lastmod=lastmod, **settings), **fields}


def at(base_url: str, value: Any) -> Any:
    """Put the address of the site where a row has ``BASE``."""
    if isinstance(value, str):
        return value.replace(BASE, base_url)
    if isinstance(value, Mapping):
        return {at(base_url, key): at(base_url, item) for key, item in value.items()}
    return (
        type(value)(at(base_url, item) for item in value) if isinstance(value, (list, tuple, set)) else value
    )


NOON = "2026-08-20T12:00:00+00:00"
DAY = "2026-08-20"
THREE = [page("a/", NOON), page("b/", "2026-08-19T08:07:06+00:00"), page("c/")]
THREE_DATES = {"a/": NOON, "b/": "2026-08-19T08:07:06+00:00", "c/": None}
_FEED = [page("a/", NOON), page("R&D/", "2026-08-19T08:07:06+02:00"), page("ü/", DAY), page("undated/")]
_FEED_DATES = {"a/": NOON, "R&D/": "2026-08-19T08:07:06+02:00", "%C3%BC/": DAY}  # a feed is of changes
_BOTH = (("de", BASE + "de/ä/"), ("en", BASE + "a/"))
SITES = [
    Row("some dates", {}, THREE, THREE_DATES),
    Row(
        "zones and fractions",
        {},
        [page("a", "2026-08-20T01:00:00+14:00"), page("b", "2026-08-20T12:00:00.5Z")],
        {"a": "2026-08-19T11:00:00+00:00", "b": "2026-08-20T12:00:00.500000+00:00"},
    ),
    Row(
        "names with a percent sign",
        {},
        [page("a%20b/", DAY), page("50%/"), page("50%25.html"), page("a%2Fb/"), page("%7Ex/")],
        {"a%20b/": DAY, "50%25/": None, "50%25.html": None, "a%2Fb/": None, "%7Ex/": None},
    ),
    Row(
        "names that XML must escape",
        {},
        [page("R&D/", DAY), page("it's/"), page('say "x"/'), page("<T>/"), page("]]>/"), page("&'&/")],
        {
            "R&D/": DAY,
            "it's/": None,
            "say%20%22x%22/": None,
            "%3CT%3E/": None,
            "%5D%5D%3E/": None,
            "&'&/": None,
        },
    ),
    Row(
        "an index of encoded gz",
        {"max_urls": 2, "formats": ["gz"]},
        THREE,
        THREE_DATES,
        encoded=True,
    ),
    Row("text in parts", {"formats": ["txt"], "max_urls": 2}, THREE, dict.fromkeys(THREE_DATES), "txt"),
    Row("atom", {"formats": ["atom"]}, _FEED, _FEED_DATES, "atom"),
    Row("rss", {"formats": ["rss"]}, _FEED, _FEED_DATES, "rss"),
    Row(
        "alternates of the pages",
        {},
        [page("a/", NOON, alternates=_BOTH), page("de/ä/", alternates=_BOTH[::-1]), page("b/")],
        {"a/": NOON, "de/%C3%A4/": None, "b/": None},
        alternates={path: {"de": BASE + "de/%C3%A4/", "en": BASE + "a/"} for path in ("a/", "de/%C3%A4/")},
    ),
    Row(
        "images",
        {"images": True},
        [
            page("a/", NOON, html='<img src="../x.png"><img src="/R&amp;D ü.svg">'),
            page("b/", html="<p>none</p>"),
        ],
        {"a/": NOON, "b/": None},
    ),
]


def publish(row: Row, site: Site) -> None:
    """Write a row's site into the folder that is served, and let its pages answer."""
    pages = [_page(fields, site, number) for number, fields in enumerate(row.pages)]
    options = read_options(at(site.base_url, row.options), str)
    emit(pages, site.folder, options, Host(site.base_url, "site_url", str), environ={})
    site.pages = {"/" + path for path in row.expected}


def _page(fields: Mapping[str, Any], site: Site, number: int) -> Page:
    known = at(site.base_url, fields)
    if "html" in known:
        known["file"] = site.folder / f"{number}.html"
        known["file"].write_text(
            f"<html><head><title>x</title></head><body>{known.pop('html')}</body></html>"
        )
    return Page(**known)


def wanted(row: Row, site: Site, reader: consumers.Reader) -> dict[str, Found]:
    """Return what a reader should find, as far as it can tell it."""
    found = {}
    for path, lastmod in row.expected.items():
        versions = at(site.base_url, row.alternates.get(path, {})) if reader.knows_alternates else {}
        pairs = {(code if reader.knows_hreflang else "", href) for code, href in versions.items()}
        found[site.base_url + path] = Found(instant(lastmod), frozenset(pairs))
    return found


@pytest.fixture(autouse=True)
def loopback_only(monkeypatch: pytest.MonkeyPatch) -> None:
    """No reader of this process leaves the machine, nor asks a proxy for the way."""
    connect = socket.socket.connect

    def guarded(self: socket.socket, address: Any) -> None:
        assert address[0] == "127.0.0.1", address
        connect(self, address)

    monkeypatch.setattr(socket.socket, "connect", guarded)
    monkeypatch.setenv("no_proxy", "*")
    monkeypatch.setenv("NO_PROXY", "*")


CASES = [
    pytest.param(row, reader, id=f"{row.name}-{name}")
    for row in SITES
    for name, reader in READERS.items()
    if row.kind in reader.reads
]


@pytest.mark.parametrize(("row", "reader"), CASES)
def test_a_reader_finds_each_page_its_date_and_its_alternates(
    row: Row, reader: consumers.Reader, tmp_path: Path
) -> None:
    with serve(tmp_path, encoded=row.encoded) as site:
        publish(row, site)
        assert reader.read(site.robots_url) == wanted(row, site, reader)
        assert site.missing == []


def test_the_guard_lets_no_reader_leave_the_machine() -> None:
    with socket.socket() as client, pytest.raises(AssertionError, match=r"192\.0\.2\.1"):
        client.connect(("192.0.2.1", 80))
