"""An honest sitemap.xml and robots.txt for every documentation site.

The public API, for scripts and other plugins, is ``__all__`` here and in ``docs_sitemap.history``. All
other modules are private, and so is each name that begins with ``_``.

Importing this package imports nothing else: each name is loaded when it is first used.
``setup`` loads the Sphinx extension only when Sphinx calls it, and MkDocs finds its plugin through
the ``mkdocs.plugins`` entry point.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sphinx.application import Sphinx
    from sphinx.util.typing import ExtensionMetadata

    from docs_sitemap.errors import DocsSitemapError, OptionError, OutputError
    from docs_sitemap.files import Report, emit
    from docs_sitemap.git import Change, Unknown, last_additions, last_changes
    from docs_sitemap.notices import Notice
    from docs_sitemap.options.declarations import Options, read_options
    from docs_sitemap.options.page_settings import PageSettings
    from docs_sitemap.pages.page import Host, Page

__all__ = [
    "Change",
    "DocsSitemapError",
    "Host",
    "Notice",
    "OptionError",
    "Options",
    "OutputError",
    "Page",
    "PageSettings",
    "Report",
    "Unknown",
    "__version__",
    "emit",
    "last_additions",
    "last_changes",
    "read_options",
    "setup",
]

__version__ = "0.1.0"

_HOMES = {
    "Change": "git",
    "DocsSitemapError": "errors",
    "Host": "pages.page",
    "Notice": "notices",
    "OptionError": "errors",
    "Options": "options.declarations",
    "OutputError": "errors",
    "Page": "pages.page",
    "PageSettings": "options.page_settings",
    "Report": "files",
    "Unknown": "git",
    "emit": "files",
    "last_additions": "git",
    "last_changes": "git",
    "read_options": "options.declarations",
}
"""The module of each lazily loaded name."""


def setup(app: Sphinx) -> ExtensionMetadata:
    """Register the Sphinx extension, so that ``extensions = ["docs_sitemap"]`` works.

    Sphinx calls it (Sphinx, "Extension API"). It returns the version, and that parallel reading and
    writing are safe.
    """
    from docs_sitemap.generators.sphinx import setup as setup_sphinx

    return setup_sphinx(app)


if not TYPE_CHECKING:  # if type checkers saw __getattr__, they would accept any name

    def __getattr__(name):
        if name == "makeExtension":  # Markdown has imported docs_sitemap as an extension
            raise AttributeError("the extension for Zensical is called docs-sitemap, with a hyphen.")
        if name not in _HOMES:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        from importlib import import_module

        value = globals()[name] = getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
        return value

    def __dir__():
        return sorted({*globals(), *__all__})
