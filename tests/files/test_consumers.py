"""Independent readers find over HTTP, from robots.txt on, exactly the pages that were published."""

from __future__ import annotations

import gzip
import shutil
import socket
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pytest

from docs_sitemap.files.emission import emit
from docs_sitemap.options.declarations import read_options
from docs_sitemap.options.page_settings import PageSettings
from docs_sitemap.pages.page import Host, Page
from tests.support import consumers
from tests.support.consumers import READERS, ROBOTS_READERS, Found, Site, instant, serve
from tests.support.gitrepo import FIRST, Repo

pytestmark = [pytest.mark.readers, pytest.mark.slow]

BASE = "{base}"
"""Stands in a row for the address that the server gets."""


@dataclass(frozen=True)
class Row:
    """A site, and what a reader must find: the date of each page by its encoded path.

    ``kind`` is what robots.txt leads to, ``named`` the files that it names, ``present`` a
    robots.txt of the site's author.
    """

    name: str
    options: Mapping[str, Any]
    pages: Sequence[Mapping[str, Any]]
    expected: Mapping[str, str | None]
    kind: str = "xml"
    named: tuple[str, ...] = ("sitemap.xml",)
    encoded: bool = False
    present: bytes | None = None
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
_PARTS = ("sitemap-1.txt", "sitemap-2.txt")
_FEED = [page("a/", NOON), page("R&D/", "2026-08-19T08:07:06+02:00"), page("ü/", DAY), page("undated/")]
_FEED_DATES = {"a/": NOON, "R&D/": "2026-08-19T08:07:06+02:00", "%C3%BC/": DAY}  # a feed is of changes
_BOTH = (("de", BASE + "de/ä/"), ("en", BASE + "a/"))
_LANGUAGES = {"en": BASE, "pt-BR": BASE + "pt/", "x-default": BASE}

