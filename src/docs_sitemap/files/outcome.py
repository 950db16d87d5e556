"""What became of a site: the one answer that every adapter gets."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from docs_sitemap.dates import Dated
from docs_sitemap.notices import Notice
from docs_sitemap.pages import Files, Url


@dataclass(slots=True)
class Report:
    """The entries of a site, its pages left out by reason, the files written, and what to tell.

    ``urls`` are sorted by address. ``left_out`` counts pages by reason, in words for people. ``written``
    are the names, below the build output and with ``/``, of files that were replaced: those that had the
    same bytes already are not among them. ``notices`` are for the host to show: a script prints their
    ``text``. ``base_url`` is the site's address, encoded and with ``/`` at its end, or empty; ``dated`` has
    the entries whose date git was to give, with the files that make them and the answer.
    """

    urls: list[Url] = field(default_factory=list)
    left_out: Counter[str] = field(default_factory=Counter)
    written: list[str] = field(default_factory=list)
    notices: list[Notice] = field(default_factory=list)
    base_url: str = ""
    dated: list[tuple[Url, Files, Dated]] = field(default_factory=list)
