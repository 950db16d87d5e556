"""Pages that have no document: those that extensions hand to ``html-collect-pages``.

Sphinx tells of them while it writes them, in the main process; up to 8.1 it writes none where
nothing has changed. So their names are noted in the folder of the doctrees, where they are as old
as the environment.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from docs_sitemap.errors import OutputError
from docs_sitemap.output import OutputFolder

if TYPE_CHECKING:
    from sphinx.application import Sphinx

_FILE: Final = "docs_sitemap_pages.json"


class ExtraPages:
    """Notes the pages without a document that a build writes; connect it to ``html-page-context``."""

    def __init__(self) -> None:
        self._seen: set[str] = set()
        self._is_complete = False

    def note(self, app: Sphinx, pagename: str, templatename: str, context: object, doctree: Any) -> None:
        """Take one page; a page with a doctree is a document, which the environment knows."""
        if doctree is None:
            self._is_complete = True  # all of them are written, or none
            self._seen.add(pagename)

    def names(self, app: Sphinx) -> set[str]:
        """Return the names of all that are published, and note them for builds that write none."""
        folder = OutputFolder(Path(app.doctreedir))
        name = f"{app.builder.name}_{_FILE}"
        if not self._is_complete:
            return _read(folder, name)
        try:
            with folder.changes() as changes:
                changes.write(name, json.dumps(sorted(self._seen)).encode())
                changes.commit()
        except OutputError:
            pass  # the next build writes them again, or has no others
        return self._seen


def _read(folder: OutputFolder, name: str) -> set[str]:
    try:
        names = json.loads(folder.read(name) or b"[]")
    except (OutputError, ValueError):
        return set()
    return {name for name in names if isinstance(name, str)} if isinstance(names, list) else set()
