"""Matches pages against gitignore-style patterns (git, gitignore), and merges rules into page settings."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any

from docs_sitemap.options import Options, PageSettings, given_in, validation
from docs_sitemap.pages.page import Page
from docs_sitemap.urls import decoded


def names_of(page: Page) -> list[str]:
    """Return what patterns are tested with: the page's URL path, without escapes, and its source path."""
    return [name for name in (decoded(page.url), page.source_path) if name]


class Patterns:
    """Patterns for the names of a page: the last pattern that matches one of them decides.

    >>> drafts = Patterns(["drafts/", "!drafts/index.md"])
    >>> drafts.match(["drafts/plan/", "drafts/plan.md"]), drafts.match(["drafts/", "drafts/index.md"])
    (True, False)
    """

    def __init__(self, patterns: Sequence[str]) -> None:
        self._spec = validation.compiled_patterns(patterns)

    def match(self, names: Sequence[str]) -> bool:
        """Return whether the last matching pattern exists and is not negated."""
        if not any(pattern.match_file(name) for pattern in self._spec.patterns for name in names):
            return False  # as for most pages: check_file takes five times as long
        results = [self._spec.check_file(name) for name in names]
        last = max(results, key=lambda result: -1 if result.index is None else result.index)
        return bool(last.include)


class SettingsOf:
    """Merges the settings of rules and pages: the page wins, then the last rule that matches it.

    ``unmatched`` are the indexes of rules with ``include`` that have matched no page yet.
    """

    def __init__(self, options: Options) -> None:
        self._rules = [(Patterns(rule.match), given_in(rule.settings)) for rule in options.rules]
        self.unmatched = {number for number, rule in enumerate(options.rules) if rule.settings.include}

    def __call__(self, page: Page) -> PageSettings:
        """Return the settings of a page."""
        values: dict[str, Any] = {}
        names = names_of(page) if self._rules else []
        for number, (patterns, given) in enumerate(self._rules):
            if patterns.match(names):
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
