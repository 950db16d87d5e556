"""Generators whose built sites say of which source each page is made.

Docusaurus 2 and 3 (docusaurus.io, "Lifecycle APIs: metadata"; "i18n: Introduction"), VitePress
(vitepress.dev, "Routing", "Markdown extensions"), MyST (mystmd.org, "Cross-references: myst.xref.json",
"Include and embed").
"""

from __future__ import annotations

import glob
import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, Final
from urllib.parse import unquote

from docs_sitemap.generators.html.known.generator import (
    IMPORTED,
    SUFFIXES,
    Claim,
    Generator,
    Source,
    excluded,
    shows,
)
from docs_sitemap.limits import MAX_PAGE, MAX_TEXT
from docs_sitemap.readers.data import read_json
from docs_sitemap.readers.files import read_start

_PARSED: Final = re.compile(r"JSON\.parse\('((?:[^'\\]|\\.)*+)'\)", re.DOTALL)
_TOKEN: Final = re.compile(
    r"""(?:["']?\b(permalink|source)\b["']?:)?("(?:[^"\\]|\\.)*+"|'(?:[^'\\]|\\.)*+'|`(?:[^`\\]|\\.)*+`)|[{}]""",
    re.DOTALL,
)
_ESCAPED: Final = re.compile(r"\\(?:x([0-9a-f]{2})|u([0-9a-f]{4})|(.))", re.IGNORECASE | re.DOTALL)


def _objects(script: str) -> Iterator[Mapping[str, str]]:
    """Yield the permalink and the source of each object, in any order: in JSON, or of the script."""
    for text in (*map(_plain, _PARSED.findall(script)), _PARSED.sub("", script)):
        around: list[dict[str, str]] = []
        for token in _TOKEN.finditer(text):
            if token[0] == "{":
                around.append({})
            elif token[0] == "}" and around:
                yield around.pop()
            elif token[1] and around:
                around[-1].setdefault(token[1], _plain(token[2][1:-1]))


def _of_docusaurus(site: Path, folder: Path) -> Iterator[tuple[str, str]]:
    """Yield what the scripts of the site and of its languages say of docs, posts and pages in Markdown."""
    known: dict[tuple[str, ...], str] = {}
    for script in sorted([*site.glob("assets/js/*.js"), *site.glob("*/assets/js/*.js")]):
        with suppress(OSError):
            text = read_start(script, MAX_PAGE, site).decode("utf-8", "replace")
            for found in _objects(text) if "@site/" in text else ():
                link, source = found.get("permalink"), found.get("source", "")
                if link and source.startswith("@site/"):
                    known[tuple(unquote(link).strip("/").split("/"))] = source.removeprefix("@site/")
    # permalinks begin with the path of the site's URL
    numbers = [sum(bool(at[start:]) and _is_page(site, at[start:]) for at in known) for start in range(4)]
    start = numbers.index(max(numbers))
    for at, source in known.items():
        if len(at) >= start and _is_page(site, at[start:]):
            yield "/".join(at[start:]), source


def _is_page(site: Path, at: tuple[str, ...]) -> bool:
    page = site.joinpath(*at)
    return (page / "index.html").is_file() or page.with_name(f"{page.name}.html").is_file()


def _plain(text: str) -> str:
    return _ESCAPED.sub(lambda found: found[3] or chr(int(found[1] or found[2], 16)), text)


def _in_docusaurus(source: Source) -> Iterator[Claim]:
    # no data say of which file these pages are made, but their names do
    if found := re.fullmatch(r"src/pages/(.+)\.[jt]sx?|static/(.+)\.html", source.path):
        yield Claim(re.sub(r"(^|/)index$", "", found[1] or found[2]))


def _is_untranslated(page: str, file: Path, source: Source | None) -> bool:
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
    _in_docusaurus,
    ("unlisted",),
    lambda _, metadata: (
        (excluded("unlisted: true") if metadata.get("unlisted") is True else {}) | {**metadata}
    ),
    shows(IMPORTED, "@site/"),
    (*SUFFIXES, ".js", ".jsx", ".ts", ".tsx"),
    is_whole=True,
    written=_of_docusaurus,
    is_copy=_is_untranslated,
)

_IN_VITEPRESS: Final = re.compile(
    r"(?:<!--\s*@include:\s*|^\s*<<<\s*)([^\s{#\[>]+?)(?=--|[\s{#\[])", re.MULTILINE
)
_VITEPRESS_DATA: Final = re.compile(r'"relativePath":"((?:[^"\\]|\\.)+)","filePath":"((?:[^"\\]|\\.)+)"')


def _in_vitepress(source: Source) -> Iterator[Claim]:
    if source.name == "index":
        yield Claim(source.above.rstrip("/"), index=0)
    else:
        yield Claim(source.stem, index=-1)


def _shown_by_vitepress(source: Source) -> Iterator[Path]:
    yield from shows(_IN_VITEPRESS, "@/")(source)
    if "[" in source.name:  # one source of many pages: its data decide which
        yield from (source.folder / source.above).glob(f"{glob.escape(source.name)}.paths.*")


def _of_vitepress(site: Path, folder: Path) -> Iterator[tuple[str, str]]:
    """Yield what the script of each page says: rewrites and dynamic routes are in no source."""
    for script in sorted((site / "assets").glob("*.md.*.lean.js")):
        with suppress(OSError, ValueError):
            if found := _VITEPRESS_DATA.search(read_start(script, MAX_TEXT, site).decode("utf-8", "replace")):
                page, source = (str(read_json(f'"{text}"')) for text in found.groups())
                yield re.sub(r"(?:(?:^|/)index)?\.md$", "", page), source


VITEPRESS = Generator(
    "VitePress", "vitepress", (".vitepress",), _in_vitepress, parts=_shown_by_vitepress, written=_of_vitepress
)

_IN_MYST: Final = re.compile(
    r"^[ \t>]*(?:`{3,}|~{3,}|:{3,})[ \t]*\{(?:include|literalinclude)\}[ \t]+(\S+)", re.MULTILINE
)


def _of_myst(site: Path, folder: Path) -> Iterator[tuple[str, str]]:
    """Yield the pages in ``myst.xref.json``, and the ``location`` that the data of each has."""
    with suppress(OSError, ValueError, KeyError, TypeError):
        for each in _read(site, "myst.xref.json")["references"]:
            if each["kind"] == "page":
                yield each["url"].strip("/"), _read(site, each["data"])["location"].lstrip("/")


def _read(site: Path, name: str) -> Any:
    return read_json(read_start(site / name.lstrip("/"), MAX_PAGE, site).decode())


MYST = Generator(
    "MyST",
    "mystmd",
    ("myst.yml",),
    lambda source: iter(()),  # addresses have no folders, and only the site says of which file each is
    parts=shows(_IN_MYST),
    is_whole=True,
    written=_of_myst,
)
