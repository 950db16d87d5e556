"""Matches pages against gitignore-style patterns (git, gitignore), and merges rules into page settings."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any
from urllib.parse import unquote

import pathspec

from docs_sitemap.limits import MAX_TESTED
from docs_sitemap.options import Options, PageSettings, compiled, given_in
from docs_sitemap.pages.page import Page


def names_of(page: Page) -> list[str]:
    """Return what patterns are tested with: the page's URL path, without escapes, and its source path."""
    return [name for name in (unquote(page.url), page.source_path) if name]


class Patterns:
    """Patterns for a page's URL path and source path: the last pattern that matches either decides.

    >>> drafts = Patterns(["drafts/", "!drafts/index.md"])
    >>> drafts.match(Page(url="drafts/plan/", source_path="drafts/plan.md"))
    True
    >>> drafts.match(Page(url="drafts/", source_path="drafts/index.md"))
    False
    """

    def __init__(self, patterns: Sequence[str]) -> None:
        self.length = sum(map(len, patterns))
        self._patterns = [found for pattern in patterns if (found := compiled(pattern))]
        has_negated = not all(pattern.include for pattern in self._patterns)
        self._spec = _spec_of(self._patterns) if has_negated else None

    def match(self, page: Page) -> bool:
        """Return whether the last matching pattern exists and is not negated."""
        return self.match_names(names_of(page))

    def match_names(self, names: Sequence[str]) -> bool:
        """Return the same for a page with these names."""
        if self._spec is None:  # the usual case: the order of the patterns makes no difference
            return any(
                pattern.regex.match(name) for pattern in self._patterns if pattern.regex for name in names
            )
        results = [self._spec.check_file(name) for name in names]
        last = max(results, key=lambda result: -1 if result.index is None else result.index, default=None)
        return bool(last and last.include)


def _spec_of(patterns: Sequence[Any]) -> pathspec.GitIgnoreSpec:
    try:
        return pathspec.GitIgnoreSpec(patterns, backend="simple")  # others use expressions of their own
    except TypeError:  # before 1.0
        return pathspec.GitIgnoreSpec(patterns)


def is_too_long(names: Sequence[str], length: int) -> bool:
    """Tell whether a page with these names is not tested with patterns of this many characters together."""
    return length * sum(map(len, names)) > MAX_TESTED


class SettingsOf:
    """Merges the settings of rules and pages: the page wins, then the last rule that matches it.

    ``unmatched`` are the indexes of rules with ``include`` that have matched no page yet. ``length`` is the
    number of characters of all patterns. A page that is too long for them has its own settings alone; it is
    not listed.
    """

    def __init__(self, options: Options) -> None:
        self._rules = [(Patterns(rule.match), given_in(rule.settings)) for rule in options.rules]
        self.unmatched = {number for number, rule in enumerate(options.rules) if rule.settings.include}
        self.length = sum(patterns.length for patterns, _ in self._rules)

    def __call__(self, page: Page) -> PageSettings:
        """Return the settings of a page."""
        names = names_of(page)
        if not self._rules or is_too_long(names, self.length):
            return page.settings
        values: dict[str, Any] = {}
        for number, (patterns, given) in enumerate(self._rules):
            if patterns.match_names(names):
                values |= given
                self.unmatched.discard(number)
        return PageSettings(**(values | given_in(page.settings))) if values else page.settings


def included(files: Iterable[Page], options: Options) -> Iterator[Page]:
    """Yield those of a site's files, given as pages, that a rule lists with ``include``; never robots.txt.

    Without such a rule, ``files`` are not asked for.
    """
    if not any(rule.settings.include for rule in options.rules):
        return
    settings_of = SettingsOf(options)
    for page in files:
        if page.url != "robots.txt" and settings_of(page).include:
            yield replace(page, is_file=True)
