"""Find pages that show parts of other pages: a blog's views (excerpts of posts), lists of tagged pages.

Material's plugins blog and tags (9.2 to 9.8) know these pages. Their content changes with each page that
they list, so they have no date.
"""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from docs_sitemap.generators.mkdocs.build import plugins_by_name

if TYPE_CHECKING:
    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.pages import Page as MkDocsPage

_VIEW = "material.plugins.blog.structure.View"


def is_view(page: MkDocsPage) -> bool:
    """Tell whether a page shows excerpts of a blog's posts."""
    return _VIEW in {f"{kind.__module__}.{kind.__name__}" for kind in type(page).__mro__}


def tag_listings(config: MkDocsConfig) -> list[MkDocsPage]:
    """Return the pages that list others by their tags."""
    found: list[MkDocsPage] = []
    for name, plugin in plugins_by_name(config):
        with suppress(Exception):  # errors of other plugins
            if name == "tags":
                tags_file = getattr(plugin, "tags_file", None)  # up to 9.5
                found += [tags_file.page] if tags_file else [listing.page for listing in plugin.listings]
    return found
