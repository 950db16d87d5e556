"""A page as reported by its generator, a host as reported by its adapter, and originals of what is copied."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Final, NamedTuple

from docs_sitemap.errors import OptionError
from docs_sitemap.options.declarations import Options, Spell
from docs_sitemap.options.page_settings import NO_SETTINGS, PageSettings
from docs_sitemap.readers.files import real_path
from docs_sitemap.readers.html import Head
from docs_sitemap.text import show_value

SOURCE_SUFFIXES: Final = (
    *(".md", ".markdown", ".mdx", ".rst", ".txt", ".ipynb", ".adoc", ".asciidoc", ".org"),
    *(".qmd", ".rmd", ".typ"),
)
"""The suffixes of the sources that generators make pages of, in lower case, the most likely first."""


@dataclass(frozen=True, slots=True)
class Host:
    """What an adapter reports about its generator; a script without a generator needs no values.

    ``base_url`` is the generator's own setting for the site's URL, as the user wrote it, and
    ``base_url_option`` is the name of that setting; ``spell`` returns an option as this host spells it;
    relative paths in the host's configuration start from ``folder``. ``title`` and ``language`` (as the host
    writes it) are the site's, for feeds. ``reads_urls`` is the name of a sitemap from which the theme reads
    URLs in the browser, so that it must be no index. ``folders`` says how to build each page as the index of
    a folder, ``noindex`` how pages keep search engines out. ``versions_by`` names the tool that publishes
    this version of the site beside others. ``has_notes`` is whether ``docs-sitemap explain`` knows the pages
    of its last build; to it, ``file`` tells where options stand, if ``spell`` does not.

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
    reads_urls: str = ""
    folders: str = "build each page as the index.html of a folder of its own"
    noindex: str = (
        'let the template write <meta name="robots" content="noindex"> into the heads of these pages'
    )
    versions_by: str = ""
    has_notes: bool = False
    file: str = ""


NO_HOST = Host()
"""Options keep their names, and relative paths start from the working folder."""


class Originals:
    """The originals of copied files and folders: ``places`` has those of the absolute paths of copies.

    Of several copied folders around a file, the nearest counts. A link counts as what it leads to. With
    ``*.md`` as the last part, a file below that folder is a copy if there is an original: ``*.ipynb`` there.
    """

    def __init__(self, places: Mapping[str, str]) -> None:
        self.places: dict[str, str] = {real_path(copy): original for copy, original in places.items()}

    def find(self, path: Path) -> Path:
        """Return a file's original, which may not exist, or ``path`` itself if it is no copy."""
        if not self.places:
            return path
        real = Path(real_path(path))
        for place in (real, *real.parents):
            below = real.relative_to(place)
            made = self.places.get(str(place / f"*{real.suffix}"), "")
            start, _, ending = made.rpartition("*")
            if made and os.path.isfile(file := f"{start}{below.with_suffix(ending)}"):
                return Path(file)
            if original := self.places.get(str(place)):
                return Path(original, below)
        return path

    def of(self, path: str | os.PathLike[str]) -> str:
        """Return the path without links of a file's original, or of the file itself."""
        return real_path(self.find(Path(path)))


def originals_of(options: Options, host: Host) -> Originals:
    """Return the originals that ``source_map`` names, where paths start from the host's folder.

    Raises ``OptionError`` if there is no such file or folder.
    """
    for copy, original in options.source_map:
        if not os.path.exists(host.folder / (os.path.dirname(original) if "*" in original else original)):
            got, name = show_value(f"{copy}={original}"), host.spell("source_map")
            raise OptionError(f"{name}: expected a path that exists in {host.folder.absolute()}, got {got}.")
    pairs = ([os.path.abspath(host.folder / path) for path in pair] for pair in options.source_map)
    return Originals(dict(pairs))


_NO_ORIGINAL: Final = "copied, by source_map, from a file that is not there"
_CORRECT: Final = "correct `source_map`, or name `sources` in a rule for what is made and not copied"


class Undated(NamedTuple):
    """Why one or many pages have no date, what that is about for one, and the fix, if anything is wrong."""

    why: str
    example: str = ""
    cure: str = ""

    def __str__(self) -> str:
        """Return all of it, as ``explain`` shows it."""
        example, cure = self.example and f" ({self.example})", self.cure and f": {self.cure}"
        return f"{self.why}{example}{cure}"


