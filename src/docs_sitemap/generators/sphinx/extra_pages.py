"""Find pages without a document: those that extensions add, and the files of ``html_extra_path``.

Extensions add pages in ``html-collect-pages``. Sphinx emits an event for each of them when it writes it, in
the main process. Up to 8.1, it writes none if nothing has changed, so their names are stored for such builds.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import sphinx
from sphinx.builders.singlehtml import SingleFileHTMLBuilder
from sphinx.util.matching import Matcher

from docs_sitemap.boundary import Boundary
from docs_sitemap.generators.sphinx.doctrees import Notes

if TYPE_CHECKING:
    from sphinx.application import Sphinx
    from sphinx.config import Config
    from sphinx.environment import BuildEnvironment

_NAME: Final = "pages"
_COLLECT: Final = "html-collect-pages"
_VIEWCODE: Final = "sphinx.ext.viewcode"

# Since 8.2, top-level files are matched against exclude_patterns as ./NAME, so few patterns match.
_TOP: Final = "./" if sphinx.version_info >= (8, 2) else ""


class ExtraPages:
    """The pages without a document in a build."""

    def __init__(self) -> None:
        self._seen: set[str] = set()
        self._is_complete = False

    def connect(self, app: Sphinx, boundary: Boundary) -> None:
        """Connect the event handlers; call ``names`` at the end of a successful build."""
        app.connect("env-updated", boundary.around(self._ask))
        app.connect(_COLLECT, self._begin)
        app.connect("html-page-context", boundary.around(self._add))

    def names(self, app: Sphinx) -> set[str]:
        """Return the names of all such pages, and store them for builds that write none."""
        if not self._is_complete:
            return set(map(str, _noted(app).get("pages", ())))
        # viewcode skips pages that are newer than their modules
        names = self._seen | set(_source_pages(app))
        Notes(app, _NAME).write({"pages": sorted(names), "makers": _makers(app)})
        return names

    def _ask(self, app: Sphinx, env: BuildEnvironment) -> list[str]:
        """Return a document to write if the makers of such pages have changed or are unknown."""
        writes_always = sphinx.version_info >= (8, 2) or isinstance(app.builder, SingleFileHTMLBuilder)
        return [] if writes_always or _noted(app).get("makers") == _makers(app) else [app.config.root_doc]

    def _begin(self, app: Sphinx) -> Iterable[Any]:
        self._is_complete = True  # a build writes all of them or none
        return ()

    def _add(self, app: Sphinx, pagename: str, templatename: str, context: object, doctree: Any) -> None:
        """Add a page without a doctree; a page with one is a document in the environment."""
        if doctree is None:
            self._seen.add(pagename)


def _noted(app: Sphinx) -> dict[str, list[str]]:
    noted = Notes(app, _NAME).read()
    return {name: value for name, value in noted.items() if isinstance(value, list)}


def _makers(app: Sphinx) -> list[str]:
    makers = [listener.handler for listener in app.events.listeners.get(_COLLECT, ())]
    return sorted(f"{maker.__module__}.{getattr(maker, '__qualname__', '')}" for maker in makers)


def _source_pages(app: Sphinx) -> Iterable[str]:
    if _VIEWCODE in app.extensions:
        for module, entry in getattr(app.env, "_viewcode_modules", {}).items():
            if entry:
                yield f"_modules/{module.replace('.', '/')}"


def extra_files(config: Config, confdir: Path) -> dict[str, Path]:
    """Return the files by their names in the output, with ``/``; if names are equal, the last file counts."""
    excluded = Matcher(config.exclude_patterns)
    entries = (confdir / entry for entry in config.html_extra_path)
    return {name: file for entry in entries for name, file in _files(excluded, entry)}


def static_files(config: Config, confdir: Path) -> dict[str, Path]:
    """Return the files of ``html_static_path`` by their names in ``_static``: no templates, none hidden."""
    excluded = Matcher([*config.exclude_patterns, "**/.*"])
    entries = (confdir / entry for entry in config.html_static_path)
    found = {name: file for entry in entries for name, file in _files(excluded, entry)}
    return {name: file for name, file in found.items() if not name.endswith((".jinja", "_t"))}


def _files(excluded: Matcher, root: Path) -> Iterator[tuple[str, Path]]:
    """Walk like Sphinx: a file that is an entry itself is never excluded, and links are followed."""
    if root.is_file():
        yield root.name, root
        return
    for folder, folders, files in os.walk(root, followlinks=True):
        below = Path(folder).relative_to(root).as_posix() + "/"
        prefix, asked = ("", _TOP) if below == "./" else (below, below)
        folders[:] = sorted(name for name in folders if not excluded(asked + name))
        for name in sorted(files):
            if not excluded(asked + name):
                yield prefix + name, Path(folder, name)
