"""Determines the dates of a site's pages from the dates of the files that make them."""

from __future__ import annotations

import sys
import time
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final, NamedTuple

from docs_sitemap.errors import OptionError
from docs_sitemap.git import (
    Answer,
    Change,
    Reason,
    RepositoryError,
    Rules,
    Unknown,
    last_additions,
    last_changes,
    read_ignored,
)
from docs_sitemap.git.repository import by_repository, run
from docs_sitemap.options.declarations import Options
from docs_sitemap.pages.page import Files, Host, Page, originals_of
from docs_sitemap.pages.selection import SettingsOf
from docs_sitemap.readers.files import real_path
from docs_sitemap.text import show_value
from docs_sitemap.timestamps import creation_before, format_date

PageDate = int | Unknown
"""POSIX seconds (UTC), or why there is no date."""


class Dated(NamedTuple):
    """The date of a page, or why there is none, and the file that decided it."""

    date: PageDate
    decided_by: Path | None = None


def page_dates(pages: Sequence[Files], rules: Rules) -> list[Dated]:
    """Return the date of each page, given as the files that make it; reads the history once.

    A symbolic link counts as its target, because that is what the page shows.
    """
    real = {path: Path(real_path(path)) for path in {path for page in pages for path in page.all()}}
    answers = last_changes({*real.values()}, rules)
    now = int(time.time())
    return [date_of(page, [answers[real[path]] for path in page.all()], now) for page in pages]


def date_of(page: Files, answers: Sequence[Answer], now: int) -> Dated:
    """Return the date of a page from the answers for its files, in their order."""
    date = newest(answers, now, answers[0] if page.source and not page.has_named else None)
    times = [answer.time if isinstance(answer, Change) else -1 for answer in answers]
    if isinstance(date, Unknown) and date in answers:
        times[answers.index(date)] = sys.maxsize
    return Dated(date, page.all()[times.index(max(times))] if times else None)


def newest(answers: Sequence[Answer], now: int, own: Answer | None = None) -> PageDate:
    """Return the newest of the files' dates, or why it is not known.

    ``own`` is the answer for the page's source: if no commit has it, its text may be newer than everything
    that it includes, and the page has no date. Other files that no commit has are ignored if a commit has any
    of the files. If the repository of a file cannot be read, the page has no date, because that file may be
    the newest. A file cut off by a shallow boundary is no newer than that boundary: a date that is
    at least as new is used. A date after ``now`` is never returned.

    >>> newest([Change("old", 1_000), Change("new", 2_000)], now=3_000)
    2000
    >>> cut_off = Unknown(Reason.BOUNDARY, "docs", not_after=1_500)
    >>> newest([Change("old", 1_000), cut_off], now=3_000) is cut_off
    True
    """
    if isinstance(own, Unknown) and own.not_after is None:
        return own
    unknown = [answer for answer in answers if isinstance(answer, Unknown)]
    for answer in unknown:
        if answer.reason in _HIDING:
            return answer
    known = [answer.time for answer in answers if isinstance(answer, Change)]
    if not known:
        cut_off = [answer for answer in unknown if answer.not_after is not None]
        return next(iter(cut_off or unknown), Unknown(Reason.GENERATED, ""))
    date = max(known)
    for answer in unknown:
        if answer.not_after is not None and answer.not_after > date:
            return answer
    if date > now:
        return Unknown(Reason.FUTURE, "")
    return date


_WITHOUT_COMMIT: Final = {Reason.UNTRACKED, Reason.GENERATED, Reason.NO_REPOSITORY, Reason.NO_COMMIT}
_HIDING: Final = frozenset(Reason) - _WITHOUT_COMMIT - {Reason.BOUNDARY, Reason.FUTURE}
"""Reasons for which a file may have a newer commit than all others: a new reason is one of them."""


def git_dates(pages: Sequence[Files], options: Options, host: Host) -> list[Dated]:
    """Return the date of each page, given as the files that make it; reads the history once.

    Raises ``OptionError`` if ``ignore_revs`` names a file that cannot be read.
    """
    rules = _rules(options, host)
    return page_dates(pages, rules) if pages else []


