"""Reads what others wrote: files, YAML, TOML and JSON, HTML, sitemaps.

Knows what the input says, not what callers do with it.
"""

from __future__ import annotations

from docs_sitemap.readers.data import (
    read_json,
    read_json_start,
    read_toml,
    read_yaml,
    read_yaml_type,
)
from docs_sitemap.readers.files import (
    RealPaths,
    Resolver,
    files_below,
    is_open_file,
    open_plain,
    read_named,
    read_plain,
    read_start,
    read_text,
    status_of,
)

__all__ = [
    "RealPaths",
    "Resolver",
    "files_below",
    "is_open_file",
    "open_plain",
    "read_json",
    "read_json_start",
    "read_named",
    "read_plain",
    "read_start",
    "read_text",
    "read_toml",
    "read_yaml",
    "read_yaml_type",
    "status_of",
]
