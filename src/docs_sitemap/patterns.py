"""gitignore-style patterns over pages (git, gitignore)."""

from __future__ import annotations

from collections.abc import Sequence
from urllib.parse import unquote

import pathspec

from docs_sitemap.page import Page


class Patterns:
    """Patterns over a page's two names, address and source: the last that matches either decides."""

    def __init__(self, patterns: Sequence[str]) -> None:
        self._spec = pathspec.GitIgnoreSpec.from_lines(patterns) if patterns else None

    def match(self, page: Page) -> bool:
        """Tell whether the page is matched, and not by a negated pattern."""
        if self._spec is None:
            return False
        names = [unquote(page.url)]
        if page.source_path is not None:
            names.append(page.source_path)
        results = [self._spec.check_file(name) for name in names if name]
        last = max(results, key=lambda result: -1 if result.index is None else result.index, default=None)
        return bool(last and last.include)
