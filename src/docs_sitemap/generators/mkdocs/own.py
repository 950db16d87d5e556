"""Find the files in the build output that belong to the site, not to us or MkDocs."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from docs_sitemap.pages import Own

if TYPE_CHECKING:
    from jinja2 import Template
    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.files import Files


def is_own_template(template: Template, config: MkDocsConfig) -> bool:
    """Tell whether a template is the site's own: in custom_dir, or from extra_templates, without a file."""
    file = Path(template.filename or "")
    custom_dir = config.theme.custom_dir
    return not file.is_file() or (custom_dir is not None and file.is_relative_to(custom_dir))


def own_files(files: Files, config: MkDocsConfig) -> Own:
    """Return a function that gives the origin of the site's own files in the build output."""
    custom_dir = config.theme.custom_dir
    included = (file for file in files if file.inclusion.is_included())  # type: ignore[no-untyped-call]  # MkDocs's
    published = {file.dest_uri for file in included}

    def own(name: str) -> str:
        if custom_dir and name in config.theme.static_templates and Path(custom_dir, name).is_file():
            return "the theme's custom_dir"
        return "docs_dir" if name in published else ""

    return own
