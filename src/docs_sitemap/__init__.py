"""An honest sitemap.xml and robots.txt for every documentation site.

Importing this package imports no documentation generator: ``setup`` loads the
Sphinx extension only when Sphinx calls it, and MkDocs finds its plugin through
the ``mkdocs.plugins`` entry point.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sphinx.application import Sphinx
    from sphinx.util.typing import ExtensionMetadata

__all__ = ["__version__", "setup"]

__version__ = "0.1.0"


def setup(app: Sphinx) -> ExtensionMetadata:
    """Register the Sphinx extension, so that ``extensions = ["docs_sitemap"]`` works."""
    from docs_sitemap.generators.sphinx import setup as setup_sphinx

    return setup_sphinx(app)
