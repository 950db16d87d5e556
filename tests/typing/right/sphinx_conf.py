"""A conf.py that sets the extension up by itself, in its own setup."""

from typing import assert_type

from sphinx.application import Sphinx
from sphinx.util.typing import ExtensionMetadata

import docs_sitemap

extensions = ["docs_sitemap"]


def setup(app: Sphinx) -> ExtensionMetadata:
    metadata = docs_sitemap.setup(app)
    assert_type(metadata, ExtensionMetadata)
    return metadata
