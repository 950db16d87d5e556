"""Patterns match as pathspec and git have them, and in linear time."""

from __future__ import annotations

import contextlib
import random
import re
import subprocess
import sys
import warnings
from dataclasses import replace
from pathlib import Path

import pathspec
import pytest

from docs_sitemap.options import Options, compiled, read_options, validation
from docs_sitemap.options.page_settings import PageSettings, Rule
from docs_sitemap.pages.page import Page
from docs_sitemap.pages.patterns import Patterns, SettingsOf
from docs_sitemap.pages.selection import Selection
from tests.support.gitrepo import Repo

pytestmark = pytest.mark.core

PIECES = ["a", "b", "c", "*", "*", "**", "?", "/", "/", "/**/", "**/", "\\*"]


def random_name(chance: random.Random) -> str:
    text = "".join(chance.choice("aabbc//") for _ in range(chance.randint(1, 14)))
    return "/".join(filter(None, text.split("/"))) or "a"


def test_whatever_pathspec_matches_is_matched() -> None:
    """With the same pattern deciding; random patterns and names, the same ones on each machine."""
    chance = random.Random(1)  # noqa: S311 - the same ones each time
    matched = 0
    for _ in range(5_000):
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
            assert ours.match(Page(url=name)) is expected, (written, name)
    assert matched > 3_000


def test_rules_that_are_tested_together_match_as_each_alone() -> None:
    """2,000 rules took 27 s for 20,000 pages; random patterns and names, the same ones on each machine."""
    chance = random.Random(2)  # noqa: S311 - the same ones each time
    pieces = ["a", "b", "c", "/", "*", "/**/", "[ab]", "[!a]", "[(?P<x>]", "$", "|", ")"]
    written = [[f"n{number}"] for number in range(60)] + [["[(?P<x>]"]]
    while len(written) < 130:
        pattern = "".join(chance.choice(pieces) for _ in range(chance.randint(5, 9)))
        match = chance.choice(([pattern], [pattern, "!c/"], [f"!{pattern}"], [pattern, "a/b"]))
        with contextlib.suppress(ValueError, re.error):
            Patterns(match)
            written.append(match)
    rules = [
        Rule(tuple(match), PageSettings(priority=number, include=True))
        for number, match in enumerate(written, 1)
    ]
    settings_of = SettingsOf(replace(Options(), rules=tuple(rules)))
    alone = [Patterns(rule.match) for rule in rules]
    found: set[int] = set()
    names = [*(random_name(chance) for _ in range(2_000)), "P", *(match[0] for match in written[:60])]
    for name in names:
        page = Page(url=name, source_path=random_name(chance))
        matching = [number for number, patterns in enumerate(alone, 1) if patterns.match(page)]
        found.update(matching)
        assert settings_of(page).priority == max(matching, default=None)
    assert settings_of.unmatched == {number - 1 for number in range(1, 131) if number not in found}
    assert 70 < len(found) < 130


BRACKETS = [
    ("a[!b]c", "a/c"),
    ("a[!b]c", "adc"),
    ("*[!a]*b*", "x/b"),
    ("a[+-0]c", "a/c"),
    ("[[]a*b*c", "[ab/c"),
]


@pytest.mark.parametrize(("pattern", "name"), BRACKETS)
def test_no_bracket_matches_a_slash_as_in_git(repo: Repo, pattern: str, name: str) -> None:
    (repo.root / ".gitignore").write_text(pattern + "\n")
    asked = ["git", "check-ignore", "--quiet", "--no-index", name]
    ignored = subprocess.run(asked, cwd=repo.root, check=False).returncode == 0
    assert Patterns([pattern]).match(Page(url=name)) is ignored


def test_brackets_mean_the_same_without_a_warning_of_python() -> None:
    """``[[]`` and ``[a--]`` made Python warn, which ended builds where warnings are errors."""
    chance = random.Random(3)  # noqa: S311 - the same ones each time
    characters = "ab[]!^-&|~+(?.# "
    warned = matched = 0
    for _ in range(5_000):
        pattern = f"[{''.join(chance.choice(characters) for _ in range(chance.randint(1, 6)))}]"
        with warnings.catch_warnings(record=True) as told:
            warnings.simplefilter("always")
            try:
                plain = pathspec.GitIgnoreSpec.from_lines([pattern])
            except (ValueError, re.error):
                with pytest.raises((ValueError, re.error)):
                    Patterns([pattern])
                continue
        warned += bool(told)
        ours = Patterns([pattern])
        for name in [*characters, "a]", "-]"]:
            expected = bool(plain.check_file(name).include)
            matched += expected
            assert ours.match(Page(url=name)) is expected, (pattern, name)
    assert warned > 300
    assert matched > 3_000


def test_a_range_that_ends_before_it_begins_is_wrong_usage() -> None:
    with pytest.raises(
        validation.UnexpectedError, match=r"^gitignore-style patterns \('\[b-a\]' is not valid\)$"
    ):
        validation.patterns(["[b-a]"])


HOSTILE = [
    ("*a" * 12 + "b", "a" * 250),
    ("**/" + "*a*/**/" * 6 + "x", "/".join(["aa"] * 120)),
    ("a/**/" * 8 + "b", "a/" * 200 + "c"),
    ("*[a]" * 12 + "b", "a" * 250),
    ("*?" * 12 + "b", "a" * 250),
]


@pytest.mark.parametrize(("pattern", "name"), HOSTILE)
def test_many_wildcards_hold_up_nobody(pattern: str, name: str) -> None:
    """Each of these took hours: every wildcard was tried at each place of the one before it."""
    code = "from docs_sitemap.pages import Page; from docs_sitemap.pages.patterns import Patterns\n"
    code += f"print(Patterns([{pattern!r}]).match(Page(url={name!r})))"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, check=True, text=True, timeout=60
    )
    assert done.stdout == "False\n"


def test_a_pattern_is_compiled_once() -> None:
    """4,000 characters of brackets take a tenth of a second, and were compiled four times."""
    compiled.cache_clear()
    before = compiled.cache_info().misses
    options = read_options({"exclude": ["[ac\u0100]" * 800], "rules": [{"match": "a/", "priority": 1}]})
    for _ in range(3):
        Selection("https://example.org/", options, Path()).add([Page(url="a/")])
    assert compiled.cache_info().misses == before + 2
