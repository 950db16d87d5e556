"""Determines the dates of a site's pages by its options, for the sitemap and for the pages themselves.

``page_date`` derives a page's date from those of its files.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import NamedTuple

from docs_sitemap.brief import brief
from docs_sitemap.dates.page_date import Dated, PageDate, page_dates
from docs_sitemap.errors import OptionError
from docs_sitemap.git import Answer, Change, Rules, last_additions, last_changes, read_ignored
from docs_sitemap.options import Options
from docs_sitemap.pages import Files, Host, Page, SettingsOf
from docs_sitemap.timestamps import creation_before, format_date
from docs_sitemap.untrusted import RealPaths


def git_dates(pages: Sequence[Files], options: Options, host: Host) -> list[Dated]:
    """Return the date of each page, given as the files that make it; reads the history once.

    Raises ``OptionError`` if ``ignore_revs`` names a file that cannot be read.
    """
    rules = _rules(options, host)
    return page_dates(pages, partial(last_changes, rules=rules)) if pages else []


def creations(sources: Sequence[Path | None], options: Options, host: Host) -> list[Answer | None]:
    """Return for each page's source the commit that added it for the last time, or why that is not known.

    All ``None`` unless ``creation_dates`` is set and dates come from git. Call it before the last changes are
    asked for: the walk finds those too. Raises the same errors as ``git_dates``.
    """
    asked = {source for source in sources if source} if options.creation_dates else set()
    if not asked or options.lastmod == "none":
        return [None] * len(sources)
    links = RealPaths()
    real = {source: Path(links.of(source)) for source in asked}
    answers = last_additions({*real.values()}, _rules(options, host))
    return [answers[real[source]] if source else None for source in sources]


class Dates(NamedTuple):
    """When a page was last changed, and when it was created, in W3C Datetime."""

    lastmod: str | None
    created: str | None


def pages_below(folder: Path) -> list[Page]:
    """Return a page for each Markdown file below a folder.

    Asked for with the pages of a first build, those of later ones need no other walk of the history.
    """
    found: list[Page] = []
    with suppress(OSError, RecursionError):  # the others are asked for when their turn comes
        found.extend(Page(url="", source=path) for path in folder.rglob("*.md"))
    return found


def dates_to_show(pages: Sequence[Page], options: Options, host: Host) -> list[Dates]:
    """Return the dates of each page, listed or not: the creation date is never after the last change.

    Raises the same errors as ``git_dates``.
    """
    sources = [page.source if page.created == "git" else None for page in pages]
    added = creations(sources, options, host)
    own = [page.created if options.creation_dates else None for page in pages]
    return [
        Dates(lastmod, creation_before(created_date(answer) or by_author, lastmod))
        for lastmod, answer, by_author in zip(lastmods(pages, options, host), added, own, strict=True)
    ]


def lastmods(pages: Sequence[Page], options: Options, host: Host) -> list[str | None]:
    """Return the lastmod of each page, listed or not; a time with seconds, unless the author wrote a day.

    Raises the same errors as ``git_dates``.
    """
    settings_of = SettingsOf(options)
    all_settings = [settings_of(page) for page in pages]
    sources = [settings.lastmod or options.lastmod for settings in all_settings]
    links = RealPaths()
    groups = [
        page.files(options.dependencies, settings, links) if source == "git" else Files(None)
        for page, settings, source in zip(pages, all_settings, sources, strict=True)
    ]
    dates = git_dates(groups, options, host)
    return [
        _lastmod(dated.date) if source == "git" else None if source == "none" else source
        for source, dated in zip(sources, dates, strict=True)
    ]


def _rules(options: Options, host: Host) -> Rules:
    return Rules(options.clock, _ignored(options, host), options.follow_renames)


def created_date(answer: Answer | None) -> str | None:
    """Return the date of an answer of ``creations``: W3C Datetime, UTC; ``None`` if it is not known."""
    return format_date(answer.time) if isinstance(answer, Change) else None


def _lastmod(date: PageDate) -> str | None:
    return format_date(date) if isinstance(date, int) else None


def _ignored(options: Options, host: Host) -> frozenset[bytes] | None:
    """Return the commits in the file of ``ignore_revs``; ``None`` to use each repository's own file."""
    if options.ignore_revs is None:
        return None
    if not options.ignore_revs:
        return frozenset()
    try:
        return read_ignored(host.folder / options.ignore_revs)
    except OSError as problem:
        found = f"it cannot be read: {problem.strerror}"
    except ValueError as problem:
        found = str(problem)
    raise OptionError(
        f"{host.spell('ignore_revs')}: expected a file of full commit names, "
        f"got {brief(options.ignore_revs)}: {found}."
    )
