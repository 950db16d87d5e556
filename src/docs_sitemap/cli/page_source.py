"""Which page a person means, and which files make it: from what builds have noted, else from its name."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import unquote, urlsplit

import click

if TYPE_CHECKING:
    from docs_sitemap.explain import Note

SUFFIXES: Final = (".md", ".rst", ".ipynb", ".txt", ".markdown", ".mdx", ".adoc", ".org", ".qmd")
"""Of the sources that documentation generators read."""

_FOLDERS: Final = ("docs", "doc", "docs/source", "doc/source", "source", "src", "content", ".")
"""Where documentation lies by convention, below the working folder; that itself last: it has a README."""

_END: Final = re.compile(rf"(?:{'|'.join(map(re.escape, SUFFIXES))}|\.html?)$")


def noted_sites(folder: Path) -> Iterator[tuple[Mapping[str, Any], list[Note]]]:
    """Yield the notes of each site that has to do with a folder, the one that was built last first."""
    from docs_sitemap.explain import notes

    top = _work_tree(folder)
    for path, header in notes.headers():
        root = Path(str(header.get("root")))
        if not header.get("served") and (_work_tree(root) == top if top else root == folder):
            noted = notes.read_file(path)
            yield noted.header, [*noted.pages.values()]


def find_note(page: str, sites: Iterable[Sequence[Note]]) -> Note | None:
    """Return the page that is meant, by its address, its document's name or its source.

    The most certain way comes first, in all sites. Raises ``click.ClickException`` where one site has
    several pages that may be meant.
    """
    sites = list(sites)
    for meant in _tests(page):
        for pages in sites:
            found = [note for note in pages if meant(note)]
            if len(found) == 1:
                return found[0]
            if found:
                sources = ", ".join(sorted(note.source or note.loc for note in found)[:5])
                raise click.ClickException(
                    f"{page} may be any of these pages: {sources}. Name its source file."
                )
    return None


def find_source(page: str, source_dir: Path | None) -> Path:
    """Return the source file of a page, which is a file's path, a URL or a document name.

    It is looked for in ``source_dir``, else in the usual folders. Raises ``click.ClickException`` where
    there is none, or where several may be meant.
    """
    folders = [source_dir] if source_dir else [Path(folder) for folder in _FOLDERS]
    found = _find(page, folders)
    if len(found) == 1:
        return found[0]
    what = f"may be made from {', '.join(map(str, found))}" if found else "has no source that can be found"
    raise click.ClickException(f"{page} {what}: name its source file, or its folder with --source-dir.")


def _tests(page: str) -> Iterator[Any]:
    """Yield ways to tell whether a page is meant, the most certain first."""
    if _is_url(page):
        from docs_sitemap.urls import comparable

        yield lambda note: note.loc and comparable(note.loc) == comparable(page)
        path = _plain(_path_of(page))
        yield lambda note: note.loc and _plain(_path_of(note.loc)) == path
        return
    if os.path.isfile(page):
        real = os.path.realpath(page)
        yield lambda note: note.source and os.path.realpath(note.source) == real
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
    except ValueError:  # no host can be written so
        return "\0"


def _plain(name: str) -> str:
    """Return a page's path without what generators and servers add: suffix, ``index``, slashes."""
    return re.sub(r"(?:^|/)(?:index|README)$", "", _END.sub("", name.strip("/"))).strip("/")


def _work_tree(folder: Path) -> str | None:
    from docs_sitemap.history import find_repository

    repository = find_repository(folder)
    return os.path.realpath(repository.root) if repository else None


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
    if not _is_url(page):
        return [unquote(page).strip("/")]
    parts = _path_of(page).strip("/").split("/")
    return ["/".join(parts[start:]) for start in range(len(parts))]


def _candidates(path: str) -> list[str]:
    stem = path.removesuffix("/index.html").removesuffix(".html").removesuffix(".htm")
    stem = "" if stem == "index" else stem
    pages = [stem] if stem else []
    indices = [f"{stem}/{index}".lstrip("/") for index in ("index", "README")]
    return [name + suffix for name in pages + indices for suffix in SUFFIXES]
