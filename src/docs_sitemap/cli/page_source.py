"""Find the source file of the page that a user means by its name."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Final
from urllib.parse import unquote, urlsplit

import click

from docs_sitemap.brief import shown
from docs_sitemap.cli.common import some
from docs_sitemap.limits import MAX_PATH

SUFFIXES: Final = (".md", ".rst", ".ipynb", ".txt", ".markdown", ".mdx", ".adoc", ".org", ".qmd")
"""Suffixes of the source files that documentation generators read."""

_FOLDERS: Final = ("docs", "doc", "docs/source", "doc/source", "source", "src", "content", ".")
"""Conventional folders of documentation; the working folder comes last, because it has a README."""

_END: Final = re.compile(rf"(?:{'|'.join(map(re.escape, SUFFIXES))}|\.html?)$")


def find_source(page: str, source_dir: Path | None) -> Path:
    """Return the source file of a page, given as a file path, a URL or a document name.

    Searches ``source_dir``, otherwise the conventional folders. Raises ``click.UsageError`` if no
    file or several files match.
    """
    if Path(page).is_file():
        return Path(page)
    folders = [source_dir] if source_dir else [Path(folder) for folder in _FOLDERS if os.path.isdir(folder)]
    names = _names(page)
    found = next(filter(None, (_files(folder, name) for folder in folders for name in names)), [])
    if len(found) == 1:
        return found[0]
    what = f"matches several files: {some([*map(str, found)])}" if found else "has no known source"
    raise click.UsageError(
        f"{shown(page, MAX_PATH)} {what}; name its source file, or its folder with --source-dir."
    )


def is_url(page: str) -> bool:
    """Tell whether a page is named by its URL."""
    return page.lower().startswith(("http://", "https://"))


def path_of(url: str) -> str:
    """Return the path of a URL, decoded; NUL if it has an invalid host, which is no page's."""
    try:
        return unquote(urlsplit(url).path)
    except ValueError:
        return "\0"


def without_suffix(name: str) -> str:
    """Return a page's path without the suffix of its source or of HTML."""
    return _END.sub("", name)


def plain_path(name: str) -> str:
    """Return a page's path without what generators and servers add: suffix, ``index``, slashes."""
    return re.sub(r"(?:^|/)(?:index|README)$", "", without_suffix(name.strip("/"))).strip("/")


def _names(page: str) -> list[str]:
    """Return the paths that a page may have in a source folder.

    The path of a URL may start with folders that the sources do not have.
    """
    if not is_url(page):
        return [unquote(page).strip("/")]
    parts = path_of(page).strip("/").split("/")
    return ["/".join(parts[start:]) for start in range(len(parts))]


def _files(folder: Path, path: str) -> list[Path]:
    """Return the possible source files of a page; more than one if its name is ambiguous."""
    stem = path.removesuffix("/index.html").removesuffix(".html").removesuffix(".htm")
    stem = "" if stem == "index" else stem
    names = [f"{stem}/{index}".lstrip("/") for index in ("index", "README")]
    files = [folder / name for name in ([stem] if stem else []) + names]
    # most folders do not exist
    there = [file for file in files if os.path.isdir(file.parent)]
    return [found for file in there for end in SUFFIXES if (found := Path(f"{file}{end}")).is_file()]
