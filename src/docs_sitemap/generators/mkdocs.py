"""The MkDocs plugin: turns MkDocs's pages into ``Page`` records and makes the one call to ``emit``.

Knows MkDocs 1.6, and ProperDocs, which loads it as it is. Everything is asked at the very end of
a build, when all plugins have added their pages and every page is on disk. No page is touched, but
for links to feeds, where those are asked for.
"""

from __future__ import annotations

import logging
import re
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import Field, replace
from html import unescape
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit

from mkdocs.config.base import BaseConfigOption, LegacyConfig, ValidationError
from mkdocs.exceptions import PluginError
from mkdocs.plugins import BasePlugin, event_priority, get_plugin_logger
from mkdocs.utils import CountHandler
from mkdocs.utils.meta import get_data

from docs_sitemap.dating import lastmods
from docs_sitemap.emit import emit
from docs_sitemap.errors import OptionError, OutputError
from docs_sitemap.feedlinks import feed_links
from docs_sitemap.notices import Notice
from docs_sitemap.options import OPTIONS, Options, check_option, unknown_option
from docs_sitemap.page import Host, Own, Page
from docs_sitemap.published import read_heading, says_noindex
from docs_sitemap.report import Report
from docs_sitemap.selection import NOINDEX
from docs_sitemap.settings import find_sources, read_settings

if TYPE_CHECKING:
    from jinja2 import Environment, Template
    from mkdocs.config.base import ConfigErrors, ConfigWarnings
    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.files import File, Files
    from mkdocs.structure.pages import Page as MkDocsPage

_BUILT_IN: Final = "sitemap.xml"
"""The template that MkDocs renders for every site, and compresses beside it."""

# Below the -100 that MkDocs documents as last: plugins at -100 still write pages, and
# mkdocs-static-i18n builds whole languages there.
_LAST: Final = -1000

# So that other plugins see the dates in the same event
_FIRST: Final = 100

_DATE_KEY: Final = "docs_sitemap_lastmod"
"""What themes read: ``page.meta.docs_sitemap_lastmod``, W3C Datetime, absent where there is no date."""

_HEAD_END: Final = re.compile(r"[ \t]*</head\s*>", re.IGNORECASE)

_log = get_plugin_logger("docs-sitemap")


def _spell(name: str) -> str:
    return f"plugins: docs-sitemap: {name}"


class _Option(BaseConfigOption[object]):
    """One option of ours as MkDocs reads it from mkdocs.yml."""

    def __init__(self, option: Field[Any]) -> None:
        super().__init__()
        self._option = option
        self.default = option.default

    def run_validation(self, value: object, /) -> object:
        try:
            return check_option(self._option, value, str)
        except OptionError as problem:
            raise ValidationError(_unnamed(self._option.name, str(problem))) from None


def _unnamed(name: str, message: str) -> str:
    """Return a message without the option's name: MkDocs puts plugin and option in front itself."""
    return message.removeprefix(f"{name}: ")


