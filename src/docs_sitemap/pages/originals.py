"""Finds the originals of files that are copied before a build, by the option ``source_map``."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from docs_sitemap.errors import OptionError
from docs_sitemap.readers.files import RealPaths
from docs_sitemap.text import show_value

if TYPE_CHECKING:
    from docs_sitemap.options.declarations import Options
    from docs_sitemap.pages.page import Host


class Originals:
    """The originals of copied files and folders: ``places`` has those of the absolute paths of copies.

    Of several copied folders around a file, the nearest counts. A link counts as what it leads to.
    """

    def __init__(self, places: Mapping[str, str]) -> None:
        self._links = RealPaths().of
        self.places: dict[str, str] = {self._links(copy): original for copy, original in places.items()}

    def find(self, path: Path) -> Path:
        """Return a file's original, which may not exist, or ``path`` itself if it is no copy."""
        if not self.places:
            return path
        real = Path(self._links(path))
        place = next((each for each in (real, *real.parents) if str(each) in self.places), None)
        return Path(self.places[str(place)], real.relative_to(place)) if place else path

    def of(self, path: str | os.PathLike[str]) -> str:
        """Return the path without links of a file's original, or of the file itself."""
        return self._links(self.find(Path(path)))


def originals_of(options: Options, host: Host) -> Originals:
    """Return the originals that ``source_map`` names, where paths start from the host's folder.

    Raises ``OptionError`` if there is no such file or folder.
    """
    for copy, original in options.source_map:
        if not os.path.exists(host.folder / original):
            got, name = show_value(f"{copy}={original}"), host.spell("source_map")
            raise OptionError(f"{name}: expected a path that exists in {host.folder.absolute()}, got {got}.")
    pairs = ([os.path.abspath(host.folder / path) for path in pair] for pair in options.source_map)
    return Originals(dict(pairs))
