"""pdoc: pdoc.dev; a page a module, and with pdoc3 a folder a package."""

from __future__ import annotations

from collections.abc import Iterator

from docs_sitemap.generators.html.known.generator import Claim, Generator, Source


def _pages(source: Source) -> Iterator[Claim]:
    stem = source.stem.removesuffix("/__init__")
    yield Claim(stem)
    if stem.startswith("src/"):
        yield Claim(stem.removeprefix("src/"))


PDOC = Generator("pdoc", "pdoc", (), _pages, suffixes=(".py", ".pyi"))
