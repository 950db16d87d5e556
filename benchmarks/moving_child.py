"""``python -m benchmarks.moving_child WHICH ...``: mkdocs, with one of two plugins for the dates below pages.

``theirs`` is git-revision-date-localized, ``ours`` this project's with ``page_dates``, put in place of its
line; ``none`` has neither. Runs in the Python that has what the site needs; mkdocs.yml stays as it is.
"""

from __future__ import annotations

import sys
from importlib.metadata import EntryPoint
from typing import Any

from mkdocs.__main__ import cli
from mkdocs.config.defaults import MkDocsConfig

from benchmarks.mkdocs_inventory import OURS, each_plugin

THEIRS = "git-revision-date-localized"

_OURS = {"page_dates": True, "clock": "author"}
"""Theirs shows the author's day."""


def replace_line(data: dict[str, Any], which: str) -> None:
    """Change the plugins of a configuration that has theirs."""
    found: list[dict[str, Any]] = []
    for name, said in each_plugin(data.get("plugins")):
        if name.rpartition("/")[2] == THEIRS:
            if which == "theirs":
                # whatever the environment says, and in words: a script of the page makes other types
                found.append({name: {**(said or {}), "enabled": True, "type": "date"}})
            elif which == "ours":
                found.append({OURS: _OURS})
        elif name != OURS:
            found.append({name: said})
    data["plugins"] = found


def main(arguments: list[str]) -> None:
    """Run mkdocs with the changed configuration."""
    which, *rest = arguments
    read = MkDocsConfig.load_dict

    def change(self: MkDocsConfig, patch: dict[str, Any]) -> None:
        MkDocsConfig.load_dict = read  # type: ignore[method-assign]  # only the site's own, and once
        replace_line(patch, which)
        read(self, patch)

    MkDocsConfig.load_dict = change  # type: ignore[method-assign]  # as if mkdocs.yml said so
    installed = dict(MkDocsConfig._schema)["plugins"].installed_plugins  # type: ignore[attr-defined]
    installed[OURS] = EntryPoint(OURS, "docs_sitemap.generators.mkdocs:DocsSitemapPlugin", "mkdocs.plugins")
    sys.argv[1:] = rest
    cli()


if __name__ == "__main__":
    main(sys.argv[1:])
