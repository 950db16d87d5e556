"""Find the files that configuration adds to every document: they are settings, not a document's text.

Sphinx records ``docutils.conf`` as a dependency of each document, and also the files that ``rst_prolog``
and ``rst_epilog`` include.
"""

from __future__ import annotations

import os
import re
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

from docs_sitemap.limits import MAX_NAMES, MAX_SOURCE
from docs_sitemap.untrusted import read_start

if TYPE_CHECKING:
    from sphinx.application import Sphinx
    from sphinx.environment import BuildEnvironment

# The directives of reStructuredText and MyST that read a file, and the option that can
_READS: Final = re.compile(
    r"^[ \t]*(?:\.\.[ \t]+(?:literal)?include::|(?:`{3,}|:{3,})\{(?:literal)?include\}|:file:)[ \t]+(\S.*)",
    re.MULTILINE,
)


class Configured:
    """The files that configuration adds to the documents of a build."""

    def __init__(self, app: Sphinx, env: BuildEnvironment) -> None:
        self._env = env
        self._settings = Path(app.confdir, "docutils.conf")
        texts = (app.config.rst_prolog, app.config.rst_epilog)
        self._named = [name for text in texts for name in _names(text or "")]
        self._names_in = cache(_names_in)  # cached per build: files change between builds

    def files(self, docname: str) -> set[Path]:
        """Return the files that only configuration adds to a document, not those that it reads itself."""
        found = self._read(docname, self._named) if self._named else set()
        if found:
            found -= self._read(docname, self._names_in(Path(self._env.doc2path(docname))))
        return found | {self._settings}

    def _read(self, docname: str, names: list[str]) -> set[Path]:
        """Return the files that these names can mean in a document, and the files that those read.

        Sphinx resolves names from the document, docutils from the file with the name or the working folder.
        """
        found: set[Path] = set()
        # a text may name one file, or files that are not there, ten thousand times
        rest = [(name, Path(self._env.doc2path(docname))) for name in [*dict.fromkeys(names)][:MAX_NAMES]]
        while rest:
            name, within = rest.pop()
            if name.startswith("<"):  # a file of docutils
                continue
            places = (self._env.relfn2path(name, docname)[1], within.parent / name, Path.cwd() / name)
            for path in {Path(os.path.normpath(place)) for place in places} - found:
                found.add(path)
                rest += [(other, path) for other in dict.fromkeys(self._names_in(path))]
            if len(found) > MAX_NAMES:
                break
        return found


def _names(text: str) -> list[str]:
    return [name.strip() for name in _READS.findall(text)]


def _names_in(file: Path) -> list[str]:
    """Return the names of the files that a file reads by directives; none if it cannot be read."""
    try:
        return _names(read_start(file, MAX_SOURCE).decode("utf-8", "replace"))
    except (OSError, ValueError):
        return []
