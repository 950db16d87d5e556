"""Astro and Starlight: starlight.astro.build, "Pages"; docs.astro.build, "Content collections", "Routing"."""

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
    declared,
    named,
    without_drafts,
)
from docs_sitemap.limits import MAX_HEAD
from docs_sitemap.readers import read_start

_PAGE_LANGUAGE: Final = re.compile(rb"<html\b[^<>]*\blang=\"([\w-]+)\"")
_MAIN_LANGUAGE: Final = re.compile(rb"<main\b[^<>]*\blang=\"([\w-]+)\"")
_ROOT: Final = re.compile(r"^(?:src/)?(?:content/docs|pages)/")


def _pages(source: Source) -> Iterator[Claim]:
    if slug := source.word("slug"):
        yield declared(f"/{slug}")
        return
    stem = _ROOT.sub("", source.stem)
    parts = [_slug(part) for part in stem.split("/")]
    if parts[-1] == "index":
        yield Claim("/".join(parts[:-1]), index=0)
    else:
        yield Claim("/".join(parts), index=-1)


def _slug(name: str) -> str:
    """Return a name as in addresses: lower case, hyphens for spaces, no punctuation (github-slugger)."""
    return re.sub(r"[^\w\- ]", "", name.lower()).replace(" ", "-")


def _is_copy(page: str, file: Path, source: Source | None) -> bool:
    """Tell whether Starlight shows another language than that of the page, as its main element says."""
    try:
        data = read_start(file, MAX_HEAD)
    except OSError:
        return False
    whole, main = _PAGE_LANGUAGE.search(data), _MAIN_LANGUAGE.search(data)
    return bool(whole and main and whole[1] != main[1])


ASTRO = Generator(
    "Astro",
    "astro ",
    tuple(f"astro.config.{suffix}" for suffix in ("mjs", "js", "ts", "mts", "cjs")),
    _pages,
    ("slug", "draft"),
    without_drafts("draft"),
    lambda source: named(source, IMPORTED),
    (*SUFFIXES, ".astro"),
    is_copy=_is_copy,
)
