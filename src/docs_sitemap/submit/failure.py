"""What goes wrong between us and a search engine."""

from __future__ import annotations

from docs_sitemap.errors import DocsSitemapError


class SubmitError(DocsSitemapError):
    """A sitemap cannot be read, or an engine not be reached or understood. The text has no secret."""
