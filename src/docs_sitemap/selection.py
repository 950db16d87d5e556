"""Which pages are listed, and under which address. Reads the heads of published files, writes nothing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from urllib.parse import unquote

import pathspec

from docs_sitemap import urls
from docs_sitemap.options import Options
from docs_sitemap.page import Page
from docs_sitemap.published import read_head

EXCLUDED = "excluded"
NOINDEX = "noindex"
OUTSIDE = "outside the sitemap's folder"


class Selection:
    """Chooses the pages to list; ``base_url`` is encoded and ends in ``/``.

    ``listed`` has the pages of each address, nearly always one; ``left_out`` counts the others
    by reason; ``foreign_canonical`` is the first canonical link that leads to the same page on
    another host or in another version.
    """

    def __init__(self, base_url: str, options: Options) -> None:
        self.listed: dict[str, list[Page]] = {}
        self.left_out: Counter[str] = Counter()
        self.foreign_canonical: str | None = None
        self._base_url = base_url
        # The protocol's location rule: a sitemap lists only what lies in its own folder or below.
        self._folder_url = urls.join_file(base_url, options.filename).rpartition("/")[0] + "/"
        self._excluded = _Patterns(options.exclude)

    def add(self, pages: Iterable[Page]) -> None:
        """List each page, or count why not."""
        for page in pages:
            loc = urls.join(self._base_url, page.url)
            reason = page.unlisted or self._why_not(page, loc) or self._why_not_by_head(page, loc)
            if reason:
                self.left_out[reason] += 1
            else:
                self.listed.setdefault(loc, []).append(page)

    def _why_not(self, page: Page, loc: str) -> str:
        if page.settings.exclude or self._excluded.match(page):
            return EXCLUDED
        return "" if loc.startswith(self._folder_url) else OUTSIDE

    def _why_not_by_head(self, page: Page, loc: str) -> str:
        if page.file is None:
            return ""
        head = read_head(page.file, page.canonical)
        if head is None:
            return "empty"
        if head.noindex:
            return NOINDEX
        if head.refresh:
            return "redirect"
        return self._why_not_by_canonical(head.canonical, page, loc)

    def _why_not_by_canonical(self, canonical: str | None, page: Page, loc: str) -> str:
        if canonical is None or canonical == page.canonical or same_page(canonical, loc):
            return ""
        if page.url and urls.comparable(canonical).endswith("/" + unquote(page.url)):
            # a choice of the site and not of this page: engines will decide, and a notice says so
            self.foreign_canonical = self.foreign_canonical or canonical
            return ""
        return "canonical elsewhere"


def same_page(canonical: str, loc: str) -> bool:
    """Tell whether two addresses are the same but for escapes and fragment."""
    return urls.comparable(canonical) == urls.comparable(loc)


class _Patterns:
    """gitignore-style patterns over a page's two names: the last pattern that matches either decides."""

    def __init__(self, patterns: Sequence[str]) -> None:
        self._spec = pathspec.GitIgnoreSpec.from_lines(patterns) if patterns else None

    def match(self, page: Page) -> bool:
        if self._spec is None:
            return False
        names = [unquote(page.url)]
        if page.source_path is not None:
            names.append(page.source_path)
        results = [self._spec.check_file(name) for name in names if name]
        last = max(results, key=lambda result: -1 if result.index is None else result.index, default=None)
        return bool(last and last.include)
