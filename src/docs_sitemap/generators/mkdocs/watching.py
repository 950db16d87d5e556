"""Follow the events in which pages are built, to find what they include."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from mkdocs.config.base import LegacyConfig
from mkdocs.plugins import BasePlugin, event_priority

from docs_sitemap.dates.evidence import Reads
from docs_sitemap.generators.mkdocs.includes import Includes

if TYPE_CHECKING:
    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.files import Files
    from mkdocs.structure.nav import Navigation
    from mkdocs.structure.pages import Page as MkDocsPage

# Outside the range of other plugins: MkDocs documents 100 and -100 as first and last.
_BEFORE: Final = 1000
_AFTER: Final = -1000


class Watching(BasePlugin[LegacyConfig]):  # type: ignore[no-untyped-call]  # its __init_subclass__
    """Follows each page, before and after all other plugins, without changing it."""

    includes: Includes | None = None
    reads: Reads | None = None

    def listen(self) -> Reads:
        """Start recording reads now, because MkDocs imports hooks while it reads the configuration."""
        self.reads = Reads()
        self.reads.listen()
        return self.reads

    def watch(self, config: MkDocsConfig) -> None:
        """Start with the first build; mkdocs-static-i18n runs others inside it."""
        dependencies: str = self.config["dependencies"]
        if dependencies == "none":
            self.unwatch()
        elif self.includes is None:
            # self.reads is None if this object has run another build before
            self.includes = Includes(config, dependencies, self.reads or self.listen())

    def unwatch(self) -> None:
        """Stop recording."""
        if self.includes is not None:
            self.includes.close()
            self.includes = None
        elif self.reads is not None:
            self.reads.close()
        self.reads = None

    @event_priority(_AFTER)
    def on_nav(self, nav: Navigation, /, *, config: MkDocsConfig, files: Files) -> None:
        """Register the pages; Material's blog adds its posts in this event."""
        if self.includes is not None:
            self.includes.know(files)

    @event_priority(_BEFORE)
    def on_page_markdown(
        self, markdown: str, /, *, page: MkDocsPage, config: MkDocsConfig, files: Files
    ) -> None:
        """Register the start of a page."""
        if self.includes is not None:
            self.includes.begin(markdown)

    @event_priority(_AFTER)
    def on_page_content(self, html: str, /, *, page: MkDocsPage, config: MkDocsConfig, files: Files) -> None:
        """Register the end of the page's text."""
        if self.includes is not None:
            self.includes.end(page, html)
