"""The true dates of pages for themes: ``last_updated`` and ``article:modified_time``. Opt-in.

The dates are those of the sitemap, from the same walk. A page whose date has changed since it was
written, though its text has not, is written again: what was written last is noted in the folder
of the doctrees.
"""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final

from sphinx.locale import _
from sphinx.util.i18n import format_date

from docs_sitemap.dates import lastmods
from docs_sitemap.errors import OptionError
from docs_sitemap.generators.sphinx.notes import Notes
from docs_sitemap.generators.sphinx.site import Site
from docs_sitemap.options import Options
from docs_sitemap.pages import Host
from docs_sitemap.timestamps import instant

if TYPE_CHECKING:
    from sphinx.application import Sphinx
    from sphinx.environment import BuildEnvironment

_NAME: Final = "dates"


class PageDates:
    """Finds the dates when all documents are read, and shows each when its page is written."""

    def __init__(self, options: Options, host: Host) -> None:
        self._options = options
        self._host = host
        self._dates: dict[str, str | None] = {}

    def connect(self, app: Sphinx) -> None:
        """Take part in a build; ``note`` is for its end, where it has succeeded."""
        app.connect("env-updated", self._find)
        if self._options.page_dates:
            # after extensions that set last_updated themselves, at 500
            app.connect("html-page-context", self._show, priority=900)

    @property
    def found_any(self) -> bool:
        """Whether any document has a date."""
        return any(self._dates.values())

    def _find(self, app: Sphinx, env: BuildEnvironment) -> list[str]:
        """Find all dates, in the main process; return the documents whose page shows another."""
        pages = Site(app, set(), includes=self._options.dependencies != "none").named()
        with suppress(OptionError):  # said when the sitemap is to be written
            found = lastmods([*pages.values()], self._options, self._host)
            self._dates = dict(zip(pages, found, strict=True))
        if not self._options.page_dates:
            return []  # only feeds want to know
        shown = Notes(app, _NAME).read()
        stale = {name for name, date in self._dates.items() if name not in shown or shown[name] != date}
        documents = sorted(stale & env.found_docs)
        # templates made into pages are written where any document is
        return documents if documents or not stale else [app.config.root_doc]

    def note(self, app: Sphinx) -> None:
        """Note what all pages show now."""
        Notes(app, _NAME).write(self._dates)

    def _show(
        self, app: Sphinx, pagename: str, templatename: str, context: dict[str, Any], *_args: object
    ) -> None:
        """Put a page's date where themes look for it; a page without one gets none, not the build day."""
        date = self._dates.get(pagename)
        moment = instant(date) if date else None
        if app.config.html_last_updated_fmt is not None:
            # in UTC, so that each machine writes the same
            written = app.config.html_last_updated_fmt or _("%b %d, %Y")
            language = app.config.language
            context["last_updated"] = format_date(written, date=moment, language=language) if moment else None
        if date:
            meta = f'<meta property="article:modified_time" content="{date}" />\n'
            context["metatags"] = context.get("metatags", "") + meta