def notebooks_beside(
    pages: Sequence[Files], dates: Sequence[Dated], options: Options, host: Host
) -> dict[Path, Path]:
    """Return the committed notebooks of the same name beside the sources that no commit has."""
    found = {}
    for files, dated in zip(pages, dates, strict=True):
        if files.source and _is_untracked(dated.date) and files.source.suffix != ".ipynb":
            found[files.source] = Path(real_path(files.source.with_suffix(".ipynb")))
    asked = {notebook for notebook in found.values() if notebook.is_file()}
    answers = last_changes(asked, _rules(options, host)) if asked else {}
    return {
        source: notebook
        for source, notebook in found.items()
        if notebook in answers and not _is_untracked(answers[notebook])
    }


def _is_untracked(answer: PageDate | Answer) -> bool:
    return isinstance(answer, Unknown) and answer.reason is Reason.UNTRACKED


def common_move(dated: Sequence[Dated], options: Options, host: Host) -> tuple[int, str]:
    """Return how many pages have the date of one commit that only moved their files, and its name.

    Returns 0 unless those are most pages, and five or more. git detects the renames in which not a byte
    differs, and is only asked if so many pages have one date.
    """
    ((date, number),) = Counter(each.date for each in dated).most_common(1) or [(0, 0)]
    paths = [each.decided_by for each in dated if each.decided_by and each.date == date]
    if not paths or options.follow_renames or number < max(5, len(dated) // 2 + 1):
        return 0, ""
    (change,) = last_changes([Path(real_path(paths[0]))], _rules(options, host)).values()
    commit, moved = change.commit if isinstance(change, Change) else "", 0
    words = ("-r", "-z", "--no-commit-id", "--name-only", "--diff-filter=R", "-M100%")
    with suppress(RepositoryError):
        for repository, names in by_repository(paths, resolve=True)[0].items() if commit else ():
            files = {*run(repository, "diff-tree", *words, commit).split(b"\0")}
            moved += sum(names.get(path) in files for path in paths)
    return (moved, commit) if moved > len(dated) // 2 else (0, "")


def creations(sources: Sequence[Path | None], options: Options, host: Host) -> list[Answer | None]:
    """Return for each page's source the commit that added it for the last time, or why that is not known.

    All ``None`` unless ``creation_dates`` is set and dates come from git. Raises the same errors as
    ``git_dates``.
    """
    asked = {source for source in sources if source} if options.creation_dates else set()
    if not asked or options.lastmod == "none":
        return [None] * len(sources)
    real = {source: Path(real_path(source)) for source in asked}
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
    find = originals_of(options, host).find
    sources = [find(page.source) if page.source and page.created == "git" else None for page in pages]
    added = creations(sources, options, host)
    own = [page.created if options.creation_dates else None for page in pages]
    return [
        Dates(lastmod, creation_before(created_date(answer) or by_author, lastmod))
        for lastmod, answer, by_author in zip(_lastmods(pages, options, host), added, own, strict=True)
    ]


def _lastmods(pages: Sequence[Page], options: Options, host: Host) -> list[str | None]:
    """Return the lastmod of each page, listed or not; a time with seconds, unless the author wrote a day."""
    settings_of = SettingsOf(options)
    originals = originals_of(options, host)
    found: list[str | None] = []
    groups: dict[int, Files] = {}
    for number, page in enumerate(pages):
        settings = settings_of(page)
        lastmod = settings.lastmod or options.lastmod
        found.append(lastmod if lastmod not in ("git", "none") else None)
        if lastmod == "git":
            groups[number] = page.files(options.dependencies, settings, originals)
    for number, dated in zip(groups, git_dates([*groups.values()], options, host), strict=True):
        found[number] = format_date(dated.date) if isinstance(dated.date, int) else None
    return found


def created_date(answer: Answer | None) -> str | None:
    """Return the date of an answer of ``creations``: W3C Datetime, UTC; ``None`` if it is not known."""
    return format_date(answer.time) if isinstance(answer, Change) else None


def _rules(options: Options, host: Host) -> Rules:
    """Return what counts as a change; without ``ignore_revs``, each repository's own file counts."""
    file, ignored, wrong = options.ignore_revs, None, ""
    if file is not None:
        try:
            ignored = read_ignored(host.folder / file) if file else frozenset()
        except OSError as problem:
            wrong = f"it cannot be read: {problem.strerror}"
        except ValueError as problem:
            wrong = str(problem)
    if wrong:
        name = host.spell("ignore_revs")
        raise OptionError(f"{name}: expected a file of full commit names, got {show_value(file)}: {wrong}.")
    return Rules(options.clock, ignored, options.follow_renames)
