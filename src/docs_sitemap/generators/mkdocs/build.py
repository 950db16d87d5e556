"""A build as MkDocs runs it: for which address, in which mode, and how it goes."""

from __future__ import annotations

import logging
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from mkdocs.utils import CountHandler

from docs_sitemap.page import Host

if TYPE_CHECKING:
    from mkdocs.config.defaults import MkDocsConfig


def _spell(name: str) -> str:
    """Return how mkdocs.yml spells an option."""
    return f"plugins: docs-sitemap: {name}"


def host(config: MkDocsConfig) -> Host:
    """Return what the configuration says of the site."""
    return Host(
        config.site_url or None,
        "site_url",
        _spell,
        Path(config.config_file_path or "").parent,
        title=config.site_name or "",
        language=_language(config),
    )


def _language(config: MkDocsConfig) -> str:
    """Return the language that the theme is set to: Material says ``language``, others ``locale``."""
    value = config.theme.get("language") or config.theme.get("locale")
    return str(value or "")


def is_serving(config: MkDocsConfig) -> bool:
    """Tell whether this is ``mkdocs serve``, also ``--clean``: the server's address, a temporary folder."""
    address = urlsplit(config.site_url or "").netloc
    return address == str(config.dev_addr) and Path(config.site_dir).parent == Path(tempfile.gettempdir())


def failed(config: MkDocsConfig) -> bool:
    """Tell whether ``--strict`` is going to stop the build for a warning: its last files stay."""
    counters = [
        handler for handler in logging.getLogger("mkdocs").handlers if isinstance(handler, CountHandler)
    ]
    return bool(config.strict) and any(counter.get_counts() for counter in counters)
