"""Dates below pages in Material, in the reader's language, and none beside another's."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

import pytest

pytest.importorskip("mkdocs")
pytest.importorskip("material")

from docs_sitemap.files.page_elements import show_date
from tests.support.mkdocssite import Built, Docs

WHEN = 1_773_572_400
"""2026-03-15 11:00:00 UTC"""

DATE = "2026-03-15T11:00:00+00:00"


def html(docs: Docs, language: str = "en", **options: object) -> str:
    """Build with Material, and return the home page."""
    theme = {"name": "material", "language": language, "font": False}
    docs.conf({"page_dates": True, **options}, theme=theme)
    docs.repo.commit(when=WHEN)
    built = docs.run("--strict").passed()
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


@pytest.mark.parametrize("language", ["en_US_POSIX", "en_US_POSIX ", "en_US_POSIX\n", "xx", "../en", " de "])
def test_a_language_without_a_file_of_its_own_has_plain_dates(language: str) -> None:
    """Babel knows some names of locales, and then does not find their files."""
    meta: dict[str, object] = {}
    show_date(meta, DATE, language)
    assert any("2026" in str(value) and "<time" in str(value) for value in meta.values())


def test_the_author_s_own_date_stands_alone(docs: Docs) -> None:
    docs.repo.write("docs/index.md", "---\ngit_revision_date_localized: long ago\n---\n# Title\n")
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
    own = '<meta property="article:modified_time" content="x">'
    own += '<script type="application/ld+json">{"dateModified": "y"}</script>'
    docs.repo.write(
        "theme/main.html", "{% extends 'base.html' %}{% block extrahead %}" + own + "{% endblock %}"
    )
    docs.conf({"page_dates": True, "json_ld": True}, theme={"name": "material", "custom_dir": "theme"})
    docs.repo.commit(when=WHEN)
    page = docs.run("--strict").read("index.html").decode()
    assert page.count("article:modified_time") == page.count("dateModified") == 1


def test_words_in_a_head_state_no_date(docs: Docs) -> None:
    front = 'title: The article:modified_time tag\ndescription: Use "dateModified" and article:published_time'
    docs.repo.write("docs/index.md", f"---\n{front}\n---\n# Title\n")
    head = html(docs, json_ld=True, creation_dates=True).partition("</head>")[0]
    assert head.count('<meta property="article:modified_time"') == 1
    assert head.count('<meta property="article:published_time"') == 1
    assert head.count(f'"dateModified": "{DATE}"') == 1


def test_without_babel_the_date_is_the_day(docs: Docs, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "babel", None)
    docs.conf({"page_dates": True}, theme={"name": "material", "language": "de"})
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


def git_added(docs: Docs, name: str) -> str:
    """What git says: the commit that added the file for the last time."""
    args = ("log", "--diff-filter=A", "-1", "--format=%ct", "--", name)
    return datetime.fromtimestamp(int(docs.repo.git(*args)), UTC).isoformat()


def test_creation_dates(docs: Docs) -> None:
    """Beside the last change, in the head, and in the feed."""
    docs.repo.write("docs/again.md", "# Again\n")
    docs.repo.commit(when=WHEN - 9_000_000)
    (docs.repo.root / "docs/again.md").unlink()
    docs.repo.commit(when=WHEN - 8_000_000)
    docs.repo.write("docs/again.md", "# Again\n")
    docs.repo.commit(when=WHEN - 7_000_000)
    docs.repo.write("docs/again.md", "# Again\n\nMore.\n")
    options = {"page_dates": True, "creation_dates": True, "json_ld": True, "formats": ["xml", "atom"]}
    docs.conf(options, theme={"name": "material"})
    docs.repo.commit(when=WHEN)
    built = docs.run("--strict").passed()
    added = git_added(docs, "docs/again.md")
    assert added < docs.date("again.md")
    page = built.read("again/index.html").decode()
    shown = re.findall(r'<time datetime="([^"]*)">', facts(page)[0])
    assert shown == [docs.date("again.md"), added]
    assert f'<meta property="article:published_time" content="{added}">' in page.partition("</head>")[0]
    assert f'"datePublished": "{added}"' in page
    feed = built.read("atom.xml").decode()
    assert feed.count("<published>") == 2
    assert f"<published>{added.replace('+00:00', 'Z')}</published>" in feed.replace("+00:00", "Z")


def test_without_the_option_nothing_says_when_a_page_was_added(docs: Docs) -> None:
    page = html(docs, formats=["xml", "atom"])
    assert len(re.findall("<time", facts(page)[0])) == 1
    assert "published_time" not in page
    assert b"<published>" not in (docs.outdir.with_name("site-run") / "atom.xml").read_bytes()


THEIRS = "git-revision-date-localized"
CREATED = {"page_dates": True, "creation_dates": True, "json_ld": True, "formats": ["xml", "atom"]}


def create(docs: Docs, plugins: Sequence[object] = ()) -> Built:
    """Build with creation dates."""
    docs.conf(theme={"name": "material"}, plugins=[*plugins, {"docs-sitemap": CREATED}])
    docs.repo.commit(when=WHEN)
    return docs.run("--strict").passed()


def created(docs: Docs, address: str, plugins: Sequence[object] = ()) -> list[str]:
    """The creation dates of a page in a build."""
    return created_in(create(docs, plugins), address)


def created_in(built: Built, address: str) -> list[str]:
    """The creation dates of a page: in its head, in JSON-LD, and in the feed."""
    page = built.read(f"{address}index.html").decode()
    feed = built.read("atom.xml").decode()
    (entry,) = (each for each in feed.split("<entry>")[1:] if f"/docs/{address}</id>" in each)
    return [
        *re.findall('"article:published_time" content="([^"]*)"', page),
        *re.findall('"datePublished": "([^"]*)"', page),
        *re.findall("<published>(.*?)</published>", entry),
    ]


CREATION: Sequence[tuple[str, str]] = [
    ("date: 2022-05-05", "2022-05-05"),
    ("date:\n  created: 2022-05-05 10:00:00", "2022-05-05T10:00:00+00:00"),
    ("git_creation_date_localized: 2022-05-05", "2022-05-05"),
    ("git_creation_date_localized: once", ""),
    ("date: 2122-05-05", ""),
    ("sitemap:\n  lastmod: 2022-02-02", ""),
    ("sitemap:\n  lastmod: 2026-03-15", DATE),
]


def test_the_author_s_creation_date_wins(docs: Docs) -> None:
    """And none is after the last change."""
    for number, (written, _) in enumerate(CREATION):
        docs.repo.write(f"docs/p{number}.md", f"---\n{written}\n---\n# Title\n")
    built = create(docs)
    for number, (_, said) in enumerate(CREATION):
        head, data, *feed = created_in(built, f"p{number}/") or ["", "", ""]
        assert (head, data) == (said, said)
        assert [each[:10] for each in feed] in ([said[:10]], [])


@pytest.mark.parametrize("asked", [False, True])
def test_beside_another_s_date_of_the_last_change_the_head_has_that_of_creation(
    docs: Docs, asked: bool
) -> None:
    pytest.importorskip("mkdocs_git_revision_date_localized_plugin")
    options = {"enable_creation_date": asked, "enable_parallel_processing": False}
    found = created(docs, "", [{THEIRS: options}])
    day = docs.repo.git("log", "-1", "--format=%ad", "--date=short").strip()  # theirs is the author's day
    assert found == ([day, day, f"{day}T00:00:00+00:00"] if asked else [DATE] * 3)


def test_beside_the_author_s_date_of_the_last_change_the_head_has_that_of_creation(docs: Docs) -> None:
    docs.repo.write("docs/index.md", "---\nrevision_date: long ago\n---\n# Title\n")
    assert created(docs, "") == [DATE] * 3
    page = docs.outdir.with_name("site-run").joinpath("index.html").read_text("utf-8")
    assert facts(page) == ["long ago"]


@pytest.mark.parametrize("shown", [True, False])
def test_why_a_page_shows_no_creation_date_is_reported(docs: Docs, shown: bool) -> None:
    boundary = docs.repo.commit(when=WHEN)
    docs.repo.write("docs/index.md", "# Title\n\nMore.\n")
    (docs.repo.root / ".git" / "shallow").write_text(f"{boundary}\n")
    docs.conf({"page_dates": shown, "creation_dates": True}, theme={"name": "material"})
    docs.repo.commit(when=WHEN)
    log = "\n".join(docs.run().log)
    said = "1 page has no creation date: added before this shallow clone begins"
    assert (said in log) == shown, log


def test_a_post_s_dates_are_shown_once(docs: Docs) -> None:
    docs.page("blog/index.md")
    dates = "date:\n  created: 2022-05-05\n  updated: 2023-03-03"
    docs.repo.write("docs/blog/posts/post.md", f"---\n{dates}\n---\n# Post\n")
    address = "blog/2022/05/05/post/"
    found = created(docs, address, ["blog"])
    assert found == ["2022-05-05T00:00:00+00:00"] * 3
    page = docs.outdir.with_name("site-run").joinpath(address, "index.html").read_text("utf-8")
    assert re.findall('<time datetime="([^" ]*)', page) == ["2022-05-05", "2023-03-03"]


def test_the_author_s_creation_date_stands(docs: Docs) -> None:
    docs.repo.write("docs/index.md", "---\ngit_creation_date_localized: once\n---\n# Title\n")
    assert "once" in facts(html(docs, creation_dates=True))[0]
    assert len(re.findall("<time", facts(html(docs, creation_dates=True))[0])) == 1
