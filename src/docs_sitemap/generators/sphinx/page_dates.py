"""Give themes the dates of pages: ``last_updated`` and ``article:modified_time``. Opt-in.

The dates are those of the sitemap, from the same history walk. A page is written again if its date has
changed but its text has not: the dates last written are stored in the doctrees folder.
"""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Any

from sphinx.locale import _
from sphinx.util.i18n import format_date

from docs_sitemap.build_guard import BuildGuard
from docs_sitemap.dates.site_dates import Dates, dates_to_show
from docs_sitemap.errors import OptionError
from docs_sitemap.files.page_elements import about_unseen, date_elements
from docs_sitemap.generators.sphinx.site import Site, read_state, write_state
from docs_sitemap.notices import Notice
from docs_sitemap.options.declarations import Options
from docs_sitemap.pages.page import Host, Page
from docs_sitemap.timestamps import instant

if TYPE_CHECKING:
    from sphinx.application import Sphinx
    from sphinx.environment import BuildEnvironment


class PageDates:
    """Finds the dates when all documents are read, and adds each when its page is written.

    ``found_any`` is whether any page has a date. Call ``store`` at the end of a successful build.
    """

    def __init__(self, app: Sphinx, guard: BuildGuard, options: Options, host: Host) -> None:
        self._options = options
        self._host = host
        self._dates: dict[str, Dates] = {}
        self._pages: dict[str, Page] = {}
        self.found_any = False
        app.connect("env-updated", guard.around(self._find))
        if options.page_dates:
            # its date would be in the head, and ours in the footer
            if "sphinx_last_updated_by_git" in app.extensions:
                app.config.git_last_updated_metatags = False
            # early, because pydata-sphinx-theme 0.24 drops a footer that would be empty, at 500
            show = guard.around(self._show)
            app.connect("html-page-context", show, priority=100)
            # and after extensions that set last_updated themselves, at 500
            app.connect("html-page-context", show, priority=900)
            add = guard.around(self._add_to_head)
            app.connect("html-page-context", add, priority=900)

    def store(self, app: Sphinx) -> None:
        """Store the dates that the pages now show."""
        write_state(app, "dates", {name: dates.lastmod for name, dates in self._dates.items()})

    def _find(self, app: Sphinx, env: BuildEnvironment) -> list[str]:
        """Find all dates, in the main process; return the documents whose pages show an old date."""
        self._pages = pages = Site(app, set(), includes=self._options.dependencies != "none").named()
        with suppress(OptionError):  # reported when the sitemap is written
            found = dates_to_show([*pages.values()], self._options, self._host)
            self._dates = dict(zip(pages, found, strict=True))
            self.found_any = any(dates.lastmod for dates in found)
        if not self._options.page_dates:
            return []  # only feeds need the dates
        shown = read_state(app, "dates")
        stale = {name for name, dates in self._dates.items() if shown.get(name, "") != dates.lastmod}
        documents = sorted(stale & env.found_docs)
        # template pages are written if any document is
        return documents if documents or not stale else [app.config.root_doc]

    def _show(
        self, app: Sphinx, pagename: str, templatename: str, context: dict[str, Any], *_args: object
    ) -> None:
        """Set a page's date for themes; a page without a date gets none, not the build date."""
        context["last_updated"] = self._shown(app, pagename)

    def _shown(self, app: Sphinx, pagename: str) -> str | None:
        dates = self._dates.get(pagename)
        moment = instant(dates.lastmod) if dates and dates.lastmod else None
        # in UTC, so that the output does not depend on the machine
        written = app.config.html_last_updated_fmt or _("%b %d, %Y")
        return format_date(written, date=moment, language=app.config.language) if moment else None

    def about_unseen(self, app: Sphinx) -> list[Notice]:
        """Report that readers see no dates."""
        if not self._options.page_dates:
            return []
        shown = ((page.file, self._shown(app, name) or "") for name, page in self._pages.items())
        return about_unseen(shown, self._host, "last_updated")

    def _add_to_head(
        self, app: Sphinx, pagename: str, templatename: str, context: dict[str, Any], *_args: object
    ) -> None:
        dates = self._dates.get(pagename)
        if dates and dates.lastmod:
            present = context.get("metatags", "")
            context["docs_sitemap_created"] = dates.created
            url, structured = context.get("pageurl"), self._options.json_ld
            context["metatags"] = present + date_elements(
                dates.lastmod, url, present, created=dates.created, structured=structured
            )
