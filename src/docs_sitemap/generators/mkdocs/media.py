"""Find the images and downloads of a page: files that it uses without including their text."""

from __future__ import annotations

import posixpath
from typing import TYPE_CHECKING

from docs_sitemap.untrusted.html import embedded
from docs_sitemap.urls import decoded

if TYPE_CHECKING:
    from mkdocs.structure.files import Files
    from mkdocs.structure.pages import Page as MkDocsPage


class Media:
    """The files of a site that are not pages, by their paths in the build output."""

    def __init__(self) -> None:
        self._paths: dict[str, str] = {}

    def know(self, files: Files) -> None:
        """Add the files of the build."""
        for file in files:
            if file.abs_src_path and not file.is_documentation_page():
                self._paths[file.dest_uri] = file.abs_src_path

    def shown(self, page: MkDocsPage, html: str) -> set[str]:
        """Return the absolute paths of the files that a page's text links to."""
        folder = posixpath.dirname(page.file.dest_uri)
        # not strictly: data from other plugins may have lone surrogates, which no file name has
        names = {decoded(found) for found in embedded(html.encode("utf-8", "replace"))}
        # not all at once: a page may have a hundred thousand links, and each place a long path
        places = (posixpath.normpath(posixpath.join(folder, name)) for name in names)
        return {self._paths[place] for place in places if place in self._paths}
