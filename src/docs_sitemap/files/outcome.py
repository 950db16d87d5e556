"""The result for a site, which every adapter gets."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from docs_sitemap.dates import Dated
from docs_sitemap.notices import Notice
from docs_sitemap.pages import Files, Url


@dataclass(slots=True)
class Report:
    """The entries of a site, the pages left out by reason, the files written, and the notices.

    ``urls`` are sorted by URL. ``left_out`` counts pages by reason, in words for people. ``written`` are
    the names of the replaced files, relative to the build output, with ``/``; files that already had the
    same bytes are not included. ``notices`` are for the host to show: a script prints their ``text``.
    ``base_url`` is the site's URL, encoded and with a trailing ``/``, or empty. ``dated`` has the entries
    whose dates come from git, with their files and the answer. ``files`` is how many entries are no pages.
    """

    urls: list[Url] = field(default_factory=list)
    left_out: Counter[str] = field(default_factory=Counter)
    written: list[str] = field(default_factory=list)
    notices: list[Notice] = field(default_factory=list)
    base_url: str = ""
    dated: list[tuple[Url, Files, Dated]] = field(default_factory=list)
    files: int = 0
