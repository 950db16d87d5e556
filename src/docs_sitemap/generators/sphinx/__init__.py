"""The Sphinx extension: converts documents to ``Page`` records and calls ``emit``.

Supports Sphinx 7.2 and later. The data is collected at ``build-finished``, when the environment is
complete in full, incremental and parallel builds. It stores only the files of Python objects. Pages are
changed only if the options ask for links to feeds or dates on pages.
"""

from __future__ import annotations

import os
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from sphinx.builders.html import StandaloneHTMLBuilder
from sphinx.util import logging

from docs_sitemap import __version__
from docs_sitemap.build_guard import BuildGuard
from docs_sitemap.errors import OptionError, OutputError
from docs_sitemap.explain.notes import Notes, Noting
from docs_sitemap.files import Report, emit, feed_links, on_pages
from docs_sitemap.generators.sphinx.options import (
    about_both,
    about_language,
    options_of,
    register_options,
    spell,
)
from docs_sitemap.generators.sphinx.shown import forget_shown, merge_shown, note_shown
from docs_sitemap.generators.sphinx.site import ExtraPages, Site
from docs_sitemap.notices import Notice, Subtype
from docs_sitemap.options.declarations import Options
from docs_sitemap.options.page_settings import place_rules
from docs_sitemap.pages.page import Host, Page
from docs_sitemap.pages.selection import included
from docs_sitemap.text import text_of

if TYPE_CHECKING:
    from sphinx.application import Sphinx
    from sphinx.util.typing import ExtensionMetadata

    from docs_sitemap.generators.sphinx.page_dates import PageDates

# After other extensions, with priority 500, which may still write pages and canonical links.
_LATE: Final = 900

# These derive from StandaloneHTMLBuilder, but they and their subclasses do not make a site with one URL per
# page. Compared by name, because their packages may not be installed.
_NO_SITE: Final = frozenset(
    f"{name}Builder" for name in ("AppleHelp", "Devhelp", "Epub", "HTMLHelp", "QtHelp", "SerializingHTML")
)

_logger = logging.getLogger(__name__)


def setup(app: Sphinx) -> ExtensionMetadata:
    """Register each option as ``docs_sitemap_NAME``, and the first event handler."""
    register_options(app)
    guard = BuildGuard(_tell)
    app.connect("doctree-read", guard.around(note_shown))
    app.connect("env-purge-doc", guard.around(forget_shown))
    app.connect("env-merge-info", guard.around(merge_shown))
    app.connect("builder-inited", guard.around(partial(_start, guard)), priority=_LATE)
    # no env_version: Sphinx writes it into searchindex.js
    return {"version": __version__, "parallel_read_safe": True, "parallel_write_safe": True}


def _start(guard: BuildGuard, app: Sphinx) -> None:
    """Check the options before the long part of a build; do nothing for builders that make no site."""
    if not _makes_site(app.builder):
        return
    try:
        options, notices, is_moved = options_of(app)
    except OptionError as problem:
        _tell(_about_option(problem))
        return
    rules, missing = place_rules(options.rules, Path(app.srcdir), spell("rules"))
    for notice in [*notices, *missing, *about_both(app), *about_language(app)]:
        _tell(notice)
    config = app.config
    host = Host(
        # if it is moved, the notice already tells that canonical links will have the same address
        None if is_moved else config.html_baseurl or None,
        "html_baseurl",
        spell,
        Path(app.confdir),
        title=text_of(config.html_title or config.project),
        language=text_of(config.language),
        folders="use the builder dirhtml",
        noindex="write the directive `meta` with `:robots: noindex` in them, or `html_meta` in MyST",
        versions_by=_versions_by(app),
        has_notes=True,
        file="conf.py",
    )
    _Build(app, guard, replace(options, rules=rules), host)


def _versions_by(app: Sphinx) -> str:
    """Return the tool that builds this version beside others: of sphinx-multiversion 0.2, polyversion 1.0."""
    if "sphinx_multiversion" in app.extensions:
        return "sphinx-multiversion"
    return "sphinx-polyversion" if "POLYVERSION_DATA" in os.environ else ""


