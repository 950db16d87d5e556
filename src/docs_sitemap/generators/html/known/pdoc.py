"""pdoc: pdoc.dev; a page a module, and with pdoc3 a folder a package."""

from __future__ import annotations

from collections.abc import Iterator

from docs_sitemap.generators.html.known.generator import Claim, Generator, Source


def _pages(source: Source) -> Iterator[Claim]:
    stem = source.stem.removeprefix("src/")
    if stem.endswith("/__init__"):
        yield Claim(stem.removesuffix("/__init__"), index=-1)
    elif stem.endswith("/index"):
        yield Claim(stem.removesuffix("/index"), index=0)
        yield Claim(f"{stem}.m")  # pdoc3
    else:
        yield Claim(stem)


PDOC = Generator("pdoc", "pdoc", (), _pages, suffixes=(".py", ".pyi"))
