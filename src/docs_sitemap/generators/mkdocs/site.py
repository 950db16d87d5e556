"""Convert the pages of a build, and files of the site itself, to ``Page`` records.

MkDocs copies HTML in docs_dir and does not treat it as pages. Such a file is for readers if it is in the
navigation, a page links to it, or it is the home page. Others may be parts of something else, such as
frames or reports, and are listed only if a rule asks for it.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from mkdocs.utils.meta import YAML_RE, get_data

from docs_sitemap import urls
from docs_sitemap.dates.installed import Installed
from docs_sitemap.dates.site_dates import Dates
from docs_sitemap.generators.mkdocs.build import originals, plugins_by_name
from docs_sitemap.generators.mkdocs.includes import Includes
from docs_sitemap.limits import MAX_FRONT_MATTER, MAX_PAGE, MAX_STUB
from docs_sitemap.notices import Notice
from docs_sitemap.options.page_settings import creation_in, read_metadata
from docs_sitemap.pages.page import Page, Undated
from docs_sitemap.pages.selection import NOT_FOUND, REDIRECT, UNTRANSLATED, hidden_by
from docs_sitemap.readers.data import read_yaml
from docs_sitemap.readers.files import read_start
from docs_sitemap.readers.html import refresh_in, unescape
from docs_sitemap.readers.page_parts import hrefs, read_heading
from docs_sitemap.text import text_of

if TYPE_CHECKING:
    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure import StructureItem
    from mkdocs.structure.files import File, Files
    from mkdocs.structure.nav import Navigation
    from mkdocs.structure.pages import Page as MkDocsPage

COPIED: Final = "HTML of docs_dir"

CUSTOM: Final = "the theme's custom_dir"

_NOWHERE: Final = "https://docs.invalid/"
"""A placeholder for a missing site URL, so that links can be compared."""


def origin_of(files: Files, config: MkDocsConfig, name: str) -> str:
    """Return where the site's own file with this name in the build output comes from, or ``""``."""
    if name in config.theme.static_templates and is_custom(name, config):
        return CUSTOM
    return "docs_dir" if any(file.dest_uri == name and _is_included(file) for file in files) else ""


def is_custom(name: str, config: MkDocsConfig) -> bool:
    """Tell whether a template is the site's own."""
    custom_dir = config.theme.custom_dir
    return custom_dir is not None and Path(custom_dir, name).is_file()


def linked(nav: Navigation, config: MkDocsConfig) -> set[str]:
    """Return the targets of the links in a navigation, as comparable URLs."""
    return {_address(link, config) for link in _links(nav.items)}


def copied(files: Files, links: set[str], config: MkDocsConfig) -> Iterator[Page]:
    """Yield the HTML files that no page or template overwrites; ``links`` is the result of ``linked``."""
    taken = {file.dest_uri for file in files.documentation_pages()}
    taken |= {*config.theme.static_templates, *config.extra_templates}
    on_pages = cache(lambda: _linked_on_pages(files, config))
    for file in files:
        if not _is_html(file) or file.dest_uri in taken or not file.abs_src_path:
            continue
        # MkDocs creates a page for any path in the navigation, but does not write it for these files
        is_named = file.page is not None or file.dest_uri == "index.html"
        address = _address(file.url, config)
        is_for_readers = is_named or address in links or address in on_pages()
        output = Path(file.abs_dest_path)
        title = file.page.title if file.page is not None else None
        yield Page(
            url=file.url.removeprefix("./"),
            source=Path(file.abs_src_path),
            source_path=file.src_uri,
            file=output,
            unlisted=NOT_FOUND if file.dest_uri == "404.html" else "",
            optional="" if is_for_readers else COPIED,
            title=text_of(title) or read_heading(output),
        )


def _linked_on_pages(files: Files, config: MkDocsConfig) -> set[str]:
    """Return the targets of the links on pages, as comparable URLs."""
    found = set()
    for file in files.documentation_pages():
        with suppress(OSError):  # it is not built
            place = urls.absolute(config.site_url or _NOWHERE, file.url) or _NOWHERE
            for href in hrefs(read_start(Path(file.abs_dest_path), MAX_PAGE)):
                link = unescape(href.decode("utf-8", "replace").strip("\"'"))
                found.add(urls.comparable(urls.absolute(place, link) or ""))
    return found


def other_files(files: Files, config: MkDocsConfig) -> Iterator[Page]:
    """Yield all files that are published as they are, but for HTML and those of the theme."""
    themes = [os.path.join(folder, "") for folder in config.theme.dirs]
    for file in files:
        source = file.abs_src_path
        if file.is_documentation_page() or _is_html(file) or not _is_included(file):
            continue
        if not source or not source.startswith(tuple(themes)):
            place = Path(source) if source and file.generated_by is None else None
            yield Page(
                url=file.url.removeprefix("./"),
                source=place,
                source_path=file.src_uri,
                title=file.src_uri.rpartition("/")[2],
            )


