"""Jekyll: jekyllrb.com, "Permalinks", "Posts", "Collections", "Pages"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any, Final

from docs_sitemap.generators.html.known.generator import Claim, Generator, Source, by_path, dated, declared
from docs_sitemap.limits import MAX_TEXT
from docs_sitemap.readers import read_plain, read_yaml
from docs_sitemap.text import text_of

_STYLES: Final = {
    "date": "/:categories/:year/:month/:day/:title",
    "pretty": "/:categories/:year/:month/:day/:title/",
    "none": "/:categories/:title",
}
"""The permalinks of posts that have a name; "Built-in formats"."""

_COLLECTION: Final = re.compile(r"(?:.*/)?_([^/]+)/(.*)")


@cache
def _configuration(folder: Path) -> Mapping[str, Any]:
    for name in ("_config.yml", "_config.yaml"):
        try:
            found = read_yaml(read_plain(folder / name, MAX_TEXT).decode())
        except (OSError, ValueError, ImportError):
            continue
        return found if isinstance(found, Mapping) else {}
    return {}


def _pages(source: Source) -> Iterator[Claim]:
    permalink = source.word("permalink")
    stem = source.stem
    if found := _COLLECTION.fullmatch(stem):
        kind, stem = found[1], found[2]
        above = source.path[: found.start(1) - 1]
        if kind == "posts":
            yield from _post(source, stem, above, permalink)
        elif kind not in ("drafts", "includes", "layouts", "data", "sass"):
            collection = _configuration(source.folder).get("collections")
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
    style = permalink or text_of(_configuration(source.folder).get("permalink")) or "date"
    year, month, day, title = date
    categories = source.metadata.get("categories", source.metadata.get("category", ""))
    names = categories.split() if isinstance(categories, str) else categories
    values = {
        "year": year,
        "month": month,
        "day": day,
        "title": source.word("slug") or title,
        "slug": title,
        "short_year": year[2:],
        "i_month": str(int(month)),
        "i_day": str(int(day)),
        "categories": above + "/".join(str(name).lower() for name in names or ()),
    }
    yield declared(_fill(_STYLES.get(style, style), values))


def _fill(style: str, values: Mapping[str, str]) -> str:
    """Return a permalink with its placeholders filled in; those that are not known stay."""
    filled = re.sub(r":([a-z_]+)", lambda found: values.get(found[1], found[0]), style)
    return "/" + re.sub(r"/{2,}", "/", filled).lstrip("/")


JEKYLL = Generator(
    "Jekyll",
    "jekyll",
    ("_config.yml", "_config.yaml"),
    _pages,
    ("permalink", "slug", "date", "categories", "category"),
)
