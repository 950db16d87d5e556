"""Support for mike (2.2), which builds one version and publishes it below ``deploy_prefix``.

mike does not add that folder of all versions to ``site_url``. The prefix is known if it is in mkdocs.yml,
but not if it is only on mike's command line.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, Final

from docs_sitemap.brief import brief, shown, text_of
from docs_sitemap.notices import Notice, Subtype

if TYPE_CHECKING:
    from mkdocs.config.defaults import MkDocsConfig


_VERSION: Final = "MIKE_DOCS_VERSION"


def published_at(config: MkDocsConfig) -> str:
    """Return ``site_url`` with the prefix; empty if there is no ``site_url``."""
    address = config.site_url or ""
    prefix = _deploy_prefix(config)
    if not prefix or not address:
        return address
    above, _, version = address.rstrip("/").rpartition("/")
    return address if f"{above}/".endswith(f"/{prefix}/") else f"{above}/{prefix}/{version}/"


def about_canonicals(config: MkDocsConfig) -> list[Notice]:
    """Report canonical links of a version that do not match its URLs."""
    address = published_at(config)
    if address == (config.site_url or "") or "@" in address:  # a password there is reported, and not shown
        return []
    text = (
        f"mike publishes below {brief(_deploy_prefix(config))} (deploy_prefix), which site_url lacks: the "
        f"pages' canonical links lead to {shown(config.site_url or '')}, but the sitemap to "
        f"{shown(address)}. Add the prefix to site_url."
    )
    return [Notice("info", Subtype.CANONICAL, text)]


def runs_build() -> bool:
    """Tell whether mike runs the build, of a version that it names in the environment."""
    return _VERSION in os.environ


def about_versions() -> Notice:
    """Report that a build that mike runs does not know the aliases of its version, such as ``latest``."""
    text = (
        "plugins: docs-sitemap: current_version is ignored: a build by mike does not know the aliases of its "
        "version. Remove it, and run docs-sitemap versions on the branch after mike deploy."
    )
    return Notice("warning", Subtype.VERSION, text)


def _deploy_prefix(config: MkDocsConfig) -> str:
    """Return the prefix without outer slashes; empty if mike does not run the build."""
    plugin: Any = config.plugins.get("mike")
    if plugin is None or not runs_build():
        return ""
    return text_of(plugin.config["deploy_prefix"]).strip("/")
