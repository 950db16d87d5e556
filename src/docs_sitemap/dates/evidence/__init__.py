"""Finds the files that make a Markdown page: files that plugins read, files that it names, plugins' results.

Knows extensions of Markdown and plugins that put text into pages, each in its own module, but no
generator: callers know which page is being made. Nothing here compares the text of pages and files.
"""

from __future__ import annotations

import mimetypes
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final

from docs_sitemap.dates.evidence.named import watch_mkautodoc, watch_mkdocs_click, watch_mkdocstrings
from docs_sitemap.dates.evidence.reads import Observer, Tell

_OF_EXTENSIONS: Final = (watch_mkautodoc, watch_mkdocs_click)

_INCLUDERS: Final = (
    "pymdownx.snippets",  # 10.0 to 13.1
    "mkdocs_include_markdown_plugin.",  # 6.0 to 7.3
    "mkdocs_macros.",  # 1.0 to 1.5: through Jinja, by {% include %} and {% import %}
    "markdown_include.",  # 0.8
    "markdown_include_variants.",  # 0.0.4
    "mdx_include.",  # 1.4
    "mkdocs_table_reader_plugin.",  # 3.0 to 4.0: read_raw, which may read a page
    "zensical.extensions.table_reader.",  # 0.0.73 to 0.1: the same
)


def is_includer(reader: str) -> bool:
    """Return whether a module reads files only to put their text into the current page.

    Such a module reads the file again for each page.
    """
    return f"{reader}.".startswith(_INCLUDERS)


def texts_read(read: Mapping[str, str], is_other: Callable[[str], bool]) -> dict[str, str]:
    """Return the files that are part of a page, of those ``read`` for it, with the evidence for each.

    ``read`` has the module that read each file. ``is_other`` tells whether the file may be read for something
    else than the text of this page: that counts, unless the module only reads for the current page.
    """
    return {
        name: f"{by} reads it while the page is built"
        for name, by in read.items()
        if is_includer(by) or not is_other(name)
    }


def is_medium(name: str) -> bool:
    """Tell by its suffix whether a file is an image, audio, video or font; plugins read their sizes."""
    kind = mimetypes.guess_type(name)[0] or ""
    return kind.startswith(("image/", "audio/", "video/", "font/"))


def watch_all(plugins: Iterable[tuple[str, Any]], observer: Observer, tell: Tell) -> None:
    """Watch the plugins of a build, given by name; ``tell`` is called while a page is made."""
    for name, plugin in plugins:
        if name == "mkdocstrings":
            watch_mkdocstrings(plugin, observer, tell)
        elif name == "macros":
            from docs_sitemap.dates.evidence.macros import watch_macros  # most sites have none

            watch_macros(plugin, observer, tell)
    for watch in _OF_EXTENSIONS:
        watch(observer, tell)