SITES = [
    Row("some dates", {}, THREE, THREE_DATES),
    Row("days and times", {}, [page("a", DAY), page("b", NOON), page("c")], {"a": DAY, "b": NOON, "c": None}),
    Row(
        "zones and fractions",
        {},
        [page("a", "2026-08-20T01:00:00+14:00"), page("b", "2026-08-20T12:00:00.5Z")],
        {"a": "2026-08-19T11:00:00+00:00", "b": "2026-08-20T12:00:00.500000+00:00"},
    ),
    Row(
        "names that are not ASCII",
        {},
        [page("ü ß/", DAY), page("日本語.html"), page("caf%C3%A9/"), page("Ωмега/😀/")],
        {
            "%C3%BC%20%C3%9F/": DAY,
            "%E6%97%A5%E6%9C%AC%E8%AA%9E.html": None,
            "caf%C3%A9/": None,
            "%CE%A9%D0%BC%D0%B5%D0%B3%D0%B0/%F0%9F%98%80/": None,
        },
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
        "priority and changefreq",
        {"changefreq": "weekly", "priority": 0.3},
        [page("a/", NOON, priority=1.0, changefreq="daily"), page("b/", priority=0.0), page("c/")],
        {"a/": NOON, "b/": None, "c/": None},
    ),
    Row(
        "gz as an encoding", {"formats": ["gz"]}, THREE, THREE_DATES, named=("sitemap.xml.gz",), encoded=True
    ),
    Row(
        "below a folder",
        {"filename": "docs/sitemap.xml"},
        [page("docs/a/", NOON), page("b/", NOON)],
        {"docs/a/": NOON},
        named=("docs/sitemap.xml",),
    ),
    Row("their robots.txt", {}, THREE, THREE_DATES, present=b"User-agent: *\r\nDisallow: /private/"),
    Row("an index", {"max_urls": 2}, THREE, THREE_DATES),
    Row(
        "an index of encoded gz",
        {"max_urls": 2, "formats": ["gz"]},
        THREE,
        THREE_DATES,
        named=("sitemap.xml.gz",),
        encoded=True,
    ),
    Row("text", {"formats": ["txt"]}, THREE, dict.fromkeys(THREE_DATES), "txt", ("sitemap.txt",)),
    Row(
        "text in parts", {"formats": ["txt"], "max_urls": 2}, THREE, dict.fromkeys(THREE_DATES), "txt", _PARTS
    ),
    Row("atom", {"formats": ["atom"]}, _FEED, _FEED_DATES, "atom", ("atom.xml",)),
    Row("rss", {"formats": ["rss"]}, _FEED, _FEED_DATES, "rss", ("rss.xml",)),
    Row(
        "alternates of the pages",
        {},
        [page("a/", NOON, alternates=_BOTH), page("de/ä/", alternates=_BOTH[::-1]), page("b/")],
        {"a/": NOON, "de/%C3%A4/": None, "b/": None},
        alternates={path: {"de": BASE + "de/%C3%A4/", "en": BASE + "a/"} for path in ("a/", "de/%C3%A4/")},
    ),
    Row(
        "languages",
        {"languages": _LANGUAGES},
        [page("a/", NOON), page("it's & ü/")],
        {"a/": NOON, "it's%20&%20%C3%BC/": None},
        alternates={
            path: {code: base + path for code, base in _LANGUAGES.items()}
            for path in ("a/", "it's%20&%20%C3%BC/")
        },
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
    if row.present is not None:
        (site.folder / "robots.txt").write_bytes(row.present)
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
EACH = pytest.mark.parametrize("row", [pytest.param(row, id=row.name) for row in SITES])


@pytest.mark.parametrize(("row", "reader"), CASES)
def test_a_reader_finds_each_page_its_date_and_its_alternates(
    row: Row, reader: consumers.Reader, tmp_path: Path
) -> None:
    with serve(tmp_path, encoded=row.encoded) as site:
        publish(row, site)
        assert reader.read(site.robots_url) == wanted(row, site, reader)
        assert site.missing == []


WITH_ALTERNATES = [pytest.param(row, id=row.name) for row in SITES if row.alternates]


@pytest.mark.parametrize("row", WITH_ALTERNATES)
def test_scrapy_follows_each_alternate(row: Row, tmp_path: Path) -> None:
    with serve(tmp_path) as site:
        publish(row, site)
        others = {href for versions in row.alternates.values() for href in versions.values()}
        site.pages |= {at("/", href) for href in others}
        found = consumers.read_with_scrapy(site.robots_url, follow_alternates=True)
        assert set(found) == {site.base_url + path for path in row.expected} | at(site.base_url, others)
        assert site.missing == []


@EACH
@pytest.mark.parametrize("name", ROBOTS_READERS)
def test_robots_txt_names_the_sitemaps_that_are_there(row: Row, name: str, tmp_path: Path) -> None:
    with serve(tmp_path, encoded=row.encoded) as site:
        publish(row, site)
        found = ROBOTS_READERS[name](site.robots_url)
    expected = [site.base_url + file for file in row.named]
    if name == "robotparser":
        found, expected = list(map(unquote, found)), list(map(unquote, expected))
    assert found == expected
    assert all((tmp_path / unquote(file)).is_file() for file in row.named)


@pytest.mark.parametrize("name", [name for name, reader in READERS.items() if "xml" in reader.reads])
def test_a_reader_finds_the_dates_of_git(name: str, repo: Repo, tmp_path: Path) -> None:
    for number, file in enumerate(("a.md", "b.md")):
        repo.commit(file, when=FIRST + number)
    folder = tmp_path / "site"
    folder.mkdir()
    with serve(folder) as site:
        pages = [Page(url=f"{file}/", source=repo.root / file) for file in ("a.md", "b.md")]
        emit(pages, folder, read_options({}, str), Host(site.base_url, "site_url", str), environ={})
        site.pages = {"/a.md/", "/b.md/"}
        found = READERS[name].read(site.robots_url)
    dates = {url.removeprefix(site.base_url): page.lastmod for url, page in found.items()}
    assert dates == {
        f"{file}/": datetime.fromtimestamp(repo.log_date(file), UTC) for file in ("a.md", "b.md")
    }


def schema_of(document: bytes) -> str | None:
    """Return the schema for a file's root element; ``None`` where it is a feed."""
    for root, schema in (("urlset", "all.xsd"), ("sitemapindex", "siteindex.xsd")):
        if f"<{root} ".encode() in document:
            return schema
    return None


@EACH
def test_xmllint_accepts_each_file(row: Row, tmp_path: Path, schemas: Path) -> None:
    if shutil.which("xmllint") is None:
        pytest.skip("xmllint (Debian: libxml2-utils) is not installed")
    publish(row, Site(tmp_path, base_url="https://example.org/"))
    for file in sorted(tmp_path.rglob("*.xml*")):
        document = gzip.decompress(file.read_bytes()) if file.suffix == ".gz" else file.read_bytes()
        schema = schema_of(document)
        options = ["--schema", str(schemas / schema)] if schema else []
        command = ["xmllint", "--nonet", "--noout", *options, "-"]
        done = subprocess.run(command, input=document, check=False, capture_output=True)
        assert done.returncode == 0, (file.name, done.stderr.decode())


def test_the_guard_lets_no_reader_leave_the_machine() -> None:
    with socket.socket() as client, pytest.raises(AssertionError, match=r"192\.0\.2\.1"):
        client.connect(("192.0.2.1", 80))
