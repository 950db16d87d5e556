"""VitePress: vitepress.dev, "Routing", "Markdown extensions"."""

from __future__ import annotations

import glob
import re
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Final

from docs_sitemap.generators.html.known.generator import Claim, Generator, Source, named
from docs_sitemap.limits import MAX_TEXT
from docs_sitemap.readers import read_json, read_start

_INCLUDED: Final = re.compile(
    r"(?:<!--\s*@include:\s*|^\s*<<<\s*)([^\s{#\[>]+?)(?=--|[\s{#\[])", re.MULTILINE
)
_PAGE: Final = re.compile(r'"relativePath":"((?:[^"\\]|\\.)+)","filePath":"((?:[^"\\]|\\.)+)"')


def _pages(source: Source) -> Iterator[Claim]:
    if source.name == "index":
        yield Claim(source.above.rstrip("/"), index=0)
    else:
        yield Claim(source.stem, index=-1)


def _parts(source: Source) -> Iterator[Path]:
    yield from named(source, _INCLUDED, "@/")
    if "[" in source.name:  # one source of many pages: its data decide which
        yield from (source.folder / source.above).glob(f"{glob.escape(source.name)}.paths.*")


def _written(site: Path) -> Iterator[tuple[str, str]]:
    """Yield what the script of each page says: rewrites and dynamic routes are in no source."""
    for script in sorted((site / "assets").glob("*.md.*.lean.js")):
        with suppress(OSError, ValueError):
            if found := _PAGE.search(read_start(script, MAX_TEXT, site).decode("utf-8", "replace")):
                page, source = (str(read_json(f'"{text}"')) for text in found.groups())
                yield re.sub(r"(?:(?:^|/)index)?\.md$", "", page), source


VITEPRESS = Generator("VitePress", "vitepress", (".vitepress",), _pages, parts=_parts, written=_written)
