"""Finds the sources of pages in a folder, by the names of pages in the build output."""

from __future__ import annotations

import os
import posixpath
import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Final, Protocol

from docs_sitemap import urls
from docs_sitemap.errors import OptionError
from docs_sitemap.generators.html.known import UNLIKELY, Claim, Metadata, Source, generator_of
from docs_sitemap.pages.page import Originals, Undated
from docs_sitemap.pages.utility_pages import machine_page
from docs_sitemap.readers.files import files_below, real_path
from docs_sitemap.text import counted, show_path

_USUAL: Final = ("docs", "content", "src/content/docs", "docs/source", "docs/src", "source", "src", ".")
"""Where the documentation of generators has the sources; Docusaurus has them in several folders."""

_MANY: Final = 3
"""A folder with so many times more sources is the one that was meant."""


class Finder(Protocol):
    """Finds the sources of pages, which are below ``folder``, by the names of pages in the build output."""

    folder: Path

    def find(self, name: str) -> Path | None:
        """Return the source of a page, or ``None``."""


class Sources:
    """The files of a documentation ``folder``, by the pages that their ``generator`` makes of them.

    That is told by the built ``site``, if given, or by its configuration near the sources. Of a copy and its
    original, of ``originals``, the copy is the source.
    """

    def __init__(self, folder: Path, site: Path | None = None, originals: Originals | None = None) -> None:
        self.folder = folder
        self._originals = originals or Originals({})
        self.generator, project = generator_of(site, folder)
        real = Path(os.path.realpath(folder))
        self._project = project or real
        self._above = "" if real == self._project else f"{real.relative_to(self._project).as_posix()}/"
        self._pages: dict[str, list[tuple[Claim, str]]] = {}
        self._in_urls: dict[str, list[tuple[Claim, str]]] = {}  # by the form of their pages in URLs
        for path in files_below(real, "node_modules"):
            if path.lower().endswith(self.generator.suffixes):
                for claim in self.generator.pages(self._source(path)):
                    self._pages.setdefault(claim.page, []).append((claim, path))
                    self._in_urls.setdefault(_in_url(claim.page), []).append((claim, path))
        for page, source in self.generator.written(site, self._project) if site else ():
            if os.path.isfile(self._project / source):
                path = os.path.relpath(self._project / source, real).replace(os.sep, "/")
                self._pages.setdefault(page, []).append((Claim(page, -1), path))

    def is_copy(self, name: str, file: Path, source: Path | None) -> bool:
        """Tell whether a page, which is in a file of the site, is an untranslated copy."""
        known = self._described(source) if source else None
        return self.generator.is_copy(name, file, known)

    def parts(self, source: Path) -> Iterable[Path]:
        """Return the other files that the page of a source shows, each once."""
        return dict.fromkeys(self.generator.parts(self._described(source)))

    def translate(self, source: Path, metadata: Metadata) -> Metadata:
        """Return a source's front matter with what it says about the sitemap in our words."""
        return self.generator.translate(self._described(source), metadata)

    def _described(self, source: Path) -> Source:
        return self._source(source.relative_to(self.folder).as_posix())

    def _source(self, path: str) -> Source:
        return Source(self._project, posixpath.normpath(self._above + path), self.generator.words)

    def find(self, name: str) -> Path | None:
        """Return the source of a page, by its name in the build output; ``None`` if it is uncertain."""
        found = self.candidates(name)
        return self.folder / found[0] if len(found) == 1 else None

    def candidates(self, name: str) -> list[str]:
        """Return the possible sources of a page, relative to the folder; none is the right one if several."""
        stem = re.sub(r"\.html?$", "", name, flags=re.IGNORECASE)
        folder, _, last = stem.rpartition("/")
        is_index = last.lower() == "index"
        page = folder if is_index else stem
        found = self._pages.get(page) or self._in_urls.get(_in_url(page)) or []
        first = min((claim.order(is_index=is_index) for claim, _ in found), default=None)
        best = {path for claim, path in found if claim.order(is_index=is_index) == first}
        texts = {path for path in best if not path.lower().endswith(UNLIKELY)} or best
        files = {path: self.folder / path for path in sorted(texts)}
        copies = {path for path, file in files.items() if self._originals.find(file) is not file}
        originals = {self._originals.of(files[path]) for path in copies}
        return [path for path, file in files.items() if path in copies or real_path(file) not in originals]

    def looked_for(self, name: str) -> str:
        """Return in words which file makes a page, if there is one: at its own path, with any suffix."""
        folder = os.path.relpath(self._project) if self.generator.is_whole else self.folder
        suffix, *others = self.generator.suffixes
        page = re.sub(r"(?<=.)/index\.html?$|\.html?$", "", name, flags=re.IGNORECASE)
        return ", ".join([os.path.normpath(f"{folder}/{page}") + suffix, *others[:2], "…"])


