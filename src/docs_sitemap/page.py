"""One page as a generator tells it, and one host as its adapter tells it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from docs_sitemap.options import Spell


@dataclass(frozen=True, slots=True)
class Host:
    """What an adapter says about its generator.

    ``base_url`` is the generator's own idea of the site's address, as its user wrote it under
    the name ``base_url_option``; ``spell`` is how this host spells an option of ours; ``folder``
    is the one that relative paths in its configuration start from.
    """

    base_url: str | None
    base_url_option: str
    spell: Spell
    folder: Path = Path()


@dataclass(frozen=True, slots=True)
class OwnSitemap:
    """A sitemap that the site's author put there: its name in the build output, and whence it comes."""

    name: str
    where: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PageSettings:
    """What a page's own front matter or metadata says about its place in the sitemap."""

    exclude: bool = False
    lastmod: str | None = None
    changefreq: str | None = None
    priority: float | None = None
    sources: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """One published page.

    ``url`` is its path below the base URL without a leading slash, as the generator links to it;
    what is not percent-encoded yet is encoded later, once. ``source`` is the file that it is
    written in, ``dependencies`` are further files that make it; ``source_path`` is the source
    below the documentation folder, with ``/``, for patterns. ``file`` is the published HTML:
    where given, its head decides about noindex and canonical. ``canonical`` is the address that
    the generator itself gives the page. ``unlisted`` says why the generator's own rules keep the
    page out, and is empty where they do not.
    """

    url: str
    source: Path | None = None
    source_path: str | None = None
    dependencies: tuple[Path, ...] = ()
    settings: PageSettings = PageSettings()
    file: Path | None = None
    canonical: str | None = None
    unlisted: str = ""
