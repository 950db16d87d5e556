"""L: lastmod, which engines use only if it is consistently and verifiably accurate."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Final

from docs_sitemap.check.built_site import Listed, Site
from docs_sitemap.check.findings import RULES, Found, in_index, texts
from docs_sitemap.sitemaps import Document
from docs_sitemap.text import show_value
from docs_sitemap.timestamps import EARLIEST, WEB, instant

_ENOUGH: Final = 3
"""The fewest dates for which being all the same is reported."""

_DAY: Final = re.compile(r"\d{4}-\d\d-\d\d", re.ASCII)
_TIME: Final = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)", re.ASCII)
_SHORT: Final = re.compile(r"\d{4}(-\d\d)?|\d{4}-\d\d-\d\dT\d\d:\d\d(Z|[+-]\d\d:\d\d)", re.ASCII)
_NO_ZONE: Final = re.compile(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d+)?)?", re.ASCII)


def _moment(lastmod: str) -> datetime | None:
    """Parse a date in one of the schema's two forms; return ``None`` for any other text."""
    return instant(lastmod) if _DAY.fullmatch(lastmod) or _TIME.fullmatch(lastmod) else None


def _dated(site: Site) -> list[Listed]:
    return [listed for listed in site.listed if listed.lastmod]


def _is_real(lastmod: str) -> bool:
    """Tell whether a date can be that of a page: L7 reports those before the Web."""
    moment = _moment(lastmod)
    return moment is None or moment >= WEB


@RULES.add("L1", "error", "lastmod in the future")
@texts(fix="Correct the date, or the clock of the machine that builds.")
@texts(together="{count:,} lastmods are {cause}, in the future")
def in_the_future(site: Site) -> Iterator[Found]:
    """A page cannot have changed tomorrow. Engines that see such a date ignore all dates of the site. Usual
    causes are a build machine with a wrong clock, and day and month in the wrong order.
    """
    now = datetime.fromtimestamp(site.now, UTC)
    for listed in _dated(site):
        moment = _moment(listed.lastmod)
        slack = EARLIEST if _DAY.fullmatch(listed.lastmod) else timedelta(minutes=1)
        if moment and moment > now + slack:
            yield listed.in_sitemap(f"lastmod {listed.lastmod} is in the future", cause=listed.lastmod)


@RULES.add(
    "L2",
    "warning",
    "lastmod is the build time",
    fix="Write the sitemap with docs-sitemap, which takes dates from git, or leave them out.",
)
def all_the_same(site: Site) -> Iterator[Found]:
    """All dates are the same, or each is the time of the page's file: they show when the site was built, not
    when a page changed. Bing calls this the main error in sitemaps, and Google ignores such dates. A sitemap
    by docs-sitemap has git's dates, and one commit may have created all pages, so nothing is reported for it
    unless --select L2 is given.
    """
    dated = [listed for listed in _dated(site) if _is_real(listed.lastmod)]
    if len(dated) < _ENOUGH:
        return
    file = dated[0].document.name
    values = {listed.lastmod for listed in dated}
    if len(values) == 1:
        if site.signed and "L2" not in site.asked:
            return  # one commit may have created all pages
        yield Found(f"all {len(dated):,} lastmods are {values.pop()}", file=file)
    elif all(_is_files(site, listed) for listed in dated):
        yield Found(f"all {len(dated):,} lastmods are the modification times of the built files", file=file)


def _is_files(site: Site, listed: Listed) -> bool:
    moment = instant(listed.lastmod) if _TIME.fullmatch(listed.lastmod) else None
    written = site.tree.modified(listed.file) if moment and listed.file else None
    return written is not None and moment is not None and abs(moment.timestamp() - written) <= 2


def _fault(lastmod: str) -> str:
    """Return what is wrong with a date's form; empty for the schema's two forms."""
    if _DAY.fullmatch(lastmod) or _TIME.fullmatch(lastmod):
        return "" if instant(lastmod) else "is not a valid date"
    if _SHORT.fullmatch(lastmod):
        return "is W3C Datetime, but not in the schema, which requires a day, or a time with seconds"
    return "has no time zone" if _NO_ZONE.fullmatch(lastmod) else "is not W3C Datetime"


@RULES.add("L3", "warning", "Invalid or inconsistent lastmods")
@texts(fix="Write it as 2026-08-20 or 2026-08-20T10:11:12+00:00.")
@texts(together="{count:,} times: {first.message}")
def bad_form(site: Site) -> Iterator[Found]:
    """A lastmod is either 2026-08-20 or 2026-08-20T10:11:12+00:00: in one form for the whole site, with a
    time zone, and on all URLs. Other forms are dropped or misread. Mixed forms and gaps show that the dates
    come from several sources, some of which may be wrong. In a sitemap by docs-sitemap, a date is missing
    only if it is unknown, and a date set by an author keeps its form: neither is reported unless --select L3
    is given.
    """
    for listed in _dated(site):
        if fault := _fault(listed.lastmod):
            yield listed.in_sitemap(f"lastmod {show_value(listed.lastmod)} {fault}", cause=fault)
    for child in site.sitemaps.children:
        if child.entry.lastmod and (fault := _fault(child.entry.lastmod)):
            yield in_index(child, f"lastmod {show_value(child.entry.lastmod)} {fault}")
    yield from _uneven(site)


