"""Read an older sitemap of the site, of any format, from any generator, for comparison."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from docs_sitemap import changes
from docs_sitemap.brief import shown
from docs_sitemap.changes import Dates
from docs_sitemap.errors import DocsSitemapError
from docs_sitemap.limits import MAX_BYTES, MAX_PATH
from docs_sitemap.readers import Resolver, read_named, read_start
from docs_sitemap.sitemaps import Document, read_document


class OlderSitemapError(DocsSitemapError):
    """The older sitemap cannot be read or is not a sitemap."""


class Older(NamedTuple):
    """What an older sitemap lists.

    ``parts`` are the files of its parts if it is an index, as paths without links.
    """

    dates: Dates
    parts: frozenset[Path] = frozenset()


def read_older(file: Path) -> Older:
    """Return what a sitemap lists; for an index, what its parts in the same folder list.

    Also what a file of ``submit --remember`` or ``--log`` has. If a URL is listed twice, the first date
    counts. Raises ``OlderSitemapError``.
    """
    try:
        data = read_named(file, MAX_BYTES)
        if changes.is_json(data):
            return Older(changes.parse(data))
        dates: dict[str, str | None] = {}
        parts = set[Path]()
        for part, document in _documents(file, data):
            parts |= {part} if part else set()
            if document.kind == "index" and not part:
                continue
            for entry in document.entries:
                dates.setdefault(entry.loc, entry.lastmod or None)
    except OSError as problem:
        raise OlderSitemapError(f"{problem.filename or file}: cannot be read: {problem.strerror}.") from None
    except ValueError as problem:
        raise OlderSitemapError(f"{shown(str(file), MAX_PATH)}: {problem}.") from None
    return Older(dates, frozenset(parts))


def _documents(file: Path, data: bytes) -> Iterator[tuple[Path | None, Document]]:
    """Yield a sitemap, and if it is an index, its parts with their paths."""
    document = _parse(file, data)
    yield None, document
    if document.kind != "index":
        return
    # a link that leads out of the folder could have a secret published
    find = Resolver(file.parent).file
    parts = filter(None, (find(entry.loc.rpartition("/")[2]) for entry in document.entries))
    # read each file once: an index may name it, or links to it, 50,000 times
    for part in dict.fromkeys(parts):
        yield Path(part), _parse(Path(part), read_start(part, MAX_BYTES + 1))


def _parse(file: Path, data: bytes) -> Document:
    document = read_document(file.name, data)
    if not document.kind or not document.whole:
        problems = [problem.message for problem in document.problems]
        why = f": {shown(problems[0], 500)}" if problems else ""
        raise OlderSitemapError(f"{shown(str(file), MAX_PATH)}: not a valid sitemap{why}.")
    return document
