"""L: lastmod, which engines use only where it is consistently and verifiably accurate."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Final

from docs_sitemap.check.discovery import Child
from docs_sitemap.check.document import Document
from docs_sitemap.check.finding import Found
from docs_sitemap.check.registry import RULES
from docs_sitemap.check.rules.gathering import gather
from docs_sitemap.check.rules.places import in_index, in_sitemap
from docs_sitemap.check.site import Listed, Site
from docs_sitemap.timestamps import instant

_ENOUGH: Final = 3
"""Dates of which one may say that they are all the same."""

_DAY: Final = re.compile(r"\d{4}-\d\d-\d\d", re.ASCII)
_TIME: Final = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)", re.ASCII)
_SHORT: Final = re.compile(r"\d{4}(-\d\d)?|\d{4}-\d\d-\d\dT\d\d:\d\d(Z|[+-]\d\d:\d\d)", re.ASCII)
_NO_ZONE: Final = re.compile(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d+)?)?", re.ASCII)
_FURTHEST: Final = timedelta(hours=14)
"""How far ahead of UTC a day begins somewhere."""


def _moment(lastmod: str) -> datetime | None:
    """Return what a date of the schema's two forms means, or ``None`` for any other text."""
    return instant(lastmod) if _DAY.fullmatch(lastmod) or _TIME.fullmatch(lastmod) else None


def _dated(site: Site) -> list[Listed]:
    return [listed for listed in site.listed if listed.entry.lastmod]


@RULES.add(
    "L1",
    "error",
    "lastmod in the future",
    """No page changes tomorrow. Engines that see it ignore all dates of the site. Build machines with a wrong
    clock, and day and month in the wrong order, are the usual causes.""",
)
def in_the_future(site: Site) -> Iterator[Found]:
    """Find dates after now; a day counts from its first beginning anywhere on earth."""
    now = datetime.fromtimestamp(site.now, UTC)

    def each() -> Iterator[tuple[str, Found]]:
        for listed in _dated(site):
            lastmod = listed.entry.lastmod or ""
            moment = _moment(lastmod)
            slack = _FURTHEST if _DAY.fullmatch(lastmod) else timedelta(minutes=1)
            if moment and moment > now + slack:
                message = f"lastmod {lastmod} is in the future"
                yield lastmod, in_sitemap(listed, message)

    def together(cause: str, findings: list[Found]) -> Found:
        return Found(f"{len(findings):,} lastmods are {cause}, in the future", None, findings[0].file)

    yield from gather(each(), together)


@RULES.add(
    "L2",
    "warning",
    "lastmod is the build's",
    """All dates are the same, or each is that of the page's file: they tell when the site was built and not
    when a page changed. Bing names this as the main error in sitemaps, and Google ignores such dates. Take
    them from git, or leave them out. In a sitemap of docs-sitemap they are git's, where one commit may have
    made all pages: nothing is said, unless --select L2 asks for it.""",
)
def all_the_same(site: Site) -> Iterator[Found]:
    """Find dates that say nothing of their pages."""
    dated = _dated(site)
    if len(dated) < _ENOUGH:
        return
    file = dated[0].document.name
    values = {listed.entry.lastmod for listed in dated}
    if len(values) == 1:
        if site.signed and "L2" not in site.asked:
            return  # one commit made all pages
        yield Found(f"all {len(dated):,} lastmods are {values.pop()}", file=file)
    elif all(_is_files(site, listed) for listed in dated):
        yield Found(f"all {len(dated):,} lastmods are the times at which the files were written", file=file)


def _is_files(site: Site, listed: Listed) -> bool:
    lastmod = listed.entry.lastmod or ""
    moment = instant(lastmod) if _TIME.fullmatch(lastmod) else None
    written = site.tree.modified(listed.file) if moment and listed.file else None
    return written is not None and moment is not None and abs(moment.timestamp() - written) <= 2


def _fault(lastmod: str) -> str:
    """Return what is wrong with a date's form; empty for one of the schema's two."""
    if _DAY.fullmatch(lastmod) or _TIME.fullmatch(lastmod):
        return "" if instant(lastmod) else "is no date of the calendar"
    if _SHORT.fullmatch(lastmod):
        return "is W3C Datetime, but fails the schema, which wants a day, or a time with seconds"
    return "has no time zone" if _NO_ZONE.fullmatch(lastmod) else "is not written as W3C Datetime"


@RULES.add(
    "L3",
    "warning",
    "lastmod in a bad form",
    """A lastmod is written 2026-08-20 or 2026-08-20T10:11:12+00:00: all alike, with a zone, and on all URLs.
    Other forms are dropped or misread; mixed forms and gaps show that the dates come from several places, of
    which some may not be true. In a sitemap of docs-sitemap a date is missing only where nobody knows it, and
    a date written by hand stands as it was written: neither is reported, unless --select L3 asks for it.""",
)
def bad_form(site: Site) -> Iterator[Found]:
    """Find dates in forms that readers do not take, and sitemaps that are not of one piece."""

    def each() -> Iterator[tuple[str, Found]]:
        for listed in _dated(site):
            lastmod = listed.entry.lastmod or ""
            if fault := _fault(lastmod):
                message = f"lastmod {lastmod!r} {fault}"
                yield fault, in_sitemap(listed, message)

    def together(cause: str, findings: list[Found]) -> Found:
        return Found(f"{len(findings):,} times: {findings[0].message}", None, findings[0].file)

    yield from gather(each(), together)
    for child in site.sitemaps.children:
        if child.entry.lastmod and (fault := _fault(child.entry.lastmod)):
            message = f"lastmod {child.entry.lastmod!r} {fault}"
            yield in_index(child, message)
    yield from _uneven(site)


