"""Patterns match as pathspec has them, the last one that matches decides, and later rules win."""

from __future__ import annotations

import random
from dataclasses import replace

import pathspec
import pytest

from docs_sitemap.options import validation
from docs_sitemap.options.declarations import Options
from docs_sitemap.options.page_settings import PageSettings, Rule
from docs_sitemap.pages.page import Page
from docs_sitemap.pages.selection import Patterns, SettingsOf

pytestmark = pytest.mark.core

PIECES = ["a", "b", "c", "*", "*", "**", "?", "/", "/", "/**/", "**/", "\\*"]


def random_name(chance: random.Random) -> str:
    text = "".join(chance.choice("aabbc//") for _ in range(chance.randint(1, 14)))
    return "/".join(filter(None, text.split("/"))) or "a"


def test_whatever_pathspec_matches_is_matched() -> None:
    """With the same pattern deciding; random patterns and names, the same ones on each machine."""
    chance = random.Random(1)  # noqa: S311 - the same ones each time
    matched = 0
    for _ in range(300):
        pattern = "".join(chance.choice(PIECES) for _ in range(chance.randint(1, 9)))
        written = chance.choice((["*", f"!{pattern}"], [pattern], [pattern, "!c/"]))
        try:
            plain = pathspec.GitIgnoreSpec.from_lines(written)
        except ValueError:
            continue
        ours = Patterns(written)
        for name in (random_name(chance) for _ in range(5)):
            expected = bool(plain.check_file(name).include)
            matched += expected
            assert ours.match([name]) is expected, (written, name)
    assert matched > 100


def test_the_last_pattern_that_matches_url_or_source_decides() -> None:
    ours = Patterns(["*.md", "!/guide/", "# a comment", ""])
    assert ours.match(["about/", "about.md"])
    assert not ours.match(["guide/a/", "sources/a.md"])
    assert not ours.match([])
    assert Patterns(["", "a/", "b/"]).decisive(["b/x"]) == "b/"


def test_the_last_rule_that_matches_wins_and_the_page_wins_over_it() -> None:
    rules = (
        Rule(("a/",), PageSettings(priority=0.1, changefreq="daily")),
        Rule(("a/b/", "c/"), PageSettings(priority=0.2, include=True)),
        Rule(("none/",), PageSettings(include=True)),
    )
    settings_of = SettingsOf(replace(Options(), rules=rules))
    assert settings_of(Page(url="a/x/")).priority == 0.1
    assert settings_of.unmatched == {1, 2}
    found = settings_of(Page(url="a/b/x/"))
    assert (found.priority, found.changefreq, found.include) == (0.2, "daily", True)
    assert settings_of(Page(url="a/b/y/", settings=PageSettings(priority=0.9))).priority == 0.9
    assert settings_of(Page(url="d/")) == PageSettings()
    assert settings_of.unmatched == {2}


def test_a_range_that_ends_before_it_begins_is_wrong_usage() -> None:
    with pytest.raises(
        validation.UnexpectedError, match=r"^gitignore-style patterns \('\[b-a\]' is not valid\)$"
    ):
        validation.patterns(["[b-a]"])


def test_python_s_warnings_of_a_pattern_end_no_build() -> None:
    """The tests make errors of warnings, as some builds do."""
    assert validation.patterns(["[[]x"]) == ("[[]x",)
    assert Patterns(["[[]x"]).match(["[x"])
