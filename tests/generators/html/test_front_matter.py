"""The metadata at the top of a source: YAML, TOML, JSON, or fields of reStructuredText."""

from __future__ import annotations

from pathlib import Path

import pytest

from docs_sitemap.generators.html import read_front_matter

pytest.importorskip("yaml")

SAID = {
    "sitemap: false\n": False,
    '"sitemap": false\n': False,
    "title: x\nsitemap: {\nlastmod: 2024 }\n": {"lastmod": 2024},
    "base: &b 0.5\nsitemap: {priority: *b}\n": {"priority": 0.5},
    "<<: {sitemap: false}\n": False,
    "# a comment\n\nsitemap: false  # another\n": False,
    "title: >\n  sitemap: true\n\n  text\n": None,
    'text: "To leave a page out, write\nsitemap: false\nin its front matter."\n': None,
}


@pytest.mark.parametrize("text", SAID)
def test_yaml(tmp_path: Path, text: str) -> None:
    (tmp_path / "a.md").write_text(f"---\n{text}---\n", encoding="utf-8")
    assert read_front_matter(tmp_path / "a.md").get("sitemap") == SAID[text]


@pytest.mark.parametrize(
    "text",
    [
        f"---\nsitemap: {'[' * 5000}\n---\n",
        "---\nsitemap: !!python/name:os.system\n---\n",
        "---\nsitemap: {lastmod: 2026-13-45}\n---\n",
        f"+++\nsitemap = {'[' * 5000}\n+++\n",
        f'{{"sitemap": {"[" * 20_000}',
    ],
    ids=["deep yaml", "tag", "date", "deep toml", "deep json"],
)
def test_what_cannot_be_read_is_an_error_where_it_is_about_the_sitemap(tmp_path: Path, text: str) -> None:
    (tmp_path / "a.md").write_text(text)
    with pytest.raises(ValueError, match=r"^[^\n]{5,200}$"):
        read_front_matter(tmp_path / "a.md")
    (tmp_path / "a.md").write_text(text.replace("sitemap", "map"))
    assert read_front_matter(tmp_path / "a.md") == {}


def test_fields_end_with_the_first_text(tmp_path: Path) -> None:
    (tmp_path / "a.rst").write_text(":sitemap: false\n \n:b: c\nText.\n:d: e\n")
    assert read_front_matter(tmp_path / "a.rst") == {"sitemap": "false", "b": "c"}


@pytest.mark.parametrize("mark", ["---", "+++"])
def test_empty_front_matter_ends_at_once(tmp_path: Path, mark: str) -> None:
    """As in Jekyll; it went on to the next line of dashes, of the text."""
    file = tmp_path / "a.md"
    for text in ("sitemap: false\n\n---\n\nMore.", "A note: the sitemap: here\n\n---\n", ""):
        file.write_text(f"{mark}\n{mark}\n{text}", "utf-8")
        assert read_front_matter(file) == {}


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
