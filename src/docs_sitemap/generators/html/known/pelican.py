"""Pelican: docs.getpelican.com, "Writing content: file metadata", "Settings: URL settings"."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from typing import Final

from docs_sitemap.generators.html.known.generator import Claim, Generator, Metadata, Source, declared

_FIELD: Final = re.compile(r"^(?::(\w+):|(\w+):)[ \t]*(.+?)[ \t]*$", re.MULTILINE)
_TITLE: Final = re.compile(r"\A(?:=+\n)?[ \t]*(\S.*?)[ \t]*\n[#=*~^-]{3,}[ \t]*$", re.MULTILINE)


def _fields(source: Source) -> dict[str, str]:
    """Return the metadata: lines of Markdown without a mark before them, fields of reStructuredText."""
    head = source.text.replace("\r\n", "\n")[:4096]
    title = _TITLE.match(head) if source.path.endswith(".rst") else None
    found = {"title": title[1]} if title else {}
    return found | {(each[1] or each[2]).lower(): each[3] for each in _FIELD.finditer(head)}


def _pages(source: Source) -> Iterator[Claim]:
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


def _translate(source: Source, metadata: Metadata) -> Metadata:
    """Return that a draft, or what no list leads to, is not listed."""
    is_hidden = _fields(source).get("status", "").lower() in ("draft", "hidden")
    return {"sitemap": {"exclude": True}, **metadata} if is_hidden else metadata


PELICAN = Generator("Pelican", "pelican", ("pelicanconf.py",), _pages, translate=_translate)
