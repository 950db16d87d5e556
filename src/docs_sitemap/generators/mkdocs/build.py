"""A build as MkDocs runs it: for which address, in which mode, and how it goes."""

from __future__ import annotations

import logging
import os
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from docs_sitemap.notices import Notice, Subtype
from docs_sitemap.page import Host

if TYPE_CHECKING:
    from mkdocs.config.defaults import MkDocsConfig


def _spell(name: str) -> str:
    """Return how mkdocs.yml spells an option."""
    return f"plugins: docs-sitemap: {name}"


def host(config: MkDocsConfig) -> Host:
    """Return what the configuration says of the site."""
    return Host(
        published_at(config) or None,
        "site_url",
        _spell,
        Path(config.config_file_path or "").parent,
        title=config.site_name or "",
        language=_language(config),
    )


def published_at(config: MkDocsConfig) -> str:
    """Return ``site_url``, with the folder of all versions that mike (2.2) leaves out of it.

    That is known where mkdocs.yml says ``deploy_prefix``, and not where only mike's command line does.
    """
    address = config.site_url or ""
    served = str(config.dev_addr)
    if is_serving(config) and served.count(":") > 1:  # IPv6, which MkDocs 1.6 writes without brackets
        host, _, port = served.rpartition(":")
        return address.replace(f"//{served}", f"//[{host}]:{port}", 1)
    prefix = _mikes_prefix(config)
    if not prefix or not address:
        return address
    above, _, version = address.rstrip("/").rpartition("/")
    return address if f"{above}/".endswith(f"/{prefix}/") else f"{above}/{prefix}/{version}/"


def _mikes_prefix(config: MkDocsConfig) -> str:
    plugin: Any = config.plugins.get("mike")
    if plugin is None or "MIKE_DOCS_VERSION" not in os.environ:
        return ""
    return str(plugin.config["deploy_prefix"]).strip("/")


def _language(config: MkDocsConfig) -> str:
    """Return the language that the theme is set to: Material says ``language``, others ``locale``."""
    value = config.theme.get("language") or config.theme.get("locale")
    return str(value or "")


def is_serving(config: MkDocsConfig) -> bool:
    """Tell whether this is ``mkdocs serve``, also ``--clean``: the server's address, a temporary folder."""
    address = (config.site_url or "").partition("//")[2].partition("/")[0]
    return address == str(config.dev_addr) and Path(config.site_dir).parent == Path(tempfile.gettempdir())


def notices(config: MkDocsConfig) -> list[Notice]:
    """Say where the pages of a version call themselves by addresses at which they are not."""
    address = published_at(config)
    if is_serving(config) or address == (config.site_url or ""):
        return []
    text = (
        f"mike publishes below {_mikes_prefix(config)!r} (deploy_prefix), which site_url lacks: the pages' "
        f"canonical links lead to {config.site_url}, and the sitemap to {address}. Add it to site_url."
    )
    return [Notice("info", Subtype.CANONICAL, text)]


def failed(config: MkDocsConfig) -> bool:
    """Tell whether ``--strict`` is going to stop the build for a warning: its last files stay."""
    return bool(config.strict) and any(counter.get_counts() for counter in _counters())


def _counters() -> Iterator[Any]:
    """Yield what MkDocs and ProperDocs count warnings with, each on a logger of its name."""
    for name in ("mkdocs", "properdocs"):
        yield from (handler for handler in logging.getLogger(name).handlers if hasattr(handler, "get_counts"))
