"""The Sphinx extension: turns documents into ``Page`` records and makes the one call to ``emit``.

Knows Sphinx from 7.2 on. Everything is asked at ``build-finished``, when the environment is
complete on full, incremental and parallel builds alike; nothing is kept in the environment. No
page is touched, but where links to feeds or dates on pages are asked for.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any, Final

from sphinx.builders.html import StandaloneHTMLBuilder
from sphinx.util import logging

from docs_sitemap import __version__
from docs_sitemap.emission import emit
from docs_sitemap.errors import OptionError, OutputError
from docs_sitemap.feedlinks import feed_links
from docs_sitemap.generators.sphinx.extra_pages import ExtraPages
from docs_sitemap.generators.sphinx.moving import read_theirs, warn_of_both
from docs_sitemap.generators.sphinx.page_dates import PageDates
from docs_sitemap.generators.sphinx.site import Site
from docs_sitemap.notices import Notice, Subtype
from docs_sitemap.options import OPTIONS, Options, read_options
from docs_sitemap.page import Host, Page
from docs_sitemap.report import Report
from docs_sitemap.settings import place_rules

if TYPE_CHECKING:
    from sphinx.application import Sphinx
    from sphinx.config import Config
    from sphinx.util.typing import ExtensionMetadata

_PREFIX: Final = "docs_sitemap_"

# These change what pages show, a date or the links to feeds: Sphinx writes all of them anew.
_ON_PAGES: Final = frozenset({"base_url", "filename", "formats", "page_dates"})

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
    }
)

_logger = logging.getLogger(__name__)


def setup(app: Sphinx) -> ExtensionMetadata:
    """Register each option as ``docs_sitemap_NAME``, and the start of the work."""
    for option in OPTIONS:
        # None is "not set". Without types Sphinx checks nothing itself: a mistake gets one warning.
        app.add_config_value(_spell(option.name), None, "html" if option.name in _ON_PAGES else "")
    app.connect("builder-inited", _start, priority=_LATE)
    return {"version": __version__, "parallel_read_safe": True, "parallel_write_safe": True}


def _spell(name: str) -> str:
    return _PREFIX + name


def _start(app: Sphinx) -> None:
    """Check the options before the long part of a build; a builder that makes no site hears nothing."""
    if not _makes_site(app.builder):
        return
    try:
        options, notices, is_moved = _read_options(app.config)
    except OptionError as problem:
        _tell(_about_option(problem))
        return
    rules, missing = place_rules(options.rules, Path(app.srcdir), _spell("rules"))
    for notice in [*notices, *missing, *warn_of_both(app.extensions)]:
        _tell(notice)
    host = _host(app.config, Path(app.confdir))
    if is_moved:  # one address is told, and that the pages' own will follow
        host = replace(host, base_url=None)
    _Build(replace(options, rules=rules), host).connect(app)


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
    makes_pdf = any("pdf" in name.lower() for name in names)  # from HTML, as sphinx-simplepdf does
    return isinstance(builder, StandaloneHTMLBuilder) and not names & _NO_SITE and not makes_pdf


def _read_options(config: Config) -> tuple[Options, list[Notice], bool]:
    """Return the options, and what to tell of those that another extension's configuration gives.

    And whether it gives the address.
    """
    values: dict[str, object] = {}
    for option in OPTIONS:
        name = _spell(option.name)
        value = getattr(config, name)
        if value == "" and name in config.overrides:
            value = None  # sphinx-build -D NAME= takes back what conf.py says, as for Sphinx's own
        if isinstance(option.default, tuple) and isinstance(value, str) and name in config.overrides:
            value = [item for item in value.split(",") if item]  # sphinx-build -D, as for Sphinx's own lists
        if value is not None:
            values[option.name] = value
    theirs, notices = read_theirs(config, values)
    options = read_options(theirs | values | _unknown_options(config), _spell)
    return options, notices, "base_url" in theirs


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


class _Build:
    """One build from its start to the sitemap."""

    def __init__(self, options: Options, host: Host) -> None:
        self._options = options
        self._host = host
        self._extra = ExtraPages()
        self._links = feed_links(options, host)
        self._dates = PageDates(options, host) if options.page_dates or self._links else None

    def connect(self, app: Sphinx) -> None:
        """Take part in it; pages are touched only by what is asked for."""
        self._extra.connect(app)
        app.connect("build-finished", self.finish, priority=_LATE)
        if self._dates:
            self._dates.connect(app)
        if self._links:
            app.connect("html-page-context", self._link_feeds)

    def _link_feeds(
        self, app: Sphinx, pagename: str, templatename: str, context: dict[str, Any], doctree: object
    ) -> None:
        """Have each page name the feeds in its head, which every theme fills from ``metatags``."""
        if self._dates and self._dates.found_any:  # without a date there is no feed
            context["metatags"] = context.get("metatags", "") + self._links

    def finish(self, app: Sphinx, exception: Exception | None) -> None:
        """Write the sitemap of a build that has succeeded so far; else leave the last one alone."""
        if exception is not None:
            return
        languages = [code for code, _ in self._options.languages or ()]
        site = Site(app, self._extra.names(app), languages)
        pages = list(site.pages())
        for notice in dict.fromkeys(site.notices):
            _tell(notice)
        if self._dates:
            self._dates.note(app)
        if not _failed(app):
            self._emit(app, site, pages)

    def _emit(self, app: Sphinx, site: Site, pages: list[Page]) -> None:
        def is_good(report: Report) -> bool:
            for notice in report.notices:
                _tell(notice)
            return not _failed(app)

        try:
            emit(pages, Path(app.outdir), self._options, self._host, own=site.own, is_good=is_good)
        except OutputError as problem:
            _tell(Notice("warning", Subtype.OUTPUT, str(problem)))
            app.statuscode = app.statuscode or 1  # a build that could not be written to the end has failed
        except OptionError as problem:
            _tell(_about_option(problem))


def _failed(app: Sphinx) -> bool:
    """Tell whether the build counts as failed: from 8.1 on, -W lets it run to its end."""
    strict = getattr(app, "_fail_on_warnings", app.keep_going)  # keep_going: 7.2 to 8.0, with -W only
    return bool(app.statuscode or (strict and app._warncount))


def _about_option(problem: OptionError) -> Notice:
    text = str(problem)
    end = "" if text.endswith((".", "?")) else "."
    return Notice("warning", Subtype.OPTION, f"{text}{end} No sitemap is written.")


def _tell(notice: Notice) -> None:
    log = _logger.warning if notice.level == "warning" else _logger.info
    log(notice.text, type="docs_sitemap", subtype=notice.subtype)
