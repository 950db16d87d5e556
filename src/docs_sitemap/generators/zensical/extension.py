"""The Markdown extension that notes what Zensical's pages include, and shows their dates.

It runs while Zensical renders pages, and does nothing elsewhere, such as in MkDocs. Zensical (0.0.73 to
0.1) renders one page after another, in one thread, and registers a preprocessor that knows the page;
extensions such as mkdocstrings render parts of a page with further parsers, which have the same one.
"""

from __future__ import annotations

import logging
import os
import sys
import threading
from collections.abc import Callable, Collection, Iterable, Mapping
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Final

from markdown import Extension, Markdown

from docs_sitemap.build_guard import BuildGuard
from docs_sitemap.dates import Installed, dates_to_show, pages_below
from docs_sitemap.dates.evidence import (
    Appended,
    Observer,
    Reads,
    is_includer,
    watch_all,
    watch_zensical_macros,
)
from docs_sitemap.errors import OptionError
from docs_sitemap.files import show_date
from docs_sitemap.generators.zensical.notes import PageNotes
from docs_sitemap.generators.zensical.project import Project, find_project
from docs_sitemap.notices import Notice
from docs_sitemap.options import Options, creation_in, place_rules, read_metadata, read_options
from docs_sitemap.pages import Page

_CONTEXT: Final = "rendering_context"

_CONFIGURATIONS: Final = ("zensical.toml", "mkdocs.yml", "mkdocs.yaml")


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
            recorder = _recorder(context.config)
            return recorder.convert(context.page, convert, source) if recorder else convert(source)

        md.convert = recorded


def makeExtension(**settings: Any) -> NotesExtension:  # noqa: N802  # Markdown's name
    """Return the extension, for Markdown."""
    return NotesExtension(**settings)


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
        self._appended = _appended(config, root)
        self._unnoted = {str(root / name) for name in _CONFIGURATIONS}
        self._current: Any = None
        self._included: dict[str, str] = {}
        self._is_first = True
        self._dates = _dates(config, root)
        self._macros = _macros(config, root)
        self._unnoted |= _data_of(self._macros)
        watch_zensical_macros(self._macros, self._observer, self._tell)
        self._lock = threading.Lock()

    def close(self) -> None:
        self._observer.close()

    def convert(self, page: Any, convert: Callable[[str], str], source: str) -> str:
        """Render a page and write its note; a part of the current page only is rendered."""
        if page is self._current:
            return convert(source)
        if not self._lock.acquire(blocking=False):
            self._notes.drop(page.path)  # another thread renders a page: it is not known who reads what
            return convert(source)
        try:
            self._guard.around(self._begin)(page)
            html = convert(source)
            self._guard.around(self._end)(page, html)
            if self._guard.is_over:
                self._notes.drop(page.path)
        finally:
            self._current = None
            self._reads.close()
            self._lock.release()
        return html

    def _begin(self, page: Any) -> None:
        handlers = getattr(sys.modules.get("zensical.compat.mkdocstrings"), "HANDLERS", None)
        watch_all([("mkdocstrings", SimpleNamespace(handlers=handlers))], self._observer, self._tell)
        self._current, self._macros.page, self._included = page, page, {}
        self._reads.take()
        self._reads.listen()

    def _end(self, page: Any, html: str) -> None:
        read = {name: by for name, by in self._reads.take().items() if name not in self._unnoted}
        self._included.update(self._appended.explained(html, read))
        read = {name: by for name, by in read.items() if name not in self._appended.files}
        known = {*self._included, *(name for name, by in read.items() if is_includer(by))}
        date = self._dates.show(page, known, read) if self._dates else None
        self._notes.write(page.path, read, self._included, is_first=self._is_first, shown=date or "")
        self._is_first = False

    def _tell(self, path: str, how: str) -> None:
        """Note a file that a mechanism reports for the current page."""
        if self._current is not None:
            self._included.setdefault(os.path.abspath(path), how)


_running: list[tuple[Mapping[str, Any], _Recorder | None]] = []


