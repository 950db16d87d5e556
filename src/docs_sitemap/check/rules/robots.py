"""R: robots.txt (RFC 9309)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from docs_sitemap.check import address
from docs_sitemap.check.findings import FEW, RULES, Found, Level
from docs_sitemap.check.served import NAME, Record, RobotsText
from docs_sitemap.check.site import Site
from docs_sitemap.files import robots
from docs_sitemap.limits import MAX_LOC, MAX_ROBOTS

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

_SERVICES_NAME: Final = "sitemap.xml"
"""The sitemap that a service's own robots.txt names; see ``Hosting.own_robots``."""

_IN_GROUPS: Final = ("allow", "disallow")


@RULES.add(
    "R1",
    "warning",
    "No sitemap in robots.txt",
    """Now that pings are gone, crawlers find sitemaps by Sitemap: lines with absolute URLs. A relative URL,
    or a file that is not in the build, is an error. If the site is not at the root of its host, only the
    host's robots.txt counts, which is not in the build: then a missing file is only a reminder. Read the Docs
    has a robots.txt of its own, which names /sitemap.xml.""",
)
def names_no_sitemap(site: Site) -> Iterator[Found]:
    """Find a robots.txt that does not lead crawlers to a sitemap."""
    if not site.sitemaps.all:
        return  # F0 reports this
    wanted = (site.base or site.listed_base) + site.sitemaps.all[0].name
    if site.robots is None and site.hosting.own_robots and site.hosting.at_root:
        if site.sitemaps.roots[0].name != _SERVICES_NAME:
            text = f"the robots.txt of {site.hosting.own_robots} names /{_SERVICES_NAME}, not {wanted}"
            yield Found(f"{text}: add a robots.txt that contains: Sitemap: {wanted}", file=NAME)
        return
    if site.robots is None:
        text = "no robots.txt, so crawlers do not find the sitemap"
        if site.at_root:
            yield Found(f"{text}; it should contain: Sitemap: {wanted}", file=NAME)
        else:
            text = f"the robots.txt at the root of the host must contain: Sitemap: {wanted}"
            yield Found(text, file=NAME, level="info")
    elif not site.robots.sitemaps:
        yield Found(f"has no Sitemap line; it should contain: Sitemap: {wanted}", file=NAME)
    else:
        for record in site.robots.sitemaps:
            yield from _sitemap_problems(site, record)


def _sitemap_problems(site: Site, record: Record) -> Iterator[Found]:
    """Yield the problems of a ``Sitemap:`` line."""
    named = address.split(record.value)
    base = address.split(site.base)
    line = f"line {record.line}: "
    if not named or len(record.value) > MAX_LOC:
        text = (
            f"{line}Sitemap: {record.value} is not an absolute URL of fewer than {MAX_LOC + 1:,} characters"
        )
        yield Found(text, file=NAME, level="error", line=record.line)
    elif base and named.origin != base.origin:
        text = f"{line}the sitemap is on {named.origin}, but the site is on {base.origin}"
        yield Found(text, record.value, NAME, line=record.line)
    elif base and record.value.startswith(site.base) and site.file_of(record.value) is None:
        text = f"{line}the sitemap is not in the build"
        yield Found(text, record.value, NAME, level="error", line=record.line)


@RULES.add(
    "R2",
    "warning",
    "robots.txt not at the root",
    """Crawlers read robots.txt only at the root of a host, never below a path (RFC 9309, 2.3). Put its lines
    in the file at the root. On Read the Docs this finds nothing, because it serves the file of the default
    version there. A file that contains the line by docs-sitemap is not reported, because the build has
    reported it.""",
)
def not_at_root(site: Site) -> Iterator[Found]:
    """Find a robots.txt that no crawler reads."""
    at_root = site.at_root or site.hosting.at_root
    if site.robots is not None and not at_root and not robots.named_by_us(site.robots.data):
        yield Found(f"will be at {site.base}{NAME}, where no crawler reads it", file=NAME)


@RULES.add(
    "R3",
    "warning",
    "Malformed robots.txt",
    """Crawlers read at least 500 KiB of the file, and Google reads no more. Lines are key: value, and the
    rules of a group follow its User-agent. A byte order mark can make crawlers ignore the first line, and an
    unknown key fails Lighthouse's audit. Disallow: / for all crawlers is an error: it removes the whole site
    from search. In a preview, this is only a note.""",
)
def malformed(site: Site) -> Iterator[Found]:
    """Find lines that crawlers misread."""
    text = site.robots
    if text is None:
        return
    if len(text.data) > MAX_ROBOTS:
        yield Found(f"has more than {MAX_ROBOTS:,} bytes: the rest is not read", file=NAME, level="error")
    if text.has_bom:
        yield Found("starts with a byte order mark", file=NAME)
    if lines := text.lines_without_colon:
        where = ", ".join(map(str, lines[:FEW])) + (" and more" if len(lines) > FEW else "")
        yield Found(f"no colon in line {where}", file=NAME, line=lines[0])
    yield from _unknown_keys(text)
    yield from _before_groups(text)
    if record := text.forbids_all:
        message = f"line {record.line}: Disallow: {record.value} blocks the whole site for all crawlers"
        if site.hosting.preview:
            message += f"; this is a preview ({site.hosting.preview})"
        level: Level = "info" if site.hosting.preview else "error"
        yield Found(message, file=NAME, level=level, line=record.line)


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
            message = f"line {record.line}: {record.key} before the first User-agent has no effect"
            yield Found(message, file=NAME, line=record.line)
            return


@RULES.add(
    "R4",
    "error",
    "Sitemap blocked by robots.txt",
    """The rules block crawlers from fetching the sitemap itself, so none of it is read. On Read the Docs, a
    robots.txt counts for all versions: one that blocks the whole version is a warning, because the version
    may be hidden on purpose, and U8 is silent.""",
)
def forbids_sitemap(site: Site) -> Iterator[Found]:
    """Find sitemaps that crawlers must not fetch."""
    if site.robots is None or site.robots.forbids_all:
        return
    if site.hidden_from:
        text = f"robots.txt blocks {site.hidden_from} from this whole version ({site.base})"
        yield Found(f"{text}: right if it is to be hidden", file=NAME, level="warning")
        return
    names = [document.name for document in site.sitemaps.all]
    urls = [(site.base or site.listed_base) + name for name in names]
    for name, url in zip(names, urls, strict=True):
        if address.split(url) and (agent := site.robots.blocked_agent(url)):
            yield Found(f"robots.txt blocks {agent} from fetching the sitemap", url, name)
