"""What ``docs-sitemap build`` says of pages without a date, and where it fails because of them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.generators.html.test_build import BASE, run, site_of
from tests.support import sitemaps
from tests.support.gitrepo import Repo

PAGES = {
    f"{name}index.html" if name[-1] == "/" else name: f"<title>{name}</title>"
    for name in ("404.html", "a-b/index.html", "guide/install/index.html", "index.html", "new.html", "tags/")
}
FIX = (
    'To fix it: name it, relative to docs, in docs-sitemap.toml: rules = [{match = "%s", sources = ["FILE"]}]'
)


@pytest.fixture
def site(repo: Repo) -> Path:
    """A site with a page of each cause, and one with a date."""
    repo.commit("docs/index.md", "docs/A b.md", "docs/a_b.md", "other/zzz.md")
    repo.write("docs/new.md")
    return site_of(repo.root / "site", PAGES)


def lines(site: Path, *args: str, code: int = 0) -> list[str]:
    done = run(site, "--base-url", BASE, *args, cwd=site.parent)
    assert done.returncode == code, done.stderr
    return done.stderr.splitlines()


def test_each_cause_is_one_line_with_what_was_looked_for_and_the_fix(site: Path) -> None:
    said = lines(site, "--source-dir", "docs")
    assert said[:3] == [
        "2 pages have no date: no source was found below docs (for guide/install/index.html: "
        f"docs/guide/install.md, .markdown, .mdx, …). {FIX % 'guide/install/'}; if sources are "
        "copied before the build, use --source-map BUILD/DIR=SOURCE/DIR.",
        "1 page has no date: not committed (docs/new.md). To fix it: commit it; if it is copied from a "
        "committed file, set `source_map`; if it is made from one, name that as `sources` in a rule.",
        "1 page has no date: several files may be the source (for a-b/index.html: A b.md, a_b.md). "
        f"{FIX % 'a-b/'}.",
    ]
    assert said[3] == "sitemap.xml: 5 pages, 1 with lastmod; left out: 1 404."


def test_verbose_names_all_pages(site: Path) -> None:
    said = lines(site, "--source-dir", "docs", "-v")
    date = sitemaps.read(site / "sitemap.xml")[BASE]
    assert said[-6:] == [
        f"{BASE}: {date}, by docs/index.md (the page is written in it)",
        f"{BASE}a-b/: no date: several files may be the source (for a-b/index.html: A b.md, a_b.md)",
        f"{BASE}guide/install/: no date: no source was found below docs (for guide/install/index.html: "
        "docs/guide/install.md, .markdown, .mdx, …)",
        f"{BASE}new.html: no date: not committed, by docs/new.md (the page is written in it)",
        f"{BASE}tags/: no date: no source was found below docs (for tags/index.html: docs/tags.md, "
        ".markdown, .mdx, …)",
        "404.html: not listed, 404: an error page",
    ]


def test_without_a_source_folder_the_one_that_has_them_is_named(site: Path) -> None:
    why = "5 pages have no date: without --source-dir, no sources are known. To fix it: "
    assert lines(site)[0] == why + "add --source-dir docs to the command."
    (site.parent / "docs").rename(site.parent / "words")
    assert lines(site)[0] == why + "name their folder: --source-dir FOLDER."
    (site.parent / "docs-sitemap.toml").write_text("lastmod = 'none'\n")
    assert not any("no date" in line for line in lines(site))


@pytest.mark.parametrize(
    ("given", "looked", "better"),
    [
        ("other", "other/index.md", "docs"),
        ("docs/guide", "docs/guide/index.md", "docs"),
        ("words", "words/index.md", "words/en"),
    ],
)
def test_a_folder_without_a_source_of_any_page_is_wrong_usage(
    site: Path, given: str, looked: str, better: str
) -> None:
    """The message names a folder that has them, and nothing is written."""
    (site.parent / given).mkdir(exist_ok=True)
    if better == "words/en":
        (site.parent / "docs").rename(site.parent / better)
    *_, said = lines(site, "--source-dir", given, code=2)
    assert said == (
        f"Error: --source-dir: expected the folder of the sources, got {given}, where no page has its own: "
        f"for index.html, {looked}, .markdown, .mdx, … was looked for. Use --source-dir {better} instead."
    )
    assert not (site / "sitemap.xml").exists()


def test_a_folder_counts_if_a_rule_names_files_in_it(site: Path) -> None:
    rule = '{match = "/index.html", sources = ["zzz.md"]}, {match = "tags/", sources = ["zzz.md"]}'
    (site.parent / "docs-sitemap.toml").write_text(f"rules = [{rule}]\n")
    said = lines(site, "--source-dir", "other")
    assert "sitemap.xml: 5 pages, 1 with lastmod; left out: 1 404." in said
    assert sitemaps.read(site / "sitemap.xml")[f"{BASE}tags/"]


@pytest.mark.parametrize("where", ["line", "file"])
def test_a_share_of_pages_with_dates_can_be_required(site: Path, where: str) -> None:
    """Then a build fails, and the last good files stay."""
    lines(site, "--source-dir", "docs", "--require-dates", "0.2")
    before = (site / "sitemap.xml").read_bytes()
    site_of(site, {"more.html": ""})
    name, args = "--require-dates", ["--require-dates", "0.2"]
    if where == "file":
        name, args = f"{site.parent / 'docs-sitemap.toml'}: require-dates", []
        (site.parent / "docs-sitemap.toml").write_text("require-dates = 0.2\n")
    *_, said = lines(site, "--source-dir", "docs", "--json", *args, code=1)
    assert said == (
        f"Error: {name}: expected dates for 0.2 of the pages, got 0.17 (1 of 6; 3 without: no source "
        "was found below docs; 1 without: not committed; 1 without: several files may be the source). No "
        "file is written."
    )
    assert (site / "sitemap.xml").read_bytes() == before


def test_a_share_is_a_number(site: Path) -> None:
    *_, said = lines(site, "--require-dates", "90%", code=2)
    assert said == "Error: --require-dates: expected a number from 0.0 to 1.0, got '90%'."


def test_json_has_the_pages_and_nothing_else(site: Path) -> None:
    done = run(site, "--base-url", BASE, "--source-dir", "docs", "-v", "--json", cwd=site.parent)
    assert [page["url"] for page in json.loads(done.stdout)] == [*sitemaps.read(site / "sitemap.xml")]


@pytest.mark.parametrize(
    ("sitemap", "is_named"),
    [
        ("http://localhost:1313/sitemap.xml", True),
        ("http://127.0.0.1:8000/sitemap.xml", True),
        ("http://[::1]/sitemap.xml", True),
        ("/sitemap.xml", True),
        ("https://your-site.example.com/sitemap.xml", True),
        ("https://docs.example.net/sitemap.xml", False),
        ("https://example.org/news.xml", False),
        ("https://notexample.com/news.xml", False),
    ],
)
def test_a_robots_txt_with_the_sitemap_of_no_real_host_is_named_and_completed(
    site: Path, sitemap: str, is_named: bool
) -> None:
    text = f"User-agent: *\nDisallow: /private/\nSitemap: {sitemap}\n"
    (site / "robots.txt").write_text(text)
    said = [line for line in lines(site, "--base-url", "https://example.org/") if "no crawler" in line]
    assert said == is_named * [
        f"robots.txt names the sitemap {sitemap}, which no crawler can read: remove that line, or set the "
        "site's URL in the generator that writes it."
    ]
    assert (site / "robots.txt").read_text().startswith(text)


def test_a_folder_with_the_sources_of_few_pages_is_an_error(repo: Repo) -> None:
    """A README anywhere may be that of the home page, and its date a wrong one."""
    names = ["index", *(f"page{number}" for number in range(6))]
    repo.commit("content/posts/index.md", *(f"content/{name}.md" for name in names))
    site = site_of(repo.root / "site", {f"{name}.html": f"<title>{name}</title>" for name in names})
    assert lines(site, "--source-dir", "content/posts", code=2) == [
        "Error: --source-dir: expected the folder of the sources, got content/posts, where 1 of 7 pages have "
        "their own: for page0.html, content/posts/page0.md, .markdown, .mdx, … was looked for. Use "
        "--source-dir content instead."
    ]
    assert lines(site, "--source-dir", "content")[0] == "sitemap.xml: 7 pages, 7 with lastmod."


def test_the_rule_that_is_named_works(site: Path) -> None:
    rule = 'rules = [{match = "guide/install/", sources = ["A b.md"]}]'
    (site.parent / "docs-sitemap.toml").write_text(rule)
    lines(site, "--source-dir", "docs")
    assert sitemaps.read(site / "sitemap.xml")[f"{BASE}guide/install/"]


def test_a_source_in_two_formats_has_no_date(repo: Repo) -> None:
    repo.commit("docs/a.md", "docs/a.ipynb", "docs/b.md", "docs/b.txt")
    site = site_of(repo.root / "site", {"a.html": "<title>a</title>", "b.html": "<title>b</title>"})
    assert (
        "several files may be the source (for a.html: a.ipynb, a.md)"
        in lines(site, "--source-dir", "docs")[0]
    )
    assert [day is None for day in sitemaps.read(site / "sitemap.xml").values()] == [True, False]
