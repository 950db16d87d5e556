"""Tells which folders of a built site are previews of it: of pull requests, and of branches.

Hosts and actions name the folders of pull requests by numbers. A project can have any other name, such as
``pr-agent`` or ``preview-server``, and a live site that is noindex by mistake is worse than a preview that is
found: so another name needs evidence.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import Final

from docs_sitemap.readers.html import Head, read_head
from docs_sitemap.urls import decoded

BY_NAME: Final = "by the name of its folder"
BY_PAGES: Final = "by its name and its pages"

_REQUEST: Final = r"(?:prs?|pulls?|pull[-_]requests?|mrs?|merge[-_]requests?|(?:deploy[-_])?previews?)"
_NUMBERED: Final = re.compile(
    rf"(?:.*/)?_*(?:pr-?previews?/[^/]+|{_REQUEST}[-_/]\d+|previews?/(?:pr|mr)[-_]?\d+)", re.IGNORECASE
)
_NAMED: Final = re.compile(
    r"(?:.*/)?_*(?:previews?/[^/]+|branch(?:es)?/[^/]+|(?:deploy-preview|preview|pr|mr)-[^/]+)", re.IGNORECASE
)
_NO_PAGES: Final = re.compile(
    r"[_.].*|assets|static|css|js|img|images|fonts|404|index|search|genindex|.*modindex"
)

FileOf = Callable[[str], Path | None]
"""Returns the real path of a file of a site by its name with ``/``, or ``None``."""


def preview(folder: str, file: FileOf) -> str:
    """Return how a folder, which is not the root, is known to be a preview; empty if it is none.

    It has a site, and is no page of a site around it. If its name has no number, it also has most of the
    pages of the site above it, under the same title, and either no sitemap or another site as canonical.
    """
    is_numbered = bool(_NUMBERED.fullmatch(folder))
    if not is_numbered and not _NAMED.fullmatch(folder):
        return ""
    around = folder.rpartition("/")[0]
    is_page = around and any(file(f"{around}/{name}") for name in ("index.html", "sitemap.xml"))
    if is_page or not any(file(f"{folder}/{name}") for name in ("index.html", "sitemap.xml")):
        return ""
    if is_numbered:
        return BY_NAME
    return BY_PAGES if _is_copy(folder, file) else ""


def _is_copy(folder: str, file: FileOf) -> bool:
    parts = folder.split("/")
    above = ["/".join([*parts[:number], "index.html"]) for number in range(len(parts))]
    home, around = file(f"{folder}/index.html"), next(filter(None, map(file, reversed(above))), None)
    if home is None or around is None:
        return False
    head, other = read_head(home) or Head(), read_head(around) or Head()
    canonical = decoded(head.canonical or "")
    is_elsewhere = "://" in canonical and f"/{folder}/" not in f"{canonical}/"
    pages, pages_around = _pages(home.parent), _pages(around.parent)
    is_same = bool(pages) and 2 * len(pages & pages_around) > len(pages) and head.title == other.title
    return is_same and (is_elsewhere or file(f"{folder}/sitemap.xml") is None)


def _pages(folder: Path) -> set[str]:
    """Return the names of pages and folders of pages in a folder."""
    with os.scandir(folder) as entries:
        names = {
            re.sub(r"\.html?$", "", each.name) for each in entries if each.is_dir() or ".htm" in each.name
        }
    return {name for name in names if not _NO_PAGES.fullmatch(name)}
