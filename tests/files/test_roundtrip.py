"""Any pages with any options, read back by parsers that are not ours: the same pages, each once."""

from __future__ import annotations

import gzip
import os
import random
import tempfile
import urllib.robotparser
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from itertools import chain
from pathlib import Path
from typing import Any
from urllib.parse import quote, unquote

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from lxml import etree

from docs_sitemap.files.emission import emit
from docs_sitemap.files.messages import Report
from docs_sitemap.options.declarations import read_options
from docs_sitemap.options.page_settings import PageSettings
from docs_sitemap.pages.entries import Url
from docs_sitemap.pages.page import Host, Page
from tests.support.gitrepo import FIRST, Repo

pytestmark = pytest.mark.slow

SITEMAP = "http://www.sitemaps.org/schemas/sitemap/0.9"
XHTML = "http://www.w3.org/1999/xhtml"
IMAGE = "http://www.google.com/schemas/sitemap-image/1.1"
ATOM = "http://www.w3.org/2005/Atom"
NS = {"s": SITEMAP, "x": XHTML, "i": IMAGE, "a": ATOM}
MAX_BYTES = 50 * 1024 * 1024


@dataclass(frozen=True)
class Entry:
    """What a sitemap says of one page."""

    lastmod: str | None = None
    changefreq: str | None = None
    priority: float | None = None
    alternates: frozenset[tuple[str, str]] = frozenset()
    images: tuple[str, ...] = ()


Entries = dict[str, Entry]


def parse(data: bytes) -> Any:
    """Read XML; a document that needs entities or the net, or declares what it does not use, is an error."""
    parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False, huge_tree=True)
    root = etree.fromstring(data, parser)
    assert data.startswith(b'<?xml version="1.0" encoding="UTF-8"?>\n')
    data.decode("utf-8")
    assert b"<!DOCTYPE" not in data
    used = {etree.QName(element).namespace for element in root.iter(etree.Element)}
    assert set(root.nsmap.values()) <= used
    return root


def read_urlset(data: bytes, max_urls: int = 50_000) -> Entries:
    assert len(data) <= MAX_BYTES
    root = parse(data)
    assert root.tag == f"{{{SITEMAP}}}urlset"
    found: Entries = {}
    for url in root:
        loc = url.findtext("s:loc", namespaces=NS)
        assert loc not in found
        priority = url.findtext("s:priority", namespaces=NS)
        links = [(link.get("hreflang"), link.get("href")) for link in url.findall("x:link", NS)]
        assert len(set(links)) == len(links)
        assert {link.get("rel") for link in url.findall("x:link", NS)} <= {"alternate"}
        found[loc] = Entry(
            url.findtext("s:lastmod", namespaces=NS),
            url.findtext("s:changefreq", namespaces=NS),
            None if priority is None else float(priority),
            frozenset(links),
            tuple(image.findtext("i:loc", namespaces=NS) for image in url.findall("i:image", NS)),
        )
    assert 0 < len(found) <= max_urls
    return found


def instant(lastmod: str) -> datetime:
    moment = datetime.fromisoformat(lastmod)
    return moment.astimezone(UTC) if moment.tzinfo else moment.replace(tzinfo=UTC)


def read_file(out: Path, name: str) -> bytes:
    data = (out / name).read_bytes()
    return gzip.decompress(data) if name.endswith(".gz") else data


def read_parts(out: Path, base: str, name: str, max_urls: int = 50_000) -> dict[str, Entries]:
    """Return the entries of each file that a sitemap or an index leads to, by the file's name."""
    data = read_file(out, name)
    root = parse(data)
    if root.tag == f"{{{SITEMAP}}}urlset":
        return {name: read_urlset(data, max_urls)}
    assert root.tag == f"{{{SITEMAP}}}sitemapindex"
    found: dict[str, Entries] = {}
    for sitemap in root:
        loc = sitemap.findtext("s:loc", namespaces=NS)
        assert loc.startswith(base)
        part = unquote(loc.removeprefix(base))
        assert part not in found
        found[part] = read_urlset(read_file(out, part), max_urls)
        dates = [entry.lastmod for entry in found[part].values() if entry.lastmod]
        lastmod = sitemap.findtext("s:lastmod", namespaces=NS)
        if dates:
            assert lastmod in dates
            assert instant(lastmod) == max(map(instant, dates))
        else:
            assert lastmod is None
    return found


def united(parts: dict[str, Entries]) -> Entries:
    found: Entries = {}
    for entries in parts.values():
        assert not found.keys() & entries.keys()
        found |= entries
    return found


