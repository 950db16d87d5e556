"""Render the files of the protocol to bytes. Pure: reads and writes no files."""

from __future__ import annotations

from docs_sitemap.files.formats.xml import (
    BARE,
    FOR_THEME,
    NAMESPACE,
    SIGNATURE,
    Sitemap,
    escape_attribute,
    escape_text,
    render_index,
)

__all__ = [
    "BARE",
    "FOR_THEME",
    "NAMESPACE",
    "SIGNATURE",
    "Sitemap",
    "escape_attribute",
    "escape_text",
    "render_index",
]
