"""The MkDocs plugin: converts MkDocs's pages to ``Page`` records and calls ``emit``.

Supports MkDocs 1.6, and ProperDocs, which loads the same plugin. The data is collected at the end of a
build, when all plugins have added their pages and every page is on disk. Pages are changed only if the
options ask for links to feeds or dates on pages.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Iterable
from functools import partial, wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NoReturn, TypeVar, cast

from mkdocs.config.base import LegacyConfig, ValidationError
from mkdocs.exceptions import MkDocsException, PluginError
from mkdocs.plugins import BasePlugin, CombinedEvent, event_priority, get_plugin_logger

from docs_sitemap.build_guard import BuildGuard
from docs_sitemap.dates.evidence.reads import Reads
from docs_sitemap.dates.site_dates import Dates, dates_to_show, pages_below
from docs_sitemap.errors import OptionError, OutputError
from docs_sitemap.files import Report, emit, feed_links, on_pages
from docs_sitemap.files.urlset import FOR_THEME
from docs_sitemap.generators.mkdocs.build import (
    BUILT_IN,
    SCHEME,
    about_canonicals_of_mike,
    about_language,
    errors_of_unknown,
    failed,
    host_of,
    is_serving,
    place_options,
    reads_urls,
)
from docs_sitemap.generators.mkdocs.includes import Includes, Record
from docs_sitemap.generators.mkdocs.site import (
    CUSTOM,
    Site,
    copied,
    is_custom,
    linked,
    origin_of,
    other_files,
    published,
    show_dates,
)
from docs_sitemap.notices import Notice
from docs_sitemap.options.declarations import Options
from docs_sitemap.pages.base_url import base_url_of
from docs_sitemap.pages.selection import included
from docs_sitemap.text import text_of

if TYPE_CHECKING:
    from jinja2 import Environment
    from mkdocs.config.base import ConfigErrors, ConfigWarnings
    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.files import Files
    from mkdocs.structure.nav import Navigation
    from mkdocs.structure.pages import Page as MkDocsPage

# MkDocs documents 100 and -100 as first and last. Plugins at -100 still write pages, and mkdocs-static-i18n
# builds whole languages there.
_BEFORE_ALL: Final = 1000
_AFTER_ALL: Final = -1000

_EARLY: Final = 100  # so that other plugins get the dates in the same event

_LASTMOD: Final = re.compile(r"(?<!\s)\s*+<lastmod>[^<]*</lastmod>")

_HEAD_END: Final = re.compile(r"</head\s*>", re.IGNORECASE)

_log = get_plugin_logger("docs-sitemap")

Event = TypeVar("Event", bound=Callable[..., Any])


def _guarded(event: Event) -> Event:
    """Run an event's method within the build's guard."""

    @wraps(event)
    def run(self: DocsSitemapPlugin, *args: Any, **values: Any) -> Any:
        return self._guard.call(event, self, *args, **values)

    return cast(Event, run)


class Misspelled(BasePlugin[LegacyConfig]):  # type: ignore[no-untyped-call]  # its __init_subclass__
    """Says how our plugin is called, where MkDocs would say that docs_sitemap is not installed."""

    def load_config(self, options: dict[str, Any], config_file_path: str | None = None) -> NoReturn:
        """Stop the build: two names would be two places for options."""
        raise ValidationError(
            "The plugin is called docs-sitemap, with a hyphen: write `- docs-sitemap`, got docs_sitemap."
        )


class DocsSitemapPlugin(BasePlugin[LegacyConfig]):  # type: ignore[no-untyped-call]  # its __init_subclass__
    """Writes sitemap.xml and robots.txt at the end of each build."""

    config_scheme = SCHEME

    # No on_startup: MkDocs would use this object for all builds of its process, with the state of failed
    # builds.

    def __init__(self) -> None:
        self._includes: Includes | None = None
        self._reads: Reads | None = None
        self._forget()

    def _forget(self) -> None:
        self._guard = BuildGuard(self._stop, MkDocsException, consequence="No sitemap with dates is written.")
        # mkdocs-static-i18n runs the builds of other languages inside the post_build of the first: _open has
        # an entry for each running build, _pages the pages of finished builds
        self._open: list[Files] = []
        self._pages: list[Record] = []
        self._notices: list[Notice] = []
        self._links = ""
        self._language = ""  # as configured: mkdocs-static-i18n sets that of the theme
        # by the absolute path of a page's file; not from its front matter: a draft may have any value there
        self._dates: dict[str, Dates] = {}
        self._undated = False  # whether MkDocs writes its own sitemap.xml, for the theme
        self._skipped: set[str] | None = None  # the theme's templates, while MkDocs skips that one
        self._named: set[str] = set()  # the targets of links in the navigation
        self._written: dict[str, MkDocsPage] = {}  # the page written last, by the absolute path of its file
        self._unwatch()

    def load_config(
        self, options: dict[str, Any], config_file_path: str | None = None
    ) -> tuple[ConfigErrors, ConfigWarnings]:
        """Read the options; an unknown option also stops the build, where MkDocs would only warn."""
        return self._guard.call(self._load, options, config_file_path) or ([], [])

    def _load(
        self, options: dict[str, Any], config_file_path: str | None
    ) -> tuple[ConfigErrors, ConfigWarnings]:
        self._listen()  # now, because MkDocs imports hooks while it reads the configuration
        known = dict(SCHEME)
        ours = {name: value for name, value in options.items() if name in known}
        errors, _ = super().load_config(ours, config_file_path)  # unknown names would give warnings
        return errors + errors_of_unknown(options), []

    def _stop(self, notice: Notice) -> None:
        """Leave the rest of the build without us."""
        self._unwatch()
        _tell([notice], serving=False)

    def _listen(self) -> Reads:
        self._reads = Reads()
        self._reads.listen()
        return self._reads

    def _unwatch(self) -> None:
        if self._includes is not None:
            self._includes.close()
        elif self._reads is not None:
            self._reads.close()
        self._includes = self._reads = None

    @event_priority(_EARLY)
    @_guarded
    def on_config(self, config: MkDocsConfig) -> None:
        """Start recording which files are read, with the first of several builds, if that is needed."""
        self._language = self._language or text_of(config.theme.get("language"))
        dependencies: str = self.config["dependencies"]
        if dependencies == "none":
            self._unwatch()
        elif self._includes is None:
            # self._reads is None if this object has run another build before
            reads = self._reads or self._listen()
            self._includes = Includes(config, dependencies, reads, self._guard)

    @event_priority(_AFTER_ALL)
    @_guarded
    def on_nav(self, nav: Navigation, /, *, config: MkDocsConfig, files: Files) -> None:
        """Register the pages and the links; Material's blog adds its posts in this event."""
        if self._includes is not None:
            self._includes.know(files)
        self._named |= linked(nav, config)

    @event_priority(_BEFORE_ALL)
    @_guarded
    def on_page_markdown(
        self, markdown: str, /, *, page: MkDocsPage, config: MkDocsConfig, files: Files
    ) -> None:
        """Register the start of a page."""
        if self._includes is not None:
            self._includes.begin(page, markdown)

    @event_priority(_AFTER_ALL)
    @_guarded
    def on_page_content(self, html: str, /, *, page: MkDocsPage, config: MkDocsConfig, files: Files) -> None:
        """Register the end of the page's text."""
        if self._includes is not None:
            self._includes.end(page, html)

    @event_priority(_EARLY)
    @_guarded
    def on_env(self, env: Environment, /, *, config: MkDocsConfig, files: Files) -> None:
        """Store the files, which other plugins may extend until the build ends.

        From here on, themes and plugins can show the dates, if the options ask for that.
        """
        self._open.append(files)
        self._skip_template(files, config)
        options = self._options(config)
        links = feed_links(options, host_of(config))
        if not options.page_dates and not links:
            return
        pages = published(files)
        site = Site(config, self._includes)
        has_more = "i18n" in config.plugins and len(self._open) == 1  # builds of other languages follow
        others = pages_below(Path(config.docs_dir)) if has_more else ()
        try:
            dates = dates_to_show([*map(site.page, pages), *others], options, host_of(config))[: len(pages)]
        except OptionError as problem:
            raise PluginError(f"docs-sitemap: {problem}") from problem
        if options.page_dates:
            show_dates(pages, dates, host_of(config).language)
            places = (page.file.abs_dest_path for page in pages)
            self._dates.update(zip(places, dates, strict=True))
        self._links = links if any(date.lastmod for date in dates) else ""  # without dates, there is no feed

    def on_build_error(self, *, error: Exception) -> None:
        """Reset the state after a failed build, without writing our files."""
        self._give_back()
        self._forget()

    def _skip_template(self, files: Files, config: MkDocsConfig) -> None:
        """Make MkDocs skip its own sitemap.xml, or let it write one without dates if only the theme reads it.

        In a preview or an old version, there is none of ours.
        """
        names = config.theme.static_templates
        origin = origin_of(files, config, BUILT_IN)
        is_silent = base_url_of(self._options(config), host_of(config)) is None
        is_needed = bool(config.site_url) and is_silent and reads_urls(config)
        self._undated = is_needed and not origin
        if BUILT_IN in names and origin != CUSTOM and not self._undated:
            names.discard(BUILT_IN)
            self._skipped = names

    @event_priority(_BEFORE_ALL)
    def _give_back(self, *, config: MkDocsConfig | None = None) -> None:
        """Undo ``_skip_template``: a later build would publish the template as a static file."""
        if self._skipped is not None:
            self._skipped.add(BUILT_IN)
            self._skipped = None

    @event_priority(_AFTER_ALL)
    def on_post_template(
        self, output_content: str, /, *, template_name: str, config: MkDocsConfig
    ) -> str | None:
        """Remove the dates from MkDocs's own sitemap.xml: they are those of the build."""
        is_over = self._guard.is_over and not is_custom(template_name, config)
        if template_name != BUILT_IN or not (self._undated or is_over):
            return None
        return _LASTMOD.sub("", output_content).replace("?>", f"?>\n{FOR_THEME.decode()}", 1)

    @event_priority(_AFTER_ALL - 1)
    @_guarded
    def on_post_page(self, output: str, /, *, page: MkDocsPage, config: MkDocsConfig) -> str | None:
        """Add the page's date and the feed links to its head, as far as there are any."""
        if output and not output.isspace():  # MkDocs does not write empty pages
            self._written[page.file.abs_dest_path] = page
        date, created = self._dates.get(page.file.abs_dest_path, (None, None))
        if not (self._links or date) or not (end := _HEAD_END.search(output)):
            return None
        before = output[: end.start()].rstrip(" \t")
        added = self._links
        if date:
            from docs_sitemap.files.page_elements import date_elements

            structured: bool = self.config["json_ld"]
            added += date_elements(date, page.canonical_url, before, created=created, structured=structured)
        return before + added + output[len(before) :]

    @event_priority(_AFTER_ALL)
    @_guarded
    def _after_post_build(self, *, config: MkDocsConfig) -> None:
        """Collect the pages; write the files when the outermost build ends.

        Raises ``PluginError`` if they cannot be written, as MkDocs stops if it cannot write a page: a
        site must not be deployed without its sitemap.
        """
        files = self._open.pop()
        self._pages += self._records(files, config)
        if self._open:
            return
        options = self._options(config)
        own = partial(origin_of, files, config)
        host = host_of(config)

        def is_good(report: Report) -> bool:
            found = [*self._notices, *report.notices]
            if not is_serving(config):
                found += [*about_canonicals_of_mike(config), *about_language(config, self._language)]
                if options.page_dates:
                    from docs_sitemap.files.page_elements import DATE_KEY, about_unseen

                    days = ((Path(name), (date or "")[:10]) for name, (date, _) in self._dates.items())
                    found += about_unseen(days, host, f"page.meta.{DATE_KEY}", config.theme.dirs)
            _tell(dict.fromkeys(found), is_serving(config))
            if _log.isEnabledFor(logging.DEBUG):
                for line in on_pages(report):
                    _log.debug(line)
            return not failed(config)

        try:
            records = [record for _, record in self._pages]
            if options.current_version and not failed(config):
                from docs_sitemap.versions.builds import mark_build

                # before emit, which passes over pages that are noindex
                self._notices += mark_build(records, Path(config.site_dir), options, host)
            report = emit(records, Path(config.site_dir), options, host, own=own, is_good=is_good)
        except (OptionError, OutputError) as problem:
            raise PluginError(f"docs-sitemap: {problem}") from problem
        if self._includes is not None:
            self._includes.note(self._pages, options, report)
        self._forget()

    on_post_build = CombinedEvent(_give_back, _after_post_build)  # pyright: ignore[reportAssignmentType]

    def _records(self, files: Files, config: MkDocsConfig) -> list[Record]:
        site = Site(config, self._includes)
        records: list[Record] = list(site.pages(files, self._written))
        self._notices += site.notices
        known = {page.file for _, page in self._pages}  # mkdocs-static-i18n copies a file once per language
        others = [*copied(files, self._named, config)]
        others += included(other_files(files, config), self._options(config))
        return [*records, *((None, page) for page in others if page.file not in known)]

    def _options(self, config: MkDocsConfig) -> Options:
        options, notices = place_options(self.config, config)
        self._notices += notices
        return options


def _tell(notices: Iterable[Notice], serving: bool) -> None:
    """Log each notice; while serving, only warnings: others would be repeated at each rebuild."""
    info = logging.DEBUG if serving else logging.INFO
    for notice in notices:
        level = logging.WARNING if notice.level == "warning" else info
        _log.log(level, notice.text, extra={"subtype": str(notice.subtype)})  # for filters in hooks
