"""Files that configuration puts into every document: they are settings, and no document's own text.

Sphinx notes ``docutils.conf`` as a dependency of each document, and so what ``rst_prolog`` and
``rst_epilog`` include.
"""

from __future__ import annotations

import os
import re
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

from docs_sitemap.limits import MAX_SOURCE
from docs_sitemap.untrusted import read_start

if TYPE_CHECKING:
    from sphinx.application import Sphinx
    from sphinx.environment import BuildEnvironment

# The directives of reStructuredText and MyST that read a file, and the option of those that may
_READS: Final = re.compile(
    r"^[ \t]*(?:\.\.[ \t]+(?:literal)?include::|(?:`{3,}|:{3,})\{(?:literal)?include\}|:file:)[ \t]+(\S.*)",
    re.MULTILINE,
)


class Configured:
    """What configuration puts into the documents of a build."""

    def __init__(self, app: Sphinx, env: BuildEnvironment) -> None:
        self._env = env
        self._settings = Path(app.confdir, "docutils.conf")
        texts = (app.config.rst_prolog, app.config.rst_epilog)
        self._named = [name for text in texts for name in _names(text or "")]
        self._names_in = cache(_names_in)  # for this build: files change until the next one

    def files(self, docname: str) -> set[Path]:
        """Return the files that are in a document by configuration only: what it reads itself is its own."""
        found = self._read(docname, self._named) if self._named else set()
        if found:
            found -= self._read(docname, self._names_in(Path(self._env.doc2path(docname))))
        return found | {self._settings}

    def _read(self, docname: str, names: list[str]) -> set[Path]:
        """Return the files that these names may stand for in a document, and those that they read.

        Sphinx looks from the document, docutils from the file that has the name, or from the working folder.
        """
        found: set[Path] = set()
        rest = [(name, Path(self._env.doc2path(docname))) for name in names]
        while rest:
            name, within = rest.pop()
            if name.startswith("<"):  # which docutils brings
                continue
            places = (self._env.relfn2path(name, docname)[1], within.parent / name, Path.cwd() / name)
            for path in {Path(os.path.normpath(place)) for place in places} - found:
                found.add(path)
                rest += [(other, path) for other in self._names_in(path)]
        return found


def _names(text: str) -> list[str]:
    """Return the names of the files that a text reads by directives."""
    return [name.strip() for name in _READS.findall(text)]


def _names_in(file: Path) -> list[str]:
    """Return the names of the files that a file reads by directives; none where it cannot be read."""
    try:
        return _names(read_start(file, MAX_SOURCE).decode("utf-8", "replace"))
    except (OSError, ValueError):
        return []
