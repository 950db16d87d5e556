"""A build as MkDocs runs it: for which address, in which mode, and how it goes."""

from __future__ import annotations

import logging
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from docs_sitemap.generators.mkdocs import mike
from docs_sitemap.pages import Host

if TYPE_CHECKING:
    from mkdocs.config.defaults import MkDocsConfig


def spell(name: str) -> str:
    """Return how mkdocs.yml spells an option."""
    return f"plugins: docs-sitemap: {name}"


def host_of(config: MkDocsConfig) -> Host:
    """Return what the configuration says of the site."""
    return Host(
        _published_at(config) or None,
        "site_url",
        spell,
        Path(config.config_file_path or "").parent,
        title=config.site_name or "",
        language=_language(config),
    )


def _published_at(config: MkDocsConfig) -> str:
    served = str(config.dev_addr)
    if is_serving(config) and served.count(":") > 1:  # IPv6, which MkDocs 1.6 writes without brackets
        host, _, port = served.rpartition(":")
        return (config.site_url or "").replace(f"//{served}", f"//[{host}]:{port}", 1)
    return mike.published_at(config)


def _language(config: MkDocsConfig) -> str:
    """Return the language that the theme is set to: Material says ``language``, others ``locale``."""
    value = config.theme.get("language") or config.theme.get("locale")
    return str(value or "")


def plugins_by_name(config: MkDocsConfig) -> Iterator[tuple[str, Any]]:
    """Yield each plugin with its name: MkDocs numbers those that are listed twice, ``name #2``.

    A theme's own plugins have its name in front: ``material/blog``.
    """
    for key, plugin in config.plugins.items():
        yield key.partition(" #")[0].rpartition("/")[2], plugin


def is_serving(config: MkDocsConfig) -> bool:
    """Tell whether this is ``mkdocs serve``, also ``--clean``: the server's address, a temporary folder."""
    address = (config.site_url or "").partition("//")[2].partition("/")[0]
    return address == str(config.dev_addr) and Path(config.site_dir).parent == Path(tempfile.gettempdir())


def failed(config: MkDocsConfig) -> bool:
    """Tell whether ``--strict`` is going to stop the build for a warning: its last files stay."""
    return bool(config.strict) and any(counter.get_counts() for counter in _counters())


def _counters() -> Iterator[Any]:
    """Yield what MkDocs and ProperDocs count warnings with, each on a logger of its name."""
    for name in ("mkdocs", "properdocs"):
        yield from (handler for handler in logging.getLogger(name).handlers if hasattr(handler, "get_counts"))
