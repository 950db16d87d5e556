"""The Markdown extension that notes what Zensical's pages include, and shows their dates.

It runs while Zensical renders pages, and does nothing elsewhere, such as in MkDocs. Zensical (0.0.73 to
0.1) renders one page after another, in one thread, and registers a preprocessor that knows the page;
extensions such as mkdocstrings render parts of a page with further parsers, which have the same one.
"""

from __future__ import annotations

import logging
import os
import sys
from collections.abc import Callable, Collection, Mapping
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Final

from markdown import Extension, Markdown

from docs_sitemap.build_guard import BuildGuard
from docs_sitemap.dates.evidence import is_includer, watch_all
from docs_sitemap.dates.evidence.macros import watch_zensical_macros
from docs_sitemap.dates.evidence.named import Appended
from docs_sitemap.dates.evidence.reads import Observer, Reads
from docs_sitemap.dates.installed import Installed
from docs_sitemap.dates.site_dates import dates_to_show, pages_below
from docs_sitemap.errors import OptionError
from docs_sitemap.files.page_elements import show_date
from docs_sitemap.generators.zensical import CONFIGURATIONS, Project, find_project
from docs_sitemap.generators.zensical.notes import PageNotes
from docs_sitemap.notices import Notice
from docs_sitemap.options.declarations import read_options
from docs_sitemap.options.page_settings import creation_in, place_rules, read_metadata
from docs_sitemap.pages.page import Page

_CONTEXT: Final = "rendering_context"


class NotesExtension(Extension):  # type: ignore[misc]  # Markdown has no types
    """Notes which files are part of each page, for ``docs-sitemap build``.

    Changes no page, unless the option ``page_dates`` is set.
    """

    def extendMarkdown(self, md: Markdown) -> None:  # noqa: N802  # Markdown's name
        """Record while this parser renders a page of Zensical."""
        if _CONTEXT not in md.preprocessors:
            return
        context: Any = md.preprocessors[_CONTEXT]
        convert = md.convert

        def recorded(source: str) -> str:
            """Take the place of the parser's own method, which is the one call for a whole page."""
            recorder = _recorder_of(context.config)
            return recorder.convert(context.page, convert, source) if recorder else convert(source)

        md.convert = recorded


def makeExtension(**settings: Any) -> NotesExtension:  # noqa: N802  # Markdown's name
    """Return the extension, for Markdown."""
    return NotesExtension(**settings)


_running: list[tuple[Mapping[str, Any], _Recorder | None]] = []
"""The configuration that is built, and its recorder; empty before the first page."""


def _recorder_of(config: Mapping[str, Any]) -> _Recorder | None:
    """Return the recorder of a build; ``zensical serve`` has another configuration after it changes."""
    if not _running or _running[0][0] is not config:
        for _, old in _running:
            if old:
                old.close()
        guard = BuildGuard(_tell, consequence="Pages have no dates from here on.")
        _running[:] = [(config, guard.call(_Recorder, config, guard))]
    return _running[0][1]


def _tell(notice: Notice) -> None:
    """Log a notice; without any settings, Python writes warnings to stderr."""
    logging.getLogger("docs_sitemap").warning("docs-sitemap: %s", notice.text)


