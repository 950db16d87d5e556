"""How fresh a site was over time: one number for each of several sitemaps, the oldest first."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from datetime import datetime
from pathlib import Path
from typing import Final, NamedTuple

from docs_sitemap.changes import Dates
from docs_sitemap.check import read_older
from docs_sitemap.timestamps import instant

_ENDINGS: Final = (".xml", ".xml.gz", ".txt", ".txt.gz")


class Release(NamedTuple):
    """A sitemap of the site: its ``newest`` date, and the median age of its pages in ``days`` before that."""

    name: str
    newest: datetime
    pages: int
    dated: int
    days: int


def older_files(places: Iterable[Path]) -> list[Path]:
    """Return older sitemaps: the files, and those in the folders by name, each once."""
    found: list[Path] = []
    for place in places:
        if place.is_dir():
            with os.scandir(place) as entries:  # a link could lead to a secret
                names = sorted(entry.name for entry in entries if entry.is_file(follow_symlinks=False))
            found += [place / name for name in names if name.lower().endswith(_ENDINGS)]
        else:
            found.append(place)
    return list(dict.fromkeys(found))


def read_releases(files: Iterable[Path]) -> list[tuple[Release, Path]]:
    """Return what each sitemap says, the oldest first; without those that have no date.

    Raises ``OlderSitemapError``.
    """
    found = [(release, file) for file in files if (release := release_of(file.name, read_older(file)))]
    return sorted(found, key=lambda each: (each[0].newest, each[0].name))


def release_of(name: str, dates: Dates) -> Release | None:
    """Return the numbers of a sitemap; ``None`` if it has no date."""
    moments = sorted(moment for text in dates.values() if text and (moment := instant(text)))
    if not moments:
        return None
    days = (moments[-1] - moments[(len(moments) - 1) // 2]).days
    return Release(name, moments[-1], len(dates), len(moments), days)


def is_worth_a_plot(releases: Sequence[Release]) -> bool:
    """Tell whether there are more than two: the changes since one are shown page by page."""
    return len(releases) > 2