def read_text(out: Path, name: str) -> list[str]:
    text = read_file(out, name).decode("utf-8")
    assert text.endswith("\n")
    return text.removesuffix("\n").split("\n")


def named_in_robots(robots_txt: bytes) -> list[str]:
    """The addresses in robots.txt; the standard library, which may decode them, reads the same ones."""
    lines = robots_txt.decode("utf-8-sig").splitlines()
    found = [line.partition(":")[2].strip() for line in lines if line.lower().startswith("sitemap:")]
    parser = urllib.robotparser.RobotFileParser()
    parser.parse(lines)
    assert (parser.site_maps() or []) in (found, list(map(unquote, found)))
    return found


def read_site(out: Path, base: str) -> Entries:
    """Return the pages of a site as a crawler finds them, from robots.txt on."""
    found: Entries = {}
    for address in named_in_robots((out / "robots.txt").read_bytes()):
        parts = united(read_parts(out, base, unquote(address.removeprefix(base))))
        assert not found.keys() & parts.keys()
        found |= parts
    return found


FREQUENCIES = ("always", "hourly", "daily", "weekly", "monthly", "yearly", "never")
DATES = (
    "2024-02-29",
    "2024-03-01",
    "1999-12-31",
    "2024-03-01T00:00:00Z",
    "2024-03-01T01:30:00+05:30",
    "2024-02-29T23:59:59.999999-11:00",
    "2020-01-02T03:04:05.25+00:00",
    "0001-01-01",
    "2023-11-14T22:13:20+00:00",
)
BASES = (
    ("https://example.org/", "https://example.org/"),
    ("https://example.org/docs/v1", "https://example.org/docs/v1/"),
    ("http://bücher.example:8443/ü b/", "http://xn--bcher-kva.example:8443/%C3%BC%20b/"),
)
FILENAMES = ("sitemap.xml", "maps/sitemap.xml", "a b%20&'.xml", "maps/ü-2.xml", "Map.XML")
FORMATS = ("xml", "gz", "txt", "atom", "rss")

CLEAN = ("", "a/", "b/c.html", "ü b/", "maps/a/", "maps/ü/x.html", "out/a/", "ruled/a/")
"""Paths that several pages have, so that addresses and alternates meet."""

RULES = ("ruled/", "out/", "*.md", "gen/")
CODES = {"en": "en", "de": "de", "pt_BR": "pt-BR", "ZH-hant": "zh-Hant", "X-Default": "x-default", "jp": None}
IMAGES = (
    "img/a b.png",
    "/ü.png",
    "https://cdn.example/1.png?v=1&w='2'#x",
    "data:,x",
    "https://a\0b/",
    "a//b.png",
)

ANY = st.text(st.one_of(st.characters(), st.sampled_from("/.%2eE&'\"<>] \u202e\u05d0😀")), max_size=12)


@st.composite
def page_settings(draw: st.DrawFn) -> dict[str, Any]:
    return draw(
        st.fixed_dictionaries(
            {},
            optional={
                "exclude": st.booleans(),
                "lastmod": st.sampled_from(["git", "none", *DATES]),
                "changefreq": st.sampled_from(FREQUENCIES),
                "priority": st.sampled_from([0.0, 0.1, 0.333333, 0.5, 1e-6, 1.0]),
            },
        )
    )


@st.composite
def some_pages(draw: st.DrawFn) -> list[dict[str, Any]]:
    """Pages as keyword arguments, but for ``source``: the index of a file with a date, or none."""
    found = []
    for number in range(draw(st.integers(0, 14))):
        path = draw(st.one_of(st.sampled_from(CLEAN), ANY, ANY.map("maps/{}".format)))
        if draw(st.integers(0, 15)) == 0:
            path = draw(st.sampled_from(["../x", "a/%2e%2E/../x", "q?x", "f#x", "\ud800", "l" * 2050]))
        targets = st.sampled_from([*CLEAN, "nowhere/", "https://other.example/a/"])
        alternates = draw(st.lists(st.tuples(st.sampled_from([*CODES]), targets), max_size=4))
        if alternates and number % 2:
            alternates.append(("en", path if path in CLEAN else "a/"))
        found.append(
            {
                "url": path,
                "source": draw(st.sampled_from([None, None, 0, 1, 2])),
                "source_path": draw(st.sampled_from(["src/{}.md", "gen/{}.rst", "{}.md"])).format(number),
                "settings": draw(page_settings()),
                "unlisted": draw(st.sampled_from(["", "", "", "", "", "draft"])),
                "alternates": alternates,
                "images": draw(st.lists(st.sampled_from(IMAGES), max_size=5)),
                "title": draw(st.text(st.characters(), max_size=8)),
                "summary": draw(st.sampled_from(["", "]]>", "<b>\x00\ud800\ufffe", " \r\n"])),
            }
        )
    return found


