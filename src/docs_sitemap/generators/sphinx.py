"""The Sphinx extension: turns documents into ``Page`` records and makes the one call to ``emit``.

Knows Sphinx from 7.2 on. Everything is asked at ``build-finished``, when the environment is
complete on full, incremental and parallel builds alike; nothing is kept in the environment. No
page is touched, but for links to feeds, where those are asked for.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Mapping
from dataclasses import fields, replace
from functools import partial
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any, Final

import sphinx
from sphinx.builders.html import StandaloneHTMLBuilder
from sphinx.util import logging
from sphinx.util.matching import Matcher

from docs_sitemap import __version__, urls
from docs_sitemap.emit import emit
from docs_sitemap.errors import OptionError, OutputError
from docs_sitemap.feedlinks import feed_links
from docs_sitemap.notices import Notice
from docs_sitemap.options import OPTIONS, Options, read_options
from docs_sitemap.page import Host, Page
from docs_sitemap.published import says_noindex
from docs_sitemap.report import Report
from docs_sitemap.selection import NOINDEX
from docs_sitemap.settings import PageSettings, find_sources, read_settings

if TYPE_CHECKING:
    from sphinx.application import Sphinx
    from sphinx.config import Config
    from sphinx.util.typing import ExtensionMetadata

_PREFIX: Final = "docs_sitemap_"

# After other extensions, which come at 500: they may still write pages and canonical links.
_LATE: Final = 900

# These derive from StandaloneHTMLBuilder too, but what they or their subclasses make is no site
# with an address a page. By name, because most of their packages may be missing.
_NO_SITE: Final = frozenset(
    {
        "AppleHelpBuilder",
        "DevhelpBuilder",
        "EpubBuilder",
        "HTMLHelpBuilder",
        "QtHelpBuilder",
        "SerializingHTMLBuilder",
        "SingleFileHTMLBuilder",
    }
)

_logger = logging.getLogger(__name__)


def setup(app: Sphinx) -> ExtensionMetadata:
    """Register each option as ``docs_sitemap_NAME``, and the start of the work."""
    for option in OPTIONS:
        # None is "not set". Without types Sphinx checks nothing itself: a mistake gets one warning.
        app.add_config_value(_spell(option.name), None, "")
    app.connect("builder-inited", _start, priority=_LATE)
    return {"version": __version__, "parallel_read_safe": True, "parallel_write_safe": True}


def _spell(name: str) -> str:
    return _PREFIX + name


def _start(app: Sphinx) -> None:
    """Check the options before the long part of a build; a builder that makes no site hears nothing."""
    if not _makes_site(app.builder):
        return
    try:
        options = _read_options(app.config)
    except OptionError as problem:
        _tell(_about_option(problem))
        return
    app.connect("build-finished", partial(_finish, options=options), priority=_LATE)
    if links := feed_links(options, _host(app.config, Path(app.confdir))):
        app.connect("html-page-context", partial(_link_feeds, links=links))


def _link_feeds(
    app: Sphinx, pagename: str, templatename: str, context: dict[str, Any], *_: object, links: str
) -> None:
    """Have each page name the feeds in its head, which every theme fills from ``metatags``."""
    context["metatags"] = context.get("metatags", "") + links


def _host(config: Config, confdir: Path) -> Host:
    return Host(
        config.html_baseurl or None,
        "html_baseurl",
        _spell,
        confdir,
        title=config.html_title or config.project,
        language=config.language or "",
    )


def _makes_site(builder: object) -> bool:
    names = {base.__name__ for base in type(builder).__mro__}
    return isinstance(builder, StandaloneHTMLBuilder) and not names & _NO_SITE


def _read_options(config: Config) -> Options:
    values: dict[str, object] = {}
    for option in OPTIONS:
        name = _spell(option.name)
        value = getattr(config, name)
        if isinstance(option.default, tuple) and isinstance(value, str) and name in config.overrides:
            value = [item for item in value.split(",") if item]  # sphinx-build -D, as for Sphinx's own lists
        if value is not None:
            values[option.name] = value
    return read_options(values | _unknown_options(config), _spell)


def _unknown_options(config: Config) -> dict[str, object]:
    """Return what conf.py defines under our prefix that is no option: Sphinx ignores it silently."""
    written: Mapping[str, Any] = getattr(config, "_raw_config", {})
    return {
        name.removeprefix(_PREFIX): value
        for name, value in written.items()
        if name.startswith(_PREFIX)
        and name not in config
        and not (callable(value) or isinstance(value, ModuleType))
    }


def _finish(app: Sphinx, exception: Exception | None, *, options: Options) -> None:
    """Write the sitemap of a build that has succeeded so far; else leave the last one alone."""
    if exception is not None:
        return
    site = _Site(app)
    pages = list(site.pages())
    for notice in site.notices:
        _tell(notice)
    if _failed(app):
        return

    def is_good(report: Report) -> bool:
        for notice in report.notices:
            _tell(notice)
        return not _failed(app)

    try:
        emit(pages, Path(app.outdir), options, site.host, own=site.own, is_good=is_good)
    except OutputError as problem:
        _tell(Notice("warning", "output", str(problem)))
        app.statuscode = app.statuscode or 1  # a build that could not be written to the end has failed
    except OptionError as problem:
        _tell(_about_option(problem))


def _failed(app: Sphinx) -> bool:
    """Tell whether the build counts as failed: from 8.1 on, -W lets it run to its end."""
    strict = getattr(app, "_fail_on_warnings", app.keep_going)  # keep_going: 7.2 to 8.0, with -W only
    return bool(app.statuscode or (strict and app._warncount))


def _about_option(problem: OptionError) -> Notice:
    return Notice("warning", "option", f"{str(problem).rstrip('.')}. No sitemap is written.")


def _tell(notice: Notice) -> None:
    log = _logger.warning if notice.level == "warning" else _logger.info
    log(notice.text, type="docs_sitemap", subtype=notice.subtype)


class _Site:
    """One finished build, and what its pages are."""

    def __init__(self, app: Sphinx) -> None:
        builder = app.builder
        assert isinstance(builder, StandaloneHTMLBuilder)  # noqa: S101  # for the type checker: _start looked
        self._builder = builder
        self._config = app.config
        self._env = builder.env
        self._srcdir = Path(app.srcdir)
        self._confdir = Path(app.confdir)
        self._machine_pages = self._find_machine_pages()
        self.host = _host(app.config, self._confdir)
        self.notices: list[Notice] = []

    def pages(self) -> Iterator[Page]:
        """Yield every page that is published: documents, and templates made into pages."""
        templates: Mapping[str, str] = self._config.html_additional_pages
        for docname in sorted(self._env.found_docs - templates.keys()):
            yield self._document(docname)
        for name, template in sorted(templates.items()):
            yield self._template_page(name, template)

    def own(self, name: str) -> str:
        """Say where a file of the site author's comes from that has this name in the build output."""
        excluded = Matcher(self._config.exclude_patterns)
        for entry in self._config.html_extra_path:
            path = self._confdir / entry
            if (path.is_file() and path.name == name) or ((path / name).is_file() and not excluded(name)):
                return "html_extra_path"
        return ""

    def _document(self, docname: str) -> Page:
        page = self._page(docname)
        metadata = self._env.metadata[docname]
        source_path = Path(self._env.doc2path(docname, False)).as_posix()
        settings, notices = _settings(metadata, source_path)
        self.notices += notices
        sources, notices = find_sources(settings, self._srcdir, source_path, _field_prefix(metadata))
        self.notices += notices
        # below the source folder up to 8.1, absolute from 9.0 on
        dependencies = {self._srcdir / path for path in self._env.dependencies[docname]} | set(sources)
        return replace(
            page,
            source=Path(self._env.doc2path(docname)),
            source_path=source_path,
            dependencies=tuple(sorted(dependencies)),
            settings=settings,
            unlisted=page.unlisted or (NOINDEX if says_noindex(metadata.get("robots")) else ""),
            title=self._env.titles[docname].astext() if docname in self._env.titles else "",
        )

    def _template_page(self, name: str, template: str) -> Page:
        page = self._page(name)
        for folder in self._config.templates_path:
            source = self._confdir / folder / template
            if source.is_file():
                inside = source.is_relative_to(self._srcdir)
                source_path = source.relative_to(self._srcdir).as_posix() if inside else None
                return replace(page, source=source, source_path=source_path)
        return page

    def _page(self, name: str) -> Page:
        return Page(
            url=_target(self._builder, name),
            file=_output_path(self._builder, name),
            canonical=self._canonical(name),
            unlisted="404" if name == "404" else "search and index" if name in self._machine_pages else "",
        )

    def _canonical(self, name: str) -> str | None:
        """Return what Sphinx itself writes into the page; below 8.1 that ignores the builder's addresses."""
        if not self._config.html_baseurl:
            return None
        before = sphinx.version_info < (8, 1)
        target = name + self._builder.out_suffix if before else self._builder.get_target_uri(name)
        return posixpath.join(self._config.html_baseurl, target)

    def _find_machine_pages(self) -> set[str]:
        """Return the names that Sphinx publishes pages of its own under, whatever document has them too."""
        names = set()
        if self._builder.search:
            names.add("search")
        if self._builder.use_index:
            names.add("genindex")
        if self._config.html_domain_indices:
            for domain in self._env.domains.values():
                names |= {f"{domain.name}-{index.name}" for index in domain.indices}
        return names


