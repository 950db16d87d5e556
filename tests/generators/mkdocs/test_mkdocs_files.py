"""Files that are no pages: listed where a rule includes them, with their dates."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("mkdocs")

from tests.support.mkdocssite import Docs

PDF = {"match": "*.pdf", "include": True}


@pytest.fixture
def docs(tmp_path: Path) -> Docs:
    docs = Docs(tmp_path)
    docs.page("index.md")
    for name in ("paper.pdf", "more/a b.pdf", "data.csv", "frame.html"):
        docs.repo.write(f"docs/{name}", "%PDF-1.7")
        docs.repo.commit()
    return docs


def listed(docs: Docs, *rules: dict[str, object], **options: object) -> dict[str, str | None]:
    docs.conf({"rules": list(rules), **options})
    return docs.build(strict=True).sitemap


def test_without_a_rule_only_pages_are_listed(docs: Docs) -> None:
    assert listed(docs).keys() == {""}


def test_a_rule_lists_files_with_their_dates(docs: Docs) -> None:
    found = listed(docs, PDF)
    assert found == {
        "": docs.date("index.md"),
        "paper.pdf": docs.date("paper.pdf"),
        "more/a%20b.pdf": docs.date("more/a b.pdf"),
    }


def test_the_title_in_a_feed_is_the_name_of_the_file(docs: Docs) -> None:
    """As in Sphinx and in ``docs-sitemap build``."""
    docs.conf({"rules": [PDF], "formats": ["atom"]})
    feed = (docs.build(strict=True).outdir / "atom.xml").read_text("utf-8")
    assert {"<title>paper.pdf</title>", "<title>a b.pdf</title>"} <= {*map(str.strip, feed.splitlines())}


def test_files_are_not_counted_as_pages(docs: Docs) -> None:
    docs.conf({"rules": [PDF]})
    assert docs.build(strict=True).notices("sitemap.xml: 1 page and 2 other files, 3 with lastmod;")


def test_a_pattern_that_matches_nothing_is_said_once(docs: Docs) -> None:
    docs.conf({"rules": [PDF, {"match": ["*.pfd", "*.x"], "include": True}, {"match": "a", "priority": 1}]})
    [said] = docs.build(strict=True).notices("include")
    assert said.endswith("rules: include: nothing to list matches '*.pfd' (rule 2), '*.x' (rule 2).")


def test_exclude_wins(docs: Docs) -> None:
    assert listed(docs, PDF, exclude=["more/"]).keys() == {"", "paper.pdf"}
    assert listed(docs, PDF, {"match": "paper.pdf", "exclude": True}).keys() == {"", "more/a%20b.pdf"}
    assert listed(docs, PDF, {"match": "more/", "include": False}).keys() == {"", "paper.pdf"}


def test_other_settings_hold_too(docs: Docs) -> None:
    assert listed(docs, {**PDF, "lastmod": "2024-05-01"})["paper.pdf"] == "2024-05-01"


def test_exclude_false_lists_no_file(docs: Docs) -> None:
    """It is for pages that would be left out."""
    assert listed(docs, {"match": "*", "exclude": False}).keys() == {"", "frame.html"}


def test_the_theme_s_files_and_ours_stay_out(docs: Docs) -> None:
    docs.repo.write("docs/robots.txt", "User-agent: *\n")
    for _ in range(2):
        assert listed(docs, {"match": "*", "include": True}).keys() == {
            *("", "paper.pdf", "more/a%20b.pdf", "data.csv", "frame.html")
        }


def test_a_page_cannot_include(docs: Docs) -> None:
    docs.repo.write("docs/index.md", "---\nsitemap: {include: true}\n---\n# x\n")
    docs.conf({})
    assert docs.build().notices("include")
