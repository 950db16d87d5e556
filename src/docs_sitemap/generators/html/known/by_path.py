"""Generators that name a page by the path of its source, each by its documentation.

mdBook (rust-lang.github.io/mdBook, "SUMMARY.md", "mdBook-specific features"), Quarto (quarto.org, "Creating a
website", "Includes"), pdoc (pdoc.dev), Astro and Starlight (starlight.astro.build, "Pages"; docs.astro.build,
"Content collections", "Routing"), and what most others do.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from docs_sitemap.generators.html.known.generator import (
    IMPORTED,
    SUFFIXES,
    Claim,
    Generator,
    Source,
    by_path,
    dated,
    declared,
    of_language,
    shows,
    without_drafts,
    without_numbers,
)
from docs_sitemap.limits import MAX_HEAD
from docs_sitemap.readers.files import read_start

_IN_MDBOOK: Final = re.compile(
    r"(?<!\\)\{\{#(?:include|rustdoc_include|playground|playpen|template)\s+([^\s}:]+)"
)
_IN_QUARTO: Final = re.compile(r"^\s*\{\{<\s*(?:include|embed)\s+[\"']?([^\s\"'>#]+)", re.MULTILINE)
_PAGE_LANGUAGE: Final = re.compile(rb"<html\b[^<>]*\blang=\"([\w-]+)\"")
_MAIN_LANGUAGE: Final = re.compile(rb"<main\b[^<>]*\blang=\"([\w-]+)\"")


def _in_mdbook(source: Source) -> Iterator[Claim]:
    above = source.above.removeprefix("src/")
    if source.name.lower() == "readme":
        yield Claim(above.rstrip("/"), index=1)
    else:
        yield Claim(above + source.name if source.name != "index" else above.rstrip("/"), index=-1)


def _in_quarto(source: Source) -> Iterator[Claim]:
    if any(part.startswith("_") for part in source.path.split("/")):
        return  # parts of other pages
    if name := source.word("output-file"):
        yield declared(name, source.above)
    else:
        yield Claim(source.above.rstrip("/") if source.name == "index" else source.stem, index=-1)


def _in_pdoc(source: Source) -> Iterator[Claim]:
    """Yield a page a module, and with pdoc3 a folder a package."""
    stem = source.stem.removeprefix("src/")
    if stem.endswith("/__init__"):
        yield Claim(stem.removesuffix("/__init__"), index=-1)
    elif stem.endswith("/index"):
        yield Claim(stem.removesuffix("/index"), index=0)
        yield Claim(f"{stem}.m")  # pdoc3
    else:
        yield Claim(stem)


def _in_astro(source: Source) -> Iterator[Claim]:
    if slug := source.word("slug"):
        yield declared(f"/{slug}")
        return
    # names as in addresses: lower case, hyphens for spaces, no punctuation (github-slugger)
    stem = re.sub(r"^(?:src/)?(?:content/docs|pages)/", "", source.stem)
    page = re.sub(r"[^\w\- /]", "", stem.lower()).replace(" ", "-")
    is_index = page.rpartition("/")[2] == "index"
    yield Claim(page.removesuffix("index").rstrip("/") if is_index else page, index=0 if is_index else -1)


def _has_another_language(page: str, file: Path, source: Source | None) -> bool:
    """Tell whether Starlight shows another language than that of the page, as its main element says."""
    try:
        data = read_start(file, MAX_HEAD)
    except OSError:
        return False
    whole, main = _PAGE_LANGUAGE.search(data), _MAIN_LANGUAGE.search(data)
    return bool(whole and main and whole[1] != main[1])


_ADDRESSES: Final = ("permalink", "url", "slug")


def _in_others(source: Source) -> Iterator[Claim]:
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


ASTRO = Generator(
    "Astro",
    "astro ",
    tuple(f"astro.config.{suffix}" for suffix in ("mjs", "js", "ts", "mts", "cjs")),
    _in_astro,
    ("slug", "draft"),
    without_drafts("draft"),
    shows(IMPORTED),
    (*SUFFIXES, ".astro"),
    is_copy=_has_another_language,
)
MDBOOK = Generator("mdBook", "", ("book.toml",), _in_mdbook, parts=shows(_IN_MDBOOK))
QUARTO = Generator(
    "Quarto",
    "quarto-",
    ("_quarto.yml", "_quarto.yaml"),
    _in_quarto,
    ("draft", "output-file"),
    without_drafts("draft"),
    shows(_IN_QUARTO, "/"),
)
PDOC = Generator("pdoc", "pdoc", (), _in_pdoc, suffixes=(".py", ".pyi"))
OTHER = Generator("another generator", "", (), _in_others, _ADDRESSES)