def _target(builder: StandaloneHTMLBuilder, name: str) -> str:
    """Return a page's address below the base URL, in which each ``%`` begins an escape.

    dirhtml gives names as they are: there a ``%`` is a character of the name.
    """
    target = builder.get_target_uri(name)
    return urls.escape_name(target) if name.startswith(target.rstrip("/")) else target


def _output_path(builder: StandaloneHTMLBuilder, name: str) -> Path:
    locate = getattr(builder, "get_output_path", None) or builder.get_outfilename  # 8.2 on, and before
    return Path(locate(name))


def _settings(metadata: Mapping[str, Any], where: str) -> tuple[PageSettings, list[Notice]]:
    """Read ``:sitemap: false``, ``:sitemap-priority: 0.8`` and so on; the single fields win."""
    whole, notices = read_settings(metadata.get("sitemap"), where)
    single = {
        name.removeprefix("sitemap-"): _sources(value) if name == "sitemap-sources" else value
        for name, value in metadata.items()
        if name.startswith("sitemap-")
    }
    if not single:
        return whole, notices
    settings, more = read_settings(single, where, "sitemap-")
    given = {field.name: getattr(settings, field.name) for field in fields(settings) if field.name in single}
    return replace(whole, **given), notices + more


def _field_prefix(metadata: Mapping[str, Any]) -> str:
    return "sitemap-" if "sitemap-sources" in metadata else "sitemap: "


def _sources(value: object) -> object:
    """Split a field's text at commas: metadata knows no lists."""
    return [item.strip() for item in value.split(",") if item.strip()] if isinstance(value, str) else value
