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
        docs.repo.save(f"docs/{name}", "%PDF-1.7")
    return docs


def listed(docs: Docs, *rules: dict[str, object], **options: object) -> dict[str, str | None]:
    docs.conf({"rules": list(rules), **options})
    return docs.build(strict=True).sitemap


def test_a_rule_lists_files_with_their_dates(docs: Docs) -> None:
    """They are not counted as pages; in a feed, each has its name, as in ``docs-sitemap build``."""
    assert listed(docs).keys() == {""}
    docs.conf({"rules": [PDF], "formats": ["xml", "atom"]})
    built = docs.build(strict=True)
    assert built.sitemap == {
        "": docs.date("index.md"),
        "paper.pdf": docs.date("paper.pdf"),
        "more/a%20b.pdf": docs.date("more/a b.pdf"),
    }
    assert built.notices("sitemap.xml: 1 page and 2 other files, 3 with lastmod;")
    feed = built.read("atom.xml").decode()
    assert {"<title>paper.pdf</title>", "<title>a b.pdf</title>"} <= {*map(str.strip, feed.splitlines())}


def test_a_pattern_that_matches_nothing_is_said_once(docs: Docs) -> None:
    """A misspelled pattern has no effect; one that matches what is left out anyway is right."""
    rules = [PDF, {"match": ["*.pfd", "*.x"], "include": True}, {"match": "a", "priority": 1}]
    exclude = ["404.html", "# drafts", "", "!no/", "index.md", "!index.md", "gone/"]
    docs.conf({"rules": rules, "exclude": exclude})
    [of_rules, of_exclude] = docs.build(strict=True).notices("nothing matches")
    assert of_rules.endswith("rules: nothing matches '*.pfd' (rule 2), '*.x' (rule 2), 'a' (rule 3).")
    assert of_exclude.endswith("exclude: nothing matches '404.html', '!no/', 'gone/'.")


def test_other_rules_hold_too(docs: Docs) -> None:
    """Exclude wins; ``exclude: false`` is for pages that would be left out."""
    assert listed(docs, {**PDF, "lastmod": "2024-05-01"}, exclude=["more/"]) == {
        "": docs.date("index.md"),
        "paper.pdf": "2024-05-01",
    }
    others = {"match": "paper.pdf", "exclude": True}, {"match": "more/", "include": False}
    assert listed(docs, PDF, *others).keys() == {""}
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
