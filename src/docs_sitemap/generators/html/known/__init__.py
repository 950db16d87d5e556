"""The generators that are known: how each names its pages, by its documentation."""

from __future__ import annotations

import os
from itertools import chain
from pathlib import Path
from typing import Final

from docs_sitemap.generators.html.known.antora import ANTORA
from docs_sitemap.generators.html.known.by_site import DOCUSAURUS, MYST, VITEPRESS
from docs_sitemap.generators.html.known.by_source import (
    ASTRO,
    HUGO,
    JEKYLL,
    MDBOOK,
    OTHER,
    PDOC,
    PELICAN,
    QUARTO,
)
from docs_sitemap.generators.html.known.generator import UNLIKELY, Claim, Generator, Metadata, Source
from docs_sitemap.readers.files import files_below
from docs_sitemap.readers.html import read_head

__all__ = ["OTHER", "UNLIKELY", "Claim", "Generator", "Metadata", "Source", "generator_of"]

KNOWN: Final = (HUGO, DOCUSAURUS, VITEPRESS, ASTRO, JEKYLL, MDBOOK, MYST, QUARTO, PELICAN, PDOC, ANTORA)

_ABOVE: Final = 3
"""So many folders above the sources may have a generator's configuration."""


def generator_of(site: Path | None, source_dir: Path) -> tuple[Generator, Path | None]:
    """Return the generator that built a site, and the folder of its project where that is known.

    The home page names it, or its configuration lies with the sources, or above them.
    """
    named = _named(site) if site else ""
    marked = [each for each in KNOWN if each.mark and named.startswith(each.mark)]
    folder = Path(os.path.realpath(source_dir))
    for place in (folder, *folder.parents[:_ABOVE]):
        for each in marked or (() if named else KNOWN):
            if any((place / name).exists() for name in each.files):
                return each, place if each.is_whole else None
        if (place / ".git").exists():
            break
    return (marked[0] if marked else OTHER), None


def _named(site: Path) -> str:
    """Return what the home page says of its generator, or the first page where that only leads elsewhere."""
    for name in chain(("index.html",), (each for each in files_below(site) if each.endswith(".html"))):
        if (head := read_head(site / name)) and not head.refresh:
            return head.generator.lower()
    return ""
