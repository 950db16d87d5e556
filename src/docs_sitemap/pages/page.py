"""One page as a generator tells it, and one host as its adapter tells it."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

from docs_sitemap.options import NO_SETTINGS, PageSettings, Spell


@dataclass(frozen=True, slots=True)
class Host:
    """What an adapter says about its generator; a script that has none needs to say nothing.

    ``base_url`` is the generator's own idea of the site's address, as its user wrote it under
    the name ``base_url_option``; ``spell`` is how this host spells an option of ours; ``folder``
    is the one that relative paths in its configuration start from. ``title`` and ``language`` (as
    the host writes it) are the site's, for feeds.

    >>> host = Host("https://example.org/", "site_url", lambda name: f"sitemap_{name}")
    >>> host.spell("max_urls")
    'sitemap_max_urls'
    """

    base_url: str | None = None
    base_url_option: str = "base_url"
    spell: Spell = str
    folder: Path = Path()
    title: str = ""
    language: str = ""


NO_HOST = Host()
"""Options are called by their own names, and relative paths start from the working folder."""


class Files(NamedTuple):
    """The files that make a page: the one that it is written in, and all others.

    ``source`` is ``None`` for a page that is written in no file: then only the others count. A page whose
    source has no date has none either, unless ``has_named`` says that its settings name files for that.
    ``evidence`` says of the others how they are known to belong to the page.
    """

    source: Path | None
    others: tuple[Path, ...] = ()
    has_named: bool = False
    evidence: Mapping[Path, str] = MappingProxyType({})

    def all(self) -> tuple[Path, ...]:
        """Return both, the source first."""
        return (self.source, *self.others) if self.source else self.others

    def how(self, path: Path) -> str:
        """Return how one of them is known to belong to the page."""
        if path == self.source:
            return "the page is written in it"
        return self.evidence.get(path) or "the page or a rule names it as sources"


Own = Callable[[str], str]
"""Says where a file of the site's author comes from that has this name in the build output, or ``""``."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """One published page.

    ``url`` is its path below the base URL without a leading slash, as the generator links to it;
    what is not percent-encoded yet is encoded later, once. ``source`` is the file that it is
    written in, and ``sources`` are those that its own settings name as well; ``dependencies`` are the
    files whose text it includes, ``media`` those that it shows or offers otherwise; ``evidence`` says
    how such a file is known to be part of the page, for people.
    ``source_path`` is the source below the documentation folder, with ``/``, for patterns.

    Without ``datable`` it is not known which files make the page: then only a date by hand counts, and
    ``undated`` says why, for people.

    ``file`` is the published HTML: where given, its head decides about noindex and canonical.
    ``canonical`` is the address that the generator itself gives the page. ``unlisted`` says why the
    generator's own rules keep the page out, and is empty where they do not; ``optional`` says why
    it is listed only where a rule or the page itself asks for that.

    ``alternates`` are the page's versions in all languages, its own among them: language codes
    and absolute URLs; ``absent`` are the codes of ``languages`` that are known not to list it.
    ``images`` are absolute URLs, or URL paths from the base URL; without any, those in
    ``file`` count. ``title`` and
    ``summary`` are plain text, for feeds.

    >>> page = Page(url="guide/", source=Path("docs/guide.md"), media=(Path("docs/map.png"),))
    >>> [path.name for path in page.files("all").all()]
    ['guide.md', 'map.png']
    """

    url: str
    source: Path | None = None
    source_path: str | None = None
    sources: tuple[Path, ...] = ()
    dependencies: tuple[Path, ...] = ()
    media: tuple[Path, ...] = ()
    evidence: Mapping[Path, str] = field(default_factory=dict, compare=False)
    datable: bool = True
    undated: str = ""
    settings: PageSettings = NO_SETTINGS
    file: Path | None = None
    canonical: str | None = None
    unlisted: str = ""
    optional: str = ""
    alternates: tuple[tuple[str, str], ...] = ()
    absent: frozenset[str] = frozenset()
    images: tuple[str, ...] = ()
    title: str = ""
    summary: str = ""

    def files(self, dependencies: str = "text", settings: PageSettings = NO_SETTINGS) -> Files:
        """Return the files that make the page: ``none`` beyond those it names, ``text``, or ``all``.

        ``settings`` are the page's and those of rules, whose ``sources`` count where it names none. Their
        ``not_sources``, absolute paths, are taken out.
        """
        if not self.datable:
            return Files(None)
        included = () if dependencies == "none" else self.dependencies
        media = self.media if dependencies == "all" else ()
        without = {
            find(name) for name in settings.not_sources for find in (os.path.abspath, os.path.realpath)
        }
        found = [
            path
            for path in (*included, *media)
            if not without or without.isdisjoint((os.path.abspath(path), os.path.realpath(path)))
        ]
        # a page's own may be files that are not there
        named = self.sources if self.sources or self.settings.sources else tuple(map(Path, settings.sources))
        return Files(self.source, (*named, *found), bool(named), self.evidence)
