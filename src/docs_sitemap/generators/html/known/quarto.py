"""Quarto: quarto.org, "Creating a website", "Includes"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from docs_sitemap.generators.html.known.generator import (
    Claim,
    Generator,
    Source,
    declared,
    named,
    without_drafts,
)

_INCLUDED: Final = re.compile(r"^\s*\{\{<\s*(?:include|embed)\s+[\"']?([^\s\"'>#]+)", re.MULTILINE)


def _pages(source: Source) -> Iterator[Claim]:
    if any(part.startswith("_") for part in source.path.split("/")):
        return  # parts of other pages
    if name := source.word("output-file"):
        yield declared(name, source.above)
    else:
        yield Claim(source.above.rstrip("/") if source.name == "index" else source.stem, index=-1)


def _parts(source: Source) -> Iterator[Path]:
    return named(source, _INCLUDED, "/")


QUARTO = Generator(
    "Quarto",
    "quarto-",
    ("_quarto.yml", "_quarto.yaml"),
    _pages,
    ("draft", "output-file"),
    without_drafts("draft"),
    _parts,
)
