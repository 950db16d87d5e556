"""mdBook: rust-lang.github.io/mdBook, "SUMMARY.md", "mdBook-specific features"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from docs_sitemap.generators.html.known.generator import Claim, Generator, Source, named

_INCLUDED: Final = re.compile(
    r"(?<!\\)\{\{#(?:include|rustdoc_include|playground|playpen|template)\s+([^\s}:]+)"
)


def _pages(source: Source) -> Iterator[Claim]:
    above = re.sub(r"^src/", "", source.above)
    if source.name.lower() == "readme":
        yield Claim(above.rstrip("/"), index=1)
    else:
        yield Claim(above + source.name if source.name != "index" else above.rstrip("/"), index=-1)


def _parts(source: Source) -> Iterator[Path]:
    return named(source, _INCLUDED)


MDBOOK = Generator("mdBook", "", ("book.toml",), _pages, parts=_parts)