@st.composite
def some_options(draw: st.DrawFn) -> dict[str, Any]:
    return draw(
        st.fixed_dictionaries(
            {
                "base_url": st.sampled_from(BASES),
                "formats": st.lists(st.sampled_from(FORMATS), min_size=1, unique=True),
                "max_urls": st.integers(1, 10),
                "filename": st.sampled_from(FILENAMES),
            },
            optional={
                "feed_entries": st.integers(1, 5),
                "stylesheet": st.booleans(),
                "images": st.booleans(),
                "robots": st.sampled_from([True, True, False]),
                "languages": st.sampled_from(["de", "fr"]),
                "lastmod": st.sampled_from(["git", "none"]),
                "lastmod_format": st.sampled_from(["date", "datetime"]),
                "changefreq": st.sampled_from(FREQUENCIES),
                "priority": st.sampled_from([0.0, 0.25, 1.0]),
                "exclude": st.lists(st.sampled_from(RULES), max_size=2, unique=True),
                "rules": st.lists(st.tuples(st.sampled_from(RULES), page_settings()), max_size=3),
            },
        )
    )


Drawn = tuple[list[dict[str, Any]], dict[str, Any]]


class Site:
    """A site as drawn."""

    def __init__(self, pages: list[dict[str, Any]], options: dict[str, Any], repo: Repo) -> None:
        self.drawn = pages
        self.options = options
        self.base: str = options["base_url"][1]
        self.filename: str = options["filename"]
        self.sources = dated_files(repo)
        self.entries: Entries = {}
        self.named: list[str] = []

    def emit(self, out: Path, order: random.Random | None = None) -> Report:
        pages = [self._page(page) for page in self.drawn]
        if order:
            order.shuffle(pages)
        report = emit(iter(pages), out, self._options(), Host(None, "site_url", str), environ={})
        self.entries = {url.loc: entry_of(url) for url in report.urls}
        assert len(self.entries) == len(report.urls)
        robots_txt = out / "robots.txt"
        found = named_in_robots(robots_txt.read_bytes()) if robots_txt.exists() else []
        assert all(address.startswith(self.base) for address in found)
        self.named = [unquote(address.removeprefix(self.base)) for address in found]
        return report

    def _page(self, drawn: dict[str, Any]) -> Page:
        return Page(
            **{
                **drawn,
                "source": None if drawn["source"] is None else self.sources[drawn["source"]],
                "settings": PageSettings(**drawn["settings"]),
                "alternates": tuple((code, self._target(path)) for code, path in drawn["alternates"]),
                "images": tuple(drawn["images"]),
            }
        )

    def _target(self, path: str) -> str:
        return path if path.startswith("https:") else self.base + quote(path) + "#top"

    def _options(self) -> Any:
        values = {**self.options, "base_url": self.options["base_url"][0]}
        if code := values.get("languages"):
            values["languages"] = {
                "en": self.base,
                code: f"https://{code}.example/x/",
                "x-default": self.base,
            }
        rules = [{"match": match, **said} for match, said in values.get("rules", ()) if said]
        return read_options({**values, "rules": rules}, str)


def entry_of(url: Url) -> Entry:
    alternates = frozenset((alternate.hreflang, alternate.href) for alternate in url.alternates)
    return Entry(url.lastmod, url.changefreq, url.priority, alternates, url.images)


@cache
def _memory() -> str | None:
    """A folder in memory, where there is one: hundreds of builds wait for no disk."""
    return "/dev/shm" if os.access("/dev/shm", os.W_OK) else None


@contextmanager
def scratch() -> Iterator[Path]:
    with tempfile.TemporaryDirectory(dir=_memory()) as name:
        yield Path(name)


def files(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()
    }


def dated_files(repo: Repo) -> list[Path]:
    """Three files in a repository, which is made once a test."""
    names = [repo.root / f"{number}.md" for number in range(3)]
    if not names[0].exists():
        for number, name in enumerate(names):
            repo.commit(name.name, when=FIRST + number * 100_000)
    return names


