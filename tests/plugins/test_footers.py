"""Dates below pages in Material, in the reader's language, and none beside another's."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path

import pytest

pytest.importorskip("mkdocs")
pytest.importorskip("material")

from tests.support.mkdocssite import Docs

WHEN = 1_773_572_400
"""2026-03-15 11:00:00 UTC"""

DATE = "2026-03-15T11:00:00+00:00"


def html(docs: Docs, language: str = "en", **options: object) -> str:
    """Build with Material, and return the home page."""
    theme = {"name": "material", "language": language, "font": False}
    docs.conf({"page_dates": True, **options}, theme=theme)
    docs.repo.commit(when=WHEN)
    built = docs.run("--strict")
    assert not built.failed, built.log
    return built.read("index.html").decode()


def facts(page: str) -> list[str]:
    """What stands below the page."""
    found = re.findall(r'<aside class="md-source-file">(.*?)</aside>', page, re.DOTALL)
    return [" ".join(re.sub(r"<(?!time|/time)[^>]*>", "", each).split()) for each in found]


@pytest.fixture
def docs(tmp_path: Path) -> Docs:
    docs = Docs(tmp_path)
    docs.repo.write("docs/index.md", "# Title\n")
    return docs


@pytest.mark.parametrize(
    ("language", "shown"),
    [
        ("en", "March 15, 2026"),
        ("de", "15. März 2026"),
        ("pt-BR", "15 de março de 2026"),
        ("zh-Hant", "2026年3月15日"),
    ],
)
def test_the_date_is_in_the_language_of_the_theme(docs: Docs, language: str, shown: str) -> None:
    assert facts(html(docs, language)) == [f'<time datetime="{DATE}">{shown}</time>']


@pytest.mark.parametrize("name", ["git_revision_date_localized", "revision_date"])
def test_the_author_s_own_date_stands_alone(docs: Docs, name: str) -> None:
    docs.repo.write("docs/index.md", f"---\n{name}: long ago\n---\n# Title\n")
    assert facts(html(docs)) == ["long ago"]


def test_a_page_without_a_date_has_no_footer_and_no_head(docs: Docs) -> None:
    docs.repo.write("docs/index.md", "---\ndocs_sitemap_lastmod: 2001-01-01\n---\n# Title\n")
    page = html(docs, lastmod="none")
    assert facts(page) == []
    assert "modified_time" not in page
    assert "2001-01-01" not in page


def test_the_head_has_the_date_of_the_sitemap(docs: Docs) -> None:
    page = html(docs)
    assert (
        page.partition("</head>")[0].count(f'<meta property="article:modified_time" content="{DATE}">') == 1
    )
    assert "ld+json" not in page


def test_the_head_has_it_as_json_ld_where_asked_for(docs: Docs) -> None:
    head = html(docs, json_ld=True).partition("</head>")[0]
    (text,) = re.findall(r'<script type="application/ld\+json">(.*?)</script>', head)
    data = {"@context": "https://schema.org", "@type": "WebPage", "dateModified": DATE}
    assert json.loads(text) == data | {"url": "https://example.org/docs/"}


def test_what_the_head_already_says_is_not_said_again(docs: Docs) -> None:
    own = '<meta property="article:modified_time" content="x"><script>{"dateModified": "y"}</script>'
    docs.repo.write(
        "theme/main.html", "{% extends 'base.html' %}{% block extrahead %}" + own + "{% endblock %}"
    )
    docs.conf({"page_dates": True, "json_ld": True}, theme={"name": "material", "custom_dir": "theme"})
    docs.repo.commit(when=WHEN)
    page = docs.run("--strict").read("index.html").decode()
    assert page.count("article:modified_time") == page.count("dateModified") == 1


@pytest.mark.parametrize("language", ["en", "de"])
def test_without_babel_the_date_is_the_day(
    docs: Docs, monkeypatch: pytest.MonkeyPatch, language: str
) -> None:
    monkeypatch.setitem(sys.modules, "babel", None)
    theme = {"name": "material", "language": language}
    docs.conf({"page_dates": True}, theme=theme)
    docs.repo.commit(when=WHEN)
    page = docs.build().read("index.html").decode()
    assert facts(page) == [f'<time datetime="{DATE}">2026-03-15</time>']


@pytest.mark.parametrize("language", ["en", "fr"])
def test_readers_see_the_same_as_with_git_revision_date_localized(docs: Docs, language: str) -> None:
    """Replacing its line changes nothing that readers see."""
    pytest.importorskip("mkdocs_git_revision_date_localized_plugin")
    for number in range(3):
        docs.repo.write(f"docs/p{number}.md", f"# Page {number}\n")
        docs.repo.commit(when=WHEN + number * 3_000_000)
    theme = {"name": "material", "language": language}
    theirs = {"git-revision-date-localized": {"enable_parallel_processing": False}}
    values = {"site_name": "x", "site_url": "https://example.org/", "theme": theme, "plugins": [theirs]}
    docs.repo.write("mkdocs.yml", json.dumps(values))
    before = docs.run("--strict", out="before")
    docs.conf({"page_dates": True, "clock": "author"}, theme=theme)  # the author's day, as there
    after = docs.run("--strict", out="after")
    for name in ("p0", "p1", "p2"):
        (old,), (new,) = (facts(built.read(f"{name}/index.html").decode()) for built in (before, after))
        assert re.sub("<[^>]*>", "", old) == re.sub("<[^>]*>", "", new) != ""