class DocsSitemapPlugin(BasePlugin[LegacyConfig]):  # type: ignore[no-untyped-call]
    """Writes sitemap.xml and robots.txt at the end of each build."""

    config_scheme = tuple((option.name, _Option(option)) for option in OPTIONS)

    # No on_startup: MkDocs would keep this object for all builds of its process, and what a broken
    # one left in it.

    def __init__(self) -> None:
        self._replaces_template = True
        self._forget()

    def _forget(self) -> None:
        # mkdocs-static-i18n runs the builds of other languages inside the post_build of the first:
        # one entry for each build that is under way, and the pages of those that are done
        self._open: list[Files] = []
        self._pages: list[Page] = []
        self._notices: list[Notice] = []
        self._links = ""

    def load_config(
        self, options: dict[str, Any], config_file_path: str | None = None
    ) -> tuple[ConfigErrors, ConfigWarnings]:
        """Read the options; an unknown one stops the build too, where MkDocs itself would only warn."""
        errors, _ = super().load_config(options, config_file_path)
        unknown = [str(name) for name in options if name not in dict(self.config_scheme)]
        errors += [(name, ValidationError(_unnamed(name, unknown_option(name, str)))) for name in unknown]
        return errors, []

    @event_priority(_FIRST)
    def on_env(self, env: Environment, /, *, config: MkDocsConfig, files: Files) -> None:
        """Take the files; other plugins may add to them until the build ends.

        Themes and plugins may show the dates from here on, where that is asked for.
        """
        self._open.append(files)
        options = self._options(_is_serving(config))
        links = feed_links(options, _host(config))
        if not options.page_dates and not links:
            return
        pages = list(_published(files))
        dates = _lastmods(pages, options, config)
        if options.page_dates:
            _date_pages(pages, dates)
        self._links = links if any(dates) else ""  # without a date there is no feed

    def on_build_error(self, *, error: Exception) -> None:
        """Forget a failed build: its files of ours are not written."""
        self._forget()

    def on_pre_template(self, template: Template, /, *, template_name: str, config: MkDocsConfig) -> None:
        """Note whose sitemap.xml it is that MkDocs renders."""
        if template_name == _BUILT_IN:
            self._replaces_template = not _is_users(template, config)

    @event_priority(_LAST)
    def on_post_template(
        self, output_content: str, /, *, template_name: str, config: MkDocsConfig
    ) -> str | None:
        """Give MkDocs nothing to write for its own sitemap.xml, so that no .gz of it is left either.

        Removing the template from the theme's list would publish its source as a static file.
        """
        return "" if template_name == _BUILT_IN and self._replaces_template else None

    @event_priority(_LAST)
    def on_post_page(self, output: str, /, *, page: MkDocsPage, config: MkDocsConfig) -> str | None:
        """Link the feeds, where there are any; otherwise no page is touched."""
        links = self._links
        return _HEAD_END.sub(lambda found: links + found[0], output, count=1) if links else None

    @event_priority(_LAST)
    def on_post_build(self, *, config: MkDocsConfig) -> None:
        """Collect the pages; write the files when the outermost build ends.

        Raises ``PluginError`` where they cannot be written, as MkDocs stops where it cannot
        write a page: a site must not go out without the sitemap that it is to have.
        """
        files = self._open.pop()
        self._collect(files, Path(config.docs_dir))
        if self._open:
            return
        serving = _is_serving(config)
        options = self._options(serving)
        own = _own_files(files, config)

        def is_good(report: Report) -> bool:
            _tell(dict.fromkeys([*self._notices, *report.notices]), serving)
            return not _failed(config)

        try:
            emit(self._pages, Path(config.site_dir), options, _host(config), own=own, is_good=is_good)
        except (OptionError, OutputError) as problem:
            raise PluginError(f"docs-sitemap: {problem}") from problem
        self._forget()

    def _collect(self, files: Files, docs_dir: Path) -> None:
        for page in _published(files):
            record, notices = _page(page, docs_dir)
            self._pages.append(record)
            self._notices += notices

    def _options(self, serving: bool) -> Options:
        options = Options(**{option.name: self.config[option.name] for option in OPTIONS})
        # what is served has the server's own address, so that themes which fetch the sitemap find
        # their pages in it
        return replace(options, base_url=None) if serving else options


def _host(config: MkDocsConfig) -> Host:
    return Host(
        config.site_url or None,
        "site_url",
        _spell,
        Path(config.config_file_path or "").parent,
        title=config.site_name or "",
        language=_language(config),
    )


def _is_serving(config: MkDocsConfig) -> bool:
    """Tell whether this is ``mkdocs serve``, also ``--clean``: the server's address, a temporary folder."""
    address = urlsplit(config.site_url or "").netloc
    return address == str(config.dev_addr) and Path(config.site_dir).parent == Path(tempfile.gettempdir())


def _failed(config: MkDocsConfig) -> bool:
    """Tell whether ``--strict`` is going to stop the build for a warning: its last files stay."""
    counters = [
        handler for handler in logging.getLogger("mkdocs").handlers if isinstance(handler, CountHandler)
    ]
    return bool(config.strict) and any(counter.get_counts() for counter in counters)


def _tell(notices: Iterable[Notice], serving: bool) -> None:
    """Log each notice; while serving, only mistakes: the others would repeat at each rebuild."""
    told = logging.DEBUG if serving else logging.INFO
    for notice in notices:
        _log.log(logging.WARNING if notice.level == "warning" else told, notice.text)


