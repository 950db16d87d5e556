"""Render text sitemaps (sitemaps.org, "Sitemap formats"): one URL per line and nothing else."""

from __future__ import annotations

from collections.abc import Iterable

from docs_sitemap.pages import Url


def render_text(urls: Iterable[Url]) -> bytes:
    """Return the URLs as UTF-8, each with a line end; the format has no dates or comments."""
    return "".join(f"{url.loc}\n" for url in urls).encode("utf-8")
