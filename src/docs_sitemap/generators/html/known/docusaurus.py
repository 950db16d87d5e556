"""Docusaurus (2 and 3): docusaurus.io, "Lifecycle APIs: metadata"; "i18n: Introduction".

The scripts of a built site have the data of each page, with its ``permalink`` and its ``source``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Final
from urllib.parse import unquote

from docs_sitemap.generators.html.known.generator import (
    IMPORTED,
    SUFFIXES,
    Claim,
    Generator,
    Source,
    named,
    without_drafts,
)
from docs_sitemap.limits import MAX_PAGE
from docs_sitemap.readers import read_start

_PAGE: Final = re.compile(
    r'"source":"@site/(?P<doc>[^"]+)","sourceDirName":"[^"]*","slug":"[^"]*","permalink":"(?P<at>[^"]+)"'
    r'|"permalink":"(?P<place>[^"]+)","source":"@site/(?P<page>[^"]+)"'
)
_CHARACTER: Final = re.compile(r"\\x([0-9a-f]{2})|\\u([0-9a-f]{4})")


def _written(site: Path) -> Iterator[tuple[str, str]]:
    """Yield what the scripts of the site and of its languages say of docs, posts and pages in Markdown."""
    known: dict[tuple[str, ...], str] = {}
    for script in sorted([*site.glob("assets/js/*.js"), *site.glob("*/assets/js/*.js")]):
        with suppress(OSError):
            text = read_start(script, MAX_PAGE, site).decode("utf-8", "replace")
            for found in _PAGE.finditer(text):
                at, source = found["at"] or found["place"], found["doc"] or found["page"]
                known[tuple(unquote(_plain(at)).strip("/").split("/"))] = _plain(source)
    # permalinks begin with the path of the site's URL
    built = [{at: "/".join(at[depth:]) for at in known if _is_page(site, at[depth:])} for depth in range(4)]
    for at, page in max(built, key=len).items():
        yield page, known[at]


def _is_page(site: Path, at: tuple[str, ...]) -> bool:
    page = site.joinpath(*at)
    return (page / "index.html").is_file() or page.with_name(f"{page.name}.html").is_file()


def _plain(text: str) -> str:
    return _CHARACTER.sub(lambda found: chr(int(found[1] or found[2], 16)), text)


def _pages(source: Source) -> Iterator[Claim]:
    # no data say of which file these pages are made, but their names do
    if found := re.fullmatch(r"src/pages/(.+)\.[jt]sx?|static/(.+)\.html", source.path):
        yield Claim(re.sub(r"(^|/)index$", "", found[1] or found[2]))


def _is_copy(page: str, file: Path, source: Source | None) -> bool:
    """Tell whether a page of a language is made from a source of the default one; not by a program."""
    return (
        source is not None
        and source.path.endswith((".md", ".mdx"))
        and not source.path.startswith("i18n/")
        and (source.folder / "i18n" / page.partition("/")[0]).is_dir()
    )


DOCUSAURUS = Generator(
    "Docusaurus",
    "docusaurus",
    tuple(f"docusaurus.config.{suffix}" for suffix in ("js", "ts", "mjs", "cjs", "mts", "cts")),
    _pages,
    ("unlisted",),
    without_drafts("unlisted"),
    lambda source: named(source, IMPORTED, "@site/"),
    (*SUFFIXES, ".js", ".jsx", ".ts", ".tsx"),
    is_whole=True,
    written=_written,
    is_copy=_is_copy,
)
