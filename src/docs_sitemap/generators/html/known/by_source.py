"""Generators that name a page by its source, its path or words in it, each by its documentation.

mdBook (rust-lang.github.io/mdBook, "SUMMARY.md", "mdBook-specific features"), Quarto (quarto.org, "Creating a
website", "Includes"), pdoc (pdoc.dev), Astro and Starlight (starlight.astro.build, "Pages"; docs.astro.build,
"Content collections", "Routing"), Hugo (gohugo.io, "Front matter", "URL management", "Multilingual mode",
"Sitemap templates"), Jekyll (jekyllrb.com, "Permalinks", "Posts", "Collections", "Pages"), Pelican
(docs.getpelican.com, "Writing content: file metadata", "Settings: URL settings"), and what most others do.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

from docs_sitemap.generators.html.known.generator import (
    IMPORTED,
    SUFFIXES,
    Claim,
    Generator,
    Metadata,
    Source,
    by_path,
    configuration,
    dated,
    declared,
    excluded,
    of_language,
    shows,
    without_numbers,
)
from docs_sitemap.limits import MAX_HEAD
from docs_sitemap.options.page_settings import EXCLUDED_BY
from docs_sitemap.pages.selection import HIDING
from docs_sitemap.readers.files import read_any
from docs_sitemap.text import text_of

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
    data = read_any(file, MAX_HEAD)
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
    ("slug",),
    parts=shows(IMPORTED),
    suffixes=(*SUFFIXES, ".astro"),
    is_copy=_has_another_language,
)
MDBOOK = Generator("mdBook", "", ("book.toml",), _in_mdbook, parts=shows(_IN_MDBOOK))
QUARTO = Generator(
    "Quarto",
    "quarto-",
    ("_quarto.yml", "_quarto.yaml"),
    _in_quarto,
    ("output-file",),
    parts=shows(_IN_QUARTO, "/"),
)
PDOC = Generator("pdoc", "pdoc", (), _in_pdoc, suffixes=(".py", ".pyi"))
OTHER = Generator("another generator", "", (), _in_others, _ADDRESSES)

_HIDDEN: Final = ("never", "local", False)
_OTHERS: Final = ("disable", "filename", "filenames")
"""What Hugo alone reads below ``sitemap``."""


def _in_hugo(source: Source) -> Iterator[Claim]:
    path = re.sub(r"^content/", "", source.path)
    stem, language = of_language(re.sub(r"\.[^./]+$", "", path))
    plain = Source(source.folder, f"{stem}.md")
    if address := source.word("url"):
        found = [declared(address)]
    elif (slug := source.word("slug")) and plain.name != "_index":
        found = [declared(slug, plain.above if plain.name != "index" else _parent(plain.above))]
    else:
        found = [*by_path(plain)]
    for claim in found:
        if language and not source.word("url").startswith("/"):
            yield Claim(f"{language}/{claim.page}".rstrip("/"), claim.rank, claim.index)
            yield Claim(claim.page, 1, claim.index)  # that of the default language has no folder
        else:
            yield claim


def _parent(folder: str) -> str:
    return folder.rstrip("/").rpartition("/")[0] + "/"


def _translate_hugo(source: Source, metadata: Metadata) -> Metadata:
    """Return what ``sitemap.disable``, ``build.list`` and ``lastmod`` say, in our words."""
    own = metadata.get("sitemap", {})
    if not isinstance(own, Mapping):
        return metadata
    build = metadata.get("build", metadata.get("_build"))
    found = {"lastmod": metadata["lastmod"]} if metadata.get("lastmod") else {}
    listing = build.get("list") if isinstance(build, Mapping) else ""
    said = "sitemap: disable: true" if own.get("disable") is True else ""
    if said := said or (f"build: list: {text_of(listing).lower()}" if listing in _HIDDEN else ""):
        found["exclude"] = True
    found |= {key: value for key, value in own.items() if key not in _OTHERS}
    return {**metadata, "sitemap": found, EXCLUDED_BY: said} if found or own else metadata


HUGO = Generator(
    "Hugo",
    "hugo ",
    ("hugo.toml", "hugo.yaml", "hugo.yml", "hugo.json"),
    _in_hugo,
    ("url", "slug", "lastmod", "build", "_build"),
    _translate_hugo,
)

_STYLES: Final = {
    "date": "/:categories/:year/:month/:day/:title",
    "pretty": "/:categories/:year/:month/:day/:title/",
    "none": "/:categories/:title",
}
"""The permalinks of posts that have a name; "Built-in formats"."""

_OF_JEKYLL: Final = ("_config.yml", "_config.yaml")
_COLLECTION: Final = re.compile(r"(?:.*/)?_([^/]+)/(.*)")


def _in_jekyll(source: Source) -> Iterator[Claim]:
    permalink = source.word("permalink")
    stem = source.stem
    if found := _COLLECTION.fullmatch(stem):
        kind, stem = found[1], found[2]
        above = source.path[: found.start(1) - 1]
        if kind == "posts":
            yield from _post(source, stem, above, permalink)
        elif kind not in ("drafts", "includes", "layouts", "data", "sass"):
            collection = configuration(source.folder, *_OF_JEKYLL).get("collections")
            own = collection.get(kind) if isinstance(collection, Mapping) else None
            style = permalink or (text_of(own.get("permalink")) if isinstance(own, Mapping) else "")
            filled = _fill(
                style, {"collection": kind, "path": stem, "title": source.name, "name": source.name}
            )
            yield declared(filled) if style else Claim(f"{kind}/{stem}", index=-1)
    elif permalink:
        yield declared(
            _fill(permalink, {"title": source.name, "basename": source.name, "path": source.above})
        )
    else:
        yield from by_path(source)


def _post(source: Source, stem: str, above: str, permalink: str) -> Iterator[Claim]:
    if not (parts := dated(source.name)):
        return
    date = dated(f"{source.word('date')[:10]}-{parts[3]}") or parts
    style = permalink or text_of(configuration(source.folder, *_OF_JEKYLL).get("permalink")) or "date"
    year, month, day, title = date
    categories = source.metadata.get("categories", source.metadata.get("category", ""))
    names = categories if isinstance(categories, list) else text_of(categories).split()
    values = {
        "year": year,
        "month": month,
        "day": day,
        "title": source.word("slug") or title,
        "slug": title,
        "short_year": year[2:],
        "i_month": str(int(month)),
        "i_day": str(int(day)),
        "categories": above + "/".join(str(name).lower() for name in names),
    }
    yield declared(_fill(_STYLES.get(style, style), values))


def _fill(style: str, values: Mapping[str, str]) -> str:
    """Return a permalink with its placeholders filled in; those that are not known stay."""
    filled = re.sub(r":([a-z_]+)", lambda found: values.get(found[1], found[0]), style)
    return "/" + re.sub(r"/{2,}", "/", filled).lstrip("/")


JEKYLL = Generator(
    "Jekyll",
    "jekyll",
    _OF_JEKYLL,
    _in_jekyll,
    ("permalink", "slug", "date", "categories", "category"),
)

_FIELD: Final = re.compile(r"^(?::(\w+):|(\w+):)[ \t]*(.+?)[ \t]*$", re.MULTILINE)
_TITLE: Final = re.compile(r"\A(?:=+\n)?[ \t]*(\S.*?)[ \t]*\n[#=*~^-]{3,}[ \t]*$", re.MULTILINE)


def _fields(source: Source) -> dict[str, str]:
    """Return the metadata: the first lines of Markdown, or the fields of reStructuredText."""
    head = source.text.replace("\r\n", "\n")[:4096]
    is_rst = source.path.endswith(".rst")
    title = _TITLE.match(head) if is_rst else None
    head = head if is_rst else head.lstrip().partition("\n\n")[0]
    found = {"title": title[1]} if title else {}
    return found | {(each[1] or each[2]).lower(): each[3] for each in _FIELD.finditer(head)}


def _in_pelican(source: Source) -> Iterator[Claim]:
    fields = _fields(source)
    if saved := fields.get("save_as") or fields.get("url"):
        yield declared(f"/{saved}")
        return
    slug = fields.get("slug") or _slug(fields.get("title", ""))
    if not slug:
        return
    path = re.sub(r"^content/", "", source.path)
    folder = "pages/" if path.startswith("pages/") else ""
    if fields.get("status", "").lower() == "draft":
        folder = f"drafts/{folder}"
    if language := fields.get("lang"):  # that of another language than the site's
        yield Claim(f"{folder}{slug}-{language}")
        yield Claim(folder + slug, 1)
    else:
        yield Claim(folder + slug)


def _slug(title: str) -> str:
    """Return a title as in addresses (SLUG_REGEX_SUBSTITUTIONS)."""
    plain = unicodedata.normalize("NFKD", title).encode("ascii", "ignore").decode()
    return re.sub(r"[-\s]+", "-", re.sub(r"[^\w\s-]", "", plain).strip()).lower()


def _translate_pelican(source: Source, metadata: Metadata) -> Metadata:
    """Return the metadata, which has no marks in Markdown; a draft, or what no list leads to, is hidden."""
    found = _fields(source)
    status = found.get("status", "")
    hidden = excluded(f"status: {status}") if status.lower() in ("draft", "hidden") else {}
    ours = {key: found[key] for key in ("sitemap", *HIDING) if key in found}
    return {**hidden, **ours, **metadata}


PELICAN = Generator("Pelican", "pelican", ("pelicanconf.py",), _in_pelican, translate=_translate_pelican)
