"""Of YAML at the top of a source, mostly only what is about the sitemap is parsed: it says the same."""

from __future__ import annotations

import random
import sys
from collections import Counter
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

from docs_sitemap.generators.html import front_matter
from docs_sitemap.generators.html.front_matter import read_front_matter

yaml = pytest.importorskip("yaml")

NUMBERS = "chart:\n" + "".join(f"- {{x: {number}, y: 7}}\n" for number in range(45))
WHOLE = [
    '"sitemap": false\n',
    "{sitemap: false}\n",
    "sitemap: {\nlastmod: 2024-01-01 }\n",
    'sitemap:\n  lastmod: "2024-01-01\n"\ntitle: x\n',
    "base: &b 0.5\nsitemap: {priority: *b}\n",
    "? a\n: b\nsitemap: false\n",
    "<<: {sitemap: false}\n",
    "# a comment\n\nsitemap: false  # another\n",
    "sitemap: false\nsitemap: true\n",
    "title: >\n  sitemap: true\n\n  text\nsitemap-priority: 0.5\n",
    "über uns: x\nsitemap-lastmod: 2024-01-01\ntags:\n- a\n- sitemap\n",
    "--- a\nsitemap: false\n",
    "sitemap:\n- a\n-b\n",
    "title: my sitemap\n",
    'text: "To leave a page out, write\nsitemap: false\nin its front matter."\n',
    "text: 'Of our pages,\nsitemap: says which are listed'\n",
    'text:\n- a\n- b: "x\nsitemap: false"\n',
    "text: {a: 1,\nsitemap: false}\n",
    "text: [a,\nsitemap: false]\nsitemap: {priority: 1}\n",
    "text: don't\nsitemap: false\n",
    "text: 'It''s'\nsitemap: false\n",
]


def said(file: Path, text: str) -> object:
    file.write_text(f"---\n{text}---\n", encoding="utf-8")
    try:
        return {key: value for key, value in read_front_matter(file).items() if "sitemap" in str(key)}
    except ValueError:
        return "not read"