class _Recorder:
    """Records the pages of one build, or of one configuration while serving."""

    def __init__(self, config: Mapping[str, Any], guard: BuildGuard) -> None:
        self._guard = guard
        root = Path(os.path.abspath(config["root_dir"]))
        self._notes = PageNotes(root, root / config["docs_dir"])
        self._reads = Reads()
        self._reads.pass_over(
            [*config.get("theme_dirs", ()), *map(str, (root / config["site_dir"], root / ".cache"))]
        )
        self._observer = Observer(guard)
        self._current: Any = None
        self._included: dict[str, str] = {}
        self._is_first = True
        self._dates = _PageDates(config, root)
        extensions = config["mdx_configs"]
        snippets = extensions.get("pymdownx.snippets") or {}
        bases = map(os.path.abspath, _texts(snippets.get("base_path", ".")))
        self._appended = Appended(_texts(snippets.get("auto_append")), [*bases, str(root)])
        macros = extensions.get("zensical.extensions.macros") or {}
        # what watch_zensical_macros needs of the extension, whether or not it is used
        self._macros = SimpleNamespace(config=macros, project_dir=str(root), page=None)
        watch_zensical_macros(self._macros, self._observer, self._on_included)
        # macros reads its data files for each page, whether or not the page uses them
        data = macros.get("include_yaml") or ()
        names = _texts([*data.values()] if isinstance(data, Mapping) else data)
        self._not_noted = {os.path.abspath(root / name) for name in (*CONFIGURATIONS, *names)}

    def close(self) -> None:
        self._observer.close()

    def convert(self, page: Any, convert: Callable[[str], str], source: str) -> str:
        """Render a page and write its note; a part of the current page only is rendered."""
        if page is self._current:
            return convert(source)
        try:
            self._guard.call(self._begin, page)
            html = convert(source)
            self._guard.call(self._end, page, html)
        finally:
            self._current = None
            self._reads.close()
        return html

    def _begin(self, page: Any) -> None:
        handlers = getattr(sys.modules.get("zensical.compat.mkdocstrings"), "HANDLERS", None)
        watch_all([("mkdocstrings", SimpleNamespace(handlers=handlers))], self._observer, self._on_included)
        self._current, self._macros.page, self._included = page, page, {}
        self._reads.take()
        self._reads.listen()

    def _end(self, page: Any, html: str) -> None:
        read = {name: by for name, by in self._reads.take().items() if name not in self._not_noted}
        self._included.update(self._appended.explained(html, read))
        read = {name: by for name, by in read.items() if name not in self._appended.files}
        known = {*self._included, *(name for name, by in read.items() if is_includer(by))}
        date = self._dates.show(page, known, read) or ""
        self._notes.write(page.path, read, self._included, is_first=self._is_first, shown=date)
        self._is_first = False

    def _on_included(self, path: str, how: str) -> None:
        """Note a file that a mechanism reports for the current page."""
        if self._current is not None:
            self._included.setdefault(os.path.abspath(path), how)


def _texts(value: Any) -> list[str]:
    found = value if isinstance(value, (list, tuple)) else [value]
    return [each for each in found if isinstance(each, str)]


class _PageDates:
    """Shows the dates of a project's pages, if its option ``page_dates`` says so.

    With a mistake in the options there are no dates: ``docs-sitemap build`` reports it. Nor if another file
    than the one in ``root`` is built: Zensical does not say which.
    """

    def __init__(self, config: Mapping[str, Any], root: Path) -> None:
        self._project: Project | None = None
        with suppress(OptionError):
            project = find_project(root)
            folders = [root / config["docs_dir"], root / config["site_dir"]]
            if project is None or folders != [project.folder, project.site_dir]:
                return
            options = read_options(project.options.values)
            rules, _ = place_rules(options.rules, project.folder, "rules")
            if options.page_dates:
                self._project = project
                self._options = replace(options, rules=rules)
                self._installed = Installed(project.folder)
                # asked for with the first page, so that the history is read once: all pages, and what
                # Zensical itself watches, such as modules
                watched = [Page(url="", source=Path(path)) for path, *_ in config.get("watched_files", ())]
                self._others = [*watched, *pages_below(project.folder)]

    def show(self, page: Any, known: Collection[str], possible: Collection[str]) -> str | None:
        """Add its date to a page's front matter and return it; a page without a date is left as it is.

        ``known`` are files that the page is known to include. Of ``possible`` ones it is known only after all
        pages are rendered: there is no date if it depends on them.
        """
        if self._project is None:
            return None
        files = dict.fromkeys([frozenset(known), frozenset((*known, *possible))])
        pages = [self._page(page, each, self._project.folder) for each in files]
        with suppress(OptionError):
            host = self._project.host
            others, self._others = self._others, []
            least, *more = dates_to_show([*pages, *others], self._options, host)[: len(pages)]
            if least.lastmod is not None and all(least == most for most in more):
                show_date(page.meta, least.lastmod, host.language or "en", least.created)
                return least.lastmod
        return None

    def _page(self, page: Any, included: Collection[str], folder: Path) -> Page:
        source = folder / page.path
        settings, sources, _ = read_metadata(page.meta, os.fspath(source), folder)
        templates = self._project.templates(page.meta.get("template")) if self._project else {}
        files, undated = self._installed.originals({**dict.fromkeys(map(Path, included), ""), **templates})
        return Page(
            url=page.url,
            source=source if source.is_file() else None,
            source_path=page.path,
            sources=sources,
            settings=settings,
            dependencies=tuple(files),
            datable=not undated,
            created=creation_in(page.meta),
        )