def _uneven(site: Site) -> Iterator[Found]:
    theirs = [listed for listed in site.listed if listed.document.kind == "urlset"]
    dates = [listed.entry.lastmod for listed in theirs if listed.entry.lastmod]
    if not dates or (site.signed and "L3" not in site.asked):
        return
    file = theirs[0].document.name
    missing = [listed for listed in theirs if listed.entry.lastmod is None]
    if missing and not site.shallow:  # then L4 says it
        example = f", as {missing[0].loc}"
        yield Found(f"{len(missing):,} of {len(theirs):,} URLs have no lastmod{example}", file=file)
    days = sum(bool(_DAY.fullmatch(date)) for date in dates)
    times = sum(bool(_TIME.fullmatch(date)) for date in dates)
    if days and times:
        yield Found(f"{days:,} lastmods are days, and {times:,} have a time", file=file)


@RULES.add(
    "L4",
    "warning",
    "Dates lost in a shallow clone",
    """In a shallow clone git knows no commit beyond the boundary: tools that ask it then give the boundary's
    date to all older pages, and careful ones give none. It is certain where the site lies in such a clone;
    otherwise the sign is that nearly all URLs have one and the same date, to the second, and it is the
    oldest. The cure is to fetch the whole history (GitHub Actions: fetch-depth: 0) before the build.""",
)
def shallow_clone(site: Site) -> Iterator[Found]:
    """Find dates that a shallow clone has made, or has made impossible."""
    urls = [listed for listed in site.listed if listed.document.kind == "urlset"]
    dated = [(moment, listed) for listed in urls if (moment := _moment(listed.entry.lastmod or ""))]
    if not urls or site.shallow is False:
        return
    oldest = min((moment for moment, _ in dated), default=None)
    alike = sum(moment == oldest for moment, _ in dated)
    file = urls[0].document.name
    cure = "fetch the whole history before the build"
    if site.shallow:
        if missing := len(urls) - len(dated):
            text = (
                f"the site was built in a shallow clone, and {missing:,} of {len(urls):,} URLs have no date"
            )
            yield Found(f"{text}: {cure}", file=file)
        elif len(dated) >= _ENOUGH and 2 * alike >= len(dated):
            text = (
                f"the site was built in a shallow clone, and {alike:,} of {len(dated):,} dates are its oldest"
            )
            yield Found(f"{text}: {cure}", file=file)
    elif oldest and len(dated) >= 10 and 3 * len(dated) <= 4 * alike < 4 * len(dated) and not site.signed:
        text = f"{alike:,} of {len(dated):,} dates are the oldest one, {oldest.isoformat()}"
        yield Found(f"{text}: if that is the boundary of a shallow clone, {cure}", file=file)


@RULES.add(
    "L5",
    "warning",
    "Index older than its part",
    """The lastmod of a sitemap in an index is when that file last changed: no earlier than the newest page in
    it. Engines that trust the index do not fetch the part, and miss the change.""",
)
def old_index(site: Site) -> Iterator[Found]:
    """Find index entries that are older than what they stand for."""
    # once a part: an index may name one of them 50,000 times
    newest_of = {document.name: _newest(document) for document in site.sitemaps.all}
    for child in site.sitemaps.children:
        newest = newest_of.get(child.name or "")
        if newest and _is_older(child, newest):
            text = f"lastmod {child.entry.lastmod} is older than the newest in {child.name}, {newest}"
            yield in_index(child, text)


def _newest(document: Document) -> str:
    dated = [(_moment(entry.lastmod or ""), entry.lastmod or "") for entry in document.entries]
    return max(((moment, text) for moment, text in dated if moment), default=(None, ""))[1]


def _is_older(child: Child, newest: str) -> bool:
    return bool(child.entry.lastmod) and _before(child.entry.lastmod or "", newest)


def _before(one: str, other: str) -> bool:
    """Tell whether a date is before another; where one is a day, by their days in UTC."""
    first, second = _moment(one), _moment(other)
    if not first or not second:
        return False
    if _DAY.fullmatch(one) or _DAY.fullmatch(other):
        return first.date() < second.date()
    return first < second


@RULES.add(
    "L6",
    "info",
    "lastmod went back",
    """The URL had a later lastmod in the older sitemap that --previous names. Pages do not become older: one
    of the two was wrong, or the history was rewritten.""",
)
def went_back(site: Site) -> Iterator[Found]:
    """Find dates that are earlier than they were."""
    for listed in _dated(site):
        before, now = site.previous.get(listed.loc), listed.entry.lastmod or ""
        if before and _before(now, before):
            message = f"lastmod was {before} and is {now}"
            yield in_sitemap(listed, message)