def check(site: Site, out: Path, report: Report, own_robots: bytes | None) -> None:
    """Everything is there once, and what one file names is in another."""
    found, formats = files(out), site.options["formats"]
    assert set(report.written) <= set(found)
    robots_txt = found.pop("robots.txt", b"")
    assert robots_txt.startswith(own_robots or (b"# Written by docs-sitemap\n" if site.named else b""))
    xml = [name for name in (site.filename, site.filename + ".gz") if name in found]
    assert bool(xml) == bool(
        site.entries and ("xml" in formats or ("gz" in formats and "txt" not in formats))
    )
    for name in xml:
        assert united(read_parts(out, site.base, name, site.options["max_urls"])) == site.entries
    texts = [read_text(out, name) for name in sorted(found) if name.endswith(".txt")]
    assert all(len(lines) <= site.options["max_urls"] for lines in texts)
    assert not texts or sorted(chain.from_iterable(texts)) == sorted(site.entries)
    check_feeds(site, found)
    for name in found:
        if name.endswith(".gz") and name[:-3] in found:
            assert gzip.decompress(found[name]) == found[name[:-3]]


def check_feeds(site: Site, found: dict[str, bytes]) -> None:
    dated = [(loc, instant(entry.lastmod)) for loc, entry in site.entries.items() if entry.lastmod]
    newest = sorted(dated, key=lambda pair: (-(pair[1] - instant("0001-01-01")).total_seconds(), pair[0]))
    expected = [loc for loc, _ in newest][: site.options.get("feed_entries", 100)]
    for name, path in (("atom.xml", "a:entry/a:id"), ("rss.xml", "channel/item/link")):
        for data in (data for file, data in found.items() if file.rpartition("/")[2] == name):
            assert [element.text for element in parse(data).findall(path, NS)] == expected


OFTEN = settings(
    max_examples=int(os.environ.get("HISTORIES", "25")),
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)


@OFTEN
@given(some_pages(), some_options(), st.sampled_from([None, None, b"User-agent: *\r\nDisallow: /x"]))
def test_what_is_written_is_read_back_whatever_the_order_of_the_pages(
    repo: Repo, pages: list[dict[str, Any]], options: dict[str, Any], robots_txt: bytes | None
) -> None:
    site = Site(pages, options, repo)
    with scratch() as folder, scratch() as shuffled:
        if robots_txt is not None:
            (folder / "robots.txt").write_bytes(robots_txt)
            (shuffled / "robots.txt").write_bytes(robots_txt)
        report = site.emit(folder)
        assert len(report.urls) + report.left_out.total() <= len(pages)
        check(site, folder, report, robots_txt)
        check_schemas(folder)
        site.emit(shuffled, random.Random(len(pages)))  # noqa: S311
        assert files(shuffled) == files(folder)


def check_schemas(out: Path) -> None:
    """By the official XSDs, where they are: a sitemap without extensions by that of the protocol alone."""
    schemas = os.environ.get("SITEMAP_SCHEMAS")
    for data in files(out).values() if schemas else ():
        if b"schemas/sitemap/0.9" in data[:500]:
            root = parse(data)
            is_index = root.tag == f"{{{SITEMAP}}}sitemapindex"
            plain = "siteindex.xsd" if is_index else "sitemap.xsd"
            file = plain if set(root.nsmap) == {None} else "all.xsd"
            schema(Path(schemas or "", file)).assertValid(root.getroottree())


@cache
def schema(file: Path) -> Any:
    return etree.XMLSchema(etree.parse(file))


THEIRS = {
    "sitemap-99.txt": b"https://example.org/theirs\n",
    "sitemap-98.xml.gz": gzip.compress(b"theirs"),
    "Map-97.xml": b"theirs",
    "maps/index.xml": b"<urlset/>",
    "index.html": b"<title>theirs</title>",
}


@OFTEN
@given(st.tuples(some_pages(), some_options()), st.tuples(some_pages(), some_options()))
def test_a_second_build_leaves_nothing_of_the_first_and_all_that_is_not_ours(
    repo: Repo, before: Drawn, after: Drawn
) -> None:
    """The second one knows what the first one wrote by its name, and by the line in robots.txt."""
    place = {name: before[1][name] for name in ("base_url", "filename")} | {"robots": True}
    first, second = Site(before[0], before[1] | place, repo), Site(after[0], after[1] | place, repo)
    with scratch() as folder, scratch() as empty:
        (folder / "maps").mkdir()
        for name, data in THEIRS.items():
            (folder / name).write_bytes(data)
        first.emit(folder)
        second.emit(folder)
        second.emit(empty)
        assert files(folder) == files(empty) | THEIRS
