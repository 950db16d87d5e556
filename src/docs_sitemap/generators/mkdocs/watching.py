"""The events in which a page is made, for whoever wants to know what it includes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from mkdocs.config.base import LegacyConfig
from mkdocs.plugins import BasePlugin, CombinedEvent, event_priority

from docs_sitemap.generators.mkdocs.includes import Includes
from docs_sitemap.generators.mkdocs.reads import Reads, listen

if TYPE_CHECKING:
    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.files import Files
    from mkdocs.structure.pages import Page as MkDocsPage

# Around all others: MkDocs documents 100 and -100 as first and last.
_BEFORE: Final = 1000
_AFTER: Final = -1000


class Watching(BasePlugin[LegacyConfig]):  # type: ignore[no-untyped-call]  # its __init_subclass__
    """Follows each page, before and after all other plugins. No page is changed."""

    includes: Includes | None = None
    reads: Reads | None = None

    def listen(self) -> None:
        """Note what is read from now on: MkDocs imports hooks while it reads the configuration."""
        self.reads = Reads()
        listen(self.reads)

    def watch(self, config: MkDocsConfig) -> None:
        """Begin with the first build; mkdocs-static-i18n runs others inside of it."""
        dependencies: str = self.config["dependencies"]
        if dependencies == "none":
            self.unwatch()
        elif self.includes is None:
            self.includes = Includes(config, dependencies, Reads() if self.reads is None else self.reads)

    def unwatch(self) -> None:
        """Look no more."""
        if self.includes is not None:
            self.includes.close()
            self.includes = None
        elif self.reads is not None:
            listen(None)
        self.reads = None

    @event_priority(_AFTER)
    def on_nav(self, nav: object, /, *, config: MkDocsConfig, files: Files) -> None:
        """Take the pages that there are; Material's blog adds its posts in this event."""
        if self.includes is not None:
            self.includes.know(files)

    @event_priority(_BEFORE)
    def on_pre_page(self, page: MkDocsPage, /, *, config: MkDocsConfig, files: Files) -> None:
        """See a page begin."""
        if self.includes is not None:
            self.includes.begin()

    @event_priority(_BEFORE)
    def _before_markdown(
        self, markdown: str, /, *, page: MkDocsPage, config: MkDocsConfig, files: Files
    ) -> None:
        if self.includes is not None:
            self.includes.source(f"{page.meta}\n{markdown}")
            self.includes.before(markdown)

    @event_priority(_AFTER)
    def _after_markdown(
        self, markdown: str, /, *, page: MkDocsPage, config: MkDocsConfig, files: Files
    ) -> None:
        if self.includes is not None:
            self.includes.after(markdown)

    on_page_markdown = CombinedEvent(_before_markdown, _after_markdown)

    @event_priority(_BEFORE)
    def _before_content(self, html: str, /, *, page: MkDocsPage, config: MkDocsConfig, files: Files) -> None:
        if self.includes is not None:
            self.includes.before(html)

    @event_priority(_AFTER)
    def _after_content(self, html: str, /, *, page: MkDocsPage, config: MkDocsConfig, files: Files) -> None:
        if self.includes is not None:
            self.includes.after(html)
            self.includes.end(page, html)

    on_page_content = CombinedEvent(_before_content, _after_content)

    @event_priority(_BEFORE)
    def on_page_context(
        self, context: object, /, *, page: MkDocsPage, config: MkDocsConfig, nav: object
    ) -> None:
        """See a page go into its template."""
        if self.includes is not None:
            self.includes.begin(str(page.meta), page.content or "")

    @event_priority(_BEFORE)
    def _before_output(self, output: str, /, *, page: MkDocsPage, config: MkDocsConfig) -> None:
        if self.includes is not None:
            self.includes.before(output)

    @event_priority(_AFTER)
    def _after_output(self, output: str, /, *, page: MkDocsPage, config: MkDocsConfig) -> None:
        if self.includes is not None:
            self.includes.after(output)
            self.includes.end_template(page, output)

    on_post_page = CombinedEvent(_before_output, _after_output)