def _recorder(config: Mapping[str, Any]) -> _Recorder | None:
    """Return the recorder of a build; ``zensical serve`` has another configuration after it changes."""
    if not _running or _running[0][0] is not config:
        for _, old in _running:
            if old:
                old.close()
        guard = BuildGuard(_tell, consequence="Pages have no dates from here on.")
        _running[:] = [(config, guard.around(_Recorder)(config, guard))]
    return _running[0][1]


def _tell(notice: Notice) -> None:
    """Log a notice; without any settings, Python writes warnings to stderr."""
    logging.getLogger("docs_sitemap").warning("docs-sitemap: %s", notice.text)


def _appended(config: Mapping[str, Any], root: Path) -> Appended:
    settings = config["mdx_configs"].get("pymdownx.snippets") or {}
    bases = _listed(settings.get("base_path", "."))
    names = _listed(settings.get("auto_append"))
    return Appended(names, [*map(os.path.abspath, bases), str(root)])


def _dates(config: Mapping[str, Any], root: Path) -> _PageDates | None:
    """Return what shows the dates of pages; ``None`` if another file than that in ``root`` is built.

    The history is read at once for all pages and for what Zensical itself watches, such as modules.
    """
    with suppress(OptionError):
        project = find_project(root)
        if project and all(
            os.path.realpath(root / config[key]) == os.path.realpath(getattr(project, key))
            for key in ("docs_dir", "site_dir")
        ):
            return _PageDates(project, [path for path, *_ in config.get("watched_files", ())])
    return None


def _macros(config: Mapping[str, Any], root: Path) -> SimpleNamespace:
    """Return what ``watch_zensical_macros`` needs of the extension, whether or not it is used."""
    settings = config["mdx_configs"].get("zensical.extensions.macros") or {}
    return SimpleNamespace(config=settings, project_dir=str(root), page=None)


def _data_of(macros: SimpleNamespace) -> set[str]:
    """Return the data files that macros reads for each page, whether or not the page uses them."""
    files = macros.config.get("include_yaml") or ()
    names = _listed([*files.values()] if isinstance(files, Mapping) else files)
    return {os.path.abspath(os.path.join(macros.project_dir, name)) for name in names}


def _listed(value: Any) -> list[str]:
    found = value if isinstance(value, (list, tuple)) else [value]
    return [each for each in found if isinstance(each, str)]


class _PageDates:
    """Shows the dates of a project's pages, if its option ``page_dates`` says so.

    ``watched`` are absolute paths of files that pages may include: with all pages, they are asked for first,
    so that the history is read once for most. With a mistake in the options there are no dates:
    ``docs-sitemap build`` reports it.
    """

    def __init__(self, project: Project, watched: Iterable[str]) -> None:
        self._project = project
        self._others: list[Page] = []
        self._installed = Installed(project.docs_dir)
        self._options: Options | None = None
        with suppress(OptionError):
            options = read_options(project.options.values)
            rules, _ = place_rules(options.rules, project.docs_dir, "rules")
            if options.page_dates:
                self._options = replace(options, rules=rules)
                files = [Page(url="", source=Path(file)) for file in watched]
                self._others = [*files, *pages_below(project.docs_dir)]

    def show(self, page: Any, known: Collection[str], possible: Collection[str]) -> str | None:
        """Add its date to a page's front matter and return it; a page without a date is left as it is.

        ``known`` are files that the page is known to include. Of ``possible`` ones it is known only after all
        pages are rendered: there is no date if it depends on them.
        """
        if self._options is None:
            return None
        files = dict.fromkeys([frozenset(known), frozenset((*known, *possible))])
        pages = [self._page(page, each) for each in files]
        with suppress(OptionError):
            host = self._project.host
            others, self._others = self._others, []
            least, *more = dates_to_show([*pages, *others], self._options, host)[: len(pages)]
            if least.lastmod is not None and all(least == most for most in more):
                show_date(page.meta, least.lastmod, host.language or "en", least.created)
                return least.lastmod
        return None

    def _page(self, page: Any, included: Collection[str]) -> Page:
        folder = self._project.docs_dir
        source = folder / page.path
        settings, sources, _ = read_metadata(page.meta, os.fspath(source), folder)
        files, undated = self._installed.originals(dict.fromkeys(map(Path, included), ""))
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
