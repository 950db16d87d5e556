"""Build the documentation with Sphinx: the same pages as with MkDocs, in the order of mkdocs.yml."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import yaml
from sphinx.application import Sphinx

PLAN = yaml.safe_load((Path(__file__).parents[1] / "mkdocs.yml").read_text(encoding="utf-8"))

project = PLAN["site_name"]
html_title = PLAN["site_name"]
html_baseurl = PLAN["site_url"]
html_theme = "furo"
html_static_path = ["_static"]
html_css_files = ["blocks.css"]
extensions = ["myst_parser", "docs_sitemap"]
exclude_patterns = ["*.py"]
nitpicky = True
smartquotes_action = "qe"  # no dashes: two hyphens start an option

myst_heading_anchors = 3
myst_enable_extensions = ["attrs_inline"]  # widths of images, like attr_list in MkDocs


def add_toctree(app: Sphinx, docname: str, content: list[str]) -> None:
    """Add the toctrees of mkdocs.yml's nav to the first page."""
    if docname == "index":
        content[0] += "".join(
            _toctree(caption, pages) for part in PLAN["nav"] for caption, pages in part.items()
        )


def _toctree(caption: str, pages: list[str]) -> str:
    names = "\n".join(page.removesuffix(".md") for page in pages if page != "index.md")
    return f"\n```{{toctree}}\n:hidden:\n:caption: {caption}\n\n{names}\n```\n"


def setup(app: Sphinx) -> dict[str, Any]:
    """Register the toctrees, and declare parallel reading and writing safe."""
    app.connect("source-read", add_toctree)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
