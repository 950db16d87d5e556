"""A generator that is not known: what most of them do."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from docs_sitemap.generators.html.known.generator import (
    Claim,
    Generator,
    Source,
    by_path,
    dated,
    declared,
    of_language,
    without_numbers,
)

_ADDRESSES: Final = ("permalink", "url", "slug")


def _pages(source: Source) -> Iterator[Claim]:
    yield from by_path(source)
    # what an author wrote may mean nothing here: then both sources of a page are possible
    for key in _ADDRESSES:
        if address := source.word(key):
            yield declared(address, source.above)
    if (plain := without_numbers(source.stem)) != source.stem:
        yield Claim(plain.removesuffix("/index"), 1)
    if parts := dated(source.name):
        yield Claim(source.above + parts[3], 1)
        yield Claim(f"{source.above}{'/'.join(parts)}", 1)
    stem, language = of_language(source.stem)
    if language:
        plain = stem.removesuffix("index").rstrip("/")
        yield Claim(f"{language}/{plain}".rstrip("/"), 1)
        yield Claim(plain, 2)


OTHER = Generator("another generator", "", (), _pages, _ADDRESSES)
