"""Find why pages have no date, from the current history of their sources.

The rules and options of the build are unknown here: each generator has them in its own configuration.
"""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from functools import cache, partial
from pathlib import Path
from typing import Final, NamedTuple

from docs_sitemap.dates import page_dates
from docs_sitemap.generators.html import Sources, read_front_matter
from docs_sitemap.git import Rules, last_changes
from docs_sitemap.options import PageSettings, read_metadata
from docs_sitemap.pages import Files
from docs_sitemap.timestamps import format_date


class MissingDate(NamedTuple):
    """Why a page has no date; ``fix`` is empty if nothing is wrong. Code is between backticks."""

    text: str
    fix: str = ""


NOT_ASKED: Final = MissingDate(
    "unknown", "use `--source-dir` to name the folder of the sources, whose history is then read"
)
NO_FILE: Final = MissingDate("the site has no file for its URL")
NO_SOURCE: Final = MissingDate("no source was found", "name it with `sources` in a rule or on the page")
TURNED_OFF: Final = MissingDate("its source turns off the date")
NO_DATE_WRITTEN: Final = MissingDate(
    "its history has a date, but the sitemap does not",
    "build the sitemap again with the sources, unless `lastmod` in the build or a rule turns dates off",
)


def why_undated(names: Iterable[tuple[str, str | None]], source_dir: Path) -> dict[str, MissingDate]:
    """Return for each URL why it has no date; ``names`` are URLs and their files.

    Reads the history once. Uncommitted edits do not count.
    """
    sources = Sources(source_dir)

    @cache  # many URLs may lead to one source
    def settings_of(source: Path) -> tuple[PageSettings, tuple[Path, ...]]:
        with suppress(ValueError):  # of front matter that cannot be read
            return read_metadata(read_front_matter(source), "", source_dir)[:2]
        return PageSettings(), ()

    found: dict[str, MissingDate] = {}
    files: dict[str, Files] = {}
    for url, name in names:
        source = sources.find(name) if name else None
        if source is None:
            found[url] = NO_SOURCE if name else NO_FILE
        else:
            settings, others = settings_of(source)
            if settings.lastmod == "none":
                found[url] = TURNED_OFF
            else:
                files[url] = Files(source, others, bool(others))
    dates = page_dates(list(files.values()), partial(last_changes, rules=Rules(ignored=None)))
    for url, (date, _) in zip(files, dates, strict=True):
        if isinstance(date, int):
            text = f"{NO_DATE_WRITTEN.text}: {format_date(date, 'date')}"
            found[url] = MissingDate(text, NO_DATE_WRITTEN.fix)
        else:
            found[url] = MissingDate(date.reason.text, date.cure)
    return found
