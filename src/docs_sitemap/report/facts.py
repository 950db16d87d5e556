"""Collect the content of a report, with what changed and why dates are missing."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from itertools import groupby
from operator import attrgetter
from pathlib import Path
from typing import Final, NamedTuple

from docs_sitemap.changes import Changes, Dates, compare
from docs_sitemap.check import (
    DOCS,
    Finding,
    Level,
    Question,
    Rule,
    Site,
    findings_of,
    in_order,
    offline,
    read_site,
)
from docs_sitemap.dates.site_dates import page_dates
from docs_sitemap.generators.html import Sources, read_front_matter
from docs_sitemap.git import Rules
from docs_sitemap.options.page_settings import PageSettings, read_metadata
from docs_sitemap.pages.page import Files
from docs_sitemap.timestamps import EARLIEST, WEB, format_date, instant

_PART: Final = re.compile(r"\d{4}(-\d\d)?", re.ASCII)


class Dated(NamedTuple):
    """A page with a usable date, which is ``days`` before the newest of the site."""

    url: str
    when: datetime
    days: int


class Undated(NamedTuple):
    """A page without a usable date, and the reason; ``date`` is the one that cannot be used, as written."""

    url: str
    why: MissingDate
    date: str = ""


@dataclass(frozen=True, slots=True)
class RuleFindings:
    """The findings of a rule that have the same level and the same fix; at least one."""

    rule: Rule
    level: Level
    findings: Sequence[Finding]


@dataclass(frozen=True, slots=True)
class Facts:
    """The content of a report.

    ``dated`` are the listed pages with a usable date, the oldest first; ``undated`` the others. Each URL
    counts once. ``files`` is the number of HTML files. ``since`` names the older sitemap, ``since_day`` is
    its newest date; ``changes`` is ``None`` if there is none, or none of its pages is in this one.
    """

    base: str
    sitemaps: Sequence[str]
    files: int
    dated: Sequence[Dated]
    undated: Sequence[Undated]
    findings: Sequence[RuleFindings]
    changes: Changes | None
    since: str = ""
    since_day: datetime | None = None

    @property
    def same_dates(self) -> str:
        """What to do if all dates are those of the build, as rule L2 has found; otherwise empty."""
        fixes = (each.findings[0].fix for each in self.findings if each.rule.id == "L2")
        return next(fixes, "") if self.dated else ""

    def count(self, level: Level) -> int:
        """Return the number of findings of a level."""
        return sum(len(each.findings) for each in self.findings if each.level == level)


def gather_facts(
    question: Question,
    rules: list[Rule],
    *,
    source_dir: Path | None,
    progress: Callable[[int, int], None],
    kept: Callable[[list[Finding]], list[Finding]],
) -> Facts:
    """Read a site, run the rules, and read the history if the source folder is given.

    ``kept`` returns the findings to report. Raises ``OlderSitemapError``.
    """
    rules = offline(rules)
    latest = datetime.now(UTC) + EARLIEST
    site = read_site(question, rules, progress)
    lastmods: dict[str, str | None] = {}
    for listed in site.listed:
        lastmods.setdefault(listed.loc, listed.entry.lastmod or None)
    moments = _moments(lastmods, latest)
    before = _moments(site.previous, latest)
    return Facts(
        base=site.base,
        sitemaps=[document.name for document in site.sitemaps.all],
        files=len(site.tree.pages),
        dated=[Dated(url, moment, (moments[-1][0] - moment).days) for moment, url in moments],
        undated=_undated(lastmods, latest, site, source_dir),
        findings=_by_rule(kept(list(findings_of(site, rules))), rules),
        changes=compare(site.previous, lastmods) if site.previous.keys() & lastmods.keys() else None,
        since=question.previous.name if question.previous else "",
        since_day=before[-1][0] if before else None,
    )


def _moments(lastmods: Dates, latest: datetime) -> list[tuple[datetime, str]]:
    """Return the pages with a usable date, the oldest first."""
    read = ((_moment(text, latest), url) for url, text in lastmods.items() if text)
    return sorted((moment, url) for moment, url in read if isinstance(moment, datetime))


def _moment(lastmod: str, latest: datetime) -> datetime | MissingDate:
    """Parse a date; a year or a month, which W3C Datetime allows, means its first day."""
    moment = instant(f"{lastmod}-01-01"[:10] if _PART.fullmatch(lastmod) else lastmod)
    if moment is None:
        return UNREADABLE
    if moment > latest:
        return IN_THE_FUTURE
    return moment if moment >= WEB else BEFORE_THE_WEB


def _undated(lastmods: Dates, latest: datetime, site: Site, source_dir: Path | None) -> list[Undated]:
    """Return the pages without a usable date, sorted by reason."""
    read = ((url, text, _moment(text, latest)) for url, text in lastmods.items() if text)
    pages = [Undated(url, why, text) for url, text, why in read if isinstance(why, MissingDate)]
    first = {listed.loc: listed for listed in reversed(site.listed) if not lastmods[listed.loc]}
    if source_dir is not None:
        pages += why_undated(((url, listed.file) for url, listed in first.items()), source_dir)
    else:
        ours = NOT_FOUND if any(lastmods.values()) else NONE_FOUND
        for url, listed in first.items():
            why = ours if listed.document.signed else NOT_WRITTEN
            pages.append(Undated(url, why if listed.file else NO_FILE))
    return sorted(pages, key=lambda page: (page.why, page.url))


def _by_rule(findings: Iterable[Finding], rules: Iterable[Rule]) -> list[RuleFindings]:
    """Return the findings by rule and fix, in the order of ``check``."""
    by_id = {rule.id: rule for rule in rules}
    groups = groupby(in_order(findings), attrgetter("level", "id", "fix"))
    return [RuleFindings(by_id[name], level, [*group]) for (level, name, _), group in groups]


class MissingDate(NamedTuple):
    """Why a page has no date; ``fix`` is empty if nothing is wrong. Code is between backticks."""

    text: str
    fix: str = ""


UNREADABLE: Final = MissingDate("its date is not in the form of sitemaps", "write it as `2026-08-20`")
IN_THE_FUTURE: Final = MissingDate("its date is in the future", "correct it, or the clock of the build")
BEFORE_THE_WEB: Final = MissingDate("its date is older than the Web", "leave it out if it is unknown")
NOT_FOUND: Final = MissingDate(
    "no date is known for it, as for many pages that a build generates",
    "a generated page, such as a list, needs none; for others, add `--source-dir FOLDER` (of the sources) to "
    "the command of this report, which then shows why",
)
NONE_FOUND: Final = MissingDate(
    "no date is known for any page",
    "build from a whole git clone: `fetch-depth: 0` in a workflow, or `git fetch --unshallow`",
)
NOT_WRITTEN: Final = MissingDate(
    "the tool that wrote the sitemap gave it no date",
    "write the sitemap with docs-sitemap, which takes dates from the git history",
)
NO_FILE: Final = MissingDate("the site has no file for its URL", "build the page, or do not list it")
NO_SOURCE: Final = MissingDate(
    "no source was found",
    "a generated page needs none; for another, name its source, relative to the folder of the sources: "
    '`rules = [{match = "api/", sources = ["../src/api.py"]}]` in docs-sitemap.toml; for MkDocs and Sphinx: '
    f"`{DOCS}options/#rules`",
)
TURNED_OFF: Final = MissingDate("its source turns off the date")
NO_DATE_WRITTEN: Final = MissingDate(
    "its history has a date, but the sitemap does not",
    "build the sitemap again with the sources, unless `lastmod` in the build or a rule turns dates off",
)


def why_undated(names: Iterable[tuple[str, str | None]], source_dir: Path) -> Iterator[Undated]:
    """Yield each URL with why it has no date; ``names`` are URLs and their files.

    Reads the history once. Uncommitted edits do not count.
    """
    sources = Sources(source_dir)

    @cache  # many URLs may lead to one source
    def settings_of(source: Path) -> tuple[PageSettings, tuple[Path, ...]]:
        with suppress(ValueError):  # of front matter that cannot be read
            return read_metadata(read_front_matter(source), "", source_dir)[:2]
        return PageSettings(), ()

    files: dict[str, Files] = {}
    for url, name in names:
        source = sources.find(name) if name else None
        if source is None:
            yield Undated(url, NO_SOURCE if name else NO_FILE)
            continue
        settings, others = settings_of(source)
        if settings.lastmod == "none":
            yield Undated(url, TURNED_OFF)
        else:
            files[url] = Files(source, others, bool(others))
    dates = page_dates(list(files.values()), Rules(ignored=None))
    for url, (date, _) in zip(files, dates, strict=True):
        if isinstance(date, int):
            yield Undated(url, NO_DATE_WRITTEN, format_date(date, "date"))
        else:
            yield Undated(url, MissingDate(date.reason.text, date.cure))


_ENDINGS: Final = (".xml", ".xml.gz", ".txt", ".txt.gz", ".json")
