"""What became of a site, and the sentences that say so. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from docs_sitemap.dates import PageDate
from docs_sitemap.history import Unknown
from docs_sitemap.notices import Notice
from docs_sitemap.options import Options
from docs_sitemap.page import Host, OwnSitemap
from docs_sitemap.selection import EXCLUDED, OUTSIDE, Selection
from docs_sitemap.urlset import Url


@dataclass(slots=True)
class Report:
    """The entries of a site, its pages left out by reason, the files written, and what to tell."""

    urls: list[Url] = field(default_factory=list)
    left_out: Counter[str] = field(default_factory=Counter)
    written: list[str] = field(default_factory=list)
    notices: list[Notice] = field(default_factory=list)


def on_dates(dates: Iterable[PageDate]) -> list[Notice]:
    """Say once a cause why dates are missing, and what cures it; nothing where there is no cure."""
    by_cause: dict[object, list[Unknown]] = {}
    for date in dates:
        if isinstance(date, Unknown) and date.reason.cure:
            by_cause.setdefault(date.reason, []).append(date)
    return [
        Notice(
            "info",
            "lastmod",
            f"{_pages(len(unknown))} without a date: {unknown[0].reason.text} ({unknown[0].where}). "
            f"To cure it: {unknown[0].reason.cure}.",
        )
        for unknown in by_cause.values()
    ]


def on_selection(selection: Selection, options: Options, host: Host) -> list[Notice]:
    """Say where the pages disagree with their sitemap, and why there may be none."""
    notices = []
    if selection.foreign_canonical:
        text = (
            f"The pages' own canonical links lead elsewhere, as {selection.foreign_canonical} does: search "
            "engines follow those and not the sitemap."
        )
        notices.append(Notice("info", "canonical", text))
    if not selection.listed:
        text = f"No sitemap is written, because no page is left to list ({_reasons(selection.left_out)})"
        if selection.left_out[OUTSIDE]:
            text += (
                f": a sitemap lists only what lies in its own folder or below (sitemaps.org, location). Set "
                f"{host.spell('filename')}, which is {options.filename!r}, to a name without a folder."
            )
            notices.append(Notice("warning", "empty", text))
        elif selection.left_out[EXCLUDED] and options.exclude:
            notices.append(Notice("warning", "empty", f"{text}: see {host.spell('exclude')}."))
        else:
            notices.append(Notice("info", "empty", text + "."))
    return notices


def on_own(own: OwnSitemap) -> Notice:
    """Say that the site's own sitemap stands."""
    return Notice("info", "own", f"{own.where} has a {own.name} of the site's own: no other is written.")


def on_result(report: Report, options: Options) -> Notice:
    """Sum up: pages, dates, what was left out."""
    dated = sum(url.lastmod is not None for url in report.urls)
    text = f"{options.filename}: {_pages(len(report.urls))}, {dated} with lastmod"
    if report.left_out:
        text += f"; left out: {_reasons(report.left_out)}"
    return Notice("info", "written", text + ".")


def on_robots(base_url: str, sitemap_url: str) -> list[Notice]:
    """Say which line the robots.txt at the host's root needs, where ours lies below it (RFC 9309, 2.3)."""
    parts = urlsplit(base_url)
    if parts.path == "/":
        return []
    text = (
        f"Crawlers read robots.txt only at {parts.scheme}://{parts.netloc}/robots.txt: "
        f'that file should have the line "Sitemap: {sitemap_url}".'
    )
    return [Notice("info", "robots", text)]


def _reasons(left_out: Counter[str]) -> str:
    return ", ".join(f"{number} {reason}" for reason, number in sorted(left_out.items())) or "there are none"


def _pages(number: int) -> str:
    return "1 page" if number == 1 else f"{number} pages"
