"""Pages that have no document: those that extensions hand to ``html-collect-pages``.

Sphinx tells of them while it writes them, in the main process; up to 8.1 it writes none where
nothing has changed, so their names are noted for such builds.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from docs_sitemap.generators.sphinx.notes import Notes

if TYPE_CHECKING:
    from sphinx.application import Sphinx

_NAME: Final = "pages"


class ExtraPages:
    """The pages without a document that a build writes; connect ``add`` to ``html-page-context``."""

    def __init__(self) -> None:
        self._seen: set[str] = set()
        self._is_complete = False

    def add(self, app: Sphinx, pagename: str, templatename: str, context: object, doctree: Any) -> None:
        """Take one page; a page with a doctree is a document, which the environment knows."""
        if doctree is None:
            self._is_complete = True  # all of them are written, or none
            self._seen.add(pagename)

    def names(self, app: Sphinx) -> set[str]:
        """Return the names of all that are published, and note them for builds that write none."""
        notes = Notes(app, _NAME)
        if self._is_complete:
            notes.write(sorted(self._seen))
            return self._seen
        return {name for name in notes.read(list) if isinstance(name, str)}
