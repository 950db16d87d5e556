"""Says which sources were looked for and not found, and which folder has them."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Final

from docs_sitemap import urls
from docs_sitemap.errors import OptionError
from docs_sitemap.generators.html.sources import Finder, Sources
from docs_sitemap.pages import Undated
from docs_sitemap.pages.utility_pages import machine_page
from docs_sitemap.readers import files_below
from docs_sitemap.text import counted, show_path

_USUAL: Final = ("docs", "content", "src/content/docs", "docs/source", "docs/src", "source", "src", ".")
"""Where the documentation of generators has the sources; Docusaurus has them in several folders."""


_MANY: Final = 3
"""A folder with so many times more sources is the one that was meant."""


def why_no_source(sources: Finder | None, name: str, url: str) -> Undated | None:
    """Return why a page has no source, by its name in the build output and its URL path.

    ``None`` in a project.
    """
    if not isinstance(sources, Sources):
        return None
    rule = f'{{match = "{show_path(urls.decoded(url) or name)}", sources = ["FILE"]}}'
    cure = f"name it in docs-sitemap.toml: rules = [{rule}]"
    if found := sources.candidates(name):
        return Undated("several files may be the source", f"for {name}: {', '.join(found)}", cure)
    cure += "; if sources are copied before the build, use --source-map BUILD/DIR=SOURCE/DIR"
    why = f"no source was found below {show_path(sources.folder)}"
    return Undated(why, f"for {name}: {sources.looked_for(name)}", cure)


def no_folder(site: Path) -> Undated:
    """Return why no page of a site has a source without ``--source-dir``, and the folder to name there."""
    best, _ = _best(site, _pages(site), map(Path, _USUAL))
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
    return [name for name in files_below(site) if name.lower().endswith((".html", ".htm"))]


def _best(site: Path, names: Sequence[str], folders: Iterable[Path]) -> tuple[Path | None, int]:
    """Return the folder whose files make most pages, and how many: at least two, as any has a README."""
    found: dict[Path, int] = {}
    for folder in folders:
        if os.path.isdir(folder) and os.path.realpath(folder) != os.path.realpath(site):
            found[folder] = sum(map(bool, map(Sources(folder, site).find, names)))
    best = max(found, key=found.__getitem__, default=None)
    return (best, found[best]) if best and found[best] >= min(2, len(names)) else (None, 0)
