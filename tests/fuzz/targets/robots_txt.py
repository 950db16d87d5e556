"""robots.txt, as builds complete it and ``check`` reads it."""

from __future__ import annotations

from docs_sitemap.check.robotstxt import RobotsText
from docs_sitemap.files import robots

SEEDS = [
    b"User-agent: *\nAllow: /\n\nSitemap: https://a.org/sitemap.xml\n",
    b"# Written by docs-sitemap\nUser-agent: *\nAllow: /\n\nSitemap: https://a.org/sitemap.xml\n",
    b"User-agent: *\r\nDisallow: /a\r\n\r\n# Added by docs-sitemap\r\nSitemap: https://a.org/s.xml\r\n",
    b"User-agent: a\nUser-agent: Googlebot\nDisallow: /*b*.html$\nAllow: /%41\xc3\xa9\nCrawl-delay: 1\n",
    b"\xef\xbb\xbfuser agent *\nDissallow /a # b\nHost: a.org\nVisit-time: 0600-0845\n",
    b"\xff\xfeU\0s\0",
]


def read(data: bytes) -> None:
    """Complete a file twice, which is the same as once, and ask all that rules ask."""
    once = robots.complete(data, ["https://a.org/sitemap.xml"])
    assert robots.complete(once, ["https://a.org/sitemap.xml"]) == once
    robots.named(data)
    found = RobotsText(data)
    assert found.has_bom in (True, False)
    asked = ["https://a.org/", "https://a.org/a/b.html?c=d", "https://a.org/" + "ab/" * 300]
    for url in asked[: found.tried(asked)]:
        found.keeps_out(url)
    assert (found.sitemaps, found.lines_without_colon, found.forbids_all) is not None