def _in_url(name: str) -> str:
    """Return a name in the form that generators use in URLs: lower case, words joined by hyphens."""
    return re.sub(r"[^\w/]+|_", "-", name.casefold())


def why_no_source(sources: Finder | None, name: str, url: str) -> Undated | None:
    """Return why a page has no source, by its name in the build output and its URL path.

    ``None`` in a project.
    """
    if not isinstance(sources, Sources):
        return None
    rule = f'{{match = "{show_path(urls.decoded(url) or name)}", sources = ["FILE"]}}'
    cure = f"name it, relative to {show_path(sources.folder)}, in docs-sitemap.toml: rules = [{rule}]"
    if found := sources.candidates(name):
        kinds = {os.path.splitext(path) for path in found}
        if len({stem for stem, _ in kinds}) == 1 < len(kinds) and found[0].endswith(".ipynb"):
            above = show_path(os.path.relpath((sources.folder / found[0]).parent))
            pair = f"{above}/*{os.path.splitext(found[1])[1]}={above}/*.ipynb"
            cure = f"if notebooks make these pages, add --source-map '{pair}'; otherwise {cure}"
        return Undated("several files may be the source", f"for {name}: {', '.join(found)}", cure)
    cure += "; if sources are copied before the build, use --source-map BUILD/DIR=SOURCE/DIR"
    why = f"no source was found below {show_path(sources.folder)}"
    return Undated(why, f"for {name}: {sources.looked_for(name)}", cure)


def no_folder(site: Path) -> Undated:
    """Return why no page of a site has a source without ``--source-dir``, and the folder to name there."""
    # the whole folder may be large, and has the sources only of some
    usual = _USUAL if generator_of(site, Path("."))[0].is_whole else _USUAL[:-1]
    best, _ = _best(site, _pages(site), map(Path, usual))
    cure = f"add --source-dir {best} to the command" if best else "name their folder: --source-dir FOLDER"
    return Undated("without --source-dir, no sources are known", cure=cure)


def check_folder(sources: Sources, site: Path) -> None:
    """Raise ``OptionError`` if no page of a site has its source in the folder, with one that has them."""
    names, folder = _pages(site), sources.folder
    number = sum(map(bool, map(sources.find, names)))
    if number * _MANY < len(names):
        lacking = [name for name in names if not sources.find(name)]
        example = next((name for name in lacking if not machine_page(site, name)), lacking[0])
        below = [folder / name for name in sorted(os.listdir(folder)) if name[0] != "."]
        best, most = _best(site, names, [*map(Path, _USUAL), folder.parent, *below])
        if number and most < number * _MANY:
            return
        own = f"{number} of {counted(len(names), 'page')} have their" if number else "no page has its"
        raise OptionError(
            f"--source-dir: expected the folder of the sources, got {show_path(folder)}, where {own} own: "
            f"for {show_path(example)}, {show_path(sources.looked_for(example))} was looked for."
            + (f" Use --source-dir {show_path(best)} instead." if best else "")
        )


def _pages(site: Path) -> list[str]:
    return [name for name in files_below(site) if urls.is_html(name)]


def _best(site: Path, names: Sequence[str], folders: Iterable[Path]) -> tuple[Path | None, int]:
    """Return the folder whose files make most pages, and how many: at least two, as any has a README."""
    found: dict[Path, int] = {}
    for folder in folders:
        if os.path.isdir(folder) and os.path.realpath(folder) != os.path.realpath(site):
            found[folder] = sum(map(bool, map(Sources(folder, site).find, names)))
    best = max(found, key=found.__getitem__, default=None)
    return (best, found[best]) if best and found[best] >= min(2, len(names)) else (None, 0)