def _lastmods(pages: list[MkDocsPage], options: Options, config: MkDocsConfig) -> list[str | None]:
    records = [_page(page, Path(config.docs_dir))[0] for page in pages]
    try:
        return lastmods(records, options, _host(config))
    except OptionError as problem:
        raise PluginError(f"docs-sitemap: {problem}") from problem


def _date_pages(pages: list[MkDocsPage], dates: list[str | None]) -> None:
    """Give each page its true date; one that has none keeps what MkDocs set, which must not be ``None``."""
    for page, date in zip(pages, dates, strict=True):
        if date is not None:
            page.update_date = date[:10]  # MkDocs 1.6 has a day there
            page.meta[_DATE_KEY] = date


def _published(files: Files) -> Iterator[MkDocsPage]:
    """Yield the pages of the site; drafts are none, not even while they are served."""
    for file in files.documentation_pages():
        if file.page is not None:
            yield file.page


def _page(page: MkDocsPage, docs_dir: Path) -> tuple[Page, list[Notice]]:
    file = page.file
    meta = _front_matter(page)
    settings, notices = read_settings(meta.get("sitemap"), file.src_uri)
    sources, missing = find_sources(settings, docs_dir, file.src_uri)
    record = Page(
        url=page.url,
        source=_source(file, docs_dir),
        source_path=file.src_uri,
        sources=sources,
        settings=settings,
        file=Path(file.abs_dest_path),
        canonical=page.canonical_url,
        unlisted=_unlisted(page.url, meta),
        title=_title(page, meta),
        summary=str(meta.get("description") or ""),
    )
    return record, notices + missing


def _front_matter(page: MkDocsPage) -> Mapping[str, Any]:
    """Return a page's front matter; a ``--dirty`` build has not read that of unmodified pages."""
    if page.markdown is not None:
        return page.meta
    try:
        return get_data(page.file.content_string)[1]
    except (OSError, ValueError):
        return {}


def _title(page: MkDocsPage, meta: Mapping[str, Any]) -> str:
    """Return the page's title; where a ``--dirty`` build has not read the page, its published heading."""
    title = page.title or meta.get("title")
    if title is None:
        return read_heading(Path(page.file.abs_dest_path))
    # what MkDocs takes from a heading is HTML; what is written in the nav or front matter is not
    is_html = title == getattr(page, "_title_from_render", None) and title != meta.get("title")
    return unescape(title) if is_html else str(title)


def _unlisted(url: str, meta: Mapping[str, Any]) -> str:
    if url in ("404.html", "404/"):
        return "404"
    if says_noindex(meta.get("robots")):
        return NOINDEX
    return "draft" if str(meta.get("draft")).lower() == "true" else ""


def _source(file: File, docs_dir: Path) -> Path | None:
    """Return the file that a page is written in, or ``None`` for a page that a plugin makes.

    A page whose text a plugin replaced (``content_string``) has no ``abs_src_path`` any more, but
    its source is still where it was.
    """
    if file.generated_by is not None or file.src_dir is None:
        return None
    source = Path(file.src_dir, file.src_uri)
    if not source.is_relative_to(docs_dir) and source.is_relative_to(tempfile.gettempdir()):
        return None  # where plugins put what they generate and do not say so
    return source if source.is_file() else None


def _is_users(template: Template, config: MkDocsConfig) -> bool:
    """Tell whether a template is the site's own: from custom_dir, or of extra_templates, without a file."""
    file = Path(template.filename or "")
    custom_dir = config.theme.custom_dir
    return not file.is_file() or (custom_dir is not None and file.is_relative_to(custom_dir))


def _own_files(files: Files, config: MkDocsConfig) -> Own:
    """Return what says of a file in the build output that it is the site author's."""
    custom_dir = config.theme.custom_dir
    published = {file.dest_uri for file in files if file.inclusion.is_included()}  # type: ignore[no-untyped-call]

    def own(name: str) -> str:
        if custom_dir and name in config.theme.static_templates and Path(custom_dir, name).is_file():
            return "the theme's custom_dir"
        return "docs_dir" if name in published else ""

    return own


def _language(config: MkDocsConfig) -> str:
    """Return the language that the theme is set to: Material says ``language``, others ``locale``."""
    value = config.theme.get("language") or config.theme.get("locale")
    return str(value or "")
