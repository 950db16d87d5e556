"""Dates below the pages of Zensical, for readers."""

from __future__ import annotations

import re

import pytest

from tests.generators.zensical.test_includes import EXTENSION, NAMED, needs_zensical, zensical
from tests.generators.zensical.test_project import TOML, listed, run
from tests.support.gitrepo import Repo

pytestmark = needs_zensical

WHEN = 1_773_572_400
"""2026-03-15 11:00:00 UTC"""

SHOWN = '<time datetime="2026-03-15T11:00:00+00:00">{}</time>'


def configure(repo: Repo, more: str = "", options: str = "page_dates = true") -> None:
    repo.write(
        "zensical.toml",
        f"{TOML}{more}\n[project.plugins.docs-sitemap]\n{options}\n"
        f"[project.markdown_extensions]\npymdownx.snippets = {{}}\n{EXTENSION}",
    )


def shown(repo: Repo, page: str = "") -> list[str]:
    """What stands below a page."""
    html = (repo.root / "site" / page / "index.html").read_text("utf-8")
    found = re.findall(r'<aside class="md-source-file">(.*?)</aside>', html, re.DOTALL)
    return [" ".join(re.sub(r"<(?!time|/time)[^>]*>", "", each).split()) for each in found]


@pytest.mark.parametrize(
    ("language", "date"), [("en", "March 15, 2026"), ("de", "15. März 2026"), ("zh-Hant", "2026年3月15日")]
)
def test_the_date_is_in_the_language_of_the_theme(repo: Repo, language: str, date: str) -> None:
    pytest.importorskip("babel")
    repo.write("docs/index.md", "# Title\n")
    configure(repo, f'[project.theme]\nlanguage = "{language}"\n')
    repo.commit(when=WHEN)
    zensical(repo)
    assert shown(repo) == [SHOWN.format(date)]


def test_the_date_is_that_of_the_sitemap(repo: Repo) -> None:
    """Of the newest file that the page includes; none of an uncommitted page, or if nothing asks for it."""
    repo.write("docs/index.md", '# Title\n\n--8<-- "inc/a.txt"\n')
    repo.write("docs/rule.md", "---\nsitemap: {lastmod: 2020-01-02}\n---\n# Rule\n")
    configure(repo)
    repo.commit(when=WHEN - 1000)
    repo.write("inc/a.txt", "a")
    repo.commit(when=WHEN)
    repo.write("docs/new.md", "# New\n")
    zensical(repo)
    named = run(*NAMED, cwd=repo.root)
    assert "although" not in named.stderr  # the project asks for dates, in a file that the command reads
    assert run(cwd=repo.root).returncode == 0
    assert listed(repo.root / "site") == {
        "": "2026-03-15T11:00:00+00:00",
        "rule/": "2020-01-02",
        "new/": None,
    }
    assert SHOWN[:42] in shown(repo)[0]
    assert '<time datetime="2020-01-02">' in shown(repo, "rule")[0]
    assert shown(repo, "new") == []
    configure(repo, options="page_dates = false")
    zensical(repo)
    assert shown(repo) == []


def test_another_configuration_than_the_one_that_is_built_has_no_say(repo: Repo) -> None:
    """Zensical hands over what it builds, and not the name of the file."""
    repo.write("docs/index.md", "# Title\n")
    configure(repo)
    text = (repo.root / "zensical.toml").read_text()
    repo.write("other.toml", text.replace("[project]", '[project]\nsite_dir = "other"', 1))
    repo.commit(when=WHEN)
    zensical(repo, "--config-file", "other.toml")
    assert "<aside" not in (repo.root / "other/index.html").read_text()
    zensical(repo)
    assert len(shown(repo)) == 1


def test_the_author_s_own_date_stands_alone(repo: Repo) -> None:
    names = ("git_revision_date_localized", "revision_date")
    for name in names:
        repo.write(f"docs/{name}.md", f"---\n{name}: yesterday\n---\n# Title\n")
    configure(repo)
    repo.commit(when=WHEN)
    zensical(repo)
    assert [shown(repo, name) for name in names] == [["yesterday"]] * 2


def test_a_page_in_the_cache_that_shows_an_older_date_is_reported(repo: Repo) -> None:
    """Zensical renders a page again if its text changes, not if only its commit does."""
    repo.write("docs/index.md", "# Title\n")
    repo.write("docs/other.md", "# Other\n")
    configure(repo)
    repo.commit(when=WHEN)
    zensical(repo)
    assert "another date" not in run(cwd=repo.root).stderr
    repo.write("docs/index.md", "# Another\n")
    repo.commit(when=WHEN + 1000)
    repo.write("docs/index.md", "# Title\n")
    repo.commit(when=WHEN + 2000)
    zensical(repo)
    told = "1 page shows another date than the sitemap has, from an earlier build."
    assert told in run(cwd=repo.root).stderr
    zensical(repo, "--clean")
    assert told not in run(cwd=repo.root).stderr


