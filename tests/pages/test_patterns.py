"""Patterns match as pathspec and git have them, and in linear time."""

from __future__ import annotations

import random
import subprocess
import sys

import pathspec
import pytest

from docs_sitemap.options import validation
from docs_sitemap.pages.page import Page
from docs_sitemap.pages.patterns import Patterns
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
        written = ["*", f"!{pattern}"] if chance.random() < 0.2 else [pattern, "!c/"]
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


BRACKETS = [
    ("a[!b]c", "a/c"),
    ("a[!b]c", "adc"),
    ("*[!a]*b*", "x/b"),
    ("a[+-0]c", "a/c"),
    ("[[]a*b*c", "[ab/c"),
]


@pytest.mark.parametrize(("pattern", "name"), BRACKETS)
@pytest.mark.filterwarnings("ignore:Possible nested set")
def test_no_bracket_matches_a_slash_as_in_git(repo: Repo, pattern: str, name: str) -> None:
    (repo.root / ".gitignore").write_text(pattern + "\n")
    asked = ["git", "check-ignore", "--quiet", "--no-index", name]
    ignored = subprocess.run(asked, cwd=repo.root, check=False).returncode == 0
    assert Patterns([pattern]).match(Page(url=name)) is ignored


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
