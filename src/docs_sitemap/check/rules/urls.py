"""U: each listed URL, and the page that it leads to."""

from __future__ import annotations

import re
from collections.abc import Iterator

from docs_sitemap.check import address
from docs_sitemap.check.finding import Found
from docs_sitemap.check.registry import RULES
from docs_sitemap.check.robotstxt import NAME as ROBOTS
from docs_sitemap.check.rules.gathering import FEW, gather
from docs_sitemap.check.rules.places import in_index, in_sitemap, on_page
from docs_sitemap.check.site import Listed, Site
from docs_sitemap.limits import MAX_LOC


def _elsewhere(site: Site, listed: Listed) -> str:
    """Return the origin of a URL that is on another host than the site, or ``""``."""
    if site.base and listed.loc.startswith(site.base):
        return ""
    found, base = address.split(listed.loc), address.split(site.base)
    return found.origin if found and base and found.origin != base.origin else ""


@RULES.add(
    "U1",
    "error",
    "URL out of place",
    """A sitemap may list only URLs of its own scheme, host and port, in its own folder or below
    (sitemaps.org, location). Engines ignore the others. Where all URLs are concerned, the base URL of the
    build is wrong: the site's own is that of --base-url, or of the home page's canonical link.""",
)
def out_of_place(site: Site) -> Iterator[Found]:
    """Find URLs on another host, or above the folder of their sitemap."""

    def each() -> Iterator[tuple[str | None, Found]]:
        home = address.split(site.base)
        if not home:
            return
        for listed in site.listed:
            if origin := _elsewhere(site, listed):
                yield origin, in_sitemap(listed, f"is on {origin}, and the site on {home.origin}")
            elif listed.loc.startswith(home.origin):
                folder = home.path + listed.document.name.rpartition("/")[0]
                folder = folder if folder.endswith("/") else folder + "/"
                if not listed.loc.startswith(home.origin + folder):
                    message = f"lies above {folder}, the folder of its sitemap"
                    yield folder, in_sitemap(listed, message)
        for child in site.sitemaps.children:
            found = address.split(child.entry.loc)
            if found and found.origin != home.origin:
                message = f"the index names a sitemap on {found.origin}, and the site is on {home.origin}"
                yield found.origin, in_index(child, message)

    def together(cause: str, findings: list[Found]) -> Found:
        where = f"above {cause}, its folder" if cause.startswith("/") else f"on {cause}"
        message = (
            f"{len(findings):,} URLs are {where}, and the site is {site.base}: its base URL is set wrong"
        )
        return Found(f"{message}, or is not the one given", None, findings[0].file)

    yield from gather(each(), together)


@RULES.add(
    "U2",
    "error",
    "URL not well written",
    """A loc is an absolute http or https address of fewer than 2,048 characters, percent-encoded by RFC 3986
    (non-ASCII hosts in punycode), and without a fragment, which no server ever sees.""",
)
def badly_written(site: Site) -> Iterator[Found]:
    """Find what is no address, or not as it must be written."""

    def each() -> Iterator[tuple[str | None, Found]]:
        for listed in site.listed:
            if message := _fault(listed.loc):
                yield message, in_sitemap(listed, message)
        for child in site.sitemaps.children:
            if message := _fault(child.entry.loc):
                yield message, in_index(child, message)
        for copy in site.sitemaps.copies:
            for entry in copy.entries if copy.kind == "text" else ():
                if message := _fault(entry.loc):
                    yield message, Found(message, entry.loc, copy.name, line=entry.line)

    def together(cause: str, findings: list[Found]) -> Found:
        return Found(f"{len(findings):,} URLs, as {findings[0].url}: {cause}", None, findings[0].file)

    # an address that is not encoded is one page's matter, one that is relative the whole site's
    yield from gather(
        ((cause if "absolute" in (cause or "") else None, it) for cause, it in each()), together
    )


# what most addresses look like; all others are taken apart
_PLAIN = re.compile(r"https?://[a-z0-9][a-z0-9.-]*(:[0-9]{1,4})?/[A-Za-z0-9\-._~/!$&'()*+,;=:@]*", re.ASCII)


def _fault(loc: str) -> str:
    if len(loc) <= MAX_LOC and _PLAIN.fullmatch(loc):
        return ""
    if not address.split(loc):
        return "is no absolute http or https address"
    if len(loc) > MAX_LOC:
        return f"has {len(loc):,} characters; fewer than {MAX_LOC + 1:,} are allowed"
    if not address.is_encoded(loc):
        return "is not percent-encoded"
    return "has a fragment" if "#" in loc else ""


@RULES.add(
    "U3",
    "warning",
    "Listed twice",
    """A URL stands once in a site's sitemaps: listed twice it may have two dates, and counts double in the
    reports of Search Console. Two addresses of one page, such as guide/ and guide/index.html, are the same
    mistake.""",
)
def listed_twice(site: Site) -> Iterator[Found]:
    """Find URLs that are listed more than once, and pages that are under two addresses."""

    def each() -> Iterator[tuple[tuple[str, str] | None, Found]]:
        first: dict[str, Listed] = {}
        by_file: dict[str, Listed] = {}
        told: set[str] = set()
        for listed in site.listed:
            before = first.setdefault(listed.loc, listed)
            other = before if before is not listed else _same_file(by_file, listed)
            if other is None or listed.loc in told:
                continue
            told.add(listed.loc)
            names = (other.document.name, listed.document.name)
            if names[0] != names[1]:
                yield names, in_sitemap(listed, f"is listed in {names[0]} too")
            elif before is not listed:
                count = f" in line {other.entry.line}" if other.entry.line else ""
                yield None, in_sitemap(listed, f"is listed before{count}")
            else:
                yield None, in_sitemap(listed, f"is the same page as {other.loc}, which is listed too")

    def together(cause: tuple[str, str], findings: list[Found]) -> Found:
        message = f"{len(findings):,} URLs are listed in {cause[0]} too, as {findings[0].url}"
        return Found(message, None, cause[1])

    yield from gather(each(), together)


