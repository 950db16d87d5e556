"""Which file a page is made from, by what a person calls the page."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Final
from urllib.parse import unquote, urlsplit

import click

_SUFFIXES: Final = (".md", ".rst", ".ipynb", ".txt", ".markdown", ".mdx", ".adoc", ".org")
"""Of the sources that documentation generators read."""

_FOLDERS: Final = (".", "docs", "doc", "docs/source", "doc/source", "source", "src", "content")
"""Where documentation lies by convention, below the working folder."""


def find_source(page: str, source_dir: Path | None) -> Path:
    """Return the source file of a page, which is a file's path, a URL or a document name.

    It is looked for in ``source_dir``, else in the usual folders.
    """
    folders = [source_dir] if source_dir else [Path(folder) for folder in _FOLDERS]
    found = _find(page, folders)
    if len(found) == 1:
        return found[0]
    what = f"may be made from {', '.join(map(str, found))}" if found else "has no source that can be found"
    raise click.ClickException(f"{page} {what}: name its source file, or its folder with --source-dir.")


def _find(page: str, folders: Iterable[Path]) -> list[Path]:
    """Return the files that a page may be made from; of several, the name alone does not tell."""
    if Path(page).is_file():
        return [Path(page)]
    names = _names(page)
    for folder in folders:
        for name in names:
            found = [folder / candidate for candidate in _candidates(name) if (folder / candidate).is_file()]
            if found:
                return found
    return []


def _names(page: str) -> list[str]:
    """Return the paths that a page may have below a folder of sources.

    A URL may have folders of the site in front that the documentation has not.
    """
    if not page.lower().startswith(("http://", "https://")):
        return [unquote(page).strip("/")]
    try:
        parts = unquote(urlsplit(page).path).strip("/").split("/")
    except ValueError:  # no host can be written so
        return []
    return ["/".join(parts[start:]) for start in range(len(parts))]


def _candidates(path: str) -> list[str]:
    stem = path.removesuffix("/index.html").removesuffix(".html").removesuffix(".htm")
    stem = "" if stem == "index" else stem
    pages = [stem] if stem else []
    indices = [f"{stem}/{index}".lstrip("/") for index in ("index", "README")]
    return [name + suffix for name in pages + indices for suffix in _SUFFIXES]
