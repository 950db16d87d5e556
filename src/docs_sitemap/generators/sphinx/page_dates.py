"""Give themes the dates of pages: ``last_updated`` and ``article:modified_time``. Opt-in.

The dates are those of the sitemap, from the same history walk. A page is written again if its date has
changed but its text has not: the dates last written are stored in the doctrees folder.
"""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final

from sphinx.locale import _
from sphinx.util.i18n import format_date

from docs_sitemap.build_guard import BuildGuard
from docs_sitemap.dates import dates_to_show
from docs_sitemap.errors import OptionError
from docs_sitemap.files import date_elements
from docs_sitemap.generators.sphinx.generated import Notes
from docs_sitemap.generators.sphinx.site import Site
from docs_sitemap.options import Options
from docs_sitemap.pages import Host
from docs_sitemap.timestamps import instant

if TYPE_CHECKING:
    from sphinx.application import Sphinx
    from sphinx.environment import BuildEnvironment

_NAME: Final = "dates"
_THEIRS: Final = "sphinx_last_updated_by_git"


class PageDates:
    """Finds the dates when all documents are read, and adds each when its page is written."""

    def __init__(self, options: Options, host: Host) -> None:
        self._options = options
        self._host = host
        self._dates: dict[str, str | None] = {}
        self._created: dict[str, str | None] = {}
        self._found_any = False

    def connect(self, app: Sphinx, guard: BuildGuard) -> None:
        """Connect the event handlers; call ``note`` at the end of a successful build."""
        app.connect("env-updated", guard.around(self._find))
        if self._options.page_dates:
            if _THEIRS in app.extensions:  # its date would be in the head, and ours in the footer
                app.config.git_last_updated_metatags = False
            # early, because pydata-sphinx-theme 0.24 drops a footer that would be empty, at 500
            show = guard.around(self._show)
            app.connect("html-page-context", show, priority=100)
            # and after extensions that set last_updated themselves, at 500
            app.connect("html-page-context", show, priority=900)
            add = guard.around(self._add_to_head)
            app.connect("html-page-context", add, priority=900)

    @property
    def found_any(self) -> bool:
        """Whether any document has a date."""
        return self._found_any

    def _find(self, app: Sphinx, env: BuildEnvironment) -> list[str]:
        """Find all dates, in the main process; return the documents whose pages show an old date."""
        pages = Site(app, set(), includes=self._options.dependencies != "none").named()
        with suppress(OptionError):  # reported when the sitemap is written
            found = dates_to_show([*pages.values()], self._options, self._host)
            self._dates = {name: dates.lastmod for name, dates in zip(pages, found, strict=True)}
            self._created = {name: dates.created for name, dates in zip(pages, found, strict=True)}
            self._found_any = any(self._dates.values())
        if not self._options.page_dates:
            return []  # only feeds need the dates
        shown = Notes(app, _NAME).read()
        stale = {name for name, date in self._dates.items() if name not in shown or shown[name] != date}
        documents = sorted(stale & env.found_docs)
        # template pages are written if any document is
        return documents if documents or not stale else [app.config.root_doc]

    def note(self, app: Sphinx) -> None:
        """Store the dates that the pages now show."""
        Notes(app, _NAME).write(self._dates)

    def _show(
        self, app: Sphinx, pagename: str, templatename: str, context: dict[str, Any], *_args: object
    ) -> None:
        """Set a page's date for themes; a page without a date gets none, not the build date."""
        date = self._dates.get(pagename)
        moment = instant(date) if date else None
        # in UTC, so that the output does not depend on the machine
        written = app.config.html_last_updated_fmt or _("%b %d, %Y")
        language = app.config.language
        context["last_updated"] = format_date(written, date=moment, language=language) if moment else None

    def _add_to_head(
        self, app: Sphinx, pagename: str, templatename: str, context: dict[str, Any], *_args: object
    ) -> None:
        if date := self._dates.get(pagename):
            present = context.get("metatags", "")
            created = self._created.get(pagename)
            context["docs_sitemap_created"] = created
            url, structured = context.get("pageurl"), self._options.json_ld
            elements = date_elements(date, url, present, created=created, structured=structured)
            context["metatags"] = present + elements
