"""Find the files of the site itself: HTML in docs_dir, which MkDocs copies, and files in place of ours.

MkDocs does not treat the copied HTML as pages. Such a file is for readers if it is in the navigation or is
the home page. Others may be parts of something else, such as frames or reports, and are listed only if a
rule asks for it.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Final

from docs_sitemap import urls
from docs_sitemap.brief import text_of
from docs_sitemap.pages import NOT_FOUND, Own, Page
from docs_sitemap.untrusted.html import read_heading

if TYPE_CHECKING:
    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure import StructureItem
    from mkdocs.structure.files import File, Files
    from mkdocs.structure.nav import Navigation

COPIED: Final = "HTML of docs_dir"

CUSTOM: Final = "the theme's custom_dir"

_NOWHERE: Final = "https://docs.invalid/"
"""A placeholder for a missing site URL, so that links can be compared."""


def own_files(files: Files, config: MkDocsConfig) -> Own:
    """Return a function that gives the origin of the site's own files in the build output."""
    published = {file.dest_uri for file in files if _is_included(file)}

    def own(name: str) -> str:
        if name in config.theme.static_templates and is_custom(name, config):
            return CUSTOM
        return "docs_dir" if name in published else ""

    return own


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
    for file in files:
        if _is_html(file) and file.dest_uri not in taken and file.abs_src_path:
            yield _page(file, _is_for_readers(file, links, config))


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


def _page(file: File, is_for_readers: bool) -> Page:
    published = Path(file.abs_dest_path)
    title = file.page.title if file.page is not None else None
    return Page(
        url=file.url.removeprefix("./"),
        source=Path(file.abs_src_path or ""),
        source_path=file.src_uri,
        file=published,
        unlisted=NOT_FOUND if file.dest_uri == "404.html" else "",
        optional="" if is_for_readers else COPIED,
        title=text_of(title) or read_heading(published),
    )


def _is_html(file: File) -> bool:
    is_html = file.src_uri.lower().endswith((".html", ".htm"))
    return is_html and _is_included(file) and file.generated_by is None


def _is_included(file: File) -> bool:
    is_included: bool = file.inclusion.is_included()  # type: ignore[no-untyped-call]  # MkDocs's
    return is_included


def _is_for_readers(file: File, links: set[str], config: MkDocsConfig) -> bool:
    """Tell whether a file is the home page, or is in the navigation, as a path or a link."""
    # MkDocs creates a page for any path in the navigation, but does not write it for these files
    is_named = file.page is not None or _address(file.url, config) in links
    return is_named or file.dest_uri == "index.html"


def _links(items: Iterable[StructureItem]) -> Iterator[str]:
    for item in items:
        if item.is_link:
            yield item.url  # type: ignore[attr-defined]  # of a Link
        yield from _links(getattr(item, "children", None) or ())


def _address(link: str, config: MkDocsConfig) -> str:
    return urls.comparable(urls.absolute(config.site_url or _NOWHERE, link) or link)