def _is_html(file: File) -> bool:
    return urls.is_html(file.src_uri) and _is_included(file) and file.generated_by is None


def _is_included(file: File) -> bool:
    is_included: bool = file.inclusion.is_included()  # type: ignore[no-untyped-call]  # MkDocs's
    return is_included


def _links(items: Iterable[StructureItem]) -> Iterator[str]:
    for item in items:
        if item.is_link:
            yield item.url  # type: ignore[attr-defined]  # of a Link
        yield from _links(getattr(item, "children", None) or ())


def _address(link: str, config: MkDocsConfig) -> str:
    return urls.comparable(urls.absolute(config.site_url or _NOWHERE, link) or link)


_NOT_BUILT: Final = Undated(
    "not built by this --dirty build, and their included files are unknown or have changed",
    cure="build once without --dirty",
)
_IMPORTED: Final = "imported by mkdocs-multirepo without its history"
_OF_OTHERS: Final = "excerpts or a list of other pages, which change with each of these"


def published(files: Files) -> list[MkDocsPage]:
    """Return the pages of the site, without drafts, even while serving."""
    return [file.page for file in files.documentation_pages() if file.page is not None]


class Site:
    """The pages of a build."""

    def __init__(self, config: MkDocsConfig, includes: Includes | None) -> None:
        self._docs_dir = Path(config.docs_dir)
        self._includes = includes
        self._originals = originals(config)
        self._listings = _tag_listings(config)
        self.notices: list[Notice] = []  # mistakes in the settings of pages
        self._installed = Installed(self._docs_dir)

    def pages(self, files: Files, written: Mapping[str, MkDocsPage]) -> Iterator[tuple[MkDocsPage, Page]]:
        """Yield a record for each URL; ``written`` has the page that was written last to each file.

        If several pages have the same URL and the published one is unknown, the record has no date.
        """
        twins: dict[str, list[MkDocsPage]] = {}
        for page in published(files):
            twins.setdefault(page.file.abs_dest_path, []).append(page)
        for dest, pages in twins.items():
            if last := self._last(pages, written.get(dest)):
                yield last, self.page(last)
            else:
                unknown = self.page(pages[-1])
                undated = Undated("several sources have its URL", unknown.url, _NOT_BUILT.cure)
                title = read_heading(Path(dest))
                yield pages[-1], replace(unknown, datable=False, undated=undated, title=title)

    def _last(self, pages: list[MkDocsPage], written: MkDocsPage | None) -> MkDocsPage | None:
        """Return the published page of those with the same URL, or ``None`` if it is unknown.

        A ``--dirty`` build may have written none of them. Then it is the only page in the notes: an earlier
        build stored only the published one.
        """
        if len(pages) == 1:
            return pages[0]
        known = [page for page in pages if page is written]
        if not known and self._includes:
            known = [page for page in pages if self._includes.front_matter(page) is not None]
        return known[0] if len(known) == 1 else None

    def page(self, page: MkDocsPage) -> Page:
        """Return the record of a published page."""
        file = page.file
        noted = self._includes.front_matter(page) if self._includes else None
        meta = _front_matter(page) if noted is None else noted
        settings, sources, notices = read_metadata(meta, file.src_uri, self._docs_dir)
        self.notices += notices
        included = self._includes.of(page) if self._includes else {}
        found, undated = self._installed.originals(included or {})
        if included is None:
            undated = _NOT_BUILT._replace(example=file.src_uri)
        if page in self._listings or _is_view(page):
            undated = Undated(_OF_OTHERS, page.url)
        return Page(
            url=page.url,
            source=self._source(file),
            source_path=file.src_uri,
            sources=sources,
            dependencies=tuple(found),
            evidence=found,
            datable=undated is None,
            created=creation_in(meta),
            undated=undated or _imported(file),
            settings=settings,
            file=Path(file.abs_dest_path),
            canonical=page.canonical_url,
            unlisted=_unlisted(page, meta),
            optional=UNTRANSLATED if _is_fallback(file) else "",
            alternates=tuple(_translations(file)),
            title=_title(page, meta),
            summary=text_of(meta.get("description")),
        )

    def _source(self, file: File) -> Path | None:
        """Return the source file of a page, or ``None`` for a page that a plugin generates.

        A page whose text a plugin replaced (``content_string``) has no ``abs_src_path``, but its source
        still exists.
        """
        if file.generated_by is not None or file.src_dir is None:
            return None
        source = Path(file.src_dir, file.src_uri)
        if original := self._originals.get(str(source)):
            return Path(original)
        if _imported(file):
            return source  # it may be removed by now
        if not source.is_relative_to(self._docs_dir) and _is_temporary(source):
            return None  # plugins put generated files there without marking them
        return source if source.is_file() else None


