"""Matches pages against gitignore-style patterns (git, gitignore), and merges rules into page settings."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, Final
from urllib.parse import unquote

import pathspec

from docs_sitemap.options import Options, PageSettings, given_in
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
        self._regexes: list[re.Pattern[str]] = []
        self._has_negated = False
        self._spec = pathspec.GitIgnoreSpec.from_lines(patterns) if patterns else None
        for pattern in self._spec.patterns if self._spec else ():
            if isinstance(pattern, pathspec.RegexPattern) and pattern.regex:
                pattern.regex = re.compile(_linear(pattern.regex.pattern))
                self._regexes.append(pattern.regex)
                self._has_negated |= not pattern.include

    def match(self, page: Page) -> bool:
        """Return whether the last matching pattern exists and is not negated."""
        return self.match_names(names_of(page))

    def match_names(self, names: Sequence[str]) -> bool:
        """Return the same for a page with these names."""
        if self._spec is None:
            return False
        if not self._has_negated:  # the usual case: the order of the patterns makes no difference
            return any(regex.match(name) for regex in self._regexes for name in names)
        results = [self._spec.check_file(name) for name in names]
        last = max(results, key=lambda result: -1 if result.index is None else result.index, default=None)
        return bool(last and last.include)


_STAR: Final = "[^/]*"
_MIDDLE: Final = "(?:/.+)?"
_FIRST: Final = "^(?:.+/)?"
"""How pathspec writes ``*`` in a folder or name, ``/**/``, and ``**/`` at the beginning."""

_SLASHLESS: Final = re.compile(r"\[\^/\]|\(\?!/\)")
_BRACKETS: Final = re.compile(r"\\.|\[\^/\]|(\[\^?\]?[^]]*\])", re.DOTALL)


def _linear(regex: str) -> str:
    """Return an equivalent expression that does not retry a wildcard for each later one.

    The text after a wildcard may match at its first occurrence: that leaves the most text for the rest, so
    a later occurrence never helps. This holds for all but the last wildcard of a name, and the last ``**``.
    """
    # no bracket matches a slash (git, wildmatch.c); in pathspec's expression, [!a] could
    regex = _BRACKETS.sub(lambda found: f"(?!/){found[1]}" if found[1] else found[0], regex)
    first, *others = regex.split(_MIDDLE)
    start = _FIRST if first.startswith(_FIRST) else ""
    parts = [_without_retries(part) for part in (first.removeprefix(start), *others)]
    if not others:
        return start + parts[0]
    lazy = "^(?:.+?/)??" if start else ""
    middle = "".join(f"(?>(?:/.+?)??{part}(?=/))" for part in parts[1:-1])
    return f"(?>{lazy}{parts[0]}(?=/)){middle}{_MIDDLE}{parts[-1]}"


def _without_retries(part: str) -> str:
    """Return the expression for a part of a pattern that has no ``**``."""
    found, *others = part.split(_STAR)
    for number, text in enumerate(others, 1):
        if number == len(others) or "/" in _SLASHLESS.sub("", text):
            found += _STAR + text
        elif text:
            found += f"(?>[^/]*?{text})"
    return found


class SettingsOf:
    """Merges the settings of rules and pages: the page wins, then the last rule that matches it."""

    def __init__(self, options: Options) -> None:
        self._rules = [(Patterns(rule.match), given_in(rule.settings)) for rule in options.rules]

    def __call__(self, page: Page) -> PageSettings:
        """Return the settings of a page."""
        if not self._rules:
            return page.settings
        names = names_of(page)
        values: dict[str, Any] = {}
        for patterns, given in self._rules:
            if patterns.match_names(names):
                values |= given
        return PageSettings(**(values | given_in(page.settings))) if values else page.settings
