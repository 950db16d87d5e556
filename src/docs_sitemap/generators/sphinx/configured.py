"""Find the files that configuration adds to every document: they are settings, not a document's text.

Sphinx records ``docutils.conf`` as a dependency of each document, and also the files that ``rst_prolog``
and ``rst_epilog`` include.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Final

from docs_sitemap.limits import MAX_INCLUDED, MAX_LOOKED, MAX_NAMES, MAX_PATH, MAX_SOURCE
from docs_sitemap.untrusted import RealPaths, read_start, status_of

if TYPE_CHECKING:
    from sphinx.application import Sphinx
    from sphinx.environment import BuildEnvironment

# The directives of reStructuredText and MyST that read a file, and the option that can
_READS: Final = re.compile(
    r"^[ \t]*(?:\.\.[ \t]+(?:literal)?include::|(?:`{3,}|:{3,})\{(?:literal)?include\}|:file:)[ \t]+(\S.*)",
    re.MULTILINE,
)

_LEAST: Final = 100
"""Characters that a name or a place counts for, besides its path: looking there takes time."""

_LEAST_READ: Final = 1_000
"""Bytes that a file counts for, besides its content: opening it takes time."""

_MAX_FOLDERS: Final = 100
"""Folders of documents of which the answer is kept."""


class Configured:
    """The files that configuration adds to the documents of a build."""

    def __init__(self, app: Sphinx, env: BuildEnvironment) -> None:
        self._env = env
        self._settings = Path(app.confdir, "docutils.conf")
        texts = (app.config.rst_prolog, app.config.rst_epilog)
        self._named = _names("\n".join(text or "" for text in texts))
        self._added: dict[Path, frozenset[Path]] = {}  # what configuration adds to a folder's documents
        self._names: dict[tuple[int, int], Iterable[str]] = {}  # by file, whatever links lead to it
        self._left = MAX_INCLUDED
        self._looked = MAX_LOOKED
        self._real = RealPaths()

    def files(self, docname: str) -> frozenset[Path]:
        """Return the files that only configuration adds to a document, not those that it reads itself."""
        document = Path(self._env.doc2path(docname))
        if len(self._added) > _MAX_FOLDERS:
            self._added.clear()
        if document.parent not in self._added:
            added = self._read(docname, self._named) if self._named else ()
            self._added[document.parent] = frozenset({self._settings, *map(Path, added)})
        found = self._added[document.parent]
        own = self._read(docname, names_in(document)) if len(found) > 1 else ()
        # most read none: then all documents of a folder have one set
        return found - {*map(Path, own)} | {self._settings} if own else found

    def _read(self, docname: str, names: Iterable[str]) -> set[str]:
        """Return the files that these names can mean in a document, and the files that those read.

        Sphinx resolves names from the document, docutils from the file with the name or the working folder.
        """
        found: set[str] = set()
        within = os.path.dirname(self._env.doc2path(docname))
        # a text may name one file, or files that are not there, ten thousand times
        asked = [(name, within) for name in names]
        known = set(asked)
        for name, folder in asked:
            self._looked -= 3 * (len(name) + max(len(folder), len(within)) + _LEAST)
            if len(found) > MAX_NAMES or self._looked < 0:
                break
            if name.startswith("<"):  # a file of docutils
                continue
            below = name.lstrip(f"/{os.sep}")
            own = os.path.join(within if below == name else self._env.srcdir, below)
            ways = (own, os.path.join(folder, name), os.path.join(os.getcwd(), name))
            # Sphinx resolves links since 8.2
            for path in {self._real.of(own), *map(os.path.normpath, ways)} - found:
                found.add(path)
                if len(asked) < MAX_NAMES:
                    new = [(other, os.path.dirname(path)) for other in self._names_of(path)]
                    self._looked -= len(new) * _LEAST
                    asked += [each for each in new if each not in known][: MAX_NAMES - len(asked)]
                    known.update(new)
        return found

    def _names_of(self, file: str) -> Iterable[str]:
        """Return the names in a file, which is read once."""
        status = status_of(file)
        if status is None:
            return ()
        key = status.st_dev, status.st_ino
        if key not in self._names and self._left > 0:
            self._left -= min(status.st_size, MAX_SOURCE) + _LEAST_READ
            self._names[key] = names_in(self._real.of(file))
        return self._names.get(key, ())


def _names(text: str) -> Iterable[str]:
    """Return the names in a text, each once, up to the limit."""
    found: dict[str, None] = {}
    for match in _READS.finditer(text):
        if len(match[1]) <= MAX_PATH:
            found[match[1].strip()] = None
        if len(found) == MAX_NAMES:
            break
    return found


def names_in(file: str | Path) -> Iterable[str]:
    """Return the names of the files that a file reads by directives; none if it cannot be read."""
    try:
        return _names(read_start(file, MAX_SOURCE).decode("utf-8", "replace"))
    except (OSError, ValueError):
        return ()
