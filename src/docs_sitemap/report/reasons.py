"""Why pages have no date: what the history says of their sources today.

Rules and options of the build are not known here: each generator has them in a file of its own.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Final, NamedTuple

from docs_sitemap.dates import page_dates
from docs_sitemap.generators.html import Sources, read_front_matter
from docs_sitemap.history import Rules, last_changes
from docs_sitemap.options import read_metadata
from docs_sitemap.pages import Files
from docs_sitemap.timestamps import format_date


class Why(NamedTuple):
    """Why a page has no date; ``cure`` is empty where nothing is wrong. Code stands between backticks."""

    text: str
    cure: str = ""


NOT_ASKED: Final = Why("not known", "`--source-dir` names the folder of the sources, whose history is asked")
NO_FILE: Final = Why("the site has no file for its address")
NO_SOURCE: Final = Why("no source was found for it", "`sources` in a rule, or on the page, names it")
BY_HAND: Final = Why("its source asks for no date")
NO_DATE_WRITTEN: Final = Why(
    "its history has a date, and the sitemap does not",
    "build the sitemap anew with the sources at hand, unless `lastmod` of the build or of a rule wants none",
)


def why_undated(names: Mapping[str, str | None], source_dir: Path) -> dict[str, Why]:
    """Return for each URL why it has no date; ``names`` has the file that each leads to.

    The history is asked once. Uncommitted edits do not count.
    """
    sources = Sources(source_dir)
    found: dict[str, Why] = {}
    files: dict[str, Files] = {}
    for url, name in names.items():
        source = sources.find(name) if name else None
        if source is None:
            found[url] = NO_SOURCE if name else NO_FILE
        else:
            settings, others, _ = read_metadata(read_front_matter(source), "", source_dir)
            if settings.lastmod == "none":
                found[url] = BY_HAND
            else:
                files[url] = Files(source, others, bool(others))
    dates = page_dates(list(files.values()), partial(last_changes, rules=Rules(ignored=None)))
    for url, (date, _) in zip(files, dates, strict=True):
        if isinstance(date, int):
            found[url] = Why(f"{NO_DATE_WRITTEN.text}: {format_date(date, 'date')}", NO_DATE_WRITTEN.cure)
        else:
            found[url] = Why(date.reason.text, date.reason.cure)
    return found
