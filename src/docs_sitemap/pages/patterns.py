"""Matches pages against gitignore-style patterns (git, gitignore), and merges rules into page settings."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any, Final

import pathspec

from docs_sitemap.limits import MAX_TESTED
from docs_sitemap.options import Options, PageSettings, compiled, given_in, together
from docs_sitemap.pages.page import Page
from docs_sitemap.urls import decoded

_GROUP: Final = 50
"""Rules in a group that is passed over at once."""


def names_of(page: Page) -> list[str]:
    """Return what patterns are tested with: the page's URL path, without escapes, and its source path."""
    return [name for name in (decoded(page.url), page.source_path) if name]


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
        self.all = [found for pattern in patterns if (found := compiled(pattern))]
        self._regexes = together(self.all)
        has_negated = not all(pattern.include for pattern in self.all)
        self._spec = _spec_of(self.all) if has_negated else None

    def match(self, page: Page) -> bool:
        """Return whether the last matching pattern exists and is not negated; counts as a test."""
        if not self.all:
            return False
        return self.match_names(names_of(page))

    def match_names(self, names: Sequence[str]) -> bool:
        """Return the same for a page with these names."""
        is_matched = _matches(self._regexes, names)
        if self._spec is None or not is_matched:  # usually, the order of the patterns makes no difference
            return is_matched
        results = [self._spec.check_file(name) for name in names]
        last = max(results, key=lambda result: -1 if result.index is None else result.index, default=None)
        return bool(last and last.include)


def _matches(regexes: Iterable[re.Pattern[str]], names: Sequence[str]) -> bool:
    return any(regex.match(name) for regex in regexes for name in names)


def _spec_of(patterns: Sequence[Any]) -> pathspec.GitIgnoreSpec:
    try:
        return pathspec.GitIgnoreSpec(patterns, backend="simple")  # others use expressions of their own
    except TypeError:  # before 1.0
        return pathspec.GitIgnoreSpec(patterns)


def is_too_long(names: Sequence[str], length: int) -> bool:
    """Tell whether a page with these names is not tested with patterns of this many characters together."""
    return length * sum(map(len, names)) > MAX_TESTED


class _Group:
    """Some rules, each with its index and its settings: most pages match none of very many."""

    def __init__(self, rules: Sequence[tuple[int, Patterns, dict[str, Any]]]) -> None:
        self._rules = rules
        self._regexes = together([pattern for _, patterns, _ in rules for pattern in patterns.all])

    def matching(self, names: Sequence[str]) -> Iterator[tuple[int, dict[str, Any]]]:
        """Yield the index and the settings of each rule that matches."""
        if _matches(self._regexes, names):
            for number, patterns, given in self._rules:
                if patterns.match_names(names):
                    yield number, given


class SettingsOf:
    """Merges the settings of rules and pages: the page wins, then the last rule that matches it.

    ``unmatched`` are the indexes of rules with ``include`` that have matched no page yet. ``length`` is the
    number of characters of all patterns. A page that is too long for them has its own settings alone; it is
    not listed.
    """

    def __init__(self, options: Options) -> None:
        rules = [
            (number, Patterns(rule.match), given_in(rule.settings))
            for number, rule in enumerate(options.rules)
        ]
        self._groups = [_Group(rules[at : at + _GROUP]) for at in range(0, len(rules), _GROUP)]
        self.unmatched = {number for number, rule in enumerate(options.rules) if rule.settings.include}
        self.length = sum(patterns.length for _, patterns, _ in rules)

    def __call__(self, page: Page) -> PageSettings:
        """Return the settings of a page; counts as a test."""
        names = names_of(page)
        if not self._groups or is_too_long(names, self.length):
            return page.settings
        values: dict[str, Any] = {}
        for group in self._groups:
            for number, given in group.matching(names):
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
