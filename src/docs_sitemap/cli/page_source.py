"""Find the page that a user means and its source files, in build records or by its name."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import unquote, urlsplit

import click

from docs_sitemap.brief import shown
from docs_sitemap.cli.common import some
from docs_sitemap.limits import MAX_BASE_FOLDERS, MAX_PATH

if TYPE_CHECKING:
    from docs_sitemap.explain import Note

SUFFIXES: Final = (".md", ".rst", ".ipynb", ".txt", ".markdown", ".mdx", ".adoc", ".org", ".qmd")
"""Suffixes of the source files that documentation generators read."""

_FOLDERS: Final = ("docs", "doc", "docs/source", "doc/source", "source", "src", "content", ".")
"""Conventional folders of documentation; the working folder comes last, because it has a README."""

_END: Final = re.compile(rf"(?:{'|'.join(map(re.escape, SUFFIXES))}|\.html?)$")


def noted_sites(folder: Path) -> Iterator[tuple[Mapping[str, Any], list[Note]]]:
    """Yield the notes of each site built in a folder or its repository, newest build first."""
    from docs_sitemap.explain import notes

    top = _work_tree(folder)
    for path, header in notes.headers():
        with suppress(ValueError):  # notes that are damaged may have names that no file can have
            root = Path(str(header.get("root")))
            if not header.get("served") and (_work_tree(root) == top if top else root == folder):
                noted = notes.read_file(path)
                yield noted.header, [*noted.pages.values()]


def find_note(page: str, sites: Iterable[Sequence[Note]]) -> Note | None:
    """Return the note of a page by its URL, document name or source file.

    The most specific test runs first, on all sites. Raises ``click.ClickException`` if several pages of
    one site match.
    """
    sites = list(sites)
    for meant in _tests(page):
        for pages in sites:
            found = [note for note in pages if meant(note)]
            if len(found) == 1:
                return found[0]
            if found:
                sources = ", ".join(map(shown, sorted(note.source or note.loc for note in found)[:5]))
                name = shown(page, MAX_PATH)
                raise click.ClickException(
                    f"{name} matches several pages: {sources}. Name the source file instead."
                )
    return None


def find_source(page: str, source_dir: Path | None) -> Path:
    """Return the source file of a page, given as a file path, a URL or a document name.

    Searches ``source_dir``, otherwise the conventional folders. Raises ``click.ClickException`` if no
    file or several files match.
    """
    if Path(page).is_file():
        return Path(page)
    folders = [source_dir] if source_dir else [Path(folder) for folder in _FOLDERS]
    names = _names(page)
    found = next(filter(None, (_files(folder, name) for folder in folders for name in names)), [])
    if len(found) == 1:
        return found[0]
    what = f"matches several files: {some([*map(str, found)])}" if found else "has no known source"
    raise click.ClickException(
        f"{shown(page, MAX_PATH)} {what}; name its source file, or its folder with --source-dir."
    )


def _tests(page: str) -> Iterator[Any]:
    """Yield tests for whether a note matches the page, the most specific first."""
    if _is_url(page):
        from docs_sitemap.urls import comparable

        yield lambda note: note.loc and comparable(note.loc) == comparable(page)
        path = _plain(_path_of(page))
        yield lambda note: note.loc and _plain(_path_of(note.loc)) == path
        return
    if os.path.isfile(page):
        from docs_sitemap.untrusted import RealPaths

        links = RealPaths()
        real = links.of(page)
        yield lambda note: note.source and links.of(note.source) == real
        return
    name = page.strip("/")
    yield lambda note: name in [each.strip("/") for each in note.names]
    yield lambda note: _END.sub("", name) in [_END.sub("", each.strip("/")) for each in note.names]
    yield lambda note: _plain(name) in [_plain(each) for each in note.names]


def _is_url(page: str) -> bool:
    return page.lower().startswith(("http://", "https://"))


def _path_of(url: str) -> str:
    try:
        return unquote(urlsplit(url).path)
    except ValueError:  # the URL has an invalid host
        return "\0"


def _plain(name: str) -> str:
    """Return a page's path without what generators and servers add: suffix, ``index``, slashes."""
    return re.sub(r"(?:^|/)(?:index|README)$", "", _END.sub("", name.strip("/"))).strip("/")


def _work_tree(folder: Path) -> str | None:
    from docs_sitemap.history import find_repository

    repository = find_repository(folder)
    return os.path.realpath(repository.root) if repository else None


def _names(page: str) -> list[str]:
    """Return the paths that a page may have in a source folder.

    The path of a URL may start with folders that the sources do not have.
    """
    if not _is_url(page):
        return [unquote(page).strip("/")]
    parts = _path_of(page).strip("/").split("/")[-MAX_BASE_FOLDERS:]
    return ["/".join(parts[start:]) for start in range(len(parts))]


def _files(folder: Path, path: str) -> list[Path]:
    """Return the possible source files of a page; more than one if its name is ambiguous."""
    stem = path.removesuffix("/index.html").removesuffix(".html").removesuffix(".htm")
    stem = "" if stem == "index" else stem
    pages = [stem] if stem else []
    indices = [f"{stem}/{index}".lstrip("/") for index in ("index", "README")]
    files = [folder / (name + suffix) for name in pages + indices for suffix in SUFFIXES]
    return [file for file in files if file.is_file()]