def test_dates_that_a_cached_page_shows_too_long_or_not_yet_are_reported(repo: Repo) -> None:
    """Zensical does not render pages again because an option of ours has changed."""
    repo.write("docs/index.md", "# Title\n")
    configure(repo, options="page_dates = false")
    repo.commit(when=WHEN)
    zensical(repo)
    assert "although" not in run(cwd=repo.root).stderr
    before = (repo.root / "site/index.html").read_bytes()
    for options, told in (
        ("page_dates = true", "1 page shows no date, although page_dates is on, from an earlier build."),
        ("page_dates = false", "1 page shows a date, although page_dates is off, from an earlier build."),
    ):
        configure(repo, options=options)
        assert told in run(cwd=repo.root).stderr
        zensical(repo, "--clean")
        assert "although" not in run(cwd=repo.root).stderr
    assert (repo.root / "site/index.html").read_bytes() == before


@pytest.mark.parametrize(
    ("options", "extensions", "told"),
    [
        (
            "page_dates = true",
            "toc = {}",
            "Warning: Without the Markdown extension docs-sitemap, no page shows its date "
            "(zensical.toml: plugins: docs-sitemap: page_dates). To fix it: add docs-sitemap to "
            "markdown_extensions, and build once with zensical build --clean.\n",
        ),
        (
            "page_dates = false",
            "[project.markdown_extensions.pymdownx.snippets]",
            "Without the Markdown extension docs-sitemap, the files that pages include do not count for "
            "their dates (pymdownx.snippets). To fix it: ",
        ),
        (
            "page_dates = true",
            "",
            "add docs-sitemap to markdown_extensions, with Zensical's own list, which this",
        ),
        ("json_ld = true", EXTENSION, "plugins: docs-sitemap: json_ld: it has no effect, because "),
        ("page_dates = true", f"pymdownx.snippets = {{}}\n{EXTENSION}", ""),
        ("page_dates = false", "toc = {}", ""),
    ],
)
def test_what_the_configuration_cannot_do_is_said_once(
    repo: Repo, options: str, extensions: str, told: str
) -> None:
    repo.write("docs/index.md", "# Title\n")
    repo.write(
        "zensical.toml",
        f"{TOML}[project.plugins.docs-sitemap]\n{options}\n[project.markdown_extensions]\n{extensions}\n",
    )
    repo.commit(when=WHEN)
    if EXTENSION in extensions:
        zensical(repo)
    else:
        repo.write("site/index.html", "<html><head><title>Title</title></head></html>")
    said = run(cwd=repo.root).stderr
    assert told in said
    assert len(said.splitlines()) == 2 + bool(told)  # the summary, and that robots.txt is read elsewhere


def test_a_date_that_depends_on_what_other_pages_read_is_not_shown(repo: Repo) -> None:
    """Whether every page reads a file is only known at the end."""
    repo.write("own.py", OWN)
    repo.write("docs/index.md", "# Title\n")
    repo.write("docs/other.md", "read data/a.txt\n")
    configure(repo)
    text = (repo.root / "zensical.toml").read_text()
    repo.write("zensical.toml", f"{text}own = {{}}\n")
    repo.commit(when=WHEN)
    repo.write("data/a.txt", "a")
    repo.commit(when=WHEN + 1000)
    zensical(repo)
    assert len(shown(repo)) == 1
    assert shown(repo, "other") == []


OWN = """
from markdown import Extension
from markdown.preprocessors import Preprocessor

class Read(Preprocessor):
    def run(self, lines):
        return [open(line[5:]).read() if line.startswith("read ") else line for line in lines]

class Own(Extension):
    def extendMarkdown(self, md):
        md.preprocessors.register(Read(md), "own", 40)

def makeExtension(**settings):
    return Own(**settings)
"""


def test_a_mistake_in_the_options_breaks_no_build_of_zensical(repo: Repo) -> None:
    repo.write("docs/index.md", "# Title\n")
    configure(repo, options="page_dates = true\nno_option = 1")
    repo.commit(when=WHEN)
    zensical(repo)
    assert shown(repo) == []
    assert "plugins: docs-sitemap: no_option: there is no such option" in run(cwd=repo.root).stderr


def test_when_a_page_was_added_stands_beside_it(repo: Repo) -> None:
    """Or when its author says that it was."""
    repo.write("docs/index.md", "# Title\n")
    repo.write("docs/said.md", "---\ndate: 2022-05-05\n---\n# Said\n")
    configure(repo, options="page_dates = true\ncreation_dates = true")
    repo.commit(when=WHEN)
    repo.write("docs/index.md", "# Title\n\nMore.\n")
    repo.commit(when=WHEN + 86_400)
    zensical(repo)
    days = [re.findall(r'<time datetime="([^"T]*)', shown(repo, page)[0]) for page in ("", "said")]
    assert days == [["2026-03-16", "2026-03-15"], ["2026-03-15", "2022-05-05"]]
