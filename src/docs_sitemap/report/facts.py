"""Collect the content of a report."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Final, NamedTuple

from docs_sitemap.changes import Changes, compare
from docs_sitemap.check import LEVELS, Finding, Level, Question, Rule, Site, findings_of, offline, read_site
from docs_sitemap.report.reasons import NOT_ASKED, MissingDate, why_undated
from docs_sitemap.report.releases import Release, read_releases, release_of
from docs_sitemap.timestamps import instant

_PART: Final = re.compile(r"\d{4}(-\d\d)?", re.ASCII)


class Dated(NamedTuple):
    """A page with a date: ``lastmod`` as written, ``days`` before the newest date of the site."""

    url: str
    lastmod: str
    when: datetime
    days: int


class Undated(NamedTuple):
    """A page without a readable date, and the reason."""

    url: str
    why: MissingDate


@dataclass(frozen=True, slots=True)
class RuleFindings:
    """The findings of a rule at one level; at least one."""

    rule: Rule
    level: Level
    findings: Sequence[Finding]


@dataclass(frozen=True, slots=True)
class Facts:
    """The content of a report.

    ``dated`` are the listed pages with a date, the oldest first; ``undated`` the others. Each URL counts
    once. ``files`` is the number of HTML files. ``changes`` is ``None`` if no older sitemap was given;
    ``has_history`` tells whether the git history was read. ``releases`` are the older sitemaps and this one,
    the oldest first.
    """

    base: str
    sitemaps: Sequence[str]
    files: int
    dated: Sequence[Dated]
    undated: Sequence[Undated]
    findings: Sequence[RuleFindings]
    changes: Changes | None
    has_history: bool
    releases: Sequence[Release] = ()

    def count(self, level: Level) -> int:
        """Return the number of findings of a level."""
        return sum(len(each.findings) for each in self.findings if each.level == level)


def gather_facts(
    question: Question,
    rules: list[Rule],
    *,
    source_dir: Path | None,
    progress: Callable[[int, int], None],
    older: Mapping[Path, str],
    kept: Callable[[list[Finding]], list[Finding]],
) -> Facts:
    """Read a site, run the rules, and read the history if the source folder is given.

    ``older`` names the files of older sitemaps: changes are those since the newest of them. ``kept`` returns
    the findings to report. Raises ``OlderSitemapError``.
    """
    rules = offline(rules)
    releases = read_releases(older)
    if older:
        question = replace(question, previous=releases[-1][1] if releases else [*older][-1])
    site = read_site(question, rules, progress)
    lastmods: dict[str, str | None] = {}
    for listed in site.listed:
        lastmods.setdefault(listed.loc, listed.entry.lastmod or None)
    moments = {url: moment for url, text in lastmods.items() if text and (moment := _moment(text))}
    now = release_of("this build", lastmods)
    return Facts(
        base=site.base,
        sitemaps=[document.name for document in site.sitemaps.all],
        files=len(site.tree.pages),
        dated=_dated(lastmods, moments),
        undated=_undated(lastmods, moments, site, source_dir),
        findings=_by_rule(kept(list(findings_of(site, rules))), rules),
        changes=compare(site.previous, lastmods) if question.previous else None,
        has_history=source_dir is not None,
        releases=[release for release, _ in releases] + ([now] if now else []),
    )


def _moment(lastmod: str) -> datetime | None:
    """Parse a date; a year or a month, which W3C Datetime allows, means its first day."""
    return instant(f"{lastmod}-01-01"[:10] if _PART.fullmatch(lastmod) else lastmod)


def _dated(lastmods: dict[str, str | None], moments: dict[str, datetime]) -> list[Dated]:
    newest = max(moments.values(), default=None)
    if newest is None:
        return []
    pages = [
        Dated(url, lastmods[url] or "", moment, (newest - moment).days) for url, moment in moments.items()
    ]
    return sorted(pages, key=lambda page: (page.when, page.url))


def _undated(
    lastmods: dict[str, str | None], moments: dict[str, datetime], site: Site, source_dir: Path | None
) -> list[Undated]:
    """Return the pages without a date, sorted by reason."""
    unreadable = MissingDate("its lastmod is not a valid date")
    pages = {url: unreadable for url, text in lastmods.items() if text and url not in moments}
    empty = [url for url, text in lastmods.items() if not text]
    if source_dir is None:
        pages |= dict.fromkeys(empty, NOT_ASKED)
    else:
        first = {listed.loc: listed for listed in reversed(site.listed)}
        pages |= why_undated(((url, first[url].file) for url in empty), source_dir)
    return sorted((Undated(url, why) for url, why in pages.items()), key=lambda page: (page.why, page.url))


def _by_rule(findings: Iterable[Finding], rules: Iterable[Rule]) -> list[RuleFindings]:
    """Return the findings by rule, the most severe first, then in the order of the rules."""
    found: dict[tuple[Level, str], list[Finding]] = {}
    for finding in findings:
        found.setdefault((finding.level, finding.id), []).append(finding)
    return [
        RuleFindings(rule, level, sorted(found[level, rule.id], key=_place))
        for level in LEVELS
        for rule in rules
        if (level, rule.id) in found
    ]


def _place(finding: Finding) -> tuple[str, str, int, str]:
    return (finding.url or "", finding.file or "", finding.line or 0, finding.message)