def _same_file(by_file: dict[str, Listed], listed: Listed) -> Listed | None:
    if not listed.file or "?" in listed.loc:
        return None
    before = by_file.setdefault(listed.file, listed)
    return before if before is not listed and before.loc != listed.loc else None


@RULES.add(
    "U4",
    "error",
    "No file for a listed URL",
    """The build has no file that a static host would serve for this URL: it will be a 404, and engines stop
    trusting a sitemap that has many. Where no URL has a file, the folder or the base URL is not the right
    one.""",
)
def no_file(site: Site) -> Iterator[Found]:
    """Find URLs that lead to nothing."""
    below = [listed for listed in site.listed if site.below(listed.loc) is not None]
    missing = [listed for listed in below if listed.file is None]
    if len(missing) > FEW and len(missing) == len(below):
        message = f"none of the {len(below):,} URLs has a file in this folder, as {missing[0].loc}"
        yield Found(f"{message}: is it the folder of {site.base}?", None, missing[0].document.name)
        return
    for listed in missing:
        yield in_sitemap(listed, "leads to no file in the build")


@RULES.add(
    "U5",
    "warning",
    "Redirect listed",
    """The page only leads elsewhere, by a meta refresh in its head or, where it is short, in its body. A
    sitemap lists the addresses at which content is; Search Console reports the others as "page with
    redirect".""",
    reads="pages",
)
def redirect(site: Site) -> Iterator[Found]:
    """Find redirect stubs."""
    for listed in site.listed:
        if listed.facts and listed.facts.refresh:
            yield on_page(listed, "is a redirect: a meta refresh leads elsewhere")


@RULES.add(
    "U6",
    "error",
    "noindex page listed",
    """The page asks not to be indexed (meta robots noindex or none), and the sitemap asks to index it. Take
    out one of the two.""",
    reads="pages",
)
def noindex(site: Site) -> Iterator[Found]:
    """Find pages that do not want to be indexed."""
    for listed in site.listed:
        if listed.facts and listed.facts.noindex and not listed.facts.refresh:
            yield on_page(listed, "the page says noindex")


def foreign_canonical(site: Site, listed: Listed) -> str:
    """Return the canonical address of a listed page where it is another one than the listed, else ``""``."""
    facts = listed.facts
    if not facts or facts.noindex or facts.refresh or facts.canonical in (None, "", listed.loc):
        return ""
    canonical = address.join(listed.loc, facts.canonical or "")
    return "" if address.same(canonical, listed.loc) else canonical


def listed_below(cause: tuple[str, str], count: int) -> str:
    """Say that many pages are listed below one address and have their canonical links below another."""
    ours, theirs = cause
    return f"{count:,} pages are listed below {ours}, and their canonical links are below {theirs}"


@RULES.add(
    "U7",
    "error",
    "Canonical is another URL",
    """The page's own canonical link names another address than the sitemap does. Engines index the canonical
    one and report the listed one as an "alternate page". Where all pages are concerned, the generator and the
    sitemap have different base URLs.""",
    reads="pages",
)
def other_canonical(site: Site) -> Iterator[Found]:
    """Find pages that are listed under another address than their own; versions are C4's business."""

    def each() -> Iterator[tuple[tuple[str, str] | None, Found]]:
        for listed in site.listed:
            canonical = foreign_canonical(site, listed)
            if not canonical or address.other_version(listed.loc, canonical):
                continue
            if _elsewhere(site, listed) and address.split(canonical) and canonical.startswith(site.base):
                continue  # U1 has said that the sitemap is on another host
            is_index = address.same_but_index(canonical, listed.loc)
            message = f"the page's canonical link is {canonical}"
            finding = on_page(listed, message, "warning" if is_index else None)
            yield (None if is_index else address.difference(listed.loc, canonical)), finding

    def together(cause: tuple[str, str], findings: list[Found]) -> Found:
        message = listed_below(cause, len(findings))
        return Found(f"{message}, as that of {findings[0].url}", None, findings[0].file)

    yield from gather(each(), together)


@RULES.add(
    "U8",
    "error",
    "Blocked by robots.txt",
    """The site's own robots.txt forbids crawlers (all, Googlebot or bingbot) to fetch this URL, so that it is
    never read. Search Console reports it as "blocked by robots.txt". For rules that forbid everything see
    R3. Where rules and URLs are so many that it would take minutes to try them all, an info says how many
    URLs were not tried.""",
)
def blocked(site: Site) -> Iterator[Found]:
    """Find URLs that crawlers may not fetch."""
    if site.robots is None or site.robots.forbids_all:
        return
    short = [listed for listed in site.listed if len(listed.loc) <= MAX_LOC]  # U2 says of the others
    tried = site.robots.tried([listed.loc for listed in short])
    for listed in short[:tried]:
        if agent := site.robots.keeps_out(listed.loc):
            yield in_sitemap(listed, f"robots.txt forbids {agent} to fetch it")
    if left := len(short) - tried:
        yield Found(f"has so many rules that {left:,} URLs were not tried on them", file=ROBOTS, level="info")
