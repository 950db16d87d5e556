"""A site over HTTP on the loopback, and the independent readers that fetch its sitemap from there.

Each reader starts from robots.txt, as a crawler does, and tells what it found in its own way;
one whose package is not installed skips its test. Started as a program, this module is Scrapy's
child process: a reactor cannot be started twice in one.
"""

from __future__ import annotations

import calendar
import importlib
import json
import sys
import threading
import urllib.request
import urllib.robotparser
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, cast
from urllib.parse import unquote

import pytest

from tests.support.warm import run_module

TYPES = {".xml": "application/xml", ".txt": "text/plain; charset=utf-8", ".gz": "application/gzip"}


@dataclass
class Site:
    """What the server serves, and what it was asked for in vain.

    ``pages`` are the paths that answer as pages, percent-encoded as they stand on the wire. A
    ``.gz`` is a file like any other, or where ``encoded`` the same document under
    ``Content-Encoding: gzip``, as some servers send what they find compressed.
    """

    folder: Path
    encoded: bool = False
    base_url: str = ""
    pages: set[str] = field(default_factory=set)
    missing: list[str] = field(default_factory=list)

    @property
    def robots_url(self) -> str:
        return self.base_url + "robots.txt"


class _Server(ThreadingHTTPServer):
    site: Site


