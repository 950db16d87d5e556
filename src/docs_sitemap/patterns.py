"""gitignore-style patterns over pages (git, gitignore), and what the rules that have them say of each."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from urllib.parse import unquote

import pathspec

from docs_sitemap.options import Options
from docs_sitemap.page import Page
from docs_sitemap.settings import PageSettings, merge


class Patterns:
    """Patterns over a page's two names, address and source: the last that matches either decides.

    >>> drafts = Patterns(["drafts/", "!drafts/index.md"])
    >>> drafts.match(Page(url="drafts/plan/", source_path="drafts/plan.md"))
    True
    >>> drafts.match(Page(url="drafts/", source_path="drafts/index.md"))
    False
    """

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


class SettingsOf:
    """What rules and pages say together: the page wins, then the last rule that matches it."""

    def __init__(self, options: Options) -> None:
        self._rules = [(Patterns(rule.match), rule.settings) for rule in options.rules]

    def __call__(self, page: Page) -> PageSettings:
        """Return the settings of a page."""
        if not self._rules:
            return page.settings
        matching = [settings for patterns, settings in self._rules if patterns.match(page)]
        return reduce(merge, [*matching, page.settings]) if matching else page.settings