class _Build:
    """A build until its sitemap, which connects its event handlers; only those that it needs change pages."""

    def __init__(self, app: Sphinx, guard: BuildGuard, options: Options, host: Host) -> None:
        self._options = options
        self._host = host
        self._extra = ExtraPages(app, guard)
        self._links = feed_links(options, host)
        self._dates: PageDates | None = None
        app.connect("build-finished", guard.around(self.finish), priority=_LATE)
        if options.page_dates or self._links:
            from docs_sitemap.generators.sphinx.page_dates import PageDates

            self._dates = PageDates(app, guard, options, host)
        if self._links:
            app.connect("html-page-context", guard.around(self._link_feeds))

    def _link_feeds(
        self, app: Sphinx, pagename: str, templatename: str, context: dict[str, Any], doctree: object
    ) -> None:
        """Add the feed links to each page's head through ``metatags``, which every theme supports."""
        if self._dates and self._dates.found_any:  # without a date there is no feed
            context["metatags"] = context.get("metatags", "") + self._links

    def finish(self, app: Sphinx, exception: Exception | None) -> None:
        """Write the sitemap if the build has succeeded so far; otherwise keep the last one."""
        if exception is not None:
            return
        languages = [code for code, _ in self._options.languages or ()]
        site = Site(app, self._extra.names(app), languages, includes=self._options.dependencies != "none")
        pages = [*site.pages(), *included(site.other_files(), self._options)]
        for notice in dict.fromkeys(site.notices):
            _tell(notice)
        if self._dates:
            self._dates.store(app)
            for notice in self._dates.about_unseen(app):
                _tell(notice)
        if _failed(app):
            return
        try:
            self._emit(app, site, pages)
        except OutputError as problem:
            _tell(Notice("warning", Subtype.OUTPUT, str(problem)))
            app.statuscode = app.statuscode or 1  # the build has failed, because its output is incomplete
        except OptionError as problem:
            _tell(_about_option(problem))

    def _emit(self, app: Sphinx, site: Site, pages: list[Page]) -> None:
        def is_good(report: Report) -> bool:
            for notice in report.notices:
                _tell(notice)
            for line in on_pages(report) if app.verbosity else ():
                _logger.verbose(line)
            return not _failed(app)

        outdir = Path(app.outdir)
        if self._options.current_version is not None:
            from docs_sitemap.versions.builds import mark_build

            # before emit, which passes over pages that are noindex
            for notice in mark_build(pages, outdir, self._options, self._host):
                _tell(notice)
        report = emit(pages, outdir, self._options, self._host, own=site.own, is_good=is_good)
        notes = Notes(str(app.confdir), str(outdir), app.builder.name)
        found: list[Noting] = [(page.source_path or page.url, page, {}) for page in pages]
        notes.write("Sphinx", found, self._options, self._host, report, output=str(outdir))


def _about_option(problem: OptionError) -> Notice:
    text = str(problem)
    end = "" if text.endswith((".", "?")) else "."
    return Notice("warning", Subtype.OPTION, f"{text}{end} No sitemap is written.")


def _tell(notice: Notice) -> None:
    log = _logger.warning if notice.level == "warning" else _logger.info
    log(notice.text, type="docs_sitemap", subtype=notice.subtype)


def _makes_site(builder: object) -> bool:
    """Tell whether a builder makes a site with one URL per page."""
    names = {base.__name__ for base in type(builder).__mro__}
    makes_pdf = any("pdf" in name.lower() for name in names)  # PDF from HTML, like sphinx-simplepdf
    return isinstance(builder, StandaloneHTMLBuilder) and not names & _NO_SITE and not makes_pdf


def _failed(app: Sphinx) -> bool:
    """Tell whether the build has failed: since 8.1, -W lets it run to its end."""
    strict = getattr(app, "_fail_on_warnings", app.keep_going)  # keep_going: 7.2 to 8.0, only with -W
    return bool(app.statuscode or (strict and app._warncount))
