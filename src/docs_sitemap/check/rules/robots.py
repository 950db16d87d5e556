"""R: robots.txt (RFC 9309)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from docs_sitemap.check import address
from docs_sitemap.check.finding import Found
from docs_sitemap.check.registry import RULES
from docs_sitemap.check.robotstxt import NAME, Record, RobotsText
from docs_sitemap.check.rules.gathering import FEW
from docs_sitemap.check.site import Site
from docs_sitemap.files import robots
from docs_sitemap.limits import MAX_ROBOTS

_KNOWN: Final = frozenset(
    {
        "user-agent",
        "disallow",
        "allow",
        "sitemap",
        "crawl-delay",
        "clean-param",
        "host",
        "request-rate",
        "visit-time",
        "noindex",
        "content-signal",
    }
)
"""The keys that Lighthouse's audit accepts."""

_IN_GROUPS: Final = ("allow", "disallow")


@RULES.add(
    "R1",
    "warning",
    "robots.txt names no sitemap",
    """A line Sitemap: with the absolute URL of each sitemap is how crawlers find them, now that pings are
    gone. A relative one, and one whose file is not in the build, is an error. Where the site lies below the
    root of its host, only the host's own robots.txt counts, which is not in the build: then a missing file is
    only a reminder.""",
)
def names_no_sitemap(site: Site) -> Iterator[Found]:
    """Find a robots.txt that leads crawlers to no sitemap."""
    if not site.sitemaps.all:
        return  # F0 says it
    wanted = (site.base or site.listed_base) + site.sitemaps.all[0].name
    if site.robots is None:
        text = "there is no robots.txt: crawlers are told of no sitemap"
        if site.at_root:
            yield Found(f"{text}; it should say Sitemap: {wanted}", file=NAME)
        else:
            text = f"the robots.txt at the root of the host must say Sitemap: {wanted}"
            yield Found(text, file=NAME, level="info")
    elif not site.robots.sitemaps:
        yield Found(f"has no Sitemap line; it should say Sitemap: {wanted}", file=NAME)
    else:
        for record in site.robots.sitemaps:
            yield from _doubts(site, record)


def _doubts(site: Site, record: Record) -> Iterator[Found]:
    """Yield what is wrong with one ``Sitemap:`` line."""
    named = address.split(record.value)
    base = address.split(site.base)
    line = f"line {record.line}: "
    if not named:
        text = f"{line}Sitemap: {record.value} is no absolute URL"
        yield Found(text, file=NAME, level="error", line=record.line)
    elif base and named.origin != base.origin:
        text = f"{line}the sitemap is on {named.origin}, and the site on {base.origin}"
        yield Found(text, record.value, NAME, line=record.line)
    elif base and record.value.startswith(site.base) and site.file_of(record.value) is None:
        text = f"{line}the sitemap is not in the build"
        yield Found(text, record.value, NAME, level="error", line=record.line)


@RULES.add(
    "R2",
    "warning",
    "robots.txt not at the root",
    """Crawlers read robots.txt only at the root of a host; one below a path is never read (RFC 9309, 2.3).
    Put its lines into the file at the root. (Read the Docs serves that of the default version there.) Nothing
    is said where docs-sitemap has put its line into the file: the build has said it then.""",
)
def not_at_root(site: Site) -> Iterator[Found]:
    """Find a robots.txt that nobody will read."""
    if site.robots is not None and not site.at_root and not robots.named_by_us(site.robots.data):
        yield Found(f"will be {site.base}{NAME}, where no crawler looks", file=NAME)


@RULES.add(
    "R3",
    "warning",
    "robots.txt not well written",
    """At least 500 KiB of the file are read, and Google reads no more; lines are key: value, and the rules of
    a group follow its User-agent. A byte order mark can cost the first line, and an unknown key fails the
    audit of Lighthouse. Disallow: / for all crawlers is an error: it takes the whole site out of the
    search.""",
)
def badly_written(site: Site) -> Iterator[Found]:
    """Find what crawlers misread."""
    text = site.robots
    if text is None:
        return
    if len(text.data) > MAX_ROBOTS:
        yield Found(f"has more than {MAX_ROBOTS:,} bytes: the rest is not read", file=NAME, level="error")
    if text.has_bom:
        yield Found("begins with a byte order mark", file=NAME)
    if lines := text.lines_without_colon:
        where = ", ".join(map(str, lines[:FEW])) + (" and more" if len(lines) > FEW else "")
        yield Found(f"no colon in line {where}", file=NAME, line=lines[0])
    yield from _unknown_keys(text)
    yield from _before_groups(text)
    if record := text.forbids_all:
        message = f"line {record.line}: Disallow: {record.value} keeps all crawlers out of the whole site"
        yield Found(message, file=NAME, level="error", line=record.line)


def _unknown_keys(text: RobotsText) -> Iterator[Found]:
    told: set[str] = set()
    for record in text.records:
        if record.key not in _KNOWN and record.key not in told:
            told.add(record.key)
            yield Found(f"line {record.line}: unknown key {record.key!r}", file=NAME, line=record.line)


def _before_groups(text: RobotsText) -> Iterator[Found]:
    for record in text.records:
        if record.key == "user-agent":
            return
        if record.key in _IN_GROUPS:
            message = f"line {record.line}: {record.key} before any User-agent: it counts for nobody"
            yield Found(message, file=NAME, line=record.line)
            return


@RULES.add(
    "R4",
    "error",
    "robots.txt forbids the sitemap",
    """The rules forbid crawlers to fetch the sitemap itself, so that nothing in it is read.""",
)
def forbids_sitemap(site: Site) -> Iterator[Found]:
    """Find sitemaps that crawlers may not fetch."""
    if site.robots is None or site.robots.forbids_all:
        return
    names = [document.name for document in site.sitemaps.all]
    urls = [(site.base or site.listed_base) + name for name in names]
    for name, url in zip(names, urls[: site.robots.tried(urls)], strict=False):
        if address.split(url) and (agent := site.robots.keeps_out(url)):
            yield Found(f"robots.txt forbids {agent} to fetch the sitemap", url, name)