def show_dates(pages: Iterable[MkDocsPage], dates: Iterable[Dates], language: str) -> None:
    """Give themes the dates of pages; ``language`` is that of the theme.

    A page without a date keeps MkDocs's own, which must not be ``None``.
    """
    from docs_sitemap.files.page_elements import CREATED_KEY, DATE_KEY, show_date

    for page, (date, created) in zip(pages, dates, strict=True):
        page.meta.pop(DATE_KEY, None)
        page.meta.pop(CREATED_KEY, None)
        if date is not None:
            page.update_date = date[:10]  # a day, as in MkDocs 1.6
            show_date(page.meta, date, language, created, _shown_elsewhere(page))


def _shown_elsewhere(page: MkDocsPage) -> Collection[str]:
    """Return which of ``created`` and ``updated`` are beside a post of Material's blog (9.2 to 9.8)."""
    date = getattr(getattr(page, "config", None), "date", None)
    return [name for name in ("created", "updated") if date.get(name)] if isinstance(date, Mapping) else []


def _is_view(page: MkDocsPage) -> bool:
    """Tell whether a page shows excerpts of a blog's posts, by Material's plugin blog (9.2 to 9.8)."""
    kinds = [(kind.__module__, kind.__name__) for kind in type(page).__mro__]
    return ("material.plugins.blog.structure", "View") in kinds


def _tag_listings(config: MkDocsConfig) -> list[MkDocsPage]:
    """Return the pages that list others by their tags, by Material's plugin tags (9.2 to 9.8)."""
    found: list[MkDocsPage] = []
    for name, plugin in plugins_by_name(config):
        with suppress(Exception):  # errors of other plugins
            if name == "tags":
                tags_file = getattr(plugin, "tags_file", None)  # up to 9.5
                found += [tags_file.page] if tags_file else [listing.page for listing in plugin.listings]
    return found


def _imported(file: File) -> Undated | None:
    """Return why a page of another repository has no date: mkdocs-multirepo (0.8) copies no history."""
    is_imported = type(getattr(file, "repo", None)).__module__ == "mkdocs_multirepo_plugin.structure"
    cure = "name a checkout of its repository in `source_map`"
    return Undated(_IMPORTED, file.src_uri, cure) if is_imported else None


def _is_temporary(source: Path) -> bool:
    """Tell whether a file is in the temporary folder, but not in a git work tree there."""
    temporary = Path(tempfile.gettempdir())
    if not source.is_relative_to(temporary):
        return False
    folders = source.relative_to(temporary).parents
    return not any((temporary / folder / ".git").exists() for folder in folders if folder.name)


def _is_fallback(file: File) -> bool:
    """Tell whether mkdocs-static-i18n (1.3) publishes a page as an untranslated copy."""
    locale = getattr(file, "locale", None)
    return locale != getattr(file, "locale_alternate_of", locale)


def _translations(file: File) -> Iterator[tuple[str, str]]:
    """Yield a page's language versions by mkdocs-static-i18n, including the page itself."""
    alternates: Mapping[str, File] = getattr(file, "alternates", None) or {}
    for language, other in alternates.items():
        if getattr(other, "locale", None) == language:
            yield language, other.url.removeprefix("./")


def _front_matter(page: MkDocsPage) -> Mapping[str, Any]:
    """Return a page's front matter, which a ``--dirty`` build has not read for unmodified pages.

    Empty if it cannot be read, or does not end within ``MAX_FRONT_MATTER``: MkDocs itself reads such a page
    only to build it.
    """
    if page.markdown is not None:
        return page.meta
    try:
        if page.file.abs_src_path:
            text = read_start(page.file.abs_src_path, MAX_FRONT_MATTER).decode("utf-8-sig", "replace")
            text = text.replace("\r\n", "\n").replace("\r", "\n")  # as MkDocs reads it
        else:  # a plugin made it
            text = page.file.content_string[:MAX_FRONT_MATTER]
        found = YAML_RE.match(text)
        values = read_yaml(found[1]) if found else get_data(text)[1]
    except (OSError, ValueError):
        return {}
    return values if isinstance(values, dict) else {}


def _title(page: MkDocsPage, meta: Mapping[str, Any]) -> str:
    """Return the page's title; if a ``--dirty`` build has not read the page, its published heading."""
    written = text_of(meta.get("title"))
    title = text_of(page.title) or written
    if not title:
        return read_heading(Path(page.file.abs_dest_path))
    # titles from headings are HTML; titles from the nav or front matter are not
    is_html = title == getattr(page, "_title_from_render", None) and title != written
    return unescape(title) if is_html else title


def _unlisted(page: MkDocsPage, meta: Mapping[str, Any]) -> str:
    """Return why the page's settings, URL or text exclude it; empty if they do not."""
    if page.url in ("404.html", "404/"):
        return NOT_FOUND
    if hidden := hidden_by(meta):
        return hidden
    text = page.content or ""  # not the themed file, which is longer
    return REDIRECT if len(text) < MAX_STUB and refresh_in(text.encode("utf-8", "replace")) else ""