class _Handler(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        site = cast(_Server, self.server).site
        file = site.folder / unquote(self.path[1:])
        if self.path in site.pages:
            self._send(b"<!doctype html><title>page</title>", {"Content-Type": "text/html; charset=utf-8"})
        elif file.is_file():
            headers = {"Content-Type": TYPES[file.suffix]}
            if site.encoded and file.suffix == ".gz":
                headers = {"Content-Type": TYPES[file.with_suffix("").suffix], "Content-Encoding": "gzip"}
            self._send(file.read_bytes(), headers)
        else:
            site.missing.append(self.path)
            self.send_error(404)

    def _send(self, data: bytes, headers: Mapping[str, str]) -> None:
        self.send_response(200)
        for name, value in {**headers, "Content-Length": str(len(data))}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        """Say nothing."""


@contextmanager
def serve(folder: Path, *, encoded: bool = False) -> Iterator[Site]:
    """Serve a folder, which may still be empty, on a free port of the loopback."""
    with _Server(("127.0.0.1", 0), _Handler) as server:
        server.site = Site(folder, encoded, f"http://127.0.0.1:{server.server_port}/")
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
        thread.start()
        try:
            yield server.site
        finally:
            server.shutdown()
            thread.join()


@dataclass(frozen=True)
class Found:
    """What a reader says of one page.

    ``lastmod`` is an instant, a day its midnight in UTC. ``alternates`` are (hreflang, href),
    without the hreflang where the reader drops it.
    """

    lastmod: datetime | None = None
    alternates: frozenset[tuple[str, str]] = frozenset()


def instant(value: object) -> datetime | None:
    """Return a reader's date, be it text or one of the several classes, as an instant."""
    if not value or value != value:  # noqa: PLR0124 - pandas' missing values differ from themselves
        return None
    moment = value if isinstance(value, datetime) else datetime.fromisoformat(str(value))
    return moment.astimezone(UTC) if moment.tzinfo else moment.replace(tzinfo=UTC)


def collect(pages: Iterable[tuple[str, Found]]) -> dict[str, Found]:
    """Return pages by URL; one that a reader tells twice is an error."""
    found: dict[str, Found] = {}
    for url, page in pages:
        assert url not in found
        found[url] = page
    return found


def read_with_usp(robots_url: str) -> dict[str, Found]:
    """Read with ultimate-sitemap-parser (1.8.1), which also reads text and feeds."""
    tree = pytest.importorskip("usp.tree")
    client = pytest.importorskip("usp.web_client.requests_client").RequestsWebClient
    with pytest.importorskip("requests").Session() as session:
        root = tree.sitemap_tree_for_homepage(
            robots_url.removesuffix("robots.txt"), client(session=session), use_known_paths=False
        )
    return collect((page.url, _usp_page(page)) for page in root.all_pages())


def _usp_page(page: Any) -> Found:
    # a feed's date is that of a "news story"
    date = page.news_story.publish_date if page.news_story else page.last_modified
    return Found(instant(date), frozenset(page.alternates or ()))


def read_with_scrapy(robots_url: str) -> dict[str, Found]:
    """Crawl with Scrapy's SitemapSpider (2.19.0): a page is found where its response came back.

    It reads XML only, and of an alternate keeps the address without its hreflang.
    """
    pytest.importorskip("scrapy")
    done = run_module(
        __name__,
        robots_url,
        cwd=Path(__file__).resolve().parents[2],
        development=False,  # asyncio's debugging makes a crawl five times as slow
    )
    assert done.returncode == 0, done.stderr
    return collect(
        (url, Found(instant(lastmod), frozenset(("", href) for href in alternates)))
        for url, lastmod, alternates in json.loads(done.stdout)
    )


def crawl(robots_url: str) -> list[tuple[str, str | None, list[str]]]:
    """Return (URL, lastmod, alternates) of each page that Scrapy fetched; once a process."""
    crawler: Any = importlib.import_module("scrapy.crawler")
    spiders: Any = importlib.import_module("scrapy.spiders")
    entries: dict[str, dict[str, Any]] = {}
    fetched: list[str] = []

    class Spider(spiders.SitemapSpider):  # type: ignore[misc]
        name = "consumer"
        sitemap_urls = (robots_url,)

        def sitemap_filter(self, found: Iterable[dict[str, Any]]) -> Iterator[dict[str, Any]]:
            for entry in found:
                # every reader lists a URL once, however often the file has it: here it can be seen
                if entry["loc"] in entries:
                    raise ValueError(f"twice in the sitemap: {entry['loc']}")
                entries[entry["loc"]] = entry
                yield entry

        def parse(self, response: Any) -> None:
            fetched.append(response.url)

    process = crawler.CrawlerProcess(
        {
            "ROBOTSTXT_OBEY": True,
            "DOWNLOAD_DELAY": 0,
            "CONCURRENT_REQUESTS_PER_DOMAIN": 32,
            "COOKIES_ENABLED": False,  # they need a list from the net
            "TELNETCONSOLE_ENABLED": False,
            "LOG_LEVEL": "WARNING",
        }
    )
    process.crawl(Spider)
    process.start()
    known = [(url, entries.get(url, {})) for url in fetched]
    return [(url, entry.get("lastmod"), entry.get("alternate", [])) for url, entry in known]


def read_with_feedparser(robots_url: str) -> dict[str, Found]:
    """Read with feedparser (6.0.14) the feeds that robots.txt names."""
    feedparser = pytest.importorskip("feedparser")
    pages: list[tuple[str, Found]] = []
    for name in sitemaps_by_robotparser(robots_url):
        feed = feedparser.parse(name)
        assert not feed.bozo, feed.bozo_exception
        pages += [(entry.link, Found(_feed_date(entry))) for entry in feed.entries]
    return collect(pages)


def _feed_date(entry: Any) -> datetime | None:
    # not entry.get: where there is no "updated" (RSS), that warns and gives "published"
    parsed = dict.get(entry, "updated_parsed") or dict.get(entry, "published_parsed")
    return datetime.fromtimestamp(calendar.timegm(parsed), UTC) if parsed else None


def sitemaps_by_robotparser(robots_url: str) -> list[str]:
    """Return the sitemaps that the standard library's parser reads in a robots.txt.

    It decodes them, as if they were paths of rules (seen in Python 3.11).
    """
    parser = urllib.robotparser.RobotFileParser(robots_url)
    parser.read()
    return parser.site_maps() or []


@dataclass(frozen=True)
class Reader:
    """``reads`` are the kinds of sitemap that it understands."""

    read: Callable[[str], dict[str, Found]]
    reads: tuple[str, ...]
    knows_alternates: bool = False
    knows_hreflang: bool = False


READERS = {
    "usp": Reader(read_with_usp, ("xml", "txt", "atom", "rss"), knows_alternates=True, knows_hreflang=True),
    "scrapy": Reader(read_with_scrapy, ("xml",), knows_alternates=True),
    "feedparser": Reader(read_with_feedparser, ("atom", "rss")),
}
if __name__ == "__main__":
    print(json.dumps(crawl(sys.argv[1])))
