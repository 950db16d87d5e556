"""What a report says, before it has a form."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Final, NamedTuple

from docs_sitemap.check import LEVELS, RULES, Finding, Level, Question, Rule, Site, read_site
from docs_sitemap.report.changes import Changes, compare
from docs_sitemap.report.reasons import NOT_ASKED, Why, why_undated
from docs_sitemap.timestamps import instant

_PART: Final = re.compile(r"\d{4}(-\d\d)?", re.ASCII)


class Dated(NamedTuple):
    """A page with a date: ``lastmod`` as it is written, ``days`` before the newest of the site."""

    url: str
    lastmod: str
    when: datetime
    days: int


class Undated(NamedTuple):
    """A page without a date that can be read, and why."""

    url: str
    why: Why


@dataclass(frozen=True, slots=True)
class Faults:
    """What one rule found at one level; at least one finding."""

    rule: Rule
    level: Level
    findings: Sequence[Finding]


@dataclass(frozen=True, slots=True)
class Facts:
    """What is known of a site.

    ``dated`` are the listed pages with a date, the oldest first; ``undated`` the others. Each address
    counts once. ``files`` is the number of HTML files. ``changes`` is ``None`` where no older sitemap
    was named, ``asked`` tells whether the history was.
    """

    base: str
    sitemaps: Sequence[str]
    files: int
    dated: Sequence[Dated]
    undated: Sequence[Undated]
    faults: Sequence[Faults]
    changes: Changes | None = None
    asked: bool = False

    def count(self, level: Level) -> int:
        """Return how many findings of a level there are."""
        return sum(len(faults.findings) for faults in self.faults if faults.level == level)


def gather_facts(
    question: Question, source_dir: Path | None = None, progress: Callable[[int, int], None] = lambda *_: None
) -> Facts:
    """Read a site, ask all rules and, where its sources are known, the history.

    Raises ``OlderSitemapError``.
    """
    site = read_site(question, RULES.values(), progress)
    lastmods: dict[str, str | None] = {}
    for listed in site.listed:
        lastmods.setdefault(listed.loc, listed.entry.lastmod or None)
    moments = {url: moment for url, text in lastmods.items() if text and (moment := _moment(text))}
    return Facts(
        base=site.base,
        sitemaps=[document.name for document in site.sitemaps.all],
        files=len(site.tree.pages),
        dated=_dated(lastmods, moments),
        undated=_undated(lastmods, moments, site, source_dir),
        faults=_faults(site),
        changes=compare(site.previous, lastmods) if question.previous else None,
        asked=source_dir is not None,
    )


def _moment(lastmod: str) -> datetime | None:
    """Return what a date means; a year or a month, which W3C Datetime has too, is its first day."""
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
    """Return the pages without a date, sorted by the reason."""
    unreadable = Why("its lastmod is no date")
    pages = {url: unreadable for url, text in lastmods.items() if text and url not in moments}
    bare = [url for url, text in lastmods.items() if not text]
    if source_dir is None:
        pages |= dict.fromkeys(bare, NOT_ASKED)
    else:
        files = {listed.loc: listed.file for listed in reversed(site.listed)}
        pages |= why_undated({url: files[url] for url in bare}, source_dir)
    return sorted((Undated(url, why) for url, why in pages.items()), key=lambda page: (page.why, page.url))


def _faults(site: Site) -> list[Faults]:
    """Return what all rules find, the worst first, then in the order of the rules."""
    found: dict[tuple[Level, str], list[Finding]] = {}
    for rule in RULES.values():
        for finding in rule.findings(site):
            found.setdefault((finding.level, finding.id), []).append(finding)
    return [
        Faults(rule, level, sorted(found[level, rule.id], key=_place))
        for level in LEVELS
        for rule in RULES.values()
        if (level, rule.id) in found
    ]


def _place(finding: Finding) -> tuple[str, str, int, str]:
    return (finding.url or "", finding.file or "", finding.line or 0, finding.message)