class Files(NamedTuple):
    """The files that make a page: its source, and all others.

    ``source`` is ``None`` for a page without a source: then only the others count. A page whose source has no
    date has no date either, unless ``has_named`` is true: then its settings name files for its date.
    ``evidence`` explains how the others are known to belong to the page, ``undated`` why it has no file, or
    its source no date. ``copies`` has those that the build has read, by their originals, which are among
    these files; evidence is about the copies.
    """

    source: Path | None
    others: tuple[Path, ...] = ()
    has_named: bool = False
    evidence: Mapping[Path, str] = MappingProxyType({})
    copies: Mapping[Path, Path] = MappingProxyType({})
    undated: Undated | None = None

    def all(self) -> tuple[Path, ...]:
        """Return all files, the source first."""
        return (self.source, *self.others) if self.source else self.others

    def how(self, path: Path) -> str:
        """Return how a file is known to belong to the page."""
        copy = self.copies.get(path)
        if path == self.source:
            return f"{copy} is a copy of it (source_map)" if copy else "the page is written in it"
        known = self.evidence.get(copy or path) or "the page or a rule names it as sources"
        return f"{known}, copied to {copy} (source_map)" if copy else known

    def with_originals(self, originals: Originals) -> Files:
        """Return the files with originals in place of copies."""
        found = {path: originals.find(path) for path in self.all()}
        copies = {original: path for path, original in found.items() if original is not path}
        source, undated = found[self.source] if self.source else None, self.undated
        if source in copies:
            undated = None if source.is_file() else Undated(_NO_ORIGINAL, str(source), _CORRECT)
        others = tuple(found[path] for path in self.others)
        return self._replace(source=source, others=others, copies=copies, undated=undated)


Own = Callable[[str], str]
"""Returns the origin of the author's own file with this name in the build output, or ``""``."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """One published page.

    ``url`` is its path below the base URL without a leading slash, as the generator links to it;
    characters that are not percent-encoded are encoded later. ``source`` is the file that the page is
    written in, and ``sources`` are other files that its own settings name; ``dependencies`` are the
    files whose text it includes, ``media`` the images and downloads; ``evidence`` explains
    how such a file is known to be part of the page, for messages.
    ``source_path`` is the source relative to the documentation folder, with ``/``, for patterns.

    If ``datable`` is false, it is not known which files make the page: then only a date that its author
    wrote counts. ``undated`` explains why there is none, or no source, for messages.

    ``created`` is when its author says that it was created, in W3C Datetime; ``git`` for the commit that
    added the source, and ``none`` if it is not to be said.

    ``file`` is the published HTML: if given, its head decides about noindex and canonical. ``head`` is what
    that says, from a generator that has read it already.
    ``canonical`` is the URL that the generator itself gives the page. ``unlisted`` is the reason why the
    generator's own rules exclude the page, or empty; after ``: ``, the setting that says so, as written;
    ``optional`` is the reason why the page is listed only if a rule or the page itself asks for it, or empty.

    ``alternates`` are the page's versions in all languages, including its own: language codes
    and absolute URLs; ``absent`` are the codes of ``languages`` that are known not to list it.
    ``images`` are absolute URLs, or URL paths from the base URL; if empty, the images in ``file`` are
    used. ``more_images`` are absolute URLs that are listed in any case. ``title`` and ``summary`` are plain
    text, for feeds. ``is_file`` marks a published file that is no page, such as a PDF.

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
    undated: Undated | None = None
    created: str = "git"
    settings: PageSettings = NO_SETTINGS
    file: Path | None = None
    head: Head | None = None
    canonical: str | None = None
    unlisted: str = ""
    optional: str = ""
    alternates: tuple[tuple[str, str], ...] = ()
    absent: frozenset[str] = frozenset()
    images: tuple[str, ...] = ()
    more_images: tuple[str, ...] = ()
    is_taken: bool = False
    title: str = ""
    summary: str = ""
    is_file: bool = False

    @property
    def key(self) -> tuple[str, str | None]:
        """What tells the page from all others of its site: several can claim the same URL."""
        return self.url, self.source_path

    def files(
        self,
        dependencies: str = "text",
        settings: PageSettings = NO_SETTINGS,
        originals: Originals | None = None,
    ) -> Files:
        """Return the files that make the page; ``dependencies`` is ``text``, ``all``, or ``none``.

        ``none`` leaves the source and the files that settings name. ``settings`` are the page's and the
        rules'; ``sources`` of rules count only if the page names none. ``not_sources``, absolute paths, are
        removed; ``originals`` finds those of all pages: a copy counts as its original.
        """
        if not self.datable:
            return Files(None, undated=self.undated)
        included = () if dependencies == "none" else self.dependencies
        media = self.media if dependencies == "all" else ()
        originals = originals or Originals({})
        find = originals.of
        without = {each for name in settings.not_sources for each in (os.path.abspath(name), find(name))}
        found = [
            path
            for path in (*included, *media)
            if not without or without.isdisjoint((os.path.abspath(path), find(path)))
        ]
        # the page's own sources may be files that do not exist
        has_own = self.sources or self.settings.sources
        named = self.sources if has_own else tuple(map(Path, settings.sources))
        files = Files(self.source, (*named, *found), bool(named), self.evidence, undated=self.undated)
        return files.with_originals(originals) if originals.places else files
