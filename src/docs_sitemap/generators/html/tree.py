"""Convert a built tree of HTML files, from any generator, to ``Page`` records.

The page's head gives its properties, and its path gives the source: ``a/b/index.html`` is made from
``a/b.md``, or from ``a/b/index.md``. The top of the source has the page's settings.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from filecmp import cmp
from functools import cache, cached_property
from itertools import accumulate
from pathlib import Path
from typing import Any, Final

from docs_sitemap import urls
from docs_sitemap.generators.html.addresses import Addresses
from docs_sitemap.generators.html.known import OTHER
from docs_sitemap.generators.html.known.generator import read_front_matter
from docs_sitemap.generators.html.sources import Finder, Sources, why_no_source
from docs_sitemap.limits import MAX_PAGE, MAX_PATH, MAX_STUB
from docs_sitemap.notices import Notice, Subtype
from docs_sitemap.options.page_settings import CREATION_KEYS, creation_in, read_metadata
from docs_sitemap.pages.page import Page, Undated
from docs_sitemap.pages.previews import preview
from docs_sitemap.pages.selection import HIDING, MACHINE, NOT_FOUND, UNTRANSLATED, hidden_by
from docs_sitemap.pages.utility_pages import ERROR, INDEX, PRINT, SEARCH, SOURCE_CODE, machine_page
from docs_sitemap.readers.files import files_below, read_start
from docs_sitemap.readers.html import Head, read_head
from docs_sitemap.readers.page_parts import read_heading
from docs_sitemap.text import shorten

_REASONS: Final = {SEARCH: MACHINE, INDEX: MACHINE, SOURCE_CODE: "source code", PRINT: "print copy"}
"""Why utility pages are not listed, unless a rule asks for it; an error page is never listed."""

_COPY: Final = "copy of the home page"
_PREVIEW: Final = "preview"
_COPIED: Final = "HTML that no page links to"
_TEMPLATE: Final = "HTML of custom_dir"


class Tree:
    """A built site. ``addresses`` decides the URLs of its pages, ``sources`` finds their sources.

    Titles and summaries are read only ``with_titles``, because a title may be anywhere in a page, and
    creation dates in front matter only ``with_creations``. ``docs_dir`` is that of Zensical or MkDocs;
    ``is_template`` tells the files of a theme by their names: they are no pages, unless a rule asks for it.
    ``templates`` has those that make a page, with the evidence, by what its front matter names. ``undated``
    is why no page has a source.
    """

    def __init__(
        self,
        site_dir: Path,
        addresses: Addresses,
        sources: Finder | None,
        *,
        with_titles: bool = True,
        with_creations: bool = False,
        docs_dir: Path | None = None,
        is_template: Callable[[str], bool] = lambda name: False,
        templates: Callable[[object], Mapping[Path, str]] = lambda name: {},
        undated: Undated | None = None,
    ) -> None:
        self._site_dir = site_dir
        self._addresses = addresses
        self._with_titles = with_titles
        self._words = ("sitemap", "template", *HIDING, *(CREATION_KEYS if with_creations else ()))
        self._sources = sources
        self._known = sources if isinstance(sources, Sources) else None  # not those of a project
        self._docs_dir = docs_dir
        self._is_template = is_template
        self._templates = templates
        self._undated = undated
        self._copied = cache(self._is_copied)
        self._preview = cache(lambda folder: preview(folder, self._file))
        self._notices: dict[Notice, None] = {}  # each once, in order

    @property
    def notices(self) -> list[Notice]:
        """What is wrong in the sources of the pages so far, and what is known of their URLs."""
        return [*self._notices, *self._addresses.notices()]

    def pages(self) -> Iterator[Page]:
        """Yield every HTML file below the folder, sorted by name."""
        copies = self._copies_of_home()
        for name in files_below(self._site_dir):
            if urls.is_html(name):
                page = self._page(name)
                if name in copies:
                    page = replace(page, unlisted=page.unlisted or _COPY)
                if any(map(self._preview, accumulate(name.split("/")[:-1], "{}/{}".format))):
                    page = replace(page, optional=page.optional or _PREVIEW)
                source = self._sources.find(name) if self._sources else None
                if self._sources and source is None and name == "index.html" and len(copies) == 1:
                    source = self._sources.find(copies[0])
                if self._known and self._known.is_copy(name, self._site_dir / name, source):
                    page = replace(page, optional=page.optional or UNTRANSLATED)
                if self._copied(name) and name not in self._linked:
                    page = replace(page, optional=page.optional or _COPIED)
                if self._sources and source:
                    page = self._with_source(page, source, self._sources.folder)
                else:
                    page = replace(
                        page, undated=self._undated or why_no_source(self._sources, name, page.url)
                    )
                yield replace(page, optional=_TEMPLATE) if self._is_template(name) else page

    def _is_copied(self, name: str) -> bool:
        """Tell whether a file lies as it is with the sources: it may be a part of a page, such as a frame.

        Of a generator that is not known, all sources may be HTML.
        """
        source = self._docs_dir / name if self._docs_dir else None
        if not source and self._known and self._known.generator is not OTHER:
            source = self._known.find(name)
        if source is None or name == "index.html" or not source.is_file():
            return False
        return cmp(source, self._site_dir / name, shallow=False)

    @cached_property
    def _linked(self) -> set[str]:
        """The files to which pages link that the generator has made, so also those in the navigation."""
        pages = (name for name in files_below(self._site_dir) if urls.is_html(name))
        return self._addresses.linked(name for name in pages if not self._copied(name))

    def _file(self, name: str) -> Path | None:
        file = self._site_dir / name
        return file if file.is_file() else None

    def _copies_of_home(self) -> list[str]:
        """Return the first chapter of a book of mdBook, which is published as the home page, too."""
        home = self._site_dir / "index.html"
        if not home.is_file() or b"<!-- Book generated using mdBook -->" not in read_start(home, MAX_STUB):
            return []
        shown = _after_head(home)
        others = (file for file in self._site_dir.glob("*.html") if file != home and file.is_file())
        return [file.name for file in others if _after_head(file) == shown]

    def other_files(self, is_ours: Callable[[str], bool]) -> Iterator[Page]:
        """Yield all other files, without those that ``is_ours`` names, and those of the theme."""
        for name in files_below(self._site_dir):
            if not (urls.is_html(name) or is_ours(name) or self._is_template(name)):
                title = name.rpartition("/")[2] if self._with_titles else ""
                page = Page(url=urls.escape_name(name), title=title)
                source = self._sources.folder / name if self._sources else None
                if source and os.path.isfile(source) and not os.path.islink(source):
                    page = replace(page, source=source, source_path=name)
                yield page

    def _page(self, name: str) -> Page:
        file = self._site_dir / name
        found = read_head(file)
        head = found or Head()
        kind = machine_page(self._site_dir, name)
        return replace(
            self._addresses.page(name, head),
            file=file,
            head=found,
            unlisted=NOT_FOUND if kind == ERROR else "",
            optional=_REASONS.get(kind, ""),
            title=(read_heading(file) or head.title) if self._with_titles else "",
            summary=head.summary,
        )

    def _with_source(self, page: Page, source: Path, folder: Path) -> Page:
        """Return the page with its source and what that says; add notices of its mistakes."""
        metadata: Mapping[str, Any] = {}
        parts: Iterable[Path] = ()
        known = self._known
        try:
            words = (*self._words, *(known.generator.words if known else ()))
            metadata = read_front_matter(source, words)
            if known:
                metadata, parts = known.translate(source, metadata), known.parts(source)
        except ValueError as problem:
            where = shorten(os.fspath(source), MAX_PATH)
            text = f"{where}: cannot read the front matter: {problem}. It is ignored."
            self._notices[Notice("warning", Subtype.PAGE, text)] = None
        evidence = dict.fromkeys(parts, "the source names it as a part of the page")
        evidence |= self._templates(metadata.get("template"))
        settings, named, mistakes = read_metadata(metadata, str(source), folder)
        self._notices |= dict.fromkeys(mistakes)
        return replace(
            page,
            source=source,
            source_path=source.relative_to(folder).as_posix(),
            sources=named,
            dependencies=tuple(evidence),
            evidence=evidence,
            settings=settings,
            unlisted=page.unlisted or hidden_by(metadata),
            # in reStructuredText, `date` is often that of the last change
            created="git" if source.suffix == ".rst" else creation_in(metadata),
        )


def _after_head(file: Path) -> bytes:
    """Return what a page shows; its head may say where it is."""
    head, _, rest = read_start(file, MAX_PAGE).partition(b"</head>")
    return rest or head