@pytest.mark.parametrize("text", WHOLE)
def test_what_is_parsed_says_the_same_as_all(
    tmp_path: Path, text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = said(tmp_path / "a.md", text)
    monkeypatch.setattr(front_matter, "_about", lambda text, words: None)
    assert said(tmp_path / "a.md", text) == found


def some(chance: random.Random, depth: int = 0) -> Any:
    kind = chance.randrange(5 if depth < 3 else 3)
    if kind == 0:
        return chance.choice(
            [1, 0.5, True, None, "", "2024-01-01", "sitemap: a", "#x", "a: b", "- c", "x\ny\n\n z"]
        )
    if kind < 3:
        return " ".join(
            chance.choice(["a", "sitemap:", "'", '"', "[", "ü", "\n", "{", "|"]) for _ in range(9)
        )
    if kind == 3:
        return [some(chance, depth + 1) for _ in range(3)]
    return {chance.choice(["a", "sitemap", "b c", "x"]): some(chance, depth + 1) for _ in range(3)}


def test_random_front_matter_says_what_it_says(tmp_path: Path) -> None:
    """As PyYAML writes it, in several styles; the same ones each time."""
    chance = random.Random(4)  # noqa: S311 - the same ones each time
    for _ in range(300):
        names = chance.sample(["title", "sitemap", "tags", "sitemap-priority", "a b", "ü-x"], 4)
        values = {name: some(chance) for name in names}
        style = {"default_flow_style": chance.choice([False, None]), "width": chance.choice([20, 80])}
        text = yaml.safe_dump(values, allow_unicode=True, sort_keys=False, **style)
        expected = {name: value for name, value in values.items() if "sitemap" in name}
        assert said(tmp_path / "a.md", text) == expected, text


@pytest.mark.parametrize("line", ["a:", "a: []", "a: {b: c}", "a: it's", "a: 'b'", "#"])
def test_entries_are_not_read_one_by_one(line: str) -> None:
    """1,000 files of 20,000 lines took 32 seconds, and those of usual lines nine."""
    called: Counter[str] = Counter()

    def count(_frame: FrameType, event: str, _arg: object) -> None:
        called[event] += 1

    text = "sitemap: false\n" + f"{line}\n" * 5_000
    sys.setprofile(count)
    try:
        found = front_matter._about(text, ("sitemap",))
    finally:
        sys.setprofile(None)
    assert found is not None
    assert found.startswith("sitemap: false")
    assert called.total() < 100


def test_lines_of_a_field_are_not_read_one_by_one(tmp_path: Path) -> None:
    """4,000 sources with 12,000 blank lines each took 13 seconds, usual ones two."""
    called: Counter[str] = Counter()

    def count(_frame: FrameType, event: str, _arg: object) -> None:
        called[event] += 1

    file = tmp_path / "a.rst"
    file.write_text(":sitemap: false\n" + " \n" * 10_000 + ":b: c\nText.\n:d: e\n")
    sys.setprofile(count)
    try:
        found = read_front_matter(file)
    finally:
        sys.setprofile(None)
    assert found == {"sitemap": "false", "b": "c"}
    assert called.total() < 200


@pytest.mark.parametrize("mark", ["---", "+++"])
def test_empty_front_matter_ends_at_once(tmp_path: Path, mark: str) -> None:
    """As in Jekyll; it went on to the next line of dashes, of the text."""
    file = tmp_path / "a.md"
    for text in ("sitemap: false\n\n---\n\nMore.", "A note: the sitemap: here\n\n---\n", ""):
        file.write_text(f"{mark}\n{mark}\n{text}", "utf-8")
        assert read_front_matter(file) == {}


def test_other_keys_are_not_looked_at(tmp_path: Path) -> None:
    """A chart has more numbers than the limit allows; its page was listed although it says ``false``."""
    assert said(tmp_path / "a.md", f"{NUMBERS}sitemap: false\n") == {"sitemap": False}
    assert said(tmp_path / "a.md", f"sitemap: false\n{NUMBERS}") == {"sitemap": False}
    for key in ("'a': 1", '"a b": 1', "a-b: 1"):
        assert said(tmp_path / "a.md", f"{key}\nsitemap: false\n{NUMBERS}") == {"sitemap": False}
    assert said(tmp_path / "a.md", f"? a\n: 1\nsitemap: false\n{NUMBERS}") == "not read"


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.html", "{% extends 'base.html' %}\n<a href=sitemap.html>"),
        ("a.md", "{{ sitemap }}\n"),
        ("a.md", "{: .sitemap}\n# A\n"),
        ("a.ipynb", '{"cells": ["sitemap", "' + "x" * 70_000 + '"]}'),
    ],
)
def test_templates_and_notebooks_are_no_json(tmp_path: Path, name: str, text: str) -> None:
    """A build warned of them, if they had the word "sitemap"."""
    (tmp_path / name).write_text(text, encoding="utf-8")
    assert read_front_matter(tmp_path / name) == {}


@pytest.mark.parametrize("text", ['{"sitemap": false}\n# A', '\ufeff{\r\n  "sitemap": false\r\n}\r\n# A'])
def test_json(tmp_path: Path, text: str) -> None:
    (tmp_path / "a.md").write_text(text, encoding="utf-8", newline="")
    assert read_front_matter(tmp_path / "a.md") == {"sitemap": False}


def test_dots_end_yaml_alone(tmp_path: Path) -> None:
    """A text in TOML may have a line of them; what follows was lost."""
    text = '{0}\ntitle{1} """\na\n...\n"""\n\n[sitemap]\nexclude = true\n{0}\n'
    (tmp_path / "a.md").write_text(text.format("+++", " ="), "utf-8")
    assert read_front_matter(tmp_path / "a.md")["sitemap"] == {"exclude": True}
    (tmp_path / "a.md").write_text("---\nsitemap: false\n...\n\ntext\n---\n", "utf-8")
    assert read_front_matter(tmp_path / "a.md") == {"sitemap": False}
