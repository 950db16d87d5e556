"""Write the index and the line in robots.txt, once per host."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from itertools import count, islice
from pathlib import Path
from typing import Final

from docs_sitemap import urls
from docs_sitemap.brief import shown
from docs_sitemap.errors import OutputError
from docs_sitemap.files import HEAD, Family, OutputFolder, robots, share_out
from docs_sitemap.files.formats import BARE, SIGNATURE, render_index
from docs_sitemap.index.tree import Site
from docs_sitemap.limits import MAX_PATH, MAX_ROBOTS_READ

_ROBOTS: Final = "robots.txt"


def write_root(
    folder: Path, base_url: str, filename: str, sites: Sequence[Site], *, with_robots: bool
) -> list[str]:
    """Write the index of one host's sites and complete its robots.txt; return the files written.

    One sitemap needs no index: robots.txt names it directly. Raises ``OutputError``, also if a file with
    that name exists and is not ours.
    """
    output = OutputFolder(folder)
    present = output.read_whole(_ROBOTS, MAX_ROBOTS_READ)
    sitemaps = [sitemap for site in sites for sitemap in site.sitemaps]
    family = Family(filename)
    counts = share_out(sitemaps, BARE) if len(sitemaps) > 1 else []
    names = [family.index(number) for number in range(1, len(counts) + 1)]
    for name in names:
        head = output.read(name, HEAD)
        if head is not None and not _is_our_index(head):
            where = shown(os.fspath(folder / name), MAX_PATH)
            raise OutputError(f"{where} exists, and docs-sitemap did not write it: use --filename.")
    named = [urls.join_file(base_url, name) for name in names] or [sitemap.loc for sitemap in sitemaps]
    with output.changes() as changes:
        left = iter(sitemaps)
        for name, size in zip(names, counts, strict=True):
            changes.write(name, render_index(islice(left, size)))
        if with_robots:
            text = robots.complete(present, named)
            if text is None:
                changes.drop(_ROBOTS)
            else:
                changes.write(_ROBOTS, text)
        for name in _leftovers(output, family, names):
            changes.drop(name)
        return changes.commit()


def _leftovers(output: OutputFolder, family: Family, names: Sequence[str]) -> Iterator[str]:
    """Yield the indexes that only an earlier call wrote."""
    for number in count(len(names) + 1):
        name = family.index(number)
        head = output.read(name, HEAD)
        if head is None or not _is_our_index(head):
            return
        yield name


def _is_our_index(head: bytes) -> bool:
    """Tell whether a file is an index that an earlier call wrote, not a site's sitemap."""
    return SIGNATURE in head and b"<sitemapindex" in head
