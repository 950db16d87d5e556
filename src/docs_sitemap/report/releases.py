"""How fresh a site was over time: one number for each of several sitemaps, the oldest first."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Final, NamedTuple

from docs_sitemap.brief import shown
from docs_sitemap.changes import Dates
from docs_sitemap.check import WELL_KNOWN, OlderSitemapError, read_older
from docs_sitemap.limits import MAX_PATH
from docs_sitemap.timestamps import instant
from docs_sitemap.untrusted import is_open_file

_ENDINGS: Final = (".xml", ".xml.gz", ".txt", ".txt.gz", ".json")


class Release(NamedTuple):
    """A sitemap of the site: its ``newest`` date, and the median age of its pages in ``days`` before that."""

    name: str
    newest: datetime
    pages: int
    dated: int
    days: int


def older_files(places: Iterable[Path]) -> dict[Path, str]:
    """Return older sitemaps with their names: the files, and those in the folders.

    A folder may have subfolders with a sitemap each. In an old site, which has a robots.txt or a home page,
    only its main sitemap counts. Raises ``OlderSitemapError`` for a folder without any, and for a pipe: each
    file is read twice, as the newest sitemap is known only when all are read.
    """
    found: dict[Path, str] = {}
    for place in places:
        if is_open_file(place):
            raise OlderSitemapError(f"{place}: a pipe cannot be read twice: save the sitemap in a file.")
        if not place.is_dir():
            found.setdefault(place, place.name)
            continue
        files, folders = _entries(place)
        names = _main(files) if {"robots.txt", "index.html"} & {*files} else _all(files)
        for folder in folders:
            names += [f"{folder}/{name}" for name in _main(_entries(place / folder)[0])]
        if not names:
            raise OlderSitemapError(f"{shown(str(place), MAX_PATH)}: contains no sitemap.")
        for name in names:
            found.setdefault(place / name, name)
    return found


def _main(names: Collection[str]) -> list[str]:
    return [name for name in WELL_KNOWN if name in names][:1]


def _all(names: Collection[str]) -> list[str]:
    """Return all names of sitemaps, without those of compressed copies."""
    found = {name for name in names if name.lower().endswith(_ENDINGS)}
    return sorted(name for name in found if not name.endswith(".gz") or name.removesuffix(".gz") not in found)


def _entries(folder: Path) -> tuple[list[str], list[str]]:
    """Return the names of files and of folders, sorted, without links, which could lead to a secret."""
    with os.scandir(folder) as entries:
        found = sorted(entries, key=lambda entry: entry.name)
    files = [entry.name for entry in found if entry.is_file(follow_symlinks=False)]
    return files, [entry.name for entry in found if entry.is_dir(follow_symlinks=False)]


def read_releases(files: Mapping[Path, str]) -> list[tuple[Release, Path]]:
    """Return what each sitemap says, the oldest first; without those that have no date.

    Parts of an index count with the index only. Raises ``OlderSitemapError``.
    """
    found: list[tuple[Release, Path]] = []
    parts: set[Path] = set()
    for file, name in files.items():
        dates, own = read_older(file)
        parts |= own
        if release := release_of(name, dates):
            found.append((release, file))
    # the parts' paths have no links
    found = [each for each in found if not parts or Path(os.path.realpath(each[1])) not in parts]
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
