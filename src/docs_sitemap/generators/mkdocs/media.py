"""Which files of the site a page shows or offers without including their text: images, downloads."""

from __future__ import annotations

import mimetypes
import posixpath
from typing import TYPE_CHECKING
from urllib.parse import unquote

from docs_sitemap.untrusted.html import embedded

if TYPE_CHECKING:
    from mkdocs.structure.files import Files
    from mkdocs.structure.pages import Page as MkDocsPage


def is_medium(name: str) -> bool:
    """Tell by its suffix whether a file is a picture, a sound, a film or a font: plugins read their sizes."""
    kind = mimetypes.guess_type(name)[0] or ""
    return kind.startswith(("image/", "audio/", "video/", "font/"))


class Media:
    """The files of a site that are no pages, by their places in the build output."""

    def __init__(self) -> None:
        self._paths: dict[str, str] = {}

    def know(self, files: Files) -> None:
        """Take the files of the build."""
        for file in files:
            if file.abs_src_path and not file.is_documentation_page():
                self._paths[file.dest_uri] = file.abs_src_path

    def shown(self, page: MkDocsPage, html: str) -> set[str]:
        """Return the absolute paths of those that the text of a page leads to."""
        folder = posixpath.dirname(page.file.dest_uri)
        names = {unquote(found) for found in embedded(html.encode("utf-8", "surrogateescape"))}
        places = {posixpath.normpath(posixpath.join(folder, name)) for name in names}
        return {self._paths[place] for place in places & self._paths.keys()}
