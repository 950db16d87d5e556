"""The error of this package."""

from __future__ import annotations

from docs_sitemap.errors import DocsSitemapError


class SubmitError(DocsSitemapError):
    """A sitemap cannot be read, or an engine cannot be reached or understood. Contains no secrets."""


class MissingError(SubmitError):
    """The server says that there is no such sitemap."""
