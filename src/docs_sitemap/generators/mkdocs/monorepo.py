"""Support for mkdocs-monorepo (1.1), which copies all projects into a temporary folder, as docs_dir."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mkdocs.config.defaults import MkDocsConfig


def originals(config: MkDocsConfig) -> Mapping[str, str]:
    """Map the absolute paths of the copies to those of the originals; empty without that plugin."""
    found = getattr(config.plugins.get("monorepo"), "files_source_dir", None)
    return found if isinstance(found, Mapping) else {}