def _uneven(site: Site) -> Iterator[Found]:
    theirs = [listed for listed in site.listed if listed.document.kind == "urlset"]
    dates = [listed.lastmod for listed in theirs if listed.lastmod]
    if not dates or (site.signed and "L3" not in site.asked):
        return
    file = theirs[0].document.name
    missing = [listed for listed in theirs if listed.entry.lastmod is None]
    if missing and not site.shallow:  # L4 reports this
        example = f", for example {missing[0].loc}"
        text = f"{len(missing):,} of {len(theirs):,} URLs have no lastmod{example}"
        yield Found(text, file=file, fix="Give each URL its date, or see why it has none.")
    days = sum(bool(_DAY.fullmatch(date)) for date in dates)
    times = sum(bool(_TIME.fullmatch(date)) for date in dates)
    if days and times:
        text = f"{days:,} lastmods are days, and {times:,} have a time"
        yield Found(text, file=file, fix="Use one form for the whole site.")


@RULES.add("L4", "warning", "Dates lost in a shallow clone")
@texts(fix="Fetch the whole history before the build (GitHub Actions: fetch-depth: 0).")
def shallow_clone(site: Site) -> Iterator[Found]:
    """In a shallow clone, git knows no commits beyond the boundary: most tools then give all older pages the
    date of the boundary, and careful ones give no date. This is certain if the site's folder is in a shallow
    clone; otherwise the sign is that nearly all URLs have the same date, to the second, and that it is the
    oldest.
    """
    urls = [listed for listed in site.listed if listed.document.kind == "urlset"]
    if not urls or site.shallow is False:
        return
    dates = [moment for listed in urls if (moment := _moment(listed.lastmod)) and moment >= WEB]
    oldest = min(dates, default=None)
    alike, count = sum(date == oldest for date in dates), len(dates)
    missing, text = sum(not _moment(listed.lastmod) for listed in urls), ""
    if site.shallow and missing:
        text = f"the site was built in a shallow clone, and {missing:,} of {len(urls):,} URLs have no date"
    elif site.shallow and count >= _ENOUGH and 2 * alike >= count:
        text = f"the site was built in a shallow clone, and {alike:,} of {count:,} dates are the oldest"
    elif (
        not site.shallow and oldest and count >= 10 and 3 * count <= 4 * alike < 4 * count and not site.signed
    ):
        text = f"{alike:,} of {count:,} dates are {oldest.isoformat()}, where a shallow clone may begin"
    if text:
        yield Found(text, file=urls[0].document.name)


@RULES.add("L5", "warning", "Index older than its part", fix="Write the index again, after its sitemaps.")
def old_index(site: Site) -> Iterator[Found]:
    """The lastmod of a sitemap in an index is when that file last changed: it cannot be earlier than the
    newest page in the file. Engines that trust the index do not fetch the file, and miss the change.
    """
    newest_of = {document.name: _newest(document) for document in site.sitemaps.all}
    for child in site.sitemaps.children:
        newest = newest_of.get(child.name or "")
        if newest and _before(child.entry.lastmod or "", newest):
            text = f"lastmod {child.entry.lastmod} is older than the newest page in {child.name}, {newest}"
            yield in_index(child, text)


def _newest(document: Document) -> str:
    dated = [(_moment(entry.lastmod or ""), entry.lastmod or "") for entry in document.entries]
    return max(((moment, text) for moment, text in dated if moment), default=(None, ""))[1]


def _before(one: str, other: str) -> bool:
    """Tell whether a date is before another; if either is a day, compare their days in UTC."""
    first, second = _moment(one), _moment(other)
    if not first or not second:
        return False
    if _DAY.fullmatch(one) or _DAY.fullmatch(other):
        return first.date() < second.date()
    return first < second


@RULES.add("L6", "info", "lastmod went back", fix="See which of the dates is true: git log -1 -- SOURCE.")
def went_back(site: Site) -> Iterator[Found]:
    """The URL had a later lastmod in the older sitemap given by --previous. Pages do not get older: one of
    the two dates is wrong, or the history was rewritten.
    """
    for listed in _dated(site):
        before = site.previous.get(listed.loc)
        if before and _before(listed.lastmod, before):
            yield listed.in_sitemap(f"lastmod was {before} and is {listed.lastmod}")


@RULES.add("L7", "warning", "lastmod before the Web", fix="Leave out a date that is unknown.")
@texts(together="{count:,} lastmods are {cause}")
def before_the_web(site: Site) -> Iterator[Found]:
    """No page is older than the Web, which was announced on 6 August 1991. Programs write such dates if they
    know none: 0001-01-01 and 1900-01-01 are empty fields, 1970-01-01 is zero in Unix time, and 1980-01-01 is
    the first day of a zip file, which reproducible builds give to all files. Engines that see them trust no
    date of the site.
    """
    cause = "before the Web (6 August 1991): dates that a program writes if it knows none"
    for listed in _dated(site):
        if not _is_real(listed.lastmod):
            yield listed.in_sitemap(f"lastmod {listed.lastmod} is a date before the Web", cause=cause)


@RULES.add("L8", "warning", "No page has a date", fix="Build from a git checkout with its whole history.")
def no_dates(site: Site) -> Iterator[Found]:
    """docs-sitemap wrote the sitemap, but no URL in it has a lastmod: git knew none of the sources. Usually
    the build had no .git folder (an archive, a Docker image), the sources are not committed, or
    docs-sitemap build did not find them (--source-dir). L4 reports a shallow clone. Nothing is reported if
    dates are switched off by lastmod: none.
    """
    urls = [listed for listed in site.listed if listed.document.kind == "urlset"]
    is_lost = urls and site.signed and not site.shallow and not any(listed.lastmod for listed in urls)
    if is_lost and not all(listed.document.undated for listed in urls):
        yield Found(f"none of the {len(urls):,} URLs has a date", file=urls[0].document.name)
