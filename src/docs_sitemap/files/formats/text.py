"""Text sitemaps as bytes (sitemaps.org, "Sitemap formats"): one address a line and nothing else."""

from __future__ import annotations

from collections.abc import Iterable

from docs_sitemap.pages import Url


def render_text(urls: Iterable[Url]) -> bytes:
    """Return the addresses as UTF-8, each with a line end; the format has no dates and no comments."""
    return "".join(f"{url.loc}\n" for url in urls).encode("utf-8")
